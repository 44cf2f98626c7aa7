//! Bad input: each a clear refusal with every broken rule at its place, and nothing written.

use axum::body::Body;
use axum::http::Request;
use pagesmith_testkit::{Answer, TestApp, fixtures};
use serde_json::Value;

mod body;
mod fields;
mod headers;
mod integers;
mod json;
mod params;
mod random;
mod shapes;

/// An issue: its code, and its path joined by dots.
type Issue = (&'static str, &'static str);

/// A server with one page, and what it holds.
struct Bench {
    app: TestApp,
    page: String,
    before: Value,
}

impl Bench {
    async fn start() -> Bench {
        let app = TestApp::start().await;
        let page = app.client().post("/v0/pages", &fixtures::full_page()).await.expect(201).json();
        let page = format!("/v0/pages/{}", page["pageId"].as_str().unwrap());
        let mut bench = Bench { app, page, before: Value::Null };
        bench.before = bench.everything().await;
        bench
    }

    async fn everything(&self) -> Value {
        self.app.client().get("/v0/pages?limit=100").await.expect(200).json()
    }

    /// The server holds what it held at the start.
    #[track_caller]
    fn unchanged(&self) -> impl Future<Output = ()> {
        let place = std::panic::Location::caller();
        async move { assert_eq!(self.everything().await, self.before, "something was written at {place}") }
    }

    /// Sends a body as creation and as change: both must be refused with these very issues.
    async fn refuses(&self, text: impl Into<Vec<u8>>, issues: &[Issue]) {
        let text = text.into();
        for (method, path) in [("POST", "/v0/pages"), ("PATCH", self.page.as_str())] {
            let shown = String::from_utf8_lossy(&text).chars().take(300).collect::<String>();
            let answer = self.app.client().send(method, path, Some(text.clone())).await;
            assert_issues(answer, issues, &format!("{method} {shown}"));
        }
        self.unchanged().await;
    }

    /// A creation of the full page with one value changed, which must be refused with these very issues.
    async fn refuses_changed(&self, pointer: &str, value: Value, issues: &[Issue]) {
        let body = changed(pointer, value);
        let answer = self.app.client().post("/v0/pages", &body).await;
        assert_issues(answer, issues, &format!("{pointer} of {body}"));
        self.unchanged().await;
    }

    /// A creation of the full page with one value changed, which must be taken.
    async fn takes_changed(&self, pointer: &str, value: Value) -> Value {
        self.app.client().post("/v0/pages", &changed(pointer, value)).await.expect(201).json()
    }

    /// A request with those headers beside the key.
    async fn raw(&self, method: &str, path: &str, headers: &[(&str, &[u8])], body: Body) -> Answer {
        let mut request = Request::builder().method(method).uri(path).header("x-api-key", &self.app.key);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.app.client().raw(request.body(body).unwrap()).await
    }
}

/// The full page with the value at the pointer set or, beyond an object, added.
fn changed(pointer: &str, value: Value) -> Value {
    let mut body = fixtures::full_page();
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    match body.pointer_mut(parent).unwrap() {
        Value::Array(items) => items[name.parse::<usize>().unwrap()] = value,
        object => object[name] = value,
    }
    body
}

/// The full page without the value at the pointer.
fn without(pointer: &str) -> Value {
    let mut body = fixtures::full_page();
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    body.pointer_mut(parent).unwrap().as_object_mut().unwrap().remove(name).unwrap();
    body
}

#[track_caller]
fn assert_issues(answer: Answer, expected: &[Issue], what: &str) {
    let parts = answer.json()["details"].clone();
    assert_eq!(answer.status.as_u16(), 400, "{what}: {}", answer.text());
    let fields: Vec<&str> =
        parts.as_array().unwrap().iter().map(|part| part["field"].as_str().unwrap()).collect();
    assert_eq!(fields, ["body"], "{what}");
    let detail = answer.json()["detail"].as_str().unwrap().to_owned();
    let messages = parts[0]["issues"].as_array().unwrap();
    let messages: Vec<&str> = messages.iter().map(|issue| issue["message"].as_str().unwrap()).collect();
    assert_eq!(detail, messages.join("; "), "{what}");
    let mut found = answer.issues();
    found.sort();
    let mut expected: Vec<(String, String)> =
        expected.iter().map(|(code, path)| ((*code).to_owned(), (*path).to_owned())).collect();
    expected.sort();
    assert_eq!(found, expected, "{what}");
}
