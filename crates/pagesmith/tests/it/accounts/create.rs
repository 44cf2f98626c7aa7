//! `POST /v0/accounts`.

use std::time::Duration;

use pagesmith_testkit::TestApp;
use serde_json::{Value, json};

use super::{domains, id, make, make_named, person, read};

#[tokio::test]
async fn an_account_is_answered_whole() {
    let app = TestApp::start().await;
    let made = make_named(&app.client(), "acme.com", "Acme").await;
    insta::assert_snapshot!(format!("{made:#}").replace(id(&made), "account_ID"));
    assert_eq!(read(&app.client(), &made).await, made);
}

#[tokio::test]
async fn every_spelling_of_a_domain_is_one_account() {
    let app = TestApp::start().await;
    let client = app.client();
    for (one, spellings) in [
        (
            "acme.com",
            vec![
                "acme.com",
                "ACME.com",
                "www.acme.com",
                "mail.eu.acme.com",
                " acme.com ",
                "https://acme.com/about?x=1",
                "acme.com.",
            ],
        ),
        ("acme.co.uk", vec!["acme.co.uk", "shop.acme.co.uk"]),
        (
            "xn--bcher-kva.de",
            vec!["bücher.de", "BÜCHER.de", "xn--bcher-kva.de", "www.bücher.de", "laden.bücher.de"],
        ),
        ("acme.github.io", vec!["acme.github.io", "docs.acme.github.io"]),
    ] {
        let first = make(&client, spellings[0]).await;
        assert_eq!(first["domain"], one);
        for spelling in spellings {
            assert_eq!(make(&client, spelling).await, first, "{spelling}");
        }
    }
    let listed = client.get("/v0/accounts").await.expect(200).json();
    assert_eq!(domains(&listed), ["acme.github.io", "xn--bcher-kva.de", "acme.co.uk", "acme.com"]);
    assert_eq!(listed["totalCount"], 4);
}

#[tokio::test]
async fn a_name_fills_a_blank_only() {
    let app = TestApp::start().await;
    let client = app.client();
    let made = make(&client, "acme.com").await;
    assert_eq!(made["name"], Value::Null);
    app.advance(Duration::from_secs(1));
    let named = make_named(&client, "acme.com", "Acme").await;
    assert_eq!((id(&named), &named["name"]), (id(&made), &json!("Acme")));
    assert_eq!(named["createdAt"], made["createdAt"]);
    assert_ne!(named["updatedAt"], made["updatedAt"]);
    app.advance(Duration::from_secs(1));
    assert_eq!(make_named(&client, "acme.com", "Acme Incorporated").await, named);
    assert_eq!(make(&client, "acme.com").await, named);
    assert_eq!(read(&client, &named).await, named);
    // The name that filled the blank is found.
    let found = client.get("/v0/accounts/search?query=acme").await.expect(200).json();
    assert_eq!(found["items"][0]["name"], "Acme");
}

#[tokio::test]
async fn what_is_no_companys_own_domain_makes_no_account() {
    let app = TestApp::start().await;
    let client = app.client();
    for domain in [
        "com",
        "co.uk",
        "github.io",
        "gov.uk",
        "gmail.com",
        "GMAIL.com",
        "mail.yahoo.co.jp",
        "gmx.de",
        "www.outlook.com",
    ] {
        let log = json!({ "domain": domain, "source": "crm" });
        assert_eq!(client.post("/v0/account_logs", &log).await.issues()[0].1, "domain", "{domain}");
        let issues = client.post("/v0/accounts", &json!({ "domain": domain })).await.issues();
        assert_eq!(issues.len(), 1, "{domain}");
        assert_eq!(issues[0].1, "domain", "{domain}");
    }
    assert_eq!(client.get("/v0/accounts").await.expect(200).json()["totalCount"], 0);
}

#[tokio::test]
async fn bad_input_is_refused_and_nothing_is_written() {
    let app = TestApp::start().await;
    let client = app.client();
    let long = "a".repeat(256);
    for (body, path) in [
        (json!({}), "domain"),
        (json!({ "domain": null }), "domain"),
        (json!({ "domain": 7 }), "domain"),
        (json!({ "domain": "" }), "domain"),
        (json!({ "domain": "acme" }), "domain"),
        (json!({ "domain": "ac me.com" }), "domain"),
        (json!({ "domain": "a@acme.com" }), "domain"),
        (json!({ "domain": "ftp://acme.com" }), "domain"),
        (json!({ "domain": "127.0.0.1" }), "domain"),
        (json!({ "domain": "[::1]" }), "domain"),
        (json!({ "domain": format!("{long}.com") }), "domain"),
        (json!({ "domain": "a_b.com%00" }), "domain"),
        (json!({ "domain": "acme.com", "name": "" }), "name"),
        (json!({ "domain": "acme.com", "name": long }), "name"),
        (json!({ "domain": "acme.com", "name": "a\u{0}b" }), "name"),
        (json!({ "domain": "acme.com", "name": 1 }), "name"),
        (json!({ "domain": "acme.com", "isEmpty": true }), "isEmpty"),
        (json!({ "domain": "acme.com", "accountId": "x" }), "accountId"),
    ] {
        let issues = client.post("/v0/accounts", &body).await.issues();
        assert!(!issues.is_empty() && issues.iter().all(|(_, at)| at == path), "{body}: {issues:?}");
    }
    assert_eq!(client.get("/v0/accounts").await.expect(200).json()["totalCount"], 0);
    for domain in ["gmail.com", "%_'\"*.com"] {
        client.post("/v0/accounts", &json!({ "domain": domain })).await.expect(400);
    }
}

#[tokio::test]
async fn a_replay_of_a_creation_is_the_same_bytes() {
    let app = TestApp::start().await;
    let once = app.client().with("idempotency-key", "once");
    let body = json!({ "domain": "acme.com" });
    let first = once.post("/v0/accounts", &body).await.expect(200);
    app.client().post("/v0/accounts", &json!({ "domain": "acme.com", "name": "Acme" })).await.expect(200);
    let again = once.post("/v0/accounts", &body).await.expect(200);
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(again.bytes, first.bytes);
    once.post("/v0/accounts", &json!({ "domain": "globex.com" })).await.expect(409);
}

#[tokio::test]
async fn the_account_of_a_person_is_the_one_that_is_created() {
    let app = TestApp::start().await;
    let client = app.client();
    let ada = person(&client, "Ada", "ada@mail.acme.com").await;
    let account = make_named(&client, "acme.com", "Acme").await;
    assert_eq!(account["linkedPersons"][0]["personId"], ada["personId"]);
    assert_eq!(client.get("/v0/accounts").await.expect(200).json()["totalCount"], 1);
}
