//! Lists in the orders that `sort` asks for: pages, persons, accounts and the audiences of a page.
//!
//! The model sorts what the whole list holds by itself; a walk by cursors of any size has to give the same, with every item once, however many
//! are equal in what is compared.

use std::time::Duration;

use pagesmith_model::text::fold;
use pagesmith_person_index::Pace;
use pagesmith_person_index::internals::{self, Sizes};
use pagesmith_testkit::fixtures::page;
use pagesmith_testkit::{Client, TestApp};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::property;

const SIZES: Sizes = Sizes { fresh: 2, chunk: 4, segment: 12, mark: 3 };

/// A list with what its items are sorted by.
struct List {
    path: String,
    id: &'static str,
    by: &'static [&'static str],
}

const OF_PAGES: &[&str] = &["name", "createdAt"];
const OF_PERSONS: &[&str] = &["name", "email", "createdAt"];
const OF_ACCOUNTS: &[&str] = &["name", "domain", "createdAt"];
const OF_AUDIENCES: &[&str] = &["name", "createdAt"];

/// The parts of a list, with as many items as there may be, put together.
async fn walked(client: &Client, path: &str, sort: &str, limit: usize) -> Vec<Value> {
    let (mut items, mut cursor, mut total) = (Vec::new(), None::<String>, None);
    loop {
        let mut asked = format!("{path}?limit={limit}{sort}");
        if let Some(cursor) = &cursor {
            asked.push_str(&format!("&cursor={cursor}"));
        }
        let part = client.get(&asked).await.expect(200).json();
        let found = part["items"].as_array().unwrap();
        assert!(found.len() <= limit, "{asked}");
        items.extend(found.iter().cloned());
        total = total.or_else(|| part["totalCount"].as_u64());
        match part["nextCursor"].as_str() {
            Some(next) => {
                assert_eq!(found.len(), limit, "only the last part is shorter: {asked}");
                cursor = Some(next.to_owned());
            }
            None => break,
        }
    }
    assert_eq!(total, Some(items.len() as u64), "{path}{sort}");
    items
}

/// What an item is compared by; without it, it comes last.
fn key(item: &Value, by: &str) -> Option<String> {
    let text = |name: &str| item[name].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    let known = match by {
        "name" if !item["archivedAt"].is_null() && item["effectiveName"].is_string() => None,
        // Persons of one name are sorted by what else is known of them.
        "name" if item["personId"].is_string() && item["effectiveName"].is_null() => {
            let known = ["name", "email", "domain", "phoneNumber"].into_iter().filter_map(text);
            let known: Vec<String> = known.map(|known| fold(&known)).collect();
            return Some(known.join("\n").chars().take(60).collect());
        }
        // An account without a name is shown by its domain.
        "name" => ["effectiveName", "name", "domain"].into_iter().find_map(text).map(|known| fold(&known)),
        "createdAt" => Some(String::new()),
        by => text(by),
    };
    known.map(|known| known.chars().take(60).collect())
}

/// Compares every order of a list with the model's, taken in parts of this size.
async fn check(client: &Client, List { path, id, by }: &List, limit: usize) {
    let own = walked(client, path, "", 100).await;
    for by in *by {
        for sign in ["", "-"] {
            let mut expected: Vec<(Option<String>, String, Value)> = own
                .iter()
                .map(|item| (key(item, by), item[*id].as_str().unwrap().to_owned(), item.clone()))
                .collect();
            expected.sort_by(|(key, id, _), (other_key, other_id, _)| match (key, other_key) {
                (None, None) => other_id.cmp(id),
                (None, Some(_)) => std::cmp::Ordering::Greater,
                (Some(_), None) => std::cmp::Ordering::Less,
                _ if sign == "-" => (other_key, other_id).cmp(&(key, id)),
                _ => (key, id).cmp(&(other_key, other_id)),
            });
            let expected: Vec<Value> = expected.into_iter().map(|(_, _, item)| item).collect();
            let found = walked(client, path, &format!("&sort={sign}{by}"), limit).await;
            assert_eq!(json!(found), json!(expected), "{path} by {sign}{by}, {limit} at once");
        }
    }
}

