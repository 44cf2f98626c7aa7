//! Answers that were asked for and are not read.

use axum::body::Body;
use axum::http::{Request, Response, StatusCode};
use http_body_util::BodyExt;
use pagesmith_model::key::Scope;
use pagesmith_testkit::{TestApp, fixtures};
use serde_json::json;
use tower::ServiceExt;

const MIB: usize = 1024 * 1024;

/// A server with room for two mebibytes of answers, and a tenant's key with some megabytes of pages.
async fn small() -> (TestApp, [String; 2]) {
    let app = TestApp::with(|plan| {
        plan.settings.answers_in_memory = 2 * MIB;
        plan.settings.longest_answer = MIB / 2;
    })
    .await;
    app.add_tenant("globex").await;
    let keys = [app.key.clone(), app.add_key("globex", Scope::Write).await];
    for key in &keys {
        for number in 0..8 {
            let mut page = fixtures::page(&format!("Page {number}"));
            page["pageContext"] = json!("x".repeat(100_000));
            app.client_with(key).post("/v0/pages", &page).await.expect(201);
        }
    }
    assert_eq!(app.state.answers.bytes(), 0);
    (app, keys)
}

/// An answer whose body nobody has read yet.
async fn ask(app: &TestApp, key: &str, method: &str, path: &str) -> Response<Body> {
    let request = Request::builder().method(method).uri(path).header("x-api-key", key);
    app.router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap()
}

#[tokio::test]
async fn unread_answers_have_an_end_and_leave_room_for_others() {
    let (app, [greedy, other]) = small().await;
    let mut unread = Vec::new();
    let refused = loop {
        let answer = ask(&app, &greedy, "GET", "/v0/pages?limit=100").await;
        if answer.status() != StatusCode::OK {
            break answer;
        }
        unread.push(answer);
        assert!(unread.len() < 20, "nobody is refused");
    };
    assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(refused.headers().contains_key("retry-after"));
    assert!(app.state.answers.bytes() <= MIB, "{}", app.state.answers.bytes());
    // Small answers are not counted, and another tenant's large one has room.
    ask(&app, &greedy, "GET", "/v0/pages/search?query=page").await;
    let read = ask(&app, &other, "GET", "/v0/pages?limit=4").await;
    assert_eq!(read.status(), StatusCode::OK);
    drop(read);
    // A single page counts like a list.
    let mut single = 0;
    let listed = app.client_with(&greedy).get("/v0/pages/search?query=page").await.json();
    let page = format!("/v0/pages/{}", listed["items"][0]["pageId"].as_str().unwrap());
    while ask_and_keep(&app, &greedy, &page, &mut unread).await {
        single += 1;
        assert!(single < 20, "nobody is refused");
    }
    // What is read is given back.
    for answer in unread.drain(..) {
        answer.into_body().collect().await.unwrap();
    }
    assert_eq!(app.state.answers.bytes(), 0);
    app.client_with(&greedy).get("/v0/pages?limit=100").await.expect(200);
}

async fn ask_and_keep(app: &TestApp, key: &str, path: &str, unread: &mut Vec<Response<Body>>) -> bool {
    let answer = ask(app, key, "GET", path).await;
    let is_given = answer.status() == StatusCode::OK;
    if is_given {
        unread.push(answer);
    }
    is_given
}

#[tokio::test]
async fn a_large_answer_comes_in_parts_of_known_length_and_each_is_given_back() {
    let (app, [key, _]) = small().await;
    let answer = ask(&app, &key, "GET", "/v0/pages?limit=100").await;
    let held = app.state.answers.bytes();
    let mut body = answer.into_body();
    let length = axum::body::HttpBody::size_hint(&body).exact().unwrap();
    let (mut read, mut left) = (Vec::new(), vec![held]);
    while let Some(frame) = body.frame().await {
        read.extend_from_slice(&frame.unwrap().into_data().unwrap());
        left.push(app.state.answers.bytes());
    }
    assert_eq!(read.len() as u64, length);
    assert!(left.len() > 4 && left.is_sorted_by(|one, next| one > next || *next == 0), "{left:?}");
    let part: serde_json::Value = serde_json::from_slice(&read).unwrap();
    assert_eq!((part["items"].as_array().unwrap().len(), part["totalCount"].as_u64()), (5, Some(8)));
    assert_eq!(part["hasMore"], true);
    // HEAD keeps nothing.
    let head = ask(&app, &key, "HEAD", "/v0/pages?limit=100").await;
    assert_eq!(head.headers()["content-length"].to_str().unwrap(), length.to_string());
    assert_eq!(app.state.answers.bytes(), 0);
}
