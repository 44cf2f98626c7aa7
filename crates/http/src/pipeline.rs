//! The way of every request to the API: named, let in, read, handled, answered, logged.
//!
//! The order is fixed and a refusal ends it: route, key, tenant, rate limit, scope, size and shape, then the handler. Whatever happens
//! inside, an answer in the contract's shape comes out within the request's time, with the request's id, and
//! one line goes to the log. Only an operation that takes its body as it arrives has its own time.

use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{RawPathParams, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Response, header};
use axum::routing::any;
use bytes::Bytes;
use futures_util::FutureExt;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use pagesmith_model::window::Decision;
use pagesmith_model::{Error, Issue, IssueCode, Kind, Result};
use pagesmith_operations::access::{Caller, Identity};
use tracing::Instrument;

use crate::arrival::Arrival;
use crate::error::{Refusal, took_too_long};
use crate::exchange::Exchange;
use crate::extract::Incoming;
use crate::path_ids::PathIds;
use crate::persons_own;
use crate::routes::routes;
use crate::state::{AppState, MAX_BODY};
use crate::table::{Access, Route};

const API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// What serves the API.
pub(crate) fn api(state: &AppState) -> Router {
    router(state.clone(), routes())
}

fn router(state: AppState, routes: Vec<Route>) -> Router {
    let mut paths: Vec<(&'static str, Vec<Arc<Route>>)> = Vec::new();
    for route in routes {
        let route = Arc::new(route);
        match paths.iter_mut().find(|(path, _)| *path == route.path) {
            Some((_, of_path)) => of_path.push(route),
            None => paths.push((route.path, vec![route])),
        }
    }
    let mut router = Router::new();
    for (path, routes) in paths {
        let shared = Arc::new((state.clone(), allowed(&routes), routes));
        let find = move |params: Result<RawPathParams, _>, request: Request| {
            let (state, allow, routes) = &*shared;
            let route = routes.iter().find(|route| takes(route, request.method())).cloned();
            let target = route.map_or_else(|| Target::WrongMethod(allow.clone()), Target::Operation);
            // Without values where the path is not UTF-8: an id is not found then, as any malformed one.
            let params = params.map(|params| {
                params.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect::<Vec<_>>()
            });
            serve(state.clone(), target, params.unwrap_or_default(), request)
        };
        // `any`, since which methods a path takes is the list's to say.
        router = router.route(path, any(find));
    }
    router.fallback(move |request: Request| serve(state.clone(), Target::Nothing, vec![], request))
}

fn takes(route: &Route, method: &Method) -> bool {
    method.as_str() == route.method || (method == Method::HEAD && route.method == "GET")
}

/// The methods of a path, for the header `Allow`.
fn allowed(routes: &[Arc<Route>]) -> String {
    let methods = routes.iter().flat_map(|route| match route.method {
        "GET" => vec!["GET", "HEAD"],
        method => vec![method],
    });
    methods.collect::<Vec<_>>().join(", ")
}

/// What a request's path and method lead to.
enum Target {
    Operation(Arc<Route>),
    WrongMethod(String),
    Nothing,
}

impl Target {
    fn name(&self) -> &'static str {
        if let Target::Operation(route) = self { route.operation } else { "none" }
    }

    /// How long the request may take; `None` where the operation looks after that.
    fn time(&self, state: &AppState) -> Option<Duration> {
        let takes_stream = matches!(self, Target::Operation(route) if route.takes_stream);
        (!takes_stream).then_some(state.settings.request_timeout)
    }
}

async fn serve(
    state: AppState,
    target: Target,
    params: Vec<(String, String)>,
    request: Request,
) -> Response<Body> {
    let mut exchange = Exchange::begin(&state, &request, Arrival::of(request.extensions()), target.name());
    let (span, params) = (exchange.span(), Arc::new(params));
    exchange.ids = PathIds::new(&params);
    let time = target.time(&state);
    let working = dispatch(&state, target, params, request, &mut exchange).instrument(span);
    let answered = match time {
        Some(time) => within(time, working).await,
        None => caught(working).await,
    };
    exchange.end_with(&state, answered)
}

