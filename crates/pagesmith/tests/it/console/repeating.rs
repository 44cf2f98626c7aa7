//! A form that is sent twice does once what it says.

use pagesmith_testkit::TestApp;
use serde_json::Value;

use super::browser::{Browser, fields, with};

async fn count(app: &TestApp, list: &str) -> u64 {
    let found: Value = app.client().get(list).await.expect(200).json();
    found["totalCount"].as_u64().unwrap()
}

/// A form of a screen, filled in.
async fn filled(
    browser: &mut Browser,
    path: &str,
    form: &str,
    values: &[(&str, &str)],
) -> Vec<(String, String)> {
    let screen = browser.open(path).await.expect(200).text();
    let sent = fields(&screen, form);
    values.iter().fold(sent, |sent, (name, value)| with(sent, name, value))
}

#[tokio::test]
async fn the_same_form_makes_one_thing_and_two_forms_make_two() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    for (path, form, values, list) in [
        ("pages/new", "page", &[("name", "Spring"), ("pageContext", "We bake.")][..], "/v0/pages"),
        ("persons/new", "person", &[("name", "Ada Lovelace")], "/v0/persons"),
        ("knowledge/new", "topic", &[("title", "Ovens")], "/v0/topics"),
        ("webhooks/new", "webhook", &[("url", "https://example.com/hook")], "/v0/webhook_subscriptions"),
    ] {
        let path = format!("/console/t/acme/{path}");
        let made = count(&app, list).await + 1;
        let sent = filled(&mut browser, &path, form, values).await;
        assert!(sent.iter().any(|(name, _)| name == "form-key"), "{path}");
        let first = browser.send_fields(&path, &sent).await;
        assert!(!first.status.is_client_error() && !first.status.is_server_error(), "{}", first.text());
        assert_eq!(count(&app, list).await, made, "{path}");
        let again = browser.send_fields(&path, &sent).await;
        assert_eq!((again.status, again.header("location")), (first.status, first.header("location")));
        assert_eq!(count(&app, list).await, made, "{path}");
        let another = filled(&mut browser, &path, form, values).await;
        assert!(another != sent);
        browser.send_fields(&path, &another).await;
        assert_eq!(count(&app, list).await, made + 1, "{path}");
    }
    // Both pages have their one audience.
    let pages = app.client().get("/v0/pages").await.expect(200).json();
    for page in pages["items"].as_array().unwrap() {
        assert_eq!(page["audiencesCount"], 1);
    }
}

#[tokio::test]
async fn what_was_refused_can_be_mended_and_a_changed_form_is_another() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let path = "/console/t/acme/persons/new";
    let sent = filled(&mut browser, path, "person", &[("name", "Ada"), ("email", "no address")]).await;
    browser.send_fields(path, &sent).await.expect(400);
    browser.send_fields(path, &with(sent.clone(), "email", "ada@example.com")).await.expect(303);
    browser.send_fields(path, &with(sent, "email", "ada@example.org")).await.expect(303);
    assert_eq!(count(&app, "/v0/persons").await, 2);
    // A key that cannot be one is none.
    let no_key = [("name", "Grace"), ("form-key", "a b\r\n")];
    browser.send(path, &no_key).await.expect(303);
    browser.send(path, &no_key).await.expect(303);
    assert_eq!(count(&app, "/v0/persons").await, 4);
}

#[tokio::test]
async fn two_of_the_same_in_one_form_are_two() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let page = app.client().post("/v0/pages", &pagesmith_testkit::fixtures::page("Spring")).await.expect(201);
    let page = page.json()["pageId"].as_str().unwrap().to_owned();
    let path = format!("/console/t/acme/pages/{page}/audiences/new/notes");
    let sent =
        filled(&mut browser, &path, "audience", &[("audiences", "Heads of finance\n\nHeads of finance")])
            .await;
    for _ in 0..2 {
        browser.send_fields(&path, &sent).await.expect(303);
        assert_eq!(count(&app, &format!("/v0/pages/{page}/audiences")).await, 2);
    }
}
