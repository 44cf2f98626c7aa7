//! `/v0/tenant_domains`: domains of tenants' own, looked at in a name server of the test's own.

use std::time::Duration;

use pagesmith_testkit::{Client, TestApp};
use serde_json::{Value, json};

mod bad_input;
mod checks;
mod links;
mod visited;

const DOMAINS: &str = "/v0/tenant_domains";

/// Adds a domain; its answer.
pub(crate) async fn add(client: &Client, domain: &str) -> Value {
    client.post(DOMAINS, &json!({ "domain": domain })).await.expect(201).json()
}

fn at(domain: &Value) -> String {
    format!("{DOMAINS}/{}", domain["tenantDomainId"].as_str().unwrap())
}

/// Puts the record of ownership into the DNS.
fn prove(app: &TestApp, added: &Value) {
    let record = &added["records"][0];
    app.names.txt(record["name"].as_str().unwrap(), record["value"].as_str().unwrap());
}

/// Puts both records into the DNS.
fn point_here(app: &TestApp, added: &Value) {
    prove(app, added);
    let record = &added["records"][1];
    app.names.cname(record["name"].as_str().unwrap(), record["value"].as_str().unwrap());
}

async fn verify(client: &Client, domain: &Value) -> Value {
    client.post(&format!("{}/verify", at(domain)), &json!({})).await.expect(200).json()
}

/// A domain that leads here.
pub(crate) async fn active(app: &TestApp, client: &Client, name: &str) -> Value {
    let added = add(client, name).await;
    point_here(app, &added);
    let domain = verify(client, &added).await;
    assert_eq!(domain["verificationStatus"], "active");
    domain
}

/// The codes of what is wrong.
async fn problems(client: &Client, domain: &Value) -> Vec<String> {
    let dns = client.get(&format!("{}/dns", at(domain))).await.expect(200).json();
    let code = |problem: &Value| problem["code"].as_str().unwrap().to_owned();
    dns["problems"].as_array().unwrap().iter().map(code).collect()
}

#[tokio::test]
async fn a_domain_is_added_listed_and_removed() {
    let app = TestApp::start().await;
    let client = app.client();
    let added = add(&client, " Go.ACME.Example. ").await;
    let id = added["tenantDomainId"].as_str().unwrap();
    let token = added["records"][0]["value"].as_str().unwrap();
    assert!(token.starts_with("pagesmith-domain-verification=") && token.len() == 62, "{token}");
    let domain = json!({
        "tenantDomainId": id, "domain": "go.acme.example", "verified": false,
        "verificationStatus": "pending_verification", "isDefault": false,
        "createdAt": "2026-03-01T12:00:00.000Z", "updatedAt": "2026-03-01T12:00:00.000Z",
    });
    let records = json!([
        { "purpose": "ownership", "type": "TXT", "name": "_pagesmith-challenge.go.acme.example", "value": token },
        { "purpose": "address", "type": "CNAME", "name": "go.acme.example", "value": "acme.localhost" },
    ]);
    let mut expected = domain.clone();
    expected["records"] = records.clone();
    assert_eq!(added, expected);
    assert_eq!(client.get(&at(&added)).await.expect(200).json(), domain);
    assert_eq!(
        client.get(&format!("{}/dns", at(&added))).await.expect(200).json(),
        json!({
            "tenantDomainId": id, "domain": "go.acme.example", "verificationStatus": "pending_verification",
            "records": records, "seen": null, "problems": [], "lastLookAt": null,
            "nextLookAt": "2026-03-01T12:01:00.000Z", "looksEndAt": "2026-03-08T12:00:00.000Z",
            "certificate": null,
        })
    );
    let second = add(&client, "www.acme.example").await;
    let list = client.get(&format!("{DOMAINS}?limit=1")).await.expect(200).json();
    assert_eq!((&list["totalCount"], &list["items"][0]["domain"]), (&json!(2), &json!("www.acme.example")));
    let next = format!("{DOMAINS}?limit=1&cursor={}", list["nextCursor"].as_str().unwrap());
    assert_eq!(client.get(&next).await.expect(200).json()["items"], json!([domain]));
    client.delete(&at(&second)).await.expect(200);
    client.get(&at(&second)).await.expect(404);
    client.delete(&at(&second)).await.expect(404);
    let again = add(&client, "www.acme.example").await;
    assert_ne!(again["records"][0]["value"], second["records"][0]["value"]);
}

