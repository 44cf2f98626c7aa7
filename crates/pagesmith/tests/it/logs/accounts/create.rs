//! `POST /v0/account_logs`.

use std::time::Duration;

use pagesmith_testkit::TestApp;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::{address, counted, entries, note, read, without_ids, write};
use crate::accounts;

#[tokio::test]
async fn an_entry_is_answered_whole() {
    let app = TestApp::start().await;
    let client = app.client();
    let body = json!({
        "domain": "www.acme.com", "name": "Acme", "source": "hubspot", "type": "deal-won", "idempotencyKey": "deal-1",
        "payload": { "amount": 100 },
    });
    let written = write(&client, &body).await;
    let shown = client.get(&address(&written)).await.expect(200).json();
    insta::assert_snapshot!(without_ids(&format!("{written:#}\n{shown:#}"), &written));
    let account = client.get("/v0/accounts").await.expect(200).json()["items"][0].clone();
    assert_eq!((&account["domain"], &account["name"]), (&json!("acme.com"), &json!("Acme")));
}

#[tokio::test]
async fn what_is_left_out_has_a_default() {
    let app = TestApp::start().await;
    let client = app.client();
    let written = write(&client, &json!({ "domain": "acme.com", "source": "crm" })).await;
    assert_eq!(written["type"], "webhook");
    let shown = read(&client, &written).await;
    assert_eq!(
        [
            &shown["type"],
            &shown["payload"],
            &shown["idempotencyKey"],
            &shown["updatedAt"],
            &shown["deletedAt"]
        ],
        [&json!("webhook"), &json!({}), &Value::Null, &Value::Null, &Value::Null]
    );
}

#[tokio::test]
async fn an_account_is_found_by_its_id_or_by_any_spelling_of_its_domain() {
    let app = TestApp::start().await;
    let client = app.client();
    let account = accounts::make(&client, "acme.com").await;
    for of in [
        json!({ "accountId": account["accountId"] }),
        json!({ "domain": "acme.com" }),
        json!({ "domain": "mail.ACME.com" }),
        json!({ "accountId": account["accountId"], "domain": "acme.com" }),
    ] {
        let mut body = json!({ "source": "crm" });
        body.as_object_mut().unwrap().extend(of.as_object().unwrap().clone());
        assert_eq!(write(&client, &body).await["accountId"], account["accountId"], "{of}");
    }
    assert_eq!(client.get("/v0/accounts").await.expect(200).json()["totalCount"], 1);
    // A name fills a blank only.
    for name in ["Acme", "Globex"] {
        write(&client, &json!({ "domain": "acme.com", "name": name, "source": "crm" })).await;
        assert_eq!(client.get(&accounts::address(&account)).await.json()["name"], "Acme");
    }
}

#[tokio::test]
async fn bad_input_is_refused_and_nothing_is_written() {
    let app = TestApp::start().await;
    let client = app.client();
    let first = note(&client, "acme.com", "first").await;
    let before = counted(&app, &first).await;
    let deep = (0..64).fold(json!({}), |inner, _| json!({ "a": inner }));
    for (change, code, path) in [
        (json!({ "domain": null }), "", "domain"),
        (json!({ "domain": "gmail.com" }), "invalid_value", "domain"),
        (json!({ "domain": "co.uk" }), "invalid_value", "domain"),
        (json!({ "domain": "acme" }), "", "domain"),
        (json!({ "accountId": "account_00000000000000000000000000" }), "unknown_reference", "accountId"),
        (json!({ "accountId": "acme" }), "", "accountId"),
        (json!({ "accountId": "" }), "", "accountId"),
        (json!({ "source": null }), "", "source"),
        (json!({ "source": "Hub Spot" }), "", "source"),
        (json!({ "source": "" }), "", "source"),
        (json!({ "source": "-crm" }), "", "source"),
        (json!({ "type": "deal_won" }), "", "type"),
        (json!({ "type": "Deal" }), "", "type"),
        (json!({ "type": null }), "", "type"),
        (json!({ "payload": [] }), "", "payload"),
        (json!({ "payload": "x" }), "", "payload"),
        (json!({ "payload": null }), "", "payload"),
        (json!({ "idempotencyKey": "" }), "", "idempotencyKey"),
        (json!({ "idempotencyKey": "k".repeat(256) }), "", "idempotencyKey"),
        (json!({ "name": "" }), "", "name"),
        (json!({ "createdAt": "2026-03-01T12:00:00Z" }), "unrecognized_key", "createdAt"),
    ] {
        let mut body = json!({ "domain": "globex.com", "source": "crm" });
        body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let issues = client.post("/v0/account_logs", &body).await.issues();
        assert!(!issues.is_empty() && issues.iter().all(|(_, at)| at == path), "{change}: {issues:?}");
        assert!(code.is_empty() || issues[0].0 == code, "{change}: {issues:?}");
    }
    let neither = client.post("/v0/account_logs", &json!({ "source": "crm" })).await.issues();
    assert_eq!(neither, [("required".to_owned(), String::new())]);
    let long = json!({ "domain": "globex.com", "source": "crm", "payload": { "a": "x".repeat(1_048_576) } });
    client.post("/v0/account_logs", &long).await.expect(413);
    let deep = json!({ "domain": "globex.com", "source": "crm", "payload": deep });
    client.post("/v0/account_logs", &deep).await.expect(400);
    let twice = br#"{"domain":"globex.com","source":"crm","payload":{"a":1,"a":2}}"#.to_vec();
    client.send("POST", "/v0/account_logs", Some(twice)).await.expect(400);
    assert_eq!(counted(&app, &first).await, before);
}

