//! Forms that are being built, as visitors will see them.

use std::time::Duration;

use pagesmith_model::user::Role;
use pagesmith_testkit::TestApp;
use serde_json::json;

use super::browser::{Browser, fields, with};

const HOST: &str = "acme.localhost:8080";

/// A form; its id.
async fn form(app: &TestApp) -> String {
    let form = json!({
        "name": "Demo", "title": "Ask for a <b>demo</b>", "instructions": "We call back.", "submitLabel": "Book it",
        "fields": [
            { "kind": "email", "label": "Your address", "key": "mail", "required": true },
            { "kind": "choice", "label": "Size", "key": "size", "options": ["Small", "Large"] },
            { "kind": "hidden", "label": "Campaign", "key": "campaign", "value": "spring" },
        ],
    });
    let made = app.client().post("/v0/forms", &form).await.expect(201).json();
    made["formId"].as_str().unwrap().to_owned()
}

/// The path of the frame on a screen.
fn framed(screen: &str) -> String {
    let address = screen.split_once("<iframe src=\"").unwrap().1.split_once('"').unwrap().0;
    address.strip_prefix(&format!("http://{HOST}")).unwrap().replace("&amp;", "&")
}

#[tokio::test]
async fn a_saved_form_is_seen_in_the_look_of_the_site_and_cannot_be_sent() {
    let app = TestApp::start().await;
    let client = app.client();
    let brand = json!({ "name": "Acme", "isDefault": true, "look": { "accentColor": "#7a1fa2" } });
    client.post("/v0/brands", &brand).await.expect(201);
    let id = form(&app).await;
    let mut owner = Browser::owner(&app).await;
    let path = format!("/console/t/acme/forms/{id}");
    let screen = owner.open(&path).await.expect(200);
    let policy = screen.header("content-security-policy").unwrap().to_owned();
    assert!(policy.contains(&format!("frame-src http://{HOST}")), "{policy}");
    let frame = framed(&screen.text());
    let visitor = client.with("host", HOST);
    let shown = visitor.get(&frame).await.expect(200);
    let policy = shown.header("content-security-policy").unwrap().to_owned();
    assert!(policy.contains("frame-ancestors http"), "{policy}");
    assert_eq!(shown.header("cache-control"), Some("no-store"));
    assert!(shown.header("x-robots-tag").unwrap().contains("noindex"));
    let shown = shown.text();
    for part in [
        "Ask for a &lt;b&gt;demo",
        "We call back.",
        "Your address",
        "Small",
        "Book it",
        "disabled",
        "#7a1fa2",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert!(!shown.contains("spring") && !shown.contains("ps.page"), "{shown}");
    // Whoever reads the console may see it; it says what is the console's in the reader's language.
    let mut viewer = Browser::with_role(&app, Role::Viewer).await;
    viewer.send("/console/t/acme/account", &[("name", "Vera"), ("language", "de")]).await.expect(303);
    let german = framed(&viewer.open(&path).await.expect(200).text());
    assert!(visitor.get(&german).await.expect(200).text().contains("lang=\"de\""));
    // It ends, is one tenant's, and goes with the form.
    for changed in [frame.replace(&id, &id.replace("form_0", "form_1")), frame.replace("/form/", "/form/x/")]
    {
        visitor.get(&changed).await.expect(404);
    }
    app.add_tenant("globex").await;
    client.with("host", "globex.localhost:8080").get(&frame).await.expect(404);
    client.delete(&format!("/v0/forms/{id}")).await.expect(200);
    visitor.get(&frame).await.expect(404);
    client.post(&format!("/v0/forms/{id}/restore"), &json!({})).await.expect(200);
    visitor.get(&frame).await.expect(200);
    app.advance(Duration::from_secs(2 * 3600));
    visitor.get(&frame).await.expect(410);
}

#[tokio::test]
async fn what_is_not_saved_is_sketched() {
    let app = TestApp::start().await;
    let id = form(&app).await;
    let mut owner = Browser::owner(&app).await;
    let path = format!("/console/t/acme/forms/{id}");
    let screen = owner.open(&path).await.expect(200).text();
    let before = framed(&screen);
    let sent = with(fields(&screen, "form"), "title", "Ask us anything");
    let shown = owner
        .send_fields(&format!("{path}/edit"), &with(sent.clone(), "do", "show"))
        .await
        .expect(200)
        .text();
    assert!(!shown.contains("<iframe") && shown.contains("<h3 dir=\"auto\">Ask us anything"), "{shown}");
    app.advance(Duration::from_secs(1));
    owner.send_fields(&format!("{path}/edit"), &sent).await.expect(303);
    let after = framed(&owner.open(&path).await.expect(200).text());
    assert_ne!(before, after, "the frame is loaded anew");
    let visitor = app.client().with("host", HOST);
    assert!(visitor.get(&after).await.expect(200).text().contains("Ask us anything"));
    let new = owner.open("/console/t/acme/forms/new").await.expect(200).text();
    assert!(!new.contains("<iframe"), "{new}");
}
