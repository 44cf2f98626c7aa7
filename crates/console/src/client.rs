//! The way from a screen to the API: the operations that programs call, within the process.
//!
//! A call passes everything that a request from outside passes, except for the key: who calls is known already. So screens have no rules
//! of their own, and each can show the call that does the same.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Method, Request, StatusCode, header};
use http_body_util::BodyExt;
use pagesmith_model::hexadecimal::hexadecimal;
use pagesmith_model::{Error, Kind};
use pagesmith_operations::access::Caller;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;
use sha2::{Digest, Sha256};
use tower::ServiceExt;

use crate::arrival::{Arrival, LAST_EVENT_ID};
use crate::json::list_of;

/// What stands in a value of a query as it is.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// What forms set as a whole: what stands there is kept for the calls that a screen shows.
pub(crate) const SET_WHOLE: [&str; 3] = ["/v0/site", "/v0/visit_settings", "/v0/question_settings"];

/// How often, and how soon again, a form is tried while the same one is being carried out.
const MOST_TRIES: usize = 40;
const AGAIN_AFTER: Duration = Duration::from_millis(250);

/// Calls the API as one user.
#[derive(Clone)]
pub struct Client {
    api: Router,
    caller: Caller,
    arrival: Arrival,
    /// What was read, in order; shared by all that call for one request.
    reads: Arc<Mutex<Vec<Option<Reading>>>>,
    /// What tells the form that is being carried out from all others, if it said so.
    form_key: Option<String>,
    /// The keys of the calls that the form has made so far.
    sent: Arc<Mutex<Vec<String>>>,
}

/// A call that reads.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The path with its query.
    pub path: String,
    /// What was asked, where that is no part of the path: such a call is a POST.
    pub asked: Option<Value>,
    /// What stands there, where a form sets it as a whole.
    pub found: Option<Value>,
}

/// What the API answered with success.
#[derive(Debug, Clone, Default)]
pub struct Answered {
    /// The body; null where there is none.
    pub body: Value,
    /// The version of what was read, for a change of just that.
    pub etag: Option<String>,
}

impl Answered {
    /// That version as the id of an event names it: a tag without its quotes. A list has none: it is told by its content.
    pub fn tag(&self) -> String {
        match &self.etag {
            Some(tag) => tag.trim_start_matches("W/").trim_matches('"').to_owned(),
            None => digest(&self.body.to_string()),
        }
    }
}

/// One tag for all of these: another one whenever one of them is another one. One alone is what it is.
pub fn tag_of(tags: impl IntoIterator<Item = String>) -> String {
    let tags: Vec<String> = tags.into_iter().collect();
    match tags.as_slice() {
        [only] => only.clone(),
        _ => digest(&tags.join(" ")),
    }
}

