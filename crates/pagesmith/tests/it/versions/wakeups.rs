//! Who writes versions and who delivers webhooks are called when there is something to do, and only then.

use futures_util::FutureExt;
use pagesmith_model::Error;
use pagesmith_store::Wakeup;
use serde_json::json;

use super::Scene;

impl Scene {
    /// Whether those who deliver and those who write have been called since this was asked last.
    fn called(&self) -> [bool; 2] {
        [Wakeup::Deliveries, Wakeup::Generations]
            .map(|wakeup| self.app.store.wait_for(wakeup).now_or_never().is_some())
    }
}

#[tokio::test]
async fn writers_are_called_when_a_version_is_queued() {
    let scene = Scene::start().await;
    assert_eq!(scene.called(), [true, true], "an audience's first version is queued");
    assert_eq!(scene.called(), [false, false], "a call is heard once");
    let second = scene.add().await;
    assert_eq!(scene.called(), [true, false], "the second has to wait for its turn");
    scene.ask(&scene.path(1).await, "cancel").await;
    assert_eq!(scene.called(), [false, true], "the second has its turn, of which no event tells");
    scene.write().await;
    scene.called();
    scene.ask(&second, "publish").await;
    assert_eq!(scene.called(), [true, false], "what is written needs nobody who writes");
    scene.ask(&scene.path(1).await, "publish").await;
    assert_eq!(scene.called(), [false, true], "what was called off is written after all");
}

#[tokio::test]
async fn nobody_is_called_where_nothing_has_changed() {
    let scene = Scene::with_draft().await;
    let create = format!("{}/versions", scene.audience);
    let once = json!({ "operationKey": "once" });
    scene.client.post(&create, &once).await.expect(201);
    scene.write().await;
    scene.called();
    scene.client.post(&create, &once).await.expect(201);
    scene.client.post(&format!("{}/cancel", scene.path(1).await), &json!({})).await.expect(409);
    scene.client.post(&create, &json!({ "unknown": 1 })).await.expect(400);
    assert_eq!(scene.called(), [false, false]);
}

#[tokio::test]
async fn nobody_is_called_by_what_was_rolled_back() {
    let scene = Scene::start().await;
    scene.called();
    let told = scene.app.store.write(|tx| {
        tx.wake_after_commit(Wakeup::Generations);
        Err::<(), _>(Error::not_found("reason"))
    });
    told.await.unwrap_err();
    assert_eq!(scene.called(), [false, false]);
}
