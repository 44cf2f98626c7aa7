//! A form changes what it shows and keeps everything else.

use pagesmith_testkit::{TestApp, fixtures};
use serde_json::json;

use super::browser::{Browser, fields, with};
use crate::brands::pictures::asset;

const SANS: &[u8] = include_bytes!("../../../../fonts/samples/sans-variable.woff2");

/// The hidden field with the state that a form shows.
fn etag(screen: &str) -> String {
    let value = screen.split("name=\"etag\" value=\"").nth(1).unwrap();
    value.split("\">").next().unwrap().replace("&quot;", "\"")
}

#[tokio::test]
async fn a_brand_keeps_its_fonts_and_pictures_when_its_colours_are_changed() {
    let app = TestApp::start().await;
    let client = app.client();
    let file = client.upload("sans.woff2", SANS).await.expect(201).json();
    let asset = asset(&client, "logo", 300).await;
    let look = json!({
        "primaryColor": "#0b4f6c", "bodyFontFiles": [{ "fileId": file["fileId"] }],
        "logo": { "assetId": asset["assetId"], "altText": "Acme" }, "iconAssetId": asset["assetId"],
    });
    let brand = client.post("/v0/brands", &json!({ "name": "Acme", "look": look })).await.expect(201).json();
    let path = format!("/console/t/acme/brands/{}", brand["brandId"].as_str().unwrap());
    let mut browser = Browser::owner(&app).await;
    let form = browser.open(&path).await.expect(200).text();
    let etag = etag(&form);
    let fields = [
        ("etag", etag.as_str()),
        ("name", "Acme"),
        ("look.primaryColor", "#123456"),
        ("look.logo.altText", "Acme"),
    ];
    browser.send(&format!("{path}/edit"), &fields).await.expect(303);
    let changed =
        client.get(&format!("/v0/brands/{}", brand["brandId"].as_str().unwrap())).await.expect(200).json();
    let mut expected = look;
    expected["primaryColor"] = json!("#123456");
    assert_eq!(changed["look"], expected);
}

#[tokio::test]
async fn a_page_keeps_its_pictures_and_the_rest_of_its_head_when_its_title_is_changed() {
    let app = TestApp::start().await;
    let client = app.client();
    let picture = asset(&client, "image", 300).await["data"]["fileId"].clone();
    let mut body = fixtures::page("Spring");
    body["metadata"] = json!({
        "title": "Old", "description": "Said.", "author": "Ida",
        "ogImage": { "type": "file", "fileId": picture },
    });
    let page = client.post("/v0/pages", &body).await.expect(201).json();
    let page_id = page["pageId"].as_str().unwrap();
    let path = format!("/console/t/acme/pages/{page_id}/edit/metadata");
    let mut browser = Browser::owner(&app).await;
    let form = browser.open(&path).await.expect(200).text();
    assert!(form.contains("In search results") && form.contains("<img class=\"picture\""), "{form}");
    let sent = with(with(fields(&form, "page"), "metadata.title", "New"), "metadata.description", "");
    browser.send_fields(&path, &sent).await.expect(303);
    let changed = client.get(&format!("/v0/pages/{page_id}")).await.expect(200).json();
    let metadata = &changed["metadata"];
    assert_eq!((&metadata["title"], &metadata["author"]), (&json!("New"), &json!("Ida")));
    assert!(metadata["description"].is_null(), "it was emptied: {metadata}");
    assert_eq!(metadata["ogImageFileId"], picture);
}
