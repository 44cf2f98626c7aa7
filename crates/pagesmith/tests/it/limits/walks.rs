//! Walks over collections whose items are of very different sizes, in answers that hold few bytes.

use pagesmith_testkit::{Client, fixtures};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::property;

/// How many bytes of items an answer may hold here.
const MOST: usize = 6_000;

fn sizes() -> impl Strategy<Value = Vec<usize>> {
    let size = prop_oneof![4 => 1..200_usize, 3 => 1_000..3_000_usize, 1 => 7_000..9_000_usize];
    prop::collection::vec(size, 1..12)
}

/// Walks to the end; the ids that were met, in order.
async fn walk(client: &Client, path: &str, id: &str, limit: usize) -> Vec<String> {
    let (mut met, mut cursor) = (Vec::new(), None::<String>);
    loop {
        let mut parameters = vec![("limit", limit.to_string())];
        parameters.extend(cursor.map(|cursor| ("cursor", cursor)));
        parameters.extend(path.contains("activity").then(|| ("includePersonActivity", "true".to_owned())));
        let parameters: Vec<(&str, &str)> =
            parameters.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let answer = client.get_with(path, &parameters).await.expect(200);
        let part = answer.json();
        let items = part["items"].as_array().unwrap();
        let bytes: usize = items.iter().map(|item| item.to_string().len()).sum();
        assert!(bytes <= MOST || items.len() == 1, "{path}: {} items of {bytes} bytes", items.len());
        assert!(items.len() <= limit && (!items.is_empty() || met.is_empty()), "{path}");
        let name = |item: &Value| item[id].as_str().unwrap().to_owned();
        met.extend(items.iter().map(name));
        assert_eq!(part["hasMore"].as_bool().unwrap(), !part["nextCursor"].is_null());
        let Some(next) = part["nextCursor"].as_str() else { return met };
        cursor = Some(next.to_owned());
    }
}

#[test]
fn a_walk_in_small_answers_loses_and_repeats_nothing() {
    let change = |plan: &mut pagesmith_testkit::app::Plan| plan.settings.longest_answer = MOST;
    property::holds_with(change, 12, &(sizes(), 1..9_usize), async |case, (sizes, limit)| {
        let client = case.client;
        let (mut pages, mut own, mut all) = (Vec::new(), Vec::new(), Vec::new());
        let (mut person, mut account) = (String::new(), String::new());
        for (at, size) in sizes.into_iter().enumerate() {
            let text = "\"".repeat(size / 2 + 1);
            let mut page = fixtures::page("Spring");
            page["pageContext"] = json!(text);
            let made = client.post("/v0/pages", &page).await.expect(201).json();
            pages.insert(0, made["pageId"].as_str().unwrap().to_owned());
            let payload = json!({ "text": text });
            let log = if at % 3 == 0 {
                let body = json!({ "domain": "acme.com", "source": "crm", "payload": payload });
                client.post("/v0/account_logs", &body).await.expect(201).json()
            } else {
                let body = json!({ "email": "ada@acme.com", "source": "crm", "payload": payload });
                client.post("/v0/person_logs", &body).await.expect(201).json()
            };
            case.app.advance(std::time::Duration::from_millis(5));
            if let Some(id) = log["personLogId"].as_str() {
                own.insert(0, id.to_owned());
                all.insert(0, id.to_owned());
                log["personId"].as_str().unwrap().clone_into(&mut person);
            } else {
                all.insert(0, log["accountLogId"].as_str().unwrap().to_owned());
                log["accountId"].as_str().unwrap().clone_into(&mut account);
            }
        }
        assert_eq!(walk(&client, "/v0/pages", "pageId", limit).await, pages);
        assert_eq!(walk(&client, "/v0/pages/search", "pageId", limit).await, pages);
        if !person.is_empty() {
            assert_eq!(walk(&client, &format!("/v0/persons/{person}/logs"), "personLogId", limit).await, own);
        }
        let path = format!("/v0/accounts/{account}/activity");
        assert_eq!(walk(&client, &path, "activityId", limit).await, all);
    });
}

#[test]
fn a_walk_over_audiences_versions_and_events_is_cut_as_well() {
    let change = |plan: &mut pagesmith_testkit::app::Plan| plan.settings.longest_answer = MOST;
    property::holds_with(change, 6, &(sizes(), 1..9_usize), async |case, (sizes, limit)| {
        let client = case.client;
        let made = client.post("/v0/pages", &fixtures::page("Page")).await.expect(201).json();
        let page = format!("/v0/pages/{}", made["pageId"].as_str().unwrap());
        let (mut audiences, mut versions, mut path) = (Vec::new(), Vec::new(), String::new());
        for size in sizes {
            let body = json!({ "supplementaryContext": "x".repeat(size / 2 + 1) });
            let made = client.post(&format!("{page}/audiences"), &body).await.expect(201).json();
            audiences.insert(0, made["audienceId"].as_str().unwrap().to_owned());
            path = format!("{page}/audiences/{}", audiences[0]);
            versions = vec![made["latestVersion"]["versionId"].as_str().unwrap().to_owned()];
        }
        for _ in 0..3 {
            let made = client.post(&format!("{path}/versions"), &json!({})).await.expect(201).json();
            versions.insert(0, made["versionId"].as_str().unwrap().to_owned());
        }
        let list = format!("{page}/audiences");
        assert_eq!(walk(&client, &list, "audienceId", limit).await, audiences);
        assert_eq!(walk(&client, &format!("{path}/versions"), "versionId", limit).await, versions);
        let mut told = 0;
        let mut cursor = String::new();
        loop {
            let parameters: Vec<(&str, &str)> = match cursor.as_str() {
                "" => vec![("limit", "100"), ("live", "true")],
                cursor => vec![("limit", "100"), ("live", "true"), ("cursor", cursor)],
            };
            let part = client.get_with("/v0/events", &parameters).await.expect(200).json();
            let items = part["items"].as_array().unwrap();
            let bytes: usize = items.iter().map(|item| item.to_string().len()).sum();
            assert!(bytes <= MOST || items.len() == 1);
            told += items.len();
            part["nextCursor"].as_str().unwrap().clone_into(&mut cursor);
            if part["hasMore"] == false {
                break;
            }
        }
        // On PostgreSQL what has no place yet is shown again and again, so that its end is not told.
        assert!(told > 0 && told <= audiences.len() + 3, "{told}");
    });
}
