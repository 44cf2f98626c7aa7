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

/// Where the form with a file on a screen is sent to.
async fn action(browser: &mut Browser, path: &str) -> String {
    let screen = browser.open(path).await.expect(200).text();
    let form = screen.split("<form").find(|form| form.contains("multipart/form-data")).unwrap();
    let action = form.split_once("action=\"").unwrap().1.split_once('"').unwrap().0;
    action.replace("&amp;", "&")
}

#[tokio::test]
async fn the_same_form_with_a_file_makes_one_thing_and_another_file_makes_another() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let topics = app.client().get("/v0/topics").await.expect(200).json();
    let topic = topics["items"][0]["topicId"].as_str().unwrap().to_owned();
    let entries = format!("/v0/topics/{topic}/entries");
    for (path, list, file) in [
        (format!("knowledge/{topic}/file"), entries.as_str(), "Our ovens are old."),
        ("persons/imports/new".to_owned(), "/v0/person_imports", "email\nada@example.com\n"),
    ] {
        let form = action(&mut browser, &format!("/console/t/acme/{path}")).await;
        assert!(form.contains("?form-key="), "{form}");
        let (files, made) = (count(&app, "/v0/files").await, count(&app, list).await);
        let first = browser.send_file(&form, "one.csv", file).await.expect(303);
        let again = browser.send_file(&form, "one.csv", file).await.expect(303);
        assert_eq!(first.header("location"), again.header("location"));
        assert_eq!(
            (count(&app, "/v0/files").await, count(&app, list).await),
            (files + 1, made + 1),
            "{path}"
        );
        // Whoever goes back and chooses another file means another one.
        browser.send_file(&form, "one.csv", &file.replace('a', "e")).await.expect(303);
        browser.send_file(&form, "two.csv", file).await.expect(303);
        assert_eq!(
            (count(&app, "/v0/files").await, count(&app, list).await),
            (files + 3, made + 3),
            "{path}"
        );
        let another = action(&mut browser, &format!("/console/t/acme/{path}")).await;
        browser.send_file(&another, "one.csv", file).await.expect(303);
        assert_eq!(count(&app, list).await, made + 4, "{path}");
    }
}

#[tokio::test]
async fn a_file_that_was_refused_is_refused_again() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    for (path, name, file) in [
        ("persons/imports/new", "wide.csv", format!("Email{}\n", ",a".repeat(120))),
        ("assets/new", "notes.txt", "no picture".to_owned()),
    ] {
        let form = action(&mut browser, &format!("/console/t/acme/{path}")).await;
        browser.send_file(&form, name, &file).await.expect(400);
        let again = browser.send_file(&form, name, &file).await.expect(400).text();
        assert!(again.contains("This file was removed. Choose it again."), "{again}");
        assert_eq!(count(&app, "/v0/files").await, 0, "{path}");
    }
}

#[tokio::test]
async fn the_same_list_of_persons_makes_one_audience_each() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let page = crate::audiences::page(&app.client()).await;
    let path = format!("/console/t/acme{}/audiences/new/file", page.trim_start_matches("/v0"));
    let form = action(&mut browser, &path).await;
    for _ in 0..2 {
        browser.send_file(&form, "list.csv", "email\nada@example.com\ngrace@example.com\n").await.expect(303);
        assert_eq!(count(&app, &format!("{page}/audiences")).await, 2);
        assert_eq!(count(&app, "/v0/files").await, 0);
    }
}

/// The link that a screen shows once.
fn shown_link(screen: &str, kind: &str) -> String {
    let from = screen.find(&format!("/console/{kind}")).unwrap_or_else(|| panic!("{screen}"));
    screen[from..].split('<').next().unwrap().to_owned()
}

#[tokio::test]
async fn an_invitation_a_share_and_a_tenant_are_made_once_and_their_link_is_the_same() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let page = crate::audiences::page(&app.client()).await;
    let shares = format!("/console/t/acme/visits{}/shares", page.trim_start_matches("/v0/pages"));
    let operator = "/console/operator/tenants";
    for (screen, form, action, values, link, ends) in [
        (
            "/console/t/acme/settings",
            "invite",
            "/console/t/acme/settings/invite",
            &[("email", "ada@example.com")][..],
            "invitation",
            "action=\"/console/t/acme/settings/revoke\"",
        ),
        (
            &shares,
            "share",
            &shares,
            &[("name", "Board"), ("password", "a long password")],
            "shared",
            "/end\"",
        ),
        (
            "/console/operator/tenants/new",
            "tenant",
            "/console/operator/tenants/new",
            &[("name", "Globex"), ("slug", "")],
            "invitation",
            "/tenants/tenant_",
        ),
    ] {
        let list = if link == "invitation" && form == "tenant" { operator } else { screen };
        let before = browser.open(list).await.expect(200).text().matches(ends).count();
        let sent = filled(&mut browser, screen, form, values).await;
        assert!(sent.iter().any(|(name, _)| name == "form-key"), "{screen}");
        let first = browser.send_fields(action, &sent).await.expect(200).text();
        let made = browser.open(list).await.expect(200).text().matches(ends).count();
        assert!(made > before, "{screen}");
        let again = browser.send_fields(action, &sent).await.expect(200).text();
        assert_eq!(shown_link(&first, link), shown_link(&again, link), "{screen}");
        assert_eq!(browser.open(list).await.expect(200).text().matches(ends).count(), made, "{screen}");
        // Another drawing of the form, and the same form with something else in it, are others.
        let another = filled(&mut browser, screen, form, values).await;
        let other = if form == "tenant" { with(another, "name", "Initech") } else { another };
        let other = if form == "invite" { with(other, "email", "") } else { other };
        let other = browser.send_fields(action, &other).await.expect(200).text();
        assert_ne!(shown_link(&first, link), shown_link(&other, link), "{screen}");
        let changed = match form {
            "invite" => with(sent, "email", "grace@example.com"),
            "share" => with(sent, "password", "another password"),
            _ => with(sent, "name", "Hooli"),
        };
        let changed = browser.send_fields(action, &changed).await.expect(200).text();
        assert_ne!(shown_link(&first, link), shown_link(&changed, link), "{screen}");
    }
}
