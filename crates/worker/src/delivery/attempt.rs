//! One attempt: the event's bytes, signed now, and what came back.

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, header};
use pagesmith_model::Timestamp;
use pagesmith_model::webhook::attempt::{Attempt, kept_answer};
use pagesmith_model::webhook::{Secrets, signature};
use pagesmith_operations::deliveries::{AttemptResult, Due};
use tokio::time::{Duration, Instant};

use crate::egress::Outgoing;
use crate::tasks::Tools;

const AGENT: &str = concat!("Pagesmith/", env!("CARGO_PKG_VERSION"));

/// An attempt that has ended.
pub(super) struct Ended {
    /// What is to be noted.
    pub(super) result: AttemptResult,
    /// How long it took.
    pub(super) took: Duration,
    /// When the delivery was made.
    pub(super) created_at: Timestamp,
}

/// Attempts a delivery.
pub(super) async fn attempt(tools: Tools, due: Due) -> Ended {
    let (at, begun) = (tools.world.clock().now(), Instant::now());
    let body = Bytes::copy_from_slice(due.body.as_str().as_bytes());
    let outgoing = signed(due.url.clone(), &due.secrets, due.key.event_id.as_str(), body, at);
    let answered = tools.post.courier.carry(outgoing).await;
    let took = begun.elapsed();
    let duration_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    let nothing = Attempt { at, duration_ms, status: None, error: None, response: None };
    let (attempt, retry_after) = match answered {
        Ok(answer) => {
            let response = kept_answer(&answer.body);
            let again = answer.again.map(|again| again.after(tools.world.clock().now()));
            (Attempt { status: Some(answer.status), response, ..nothing }, again)
        }
        Err(failure) => (Attempt { error: Some(failure.to_string()), ..nothing }, None),
    };
    let Due { key, lease, number, tries, created_at, .. } = due;
    Ended { result: AttemptResult { key, lease, number, tries, attempt, retry_after }, took, created_at }
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
