//! Logos and icons of brands that are assets of the tenant.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use pagesmith_testkit::{Client, TestApp};
use serde_json::{Value, json};

use super::shown::{published, shown};
use super::{create, path};
use crate::site::visitor;

/// The asset of a picture that is so wide.
pub(crate) async fn asset(client: &Client, kind: &str, width: u32) -> Value {
    let image = RgbImage::from_fn(width, width / 4, |x, y| Rgb([(x % 200) as u8, (y % 100) as u8, 180]));
    let mut bytes = Vec::new();
    DynamicImage::ImageRgb8(image).write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png).unwrap();
    let file = client.upload(&format!("{kind}.png"), &bytes).await.expect(201).json();
    let body = json!({ "assetType": kind, "name": kind, "fileId": file["fileId"] });
    client.post("/v0/assets", &body).await.expect(201).json()
}

fn at(asset: &Value) -> String {
    format!("/v0/assets/{}", asset["assetId"].as_str().unwrap())
}

/// What is between two texts.
fn between<'a>(html: &'a str, start: &str, end: &str) -> Option<&'a str> {
    Some(html.split_once(start)?.1.split_once(end)?.0)
}

/// The path of an address on the tenant's site.
fn on_site(url: &str) -> &str {
    url.strip_prefix("http://acme.localhost:8080").unwrap()
}

#[tokio::test]
async fn an_asset_is_shown_as_logo_and_icon_in_a_small_form_unless_it_is_in_the_trash() {
    let app = TestApp::start().await;
    let client = app.client();
    let (logo, icon) = (asset(&client, "logo", 900).await, asset(&client, "icon", 700).await);
    let look = json!({
        "logo": { "assetId": logo["assetId"], "altText": "Acme's logo" }, "iconAssetId": icon["assetId"],
    });
    let brand =
        create(&client, &json!({ "name": "A", "siteName": "Acme", "isDefault": true, "look": look })).await;
    assert_eq!(brand["look"], look);
    published(&app, json!({})).await;
    let site = visitor(&app, "acme.localhost");
    let tag = |html: &str| between(html, "<header class=\"top\">", "</header>").map(str::to_owned).unwrap();
    // Until the variants are made, the originals.
    let html = shown(&site).await;
    assert!(tag(&html).contains("alt=\"Acme's logo\""), "{html}");
    let source = |html: &str| between(&tag(html), "<img src=\"", "\"").map(str::to_owned);
    let original = source(&html).unwrap();
    assert_eq!(site.get(on_site(&original)).await.expect(200).header("content-type"), Some("image/png"));
    app.make_variants().await;
    let html = shown(&site).await;
    let small = source(&html).unwrap();
    let address = between(&html, "<link rel=\"icon\" href=\"", "\"").unwrap().to_owned();
    for url in [&small, &address] {
        assert!(url.contains("/320w-"), "{url}");
        let answer = site.get(on_site(url)).await.expect(200);
        assert_eq!(answer.header("content-type"), Some("image/webp"));
    }
    assert_ne!(small, address);
    let redirected = site.get("/favicon.ico").await.expect(302);
    assert_eq!(redirected.header("location"), Some(address.as_str()));
    // In the trash, they are gone: the name stands for the logo, its first letter for the icon.
    for asset in [&logo, &icon] {
        client.delete(&at(asset)).await.expect(200);
    }
    let html = shown(&site).await;
    assert_eq!(source(&html), None);
    assert!(tag(&html).contains("<span dir=\"auto\">Acme</span>"), "{html}");
    assert!(html.contains("<link rel=\"icon\" type=\"image/svg+xml\" href=\"data:"), "{html}");
    site.get("/favicon.ico").await.expect(200);
    assert_eq!(client.get(&path(&brand)).await.expect(200).json()["look"], look);
    for asset in [&logo, &icon] {
        client.post(&format!("{}/restore", at(asset)), &json!({})).await.expect(200);
    }
    assert_eq!(source(&shown(&site).await), Some(small));
}

#[tokio::test]
async fn what_is_no_picture_of_the_tenant_is_refused_at_its_place() {
    let app = TestApp::start().await;
    let client = app.client();
    let brand = create(&client, &json!({ "name": "Acme" })).await;
    let (logo, theirs) = (asset(&client, "logo", 40).await, asset(&app.stranger().await, "logo", 40).await);
    let video = json!({ "assetType": "video", "name": "V", "youtubeUrl": "https://www.youtube.com/watch?v=dQw4w9WgXcQ" });
    let video = client.post("/v0/assets", &video).await.expect(201).json();
    let trashed = asset(&client, "icon", 44).await;
    client.delete(&at(&trashed)).await.expect(200);
    let unknown = |place: &str| ("unknown_reference".to_owned(), place.to_owned());
    for asset in [&theirs, &video, &trashed, &json!({ "assetId": "asset_1" })] {
        let id = &asset["assetId"];
        let look = json!({ "logo": { "assetId": id }, "iconAssetId": id });
        let issues = client.patch(&path(&brand), &json!({ "look": look })).await.issues();
        assert_eq!(issues, ["look.logo.assetId", "look.iconAssetId"].map(unknown), "{asset}");
        let body = json!({ "brand": { "iconAssetId": id } }).to_string().into_bytes();
        let issues = client.send("PUT", "/v0/site", Some(body)).await.issues();
        assert_eq!(issues, [unknown("brand.iconAssetId")], "{asset}");
    }
    let (id, url) = (&logo["assetId"], "https://example.com/l.png");
    for (look, code, place) in [
        (json!({ "logo": { "assetId": id, "url": url } }), "invalid_value", "look.logo.assetId"),
        (json!({ "logo": { "altText": "A" } }), "required", "look.logo.url"),
        (json!({ "iconAssetId": id, "iconUrl": url }), "invalid_value", "look.iconAssetId"),
    ] {
        let issues = client.patch(&path(&brand), &json!({ "look": look })).await.issues();
        assert_eq!(issues, [(code.to_owned(), place.to_owned())], "{look}");
    }
    assert_eq!(client.get(&path(&brand)).await.expect(200).json(), brand);
}
