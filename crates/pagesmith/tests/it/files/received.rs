//! `POST /v0/files`: bodies and forms as they come, also broken, endless and hostile ones.

use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use bytes::Bytes;
use futures_util::stream::{self, StreamExt};
use pagesmith_testkit::{Answer, Client, TestApp};
use serde_json::{Value, json};

use super::{PNG, stored};

/// A form with one part for each name, file name and content.
fn form(parts: &[(&str, Option<&str>, &[u8])]) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, file_name, content) in parts {
        let called = file_name.map(|name| format!("; filename=\"{name}\"")).unwrap_or_default();
        let head = format!(
            "--xx\r\nContent-Disposition: form-data; name=\"{name}\"{called}\r\nContent-Type: text/html\r\n\r\n"
        );
        body.extend([head.as_bytes(), content, b"\r\n"].concat());
    }
    body.extend(b"--xx--\r\n");
    body
}

async fn send_form(client: &Client, body: Vec<u8>) -> Answer {
    client
        .with("content-type", "multipart/form-data; boundary=xx")
        .send("POST", "/v0/files", Some(body))
        .await
}

fn codes(answer: &Answer) -> Vec<String> {
    let details = answer.json()["details"].clone();
    let issues =
        details.as_array().unwrap().iter().flat_map(|part| part["issues"].as_array().unwrap().clone());
    issues.map(|issue| issue["code"].as_str().unwrap().to_owned()).collect()
}

/// A request with a body that arrives in these pieces.
fn streamed(
    app: &TestApp,
    pieces: impl futures_util::Stream<Item = Result<Bytes, std::io::Error>> + Send + 'static,
) -> Request<Body> {
    let request = Request::post("/v0/files?name=streamed").header("x-api-key", &app.key);
    request.body(Body::from_stream(pieces)).unwrap()
}

#[tokio::test]
async fn a_file_comes_as_a_body_or_in_a_form() {
    let app = TestApp::start().await;
    let client = app.client();
    let in_form =
        send_form(&client, form(&[("note", None, b"ignored"), ("file", Some("C:\\a\\Über uns.png"), PNG)]));
    let file = in_form.await.expect(201).json();
    assert_eq!(
        (&file["name"], &file["contentType"], &file["size"]),
        (&json!("Über uns.png"), &json!("image/png"), &json!(PNG.len()))
    );
    let disposed = client
        .with("content-type", "text/html")
        .with("content-disposition", "attachment; filename*=UTF-8''%E5%A0%B1%E5%91%8A.md");
    let file = disposed.send("POST", "/v0/files", Some(b"# Hello".to_vec())).await.expect(201).json();
    assert_eq!((&file["name"], &file["contentType"]), (&json!("報告.md"), &json!("text/markdown")));
    // A name in the query wins, and without any it is `file`.
    let file = disposed.send("POST", "/v0/files?name=x.csv", Some(b"a,b".to_vec())).await.expect(201).json();
    assert_eq!((&file["name"], &file["contentType"]), (&json!("x.csv"), &json!("text/csv")));
    let file = client.send("POST", "/v0/files", Some(b"{}".to_vec())).await.expect(201).json();
    assert_eq!((&file["name"], &file["contentType"]), (&json!("file"), &json!("text/plain")));
}

#[tokio::test]
async fn names_that_lie_or_climb_are_cleaned() {
    let app = TestApp::start().await;
    let client = app.client();
    for (sent, kept) in [
        ("../../../etc/cron.d/x", "x"),
        ("invoice\u{202e}fdp.exe", "invoicefdp.exe"),
        ("a\r\nSet-Cookie: x", "aSet-Cookie: x"),
        (&"ж".repeat(300), &"ж".repeat(255)),
    ] {
        assert_eq!(client.upload(sent, b"x").await.expect(201).json()["name"], kept);
    }
    let refused = client.upload("a\0b", b"x").await.expect(400);
    assert_eq!(codes(&refused), ["invalid_character"]);
}

#[tokio::test]
async fn what_is_no_file_is_refused_and_leaves_nothing() {
    let app = TestApp::start().await;
    let client = app.client();
    let whole = form(&[("file", Some("a"), b"content")]);
    for (body, code) in [
        (form(&[("other", Some("a"), b"x")]), "required"),
        (form(&[]), "required"),
        (form(&[("file", Some("a"), b"x"), ("file", Some("b"), b"y")]), "duplicate_key"),
        (form(&[("file", Some("a"), b"")]), "too_short"),
        (whole[..whole.len() - 12].to_vec(), "incomplete"),
        (b"not a form".to_vec(), "incomplete"),
    ] {
        assert_eq!(codes(&send_form(&client, body).await.expect(400)), [code]);
    }
    let nameless = client.with("content-type", "multipart/form-data");
    assert_eq!(codes(&nameless.send("POST", "/v0/files", Some(whole)).await.expect(400)), ["invalid_value"]);
    assert_eq!(codes(&client.upload("empty", b"").await.expect(400)), ["too_short"]);
    assert_eq!(stored(&app).await, 0);
}