#[tokio::test]
async fn changes_honour_if_match() {
    let app = TestApp::start().await;
    let client = app.client();
    let domain = active(&app, &client, "go.acme.example").await;
    let tag = client.get(&at(&domain)).await.expect(200).header("etag").unwrap().to_owned();
    let careful = client.with("if-match", &tag);
    let changed = careful.patch(&at(&domain), &json!({ "isDefault": true })).await.expect(200).json();
    assert_eq!(changed["isDefault"], true);
    careful.patch(&at(&domain), &json!({ "isDefault": false })).await.expect(412);
    careful.delete(&at(&domain)).await.expect(412);
    assert_eq!(client.patch(&at(&domain), &json!({})).await.expect(200).json(), changed);
    client.delete(&at(&domain)).await.expect(200);
}

#[tokio::test]
async fn one_domain_at_most_is_the_default() {
    let app = TestApp::start().await;
    let client = app.client();
    let (one, two) =
        (active(&app, &client, "one.acme.example").await, active(&app, &client, "two.acme.example").await);
    let pending = add(&client, "three.acme.example").await;
    let default = json!({ "isDefault": true });
    let defaults = async || {
        let list = client.get(DOMAINS).await.expect(200).json();
        let is_default = |domain: &&Value| domain["isDefault"] == true;
        let name = |domain: &Value| domain["domain"].as_str().unwrap().to_owned();
        list["items"].as_array().unwrap().iter().filter(is_default).map(name).collect::<Vec<_>>()
    };
    let refused = client.patch(&at(&pending), &default).await.expect(409).json();
    assert_eq!(refused["details"], json!({ "reason": "not_verified" }));
    for (domain, name) in [(&one, "one.acme.example"), (&two, "two.acme.example"), (&one, "one.acme.example")]
    {
        client.patch(&at(domain), &default).await.expect(200);
        assert_eq!(defaults().await, [name]);
    }
    client.patch(&at(&one), &json!({ "isDefault": false })).await.expect(200);
    assert_eq!(defaults().await, [""; 0]);
    client.patch(&at(&two), &default).await.expect(200);
    client.delete(&at(&two)).await.expect(200);
    assert_eq!(defaults().await, [""; 0]);
}

#[tokio::test]
async fn what_becomes_of_a_domain_is_in_the_audit() {
    let app = TestApp::start().await;
    let client = app.client();
    let domain = active(&app, &client, "go.acme.example").await;
    let lost = active(&app, &client, "lost.acme.example").await;
    client.delete(&at(&domain)).await.expect(200);
    app.names.clear("_pagesmith-challenge.lost.acme.example");
    for _ in 0..2 {
        app.advance(Duration::from_hours(73));
        app.run_due_work().await;
    }
    let audit = client.get("/v0/audit").await.expect(200).json();
    let entries: Vec<(&str, &str, &str)> = audit["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| {
            let text = |field: &str| entry[field].as_str().unwrap();
            (text("action"), text("subject"), text("actor"))
        })
        .filter(|(action, ..)| action.starts_with("domain-"))
        .collect();
    let id = |domain: &Value| domain["tenantDomainId"].as_str().unwrap().to_owned();
    let (domain, lost) = (id(&domain), id(&lost));
    let seen: Vec<(&str, &str)> = entries.iter().map(|(action, subject, _)| (*action, *subject)).collect();
    assert_eq!(
        seen,
        [
            ("domain-lost", lost.as_str()),
            ("domain-removed", domain.as_str()),
            ("domain-verified", lost.as_str()),
            ("domain-verified", domain.as_str()),
        ]
    );
    assert!(entries[1].2.starts_with("key_") && !entries[0].2.starts_with("key_"), "{entries:?}");
}
