//! `POST /v0/persons/{person_id}/merge` and its undoing.

use std::time::Duration;

use pagesmith_model::PersonId;
use pagesmith_operations::subject_requests;
use pagesmith_testkit::app::START;
use pagesmith_testkit::database::execute_at;
use pagesmith_testkit::{Client, TestApp, fixtures};
use pagesmith_worker::tasks::TASKS;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{address, id, make, read, total};
use crate::property::{Case, holds};

async fn merge(client: &Client, this: &Value, other: &Value, fields: Value) -> Value {
    let body = json!({ "otherPersonId": id(other), "fields": fields });
    client.post(&format!("{}/merge", address(this)), &body).await.expect(200).json()
}

async fn unmerge(client: &Client, other: &Value) {
    client.post(&format!("{}/unmerge", address(other)), &json!({})).await.expect(200);
}

async fn log(client: &Client, person: &Value, kind: &str) {
    let entry = json!({ "personId": id(person), "source": "crm", "type": kind, "payload": {} });
    client.post("/v0/person_logs", &entry).await.expect(201);
}

async fn log_types(client: &Client, person: &Value) -> Vec<String> {
    let logs = client.get(&format!("{}/logs", address(person))).await.expect(200).json();
    assert_eq!(logs["totalCount"], logs["items"].as_array().unwrap().len());
    let types = logs["items"].as_array().unwrap().iter();
    types.map(|entry| entry["type"].as_str().unwrap().to_owned()).collect()
}

/// Makes a page, and an audience of it for each of these persons.
async fn page_for(client: &Client, persons: &[&Value]) -> (String, Vec<Value>) {
    let page = client.post("/v0/pages", &fixtures::page("Spring")).await.expect(201).json();
    let at = format!("/v0/pages/{}/audiences", page["pageId"].as_str().unwrap());
    let mut audiences = Vec::new();
    for person in persons {
        audiences.push(client.post(&at, &json!({ "personId": id(person) })).await.expect(201).json());
    }
    (at, audiences)
}

async fn audience(client: &Client, at: &str, audience: &Value) -> Value {
    client.get(&format!("{at}/{}", audience["audienceId"].as_str().unwrap())).await.expect(200).json()
}

#[tokio::test]
async fn what_would_happen_is_told_and_nothing_done() {
    let app = TestApp::start().await;
    let client = app.client();
    let this = make(&client, &json!({ "name": "Ada", "email": "ada@acme.example" })).await;
    let other = make(
        &client,
        &json!({ "name": "Ada L.", "email": "al@other.example", "phoneNumber": "+14155550123" }),
    )
    .await;
    log(&client, &other, "call").await;
    let (_, both) = page_for(&client, &[&this, &other]).await;
    page_for(&client, &[&other]).await;
    let body = json!({ "otherPersonId": id(&other), "dryRun": true });
    let plan = client.post(&format!("{}/merge", address(&this)), &body).await.expect(200).json();
    assert_eq!(plan["dryRun"], true);
    assert_eq!(
        (&plan["after"]["email"], &plan["after"]["phoneNumber"]),
        (&json!("ada@acme.example"), &json!("+14155550123"))
    );
    assert_eq!(plan["moves"], json!({ "logs": 1, "audiences": 1, "submissions": 0, "sessions": 0 }));
    assert_eq!(plan["collisions"][0]["audienceId"], both[1]["audienceId"]);
    assert_eq!((read(&client, &this).await, read(&client, &other).await), (this, other));
}

#[tokio::test]
async fn the_other_person_is_gone_and_everything_is_with_the_one_that_stays() {
    let app = TestApp::start().await;
    let client = app.client();
    let this = make(&client, &json!({ "name": "Ada", "email": "ada@acme.example" })).await;
    let other = make(&client, &json!({ "name": "Ada L.", "email": "al@other.example" })).await;
    log(&client, &this, "mail").await;
    log(&client, &other, "call").await;
    let (at, own) = page_for(&client, &[&other]).await;
    let done = merge(&client, &this, &other, json!({ "email": "other" })).await;
    assert_eq!((&done["dryRun"], &done["after"]["email"]), (&json!(false), &json!("al@other.example")));
    assert_eq!(read(&client, &this).await["email"], "al@other.example");
    client.get(&address(&other)).await.expect(404);
    assert_eq!(total(&client).await, 1);
    assert_eq!(log_types(&client, &this).await, ["call", "mail"]);
    let moved = audience(&client, &at, &own[0]).await;
    assert_eq!((&moved["personId"], &moved["computedName"]), (&this["personId"], &json!("Ada")));
    // It is there again by taking the merge back, and by nothing else.
    let refused = client.post(&format!("{}/restore", address(&other)), &json!({})).await.expect(409).json();
    assert_eq!(refused["details"]["intoPersonId"], this["personId"]);
    let merges = client.get(&format!("{}/merges", address(&this))).await.expect(200).json();
    assert_eq!(merges["items"][0]["personId"], other["personId"]);
}

