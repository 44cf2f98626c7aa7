//! Versions that go live and stop at their times.

use std::time::Duration;

use pagesmith_model::VersionId;
use pagesmith_operations::publishing::schedules;
use pagesmith_store::Tx;
use pagesmith_testkit::{Answer, Client};
use pagesmith_worker::tasks;
use serde_json::{Value, json};

use super::Scene;

impl Scene {
    async fn schedule(&self, path: &str, body: &Value) -> Answer {
        self.client.send("PUT", &format!("{path}/schedule"), Some(body.to_string().into_bytes())).await
    }

    /// Turns the clock and has what is due done.
    async fn later(&self, seconds: u64) {
        self.app.advance(Duration::from_secs(seconds));
        let task = tasks::TASKS.iter().find(|task| task.name == "carry_out_schedules").unwrap();
        task.run(&self.app.tools()).await.unwrap();
    }

    async fn done(&self, path: &str) -> Vec<String> {
        let listed = self.get(&format!("{path}/history?limit=100")).await;
        let items = listed["items"].as_array().unwrap().iter();
        items.map(|item| item["action"].as_str().unwrap().to_owned()).collect()
    }

    /// An audience whose first version is a draft with content.
    async fn written() -> (Scene, String) {
        let scene = Scene::with_draft().await;
        scene.write().await;
        let path = scene.path(1).await;
        (scene, path)
    }
}

fn at(text: &str) -> Value {
    json!(format!("2026-03-01T{text}.000Z"))
}

#[tokio::test]
async fn a_version_goes_live_and_stops_at_its_times() {
    let (scene, first) = Scene::written().await;
    scene.client.get(&format!("{first}/schedule")).await.expect(404);
    let times = json!({ "publishAt": at("12:01:00"), "unpublishAt": at("12:02:00") });
    let kept = scene.schedule(&first, &times).await.expect(200).json();
    assert_eq!(kept["publishAt"], at("12:01:00"));
    let before = scene.events().await.len();
    scene.later(59).await;
    assert_eq!(scene.statuses().await, ["draft"]);
    scene.later(1).await;
    assert_eq!(scene.statuses().await, ["published"]);
    let link = scene.get(&format!("{}/link", scene.audience)).await;
    let site = scene.client.with("host", link["domain"].as_str().unwrap());
    let here = format!("/{}", link["url"].as_str().unwrap().split('/').skip(3).collect::<Vec<_>>().join("/"));
    site.get(&here).await.expect(200);
    assert_eq!(scene.events().await.len(), before + 1);
    assert_eq!(scene.get(&format!("{first}/schedule")).await["publishAt"], Value::Null);
    scene.later(59).await;
    assert_eq!(scene.statuses().await, ["published"]);
    scene.later(1).await;
    let over = scene.get(&first).await;
    assert_eq!((&over["status"], &over["archivedAt"]), (&json!("archived"), &at("12:02:00")));
    assert_eq!(scene.get(&scene.audience).await["publishedVersion"], Value::Null);
    site.get(&here).await.expect(404);
    scene.client.get(&format!("{first}/schedule")).await.expect(404);
    let done = scene.done(&first).await;
    assert_eq!(done[..3], ["unpublished", "published", "scheduled"]);
}

#[tokio::test]
async fn times_that_make_no_sense_are_refused_and_a_schedule_can_be_removed() {
    let (scene, first) = Scene::written().await;
    for body in [
        json!({}),
        json!({ "publishAt": at("12:00:00") }),
        json!({ "publishAt": at("12:02:00"), "unpublishAt": at("12:01:00") }),
        json!({ "publishAt": "2046-01-01T00:00:00.000Z" }),
        json!({ "publishAt": "soon" }),
    ] {
        scene.schedule(&first, &body).await.expect(400);
    }
    scene.schedule(&first, &json!({ "unpublishAt": at("12:01:00") })).await.expect(409);
    scene.schedule(&first, &json!({ "publishAt": at("12:01:00") })).await.expect(200);
    scene.client.delete(&format!("{first}/schedule")).await.expect(200);
    scene.client.delete(&format!("{first}/schedule")).await.expect(200);
    scene.later(120).await;
    assert_eq!(scene.statuses().await, ["draft"]);
    scene.ask(&first, "publish").await;
    scene.schedule(&first, &json!({ "publishAt": at("13:00:00") })).await.expect(409);
    scene.schedule(&first, &json!({ "unpublishAt": at("13:00:00") })).await.expect(200);
}

