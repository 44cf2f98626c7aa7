//! Which draft a conversation works on, among all versions of its audience.

use std::time::Duration;

use pagesmith_worker::tasks;
use serde_json::{Value, json};

use super::Scene;

impl Scene {
    async fn publish(&self, version: &str) {
        self.client.post(&format!("{version}/publish"), &json!({})).await.expect(200);
    }

    /// Makes a draft of what a version says, with another headline; its path.
    async fn draft_of(&self, version: &str, headline: &str) -> String {
        let made = self.client.post(&format!("{version}/restore"), &json!({})).await.expect(201).json();
        let draft = format!("{}/versions/{}", self.audience, made["versionId"].as_str().unwrap());
        self.set_headline(&draft, headline).await;
        draft
    }

    async fn set_headline(&self, version: &str, headline: &str) {
        let mut content = self.content_of(version).await;
        content["blocks"][0]["title"] = json!(headline);
        let body = Some(content.to_string().into_bytes());
        self.client.send("PUT", &format!("{version}/content"), body).await.expect(200);
    }

    /// Makes a version that is called off before anything of it is written; its path.
    async fn cancelled(&self) -> String {
        let path = format!("{}/versions", self.audience);
        let made = self.client.post(&path, &json!({})).await.expect(201).json();
        let version = format!("{path}/{}", made["versionId"].as_str().unwrap());
        self.client.post(&format!("{version}/cancel"), &json!({})).await.expect(200);
        version
    }

    async fn content_of(&self, version: &str) -> Value {
        self.client.get(&format!("{version}/content")).await.expect(200).json()
    }

    async fn status(&self, version: &str) -> Value {
        self.client.get(version).await.expect(200).json()["status"].clone()
    }

    /// Has the questions removed; the path of the version that was named when the message was sent.
    async fn remove_questions(&self) -> String {
        let accepted = self.send(&json!({ "message": "Remove the questions." })).await.expect(202).json();
        self.app.carry_messages_out().await;
        format!("{}/versions/{}", self.audience, accepted["versionId"].as_str().unwrap())
    }
}

/// The headline and the number of blocks.
fn summary(content: &Value) -> (&Value, usize) {
    (&content["blocks"][0]["title"], content["blocks"].as_array().unwrap().len())
}

/// An audience whose first version, of three blocks, is published.
async fn published() -> (Scene, String) {
    let scene = Scene::with_draft().await;
    let live = scene.newest_version().await;
    scene.publish(&live).await;
    (scene, live)
}

#[tokio::test]
async fn of_two_drafts_that_are_newer_than_the_published_version_the_newest_is_changed() {
    let (scene, live) = published().await;
    let older = scene.draft_of(&live, "Older").await;
    let newer = scene.draft_of(&live, "Newer").await;
    let before = [scene.content_of(&live).await, scene.content_of(&older).await];
    // The one that was changed last is not the newest.
    scene.set_headline(&older, "Older still").await;
    assert_eq!(scene.remove_questions().await, newer);
    assert_eq!(summary(&scene.content_of(&newer).await), (&json!("Newer"), 2));
    assert_eq!(summary(&scene.content_of(&older).await), (&json!("Older still"), 3));
    assert_eq!(scene.content_of(&live).await, before[0]);
    assert_eq!((scene.newest_version().await, scene.status(&newer).await), (newer, json!("draft")));
}

#[tokio::test]
async fn a_draft_is_found_behind_any_number_of_versions_that_were_called_off() {
    let (scene, live) = published().await;
    let draft = scene.draft_of(&live, "Far behind").await;
    for _ in 0..101 {
        scene.app.advance(Duration::from_secs(30));
        scene.cancelled().await;
    }
    assert_eq!(scene.remove_questions().await, draft);
    assert_eq!(summary(&scene.content_of(&draft).await), (&json!("Far behind"), 2));
}

#[tokio::test]
async fn a_draft_that_is_older_than_the_published_version_is_passed_over() {
    let (scene, live) = published().await;
    let older = scene.draft_of(&live, "Older").await;
    let newer = scene.draft_of(&live, "Newer").await;
    scene.publish(&newer).await;
    let draft = scene.remove_questions().await;
    assert!(draft != older && draft != newer && draft != live);
    assert_eq!(summary(&scene.content_of(&draft).await), (&json!("Newer"), 2));
    assert_eq!(summary(&scene.content_of(&older).await), (&json!("Older"), 3));
}

#[tokio::test]
async fn after_a_rollback_the_published_version_is_copied_and_the_newer_one_passed_over() {
    let (scene, first) = published().await;
    let second = scene.draft_of(&first, "Second").await;
    scene.publish(&second).await;
    scene.publish(&first).await;
    assert_eq!(
        (scene.status(&first).await, scene.status(&second).await),
        (json!("published"), json!("archived"))
    );
    let before = [scene.content_of(&first).await, scene.content_of(&second).await];

    let draft = scene.remove_questions().await;
    assert!(draft != first && draft != second);
    assert_eq!((&draft, scene.status(&draft).await), (&scene.newest_version().await, json!("draft")));
    let headline = before[0]["blocks"][0]["title"].clone();
    assert_eq!(summary(&scene.content_of(&draft).await), (&headline, 2));
    assert_eq!([scene.content_of(&first).await, scene.content_of(&second).await], before);
    assert_eq!(
        (scene.status(&first).await, scene.status(&second).await),
        (json!("published"), json!("archived"))
    );
    // It is not copied again.
    assert_eq!(scene.remove_questions().await, draft);
}

#[tokio::test]
async fn a_cancelled_version_is_changed_if_it_has_content() {
    let (scene, live) = published().await;
    let before = scene.content_of(&live).await;
    let with_content = scene.cancelled().await;
    let mut content = before.clone();
    content["blocks"][0]["title"] = json!("Called off");
    let body = Some(content.to_string().into_bytes());
    scene.client.send("PUT", &format!("{with_content}/content"), body).await.expect(200);
    let without = scene.cancelled().await;
    assert_eq!(scene.newest_version().await, without);

    assert_eq!(scene.remove_questions().await, with_content);
    assert_eq!(scene.status(&with_content).await, "cancelled");
    assert_eq!(summary(&scene.content_of(&with_content).await), (&json!("Called off"), 2));
    scene.client.get(&format!("{without}/content")).await.expect(404);
    assert_eq!(scene.content_of(&live).await, before);
}

#[tokio::test]
async fn a_draft_that_is_older_than_what_was_live_last_is_passed_over() {
    let (scene, live) = published().await;
    let forgotten = scene.draft_of(&live, "Forgotten").await;
    let last = scene.draft_of(&live, "Last").await;
    scene.publish(&last).await;
    let until = scene.app.platform.context().now.plus(Duration::from_mins(1));
    let body = Some(json!({ "unpublishAt": until }).to_string().into_bytes());
    scene.client.send("PUT", &format!("{last}/schedule"), body).await.expect(200);
    scene.app.advance(Duration::from_mins(2));
    let task = tasks::TASKS.iter().find(|task| task.name == "carry_out_schedules").unwrap();
    task.run(&scene.app.tools()).await.unwrap();
    assert_eq!(scene.status(&last).await, "archived");
    let draft = scene.remove_questions().await;
    assert!(draft != forgotten && draft != last);
    assert_eq!(summary(&scene.content_of(&draft).await), (&json!("Last"), 2));
    assert_eq!(summary(&scene.content_of(&forgotten).await), (&json!("Forgotten"), 3));
}
