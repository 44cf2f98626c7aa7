//! `POST /v0/pages`.

use pagesmith_testkit::{TestApp, fixtures};

#[tokio::test]
async fn a_page_comes_back_as_it_was_made() {
    let app = TestApp::start().await;
    let made = app.client().post("/v0/pages", &fixtures::full_page()).await.expect(201).json();
    let page_id = made["pageId"].as_str().unwrap();
    let read = app.client().get(&format!("/v0/pages/{page_id}")).await.expect(200).json();
    assert_eq!(read, made);
    insta::assert_snapshot!(format!("{made:#}"));
}
