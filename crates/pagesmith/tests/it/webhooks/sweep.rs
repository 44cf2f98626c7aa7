//! What is older than thirty days goes, a little at a time.

use serde_json::json;

use super::{PATH, Scene, URL};

#[tokio::test]
async fn events_and_deliveries_are_kept_for_thirty_days() {
    let scene = Scene::start().await;
    let path = scene.subscribe(json!({ "url": URL })).await;
    scene.happen().await;
    scene.attempt(500).await;
    scene.pass(1);
    scene.attempt(200).await;
    scene.pass(24 * 29);
    scene.happen().await;
    scene.attempt(200).await;
    scene.app.run_due_work().await;
    let count = async || scene.get(&format!("{path}/deliveries")).await["items"].as_array().unwrap().len();
    // The second event's versions are written by now, and told of.
    let before = count().await;
    assert!(before >= 2);
    scene.pass(24 * 2);
    scene.app.run_due_work().await;
    assert!(count().await < before && count().await >= 1);
}

#[tokio::test]
async fn a_deleted_subscription_goes_with_all_its_deliveries() {
    let scene = Scene::start().await;
    let path = scene.subscribe(json!({ "url": URL })).await;
    for _ in 0..3 {
        scene.happen().await;
    }
    scene.client.delete(&path).await.expect(200);
    scene.app.run_due_work().await;
    let (tenant, store) = (scene.app.tenant.clone(), scene.app.store.clone());
    let left =
        store.read(move |tx| pagesmith_store::tables::webhooks::subscriptions::list_for_sweep(tx, &tenant));
    assert_eq!(left.await.unwrap(), []);
    assert_eq!(scene.get(PATH).await["totalCount"], 0);
}
