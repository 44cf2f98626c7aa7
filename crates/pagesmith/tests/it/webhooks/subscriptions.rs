//! The five operations of the contract.

use pagesmith_testkit::TestApp;
use serde_json::json;

use super::{PATH, Scene, URL, id_of};

#[tokio::test]
async fn a_subscription_is_made_with_its_secret_and_shown_without() {
    let scene = Scene::start().await;
    let body = json!({ "url": URL, "events": ["page.version.published", "form.submitted"] });
    let made = scene.client.post(PATH, &body).await.expect(201).json();
    let secret = made["signingSecret"].as_str().unwrap();
    assert!(secret.starts_with("whsec_") && secret.len() == 50, "{secret}");
    let path = format!("{PATH}/{}", made["subscriptionId"].as_str().unwrap());
    let mut shown = made.clone();
    shown.as_object_mut().unwrap().remove("signingSecret");
    assert_eq!(scene.get(&path).await, shown);
    assert_eq!(scene.get(PATH).await["items"], json!([shown]));
    shown["subscriptionId"] = json!("sub_…");
    insta::assert_snapshot!(format!("{shown:#}"), @r#"
    {
      "active": true,
      "createdAt": "2026-03-01T12:00:00.000Z",
      "events": [
        "page.version.published",
        "form.submitted"
      ],
      "subscriptionId": "sub_…",
      "updatedAt": "2026-03-01T12:00:00.000Z",
      "url": "https://example.com/hooks"
    }
    "#);
}

#[tokio::test]
async fn a_host_in_another_script_is_kept_in_its_ascii_form_and_every_uri_as_it_was_sent() {
    let scene = Scene::start().await;
    for (sent, kept) in [
        ("https://bücher.example/hook", "https://xn--bcher-kva.example/hook"),
        ("https://BÜCHER.example.:8443/Hook?a=B", "https://xn--bcher-kva.example:8443/Hook?a=B"),
        ("https://b%C3%BCcher.example/hook", "https://b%C3%BCcher.example/hook"),
        ("https://xn--bcher-kva.example/hook", "https://xn--bcher-kva.example/hook"),
        ("https://Example.com./hook", "https://Example.com./hook"),
    ] {
        let path = scene.subscribe(json!({ "url": sent })).await;
        assert_eq!(scene.get(&path).await["url"], kept);
    }
    let path = scene.subscribe(json!({ "url": URL })).await;
    let patched =
        scene.client.patch(&path, &json!({ "url": "https://例え.テスト/" })).await.expect(200).json();
    assert_eq!(patched["url"], "https://xn--r8jz45g.xn--zckzah/");
}

#[tokio::test]
async fn no_choice_is_all_and_doubles_are_dropped() {
    let scene = Scene::start().await;
    for (events, expected) in
        [(json!(null), json!(null)), (json!(["form.enriched", "form.enriched"]), json!(["form.enriched"]))]
    {
        let made = scene.client.post(PATH, &json!({ "url": URL, "events": events })).await.expect(201).json();
        assert_eq!(made["events"], expected);
    }
    let made = scene.client.post(PATH, &json!({ "url": URL, "active": false })).await.expect(201).json();
    assert_eq!((&made["events"], &made["active"]), (&json!(null), &json!(false)));
}

#[tokio::test]
async fn fifty_is_the_most_and_a_deleted_one_makes_room() {
    let scene = Scene::start().await;
    let mut paths = Vec::new();
    for _ in 0..50 {
        paths.push(scene.subscribe(json!({ "url": URL })).await);
    }
    let refused = scene.client.post(PATH, &json!({ "url": URL })).await.expect(409).json();
    assert_eq!(refused["details"], json!({ "limit": 50 }));
    // All at once if nobody asks for parts.
    let all = scene.get(PATH).await;
    assert_eq!((all["items"].as_array().unwrap().len(), &all["totalCount"]), (50, &json!(50)));
    assert_eq!(all["items"][0]["subscriptionId"], id_of(&paths[49]));
    scene.client.delete(&paths[7]).await.expect(200);
    scene.subscribe(json!({ "url": URL })).await;
}

#[tokio::test]
async fn a_walk_in_parts_misses_and_repeats_nothing() {
    let scene = Scene::start().await;
    for _ in 0..5 {
        scene.subscribe(json!({ "url": URL })).await;
    }
    let all = scene.get(PATH).await["items"].as_array().unwrap().clone();
    let (mut walked, mut path) = (Vec::new(), format!("{PATH}?limit=2"));
    loop {
        let part = scene.get(&path).await;
        walked.extend(part["items"].as_array().unwrap().clone());
        assert_eq!(part["totalCount"], 5);
        let Some(cursor) = part["nextCursor"].as_str() else { break };
        path = format!("{PATH}?limit=2&cursor={cursor}");
    }
    assert_eq!(walked, all);
}

#[tokio::test]
async fn only_what_is_given_changes() {
    let scene = Scene::start().await;
    let path = scene.subscribe(json!({ "url": URL, "events": ["form.submitted"] })).await;
    let before = scene.get(&path).await;
    assert_eq!(scene.client.patch(&path, &json!({})).await.expect(200).json(), before);
    scene.app.advance(std::time::Duration::from_secs(1));
    let other = "https://example.org/";
    let after = scene.client.patch(&path, &json!({ "url": other })).await.expect(200).json();
    assert_eq!((&after["url"], &after["events"]), (&json!(other), &before["events"]));
    assert_ne!(after["updatedAt"], before["updatedAt"]);
    let after =
        scene.client.patch(&path, &json!({ "active": false, "events": null })).await.expect(200).json();
    assert_eq!((&after["active"], &after["events"]), (&json!(false), &json!(null)));
    let stale = scene.client.with("if-match", "\"stale\"");
    stale.patch(&path, &json!({ "active": true })).await.expect(412);
    stale.delete(&path).await.expect(412);
    let tag = scene.client.get(&path).await.expect(200).header("etag").unwrap().to_owned();
    scene.client.with("if-match", &tag).patch(&path, &json!({ "active": true })).await.expect(200);
}

#[tokio::test]
async fn a_deleted_one_is_gone() {
    let scene = Scene::start().await;
    let path = scene.subscribe(json!({ "url": URL })).await;
    assert_eq!(scene.client.delete(&path).await.expect(200).json(), json!({ "success": true }));
    scene.client.get(&path).await.expect(404);
    scene.client.patch(&path, &json!({})).await.expect(404);
    scene.client.delete(&path).await.expect(404);
    assert_eq!(scene.get(PATH).await["totalCount"], 0);
}

#[tokio::test]
async fn the_same_request_makes_one_subscription_with_one_secret() {
    let app = TestApp::start().await;
    let client = app.client().with("idempotency-key", "k");
    let first = client.post(PATH, &json!({ "url": URL })).await.expect(201);
    let again = client.post(PATH, &json!({ "url": URL })).await.expect(201);
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(again.bytes, first.bytes);
    assert_eq!(client.get(PATH).await.expect(200).json()["totalCount"], 1);
}
