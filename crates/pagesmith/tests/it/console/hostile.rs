//! What others have written, what others own, and forms of other sites, for every row of the list.

use pagesmith_console::screens::rows;
use pagesmith_testkit::samples::forms::shown;
use pagesmith_testkit::samples::owned::Owned;
use pagesmith_testkit::{Client, TestApp};
use serde_json::{Value, json};

use super::browser::Browser;
use super::walking::{address_of, ends};

/// What would run if it were not escaped, in a text as well as in an attribute.
const EVIL: &str = "\"><script>alert(1)</script>";

/// Writes it into everything that takes text; returns what else has to be opened: the id of a submission, of a person and of a key.
async fn write_everywhere(app: &TestApp, client: &Client, owned: &Owned) -> Vec<(&'static str, String)> {
    let metadata = json!({ "title": EVIL, "description": EVIL, "keywords": [EVIL] });
    let audience = json!({ "customName": EVIL, "supplementaryContext": EVIL, "metadataOverride": metadata,
        "actionFormInstructionsOverride": EVIL });
    let field = json!({ "key": "say", "kind": "text", "label": EVIL });
    let links = json!([{ "type": "link", "text": EVIL, "url": "https://example.com/" }]);
    let action = json!({ "actionId": "contact", "actionType": "form", "purpose": EVIL, "buttonTitle": EVIL,
        "formId": owned.id("{form_id}") });
    let page = json!({ "name": EVIL, "pageContext": EVIL, "metadata": metadata, "actions": [action],
        "navLinks": links });
    for (path, change) in [
        ("/v0/pages/{page_id}", &page),
        ("/v0/pages/{page_id}/audiences/{audience_id}", &audience),
        ("/v0/brands/{brand_id}", &json!({ "name": EVIL, "siteName": EVIL })),
        ("/v0/topics/{topic_id}", &json!({ "title": EVIL })),
        ("/v0/assets/{asset_id}", &json!({ "name": EVIL, "purpose": EVIL, "tags": [EVIL] })),
        ("/v0/accounts/{account_id}", &json!({ "name": EVIL })),
        ("/v0/persons/{person_id}", &json!({ "name": EVIL })),
        ("/v0/page_link_blocks/{page_link_block_id}", &json!({ "name": EVIL, "links": links })),
        (
            "/v0/forms/{form_id}",
            &json!({ "name": EVIL, "title": EVIL, "instructions": EVIL, "submitLabel": EVIL, "fields": [field] }),
        ),
    ] {
        let body = Some(change.to_string().into_bytes());
        client.send("PATCH", &owned.fill(path), body).await.expect(200);
    }
    let content = json!({ "content": { "type": "text", "content": EVIL } });
    let entry = client.post(&owned.fill("/v0/topics/{topic_id}/entries"), &content).await.expect(201).json();
    let key = client.post("/v0/keys", &json!({ "name": EVIL, "scope": "read" })).await.expect(201).json();
    let log = json!({ "domain": format!("owned-{}.com", owned.number), "source": "crm", "type": "note",
        "payload": { "text": EVIL } });
    client.post("/v0/account_logs", &log).await;
    let person = client.get(&owned.fill("/v0/persons/{person_id}")).await.expect(200).json();
    let log =
        json!({ "email": person["email"], "source": "crm", "type": "note", "payload": { "text": EVIL } });
    client.post("/v0/person_logs", &log).await.expect(201);
    let said = json!({ "message": EVIL });
    client.post(&owned.fill("/v0/pages/{page_id}/audiences/{audience_id}/messages"), &said).await;
    let page = shown(client, owned.id("{form_id}")).await;
    page.send(&page.visitor(client), &[("say", EVIL)]).await.expect(303);
    let sent: Value = client.get("/v0/form_submissions?limit=1").await.expect(200).json();
    app.run_due_work().await;
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    vec![
        ("{submission_id}", text(&sent["items"][0]["submissionId"])),
        ("{topic_entry_id}", text(&entry["topicEntryId"])),
        ("{key_id}", text(&key["key"]["keyId"])),
    ]
}

#[tokio::test]
async fn what_others_have_written_is_text_on_every_screen() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let client = app.client();
    let owned = Owned::make(&client, 0).await;
    let written = write_everywhere(&app, &client, &owned).await;
    browser.send("/console/t/acme/account", &[("name", EVIL), ("language", "")]).await.expect(303);
    let shares = format!("/console/t/acme/visits/{}/shares", owned.id("{page_id}"));
    browser.send(&shares, &[("name", EVIL), ("days", "30"), ("password", "")]).await.expect(200);
    let mut escaped = 0;
    for row in rows().iter().filter(|row| row.method == "GET" && ends(row)) {
        let path = address_of(row, "acme", &owned);
        let put = |path: String, (parameter, id): &(&str, String)| path.replace(owned.id(parameter), id);
        let of_written = written.iter().fold(path.clone(), put);
        for path in [path.clone(), of_written, format!("{path}?q=%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E")]
        {
            let answer = browser.open(&path).await;
            assert!(!answer.status.is_server_error(), "{path}: {}", answer.text());
            if !answer.header("content-type").is_some_and(|kind| kind.starts_with("text/html")) {
                continue;
            }
            let text = answer.text();
            assert!(!text.contains("<script>alert"), "{path}: {text}");
            escaped += usize::from(text.contains("&lt;script&gt;alert(1)"));
        }
    }
    // It stands on most of them.
    assert!(escaped > 60, "{escaped}");
}

#[tokio::test]
async fn what_another_tenant_owns_does_not_exist_by_any_row() {
    let app = TestApp::start().await;
    let stranger = app.stranger().await;
    let theirs = Owned::make(&stranger, 0).await;
    let before = theirs.everything(&stranger).await;
    let mut browser = Browser::owner(&app).await;
    for row in rows().iter().filter(|row| row.path.contains("_id}")) {
        let address = address_of(row, "acme", &theirs);
        if row.method == "GET" {
            browser.open(&address).await.expect(404);
            continue;
        }
        let status = browser.send(&address, &[]).await.status;
        // A form that lacks a field may be refused before anybody looks for what it is about.
        assert!(status == 404 || status == 400, "{address}: {status}");
    }
    assert_eq!(theirs.everything(&stranger).await, before);
}

#[tokio::test]
async fn a_form_of_another_site_is_refused_by_every_row() {
    let app = TestApp::start().await;
    let client = app.client();
    let owned = Owned::make(&client, 0).await;
    let mut browser = Browser::owner(&app).await;
    let before = owned.everything(&client).await;
    for row in rows().iter().filter(|row| row.method == "POST") {
        let address = address_of(row, "acme", &owned);
        for headers in [
            &[("sec-fetch-site", "cross-site"), ("origin", "http://127.0.0.1:8080")][..],
            &[("sec-fetch-site", "same-site")],
            &[("origin", "https://evil.example")],
            &[("origin", "null")],
            &[],
        ] {
            let refused = browser.send_with(&address, &[], headers).await.expect(403).text();
            assert!(refused.contains("This was not sent by the console"), "{address}: {refused}");
        }
    }
    assert_eq!(owned.everything(&client).await, before);
    // By the origin alone a browser without the header is let in.
    let own = [("origin", "http://127.0.0.1:8080")];
    browser.send_with("/console/t/acme/persons/new", &[("name", "Ada")], &own).await.expect(303);
}
