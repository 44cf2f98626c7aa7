//! What others have written, in every field that takes text, for the tests that look whether it stays text.

use pagesmith_operations::tenants::{self, TenantChange};
use pagesmith_testkit::receiver::Script;
use pagesmith_testkit::samples::forms::shown;
use pagesmith_testkit::samples::owned::Owned;
use pagesmith_testkit::samples::questions;
use pagesmith_testkit::samples::visits::{BROWSER, report};
use pagesmith_testkit::{Client, Receiver, TestApp};
use pagesmith_worker::person_imports;
use serde_json::{Value, json};

use super::browser::Browser;

/// What would run if it were not escaped, in a text as well as in an attribute.
pub const EVIL: &str = "\"><script>alert(1)</script>";
/// The same as the name of a file, which has no slash.
const EVIL_FILE: &str = "\"><script>alert(1).csv";
/// The smallest GIF.
const PICTURE: &[u8] =
    b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,\
    \x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;";

/// What else has to be opened than what is owned: parameters of paths, and ids.
pub type Others = Vec<(&'static str, String)>;

fn id(made: &Value, name: &str) -> String {
    made[name].as_str().unwrap().to_owned()
}

/// Writes it into everything that takes text.
pub async fn everywhere(app: &TestApp, owner: &mut Browser, owned: &Owned) -> Others {
    let client = app.client();
    of_pages(&client, owned).await;
    of_content(app, &client, owned).await;
    of_settings(app, &client, owner).await;
    let mut others = of_lists(app, &client, owned).await;
    others.extend(of_files(app, &client, owned).await);
    others.extend(of_visitors(app, &client, owned).await);
    others.extend(of_receivers(app, &client).await);
    others
}

/// Pages, audiences and what is around their content.
async fn of_pages(client: &Client, owned: &Owned) {
    let metadata = json!({ "title": EVIL, "description": EVIL, "keywords": [EVIL], "author": EVIL, "ogTitle": EVIL,
        "ogDescription": EVIL, "ogSiteName": EVIL, "ogImageAlt": EVIL, "twitterTitle": EVIL, "twitterDescription": EVIL,
        "twitterSite": EVIL, "twitterCreator": EVIL });
    let audience = json!({ "customName": EVIL, "supplementaryContext": EVIL, "metadataOverride": metadata,
        "actionFormInstructionsOverride": EVIL });
    let links = json!([
        { "type": "link", "text": EVIL, "url": "https://example.com/" },
        { "type": "group", "title": EVIL, "links": [{ "text": EVIL, "url": "/blog" }] },
    ]);
    let actions = json!([
        { "actionId": "contact", "actionType": "form", "purpose": EVIL, "buttonTitle": EVIL, "formId": owned.id("{form_id}"),
          "formInstructions": EVIL },
        { "actionId": "copy", "actionType": "copy-text", "purpose": EVIL, "buttonTitle": EVIL, "copyText": EVIL },
    ]);
    let picture = json!({ "altText": EVIL, "url": "https://example.com/logo.svg" });
    let page = json!({ "name": EVIL, "pageContext": EVIL, "metadata": metadata, "actions": actions,
        "navLinks": links, "footerLinks": [{ "title": EVIL, "links": [{ "text": EVIL, "url": "/imprint" }] }],
        "scripts": [{ "name": EVIL, "content": EVIL, "description": EVIL }],
        "actionCardWidgets": [{ "type": "marquee", "title": EVIL, "logos": [{ "image": picture }] }] });
    let block = json!({ "name": EVIL, "links": links });
    let look = json!({ "logo": picture });
    let brand = json!({ "name": EVIL, "siteName": EVIL, "look": look, "legalLinks": [{ "text": EVIL, "url": "https://example.com/" }],
        "voice": { "wordsToUse": [EVIL], "wordsToAvoid": [format!("never {EVIL}")] } });
    let field =
        |kind: &str| json!({ "key": format!("say_{kind}"), "kind": kind, "label": EVIL, "help": EVIL });
    let (text, mut choice, mut hidden) = (field("text"), field("choice"), field("hidden"));
    choice["options"] = json!([EVIL, "Plain"]);
    hidden["value"] = json!(EVIL);
    let form = json!({ "name": EVIL, "title": EVIL, "instructions": EVIL, "submitLabel": EVIL, "fields": [text, choice, hidden],
        "afterSubmission": { "message": EVIL } });
    for (path, change) in [
        ("/v0/pages/{page_id}", &page),
        ("/v0/pages/{page_id}/audiences/{audience_id}", &audience),
        ("/v0/brands/{brand_id}", &brand),
        ("/v0/topics/{topic_id}", &json!({ "title": EVIL })),
        ("/v0/assets/{asset_id}", &json!({ "name": EVIL, "purpose": EVIL, "tags": [EVIL] })),
        ("/v0/accounts/{account_id}", &json!({ "name": EVIL })),
        ("/v0/persons/{person_id}", &json!({ "name": EVIL })),
        ("/v0/page_link_blocks/{page_link_block_id}", &block),
        ("/v0/forms/{form_id}", &form),
    ] {
        let body = Some(change.to_string().into_bytes());
        client.send("PATCH", &owned.fill(path), body).await.expect(200);
    }
}

/// What is said about a page, and the blocks of its newest version.
async fn of_content(app: &TestApp, client: &Client, owned: &Owned) {
    let audience = owned.fill("/v0/pages/{page_id}/audiences/{audience_id}");
    client.post(&format!("{audience}/messages"), &json!({ "message": EVIL })).await;
    app.carry_messages_out().await;
    let versions = client.get(&format!("{audience}/versions")).await.expect(200).json();
    for version in versions["items"].as_array().unwrap() {
        let content = json!({ "blocks": [
            { "type": "hero", "blockId": "hero", "title": EVIL, "subtitle": EVIL },
            { "type": "text", "blockId": "why", "title": EVIL, "markdown": EVIL },
            { "type": "frame-list", "blockId": "faq", "title": EVIL, "frames": [{ "title": EVIL, "markdown": EVIL }] },
        ] });
        let path = format!("{audience}/versions/{}/content", id(version, "versionId"));
        // Which of them can be written to depends on what became of the message.
        client.send("PUT", &path, Some(content.to_string().into_bytes())).await;
    }
    let versions = client.get(&format!("{audience}/versions")).await.expect(200).text();
    assert!(versions.contains("versionId"), "{versions}");
}

/// The site, the agent, the tenant itself and its user.
async fn of_settings(app: &TestApp, client: &Client, owner: &mut Browser) {
    for (path, settings) in [
        ("/v0/site", json!({ "siteName": EVIL })),
        (
            "/v0/agent",
            json!({ "own": { "kind": "openai", "model": EVIL, "apiKey": "secret", "baseUrl": "https://models.example/v1" } }),
        ),
    ] {
        client.send("PUT", path, Some(settings.to_string().into_bytes())).await.expect(200);
    }
    let ctx = app.platform.context();
    let change = TenantChange { name: Some(EVIL.to_owned()), default_region: None };
    app.store.write(move |tx| tenants::update(tx, &ctx, "acme", &change)).await.unwrap();
    app.refresh().await;
    owner.send("/console/t/acme/account", &[("name", EVIL), ("language", "")]).await.expect(303);
    // A session notes its browser once a minute.
    app.advance(std::time::Duration::from_mins(2));
    owner.open_with("/console/t/acme", &[("user-agent", EVIL)]).await.expect(200);
    let tenant = [("name", EVIL), ("slug", "written"), ("region", ""), ("email", "")];
    owner.send("/console/operator/tenants/new", &tenant).await;
}

/// Entries of lists.
async fn of_lists(app: &TestApp, client: &Client, owned: &Owned) -> Others {
    let content = json!({ "content": { "type": "text", "content": EVIL } });
    let entry = client.post(&owned.fill("/v0/topics/{topic_id}/entries"), &content).await.expect(201).json();
    let key = client.post("/v0/keys", &json!({ "name": EVIL, "scope": "read" })).await.expect(201).json();
    let log = json!({ "domain": format!("owned-{}.com", owned.number), "source": "crm", "type": "note",
        "payload": { "text": EVIL } });
    client.post("/v0/account_logs", &log).await.expect(201);
    let person = client.get(&owned.fill("/v0/persons/{person_id}")).await.expect(200).json();
    let log =
        json!({ "email": person["email"], "source": "crm", "type": "note", "payload": { "text": EVIL } });
    client.post("/v0/person_logs", &log).await.expect(201);
    app.run_due_work().await;
    vec![("{topic_entry_id}", id(&entry, "topicEntryId")), ("{key_id}", id(&key["key"], "keyId"))]
}

/// Names of files, and what is in those that are imported.
async fn of_files(app: &TestApp, client: &Client, owned: &Owned) -> Others {
    let picture = client.upload("\"><script>alert(1).gif", PICTURE).await.expect(201).json();
    let asset = json!({ "assetType": "image", "name": EVIL, "fileId": picture["fileId"] });
    let asset = client.post("/v0/assets", &asset).await.expect(201).json();
    let text = client.upload("\"><script>alert(1).txt", EVIL.as_bytes()).await.expect(201).json();
    let entry = json!({ "content": { "type": "file", "fileId": text["fileId"], "aiSummary": EVIL } });
    client.post(&owned.fill("/v0/topics/{topic_id}/entries"), &entry).await.expect(201);
    let table = format!(
        "Name,E-mail,<script>alert(1)</script>\nAda,<script>alert(1)</script>,{}\n",
        "<script>alert(1)</script>"
    );
    let file = client.upload(EVIL_FILE, table.as_bytes()).await.expect(201).json();
    let import =
        client.post("/v0/person_imports", &json!({ "fileId": file["fileId"] })).await.expect(201).json();
    let import = id(&import, "personImportId");
    client.post(&format!("/v0/person_imports/{import}/check"), &json!({})).await.expect(200);
    person_imports::drain(&app.tools()).await.unwrap();
    let checked = client.get(&format!("/v0/person_imports/{import}")).await.expect(200).json();
    assert_eq!((&checked["status"], &checked["refused"]), (&json!("checked"), &json!(1)), "{checked}");
    vec![("{asset_id}", id(&asset, "assetId")), ("{person_import_id}", import)]
}

/// What visitors send: forms, questions, and where they come from.
async fn of_visitors(app: &TestApp, client: &Client, owned: &Owned) -> Others {
    let page = shown(client, owned.id("{form_id}")).await;
    // First of all, since a visit keeps where it came from at first.
    let view = "0123456789abcdef0123456789abcdef";
    let mut report = report(view, &page.page, &page.audience);
    let campaign: String = url::form_urlencoded::byte_serialize(EVIL.as_bytes()).collect();
    report["l"] =
        json!(format!("/forms?utm_source={campaign}&utm_medium={campaign}&utm_campaign={campaign}"));
    let visitor = client.with("host", &page.host).with("user-agent", BROWSER);
    visitor.post("/.pagesmith/v", &report).await.expect(204);
    page.send(&page.visitor(client), &[("say_text", EVIL)]).await.expect(303);
    let sent: Value = client.get("/v0/form_submissions?limit=1").await.expect(200).json();
    let settings = json!({ "isShown": true, "heading": EVIL, "actionId": null }).to_string().into_bytes();
    client
        .send("PUT", &format!("/v0/pages/{}/question_settings", page.page), Some(settings))
        .await
        .expect(200);
    let visitor = questions::visitor(client, &page.host);
    let question = questions::asked(&page.page, &page.audience, &format!("Is there a {EVIL} in Leeds?"));
    visitor.send("POST", "/.pagesmith/q", Some(question)).await.expect(200);
    app.run_due_work().await;
    let seen = client.get(&format!("/v0/pages/{}/audience_sessions", page.page)).await.expect(200).json();
    assert_eq!(seen["items"][0]["utmCampaign"], EVIL, "{seen}");
    vec![
        ("{submission_id}", id(&sent["items"][0], "submissionId")),
        ("{page_id}", page.page.clone()),
        ("{audience_id}", page.audience.clone()),
        ("{audience_session_id}", id(&seen["items"][0], "audienceSessionId")),
    ]
}

/// What the receiver of a webhook answers.
async fn of_receivers(app: &TestApp, client: &Client) -> Others {
    let receiver = Receiver::start().await;
    let answer = Script { body: EVIL.to_owned(), ..Script::status(500).with("content-type", EVIL) };
    receiver.answer([answer]);
    let url = format!("{}&say=%22%3E%3Cscript%3Ealert(1)", receiver.url());
    let hook = client.post("/v0/webhook_subscriptions", &json!({ "url": url })).await.expect(201).json();
    let hook = id(&hook, "subscriptionId");
    client.post(&format!("/v0/webhook_subscriptions/{hook}/test"), &json!({})).await.expect(201);
    app.deliver().await;
    let sent = client.get(&format!("/v0/webhook_subscriptions/{hook}/deliveries")).await.expect(200).json();
    vec![("{subscription_id}", hook), ("{delivery_id}", id(&sent["items"][0], "deliveryId"))]
}
