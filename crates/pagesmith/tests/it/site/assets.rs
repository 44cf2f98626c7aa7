//! The assets that pages show: chosen when a page is written, looked up when it is shown.

use pagesmith_testkit::{Client, TestApp, fixtures};
use serde_json::{Value, json};

use super::visitor;
use crate::audiences::{audience, page_of};
use crate::files::PNG;

/// A page about anvils; its path.
async fn page(client: &Client) -> String {
    let mut body = fixtures::page("Anvils from Bergen");
    body["pageContext"] = "Acme makes anvils for smiths who work all day. Each anvil rings like a bell. The workshop in Bergen casts \
        every anvil by hand. Smiths in Norway and Sweden use them every day."
        .into();
    page_of(client, &body).await
}

async fn asset(client: &Client, kind: &str, name: &str, purpose: &str) -> Value {
    let file = client.upload(name, &[PNG, name.as_bytes()].concat()).await.expect(201).json();
    let body = json!({ "assetType": kind, "name": name, "purpose": purpose, "fileId": file["fileId"] });
    client.post("/v0/assets", &body).await.expect(201).json()
}

fn path(asset: &Value) -> String {
    format!("/v0/assets/{}", asset["assetId"].as_str().unwrap())
}

/// Writes the page for a new audience: the path of the version, its content, and the path at which visitors find it.
async fn written(app: &TestApp, client: &Client, page: &str) -> (String, Value, String) {
    let at = audience(client, page, &json!({})).await;
    app.write_versions().await;
    let latest = client.get(&at).await.expect(200).json()["latestVersion"]["versionId"].clone();
    let version = format!("{at}/versions/{}", latest.as_str().unwrap());
    let content = client.get(&format!("{version}/content")).await.expect(200).json();
    let link = client.get(&format!("{at}/link")).await.expect(200).json();
    (version, content, link["path"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn a_page_shows_what_fits_it_and_each_picture_once() {
    let app = TestApp::start().await;
    let (client, stranger) = (app.client(), app.stranger().await);
    let own = page(&client).await;
    let (_, alone, _) = written(&app, &client, &own).await;
    let workshop = asset(&client, "image", "The workshop in Bergen", "Shows where anvils are made").await;
    // The same bytes under another name are the same picture.
    let again = json!({ "assetType": "image", "name": "Anvils in the workshop in Bergen", "purpose": "Anvils",
        "fileId": workshop["data"]["fileId"] });
    client.post("/v0/assets", &again).await.expect(201);
    asset(&client, "image", "Our canteen at noon", "For the page about jobs").await;
    let hidden = asset(&client, "image", "Anvils for smiths in Bergen and Norway", "Anvils").await;
    client.patch(&path(&hidden), &json!({ "hidden": true })).await.expect(200);
    let trashed = asset(&client, "image", "Anvils for smiths in Sweden", "Anvils").await;
    client.delete(&path(&trashed)).await.expect(200);
    asset(&stranger, "image", "Anvils of a stranger in Bergen", "Anvils for smiths").await;
    for customer in ["Nordsmed", "Ironworks"] {
        asset(&client, "logo", customer, "Logo of a customer").await;
    }
    let video = json!({ "assetType": "video", "name": "How anvils are cast in Bergen", "youtubeUrl": "https://youtu.be/aqz-KE-bpKQ" });
    client.post("/v0/assets", &video).await.expect(201);

    let (_, content, shown) = written(&app, &client, &own).await;
    let text = content.to_string();
    assert_eq!(text.matches("\"assetId\"").count(), 3, "{content:#}");
    let hero = &content["blocks"][0]["image"];
    assert!(hero["altText"].as_str().unwrap().contains("workshop in Bergen"), "{content:#}");
    for name in ["Nordsmed", "Ironworks"] {
        assert!(text.contains(&format!("\"altText\":\"{name}\"")), "{name}: {content:#}");
    }
    assert!(
        text.contains("youtube.com/watch?v=aqz-KE-bpKQ") || text.contains("youtu.be/aqz-KE-bpKQ"),
        "{content:#}"
    );
    for other in ["canteen", "Norway and", "smiths in Sweden\"", "stranger"] {
        assert!(!content["blocks"][0].to_string().contains(other), "{other}: {content:#}");
    }
    let site = visitor(&app, "acme.localhost:8080");
    let html = site.get(&shown).await.expect(200).text();
    let addresses: Vec<&str> =
        html.split("src=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let files: Vec<&&str> = addresses.iter().filter(|address| address.contains("/files/")).collect();
    assert_eq!(files.len(), 3, "{html}");
    for address in files {
        let file = address.strip_prefix("http://acme.localhost:8080").unwrap();
        let answer = site.get(file).await.expect(200);
        assert_eq!(answer.header("content-type"), Some("image/png"));
        assert_eq!(answer.header("cache-control"), Some("public, max-age=31536000, immutable"));
    }
    // The words are those of the page without pictures.
    assert_eq!(content["blocks"][0]["title"], alone["blocks"][0]["title"]);
}

#[tokio::test]
async fn a_picture_leaves_the_page_with_its_asset_and_comes_back_with_it() {
    let app = TestApp::start().await;
    let client = app.client();
    let own = page(&client).await;
    let workshop = asset(&client, "image", "The workshop in Bergen", "Shows where anvils are made").await;
    let (_, _, shown) = written(&app, &client, &own).await;
    let site = visitor(&app, "acme.localhost:8080");
    let is_shown = async || site.get(&shown).await.expect(200).text().contains("/files/");
    assert!(is_shown().await);
    let file = format!("/v0/files/{}", workshop["data"]["fileId"].as_str().unwrap());
    let refused = client.delete(&file).await.expect(409).json();
    assert_eq!(refused["details"], json!({ "reason": "used", "assetIds": [workshop["assetId"]] }));
    client.delete(&path(&workshop)).await.expect(200);
    assert!(!is_shown().await);
    client.delete(&file).await.expect(409);
    client.post(&format!("{}/restore", path(&workshop)), &json!({})).await.expect(200);
    assert!(is_shown().await);
}

#[tokio::test]
async fn a_content_given_by_hand_names_pictures_of_the_tenant() {
    let app = TestApp::start().await;
    let (client, stranger) = (app.client(), app.stranger().await);
    let own = page(&client).await;
    let at = audience(&client, &own, &json!({ "publishBehavior": "draft" })).await;
    app.write_versions().await;
    let latest = client.get(&at).await.expect(200).json()["latestVersion"]["versionId"].clone();
    let version = format!("{at}/versions/{}", latest.as_str().unwrap());
    let mine = asset(&client, "image", "The workshop", "").await;
    let theirs = asset(&stranger, "image", "A workshop", "").await;
    let put = async |id: &Value| {
        let content = json!({ "blocks": [{ "type": "hero", "title": "Anvils" },
            { "type": "image", "blockId": "p", "image": { "assetId": id, "altText": "Our workshop" } }] });
        client.send("PUT", &format!("{version}/content"), Some(content.to_string().into_bytes())).await
    };
    for unknown in [&theirs["assetId"], &json!("asset_00000000000000000000000000"), &json!("x")] {
        let refused = put(unknown).await.expect(400).json();
        let issue = &refused["details"][0]["issues"][0];
        assert_eq!(
            (&issue["code"], &issue["path"]),
            (&json!("unknown_reference"), &json!(["blocks", "1", "image", "assetId"])),
            "{refused:#}"
        );
    }
    let kept = put(&mine["assetId"]).await.expect(200).json();
    assert_eq!(kept["blocks"][1]["image"], json!({ "assetId": mine["assetId"], "altText": "Our workshop" }));
    client.post(&format!("{version}/publish"), &json!({})).await.expect(200);
    let link = client.get(&format!("{at}/link")).await.expect(200).json();
    let site = visitor(&app, "acme.localhost:8080");
    let html = site.get(link["path"].as_str().unwrap()).await.expect(200).text();
    assert!(html.contains("alt=\"Our workshop\"") && html.contains("/files/"), "{html}");
    assert!(!html.contains("asset_"), "{html}");
}