fn digest(text: &str) -> String {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// What the API refused.
#[derive(Debug, Clone)]
pub struct Refused {
    /// The status.
    pub status: StatusCode,
    /// One sentence.
    pub detail: String,
    /// The fields at fault: the path with dots, and one sentence.
    pub issues: Vec<(String, String)>,
    /// The request's id, by which an operator finds its line in the log.
    pub request_id: String,
}

impl Client {
    /// Calls as this user, for a request that came from there.
    pub fn new(api: Router, caller: Caller, arrival: Arrival) -> Client {
        Client { api, caller, arrival, reads: Arc::default(), form_key: None, sent: Arc::default() }
    }

    /// The same for a form that was drawn with this key: each POST that it makes is carried out once, however often the form is sent.
    #[must_use]
    pub fn of_form(self, key: Option<String>) -> Client {
        Client { form_key: key, ..self }
    }

    /// The key that the form was drawn with, for what it does without a call of the API.
    pub(crate) fn form_key(&self) -> Option<&str> {
        self.form_key.as_deref()
    }

    /// The calls that have read something so far, each once.
    pub fn reads(&self) -> Vec<Reading> {
        let mut reads: Vec<Reading> = Vec::new();
        for read in self.reads.lock().unwrap_or_else(PoisonError::into_inner).iter().flatten() {
            if !reads.contains(read) {
                reads.push(read.clone());
            }
        }
        reads
    }

    /// A place for a call that begins, so that calls that are made side by side are told in one order. What is refused leaves it empty.
    fn begin(&self) -> usize {
        let mut reads = self.reads.lock().unwrap_or_else(PoisonError::into_inner);
        reads.push(None);
        reads.len() - 1
    }

    fn note(&self, at: usize, path: &str, asked: Option<&Value>, found: Option<&Value>) {
        let reading = Reading { path: path.to_owned(), asked: asked.cloned(), found: found.cloned() };
        let mut reads = self.reads.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = reads.get_mut(at) {
            *place = Some(reading);
        }
    }

    /// Reads what stands at a path, which may have a query.
    pub async fn get(&self, path: &str) -> Result<Answered, Refused> {
        let at = self.begin();
        let answered = self.send(Method::GET, path, None, None).await?;
        self.note(at, path, None, Some(&answered.body).filter(|_| SET_WHOLE.contains(&path)));
        Ok(answered)
    }

    /// Reads what stands at a path, with parameters; those without a value are left out.
    pub async fn find(&self, path: &str, parameters: &[(&str, Option<&str>)]) -> Result<Answered, Refused> {
        self.get(&with_query(path, parameters)).await
    }

    /// Asks what takes more than a path: a POST that changes nothing.
    pub async fn ask(&self, path: &str, body: &Value) -> Result<Answered, Refused> {
        let at = self.begin();
        let answered = self.send(Method::POST, path, Some(body), None).await?;
        self.note(at, path, Some(body), None);
        Ok(answered)
    }

    /// Creates something, or does something that has no other method.
    ///
    /// Of a form it carries an `Idempotency-Key`.
    pub async fn post(&self, path: &str, body: &Value) -> Result<Answered, Refused> {
        let key = self.form_key.as_ref().map(|key| self.key_of_call(key, path, &body.to_string()));
        self.post_once(path, body, key).await
    }

    /// The same with this `Idempotency-Key`, which tells nothing of the body: that may hold a password.
    pub async fn post_once(
        &self,
        path: &str,
        body: &Value,
        key: Option<String>,
    ) -> Result<Answered, Refused> {
        let body = body.to_string();
        for _ in 0..MOST_TRIES {
            let mut request = Request::post(path).header(header::CONTENT_TYPE, "application/json");
            if let Some(key) = &key {
                request = request.header("idempotency-key", key);
            }
            match self.respond(request.body(Body::from(body.clone()))).await? {
                // The same form was sent a moment ago and is being carried out; its answer is this one's as well.
                response if key.is_some() && is_still_running(&response) => {
                    tokio::time::sleep(AGAIN_AFTER).await;
                }
                response => return answered(accepted(response).await?).await,
            }
        }
        Err(Refused::new(StatusCode::CONFLICT, "The same form is being carried out."))
    }

    /// The key of a call that a form makes: one form may make several calls, and the same one more than once.
    fn key_of_call(&self, form_key: &str, path: &str, body: &str) -> String {
        let digest = Sha256::digest(format!("{path}\n{body}"));
        let call = format!("console-{form_key}-{}", hexadecimal(&digest[..8]));
        let mut sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        let before = sent.iter().filter(|known| **known == call).count();
        sent.push(call.clone());
        format!("{call}-{before}")
    }

    /// Sets what stands at a path as a whole.
    pub async fn put(&self, path: &str, body: &Value) -> Result<Answered, Refused> {
        self.send(Method::PUT, path, Some(body), None).await
    }

    /// The same, if it is still as it was read.
    pub async fn replace(&self, path: &str, body: &Value, etag: Option<&str>) -> Result<Answered, Refused> {
        self.send(Method::PUT, path, Some(body), etag).await
    }

    /// Changes fields of what stands at a path, if it is still as it was read.
    pub async fn patch(&self, path: &str, body: &Value, etag: Option<&str>) -> Result<Answered, Refused> {
        self.send(Method::PATCH, path, Some(body), etag).await
    }

    /// Deletes what stands at a path.
    pub async fn delete(&self, path: &str) -> Result<Answered, Refused> {
        self.send(Method::DELETE, path, None, None).await
    }

    /// Passes a form with a file on, as it arrives. Of a form it carries an `Idempotency-Key`, so that the same file comes of it when
    /// it is sent again.
    pub async fn upload(&self, form: (HeaderMap, Body)) -> Result<Answered, Refused> {
        self.pass_on(form, self.form_key.as_ref().map(|key| format!("console-{key}-file"))).await
    }

    /// The same for a file that is removed once it has been read: each time there is another one.
    pub async fn upload_for_now(&self, form: (HeaderMap, Body)) -> Result<Answered, Refused> {
        self.pass_on(form, None).await
    }

    async fn pass_on(
        &self,
        (headers, body): (HeaderMap, Body),
        key: Option<String>,
    ) -> Result<Answered, Refused> {
        let mut request = Request::post("/v0/files");
        if let Some(key) = key {
            request = request.header("idempotency-key", key);
        }
        for name in [header::CONTENT_TYPE, header::CONTENT_LENGTH] {
            if let Some(value) = headers.get(&name) {
                request = request.header(name, value.clone());
            }
        }
        self.call(request.body(body)).await
    }

    /// The answer as it comes: a stream of events, a file.
    pub async fn stream(&self, path: &str, accept: &str) -> Result<axum::http::Response<Body>, Refused> {
        let request = Request::get(path).header(header::ACCEPT, accept).body(Body::empty());
        self.answer(request).await
    }

    /// Follows the state at a path: an event for each change since the last one that the browser had, or since the state with this tag.
    pub async fn follow(
        &self,
        path: &str,
        since: Option<&str>,
    ) -> Result<axum::http::Response<Body>, Refused> {
        let mut request = Request::get(path).header(header::ACCEPT, "text/event-stream");
        let since = since.and_then(|tag| HeaderValue::from_str(tag).ok());
        if let Some(last) = self.arrival.last_event().cloned().or(since) {
            request = request.header(LAST_EVENT_ID, last);
        }
        self.answer(request.body(Body::empty())).await
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
        etag: Option<&str>,
    ) -> Result<Answered, Refused> {
        let mut request = Request::builder().method(method).uri(path);
        if body.is_some() {
            request = request.header(header::CONTENT_TYPE, "application/json");
        }
        if let Some(etag) = etag {
            request = request.header(header::IF_MATCH, etag);
        }
        let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
        self.call(request.body(body)).await
    }

    async fn call(&self, request: axum::http::Result<Request<Body>>) -> Result<Answered, Refused> {
        answered(self.answer(request).await?).await
    }

    async fn answer(
        &self,
        request: axum::http::Result<Request<Body>>,
    ) -> Result<axum::http::Response<Body>, Refused> {
        accepted(self.respond(request).await?).await
    }

    /// What the API answers, be it a refusal.
    async fn respond(
        &self,
        request: axum::http::Result<Request<Body>>,
    ) -> Result<axum::http::Response<Body>, Refused> {
        let mut request =
            request.map_err(|_| Refused::broken("A call of the console was not made right."))?;
        self.arrival.pass_on(&mut request);
        request.extensions_mut().insert(self.caller.clone());
        let Ok(response) = self.api.clone().oneshot(request).await;
        Ok(response)
    }
}

/// Whether the API refuses a request because the same one is running.
fn is_still_running(response: &axum::http::Response<Body>) -> bool {
    response.status() == StatusCode::CONFLICT && response.headers().contains_key(header::RETRY_AFTER)
}

/// The response, unless it is a refusal.
async fn accepted(response: axum::http::Response<Body>) -> Result<axum::http::Response<Body>, Refused> {
    let status = response.status();
    if status.is_success() || status == StatusCode::NOT_MODIFIED {
        return Ok(response);
    }
    let body = whole(response.into_body()).await?;
    Err(Refused::read(status, &body))
}

async fn answered(response: axum::http::Response<Body>) -> Result<Answered, Refused> {
    let etag = response.headers().get(header::ETAG).and_then(|value| value.to_str().ok());
    let etag = etag.map(str::to_owned);
    let body = whole(response.into_body()).await?;
    Ok(Answered { body, etag })
}

async fn whole(body: Body) -> Result<Value, Refused> {
    let bytes = body.collect().await.map_err(|_| Refused::broken("The answer broke off."))?.to_bytes();
    if bytes.is_empty() {
        return Ok(Value::Null);
    }
    serde_json::from_slice(&bytes).map_err(|_| Refused::broken("The answer is not JSON."))
}

impl Refused {
    /// A refusal of the console's own.
    pub fn new(status: StatusCode, detail: &str) -> Refused {
        Refused { status, detail: detail.to_owned(), issues: vec![], request_id: String::new() }
    }

    /// The refusal, if whoever is refused can mend what was entered; else it goes on as it is.
    pub fn mendable(self) -> Result<Refused, Refused> {
        if self.status.is_server_error() { Err(self) } else { Ok(self) }
    }

    fn broken(detail: &str) -> Refused {
        Refused::new(StatusCode::INTERNAL_SERVER_ERROR, detail)
    }

    /// What an operation has refused, as the API would say it.
    pub fn of(error: &Error) -> Refused {
        let (status, issues) = match error.kind() {
            Kind::Invalid(issues) => (StatusCode::BAD_REQUEST, issues.as_slice()),
            Kind::Unauthorized => (StatusCode::UNAUTHORIZED, &[][..]),
            Kind::Forbidden => (StatusCode::FORBIDDEN, &[][..]),
            Kind::NotFound => (StatusCode::NOT_FOUND, &[][..]),
            Kind::Conflict(_) | Kind::StillRunning(_) => (StatusCode::CONFLICT, &[][..]),
            Kind::PreconditionFailed => (StatusCode::PRECONDITION_FAILED, &[][..]),
            Kind::Limited { .. } => (StatusCode::TOO_MANY_REQUESTS, &[][..]),
            Kind::TooLarge => (StatusCode::PAYLOAD_TOO_LARGE, &[][..]),
            Kind::OutOfRange(_) => (StatusCode::RANGE_NOT_SATISFIABLE, &[][..]),
            Kind::Unavailable(_) => (StatusCode::SERVICE_UNAVAILABLE, &[][..]),
            Kind::Internal => (StatusCode::INTERNAL_SERVER_ERROR, &[][..]),
        };
        let issues = issues.iter().map(|issue| (issue.path.join("."), issue.message.clone()));
        Refused {
            status,
            detail: error.detail().to_owned(),
            issues: issues.collect(),
            request_id: String::new(),
        }
    }

    fn read(status: StatusCode, body: &Value) -> Refused {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let path = |issue: &Value| {
            let parts = list_of(issue, "path");
            let parts =
                parts.iter().map(|part| part.as_str().map_or_else(|| part.to_string(), str::to_owned));
            parts.collect::<Vec<_>>().join(".")
        };
        let parts = list_of(body, "details");
        let issues = parts.iter().filter_map(|part| part["issues"].as_array()).flatten();
        Refused {
            status,
            detail: text(&body["detail"]),
            issues: issues.map(|issue| (path(issue), text(&issue["message"]))).collect(),
            request_id: text(&body["requestId"]),
        }
    }
}

/// A path with a query of the parameters that have a value.
pub fn with_query(path: &str, parameters: &[(&str, Option<&str>)]) -> String {
    let mut text = path.to_owned();
    let mut sign = if path.contains('?') { '&' } else { '?' };
    for (name, value) in parameters.iter().filter_map(|(name, value)| Some((name, (*value)?))) {
        text.push(sign);
        text.push_str(name);
        text.push('=');
        text.extend(utf8_percent_encode(value, PLAIN));
        sign = '&';
    }
    text
}

/// Text as a part of a path.
pub fn segment(text: &str) -> String {
    utf8_percent_encode(text, PLAIN).to_string()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_query_has_what_has_a_value() {
        let parameters = [("q", Some("a&b=ü")), ("cursor", None), ("limit", Some("20"))];
        assert_eq!(with_query("/v0/pages", &parameters), "/v0/pages?q=a%26b%3D%C3%BC&limit=20");
        assert_eq!(with_query("/v0/pages?x=1", &[("y", Some("2"))]), "/v0/pages?x=1&y=2");
        assert_eq!(segment("../v0"), "..%2Fv0");
    }

    #[test]
    fn a_refusal_tells_the_fields() {
        let body = json!({ "detail": "Two fields.", "requestId": "req_1",
            "details": [{ "field": "body", "issues": [{ "path": ["actions", 0, "type"], "message": "type: unknown." }] }] });
        let refused = Refused::read(StatusCode::BAD_REQUEST, &body);
        assert_eq!(refused.issues, [("actions.0.type".to_owned(), "type: unknown.".to_owned())]);
        assert_eq!((refused.detail.as_str(), refused.request_id.as_str()), ("Two fields.", "req_1"));
    }
}
