//! `x-request-id`: every answer has one, and the client's own is kept if it has our form.

use axum::body::Body;
use axum::http::Request;
use pagesmith_testkit::TestApp;

#[tokio::test]
async fn a_well_formed_id_is_kept() {
    let app = TestApp::start().await;
    let long = format!("req_{}", "Z".repeat(64));
    for id in ["req_1", "req_abcXYZ019", long.as_str()] {
        for path in ["/v0/pages", "/v0/pages/none", "/healthz", "/nothing"] {
            let answer = app.client().with("x-request-id", id).get(path).await;
            assert_eq!(answer.header("x-request-id"), Some(id), "{path}");
        }
        let error = app.anonymous().with("x-request-id", id).get("/v0/pages").await.expect(401);
        assert_eq!(error.json()["requestId"], id);
    }
}

#[tokio::test]
async fn any_other_id_is_replaced() {
    let app = TestApp::start().await;
    let long = format!("req_{}", "Z".repeat(65));
    let ids: [&[u8]; 9] =
        [b"", b"1", b"req_", b"REQ_1", b"req-1", b"req_a b", b"req_a_b", long.as_bytes(), "req_ü".as_bytes()];
    for id in ids {
        let request = Request::get("/v0/pages").header("x-request-id", id).body(Body::empty()).unwrap();
        let answer = app.client().raw(request).await.expect(401);
        let given = answer.header("x-request-id").unwrap();
        assert_ne!(given.as_bytes(), id);
        let digits = given.strip_prefix("req_").unwrap();
        assert!(
            digits.len() == 26
                && digits.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()),
            "{given}"
        );
        assert_eq!(answer.json()["requestId"], given);
    }
}

#[tokio::test]
async fn no_two_requests_have_the_same_id() {
    let app = TestApp::start().await;
    let mut ids = vec![];
    for path in ["/v0/pages", "/v0/pages", "/healthz", "/nothing", "/v0/pages"] {
        ids.push(app.client().get(path).await.header("x-request-id").unwrap().to_owned());
    }
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 5);
}