#[tokio::test]
async fn what_came_later_stays_when_a_merge_is_taken_back() {
    let app = TestApp::start().await;
    let client = app.client();
    let this = make(&client, &json!({ "name": "Ada", "email": "ada@acme.example" })).await;
    let other = make(&client, &json!({ "name": "Ada L.", "phoneNumber": "+14155550123" })).await;
    merge(&client, &this, &other, json!({ "name": "other" })).await;
    log(&client, &this, "later").await;
    client.patch(&address(&this), &json!({ "name": "Countess" })).await.expect(200);
    unmerge(&client, &other).await;
    let now = read(&client, &this).await;
    assert_eq!((&now["name"], &now["phoneNumber"]), (&json!("Countess"), &Value::Null));
    assert_eq!(read(&client, &other).await["phoneNumber"], "+14155550123");
    assert_eq!(log_types(&client, &this).await, ["later"]);
    unmerge(&client, &other).await;
}

#[tokio::test]
async fn what_cannot_be_taken_back_is_not_begun() {
    let app = TestApp::start().await;
    let client = app.client();
    let [a, b, c] =
        ["a", "b", "c"].map(|name| json!({ "name": name, "email": format!("{name}@acme.example") }));
    let (a, b, c) = (make(&client, &a).await, make(&client, &b).await, make(&client, &c).await);
    merge(&client, &a, &b, json!({})).await;
    let into_c = client.post(&format!("{}/merge", address(&c)), &json!({ "otherPersonId": id(&a) })).await;
    assert_eq!(into_c.expect(409).json()["details"]["reason"], "has_merges");
    for nobody in [id(&b), "person_none"] {
        client.post(&format!("{}/merge", address(&c)), &json!({ "otherPersonId": nobody })).await.expect(400);
    }
    client.post(&format!("{}/merge", address(&c)), &json!({ "otherPersonId": id(&c) })).await.expect(409);
    // Two into one, taken back in any order.
    merge(&client, &a, &c, json!({})).await;
    unmerge(&client, &b).await;
    unmerge(&client, &c).await;
    assert_eq!(total(&client).await, 3);
    // After its time a merge is forgotten.
    merge(&client, &a, &b, json!({})).await;
    app.advance(Duration::from_hours(24 * 30 + 1));
    app.run_due_work().await;
    client.post(&format!("{}/unmerge", address(&b)), &json!({})).await.expect(404);
    merge(&client, &c, &a, json!({})).await;
}

#[tokio::test]
async fn what_somebody_else_has_by_now_is_not_taken_away() {
    let app = TestApp::start().await;
    let client = app.client();
    let this = make(&client, &json!({ "name": "Ada", "email": "ada@acme.example" })).await;
    let other = make(&client, &json!({ "name": "Ada L.", "email": "al@other.example" })).await;
    merge(&client, &this, &other, json!({ "email": "other" })).await;
    let third = make(&client, &json!({ "name": "Adam", "email": "ada@acme.example" })).await;
    let before = read(&client, &this).await;
    let unmerged = client.post(&format!("{}/unmerge", address(&other)), &json!({})).await;
    let refused = unmerged.expect(409).json();
    let conflicts = json!([{ "field": "email", "personId": third["personId"] }]);
    assert_eq!(refused["details"]["conflicts"], conflicts, "{refused}");
    assert_eq!(read(&client, &this).await, before);
    client.get(&address(&other)).await.expect(404);
    client.patch(&address(&third), &json!({ "email": "adam@acme.example" })).await.expect(200);
    unmerge(&client, &other).await;
    assert_eq!(read(&client, &this).await["email"], "ada@acme.example");
}

#[tokio::test]
async fn an_identifier_that_went_on_by_a_second_merge_stays_where_it_is() {
    let app = TestApp::start().await;
    let client = app.client();
    let [a, b, c] =
        ["a", "b", "c"].map(|name| json!({ "name": name, "email": format!("{name}@acme.example") }));
    let (a, b, c) = (make(&client, &a).await, make(&client, &b).await, make(&client, &c).await);
    merge(&client, &a, &b, json!({ "email": "other" })).await;
    merge(&client, &a, &c, json!({ "email": "other" })).await;
    unmerge(&client, &b).await;
    // It would get back the address that the first one has brought, and that one has it again.
    let refused = client.post(&format!("{}/unmerge", address(&c)), &json!({})).await.expect(409).json();
    assert_eq!(refused["details"]["conflicts"][0]["personId"], b["personId"], "{refused}");
    client.patch(&address(&a), &json!({ "email": "a@acme.example" })).await.expect(200);
    unmerge(&client, &c).await;
    for (person, email) in [(&a, "a@acme.example"), (&b, "b@acme.example"), (&c, "c@acme.example")] {
        assert_eq!(read(&client, person).await["email"], email);
    }
}

