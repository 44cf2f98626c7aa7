//! The body as a whole: its type, size and depth, and what stands for none.

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream;
use pagesmith_testkit::fixtures;
use serde_json::{Value, json};

use super::{Bench, assert_issues};

const MIB: usize = 1024 * 1024;

/// A page whose JSON is exactly so many bytes.
fn page_of(bytes: usize) -> Vec<u8> {
    let mut page = fixtures::page("Big");
    let rest = bytes - page.to_string().len();
    page["pageContext"] = Value::String("x".repeat(rest.min(200_000)));
    let mut body = page.to_string().into_bytes();
    body.resize(bytes, b' ');
    body
}

#[tokio::test]
async fn a_body_of_one_mebibyte_is_the_largest() {
    let bench = Bench::start().await;
    let json: &[(&str, &[u8])] = &[("content-type", b"application/json")];
    let largest = bench.raw("POST", "/v0/pages", json, page_of(MIB).into()).await.expect(201).json();
    let path = format!("/v0/pages/{}", largest["pageId"].as_str().unwrap());
    assert_eq!(bench.app.client().get(&path).await.expect(200).json(), largest);
    bench.app.client().delete(&path).await.expect(200);
    // Told by its length beforehand, found while it arrives, or arriving otherwise than told.
    for length in [Some((MIB + 1).to_string()), Some("18446744073709551615".to_owned()), None] {
        let mut headers = json.to_vec();
        headers.extend(length.as_ref().map(|length| ("content-length", length.as_bytes())));
        for (method, path) in [("POST", "/v0/pages"), ("PATCH", bench.page.as_str())] {
            let answer = bench.raw(method, path, &headers, page_of(MIB + 1).into()).await.expect(413);
            assert_eq!(answer.json()["code"], "VALIDATION_ERROR");
        }
    }
    bench.unchanged().await;
}

#[tokio::test]
async fn a_body_that_comes_in_pieces_is_taken() {
    let bench = Bench::start().await;
    let pieces: Vec<Result<Bytes, std::io::Error>> =
        page_of(5_000).chunks(7).map(|piece| Ok(Bytes::copy_from_slice(piece))).collect();
    let body = Body::from_stream(stream::iter(pieces));
    bench.raw("POST", "/v0/pages", &[("content-type", b"application/json")], body).await.expect(201);
}

#[tokio::test]
async fn a_body_that_breaks_off_is_refused() {
    let bench = Bench::start().await;
    let body = page_of(5_000);
    let pieces = vec![Ok(Bytes::copy_from_slice(&body)), Err(std::io::Error::other("gone"))];
    let body = Body::from_stream(stream::iter(pieces));
    let answer = bench.raw("POST", "/v0/pages", &[("content-type", b"application/json")], body).await;
    assert_issues(answer, &[("incomplete", "")], "a broken body");
    bench.unchanged().await;
}

#[tokio::test]
async fn only_json_is_taken() {
    let bench = Bench::start().await;
    let page = fixtures::page("Typed").to_string();
    let others: &[Option<&[u8]>] = &[
        None,
        Some(b""),
        Some(b"text/plain"),
        Some(b"text/json"),
        Some(b"application/jsonp"),
        Some(b"application/x-www-form-urlencoded"),
        Some(b"multipart/form-data; boundary=x"),
        Some(b"json"),
        Some(b"*/*"),
        Some(b"\xff"),
        Some(b"text/plain; application/json"),
    ];
    for other in others {
        let headers: Vec<(&str, &[u8])> = other.iter().map(|value| ("content-type", *value)).collect();
        for (method, path) in [("POST", "/v0/pages"), ("PATCH", bench.page.as_str())] {
            let answer = bench.raw(method, path, &headers, page.clone().into()).await.expect(415);
            assert_eq!(answer.json()["code"], "VALIDATION_ERROR", "{other:?}");
        }
    }
    bench.unchanged().await;
    for taken in [
        "application/json",
        "Application/JSON",
        "application/json; charset=utf-8",
        "application/json;charset=UTF-8",
        "application/merge-patch+json",
    ] {
        bench
            .raw("POST", "/v0/pages", &[("content-type", taken.as_bytes())], page.clone().into())
            .await
            .expect(201);
    }
}

