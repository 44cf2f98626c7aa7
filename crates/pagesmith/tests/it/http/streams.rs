//! Streams of events of every kind: when they end.

use std::collections::BTreeSet;
use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, StatusCode};
use futures_util::future::join_all;
use http_body_util::BodyExt;
use pagesmith_model::key::Scope;
use pagesmith_operations::keys::NewKey;
use pagesmith_testkit::{Client, TestApp};
use serde_json::json;
use tokio::time::timeout;

use crate::audiences;

/// How soon a stream must have ended once this process knows that its key is revoked, which it learns within two seconds. Together five.
const SOON: Duration = Duration::from_secs(3);

/// The operations whose answers may be streams, as the description has them.
async fn described(client: &Client) -> BTreeSet<String> {
    let description = client.get("/openapi.json").await.expect(200).json();
    let paths = description["paths"].as_object().unwrap().iter();
    let streams = paths
        .filter(|(_, methods)| !methods["get"]["responses"]["200"]["content"]["text/event-stream"].is_null());
    streams.map(|(path, _)| path.clone()).collect()
}

/// A path of each kind of stream, none of which ends by itself, and the operation it belongs to.
async fn of_every_kind(client: &Client) -> Vec<(&'static str, String)> {
    let page = audiences::page(client).await;
    let subscription = json!({ "url": "https://example.com/hooks" });
    let subscription = client.post("/v0/webhook_subscriptions", &subscription).await.expect(201).json();
    let subscription =
        format!("/v0/webhook_subscriptions/{}", subscription["subscriptionId"].as_str().unwrap());
    // The version that nobody writes is told to the subscription.
    let audience = audiences::audience(client, &page, &json!({ "publishBehavior": "draft" })).await;
    let first = async |path: &str, id: &str| {
        let listed = client.get(path).await.expect(200).json();
        listed["items"][0][id].as_str().unwrap().to_owned()
    };
    let version = first(&format!("{audience}/versions"), "versionId").await;
    let delivery = first(&format!("{subscription}/deliveries"), "deliveryId").await;
    let talking = audiences::audience(client, &page, &json!({ "publishBehavior": "draft" })).await;
    let draft = first(&format!("{talking}/versions"), "versionId").await;
    let draft = format!("{talking}/versions/{draft}");
    client.post(&format!("{draft}/cancel"), &json!({})).await.expect(200);
    let content =
        json!({ "blocks": [{ "type": "text", "blockId": "why", "title": "Why", "markdown": "So." }] });
    let content = Some(content.to_string().into_bytes());
    client.send("PUT", &format!("{draft}/content"), content).await.expect(200);
    let message = json!({ "message": "Remove the text" });
    client.post(&format!("{talking}/messages"), &message).await.expect(202);
    let file = client.upload("contacts.csv", b"Name,E-mail\nAda,ada@example.com\n").await.expect(201).json();
    let import = json!({ "fileId": file["fileId"] });
    let import = client.post("/v0/person_imports", &import).await.expect(201).json();
    let import = format!("/v0/person_imports/{}", import["personImportId"].as_str().unwrap());
    client.post(&format!("{import}/start"), &json!({})).await.expect(200);
    vec![
        ("/v0/pages/{page_id}/analytics/live", format!("{page}/analytics/live")),
        (
            "/v0/pages/{page_id}/audiences/{audience_id}/messages/active_run/progress",
            format!("{talking}/messages/active_run/progress"),
        ),
        (
            "/v0/pages/{page_id}/audiences/{audience_id}/versions/{version_id}/progress",
            format!("{audience}/versions/{version}/progress"),
        ),
        ("/v0/person_imports/{person_import_id}/progress", format!("{import}/progress")),
        (
            "/v0/webhook_subscriptions/{subscription_id}/deliveries/{delivery_id}",
            format!("{subscription}/deliveries/{delivery}"),
        ),
        ("/v0/webhook_subscriptions/{subscription_id}/stats", format!("{subscription}/stats")),
    ]
}

/// Opens the stream and reads its first event.
async fn follow(app: &TestApp, path: &str, key: &str) -> Body {
    let request = Request::get(path).header("x-api-key", key).header("accept", "text/event-stream");
    let request = request.body(Body::empty()).unwrap();
    let response = tower::ServiceExt::oneshot(app.router.clone(), request).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK, "{path}");
    let mut body = response.into_body();
    let first = body.frame().await.unwrap().unwrap().into_data().unwrap();
    assert!(first.starts_with(b"event: "), "{path}");
    body
}

#[tokio::test]
async fn a_stream_of_any_kind_ends_soon_after_its_key_was_revoked() {
    let app = TestApp::start().await;
    let client = app.client();
    let kinds = of_every_kind(&client).await;
    let listed: BTreeSet<String> = kinds.iter().map(|(operation, _)| (*operation).to_owned()).collect();
    assert_eq!(listed, described(&client).await);
    let issued = app
        .issue(NewKey {
            name: "followed".to_owned(),
            scope: Scope::Read,
            tenants: vec!["acme".to_owned()],
            expires_in: None,
            rate_limit: None,
        })
        .await;
    let opened = kinds.iter().map(|(_, path)| follow(&app, path, &issued.secret));
    let bodies: Vec<Body> = join_all(opened).await;
    app.revoke(issued.key.key_id).await;
    let ended = bodies.into_iter().map(|body| timeout(SOON, body.collect()));
    let ended = join_all(ended).await.into_iter().zip(&kinds);
    let late: Vec<&str> = ended
        .filter_map(|(rest, (operation, _))| {
            let Ok(rest) = rest else { return Some(*operation) };
            assert_eq!(rest.unwrap().to_bytes(), "", "{operation}");
            None
        })
        .collect();
    assert_eq!(late, Vec::<&str>::new());
}
