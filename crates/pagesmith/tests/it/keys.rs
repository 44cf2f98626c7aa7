//! Keys that a tenant makes itself.

use std::time::Duration;

use pagesmith_model::key::Scope;
use pagesmith_operations::keys::NewKey;
use pagesmith_testkit::TestApp;
use serde_json::json;

fn new(tenants: &[&str], expires_in: Option<Duration>, rate_limit: Option<u32>) -> NewKey {
    NewKey {
        name: "maker".to_owned(),
        scope: Scope::Write,
        tenants: tenants.iter().map(ToString::to_string).collect(),
        expires_in,
        rate_limit,
    }
}

#[tokio::test]
async fn a_key_works_until_it_is_revoked_and_its_use_is_told() {
    let app = TestApp::start().await;
    let client = app.client();
    let body = json!({ "name": " CRM ", "scope": "read", "expiresInDays": 30 });
    let issued = client.post("/v0/keys", &body).await.expect(201).json();
    let (secret, key) = (issued["secret"].as_str().unwrap(), &issued["key"]);
    assert!(secret.starts_with("ps_"));
    assert_eq!(
        (&key["name"], &key["scope"], &key["lastUsedAt"]),
        (&json!("CRM"), &json!("read"), &json!(null))
    );
    app.refresh().await;
    let reader = app.client_with(secret);
    reader.get("/v0/pages").await.expect(200);
    reader.post("/v0/keys", &json!({ "name": "x", "scope": "read" })).await.expect(403);
    app.run_due_work().await;
    let path = format!("/v0/keys/{}", key["keyId"].as_str().unwrap());
    let shown = client.get(&path).await.expect(200).json();
    assert_eq!(shown["lastUsedAt"], shown["createdAt"], "the clock stands still");
    assert!(shown.get("secret").is_none());
    let revoked = client.post(&format!("{path}/revoke"), &json!({})).await.expect(200).json();
    assert!(revoked["revokedAt"].is_string());
    assert_eq!(client.post(&format!("{path}/revoke"), &json!({})).await.expect(200).json(), revoked);
    app.refresh().await;
    reader.get("/v0/pages").await.expect(401);
    client.post(&format!("{path}/rotate"), &json!({})).await.expect(409);
}

#[tokio::test]
async fn a_key_never_has_more_than_its_maker() {
    let app = TestApp::start().await;
    let day = Duration::from_hours(24);
    let maker = app.issue(new(&["acme"], Some(10 * day), Some(50))).await;
    let client = app.client_with(&maker.secret);
    let wanted = |days: u32| json!({ "name": "child", "scope": "write", "expiresInDays": days });
    let refused = client.post("/v0/keys", &wanted(11)).await.issues();
    assert_eq!(refused, [("invalid_value".to_owned(), "expiresInDays".to_owned())]);
    client.post("/v0/keys", &wanted(10)).await.expect(201);
    let unlimited = json!({ "name": "child", "scope": "write" });
    let issued = client.post("/v0/keys", &unlimited).await.expect(201).json();
    let end = maker.key.expires_at.unwrap().to_string();
    assert_eq!(issued["key"]["expiresAt"], end.as_str());
    app.refresh().await;
    let limited = app.client_with(issued["secret"].as_str().unwrap()).get("/v0/pages").await.expect(200);
    assert!(limited.header("ratelimit-policy").unwrap().contains("50"), "{limited:?}");
    // A day later the key could give itself a day more.
    app.advance(day);
    let own = format!("/v0/keys/{}/rotate", maker.key.key_id);
    client.post(&own, &json!({})).await.expect(403);
    let others = app.client().get("/v0/keys").await.expect(200).json();
    let other = others["items"].as_array().unwrap().iter().find(|key| key["name"] == "test").unwrap();
    client
        .post(&format!("/v0/keys/{}/rotate", other["keyId"].as_str().unwrap()), &json!({}))
        .await
        .expect(403);
    assert_eq!(app.client().get("/v0/keys").await.expect(200).json()["totalCount"], others["totalCount"]);
}

