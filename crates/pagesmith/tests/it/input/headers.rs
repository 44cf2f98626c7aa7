//! Headers that carry meaning: `Idempotency-Key` and `x-api-key`.

use axum::body::Body;
use pagesmith_testkit::fixtures;
use serde_json::json;

use super::Bench;

#[tokio::test]
async fn an_idempotency_key_has_one_to_255_characters() {
    let bench = Bench::start().await;
    let page = fixtures::page("Keyed").to_string();
    let long = "k".repeat(256);
    let wrong: [&[u8]; 5] = [b"", long.as_bytes(), "schlüssel".as_bytes(), b"\xff", b"a\x80b"];
    for key in wrong {
        let headers: &[(&str, &[u8])] = &[("content-type", b"application/json"), ("idempotency-key", key)];
        for (path, body) in [("/v0/pages", page.as_str()), (&format!("{}/archive", bench.page), "{}")] {
            let answer = bench.raw("POST", path, headers, Body::from(body.to_owned())).await;
            assert_eq!(answer.json()["details"][0]["field"], "headers");
            assert_eq!(answer.issues(), [("invalid_value".to_owned(), "idempotency-key".to_owned())]);
        }
    }
    bench.unchanged().await;
    for key in ["k", " ", "a b", "\"quoted\"", &long[1..], "{}[]()<>@,;:\\/?="] {
        let client = bench.app.client().with("idempotency-key", key);
        client.post("/v0/pages", &fixtures::page("Keyed")).await.expect(201);
        let again = client.post("/v0/pages", &fixtures::page("Keyed")).await.expect(201);
        assert_eq!(again.header("idempotent-replayed"), Some("true"), "{key}");
    }
}

#[tokio::test]
async fn an_idempotency_key_that_stands_twice_is_refused() {
    let bench = Bench::start().await;
    let client = bench.app.client().with("idempotency-key", "a").with("idempotency-key", "b");
    let issues = client.post("/v0/pages", &fixtures::page("Keyed")).await.issues();
    assert_eq!(issues, [("invalid_value".to_owned(), "idempotency-key".to_owned())]);
    bench.unchanged().await;
}

#[tokio::test]
async fn a_refused_request_leaves_its_idempotency_key_free() {
    let bench = Bench::start().await;
    let client = bench.app.client().with("idempotency-key", "once");
    client.post("/v0/pages", &json!({})).await.expect(400);
    client.send("POST", "/v0/pages", Some(b"{".to_vec())).await.expect(400);
    let mut page = fixtures::page("Keyed");
    page["headerActionId"] = json!("nothing");
    client.post("/v0/pages", &page).await.expect(400);
    client.with("content-type", "text/plain").post("/v0/pages", &page).await.expect(415);
    let made = client.post("/v0/pages", &fixtures::page("Keyed")).await.expect(201);
    assert_eq!(made.header("idempotent-replayed"), None);
}

#[tokio::test]
async fn other_methods_pay_no_heed_to_an_idempotency_key() {
    let bench = Bench::start().await;
    let client = bench.app.client().with("idempotency-key", "");
    client.get("/v0/pages").await.expect(200);
    client.patch(&bench.page, &json!({})).await.expect(200);
    client.delete(&bench.page).await.expect(200);
}

#[tokio::test]
async fn a_key_that_is_no_key_is_refused() {
    let bench = Bench::start().await;
    let long = "k".repeat(20_000);
    let mut keys: Vec<Vec<u8>> = ["", " ", "ps_", "Bearer x", "null", long.as_str()]
        .iter()
        .map(|key| key.as_bytes().to_vec())
        .collect();
    keys.extend([b"\xff".to_vec(), "schlüssel".as_bytes().to_vec()]);
    let key = bench.app.key.clone();
    keys.extend(
        [
            key.to_uppercase(),
            key[1..].to_owned(),
            format!("{key}x"),
            format!("Bearer {key}"),
            format!("\"{key}\""),
        ]
        .map(String::into_bytes),
    );
    for key in keys {
        let request =
            http::Request::get("/v0/pages").header("x-api-key", key.as_slice()).body(Body::empty()).unwrap();
        bench.app.client().raw(request).await.expect(401);
    }
    let elsewhere = http::Request::get(format!("/v0/pages?x-api-key={key}"))
        .header("authorization", format!("Bearer {key}"));
    bench.app.client().raw(elsewhere.body(Body::empty()).unwrap()).await.expect(401);
}

#[tokio::test]
async fn faults_of_the_headers_and_the_body_are_told_together() {
    let bench = Bench::start().await;
    let client = bench.app.client().with("idempotency-key", "");
    let answer = client.post("/v0/pages", &json!({ "name": 1 })).await.expect(400).json();
    let parts: Vec<_> =
        answer["details"].as_array().unwrap().iter().map(|part| part["field"].clone()).collect();
    assert_eq!(parts, ["headers", "body"]);
}
