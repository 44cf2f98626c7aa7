//! A walk over an account's activity while entries are written, deleted and restored, against a model that knows each of them.

use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

use super::{id, ids};
use crate::logs::accounts::note;
use crate::{accounts, property};

/// What happens between two parts of a walk.
#[derive(Debug, Clone)]
enum Step {
    Take(usize),
    Own,
    OfPerson(usize),
    Delete(Index),
    Restore(Index),
}

/// An entry as the model knows it.
#[derive(Debug)]
struct Known {
    id: String,
    address: String,
    of_person: bool,
    deleted: bool,
}

fn any_entry() -> impl Strategy<Value = Step> {
    prop_oneof![2 => Just(Step::Own), 3 => (0..3_usize).prop_map(Step::OfPerson)]
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (1..6_usize).prop_map(Step::Take),
        4 => any_entry(),
        2 => any::<Index>().prop_map(Step::Delete),
        1 => any::<Index>().prop_map(Step::Restore),
    ]
}

#[test]
fn a_walk_merges_both_kinds_newest_first_while_entries_come_and_go() {
    let before = prop::collection::vec(any_entry(), 1..12);
    let input = (any::<bool>(), any::<bool>(), before, prop::collection::vec(any_step(), 0..25));
    property::holds(20, &input, async |case, (persons, deleted_too, before, history)| {
        let client = &case.client;
        let account = accounts::address(&accounts::make(client, "acme.com").await);
        let path = format!("{account}/activity?includePersonActivity={persons}&includeDeleted={deleted_too}");
        let mut known: Vec<Known> = Vec::new();
        let (mut cursor, mut last, mut ended) = (String::new(), None::<String>, false);
        let place = |id: &str| id.rsplit_once('_').unwrap().1.to_owned();
        for step in before.into_iter().chain(history).chain((0..20).map(|_| Step::Take(4))) {
            match step {
                Step::Own => {
                    let log = note(client, "acme.com", "own").await;
                    let address = crate::logs::accounts::address(&log);
                    known.push(Known { id: id(&log).to_owned(), address, of_person: false, deleted: false });
                }
                Step::OfPerson(number) => {
                    let email = format!("p{number}@eu.acme.com");
                    let body = json!({ "email": email, "name": format!("Person {number}"), "source": "crm" });
                    let log = client.post("/v0/person_logs", &body).await.expect(201).json();
                    let address =
                        format!("/v0/persons/{}/logs/{}", log["personId"].as_str().unwrap(), id(&log));
                    known.push(Known { id: id(&log).to_owned(), address, of_person: true, deleted: false });
                }
                Step::Delete(at) => {
                    let one = at.get_mut(&mut known);
                    client.delete(&one.address).await.expect(200);
                    one.deleted = true;
                }
                Step::Restore(at) => {
                    let one = at.get_mut(&mut known);
                    client.post(&format!("{}/restore", one.address), &json!({})).await.expect(200);
                    one.deleted = false;
                }
                Step::Take(limit) if !ended => {
                    let part = client.get(&format!("{path}&limit={limit}{cursor}")).await.expect(200).json();
                    let is_wanted =
                        |one: &&Known| (persons || !one.of_person) && (deleted_too || !one.deleted);
                    let all: Vec<&Known> = known.iter().rev().filter(is_wanted).collect();
                    assert_eq!(part["totalCount"], all.len());
                    let is_behind = |one: &&Known| last.as_ref().is_none_or(|last| place(&one.id) < *last);
                    let rest: Vec<&Known> = all.into_iter().filter(is_behind).collect();
                    let expected = &rest[..limit.min(rest.len())];
                    assert_eq!(ids(&part), expected.iter().map(|one| one.id.as_str()).collect::<Vec<_>>());
                    for (item, one) in part["items"].as_array().unwrap().iter().zip(expected) {
                        agrees(item, one);
                    }
                    ended = rest.len() <= limit;
                    assert_eq!(part["hasMore"], !ended);
                    last = ids(&part).last().map(|id| place(id)).or(last);
                    let next = part["nextCursor"].as_str();
                    cursor = next.map(|next| format!("&cursor={next}")).unwrap_or_default();
                }
                Step::Take(_) => {}
            }
        }
        assert!(ended);
    });
}

/// An item tells what the model knows of it.
#[track_caller]
fn agrees(item: &Value, known: &Known) {
    let is_there = |field: &str| !item[field].is_null();
    assert_eq!(is_there("deletedAt"), known.deleted);
    for (field, of_person) in
        [("accountLogId", false), ("personLogId", true), ("personId", true), ("personName", true)]
    {
        assert_eq!(is_there(field), known.of_person == of_person, "{field} of {item}");
    }
    let kind = if known.of_person { "person-log-entry" } else { "account-log-entry" };
    assert_eq!(item["activityType"], kind);
    if known.of_person {
        let address = format!("{}/logs/{}", item["personId"].as_str().unwrap(), known.id);
        assert!(known.address.ends_with(&address));
        assert!(item["personName"].as_str().unwrap().starts_with("Person "));
    }
}
