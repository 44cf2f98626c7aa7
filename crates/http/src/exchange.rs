//! A request and its answer, as far as they are the same for everybody: an id, headers, a count, a line in the log.
//!
//! What this is not: a judge of who may come in and what is answered. Invariant: every answer passes [`Exchange::end`] once, and nothing
//! changes it afterwards.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::{Body, HttpBody};
use axum::http::header::InvalidHeaderValue;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, header};
use pagesmith_model::tenant::Tenant;
use pagesmith_model::window::Decision;
use pagesmith_model::{RequestId, TenantId, for_each_id};
use pagesmith_operations::access::Caller;
use tracing::Span;

use crate::arrival::Arrival;
use crate::error::Refusal;
use crate::path_ids::PathIds;
use crate::request_span;
use crate::state::AppState;

pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// What is known of a request so far, for its answer and the log.
pub(crate) struct Exchange {
    /// The request's id.
    pub id: RequestId,
    /// The id that the client gave, where it cannot be ours.
    foreign_id: Option<String>,
    /// What was asked for.
    pub operation: &'static str,
    /// Who asks, once it is known.
    pub caller: Option<Caller>,
    /// Whose site is asked, where anybody may ask.
    pub site_of: Option<Arc<Tenant>>,
    /// The ids in its path, or of what was found.
    pub ids: PathIds,
    /// The address that it comes from, where it came over a connection.
    pub client: Option<IpAddr>,
    /// What the rate limit says, once it was asked.
    pub limit: Option<Decision>,
    span: Span,
    is_head: bool,
    started: Instant,
}

impl Exchange {
    /// Begins with the head of a request.
    pub fn begin<B>(
        state: &AppState,
        request: &Request<B>,
        arrival: Arrival,
        operation: &'static str,
    ) -> Exchange {
        let started = Instant::now();
        let (id, foreign_id) = request_id(state, request.headers());
        let is_head = request.method() == Method::HEAD;
        let span = request_span::begin(operation, &id, request.headers());
        Exchange {
            id,
            foreign_id,
            operation,
            caller: None,
            site_of: None,
            ids: PathIds::default(),
            client: arrival.client(),
            limit: None,
            span,
            is_head,
            started,
        }
    }

    /// For traces only: the log has its own line.
    pub fn span(&self) -> Span {
        self.span.clone()
    }

    /// Ends with what came of the request.
    pub fn end_with(self, state: &AppState, answered: Result<Response<Body>, Refusal>) -> Response<Body> {
        let response = answered.unwrap_or_else(|refusal| {
            let share = state.answers.share(self.tenant());
            refusal.into_response(&self.id, &state.settings.base_url, &share)
        });
        self.end(state, response)
    }

    /// The tenant of the caller or, where anybody may ask, of the site.
    fn tenant(&self) -> Option<&TenantId> {
        let of_caller = self.caller.as_ref().map(|caller| &caller.tenant);
        of_caller.or(self.site_of.as_ref()).map(|tenant| &tenant.tenant_id)
    }

    /// Ends with the answer: adds the headers that every one carries, counts, and writes one line to the log.
    pub fn end(mut self, state: &AppState, mut response: Response<Body>) -> Response<Body> {
        if let Some(found) = PathIds::noted_on(&mut response) {
            self.ids = found;
        }
        self.finish(state, response.headers_mut());
        if self.is_head {
            let length = response.body().size_hint().exact().unwrap_or_default();
            response.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(length));
            *response.body_mut() = Body::empty();
        }
        let status = response.status().as_u16();
        let took = self.started.elapsed();
        state.metrics.request(self.operation, status, took);
        let tenant = self.tenant().map(TenantId::as_str);
        request_span::end(&self.span, tenant, status);
        self.log(tenant, status, took);
        response
    }

    fn finish(&self, state: &AppState, headers: &mut HeaderMap) {
        if let Ok(id) = HeaderValue::try_from(self.id.as_str()) {
            headers.insert(REQUEST_ID, id);
        }
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        if !headers.contains_key(header::CACHE_CONTROL) {
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
        }
        let Some(decision) = &self.limit else { return };
        let window = state.settings.rate_window.as_secs();
        let seconds = decision.resets_at.since(state.now()).as_millis().div_ceil(1000);
        let seconds = u64::try_from(seconds).unwrap_or(u64::MAX);
        let policy = default_limit("q", decision.limit.into(), "w", window);
        let left = default_limit("r", decision.remaining.into(), "t", seconds);
        if let (Ok(policy), Ok(left)) = (policy, left) {
            headers.insert(RATE_LIMIT_POLICY, policy);
            headers.insert(RATE_LIMIT, left);
        }
    }
}

