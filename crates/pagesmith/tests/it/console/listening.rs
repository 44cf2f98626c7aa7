//! Streams of events that screens listen to end with the session, and with the role.

use std::time::Duration;

use axum::body::Body;
use http_body_util::BodyExt;
use pagesmith_model::user::Role;
use pagesmith_operations::users::{find_by_name, memberships, set_operator};
use pagesmith_testkit::TestApp;
use tokio::time::timeout;

use super::browser::{Browser, events_of};
use super::making::make;

/// How soon a stream must have ended that its listener may not hear any more.
const SOON: Duration = Duration::from_secs(10);

/// The events of a version that waits: its stream tells that, and then nothing.
async fn waiting(app: &TestApp, owner: &mut Browser) -> String {
    let (_, audience) = make(owner).await;
    let versions = format!("/v0{}/versions", audience.strip_prefix("/console/t/acme").unwrap());
    let versions = app.client().get(&versions).await.expect(200).json();
    format!("{audience}/versions/{}/events", versions["items"][0]["versionId"].as_str().unwrap())
}

async fn begun(browser: &Browser, app: &TestApp, path: &str) -> Body {
    let mut events = browser.listen(app, path).await;
    let first = events.frame().await.unwrap().unwrap().into_data().unwrap();
    assert!(first.starts_with(b"event: progress\n"));
    events
}

async fn ends_soon(events: Body) {
    let rest = timeout(SOON, events.collect()).await.unwrap().unwrap();
    assert_eq!(rest.to_bytes(), "");
}

#[tokio::test]
async fn a_stream_ends_soon_after_its_session() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let path = waiting(&app, &mut browser).await;
    let events = begun(&browser, &app, &path).await;
    browser.send("/console/sign-out", &[]).await.expect(303);
    ends_soon(events).await;
}

#[tokio::test]
async fn a_stream_ends_soon_after_the_role_of_its_listener_has_changed() {
    let app = TestApp::start().await;
    let mut owner = Browser::owner(&app).await;
    let path = waiting(&app, &mut owner).await;
    let editor = Browser::with_role(&app, Role::Editor).await;
    let (of_editor, of_owner) = (begun(&editor, &app, &path).await, begun(&owner, &app, &path).await);
    let context = app.platform.context().of(app.tenant.clone());
    let change = move |tx: &mut pagesmith_store::Tx<'_>| {
        let editor = find_by_name(tx, "editor@acme.example")?;
        memberships::change(tx, &context, &editor.user_id, Role::Viewer)
    };
    app.store.write(change).await.unwrap();
    ends_soon(of_editor).await;
    // Whose role is as it was hears more.
    app.write_versions().await;
    let rest = of_owner.collect().await.unwrap().to_bytes();
    assert!(String::from_utf8_lossy(&rest).contains("event: progress"));
}

#[tokio::test]
async fn a_stream_of_operators_ends_soon_after_its_listener_is_none() {
    let app = TestApp::start().await;
    let owner = Browser::owner(&app).await;
    let events = owner.listen(&app, "/console/operator/queues/events").await;
    let context = app.platform.context();
    let change = move |tx: &mut pagesmith_store::Tx<'_>| {
        let owner = find_by_name(tx, "olga@acme.example")?;
        set_operator(tx, &context, &owner.user_id, false)
    };
    app.store.write(change).await.unwrap();
    timeout(SOON, events.collect()).await.unwrap().unwrap();
}

#[tokio::test]
async fn a_screen_hears_of_what_happens_after_it_was_drawn_and_of_nothing_else() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let (_, audience) = make(&mut browser).await;
    app.write_versions().await;
    let screen = browser.open(&audience).await.expect(200).text();
    let mut events = browser.listen(&app, &events_of(&screen, "audience")).await;
    browser.send(&format!("{audience}/say"), &[("message", "Remove the questions")]).await.expect(303);
    let first = events.frame().await.unwrap().unwrap().into_data().unwrap();
    assert!(String::from_utf8_lossy(&first).contains("\"waiting\":1"), "{first:?}");
}