#[tokio::test]
async fn a_payload_comes_back_exactly_as_it_was_sent() {
    let app = TestApp::start().await;
    let client = app.client();
    for payload in [
        r#"{"z":1.00,"a":1e2,"m":-0.0,"big":123456789012345678901234567890,"text":"é\u0001\"/"}"#,
        r#"{"":{"b":[],"a":{}},"null":null,"t":true}"#,
        r#"{"rtl":"مرحبا","emoji":"👩‍👩‍👧","html":"<script>&</script>"}"#,
    ] {
        let body = format!(r#"{{"domain":"acme.com","source":"crm","payload":{payload}}}"#);
        let written =
            client.send("POST", "/v0/account_logs", Some(body.into_bytes())).await.expect(201).json();
        let activity = format!("/v0/accounts/{}/activity", written["accountId"].as_str().unwrap());
        for path in [address(&written), entries(&written), activity] {
            let shown = client.get(&path).await.expect(200).text();
            assert!(shown.contains(&format!(r#""payload":{payload}"#)), "{path}: {shown}");
        }
    }
}

#[tokio::test]
async fn the_same_entry_under_its_key_is_written_once() {
    let app = TestApp::start().await;
    let client = app.client();
    let body = json!({ "domain": "acme.com", "source": "crm", "idempotencyKey": "once", "payload": { "a": 1, "b": 2 } });
    let first = client.post("/v0/account_logs", &body).await.expect(201);
    app.advance(Duration::from_secs(100_000));
    app.run_due_work().await;
    // As long as the log, whatever the white space and the order of names, and deleted or not.
    let same = br#"{"payload":{ "b":2, "a":1 },"type":"webhook","idempotencyKey":"once","source":"crm","domain":"ACME.com"}"#;
    let again = client.send("POST", "/v0/account_logs", Some(same.to_vec())).await.expect(201);
    assert_eq!(again.json(), first.json());
    client.delete(&address(&first.json())).await.expect(200);
    assert_eq!(client.post("/v0/account_logs", &body).await.expect(201).json(), first.json());
    assert_eq!(counted(&app, &first.json()).await, (json!(1), json!(0)));
    for change in [
        json!({ "source": "form" }),
        json!({ "type": "note" }),
        json!({ "payload": { "a": 1 } }),
        json!({ "domain": "globex.com" }),
        json!({ "name": "Acme" }),
        json!({ "accountId": first.json()["accountId"] }),
    ] {
        let mut other = body.clone();
        other.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let answer = client.post("/v0/account_logs", &other).await.expect(409);
        assert_eq!(answer.json()["code"], "CONFLICT", "{change}");
    }
    assert_eq!(counted(&app, &first.json()).await, (json!(1), json!(0)));
    // Another kind of log has keys of its own.
    let person = json!({ "email": "ada@acme.com", "source": "crm", "idempotencyKey": "once" });
    client.post("/v0/person_logs", &person).await.expect(201);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_entry_sent_by_many_at_once_is_written_once() {
    let app = TestApp::start().await;
    let body = json!({ "domain": "acme.com", "source": "crm", "idempotencyKey": "once" });
    let mut running = JoinSet::new();
    for _ in 0..30 {
        let (client, body) = (app.client(), body.clone());
        running.spawn(async move { client.post("/v0/account_logs", &body).await.expect(201).json() });
    }
    let answers = running.join_all().await;
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
    assert_eq!(counted(&app, &answers[0]).await, (json!(1), json!(1)));
}
