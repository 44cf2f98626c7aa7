//! The list of an audience's versions.

use serde_json::json;

use super::Scene;

#[tokio::test]
async fn include_keeps_the_statuses_that_it_names() {
    let scene = Scene::start().await;
    for _ in 0..3 {
        scene.add().await;
    }
    scene.ask(&scene.path(4).await, "cancel").await;
    for (include, numbers) in [
        ("", vec![4, 3, 2, 1]),
        ("?include=pending", vec![3, 2]),
        ("?include=queued,cancelled", vec![4, 1]),
        ("?include=%20pending%20,pending,queued", vec![3, 2, 1]),
        ("?include=published", vec![]),
    ] {
        let listed = scene.get(&format!("{}/versions{include}", scene.audience)).await;
        let found: Vec<i64> = listed["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| item["versionNumber"].as_i64().unwrap())
            .collect();
        assert_eq!(found, numbers, "{include}");
        assert_eq!(listed["totalCount"], numbers.len(), "{include}");
    }
    for wrong in ["?include=", "?include=done", "?include=draft,", "?include=Draft"] {
        let issues = scene.client.get(&format!("{}/versions{wrong}", scene.audience)).await.issues();
        assert_eq!(issues[0], ("invalid_value".to_owned(), "include".to_owned()), "{wrong}");
    }
}

#[tokio::test]
async fn a_cursor_belongs_to_its_audience_and_its_statuses() {
    let scene = Scene::start().await;
    scene.add().await;
    scene.add().await;
    let first = scene.get(&format!("{}/versions?include=pending&limit=1", scene.audience)).await;
    let cursor = first["nextCursor"].as_str().unwrap();
    scene.get(&format!("{}/versions?include=pending&cursor={cursor}", scene.audience)).await;
    let (page, _) = scene.audience.split_once("/audiences/").unwrap();
    let other = crate::audiences::audience(&scene.client, page, &json!({})).await;
    for wrong in [
        format!("{}/versions?cursor={cursor}", scene.audience),
        format!("{}/versions?include=queued&cursor={cursor}", scene.audience),
        format!("{other}/versions?include=pending&cursor={cursor}"),
    ] {
        let issues = scene.client.get(&wrong).await.issues();
        assert_eq!(issues, [("invalid_cursor".to_owned(), "cursor".to_owned())]);
    }
}