macro_rules! define_log {
    ($($(#[$doc:meta])* $id:ident = $prefix:literal, $noun:literal $(, $parameter:literal)?;)*) => {
        /// The parameters of paths that are ids.
        #[derive(Clone, Copy)]
        #[expect(clippy::enum_variant_names, reason = "each has the name of its id's type")]
        enum Parameter {
            $($(#[doc = $parameter] $id,)?)*
        }

        impl Parameter {
            const COUNT: usize = [$($($parameter,)?)*].len();

            fn named(name: &str) -> Option<Parameter> {
                match name {
                    $($($parameter => Some(Parameter::$id),)?)*
                    _ => None,
                }
            }
        }

        impl Exchange {
            /// Writes the request's line to the log, with every id of its path.
            fn log(&self, tenant: Option<&str>, status: u16, took: Duration) {
                // Every line has a field for each parameter, and a request one or two of them.
                let mut ids = [None; Parameter::COUNT];
                for (name, id) in self.ids.iter() {
                    if let Some(parameter) = Parameter::named(name) {
                        ids[parameter as usize] = Some(id);
                    }
                }
                tracing::info!(
                    target: "request",
                    request_id = self.id.as_str(),
                    client_request_id = self.foreign_id,
                    client = self.client.map(address_text).as_deref(),
                    key = self.caller.as_ref().map(Caller::id),
                    tenant,
                    $($($parameter = ids[Parameter::$id as usize],)?)*
                    operation = self.operation,
                    status,
                    duration_us = u64::try_from(took.as_micros()).unwrap_or(u64::MAX),
                );
            }
        }
    };
}

for_each_id!(define_log);

/// A value of a rate limit's header: the limit that is called `default`, with two numbers.
fn default_limit(
    first: &str,
    value: u64,
    second: &str,
    seconds: u64,
) -> Result<HeaderValue, InvalidHeaderValue> {
    let mut text = String::with_capacity(48);
    text.push_str("\"default\";");
    for (name, value) in [(first, value), (second, seconds)] {
        if !text.ends_with(';') {
            text.push(';');
        }
        text.push_str(name);
        text.push('=');
        text.push_str(itoa::Buffer::new().format(value));
    }
    HeaderValue::try_from(text)
}

/// An address as text. The standard library's way takes 1,300 instructions, and every request has one.
fn address_text(address: IpAddr) -> String {
    let IpAddr::V4(address) = address else { return address.to_string() };
    let mut text = String::with_capacity("255.255.255.255".len());
    for octet in address.octets() {
        if !text.is_empty() {
            text.push('.');
        }
        text.push_str(itoa::Buffer::new().format(octet));
    }
    text
}

/// The client's id for the request if it has our form, else a fresh one and what the client sent.
fn request_id(state: &AppState, headers: &HeaderMap) -> (RequestId, Option<String>) {
    let sent = headers.get(REQUEST_ID).map(|value| String::from_utf8_lossy(value.as_bytes()));
    if let Some(id) = sent.as_deref().and_then(RequestId::parse) {
        return (id, None);
    }
    let context = state.platform.context();
    // Without randomness nothing works; the id of such a failure is its instant alone.
    let uuid =
        context.uuid().unwrap_or_else(|_| pagesmith_model::id::Uuid7Source::new().next(context.now, 0));
    (RequestId::mint(uuid), sent.map(|sent| sent.chars().take(100).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_its_usual_text() {
        for address in ["0.0.0.0", "127.0.0.1", "255.255.255.255", "10.20.3.0", "::1", "2001:db8::7"] {
            assert_eq!(address_text(address.parse().unwrap()), address);
        }
    }

    #[test]
    fn a_rate_limit_has_the_form_of_a_structured_field() {
        let value = default_limit("q", u64::MAX, "w", 0).unwrap();
        assert_eq!(value, "\"default\";q=18446744073709551615;w=0");
    }
}
