//! The trash of assets: in, out, and gone after thirty days; and what keeps a file from being deleted.

use std::time::Duration;

use pagesmith_testkit::TestApp;
use pagesmith_worker::tasks::TASKS;
use serde_json::json;

use super::{id, image, names, path};

/// Thirty days.
const KEPT: Duration = Duration::from_hours(24 * 30);

async fn purge(app: &TestApp) {
    for task in TASKS.iter().filter(|task| task.name == "purge_trash") {
        task.run(&app.tools()).await.unwrap();
    }
}

#[tokio::test]
async fn an_asset_goes_into_the_trash_and_comes_back() {
    let app = TestApp::start().await;
    let client = app.client();
    let (asset, other) = (image(&client, "A").await, image(&client, "B").await);
    client.with("if-match", "\"another\"").delete(&path(&asset)).await.expect(412);
    for _ in 0..2 {
        assert_eq!(client.delete(&path(&asset)).await.expect(200).json(), json!({ "success": true }));
    }
    assert_eq!(names(&client, "/v0/assets").await, ["B"]);
    assert_eq!(names(&client, "/v0/assets/search?query=a").await, Vec::<String>::new());
    assert_eq!(names(&client, "/v0/assets/trash").await, ["A"]);
    assert_eq!(names(&client, "/v0/assets/trash?query=a&assetType=image").await, ["A"]);
    assert_eq!(names(&client, "/v0/assets/trash?assetType=logo").await, Vec::<String>::new());
    let trashed = client.get(&path(&asset)).await.expect(200).json();
    assert_eq!((&trashed["lifecycleState"], &trashed["deletedAt"]), (&json!("trashed"), &json!(null)));
    assert!(trashed["trashedAt"].is_string());
    let refused = client.patch(&path(&asset), &json!({ "name": "C" })).await.expect(409).json();
    assert_eq!(refused["details"], json!({ "reason": "trashed" }));
    client.patch(&path(&other), &json!({ "parentAssetId": id(&asset) })).await.expect(400);
    for _ in 0..2 {
        client.post(&format!("{}/restore", path(&asset)), &json!({})).await.expect(200);
    }
    assert_eq!(names(&client, "/v0/assets").await, ["B", "A"]);
    assert_eq!(names(&client, "/v0/assets/trash").await, Vec::<String>::new());
    assert_eq!(client.get(&path(&asset)).await.expect(200).json()["lifecycleState"], "active");
}

#[tokio::test]
async fn after_thirty_days_it_is_gone_for_good_and_its_children_belong_to_nothing() {
    let app = TestApp::start().await;
    let client = app.client();
    let (parent, child) = (image(&client, "A").await, image(&client, "B").await);
    client.patch(&path(&child), &json!({ "parentAssetId": id(&parent) })).await.expect(200);
    client.delete(&path(&parent)).await.expect(200);
    app.advance(KEPT - Duration::from_secs(1));
    purge(&app).await;
    assert_eq!(names(&client, "/v0/assets/trash").await, ["A"]);
    assert_eq!(client.get(&path(&child)).await.expect(200).json()["parentAssetId"], id(&parent));
    app.advance(Duration::from_secs(1));
    purge(&app).await;
    assert_eq!(names(&client, "/v0/assets/trash").await, Vec::<String>::new());
    client.get(&path(&parent)).await.expect(404);
    client.post(&format!("{}/restore", path(&parent)), &json!({})).await.expect(404);
    client.delete(&path(&parent)).await.expect(404);
    assert_eq!(client.get(&path(&child)).await.expect(200).json()["parentAssetId"], json!(null));
}

#[tokio::test]
async fn a_file_is_kept_as_long_as_an_asset_or_the_trash_has_it() {
    let app = TestApp::start().await;
    let client = app.client();
    let asset = image(&client, "A").await;
    let file = format!("/v0/files/{}", asset["data"]["fileId"].as_str().unwrap());
    for _ in 0..2 {
        let refused = client.delete(&file).await.expect(409).json();
        assert_eq!(refused["details"], json!({ "reason": "used", "assetIds": [id(&asset)] }));
        client.delete(&path(&asset)).await.expect(200);
    }
    app.advance(KEPT);
    purge(&app).await;
    client.delete(&file).await.expect(200);
}