#[tokio::test]
async fn a_key_rotates_none_that_may_send_more_requests_and_each_that_may_not() {
    let app = TestApp::start().await;
    let mut keys = vec![];
    for limit in [Some(50), None, Some(1_000_000)] {
        keys.push(app.issue(new(&["acme"], None, limit)).await);
    }
    for (maker, of_maker) in keys.iter().enumerate() {
        let client = app.client_with(&of_maker.secret);
        for (other, of_other) in keys.iter().enumerate() {
            let path = format!("/v0/keys/{}/rotate", of_other.key.key_id);
            let status = if other <= maker { 201 } else { 403 };
            client.post(&path, &json!({})).await.expect(status);
        }
    }
}

#[tokio::test]
async fn a_rotated_key_works_for_its_overlap() {
    let app = TestApp::start().await;
    let old = app.issue(new(&["acme"], None, None)).await;
    let path = format!("/v0/keys/{}/rotate", old.key.key_id);
    let issued = app.client().post(&path, &json!({ "overlapHours": 2 })).await.expect(201).json();
    assert_eq!(issued["key"]["name"], "maker");
    app.refresh().await;
    app.client_with(issued["secret"].as_str().unwrap()).get("/v0/pages").await.expect(200);
    app.advance(Duration::from_secs(2 * 3600 - 1));
    app.client_with(&old.secret).get("/v0/pages").await.expect(200);
    app.advance(Duration::from_secs(1));
    app.client_with(&old.secret).get("/v0/pages").await.expect(401);
}

#[tokio::test]
async fn keys_of_several_tenants_and_of_others_do_not_exist() {
    let app = TestApp::start().await;
    let stranger = app.stranger().await;
    let several = app.issue(new(&["acme", "globex"], None, None)).await.key.key_id;
    let own = app.issue(new(&["acme"], None, None)).await.key.key_id;
    for (client, key) in [(&app.client(), &several), (&stranger, &several), (&stranger, &own)] {
        client.get(&format!("/v0/keys/{key}")).await.expect(404);
        client.post(&format!("/v0/keys/{key}/revoke"), &json!({})).await.expect(404);
        client.post(&format!("/v0/keys/{key}/rotate"), &json!({})).await.expect(404);
        assert!(!client.get("/v0/keys").await.expect(200).text().contains(key.as_str()));
    }
}

#[tokio::test]
async fn a_tenant_has_a_bounded_number_of_keys() {
    let app = TestApp::start().await;
    let client = app.client();
    let wanted = json!({ "name": "child", "scope": "read", "expiresInDays": 1 });
    for _ in 0..498 {
        client.post("/v0/keys", &wanted).await.expect(201);
    }
    let last = client.post("/v0/keys", &wanted).await.expect(201).json();
    client.post("/v0/keys", &wanted).await.expect(409);
    // One that works on beside the one in its place would be one more.
    let path = format!("/v0/keys/{}/rotate", last["key"]["keyId"].as_str().unwrap());
    client.post(&path, &json!({ "overlapHours": 1 })).await.expect(409);
    client.post(&path, &json!({ "overlapHours": 0 })).await.expect(201);
    // What has expired does not count.
    app.advance(Duration::from_hours(24));
    client.post("/v0/keys", &wanted).await.expect(201);
}

#[tokio::test]
async fn a_tenants_own_keys_are_listed_part_by_part() {
    let app = TestApp::start().await;
    app.add_tenant("rival").await;
    app.issue(new(&["acme", "rival"], None, None)).await;
    app.issue(new(&["rival"], None, None)).await;
    let client = app.client();
    for name in ["one", "two"] {
        client.post("/v0/keys", &json!({ "name": name, "scope": "read" })).await.expect(201);
    }
    let mut found = vec![];
    let mut path = "/v0/keys?limit=1".to_owned();
    loop {
        let part = client.get(&path).await.expect(200).json();
        assert_eq!(part["totalCount"], 3);
        found.extend(
            part["items"].as_array().unwrap().iter().map(|key| key["name"].as_str().unwrap().to_owned()),
        );
        let Some(cursor) = part["nextCursor"].as_str() else { break };
        path = format!("/v0/keys?limit=1&cursor={cursor}");
    }
    assert_eq!(found, ["two", "one", "test"]);
}