#[tokio::test]
async fn a_body_that_is_coded_is_refused() {
    let bench = Bench::start().await;
    let page = fixtures::page("Coded").to_string();
    let json = ("content-type", &b"application/json"[..]);
    for coding in ["gzip", "br", "GZIP", "deflate, gzip", "identity, gzip", "x", "\u{e9}"] {
        let headers = [json, ("content-encoding", coding.as_bytes())];
        for (method, path) in [("POST", "/v0/pages"), ("PATCH", bench.page.as_str())] {
            let answer = bench.raw(method, path, &headers, page.clone().into()).await.expect(415);
            assert_eq!(answer.header("accept-encoding"), Some("identity"), "{coding}");
            let detail = "The body must not be compressed: Content-Encoding can only be identity.";
            assert_eq!(answer.json()["detail"], detail);
        }
    }
    let twice = [json, ("content-encoding", b"identity"), ("content-encoding", b"gzip")];
    bench.raw("POST", "/v0/pages", &twice, page.clone().into()).await.expect(415);
    let file = [("content-encoding", &b"gzip"[..])];
    bench.raw("POST", "/v0/files", &file, Body::from("a")).await.expect(415);
    bench.unchanged().await;
    for coding in ["identity", "Identity", "", " identity , identity"] {
        let headers = [json, ("content-encoding", coding.as_bytes())];
        bench.raw("POST", "/v0/pages", &headers, page.clone().into()).await.expect(201);
    }
}

#[tokio::test]
async fn no_body_stands_for_an_empty_object_only_where_one_is_enough() {
    let bench = Bench::start().await;
    for headers in [&[][..], &[("content-length", &b"0"[..])], &[("content-type", &b"application/json"[..])]]
    {
        let answer = bench.raw("POST", "/v0/pages", headers, Body::empty()).await;
        assert_issues(answer, &[("required", "")], "no body");
        // A change of nothing is `{}`, but it has to be said.
        let answer = bench.raw("PATCH", &bench.page, headers, Body::empty()).await;
        assert_issues(answer, &[("required", "")], "no body");
        bench.unchanged().await;
        bench.raw("POST", &format!("{}/archive", bench.page), headers, Body::empty()).await.expect(200);
        bench.raw("POST", &format!("{}/restore", bench.page), headers, Body::empty()).await.expect(200);
    }
}

#[tokio::test]
async fn what_is_not_an_object_is_refused() {
    let bench = Bench::start().await;
    for body in ["null", "[]", "[{}]", "true", "0", "1e999", "\"{}\"", "\"\""] {
        bench.refuses(body, &[("invalid_type", "")]).await;
        for step in ["archive", "restore"] {
            let path = format!("{}/{step}", bench.page);
            let answer = bench.app.client().send("POST", &path, Some(body.as_bytes().to_vec())).await;
            assert_issues(answer, &[("invalid_type", "")], body);
        }
    }
    let answer = bench.app.client().post(&format!("{}/archive", bench.page), &json!({ "force": true })).await;
    assert_issues(answer, &[("unrecognized_key", "force")], "an empty object with a field");
    bench.unchanged().await;
}

#[tokio::test]
async fn a_get_or_delete_reads_no_body() {
    let bench = Bench::start().await;
    for body in [Body::empty(), Body::from("{"), Body::from(vec![b'x'; 2 * MIB])] {
        bench.raw("GET", "/v0/pages", &[("content-type", b"text/plain")], body).await.expect(200);
    }
    let headers: &[(&str, &[u8])] = &[("content-length", b"2000000"), ("content-type", b"image/png")];
    bench.raw("DELETE", &bench.page, headers, Body::from("x")).await.expect(200);
}

#[tokio::test]
async fn sixty_four_levels_are_the_deepest() {
    let bench = Bench::start().await;
    let nested = |levels: usize| {
        format!("{{\"metadata\":{}1{}}}", "{\"a\":".repeat(levels - 1), "}".repeat(levels - 1))
    };
    let answer = bench.app.client().send("PATCH", &bench.page, Some(nested(64).into_bytes())).await;
    assert_issues(answer, &[("unrecognized_key", "metadata.a")], "64 levels");
    for levels in [65, 128, 129, 50_000] {
        let answer = bench.app.client().send("PATCH", &bench.page, Some(nested(levels).into_bytes())).await;
        let path = ["metadata"].into_iter().chain(std::iter::repeat_n("a", 63)).collect::<Vec<_>>().join(".");
        assert_issues(answer, &[("too_deep", path.leak())], "too many levels");
    }
    for open in ["[", "{\"a\":", "[[{\"a\":["] {
        let answer =
            bench.app.client().send("POST", "/v0/pages", Some(open.repeat(20_000).into_bytes())).await;
        assert!(answer.issues().iter().any(|(code, _)| code == "too_deep"), "{open}");
    }
    bench.unchanged().await;
}