#[tokio::test]
async fn a_file_larger_than_allowed_is_refused_whatever_it_announces() {
    let app = TestApp::with(|plan| plan.settings.files.largest = 1_000).await;
    let client = app.client();
    client.upload("fits", &[b'x'; 1_000]).await.expect(201);
    client.upload("too large", &[b'x'; 1_001]).await.expect(413);
    send_form(&client, form(&[("file", Some("a"), &[b'x'; 1_001])])).await.expect(413);
    send_form(&client, form(&[("padding", None, &[b'x'; 100_000]), ("file", Some("a"), b"x")]))
        .await
        .expect(413);
    // Without a length, it is read no further than it may be.
    let endless = stream::repeat_with(|| Ok(Bytes::from_static(&[b'x'; 400])));
    assert_eq!(client.raw(streamed(&app, endless)).await.status, 413);
    assert_eq!(stored(&app).await, 1);
}

#[tokio::test]
async fn a_body_that_breaks_off_leaves_nothing() {
    let app = TestApp::start().await;
    let broken = stream::iter([Ok(Bytes::from_static(b"x")), Err(std::io::Error::other("gone"))]);
    let answer = app.client().raw(streamed(&app, broken)).await;
    assert_eq!(answer.status, 400, "{}", answer.text());
    assert_eq!(codes(&answer), ["incomplete"]);
    assert_eq!(stored(&app).await, 0);
}

#[tokio::test]
async fn an_upload_may_take_longer_than_other_requests() {
    let app = TestApp::start().await;
    let slowly = |path: &str, pieces: &'static [&'static [u8]]| {
        let pieces = stream::iter(pieces).then(|piece| async move {
            // Less than what may pass without progress, and more than a request may take after two of them.
            tokio::time::pause();
            tokio::time::advance(Duration::from_secs(14)).await;
            tokio::time::resume();
            Ok::<_, std::io::Error>(Bytes::from_static(piece))
        });
        let request =
            Request::post(path).header("x-api-key", &app.key).header("content-type", "application/json");
        request.body(Body::from_stream(pieces)).unwrap()
    };
    assert!(app.state.settings.request_timeout < 3 * Duration::from_secs(14));
    let file = app.client().raw(slowly("/v0/files?name=slow.json", &[b"[1", b",2", b",3", b"]"])).await;
    assert_eq!(file.expect(201).json()["size"], 7);
    let other = app.client().raw(slowly("/v0/topics", &[b"{\"title\"", b":", b"\"Slow\"", b"}"])).await;
    assert_ne!(other.status, 201, "{}", other.text());
}

#[tokio::test]
async fn a_tenant_has_so_many_uploads_at_once_and_another_finds_a_place() {
    let app = TestApp::with(|plan| plan.settings.files.concurrency = 2).await;
    let (client, stranger) = (app.client(), app.stranger().await);
    let (tell, told) = tokio::sync::oneshot::channel();
    let begun = stream::once(async move {
        tell.send(()).unwrap();
        Ok(Bytes::from_static(b"x"))
    });
    let request = streamed(&app, begun.chain(stream::pending()));
    let waiting = {
        let client = client.clone();
        tokio::spawn(async move { client.raw(request).await })
    };
    told.await.unwrap();
    client.upload("a", b"x").await.expect(503);
    stranger.upload("a", b"x").await.expect(201);
    waiting.abort();
    assert!(waiting.await.is_err());
    client.upload("a", b"x").await.expect(201);
}

#[tokio::test]
async fn a_tenant_has_room_for_so_much_and_the_same_bytes_take_it_once() {
    let app = TestApp::with(|plan| plan.settings.files.quota = 10).await;
    let (client, stranger) = (app.client(), app.stranger().await);
    let first = client.upload("a", b"123456").await.expect(201).json();
    client.upload("same", b"123456").await.expect(201);
    let refused = client.upload("b", b"abcde").await.expect(409).json();
    assert_eq!(refused["details"], json!({ "reason": "file_quota", "limit": 10, "used": 6 }));
    client.upload("b", b"abcd").await.expect(201);
    let full: Value = client.upload("c", b"x").await.expect(409).json();
    assert_eq!(full["details"]["used"], 10);
    stranger.upload("a", b"123456").await.expect(201);
    // One of two files with the same bytes frees nothing.
    client.delete(&super::path(&first)).await.expect(200);
    client.upload("c", b"x").await.expect(409);
    let list = client.get("/v0/files").await.expect(200).json();
    for file in list["items"].as_array().unwrap() {
        client.delete(&super::path(file)).await.expect(200);
    }
    client.upload("d", b"1234567890").await.expect(201);
}
