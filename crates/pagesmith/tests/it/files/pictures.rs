//! Pictures that the metadata of pages and audiences names: answered and shown with their addresses as long as they are there.

use pagesmith_testkit::{TestApp, fixtures};
use serde_json::{Value, json};

use super::{PNG, id, path, upload};
use crate::audiences::{audience, page_of};
use crate::site::visitor;

/// Metadata with this Open Graph picture.
fn picture(file: &str) -> Value {
    json!({ "ogImage": { "type": "file", "fileId": file } })
}

/// A page with that metadata.
fn page_with(metadata: Value) -> Value {
    let mut page = fixtures::page("Spring");
    page["metadata"] = metadata;
    page
}

/// The path of an address on the site of the tenant `acme`.
fn path_of(url: &Value) -> String {
    let (_, rest) = url.as_str().unwrap().split_once("://acme.").unwrap();
    rest[rest.find('/').unwrap()..].to_owned()
}

#[tokio::test]
async fn a_page_tells_the_address_of_its_picture_until_the_file_is_deleted() {
    let app = TestApp::start().await;
    let client = app.client();
    let (one, two) = (upload(&client, "one.png", PNG).await, upload(&client, "two.png", PNG).await);
    let mut metadata = picture(id(&one));
    metadata["twitterImage"] = json!({ "type": "file", "fileId": id(&two) });
    let page = client.post("/v0/pages", &page_with(metadata)).await.expect(201).json();
    let of = format!("/v0/pages/{}", page["pageId"].as_str().unwrap());
    let addresses = [&page["metadata"]["ogImageUrl"], &page["metadata"]["twitterImageUrl"]];
    assert_ne!(addresses[0], addresses[1]);
    for address in addresses {
        let shown = visitor(&app, "acme.localhost").get(&path_of(address)).await.expect(200);
        assert_eq!(&shown.bytes[..], PNG);
    }
    // What is kept, lists and changes say the same.
    for _ in 0..2 {
        let answer = client.get(&of).await.expect(200);
        assert_eq!(answer.json(), page);
        assert_eq!(client.get("/v0/pages").await.expect(200).json()["items"][0], page);
        let tag = answer.header("etag").unwrap().to_owned();
        let changed = client.with("if-match", &tag).patch(&of, &json!({})).await.expect(200).json();
        assert_eq!(changed, page);
    }
    let tag = client.get(&of).await.expect(200).header("etag").unwrap().to_owned();
    client.delete(&path(&one)).await.expect(200);
    let later = client.get(&of).await.expect(200).json();
    assert_eq!(later["metadata"]["ogImageFileId"], one["fileId"]);
    assert_eq!(later["metadata"].get("ogImageUrl"), None);
    assert_eq!(later["metadata"]["twitterImageUrl"], page["metadata"]["twitterImageUrl"]);
    assert_eq!(client.get("/v0/pages").await.expect(200).json()["items"][0], later);
    client.with("if-match", &tag).patch(&of, &json!({})).await.expect(412);
}

#[tokio::test]
async fn what_is_no_picture_of_the_tenant_is_stored_as_sent_and_has_no_address() {
    let app = TestApp::start().await;
    let client = app.client();
    let text = upload(&client, "a.txt", b"text").await;
    let foreign = upload(&app.stranger().await, "a.png", PNG).await;
    for file in ["", "a", "file_", "file_01jpbz8n4xf5k9w2d7hq3mv6ta", "'); --", id(&text), id(&foreign)] {
        let page = client.post("/v0/pages", &page_with(picture(file))).await;
        let page = page.expect(201).json();
        assert_eq!(page["metadata"], json!({ "ogImageFileId": file }));
    }
}

#[tokio::test]
async fn an_audience_tells_the_address_of_its_own_picture_and_of_its_pages() {
    let app = TestApp::start().await;
    let client = app.client();
    let (one, two) = (upload(&client, "one.png", PNG).await, upload(&client, "two.png", PNG).await);
    let page = page_of(&client, &page_with(picture(id(&one)))).await;
    let plain = audience(&client, &page, &json!({ "publishBehavior": "publish" })).await;
    let own = json!({ "publishBehavior": "draft", "metadataOverride": picture(id(&two)) });
    let own = audience(&client, &page, &own).await;
    app.write_versions().await;
    let list = plain.rsplit_once('/').unwrap().0;
    let read = async |at: &str| {
        let audience = client.get(at).await.expect(200).json();
        let listed = client.get(list).await.expect(200).json();
        assert!(listed["items"].as_array().unwrap().contains(&audience), "{listed}");
        audience
    };
    let (of_page, of_own) = (read(&plain).await, read(&own).await);
    let of_page = of_page["effectiveMetadata"]["ogImageUrl"].clone();
    assert_eq!(of_own["metadataOverride"], of_own["effectiveMetadata"]);
    assert_ne!(of_own["effectiveMetadata"]["ogImageUrl"], of_page);
    let site = visitor(&app, "acme.localhost");
    let tag = format!("<meta property=\"og:image\" content=\"{}\">", of_page.as_str().unwrap());
    for _ in 0..2 {
        let html = site.get("/spring").await.expect(200).text();
        assert!(html.contains(&tag), "{tag} is not in {html}");
    }
    for file in [&one, &two] {
        client.delete(&path(file)).await.expect(200);
    }
    assert!(!site.get("/spring").await.expect(200).text().contains("og:image\""));
    for at in [&plain, &own] {
        assert_eq!(read(at).await["effectiveMetadata"].get("ogImageUrl"), None);
    }
    let tag = client.get(&own).await.expect(200).header("etag").unwrap().to_owned();
    client.with("if-match", &tag).patch(&own, &json!({ "customName": "Own" })).await.expect(200);
}
