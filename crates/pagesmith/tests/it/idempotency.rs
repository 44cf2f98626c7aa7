//! `Idempotency-Key`: the same request twice is done once.

mod concurrent;

use std::time::Duration;

use pagesmith_model::TenantId;
use pagesmith_model::key::Scope;
use pagesmith_operations::keys;
use pagesmith_store::tables::idempotency::{self, Record, RecordKey};
use pagesmith_testkit::app::START;
use pagesmith_testkit::{Answer, Client, TestApp, fixtures};
use serde_json::json;

const DAY: Duration = Duration::from_hours(24);

/// How many pages the caller's tenant has.
async fn total(client: &Client) -> u64 {
    client.get("/v0/pages").await.expect(200).json()["totalCount"].as_u64().unwrap()
}

#[track_caller]
fn assert_replay(answer: &Answer, first: &Answer) {
    assert_eq!(answer.status, first.status);
    assert_eq!(answer.bytes, first.bytes);
    assert_eq!(answer.header("idempotent-replayed"), Some("true"));
    assert_eq!(first.header("idempotent-replayed"), None);
    assert_ne!(answer.header("x-request-id"), first.header("x-request-id"));
}

#[tokio::test]
async fn the_same_request_is_answered_with_the_very_bytes_of_the_first_answer() {
    let app = TestApp::start().await;
    let client = app.client().with("idempotency-key", "launch");
    let first = client.post("/v0/pages", &fixtures::full_page()).await.expect(201);
    app.advance(Duration::from_secs(60));
    // What has happened to the page since does not matter.
    let address = format!("/v0/pages/{}", first.json()["pageId"].as_str().unwrap());
    app.client().patch(&address, &json!({ "name": "Autumn" })).await.expect(200);
    app.client().delete(&address).await.expect(200);
    assert_replay(&client.post("/v0/pages", &fixtures::full_page()).await, &first);
    assert_eq!(total(&app.client()).await, 0);
}

#[tokio::test]
async fn order_and_white_space_of_the_body_do_not_matter() {
    let app = TestApp::start().await;
    let client = app.client().with("idempotency-key", "k");
    let send = async |body: &str| client.send("POST", "/v0/pages", Some(body.as_bytes().to_vec())).await;
    let first = send(
        r#"{"name":"A","pageContext":"C","brandId":"","actions":[],"actionCardWidgets":[],"scripts":[{"name":"S","content":"é"}]}"#,
    )
    .await
    .expect(201);
    let other_form = send(
        "{ \"scripts\": [ {\"content\": \"\\u00e9\",\n\"name\": \"S\"} ], \"actions\": [],\t\"actionCardWidgets\": [], \"brandId\": \"\", \"pageContext\": \"C\", \"name\": \"\\u0041\" }",
    )
    .await;
    assert_replay(&other_form, &first);
}

#[tokio::test]
async fn another_body_under_the_same_key_is_a_conflict() {
    let app = TestApp::start().await;
    let client = app.client().with("idempotency-key", "k");
    let first = client.post("/v0/pages", &fixtures::page("A")).await.expect(201);
    for other in ["B", "A ", "a"] {
        let refused = client.post("/v0/pages", &fixtures::page(other)).await.expect(409);
        assert_eq!(refused.header("retry-after"), None);
        assert_eq!(refused.header("idempotent-replayed"), None);
    }
    let mut reordered = fixtures::page("A");
    reordered["scripts"] = json!([{ "name": "S", "content": "" }]);
    client.post("/v0/pages", &reordered).await.expect(409);
    assert_replay(&client.post("/v0/pages", &fixtures::page("A")).await, &first);
    assert_eq!(total(&app.client()).await, 1);
}

#[tokio::test]
async fn no_body_is_the_same_as_an_empty_object() {
    let app = TestApp::start().await;
    let made = app.client().post("/v0/pages", &fixtures::page("A")).await.expect(201).json();
    let archive = format!("/v0/pages/{}/archive", made["pageId"].as_str().unwrap());
    let client = app.client().with("idempotency-key", "k");
    let first = client.send("POST", &archive, None).await.expect(200);
    assert_replay(&client.post(&archive, &json!({})).await, &first);
}

#[tokio::test]
async fn a_replay_does_nothing_again() {
    let app = TestApp::start().await;
    let made = app.client().post("/v0/pages", &fixtures::page("A")).await.expect(201).json();
    let address = format!("/v0/pages/{}", made["pageId"].as_str().unwrap());
    let client = app.client().with("idempotency-key", "k");
    let first = client.post(&format!("{address}/archive"), &json!({})).await.expect(200);
    client.post(&format!("{address}/restore"), &json!({})).await.expect(200);
    assert_replay(&client.post(&format!("{address}/archive"), &json!({})).await, &first);
    assert_eq!(app.client().get(&address).await.expect(200).json()["status"], "draft");
}

