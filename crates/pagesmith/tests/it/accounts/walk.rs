//! Walks with cursors over accounts while accounts are made and named, and persons come and go.
//!
//! The model knows every account; from it follows each next part, and with it that nothing that was there all along is lost,
//! nothing is met twice, and every total is exact.

use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::json;

use super::{id, make, of_person, person};
use crate::property;

/// What happens between two parts of a walk.
#[derive(Debug, Clone)]
enum Step {
    Take { limit: usize },
    Create,
    AddPerson(Index),
    DeletePerson(Index),
    RestorePerson(Index),
    MovePerson(Index, Index),
}

fn any_history() -> impl Strategy<Value = (bool, Vec<Step>)> {
    let step = prop_oneof![
        4 => (1..5_usize).prop_map(|limit| Step::Take { limit }),
        2 => Just(Step::Create),
        2 => any::<Index>().prop_map(Step::AddPerson),
        2 => any::<Index>().prop_map(Step::DeletePerson),
        1 => any::<Index>().prop_map(Step::RestorePerson),
        2 => (any::<Index>(), any::<Index>()).prop_map(|(who, to)| Step::MovePerson(who, to)),
    ];
    (any::<bool>(), prop::collection::vec(step, 1..25))
}

#[test]
fn a_walk_loses_and_repeats_nothing_while_accounts_and_persons_come_and_go() {
    property::holds(16, &any_history(), async |case, (only_empty, history)| {
        let client = &case.client;
        let path = format!("/v0/accounts?includeEmptyOnly={only_empty}");
        let mut accounts: Vec<String> = Vec::new();
        for number in 0..5 {
            accounts.push(id(&make(client, &format!("company-{number}.com")).await).to_owned());
        }
        // Each person, the account it belongs to, and whether it lives.
        let mut persons: Vec<(serde_json::Value, usize, bool)> = Vec::new();
        let (mut cursor, mut last, mut ended) = (String::new(), None::<String>, false);
        let end = (0..20).map(|_| Step::Take { limit: 3 });
        for step in history.into_iter().chain(end) {
            match step {
                Step::Create => {
                    let domain = format!("company-{}.com", accounts.len());
                    accounts.push(id(&make(client, &domain).await).to_owned());
                }
                Step::AddPerson(at) => {
                    let at = at.index(accounts.len());
                    let email = format!("p{}@company-{at}.com", persons.len());
                    persons.push((person(client, "P", &email).await, at, true));
                }
                Step::DeletePerson(at) if !persons.is_empty() => {
                    let one = at.get_mut(&mut persons);
                    client.delete(&of_person(&one.0)).await.expect(200);
                    one.2 = false;
                }
                Step::RestorePerson(at) if !persons.is_empty() => {
                    let one = at.get_mut(&mut persons);
                    client.post(&format!("{}/restore", of_person(&one.0)), &json!({})).await.expect(200);
                    one.2 = true;
                }
                Step::MovePerson(who, to) if !persons.is_empty() => {
                    let one = who.get_mut(&mut persons);
                    let to = to.index(accounts.len());
                    let domain = json!({ "domain": format!("company-{to}.com") });
                    let answer = client.patch(&of_person(&one.0), &domain).await;
                    answer.expect(if one.2 { 200 } else { 404 });
                    if one.2 {
                        one.1 = to;
                    }
                }
                Step::Take { limit } if !ended => {
                    let part = client.get(&format!("{path}&limit={limit}{cursor}")).await.expect(200).json();
                    let people = |at: usize| persons.iter().filter(|one| one.2 && one.1 == at).count();
                    let wanted: Vec<(&String, usize)> = (accounts.iter().enumerate().rev())
                        .map(|(at, id)| (id, people(at)))
                        .filter(|(_, people)| !only_empty || *people == 0)
                        .collect();
                    assert_eq!(part["totalCount"], wanted.len());
                    let rest: Vec<_> = wanted
                        .into_iter()
                        .filter(|(id, _)| last.as_ref().is_none_or(|last| *id < last))
                        .collect();
                    let found: Vec<(&str, usize)> = (part["items"].as_array().unwrap().iter())
                        .map(|item| (id(item), item["linkedPersonsCount"].as_u64().unwrap() as usize))
                        .collect();
                    let expected: Vec<(&str, usize)> =
                        rest.iter().take(limit).map(|(id, people)| (id.as_str(), *people)).collect();
                    assert_eq!(found, expected);
                    assert_eq!(part["hasMore"], rest.len() > limit);
                    ended = rest.len() <= limit;
                    last = found.last().map(|(id, _)| (*id).to_owned()).or(last);
                    cursor =
                        part["nextCursor"].as_str().map(|next| format!("&cursor={next}")).unwrap_or_default();
                }
                _ => {}
            }
        }
        assert!(ended);
    });
}
