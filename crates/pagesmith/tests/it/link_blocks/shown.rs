//! A page shows what its blocks have now.

use std::time::Duration;

use pagesmith_testkit::{Client, TestApp};
use serde_json::{Value, json};

use super::{entry, footer, group, id, list, make, navigation, page_path, page_with, path};
use crate::audiences::audience;

#[tokio::test]
async fn a_page_shows_the_links_of_its_blocks_over_its_own() {
    let app = TestApp::start().await;
    let client = app.client();
    let (nav, legal) = (make(&client, &navigation("Main")).await, make(&client, &footer("Legal")).await);
    let made = page_with(&client, "Spring", &nav, &legal).await;
    assert_eq!((&made["navLinks"], &made["footerLinks"]), (&nav["links"], &legal["links"]));
    assert_eq!(
        (&made["navLinkBlockId"], &made["footerLinkBlockId"]),
        (&nav["linkBlockId"], &legal["linkBlockId"])
    );
    let page = page_path(&made);
    assert_eq!(client.get(&page).await.expect(200).json(), made);
    // What a page is given of its own is kept, and shown when it has no block any more.
    let own = json!([entry("Own")]);
    let patched = client.patch(&page, &json!({ "navLinks": own })).await.expect(200).json();
    assert_eq!(patched["navLinks"], nav["links"]);
    let freed = client.patch(&page, &json!({ "navLinkBlockId": null })).await.expect(200).json();
    assert_eq!((&freed["navLinkBlockId"], &freed["navLinks"]), (&Value::Null, &own));
    assert_eq!(freed["footerLinks"], legal["links"]);
    let again = client.patch(&page, &json!({ "navLinkBlockId": id(&nav) })).await.expect(200).json();
    assert_eq!(again["navLinks"], nav["links"]);
}

#[tokio::test]
async fn a_changed_block_shows_in_every_answer_about_its_pages() {
    let app = TestApp::start().await;
    let client = app.client();
    let (nav, legal) = (make(&client, &navigation("Main")).await, make(&client, &footer("Legal")).await);
    let made = page_with(&client, "Spring", &nav, &legal).await;
    let page = page_path(&made);
    let tag = client.get(&page).await.expect(200).header("etag").unwrap().to_owned();
    client.patch(&path(&nav), &json!({ "links": [entry("Prices")] })).await.expect(200);
    client.patch(&path(&legal), &json!({ "links": [group("Rechtliches")] })).await.expect(200);
    let changed = client.with("if-none-match", &tag).get(&page).await.expect(200).json();
    assert_eq!(
        (&changed["navLinks"], &changed["footerLinks"]),
        (&json!([entry("Prices")]), &json!([group("Rechtliches")]))
    );
    assert_eq!(list(&client, "/v0/pages").await, [changed]);
    // Whoever saw the old links does not overwrite the page.
    client.with("if-match", &tag).patch(&page, &json!({ "name": "Lost" })).await.expect(412);
}

#[tokio::test]
async fn a_changed_block_shows_on_hosted_pages_at_once_and_within_a_second_elsewhere() {
    let app = TestApp::start().await;
    let client = app.client();
    let (nav, legal) = (make(&client, &navigation("Pricing")).await, make(&client, &footer("Legal")).await);
    let page = page_path(&page_with(&client, "Spring", &nav, &legal).await);
    audience(&client, &page, &json!({ "customName": "Plants" })).await;
    app.write_versions().await;
    let node = app.another_server();
    Client::new(node.clone(), Some(app.key.clone())).get("/v0/pages").await.expect(200);
    let [here, there] =
        [app.anonymous(), Client::new(node, None)].map(|client| client.with("host", "acme.localhost"));
    let shows = async |site: &Client, texts: [&str; 2]| {
        let html = site.get("/spring/plants").await.expect(200).text();
        texts.iter().all(|text| html.contains(text))
    };
    assert!(shows(&here, ["Pricing", "Legal"]).await);
    assert!(shows(&there, ["Pricing", "Legal"]).await);
    app.advance(Duration::from_millis(1));
    client.patch(&path(&nav), &json!({ "links": [entry("Fleet rates")] })).await.expect(200);
    assert!(shows(&here, ["Fleet rates", "Legal"]).await);
    client.patch(&path(&legal), &json!({ "links": [group("Small print")] })).await.expect(200);
    assert!(shows(&here, ["Fleet rates", "Small print"]).await);
    app.advance(Duration::from_secs(1));
    assert!(shows(&there, ["Fleet rates", "Small print"]).await);
    // After its block is gone, the page shows the same.
    client.delete(&path(&nav)).await.expect(200);
    assert!(shows(&here, ["Fleet rates", "Small print"]).await);
}

#[tokio::test]
async fn a_page_cannot_name_what_is_no_block_of_its_tenant_for_that_place() {
    let app = TestApp::start().await;
    let client = app.client();
    let (nav, legal) = (make(&client, &navigation("Main")).await, make(&client, &footer("Legal")).await);
    let foreign = make(&app.stranger().await, &navigation("Theirs")).await;
    let gone = make(&client, &navigation("Gone")).await;
    client.delete(&path(&gone)).await.expect(200);
    let made = page_with(&client, "Spring", &nav, &legal).await;
    let page = page_path(&made);
    for (field, wrong) in [
        ("navLinkBlockId", id(&legal)),
        ("footerLinkBlockId", id(&nav)),
        ("navLinkBlockId", id(&foreign)),
        ("navLinkBlockId", id(&gone)),
        ("navLinkBlockId", ""),
        ("footerLinkBlockId", "page_01jpbz8n4xf5k9w2d7hq3mv6ta"),
    ] {
        let issues = client.patch(&page, &json!({ field: wrong })).await.expect(400).issues();
        assert_eq!(issues, [("unknown_reference".to_owned(), field.to_owned())], "{wrong}");
    }
    assert_eq!(client.get(&page).await.expect(200).json(), made);
}
