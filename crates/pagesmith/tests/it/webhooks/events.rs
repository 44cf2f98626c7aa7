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
    let later = scene.get(&next(&nothing)).await;
    let walked = [ids(&first), ids(&second), ids(&later)].concat();
    assert_eq!(walked.len(), 4);
    assert!(walked.is_sorted_by(|a, b| a < b));
    assert_eq!(first["items"][0]["payload"]["type"], "page.version.created");
}

#[tokio::test]
async fn whoever_wants_them_at_once_is_shown_events_until_nothing_can_come_before_them() {
    let scene = Scene::start().await;
    for _ in 0..3 {
        scene.happen().await;
    }
    let walk = |cursor: &Value| format!("/v0/events?limit=2&cursor={}", cursor.as_str().unwrap());
    let live = |cursor: &Value| format!("{}&live=true", walk(cursor));
    let beginning = &scene.get("/v0/events?limit=2&since=2026-03-01T00:00:00Z&live=true").await;
    assert_eq!(ids(beginning).len(), 2);
    if database::is_postgres() {
        // The cursor waits, and nothing is gained by asking again at once.
        assert_eq!(beginning["hasMore"], false);
        assert_eq!(scene.get(&live(&beginning["nextCursor"])).await["items"], beginning["items"]);
        assert_eq!(scene.get(&walk(&beginning["nextCursor"])).await["items"], json!([]));
        settle(&scene);
        scene.happen().await;
        let settled = scene.get(&live(&beginning["nextCursor"])).await;
        assert_eq!((&settled["items"], &settled["hasMore"]), (&beginning["items"], &json!(true)));
        // The third has its place, the fourth has not yet.
        let mixed = scene.get(&live(&settled["nextCursor"])).await;
        assert_eq!((ids(&mixed).len(), &mixed["hasMore"]), (2, &json!(false)));
        let fourth = scene.get(&live(&mixed["nextCursor"])).await;
        assert_eq!(ids(&fourth), ids(&mixed)[1..]);
    } else {
        assert_eq!(beginning["hasMore"], true);
        assert_eq!(ids(&scene.get(&live(&beginning["nextCursor"])).await).len(), 1);
    }
    scene.client.get("/v0/events?live=perhaps").await.expect(400);
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

#[tokio::test]
async fn an_event_is_had_by_its_id_at_once_also_one_of_a_test() {
    let scene = Scene::start().await;
    let subscription = scene.subscribe(json!({ "url": "https://hooks.example.com/in" })).await;
    scene.happen().await;
    let happened = scene.get(&format!("{subscription}/deliveries")).await["items"][0].clone();
    let test = scene.client.post(&format!("{subscription}/test"), &json!({})).await.expect(201).json();
    let stranger = scene.app.stranger().await;
    for (delivery, kind) in [(&happened, "page.version.created"), (&test, "page.version.published")] {
        let path = format!("/v0/events/{}", delivery["eventId"].as_str().unwrap());
        let event = scene.get(&path).await;
        assert_eq!((&event["eventId"], &event["payload"]["type"]), (&delivery["eventId"], &json!(kind)));
        stranger.get(&path).await.expect(404);
    }
    settle(&scene);
    let listed = scene.get("/v0/events").await["items"][0].clone();
    let path = format!("/v0/events/{}", listed["eventId"].as_str().unwrap());
    assert_eq!(scene.get(&path).await, listed);
    scene.client.get("/v0/events/event_of_nobody").await.expect(404);
}