#[tokio::test]
async fn erasing_erases_who_was_merged_as_well() {
    let app = TestApp::start().await;
    let client = app.client();
    let this = make(&client, &json!({ "name": "Zebulon Quux", "email": "zebulon@acme.example" })).await;
    let other = make(&client, &json!({ "name": "Zymurgy Quux", "email": "zymurgy@other.example" })).await;
    log(&client, &other, "call").await;
    merge(&client, &this, &other, json!({})).await;
    let (ctx, person_id) = (app.platform.context(), PersonId::parse(id(&this)).unwrap());
    let held = subject_requests::export(&app.store, &ctx, Some(&app.tenant), &person_id).await.unwrap();
    let held = serde_json::to_value(held).unwrap();
    assert_eq!(held["merged"][0]["person"]["name"], "Zymurgy Quux", "{held}");
    let erase = |person: &Value| format!("{}/erase", address(person));
    client.post(&erase(&other), &json!({ "confirmation": "Zymurgy Quux" })).await.expect(409);
    client.post(&erase(&this), &json!({ "confirmation": "Somebody" })).await.expect(400);
    client.post(&erase(&this), &json!({ "confirmation": " ZEBULON@acme.example " })).await.expect(202);
    client.get(&address(&this)).await.expect(404);
    client.post(&format!("{}/restore", address(&this)), &json!({})).await.expect(404);
    app.run_due_work().await;
    let all = app.database.everything(&app.store).await.to_ascii_lowercase();
    for trace in [
        "zebulon",
        "zymurgy",
        id(&this).trim_start_matches("person_"),
        id(&other).trim_start_matches("person_"),
    ] {
        assert!(!all.windows(trace.len()).any(|bytes| bytes == trace.as_bytes()), "{trace} is left");
    }
}

#[tokio::test]
async fn who_was_merged_long_ago_is_exported_and_erased_as_well() {
    let app = TestApp::start().await;
    let client = app.client();
    let [a, b, c] = ["Zebulon", "Zymurgy", "Zuleika"]
        .map(|name| json!({ "name": name, "email": format!("{name}@acme.example") }));
    let (a, b, c) = (make(&client, &a).await, make(&client, &b).await, make(&client, &c).await);
    merge(&client, &b, &a, json!({ "email": "other" })).await;
    app.advance(Duration::from_hours(24 * 31));
    app.run_due_work().await;
    merge(&client, &c, &b, json!({})).await;
    app.advance(Duration::from_hours(24 * 31));
    app.run_due_work().await;
    assert_eq!(client.get(&format!("{}/merges", address(&c))).await.expect(200).json()["items"], json!([]));
    let held = client.get(&format!("{}/export", address(&c))).await.expect(200).json();
    let merged = held["merged"].as_array().unwrap().iter().map(|merge| &merge["person"]["name"]);
    assert_eq!(merged.collect::<Vec<_>>(), ["Zymurgy", "Zebulon"]);
    assert_eq!(held["merged"][1]["fields"], json!({}));
    client.post(&format!("{}/erase", address(&c)), &json!({ "confirmation": "Zuleika" })).await.expect(202);
    app.run_due_work().await;
    let all = app.database.everything(&app.store).await.to_ascii_lowercase();
    for trace in ["zebulon", "zymurgy", "zuleika", id(&a).trim_start_matches("person_")] {
        assert!(!all.windows(trace.len()).any(|bytes| bytes == trace.as_bytes()), "{trace} is left");
    }
}

#[tokio::test]
async fn who_was_merged_long_ago_and_is_restored_is_erased_alone() {
    let app = TestApp::start().await;
    let client = app.client();
    let this = make(&client, &json!({ "name": "Ada", "email": "ada@acme.example" })).await;
    let other = make(&client, &json!({ "name": "Ada L.", "email": "al@other.example" })).await;
    merge(&client, &this, &other, json!({})).await;
    app.advance(Duration::from_hours(24 * 31));
    app.run_due_work().await;
    client.post(&format!("{}/restore", address(&other)), &json!({})).await.expect(200);
    client.post(&format!("{}/erase", address(&this)), &json!({ "confirmation": "Ada" })).await.expect(202);
    app.run_due_work().await;
    assert_eq!(read(&client, &other).await["email"], "al@other.example");
}

