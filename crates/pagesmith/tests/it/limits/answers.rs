//! Answers that were asked for and are not read.

use axum::body::Body;
use axum::http::{Request, Response, StatusCode};
use http_body_util::BodyExt;
use pagesmith_model::key::Scope;
use pagesmith_testkit::{Client, TestApp, fixtures};
use serde_json::json;
use tower::ServiceExt;

use crate::console::browser::Browser;

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

/// Asks until there is no room for one more answer that nobody reads: the one that says so.
async fn until_refused(
    unread: &mut Vec<Response<Body>>,
    most: usize,
    ask: impl AsyncFn() -> Response<Body>,
) -> Response<Body> {
    loop {
        let answer = ask().await;
        if answer.status() != StatusCode::OK {
            assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
            return answer;
        }
        unread.push(answer);
        assert!(unread.len() < most, "nobody is refused");
    }
}

#[tokio::test]
async fn unread_answers_have_an_end_and_leave_room_for_others() {
    let (app, [greedy, other]) = small().await;
    let mut unread = Vec::new();
    let next = async || ask(&app, &greedy, "GET", "/v0/pages?limit=100").await;
    let refused = until_refused(&mut unread, 20, next).await;
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

/// A refused request whose answer, which lists a hundred issues, nobody has read yet.
async fn refused(app: &TestApp, key: &str) -> Response<Body> {
    let unknown = |number: usize| (format!("{number:03}{}", "x".repeat(900)), json!(0));
    let body = serde_json::Value::Object((0..200).map(unknown).collect());
    let request = Request::builder().method("POST").uri("/v0/pages").header("x-api-key", key);
    let request = request.header("content-type", "application/json");
    app.router.clone().oneshot(request.body(Body::from(body.to_string())).unwrap()).await.unwrap()
}

/// The error that an answer carries, and its length.
async fn error_of(answer: Response<Body>) -> (serde_json::Value, usize) {
    assert_eq!(answer.status(), StatusCode::BAD_REQUEST);
    let body = answer.into_body().collect().await.unwrap().to_bytes();
    (serde_json::from_slice(&body).unwrap(), body.len())
}

#[tokio::test]
async fn unread_errors_have_an_end_and_are_shortened_beyond_it() {
    let app = TestApp::with(|plan| plan.settings.answers_in_memory = MIB / 4).await;
    app.add_tenant("globex").await;
    let other = app.add_key("globex", Scope::Write).await;
    let (whole, length) = error_of(refused(&app, &app.key).await).await;
    assert_eq!(whole["details"][0]["issues"].as_array().unwrap().len(), 100);
    assert!(length > 32 * 1024, "{length}");
    let mut unread = Vec::new();
    for _ in 0..20 {
        unread.push(refused(&app, &app.key).await);
        let held = app.state.answers.bytes();
        assert!(held >= length && held <= MIB / 8, "{held}");
    }
    // Another tenant's error has room, and a small one takes none.
    let (of_other, _) = error_of(refused(&app, &other).await).await;
    assert_eq!(of_other["details"], whole["details"]);
    let held = app.state.answers.bytes();
    app.client().post("/v0/pages", &json!({})).await.expect(400);
    assert_eq!(app.state.answers.bytes(), held);
    // What does not fit says what is wrong first, and that this is not all.
    let (short, length) = error_of(unread.pop().unwrap()).await;
    assert!(length < 4 * 1024, "{length}");
    let (told, all) = (short["detail"].as_str().unwrap(), whole["detail"].as_str().unwrap());
    let (start, rest) = told.split_once("… ").unwrap();
    assert!(all.starts_with(start) && !start.is_empty() && rest.contains("waiting to be read"), "{told}");
    assert_eq!(short.get("details"), None);
    for name in ["code", "status", "title", "type"] {
        assert_eq!(short[name], whole[name], "{name}");
    }
    assert!(short["requestId"].is_string());
    let (first, _) = error_of(unread.remove(0)).await;
    assert_eq!((&first["detail"], &first["details"]), (&whole["detail"], &whole["details"]));
    unread.clear();
    assert_eq!(app.state.answers.bytes(), 0);
    let (again, _) = error_of(refused(&app, &app.key).await).await;
    assert_eq!(again["details"], whole["details"]);
}

/// A server with room for two mebibytes of answers.
async fn narrow() -> TestApp {
    TestApp::with(|plan| plan.settings.answers_in_memory = 2 * MIB).await
}

/// An answer of the site of that host whose body nobody has read yet.
async fn visit(app: &TestApp, host: &str, method: &str, path: &str) -> Response<Body> {
    let request = Request::builder().method(method).uri(path).header("host", host);
    app.router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap()
}

/// A page that shows about so many bytes: its path on the site, and that of a preview.
async fn shown(client: &Client, name: &str, bytes: usize) -> [String; 2] {
    let page = client.post("/v0/pages", &fixtures::page(name)).await.expect(201).json();
    let page = format!("/v0/pages/{}", page["pageId"].as_str().unwrap());
    let audience = client.post(&format!("{page}/audiences"), &json!({})).await.expect(201).json();
    let version = audience["latestVersion"]["versionId"].as_str().unwrap();
    let version = format!("{page}/audiences/{}/versions/{version}", audience["audienceId"].as_str().unwrap());
    client.post(&format!("{version}/cancel"), &json!({})).await.expect(200);
    let block = |number: usize| json!({ "type": "text", "blockId": format!("b{number}"), "title": name, "markdown": "word ".repeat(3_000) });
    let blocks: Vec<_> = (0..bytes / 15_000).map(block).collect();
    let content = Some(json!({ "blocks": blocks }).to_string().into_bytes());
    client.send("PUT", &format!("{version}/content"), content).await.expect(200);
    client.post(&format!("{version}/publish"), &json!({})).await.expect(200);
    let preview = client.post(&format!("{version}/preview"), &json!({})).await.expect(201).json();
    let link = client.get(&format!("{page}/link")).await.expect(200).json();
    let path = |url: &str| url.split_once("8080").unwrap().1.to_owned();
    [path(link["url"].as_str().unwrap()), path(preview["url"].as_str().unwrap())]
}

#[tokio::test]
async fn unread_pages_of_a_site_have_an_end_and_leave_room_for_other_tenants() {
    let app = narrow().await;
    app.add_tenant("globex").await;
    let (acme, globex) = (app.client(), app.client_with(&app.add_key("globex", Scope::Write).await));
    let mut paths = Vec::new();
    for number in 0..8 {
        paths.push(shown(&acme, &format!("Page {number}"), 300_000).await);
    }
    let [other, _] = shown(&globex, "Other", 300_000).await;
    let mut unread = Vec::new();
    // However many visitors a page has, its bytes are there once.
    for _ in 0..20 {
        let answer = visit(&app, "acme.localhost", "GET", &paths[0][0]).await;
        assert_eq!(answer.status(), StatusCode::OK);
        unread.push(answer);
        visit(&app, "acme.localhost", "HEAD", &paths[1][0]).await;
    }
    let one = app.state.answers.bytes();
    assert!((300_000..350_000).contains(&one), "{one}");
    let mut refused = 0;
    for [page, _] in &paths[1..] {
        let answer = visit(&app, "acme.localhost", "GET", page).await;
        match answer.status() {
            StatusCode::OK => unread.push(answer),
            status => {
                assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
                assert!(answer.headers().contains_key("retry-after"));
                refused += 1;
            }
        }
    }
    assert!(refused > 0 && app.state.answers.bytes() <= MIB, "{refused}, {}", app.state.answers.bytes());
    // A page whose bytes are there already is shown, and another tenant has room.
    unread.push(visit(&app, "acme.localhost", "GET", &paths[0][0]).await);
    assert_eq!(unread.last().unwrap().status(), StatusCode::OK);
    let read = visit(&app, "globex.localhost", "GET", &other).await;
    assert_eq!(read.status(), StatusCode::OK);
    drop(read);
    for answer in unread.drain(..) {
        answer.into_body().collect().await.unwrap();
    }
    assert_eq!(app.state.answers.bytes(), 0);
    // Each preview is drawn anew, and has bytes of its own.
    let next = async || visit(&app, "acme.localhost", "GET", &paths[0][1]).await;
    let refused = until_refused(&mut unread, 20, next).await;
    assert!(app.state.answers.bytes() <= MIB);
    unread.clear();
    drop(refused);
    assert_eq!(app.state.answers.bytes(), 0);
}

#[tokio::test]
async fn what_a_site_has_beside_its_pages_takes_a_share_as_well() {
    let app = narrow().await;
    let client = app.client();
    for number in 0..130 {
        shown(&client, &format!("{} {number}", "A long name ".repeat(8)), 0).await;
    }
    let list = visit(&app, "acme.localhost", "GET", "/sitemap.xml").await;
    let length = axum::body::HttpBody::size_hint(list.body()).exact().unwrap();
    assert!(length > 16 * 1024, "{length}");
    let held = app.state.answers.bytes() as u64;
    assert!(held >= length, "{held}, {length}");
    // What says that there is nothing is drawn for each visitor.
    let notice = visit(&app, "acme.localhost", "GET", "/nothing-here").await;
    let length = axum::body::HttpBody::size_hint(notice.body()).exact().unwrap();
    let both = app.state.answers.bytes() as u64;
    assert!(length <= 16 * 1024 || both >= held + length, "{both}, {length}");
    let mut unread = vec![list, notice];
    let next = async || visit(&app, "acme.localhost", "GET", "/sitemap.xml").await;
    let refused = until_refused(&mut unread, 100, next).await;
    unread.clear();
    drop(refused);
    assert_eq!(app.state.answers.bytes(), 0);
}

#[tokio::test]
async fn unread_screens_of_the_console_have_an_end() {
    let app = narrow().await;
    let client = app.client();
    for number in 0..100 {
        client.post("/v0/persons", &json!({ "name": format!("Person {number}") })).await.expect(201);
    }
    let browser = Browser::owner(&app).await;
    let mut unread = Vec::new();
    let next = async || browser.unread(&app, "/console/t/acme/persons?limit=100").await;
    let refused = until_refused(&mut unread, 200, next).await;
    assert!(refused.headers().contains_key("retry-after"));
    let held = app.state.answers.bytes();
    assert!(held > MIB / 2 && held <= MIB, "{held}");
    // They are the tenant's: whoever is none has room.
    assert_eq!(visit(&app, "localhost", "GET", "/console/sign-in").await.status(), StatusCode::OK);
    unread.clear();
    drop(refused);
    assert_eq!(app.state.answers.bytes(), 0);
}