/// Names of which many are equal without case and accents, some only in what is behind their sixtieth character.
fn any_name() -> impl Strategy<Value = String> {
    let long = "a".repeat(60);
    let names = ["Zoë", "zoe", "Ärzte", "arzte", "10", "9", "ﷺ", "Ｚoe", "B b", "b  b", "b", "\u{10ffff}"];
    let names: Vec<String> = names
        .into_iter()
        .map(str::to_owned)
        .chain([format!("{long}b"), format!("{long}a"), "ﷺ".repeat(200)])
        .collect();
    prop::sample::select(names)
}

#[test]
fn every_order_gives_each_item_once_in_that_order() {
    let values = (prop::collection::vec((any_name(), any::<u8>()), 1..14), 1..6_usize);
    property::holds(12, &values, async |case, (things, limit)| {
        let client = &case.client;
        let first = client.post("/v0/pages", &page("The first")).await.expect(201).json();
        let audiences = format!("/v0/pages/{}/audiences", first["pageId"].as_str().unwrap());
        for (number, (name, chance)) in things.iter().enumerate() {
            let made = client.post("/v0/pages", &page(name)).await.expect(201).json();
            if chance % 2 == 0 {
                case.app.advance(Duration::from_secs(1));
            }
            if chance % 3 == 0 {
                let path = format!("/v0/pages/{}", first["pageId"].as_str().unwrap());
                client.patch(&path, &json!({ "name": name })).await.expect(200);
            }
            if chance % 7 == 0 {
                client.delete(&format!("/v0/pages/{}", made["pageId"].as_str().unwrap())).await.expect(200);
            }
            // Of persons some have no address, some are deleted.
            let mut person = json!({ "name": name, "phoneNumber": format!("+4930123456{number:02}") });
            if chance % 3 != 0 {
                person["email"] = json!(format!("p{chance}.{number}@company-{}.example.com", chance % 5));
            }
            let person = client.post("/v0/persons", &person).await.expect(201).json();
            if chance % 5 == 0 {
                let path = format!("/v0/persons/{}", person["personId"].as_str().unwrap());
                client.delete(&path).await.expect(200);
            }
            let mut account = json!({ "domain": format!("a{}-{number}.com", chance % 4) });
            if chance % 2 == 0 {
                account["name"] = json!(name);
            }
            client.post("/v0/accounts", &account).await.expect(200);
            // Some persons have been put into the index of names meanwhile, some are still fresh.
            if chance % 3 == 1 {
                internals::maintain_with(&case.app.store, &case.tenant_id, SIZES, Pace::ALONE).await.unwrap();
            }
            let audience = client.post(&audiences, &json!({ "customName": name })).await.expect(201).json();
            if chance % 4 == 1 {
                let path = format!("{audiences}/{}", audience["audienceId"].as_str().unwrap());
                client.delete(&path).await.expect(200);
            }
        }
        for list in [
            List { path: "/v0/pages".to_owned(), id: "pageId", by: OF_PAGES },
            List { path: "/v0/persons".to_owned(), id: "personId", by: OF_PERSONS },
            List { path: "/v0/accounts".to_owned(), id: "accountId", by: OF_ACCOUNTS },
            List { path: audiences, id: "audienceId", by: OF_AUDIENCES },
        ] {
            check(client, &list, limit).await;
        }
    });
}