#[tokio::test]
async fn refusals_are_not_recorded() {
    let app = TestApp::start().await;
    let client = app.client().with("idempotency-key", "k");
    client.post("/v0/pages", &json!({})).await.expect(400);
    let mut broken = fixtures::page("A");
    broken["headerActionId"] = "nothing".into();
    client.post("/v0/pages", &broken).await.expect(400);
    let made = client.post("/v0/pages", &fixtures::page("A")).await.expect(201);
    assert_eq!(made.header("idempotent-replayed"), None);
    let address = format!("/v0/pages/{}", made.json()["pageId"].as_str().unwrap());
    client.delete(&address).await.expect(200);
    client.post(&format!("{address}/archive"), &json!({})).await.expect(404);
    app.client().post(&format!("{address}/restore"), &json!({})).await.expect(200);
    let archived = client.post(&format!("{address}/archive"), &json!({})).await.expect(200);
    assert_eq!(archived.header("idempotent-replayed"), None);
    assert_eq!(archived.json()["status"], "archived");
}

#[tokio::test]
async fn a_key_belongs_to_its_path_and_tenant() {
    let app = TestApp::start().await;
    let client = app.client().with("idempotency-key", "k");
    let one = client.post("/v0/pages", &fixtures::page("A")).await.expect(201).json();
    let two = app.client().post("/v0/pages", &fixtures::page("A")).await.expect(201).json();
    assert_ne!(one["pageId"], two["pageId"]);
    for page in [&one, &two] {
        for operation in ["archive", "restore"] {
            let path = format!("/v0/pages/{}/{operation}", page["pageId"].as_str().unwrap());
            let done = client.post(&path, &json!({})).await.expect(200);
            assert_eq!(done.header("idempotent-replayed"), None);
            assert_eq!(done.json()["pageId"], page["pageId"]);
        }
    }
    let stranger = app.stranger().await.with("idempotency-key", "k");
    let foreign = stranger.post("/v0/pages", &fixtures::page("Another body")).await.expect(201);
    assert_eq!(foreign.header("idempotent-replayed"), None);
    assert_eq!(total(&stranger).await, 1);
}

#[tokio::test]
async fn other_methods_pay_no_attention_to_it() {
    let app = TestApp::start().await;
    let client = app.client().with("idempotency-key", "k");
    let made = client.post("/v0/pages", &fixtures::page("A")).await.expect(201).json();
    let address = format!("/v0/pages/{}", made["pageId"].as_str().unwrap());
    for name in ["B", "C"] {
        let changed = client.patch(&address, &json!({ "name": name })).await.expect(200);
        assert_eq!(changed.json()["name"], name);
        assert_eq!(changed.header("idempotent-replayed"), None);
    }
    for _ in 0..2 {
        let deleted = client.delete(&address).await.expect(200);
        assert_eq!(deleted.header("idempotent-replayed"), None);
    }
}

#[tokio::test]
async fn an_answer_survives_the_rotation_of_the_callers_key() {
    let app = TestApp::start().await;
    let first =
        app.client().with("idempotency-key", "k").post("/v0/pages", &fixtures::page("A")).await.expect(201);
    let ctx = app.platform.context();
    let rotated = app.store.write(move |tx| {
        let id = keys::list(tx, Some("acme"))?.remove(0).key_id;
        keys::rotate(tx, &ctx, &id, Duration::ZERO)
    });
    let rotated = rotated.await.unwrap().secret;
    app.refresh().await;
    app.client().get("/v0/pages").await.expect(401);
    let client = app.client_with(&rotated).with("idempotency-key", "k");
    assert_replay(&client.post("/v0/pages", &fixtures::page("A")).await, &first);
    let other = app.client_with(&app.add_key("acme", Scope::Write).await).with("idempotency-key", "k");
    assert_replay(&other.post("/v0/pages", &fixtures::page("A")).await, &first);
}

#[tokio::test]
async fn another_node_gives_the_same_answer() {
    let app = TestApp::start().await;
    let first =
        app.client().with("idempotency-key", "k").post("/v0/pages", &fixtures::page("A")).await.expect(201);
    let elsewhere = Client::new(app.second_server(), Some(app.key.clone())).with("idempotency-key", "k");
    assert_replay(&elsewhere.post("/v0/pages", &fixtures::page("A")).await, &first);
    elsewhere.post("/v0/pages", &fixtures::page("B")).await.expect(409);
}

