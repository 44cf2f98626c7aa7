//! One attempt: the event's bytes, signed now, and what came back.
//!
//! A receiver that could not be reached costs the same time and is told in the same words whatever the cause, so that nobody learns from a
//! subscription's attempts which names and addresses there are on the inside. The log has the cause.

use std::borrow::Cow;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, header};
use pagesmith_model::webhook::attempt::{Attempt, kept_answer};
use pagesmith_model::webhook::{Secrets, signature, url};
use pagesmith_model::{RequestId, Timestamp};
use pagesmith_operations::webhooks::deliveries::{AttemptResult, Due};
use tokio::time::{Duration, Instant};
use tracing::field::Empty;
use tracing::{Instrument, Span};

use crate::egress::{Failure, Outgoing};
use crate::tools::Tools;
use crate::trace;

const AGENT: &str = concat!("Pagesmith/", env!("CARGO_PKG_VERSION"));

/// An attempt that has ended.
pub(super) struct EndedAttempt {
    /// When it may be noted, if that is not at once: that of a receiver which could not be reached always takes as long.
    pub(super) not_before: Option<Instant>,
    /// What is to be noted.
    pub(super) result: AttemptResult,
    /// How long it took.
    pub(super) took: Duration,
    /// When the delivery was made.
    pub(super) created_at: Timestamp,
}

/// Attempts a delivery.
pub(super) async fn attempt(tools: Tools, due: Due) -> EndedAttempt {
    let span = span(&due);
    attempt_within(tools, due, &span).instrument(span.clone()).await
}

/// A span of its own trace: what the receiver is told of it says nothing of the request that made the event.
fn span(due: &Due) -> Span {
    let (event, subscription) = (due.key.event_id.as_str(), due.key.subscription_id.as_str());
    tracing::info_span!(
        target: "span",
        parent: None,
        "deliver",
        otel.kind = "client",
        tenant = due.key.tenant.as_str(),
        subscription,
        event,
        attempt = due.number,
        request_id = due.request_id.as_ref().map(RequestId::as_str),
        status = Empty,
        failure = Empty,
    )
}

async fn attempt_within(tools: Tools, due: Due, span: &Span) -> EndedAttempt {
    let (at, begun) = (tools.platform.clock().now(), Instant::now());
    let body = Bytes::copy_from_slice(due.body.as_str().as_bytes());
    // What is no URL is refused where it is called.
    let url = url::callable(&due.url).map_or_else(|| due.url.clone(), Cow::into_owned);
    let mut outgoing = signed(url, &due.secrets, due.key.event_id.as_str(), body, at);
    trace::inject_headers(span, &mut outgoing.headers);
    let answered = tools.delivery.sender.deliver(outgoing).await;
    let (took, unreachable) = (begun.elapsed(), tools.delivery.unreachable_takes);
    let mut not_before = None;
    let nothing = Attempt { at, duration_ms: millis(took), status: None, error: None, response: None };
    let (attempt, retry_after) = match answered {
        Ok(answer) => {
            span.record("status", answer.status);
            let response = kept_answer(&answer.body);
            let again = answer.again.map(|again| again.after(tools.platform.clock().now()));
            (Attempt { status: Some(answer.status), response, ..nothing }, again)
        }
        Err(failure) => {
            span.record("failure", failure.to_string());
            tell_operator(&due, &failure);
            let error = Some(failure.for_owner());
            if failure.was_connected() {
                (Attempt { error, ..nothing }, None)
            } else {
                not_before = Some(begun + unreachable);
                (Attempt { error, duration_ms: millis(unreachable), ..nothing }, None)
            }
        }
    };
    let Due { key, lease, number, tries, created_at, .. } = due;
    let result = AttemptResult { key, lease, number, tries, attempt, retry_after };
    EndedAttempt { not_before, result, took, created_at }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// The cause is in the log, where the delivery is found by its subscription and event.
fn tell_operator(due: &Due, cause: &Failure) {
    let (event, subscription) = (due.key.event_id.as_str(), due.key.subscription_id.as_str());
    let (tenant, attempt) = (due.key.tenant.as_str(), due.number);
    let request_id = due.request_id.as_ref().map(RequestId::as_str);
    tracing::info!(tenant, subscription, event, attempt, request_id, %cause, "a delivery was not answered");
}

/// A delivery of an event's bytes to an address, signed at that instant.
pub fn signed(url: String, secrets: &Secrets, event_id: &str, body: Bytes, at: Timestamp) -> Outgoing {
    let mut headers = HeaderMap::with_capacity(8);
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::USER_AGENT, HeaderValue::from_static(AGENT));
    for (name, value) in signature::headers(secrets, event_id, &body, at) {
        // Ids, numbers and signatures are visible ASCII; an id that is not is none of ours, and the receiver refuses.
        if let (Ok(name), Ok(value)) = (HeaderName::from_bytes(name.as_bytes()), HeaderValue::try_from(value))
        {
            headers.insert(name, value);
        }
    }
    Outgoing { url, headers, body }
}
