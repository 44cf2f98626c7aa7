//! `/openapi.json`, which everybody may ask for: made once and then only sent.

use std::io::Read;

use axum::http::StatusCode;
use futures_util::FutureExt;
use pagesmith_testkit::TestApp;

#[tokio::test]
async fn the_description_is_made_once_and_a_client_that_has_it_is_told_so() {
    let app = TestApp::start().await;
    let first = app.anonymous().get("/openapi.json").await.expect(200);
    // No place is left to make anything; it is there already.
    let taken = app.state.offload.take_all().await;
    let again = app.anonymous().get("/openapi.json").now_or_never().unwrap();
    assert_eq!(again.bytes, first.bytes);
    drop(taken);
    let tag = first.headers["etag"].to_str().unwrap().to_owned();
    assert!(tag.starts_with('"'), "{tag} is not a strong one");
    let known = app.anonymous().with("if-none-match", &tag).get("/openapi.json").await;
    assert_eq!((known.status, known.bytes.len()), (StatusCode::NOT_MODIFIED, 0));
    assert_eq!(known.headers["etag"], first.headers["etag"]);
    let other = app.anonymous().with("if-none-match", "\"other\"").get("/openapi.json").await;
    other.expect(200);
}

#[tokio::test]
async fn the_description_travels_compressed_and_each_form_has_its_tag() {
    let app = TestApp::start().await;
    let plain = app.anonymous().get("/openapi.json").await.expect(200);
    let gzip = app.anonymous().with("accept-encoding", "gzip").get("/openapi.json").await.expect(200);
    assert_eq!(
        (&gzip.headers["content-encoding"], &gzip.headers["vary"]),
        (&"gzip".parse().unwrap(), &plain.headers["vary"])
    );
    assert!(gzip.bytes.len() * 5 < plain.bytes.len());
    assert_ne!(gzip.headers["etag"], plain.headers["etag"]);
    let mut text = Vec::new();
    flate2::read::GzDecoder::new(&gzip.bytes[..]).read_to_end(&mut text).unwrap();
    assert!(text == plain.bytes);
    let brotli = app.anonymous().with("accept-encoding", "br, gzip").get("/openapi.json").await.expect(200);
    assert_eq!(brotli.headers["content-encoding"], "br");
}
