//! `GET /v0/pages/{page_id}`.

use pagesmith_testkit::TestApp;

use super::{address, make_named, read};

#[tokio::test]
async fn a_page_that_is_not_there_is_not_found() {
    let app = TestApp::start().await;
    make_named(&app.client(), "Page").await;
    for id in [
        "page_01h2xcejqtf2nbrexx3vqjhp41",
        "page_",
        "1",
        "tenant_01h2xcejqtf2nbrexx3vqjhp41",
        "%20",
        "%00",
        "%F0%9F%9A%80",
    ] {
        app.client().get(&format!("/v0/pages/{id}")).await.expect(404);
    }
}

#[tokio::test]
async fn an_archived_page_is_still_readable() {
    let app = TestApp::start().await;
    let made = make_named(&app.client(), "Page").await;
    let archived =
        app.client().send("POST", &format!("{}/archive", address(&made)), None).await.expect(200).json();
    assert_eq!(read(&app.client(), &made).await, archived);
}

#[tokio::test]
async fn reading_changes_nothing() {
    let app = TestApp::start().await;
    let made = make_named(&app.client(), "Page").await;
    app.advance(std::time::Duration::from_secs(60));
    assert_eq!(read(&app.client(), &made).await, made);
    assert_eq!(read(&app.client(), &made).await, made);
}