#[tokio::test]
async fn what_is_archived_is_not_published_and_what_was_missed_is_not_shown() {
    let (scene, first) = Scene::written().await;
    scene.schedule(&first, &json!({ "publishAt": at("12:01:00") })).await.expect(200);
    scene.client.delete(&scene.audience).await.expect(200);
    scene.later(60).await;
    assert_eq!(
        (scene.done(&first).await[0].as_str(), &scene.get(&first).await["status"]),
        ("schedule-failed", &json!("draft"))
    );
    scene.schedule(&first, &json!({ "publishAt": at("12:05:00") })).await.expect(409);
    scene.client.post(&format!("{}/restore", scene.audience), &json!({})).await.expect(200);
    let times = json!({ "publishAt": at("12:05:00"), "unpublishAt": at("12:06:00") });
    scene.schedule(&first, &times).await.expect(200);
    // No server was there between.
    scene.later(600).await;
    assert_eq!(scene.statuses().await, ["draft"]);
    scene.client.get(&format!("{first}/schedule")).await.expect(404);
}

#[tokio::test]
async fn a_version_of_an_archived_audience_stops_and_one_that_waits_is_not_published_any_more() {
    let (scene, first) = Scene::written().await;
    scene.ask(&first, "publish").await;
    scene.schedule(&first, &json!({ "unpublishAt": at("12:01:00") })).await.expect(200);
    scene.client.delete(&scene.audience).await.expect(200);
    scene.later(60).await;
    assert_eq!(scene.get(&first).await["status"], "archived");
    scene.client.post(&format!("{}/restore", scene.audience), &json!({})).await.expect(200);
    let second = scene.add().await;
    let times = json!({ "publishAt": at("12:05:00"), "unpublishAt": at("12:06:00") });
    scene.schedule(&second, &times).await.expect(200);
    scene.later(240).await;
    assert_eq!(scene.done(&second).await[0], "publish-requested");
    scene.later(60).await;
    scene.write().await;
    assert_eq!(scene.statuses().await, ["archived", "draft"]);
}

#[tokio::test]
async fn two_servers_do_it_once_and_a_suspended_tenant_waits() {
    let (scene, first) = Scene::written().await;
    scene.schedule(&first, &json!({ "publishAt": at("12:01:00") })).await.expect(200);
    let before = scene.events().await.len();
    scene.app.suspend("acme").await;
    scene.later(60).await;
    scene.app.resume("acme").await;
    assert_eq!(scene.statuses().await, ["draft"]);
    let task = tasks::TASKS.iter().find(|task| task.name == "carry_out_schedules").unwrap();
    // A server that was started later, with a store of its own, beside the one that was there.
    let (here, mut there) = (scene.app.tools(), scene.app.tools());
    there.store = scene.app.database.open();
    let (one, other) = tokio::join!(task.run(&here), task.run(&there));
    one.unwrap();
    other.unwrap();
    assert_eq!(scene.events().await.len(), before + 1);
    let done = scene.done(&first).await;
    assert_eq!(done.iter().filter(|action| *action == "published").count(), 1);
    let node = Client::new(scene.app.another_server(), Some(scene.app.key.clone()));
    assert_eq!(node.get(&first).await.expect(200).json()["status"], "published");
}

#[tokio::test]
async fn what_failed_is_tried_again_ten_seconds_later() {
    let (scene, first) = Scene::written().await;
    scene.schedule(&first, &json!({ "publishAt": at("12:01:00") })).await.expect(200);
    scene.app.advance(Duration::from_secs(60));
    let (tenant, now) = (scene.app.tenant.clone(), scene.app.platform.clock().now());
    let version = VersionId::parse(first.rsplit('/').next().unwrap()).unwrap();
    let failed = move |tx: &mut Tx<'_>| schedules::postpone(tx, &tenant, &version, now);
    scene.app.store.write(failed).await.unwrap();
    scene.later(9).await;
    assert_eq!(scene.statuses().await, ["draft"]);
    scene.later(1).await;
    assert_eq!(scene.statuses().await, ["published"]);
}
