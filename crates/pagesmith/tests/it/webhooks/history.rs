//! Deliveries as their owner sees them, and sending them once more.

use pagesmith_model::SubscriptionId;
use pagesmith_operations::webhooks::history;
use pagesmith_store::Tx;
use pagesmith_store::tables::webhooks::history::Counts;
use serde_json::{Value, json};

use super::{Scene, URL, happen, id_of, subscribe};

async fn listed(scene: &Scene, path: &str, query: &str) -> Vec<Value> {
    scene.get(&format!("{path}/deliveries{query}")).await["items"].as_array().unwrap().clone()
}

#[tokio::test]
async fn a_delivery_shows_every_attempt() {
    let scene = Scene::start().await;
    let path = scene.subscribe(json!({ "url": URL })).await;
    scene.happen().await;
    scene.attempt(500).await;
    scene.pass(1);
    scene.attempt(200).await;
    let mut delivery = listed(&scene, &path, "").await.remove(0);
    let id = delivery["deliveryId"].as_str().unwrap().to_owned();
    assert_eq!(scene.get(&format!("{path}/deliveries/{id}")).await, delivery);
    delivery["deliveryId"] = json!("delivery_…");
    delivery["eventId"] = json!("event_…");
    insta::assert_snapshot!(format!("{delivery:#}"), @r#"
    {
      "attempts": [
        {
          "at": "2026-03-01T12:00:00.000Z",
          "durationMs": 12,
          "error": null,
          "number": 1,
          "response": "thanks",
          "status": 500
        },
        {
          "at": "2026-03-01T13:00:00.000Z",
          "durationMs": 12,
          "error": null,
          "number": 2,
          "response": "thanks",
          "status": 200
        }
      ],
      "createdAt": "2026-03-01T12:00:00.000Z",
      "deliveryId": "delivery_…",
      "eventId": "event_…",
      "eventType": "page.version.created",
      "nextAttemptAt": null,
      "status": "delivered",
      "updatedAt": "2026-03-01T13:00:00.000Z"
    }
    "#);
}

#[tokio::test]
async fn deliveries_are_found_by_type_status_and_time() {
    let scene = Scene::start().await;
    let path = scene.subscribe(json!({ "url": URL })).await;
    scene.happen().await;
    scene.attempt(200).await;
    scene.pass(1);
    scene.happen().await;
    scene.client.post(&format!("{path}/test"), &json!({ "type": "form.enriched" })).await.expect(201);
    for (query, expected) in [
        ("", 3),
        ("?type=page.version.created", 2),
        ("?type=form.enriched", 1),
        ("?type=form.submitted", 0),
        ("?status=waiting", 2),
        ("?status=delivered", 1),
        ("?status=failed", 0),
        ("?since=2026-03-01T13:00:00Z", 2),
        ("?until=2026-03-01T13:00:00Z", 1),
        (
            "?since=2026-03-01T12:00:00Z&until=2026-03-01T12:30:00Z&status=delivered&type=page.version.created",
            1,
        ),
    ] {
        assert_eq!(listed(&scene, &path, query).await.len(), expected, "{query}");
    }
    let first = scene.get(&format!("{path}/deliveries?limit=1&status=waiting")).await;
    assert_eq!((&first["hasMore"], &first["totalCount"]), (&json!(true), &json!(null)));
    let cursor = first["nextCursor"].as_str().unwrap();
    let second = listed(&scene, &path, &format!("?limit=1&status=waiting&cursor={cursor}")).await;
    assert_ne!(second[0]["deliveryId"], first["items"][0]["deliveryId"]);
    scene.client.get(&format!("{path}/deliveries?status=failed&cursor={cursor}")).await.expect(400);
}

#[tokio::test]
async fn counts_say_where_deliveries_are() {
    let scene = Scene::start().await;
    let path = scene.subscribe(json!({ "url": URL })).await;
    for _ in 0..3 {
        scene.happen().await;
    }
    let due = scene.claim(2, 2).await.due;
    scene.record(vec![scene.answered(&due[0], 200), scene.answered(&due[1], 500)]).await;
    let stats = scene.get(&format!("{path}/stats")).await;
    insta::assert_snapshot!(format!("{stats:#}"), @r#"
    {
      "deactivatedBecause": null,
      "delivered": 1,
      "failed": 0,
      "failingSince": null,
      "waiting": 2
    }
    "#);
    // However many there are, so many are counted.
    let ctx = scene.app.platform.context().of(scene.app.tenant.clone());
    let id = SubscriptionId::parse(id_of(&path)).unwrap();
    let newest = move |tx: &mut Tx<'_>| history::stats(tx, &ctx, &id, 2);
    let (_, counts) = scene.app.store.read(newest).await.unwrap();
    assert_eq!(counts, Counts { waiting: 2, delivered: 0, failed: 0 });
}

#[tokio::test]
async fn what_has_arrived_can_be_sent_once_more() {
    let scene = Scene::start().await;
    let path = scene.subscribe(json!({ "url": URL })).await;
    scene.happen().await;
    let first = scene.claim(1, 1).await.due;
    scene.answer(&first, 200).await;
    let id = listed(&scene, &path, "").await[0]["deliveryId"].as_str().unwrap().to_owned();
    let resent = format!("{path}/deliveries/{id}/resend");
    let sent = scene.client.post(&resent, &json!({})).await.expect(200).json();
    assert_eq!(sent["status"], "waiting");
    let second = scene.claim(1, 1).await.due;
    assert_eq!((second[0].number, &second[0].body, &second[0].key), (2, &first[0].body, &first[0].key));
    // While it is being sent, it is sent already.
    scene.client.post(&resent, &json!({})).await.expect(200);
    assert_eq!(scene.claim(1, 1).await.due, []);
    // It has the whole schedule before it.
    scene.answer(&second, 500).await;
    scene.app.advance(std::time::Duration::from_secs(6));
    assert_eq!(scene.claim(1, 1).await.due[0].number, 3);
}

#[tokio::test]
async fn everything_that_failed_since_an_instant_is_recovered() {
    let scene = Scene::start().await;
    let path = scene.subscribe(json!({ "url": URL })).await;
    scene.happen().await;
    scene.pass(1);
    scene.happen().await;
    scene.happen().await;
    for _ in 0..10 {
        let due = scene.claim(10, 10).await.due;
        scene.answer(&due, 500).await;
        scene.pass(29);
        // After five days it is deactivated, and its owner insists.
        scene.client.patch(&path, &json!({ "active": true })).await.expect(200);
    }
    assert_eq!(listed(&scene, &path, "?status=failed").await.len(), 3);
    let recover = format!("{path}/recover");
    let recovered =
        scene.client.post(&recover, &json!({ "since": "2026-03-01T13:00:00Z" })).await.expect(200);
    assert_eq!(recovered.json(), json!({ "recovered": 2, "hasMore": false }));
    assert_eq!(listed(&scene, &path, "?status=failed").await.len(), 1);
    assert_eq!(scene.claim(10, 10).await.due.len(), 2);
}

#[tokio::test]
async fn a_test_is_sent_to_its_subscription_only() {
    let scene = Scene::start().await;
    let path = scene.subscribe(json!({ "url": URL, "events": ["form.submitted"] })).await;
    let other = scene.subscribe(json!({ "url": URL })).await;
    for kind in [
        "page.version.created",
        "page.version.processed",
        "page.version.published",
        "form.submitted",
        "form.enriched",
        "form.enrichment_failed",
    ] {
        scene.client.post(&format!("{path}/test"), &json!({ "type": kind })).await.expect(201);
        let due = scene.claim(10, 10).await.due;
        assert_eq!(due.len(), 1);
        let body: Value = serde_json::from_str(due[0].body.as_str()).unwrap();
        let contract = &pagesmith_testkit::contract::CONTRACT["webhooks"][kind]["post"]["requestBody"]["content"]
            ["application/json"]["schema"];
        assert!(jsonschema::validator_for(contract).unwrap().is_valid(&body), "{body}");
        assert_eq!(body["payload"]["type"], kind);
        scene.answer(&due, 200).await;
    }
    assert_eq!(listed(&scene, &other, "").await.len(), 0);
    assert_eq!(scene.get("/v0/events").await["items"], json!([]));
    scene.client.patch(&path, &json!({ "active": false })).await.expect(200);
    scene.client.post(&format!("{path}/test"), &json!({})).await.expect(409);
}

#[tokio::test]
async fn a_delivery_belongs_to_its_subscription() {
    let scene = Scene::start().await;
    let path = scene.subscribe(json!({ "url": URL })).await;
    scene.happen().await;
    let id = listed(&scene, &path, "").await[0]["deliveryId"].as_str().unwrap().to_owned();
    let later = scene.subscribe(json!({ "url": URL })).await;
    scene.client.get(&format!("{later}/deliveries/{id}")).await.expect(404);
    let stranger = scene.app.stranger().await;
    let theirs = subscribe(&stranger, json!({ "url": URL })).await;
    happen(&stranger).await;
    stranger.get(&format!("{theirs}/deliveries/{id}")).await.expect(404);
    stranger.get(&format!("{path}/deliveries/{id}")).await.expect(404);
}
