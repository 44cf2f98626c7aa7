//! Assets of every type, made and changed.

use pagesmith_testkit::{Answer, TestApp};
use serde_json::{Value, json};

use super::{id, image, path, picture};

fn issues(answer: &Answer) -> Vec<(String, String)> {
    let details = answer.json()["details"].clone();
    let issues =
        details.as_array().unwrap().iter().flat_map(|part| part["issues"].as_array().unwrap().clone());
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    issues.map(|issue| (text(&issue["path"][0]), text(&issue["code"]))).collect()
}

#[tokio::test]
async fn each_type_has_its_own_data() {
    let app = TestApp::start().await;
    let client = app.client();
    let file = picture(&client, "a.png").await;
    for asset_type in ["image", "logo", "icon"] {
        let body = json!({ "assetType": asset_type, "name": "A", "fileId": file["fileId"], "tags": ["x", "y", "x"] });
        let made = client.post("/v0/assets", &body).await.expect(201).json();
        let expected = json!({
            "assetId": made["assetId"], "tenantId": app.tenant.as_str(), "name": "A", "purpose": "", "tags": ["x", "y"],
            "aiDescription": "A", "parentAssetId": null, "hidden": false,
            "data": { "type": "image", "fileId": file["fileId"] },
            "createdAt": made["createdAt"], "updatedAt": made["createdAt"], "trashedAt": null, "deletedAt": null,
            "lifecycleState": "active", "downloadUrl": made["downloadUrl"], "previewDownloadUrl": made["previewDownloadUrl"],
        });
        assert_eq!(made, expected);
        assert_eq!(client.get(&path(&made)).await.expect(200).json(), made);
    }
    let video = json!({ "assetType": "video", "name": "V", "purpose": "Explains", "youtubeUrl": "https://youtu.be/aqz-KE-bpKQ?t=3", "hidden": true });
    let made = client.post("/v0/assets", &video).await.expect(201).json();
    let data = json!({ "type": "video", "youtubeUrl": "https://www.youtube.com/watch?v=aqz-KE-bpKQ" });
    assert_eq!(
        (&made["data"], &made["hidden"], &made["aiDescription"]),
        (&data, &json!(true), &json!("V: Explains"))
    );
    assert_eq!((&made["downloadUrl"], &made["previewDownloadUrl"]), (&json!(null), &json!(null)));
    // Numbers come back as they were sent.
    let component =
        r#"{"assetType":"custom-component","name":"C","body":"<b>1</b>","propsSchema":{"maximum":0.10}}"#;
    let made = client.send("POST", "/v0/assets", Some(component.as_bytes().to_vec())).await.expect(201);
    assert!(made.text().contains(r#""propsSchema":{"maximum":0.10}"#), "{}", made.text());
    assert_eq!(made.json()["data"]["body"], "<b>1</b>");
}

#[tokio::test]
async fn what_cannot_be_an_asset_is_refused_at_its_place() {
    let app = TestApp::start().await;
    let (client, stranger) = (app.client(), app.stranger().await);
    let foreign = picture(&stranger, "foreign.png").await;
    let text = client.upload("a.png", b"no picture").await.expect(201).json();
    let nobody = "asset_00000000000000000000000000";
    for (body, place, code) in [
        (json!({ "assetType": "image", "name": "A", "fileId": "file_1" }), "fileId", "unknown_reference"),
        (
            json!({ "assetType": "image", "name": "A", "fileId": foreign["fileId"] }),
            "fileId",
            "unknown_reference",
        ),
        (json!({ "assetType": "logo", "name": "A", "fileId": text["fileId"] }), "fileId", "invalid_value"),
        (json!({ "assetType": "image", "name": "A" }), "fileId", "required"),
        (
            json!({ "assetType": "video", "name": "A", "youtubeUrl": "https://vimeo.com/1" }),
            "youtubeUrl",
            "invalid_format",
        ),
        (
            json!({ "assetType": "video", "name": "A", "fileId": "file_1", "youtubeUrl": "youtu.be/aqz-KE-bpKQ" }),
            "fileId",
            "unrecognized_key",
        ),
        (
            json!({ "assetType": "video", "name": "A", "youtubeUrl": "youtu.be/aqz-KE-bpKQ", "parentAssetId": nobody }),
            "parentAssetId",
            "unknown_reference",
        ),
        (json!({ "assetType": "custom-component", "name": "A", "body": "" }), "body", "too_short"),
        (
            json!({ "assetType": "custom-component", "name": "A", "body": "x".repeat(100_001) }),
            "body",
            "too_long",
        ),
        (json!({ "assetType": "sound", "name": "A" }), "assetType", "invalid_value"),
        (json!({ "name": "A" }), "assetType", "required"),
        (
            json!({ "assetType": "video", "name": " ", "youtubeUrl": "youtu.be/aqz-KE-bpKQ" }),
            "name",
            "invalid_format",
        ),
        (
            json!({ "assetType": "video", "name": "A", "youtubeUrl": "youtu.be/aqz-KE-bpKQ", "tags": [""] }),
            "tags",
            "too_short",
        ),
    ] {
        let answer = client.post("/v0/assets", &body).await.expect(400);
        assert_eq!(issues(&answer), [(place.to_owned(), code.to_owned())], "{body}");
    }
    assert_eq!(client.get("/v0/assets").await.expect(200).json()["totalCount"], 0);
}

#[tokio::test]
async fn the_same_key_makes_one_asset() {
    let app = TestApp::start().await;
    let client = app.client();
    let body = json!({ "assetType": "video", "name": "A", "youtubeUrl": "youtu.be/aqz-KE-bpKQ", "idempotencyKey": "k" });
    let first = client.post("/v0/assets", &body).await.expect(201).json();
    let again = client.post("/v0/assets", &body).await.expect(201).json();
    assert_eq!(again, first);
    let mut other = body.clone();
    other["name"] = json!("B");
    client.post("/v0/assets", &other).await.expect(409);
    let at_once = (0..6).map(|_| client.post("/v0/assets", &body));
    for answer in futures_util::future::join_all(at_once).await {
        assert_eq!(id(&answer.expect(201).json()), id(&first));
    }
    app.stranger().await.post("/v0/assets", &body).await.expect(201);
    assert_eq!(client.get("/v0/assets").await.expect(200).json()["totalCount"], 1);
}

#[tokio::test]
async fn given_fields_change_and_the_addresses_do_not_count_for_the_tag() {
    let app = TestApp::start().await;
    let client = app.client();
    let asset = image(&client, "A").await;
    let tag = client.get(&path(&asset)).await.expect(200).header("etag").unwrap().to_owned();
    app.advance(std::time::Duration::from_secs(60));
    let later = client.get(&path(&asset)).await.expect(200);
    assert_eq!(later.header("etag"), Some(tag.as_str()));
    assert_ne!(later.json()["downloadUrl"], asset["downloadUrl"]);
    client.with("if-none-match", &tag).get(&path(&asset)).await.expect(304);
    let same = client.patch(&path(&asset), &json!({})).await.expect(200).json();
    assert_eq!(same["updatedAt"], asset["updatedAt"]);
    let patch = json!({ "name": "B", "purpose": "P", "assetType": "logo", "tags": ["t"], "hidden": true });
    let changed = client.with("if-match", &tag).patch(&path(&asset), &patch).await.expect(200).json();
    assert_eq!(
        (&changed["name"], &changed["purpose"], &changed["tags"]),
        (&json!("B"), &json!("P"), &json!(["t"]))
    );
    assert!(changed["updatedAt"].as_str() > asset["updatedAt"].as_str());
    assert_eq!(client.get("/v0/assets?assetType=logo").await.expect(200).json()["totalCount"], 1);
    client.with("if-match", &tag).patch(&path(&asset), &json!({ "name": "C" })).await.expect(412);
    let video = json!({ "assetType": "video", "name": "V", "youtubeUrl": "youtu.be/aqz-KE-bpKQ" });
    let video = client.post("/v0/assets", &video).await.expect(201).json();
    let refused = client.patch(&path(&video), &json!({ "assetType": "icon" })).await.expect(409);
    assert_eq!(refused.json()["details"]["assetType"], "video");
    client.patch(&path(&asset), &json!({ "fileId": "file_1" })).await.expect(400);
}

#[tokio::test]
async fn assets_belong_to_each_other_without_a_circle() {
    let app = TestApp::start().await;
    let client = app.client();
    let mut chain = vec![image(&client, "0").await];
    for number in 1..8 {
        let next = image(&client, &number.to_string()).await;
        let parent = json!({ "parentAssetId": id(chain.last().unwrap()) });
        let changed = client.patch(&path(&next), &parent).await.expect(200).json();
        assert_eq!(changed["parentAssetId"], parent["parentAssetId"]);
        chain.push(next);
    }
    let ninth = image(&client, "9").await;
    let deep = client.patch(&path(&ninth), &json!({ "parentAssetId": id(&chain[7]) })).await.expect(400);
    assert_eq!(issues(&deep), [("parentAssetId".to_owned(), "too_deep".to_owned())]);
    for (child, parent) in [(&chain[0], &chain[3]), (&chain[0], &chain[0])] {
        let circle = client.patch(&path(child), &json!({ "parentAssetId": id(parent) })).await.expect(400);
        assert_eq!(issues(&circle), [("parentAssetId".to_owned(), "invalid_value".to_owned())]);
    }
    let free = client.patch(&path(&chain[1]), &json!({ "parentAssetId": null })).await.expect(200).json();
    assert_eq!(free["parentAssetId"], json!(null));
}