#[tokio::test]
async fn an_answer_is_forgotten_after_a_day() {
    let app = TestApp::start().await;
    let client = app.client().with("idempotency-key", "k");
    let first = client.post("/v0/pages", &fixtures::page("A")).await.expect(201);
    app.advance(DAY - Duration::from_micros(1));
    assert_replay(&client.post("/v0/pages", &fixtures::page("A")).await, &first);
    app.advance(Duration::from_micros(1));
    let again = client.post("/v0/pages", &fixtures::page("B")).await.expect(201);
    assert_eq!(again.header("idempotent-replayed"), None);
    assert_eq!(total(&app.client()).await, 2);
    // The new answer has a day of its own.
    app.advance(DAY - Duration::from_micros(1));
    assert_replay(&client.post("/v0/pages", &fixtures::page("B")).await, &again);
}

/// The record as it is kept, also an expired one that has not been swept.
async fn record(app: &TestApp, tenant: &TenantId, key: &str) -> Option<Record> {
    let key = RecordKey {
        tenant: tenant.clone(),
        idempotency_key: key.to_owned(),
        method: "POST".into(),
        path: "/v0/pages".to_owned(),
    };
    let start = pagesmith_model::Timestamp::from_micros(START);
    app.store.read(move |tx| idempotency::find(tx, &key, start)).await.unwrap()
}

#[tokio::test]
async fn what_has_expired_is_swept_and_nothing_else() {
    let app = TestApp::start().await;
    let post = async |key: &str| {
        app.client().with("idempotency-key", key).post("/v0/pages", &fixtures::page("A")).await.expect(201)
    };
    post("old").await;
    app.advance(Duration::from_secs(1));
    let young = post("young").await;
    app.advance(DAY - Duration::from_secs(1));
    assert!(record(&app, &app.tenant, "old").await.is_some());
    app.run_due_work().await;
    assert!(record(&app, &app.tenant, "old").await.is_none());
    assert!(record(&app, &app.tenant, "young").await.is_some());
    assert_replay(&post_again(&app, "young").await, &young);
}

async fn post_again(app: &TestApp, key: &str) -> Answer {
    app.client().with("idempotency-key", key).post("/v0/pages", &fixtures::page("A")).await
}

#[tokio::test]
async fn a_kept_answer_is_encrypted() {
    let app = TestApp::start().await;
    let name = "A name that can be recognised";
    let made =
        app.client().with("idempotency-key", "k").post("/v0/pages", &fixtures::page(name)).await.expect(201);
    let record = record(&app, &app.tenant, "k").await.unwrap();
    assert_eq!(record.status, 201);
    assert!(record.body.len() > made.bytes.len());
    for part in [name.as_bytes(), b"pageId", made.json()["pageId"].as_str().unwrap().as_bytes()] {
        assert!(!record.body.windows(part.len()).any(|window| window == part));
    }
    let digest = record.request_digest;
    assert!(!digest.windows(4).any(|window| name.as_bytes().windows(4).any(|part| part == window)));
}

#[tokio::test]
async fn a_key_is_one_value_of_1_to_255_characters() {
    let app = TestApp::start().await;
    for key in ["k", "k".repeat(255).as_str(), "with spaces, and \"quotes\""] {
        app.client().with("idempotency-key", key).post("/v0/pages", &fixtures::page("A")).await.expect(201);
        let again = app.client().with("idempotency-key", key).post("/v0/pages", &fixtures::page("A")).await;
        assert_eq!(again.expect(201).header("idempotent-replayed"), Some("true"));
    }
    let before = total(&app.client()).await;
    for client in [
        app.client().with("idempotency-key", ""),
        app.client().with("idempotency-key", &"k".repeat(256)),
        app.client().with("idempotency-key", "ü"),
        app.client().with("idempotency-key", "a").with("idempotency-key", "b"),
    ] {
        let refused = client.post("/v0/pages", &fixtures::page("A")).await;
        assert_eq!(refused.json()["details"][0]["field"], "headers");
        assert_eq!(refused.issues(), [("invalid_value".to_owned(), "idempotency-key".to_owned())]);
    }
    assert_eq!(total(&app.client()).await, before);
}

#[tokio::test]
async fn reading_keys_get_no_replay() {
    let app = TestApp::start().await;
    app.client().with("idempotency-key", "k").post("/v0/pages", &fixtures::page("A")).await.expect(201);
    let reader = app.client_with(&app.add_key("acme", Scope::Read).await).with("idempotency-key", "k");
    reader.post("/v0/pages", &fixtures::page("A")).await.expect(403);
}