/// What comes of a request's work: within its time, whatever happens inside.
pub(crate) async fn within(
    time: Duration,
    working: impl Future<Output = Result<Response<Body>, Refusal>>,
) -> Result<Response<Body>, Refusal> {
    tokio::time::timeout(time, caught(working)).await.unwrap_or_else(|_| Err(took_too_long().into()))
}

/// The same without a limit.
async fn caught(
    working: impl Future<Output = Result<Response<Body>, Refusal>>,
) -> Result<Response<Body>, Refusal> {
    let caught = AssertUnwindSafe(working).catch_unwind().await;
    caught.unwrap_or_else(|_| Err(Error::internal("a handler panicked").into()))
}

async fn dispatch(
    state: &AppState,
    target: Target,
    params: Arc<Vec<(String, String)>>,
    request: Request,
    exchange: &mut Exchange,
) -> Result<Response<Body>, Refusal> {
    let route = match target {
        Target::Operation(route) => route,
        Target::WrongMethod(allow) => return Err(Refusal::MethodNotAllowed(allow)),
        Target::Nothing => return Err(Error::not_found("path").into()),
    };
    let (parts, body) = request.into_parts();
    let context = state.platform.context().caused_by(Some(exchange.id.clone()));
    let caller = match route.access {
        Access::Everyone => None,
        Access::Key(scope) | Access::Persons(scope) | Access::OfPersons(scope) | Access::Owners(scope) => {
            let caller = authenticate(state, &parts).await?;
            exchange.caller = Some(caller.clone());
            let settings = &state.settings;
            exchange.limit = caller.hit(context.now, settings.rate_limit, settings.rate_window);
            if let Some(refused) = exchange.limit.filter(|decision| !decision.allowed) {
                return Err(limited(&refused).into());
            }
            if !caller.scope().allows(scope) {
                let refused = match caller.identity {
                    Identity::Key(_) => "The API key may only read.",
                    Identity::User(..) => "Your role may only read.",
                    Identity::Guest(_) => "The link may only read.",
                };
                return Err(Error::new(Kind::Forbidden, refused).into());
            }
            if !caller.sees_personal_data() && shows_persons(state, &caller, route.access, &params).await? {
                return Err(Error::new(Kind::Forbidden, "Your role does not show personal data.").into());
            }
            if matches!(route.access, Access::Owners(_)) && !caller.decides_as_owner() {
                return Err(Error::new(Kind::Forbidden, "Only owners may do that.").into());
            }
            Some(caller)
        }
    };
    if (route.takes_stream || route.takes_body) && is_coded(&parts.headers) {
        return Err(Refusal::ContentCoding);
    }
    let (body, stream) = if route.takes_stream {
        (Bytes::new(), Some(body))
    } else if route.takes_body {
        (read_body(state, &parts, body).await?, None)
    } else {
        (Bytes::new(), None)
    };
    let stream = Mutex::new(stream);
    let incoming = Incoming { state: state.clone(), context, caller, parts, path: params, body, stream };
    Ok((route.serve)(incoming).await?)
}

/// Whether an answer would show a person.
async fn shows_persons(
    state: &AppState,
    caller: &Caller,
    access: Access,
    params: &[(String, String)],
) -> Result<bool> {
    match access {
        Access::Persons(_) => Ok(true),
        Access::OfPersons(_) => persons_own::is_named(state, &caller.tenant.tenant_id, params).await,
        Access::Everyone | Access::Key(_) | Access::Owners(_) => Ok(false),
    }
}

async fn authenticate(state: &AppState, parts: &Parts) -> Result<Caller> {
    // The console calls from within the process, for a user who has signed in. No extension arrives from outside.
    if let Some(caller) = parts.extensions.get::<Caller>() {
        return Ok(caller.clone());
    }
    let mut secrets = parts.headers.get_all(API_KEY).iter();
    // Two keys are no key: which of them was meant is not for us to guess.
    let secret = secrets.next().filter(|_| secrets.next().is_none()).and_then(|value| value.to_str().ok());
    let secret =
        secret.ok_or_else(|| Error::new(Kind::Unauthorized, "Send one API key in the header x-api-key."))?;
    state.keys.authenticate(secret, state.now()).await
}

