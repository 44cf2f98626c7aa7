//! `/v0/forms`, and what visitors send with them.

mod bad_input;
mod enrichment;
mod export;
mod files;
mod sent;
mod spam;

use pagesmith_store::tables::events;
use pagesmith_store::{Extent, Tx};
use pagesmith_testkit::contract::event_problems;
use pagesmith_testkit::samples::forms::{ShownForm, shown};
use pagesmith_testkit::{Client, TestApp};
use serde_json::{Value, json};

/// A form that asks for a name, an e-mail address, a phone number, a text and agreement.
fn usual() -> Value {
    json!({
        "name": "Book a demo",
        "title": "See it run",
        "fields": [
            { "key": "name", "kind": "text", "label": "Name", "personField": "name" },
            { "key": "email", "kind": "email", "label": "Work e-mail", "required": true },
            { "key": "phone", "kind": "phone", "label": "Phone" },
            { "key": "text", "kind": "long-text", "label": "What is it about?" },
            { "key": "agree", "kind": "consent", "label": "You may call me about maps." },
        ],
        "afterSubmission": { "message": "We will call you." },
    })
}

/// A server with a page that shows the usual form to somebody.
struct Scene {
    app: TestApp,
    client: Client,
    form: String,
    shown: ShownForm,
    visitor: Client,
}

impl Scene {
    async fn start() -> Scene {
        let app = TestApp::with(|plan| plan.settings.allowed_networks = "127.0.0.0/8".parse().unwrap()).await;
        let client = app.client();
        let form = create(&client, &usual()).await["formId"].as_str().unwrap().to_owned();
        let shown = shown(&client, &form).await;
        let visitor = shown.visitor(&client);
        Scene { app, client, form, shown, visitor }
    }

    async fn submissions(&self, status: &str) -> Vec<Value> {
        let path = format!("/v0/forms/{}/submissions?status={status}", self.form);
        self.client.get(&path).await.expect(200).json()["items"].as_array().unwrap().clone()
    }

    async fn total(&self, status: &str) -> u64 {
        let path = format!("/v0/forms/{}/submissions?status={status}", self.form);
        self.client.get(&path).await.expect(200).json()["totalCount"].as_u64().unwrap()
    }

    /// The events of this type, newest first. Every event, as it is delivered, is one that the contract promises.
    async fn events(&self, kind: &str) -> Vec<Value> {
        let tenant = self.app.tenant.clone();
        let list =
            move |tx: &mut Tx<'_>| events::list(tx, &tenant, None, None, None, Extent::of_items(usize::MAX));
        for event in self.app.store.read(list).await.unwrap().items {
            let body: Value = serde_json::from_str(event.body.as_str()).unwrap();
            if event.kind.starts_with("form.") {
                assert_eq!(event_problems(&event.kind, &body), Vec::<String>::new(), "{body}");
            }
        }
        let events = self.client.get(&format!("/v0/events?live=true&type={kind}")).await.expect(200).json();
        events["items"].as_array().unwrap().clone()
    }
}

async fn create(client: &Client, body: &Value) -> Value {
    client.post("/v0/forms", body).await.expect(201).json()
}

#[tokio::test]
async fn a_form_is_answered_as_it_was_given_changed_deleted_and_restored() {
    let app = TestApp::start().await;
    let client = app.client();
    let form = create(&client, &usual()).await;
    let path = format!("/v0/forms/{}", form["formId"].as_str().unwrap());
    assert_eq!((&form["title"], &form["spamFilter"]), (&json!("See it run"), &json!("standard")));
    assert_eq!((&form["fields"][1]["required"], &form["revision"]), (&json!(true), &json!(1)));
    assert_eq!(client.get(&path).await.expect(200).json(), form);
    let renamed = client.patch(&path, &json!({ "name": "Demo", "title": null })).await.expect(200).json();
    assert_eq!((&renamed["title"], &renamed["revision"]), (&Value::Null, &json!(1)));
    let fields = json!([{ "key": "a", "kind": "text", "label": "A" }]);
    let changed = client.patch(&path, &json!({ "fields": fields })).await.expect(200).json();
    assert_eq!(changed["revision"], 2);
    client.delete(&path).await.expect(200);
    client.delete(&path).await.expect(200);
    client.get(&path).await.expect(404);
    assert_eq!(client.get("/v0/forms").await.expect(200).json()["totalCount"], 0);
    client.post(&format!("{path}/restore"), &json!({})).await.expect(200);
    assert_eq!(client.get(&path).await.expect(200).json()["fields"], changed["fields"]);
    assert_eq!(client.get("/v0/forms").await.expect(200).json()["totalCount"], 1);
    app.stranger().await.get(&path).await.expect(404);
}

#[tokio::test]
async fn a_page_shows_the_form_that_its_action_names_and_a_contact_form_otherwise() {
    let scene = Scene::start().await;
    let link = scene.client.get(&format!("/v0/pages/{}/link", scene.shown.page)).await.expect(200).json();
    let path = format!("/{}", link["url"].as_str().unwrap().split('/').skip(3).collect::<Vec<_>>().join("/"));
    let html = scene.visitor.get(&path).await.expect(200).text();
    assert!(html.contains("See it run") && html.contains("You may call me about maps."), "{html}");
    assert!(html.contains("action=\"/.pagesmith/f\"") && html.contains(&scene.shown.audience), "{html}");
    scene.client.delete(&format!("/v0/forms/{}", scene.form)).await.expect(200);
    let html = scene.visitor.get(&path).await.expect(200).text();
    assert!(!html.contains("See it run") && html.contains("name=\"message\""), "{html}");
    // What is sent then is kept under the id that the action names.
    let values = [("name", "Ada"), ("email", "ada@example.com"), ("message", "Hello")];
    scene.shown.send(&scene.visitor, &values).await.expect(303);
    let all = scene.client.get("/v0/form_submissions").await.expect(200).json();
    assert_eq!((&all["items"][0]["formId"], &all["totalCount"]), (&json!(scene.form), &json!(1)));
    assert_eq!(scene.submissions("accepted").await[0]["input"]["message"], "Hello");
}