#[tokio::test]
async fn a_cursor_goes_on_in_its_own_order_only() {
    let app = TestApp::start().await;
    let client = app.client();
    for number in 0..3 {
        client.post("/v0/pages", &page(&format!("Page {number}"))).await.expect(201);
    }
    let orders = ["", "&sort=name", "&sort=-name", "&sort=createdAt", "&sort=-createdAt"];
    for own in orders {
        let part = client.get(&format!("/v0/pages?limit=1{own}")).await.expect(200).json();
        let cursor = part["nextCursor"].as_str().unwrap();
        for other in orders {
            let answer = client.get(&format!("/v0/pages?limit=1{other}&cursor={cursor}")).await;
            let expected = if own == other { 200 } else { 400 };
            assert_eq!(
                answer.status.as_u16(),
                expected,
                "a cursor of {own:?} with {other:?}: {}",
                answer.text()
            );
        }
    }
}

#[tokio::test]
async fn an_order_that_a_list_does_not_have_is_refused() {
    let app = TestApp::start().await;
    for (path, sort) in [
        ("/v0/pages", "email"),
        ("/v0/pages", ""),
        ("/v0/pages", "--name"),
        ("/v0/persons", "updatedAt"),
        ("/v0/accounts", "email"),
    ] {
        let issues = app.client().get(&format!("{path}?sort={sort}")).await.issues();
        assert_eq!(issues, [("invalid_value".to_owned(), "sort".to_owned())], "{path} by {sort:?}");
    }
    let twice = app.client().get("/v0/pages?sort=name&sort=name").await.issues();
    assert_eq!(twice, [("duplicate_key".to_owned(), "sort".to_owned())]);
}

#[tokio::test]
async fn accounts_without_persons_are_ordered_by_themselves() {
    let app = TestApp::start().await;
    let client = app.client();
    for domain in ["c.com", "a.com", "b.com"] {
        client.post("/v0/accounts", &json!({ "domain": domain })).await.expect(200);
    }
    client.post("/v0/persons", &json!({ "name": "Ann", "email": "ann@b.com" })).await.expect(201);
    let path = "/v0/accounts?includeEmptyOnly=true&sort=domain&limit=1";
    let part = client.get(path).await.expect(200).json();
    assert_eq!((&part["items"][0]["domain"], &part["totalCount"]), (&json!("a.com"), &json!(2)));
    let cursor = part["nextCursor"].as_str().unwrap();
    let rest = client.get(&format!("{path}&cursor={cursor}")).await.expect(200).json();
    assert_eq!((&rest["items"][0]["domain"], &rest["hasMore"]), (&json!("c.com"), &json!(false)));
    let all = format!("/v0/accounts?sort=domain&limit=1&cursor={cursor}");
    client.get(&all).await.expect(400);
    let named = client.get("/v0/accounts?includeEmptyOnly=true&sort=-name").await.expect(200).json();
    let domains: Vec<&Value> =
        named["items"].as_array().unwrap().iter().map(|account| &account["domain"]).collect();
    assert_eq!(domains, [&json!("c.com"), &json!("a.com")]);
}

/// Rows that are too large for one answer: a part ends where its bytes are used up, whichever of them are the newest.
#[tokio::test]
async fn large_pages_are_all_met_in_an_order() {
    let app = TestApp::with(|plan| plan.settings.longest_answer = 20_000).await;
    let client = app.client();
    let names = ["d", "a", "c", "b"];
    for (number, name) in names.iter().enumerate() {
        let mut one = page(name);
        one["pageContext"] = json!("x".repeat(6_000 * (number + 1)));
        client.post("/v0/pages", &one).await.expect(201);
    }
    for (sort, expected) in [("name", ["a", "b", "c", "d"]), ("-name", ["d", "c", "b", "a"])] {
        let (mut met, mut cursor) = (Vec::new(), String::new());
        loop {
            let part = client.get(&format!("/v0/pages?sort={sort}{cursor}")).await.expect(200).json();
            let items = part["items"].as_array().unwrap();
            met.extend(items.iter().map(|item| item["name"].as_str().unwrap().to_owned()));
            let Some(next) = part["nextCursor"].as_str() else { break };
            assert!(!items.is_empty());
            cursor = format!("&cursor={next}");
        }
        assert_eq!(met, expected);
    }
}