#[tokio::test]
async fn a_person_that_cannot_be_erased_does_not_keep_others_waiting() {
    let app = TestApp::start().await;
    let client = app.client();
    let mut persons = Vec::new();
    for name in ["Zebulon Quux", "Zymurgy Quux"] {
        let person = make(&client, &json!({ "name": name, "email": "q@acme.example" })).await;
        client
            .post(&format!("{}/erase", address(&person)), &json!({ "confirmation": name }))
            .await
            .expect(202);
        persons.push(person);
    }
    let into = make(&client, &json!({ "name": "Ada", "email": "ada@acme.example" })).await;
    // As if the first one were merged away: then erasing it is refused.
    let merge = format!(
        "INSERT INTO person_merges (tenant_id, person_id, into_person_id, fields, actor, merged_at)
         VALUES ('{}', '{}', '{}', '{{}}', 'system', {START})",
        app.tenant.as_str(),
        id(&persons[0]),
        id(&into),
    );
    execute_at(&app.database.address, &merge).await;
    let erase = TASKS.iter().find(|task| task.name == "erase_persons").unwrap();
    assert!(erase.run(&app.tools()).await.is_err());
    let all = app.database.everything(&app.store).await;
    let stands = |name: &[u8]| all.windows(name.len()).any(|bytes| bytes == name);
    assert_eq!((stands(b"Zebulon"), stands(b"Zymurgy")), (true, false));
}

/// A person with some fields, by a number that keeps those of two persons apart.
fn person(number: u8) -> impl Strategy<Value = Value> {
    let phone = format!("+1415555010{number}");
    let profile = format!("https://www.linkedin.com/in/somebody-{number}");
    (any::<bool>(), any::<bool>(), any::<bool>(), 0..3_u8).prop_map(
        move |(email, has_phone, has_profile, company)| {
            let mut person = json!({ "name": format!("Person {number}") });
            if email || !(has_phone || has_profile) {
                person["email"] = json!(format!("p{number}@company-{company}.example.com"));
            }
            if has_phone {
                person["phoneNumber"] = json!(phone);
            }
            if has_profile {
                person["linkedinProfileUrl"] = json!(profile);
            }
            person
        },
    )
}

/// Everything that callers see of two persons, without when it changed.
async fn everything(client: &Client, persons: [&Value; 2], pages: &[(String, Vec<Value>)]) -> Value {
    let mut all = Vec::new();
    for person in persons {
        all.push(read(client, person).await);
        all.push(client.get(&format!("{}/logs", address(person))).await.expect(200).json());
    }
    for (at, own) in pages {
        for one in own {
            all.push(audience(client, at, one).await);
        }
    }
    let accounts = client.get("/v0/accounts?limit=100&includeEmptyOnly=false").await.expect(200).json();
    for account in accounts["items"].as_array().unwrap() {
        let activity = format!("/v0/accounts/{}/activity", account["accountId"].as_str().unwrap());
        all.push(client.get(&activity).await.expect(200).json());
    }
    for one in &mut all {
        one.as_object_mut().unwrap().remove("updatedAt");
    }
    Value::Array(all)
}

async fn check(
    case: Case,
    (first, second, logs, shared, winners): (Value, Value, Vec<bool>, [bool; 2], [bool; 3]),
) {
    let client = &case.client;
    let (this, other) = (make(client, &first).await, make(client, &second).await);
    for (at, of_other) in logs.iter().enumerate() {
        log(client, if *of_other { &other } else { &this }, &format!("entry-{at}")).await;
    }
    let mut pages = vec![page_for(client, &[&other]).await];
    for both in shared {
        let persons = [&this, &other];
        pages.push(page_for(client, &persons[..if both { 2 } else { 1 }]).await);
    }
    let before = everything(client, [&this, &other], &pages).await;
    let winner = |other: bool| if other { "other" } else { "this" };
    let [name, email, phone] = winners.map(winner);
    let fields = json!({ "name": name, "email": email, "phoneNumber": phone });
    merge(client, &this, &other, fields).await;
    assert_eq!(log_types(client, &this).await.len(), logs.len());
    unmerge(client, &other).await;
    assert_eq!(everything(client, [&this, &other], &pages).await, before);
}

#[test]
fn taking_a_merge_back_gives_back_what_was() {
    let logs = proptest::collection::vec(any::<bool>(), 0..6);
    let values = (person(1), person(2), logs, any::<[bool; 2]>(), any::<[bool; 3]>());
    holds(24, &values, check);
}