fn limited(decision: &Decision) -> Error {
    let seconds = decision.retry_after.as_millis().div_ceil(1000).max(1);
    let kind = Kind::Limited {
        limit: decision.limit,
        resets_at: decision.resets_at,
        retry_after: u32::try_from(seconds).unwrap_or(u32::MAX),
    };
    Error::new(kind, format!("The rate limit of {} a window is used up.", decision.limit))
}

/// The whole body, within size and time, declared as JSON unless it is empty.
async fn read_body(state: &AppState, parts: &Parts, body: Body) -> Result<Bytes, Refusal> {
    let announced =
        parts.headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    if announced.is_some_and(|length: u64| length > MAX_BODY as u64) {
        return Err(Refusal::TooLarge);
    }
    let declared = parts.headers.get(header::CONTENT_TYPE);
    let is_json = declared.is_some_and(|value| value.to_str().is_ok_and(declares_json));
    if declared.is_some() && !is_json && announced != Some(0) {
        return Err(Refusal::UnsupportedMediaType);
    }
    let reading = Limited::new(body, MAX_BODY).collect();
    let incomplete = || {
        let message = "The body did not arrive whole in time.";
        Refusal::from(Error::invalid(vec![Issue::body(IssueCode::Incomplete, &[], message)]))
    };
    let read = tokio::time::timeout(state.settings.body_timeout, reading).await.map_err(|_| incomplete())?;
    let bytes = match read {
        Ok(read) => read.to_bytes(),
        Err(error) if error.is::<LengthLimitError>() => return Err(Refusal::TooLarge),
        Err(_) => return Err(incomplete()),
    };
    if !bytes.is_empty() && !is_json {
        return Err(Refusal::UnsupportedMediaType);
    }
    Ok(bytes)
}

/// Whether a body is compressed: we read none that is.
fn is_coded(headers: &HeaderMap) -> bool {
    let is_plain = |value: &HeaderValue| {
        value.to_str().is_ok_and(|codings| {
            codings
                .split(',')
                .map(str::trim)
                .all(|one| one.is_empty() || one.eq_ignore_ascii_case("identity"))
        })
    };
    !headers.get_all(header::CONTENT_ENCODING).iter().all(is_plain)
}

fn declares_json(media_type: &str) -> bool {
    let name = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    name == "application/json" || (name.starts_with("application/") && name.ends_with("+json"))
}

#[cfg(test)]
mod tests {
    use axum::http::StatusCode;
    use pagesmith_file_storage::Storage;
    use pagesmith_operations::Platform;
    use pagesmith_operations::access::KeyRing;
    use pagesmith_operations::tenant_domains::check::NoNames;
    use pagesmith_store::Store;
    use tower::ServiceExt;

    use super::*;
    use crate::api::server::{Server, Text};
    use crate::exchange::REQUEST_ID;
    use crate::state::{Settings, Shared};

    async fn broken(_: Server) -> Result<Text> {
        panic!("a secret detail")
    }

    /// A server whose only route has a broken handler.
    fn broken_server(folder: &std::path::Path) -> Router {
        let settings = Settings { rate_limit: 1, ..Settings::usual("http://pagesmith.test") };
        let store = Store::open_inline(&folder.join("test.db")).unwrap();
        let keys = Arc::new(KeyRing::new(store.clone()));
        let (files, names) = (Storage::in_memory(), Arc::new(NoNames));
        let state = Shared::new(settings, store, files, Platform::system(), keys, names);
        router(state, vec![Route::new(("GET", "/broken"), broken, ("broken", " Panics."), Access::Everyone)])
    }

    #[tokio::test]
    async fn a_panic_in_a_handler_is_answered_as_internal_and_ends_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let server = broken_server(folder.path());
        for id in ["req_1", "req_2"] {
            let request = Request::get("/broken").header(REQUEST_ID, id).body(Body::empty()).unwrap();
            let response = server.clone().oneshot(request).await.unwrap();
            assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
            assert_eq!(response.headers()[REQUEST_ID], id);
            let body = response.into_body().collect().await.unwrap().to_bytes();
            let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
            let expected = serde_json::json!({
                "code": "INTERNAL", "detail": "An unexpected error occurred.", "requestId": id, "status": 500,
                "title": "Internal Server Error", "type": "http://pagesmith.test/errors/internal",
            });
            assert_eq!(body, expected);
        }
    }
}
