//! Events for those who ask.

use pagesmith_testkit::database;
use serde_json::{Value, json};

use super::{Scene, happen};

/// Lets events settle, where that takes a while.
fn settle(scene: &Scene) {
    if database::is_postgres() {
        scene.app.advance(std::time::Duration::from_secs(31));
    }
}

fn ids(part: &Value) -> Vec<String> {
    part["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["eventId"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn events_are_walked_oldest_first_and_the_walk_goes_on_with_news() {
    let scene = Scene::start().await;
    for _ in 0..3 {
        scene.happen().await;
    }
    settle(&scene);
    let first = scene.get("/v0/events?limit=2").await;
    assert_eq!((ids(&first).len(), &first["hasMore"]), (2, &json!(true)));
    let next = |part: &Value| format!("/v0/events?limit=2&cursor={}", part["nextCursor"].as_str().unwrap());
    let second = scene.get(&next(&first)).await;
    assert_eq!((ids(&second).len(), &second["hasMore"]), (1, &json!(false)));
    let nothing = scene.get(&next(&second)).await;
    assert_eq!(ids(&nothing).len(), 0);
    scene.happen().await;
    settle(&scene);
    let news = scene.get(&next(&nothing)).await;
    let walked = [ids(&first), ids(&second), ids(&news)].concat();
    assert_eq!(walked.len(), 4);
    assert!(walked.is_sorted_by(|a, b| a < b));
    assert_eq!(first["items"][0]["payload"]["type"], "page.version.created");
}

#[tokio::test]
async fn events_are_chosen_by_type_and_time_and_belong_to_their_tenant() {
    let scene = Scene::start().await;
    scene.happen().await;
    scene.pass(1);
    scene.happen().await;
    scene.app.write_versions().await;
    settle(&scene);
    assert_eq!(ids(&scene.get("/v0/events?type=page.version.published").await).len(), 2);
    let since = scene.get("/v0/events?since=2026-03-01T13:00:00Z&type=page.version.created").await;
    assert_eq!(ids(&since).len(), 1);
    let stranger = scene.app.stranger().await;
    assert_eq!(ids(&stranger.get("/v0/events").await.expect(200).json()).len(), 0);
    happen(&stranger).await;
    settle(&scene);
    assert_eq!(ids(&stranger.get("/v0/events").await.expect(200).json()).len(), 1);
    let cursor = since["nextCursor"].as_str().unwrap();
    stranger.get(&format!("/v0/events?type=page.version.created&cursor={cursor}")).await.expect(400);
}
