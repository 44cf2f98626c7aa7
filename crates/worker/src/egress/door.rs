//! The same door for the page agent, whose answers come piece by piece.

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use pagesmith_agent::llm::door::{Door, DoorBody, DoorError, DoorRequest, DoorResponse, Receiving, Sending};
use tokio::time::{Duration, timeout};
use tracing::Instrument;
use tracing::field::Empty;

use super::answer::Again;
use super::{Egress, Failure, Outgoing};
use crate::trace;

impl Door for Egress {
    fn send(&self, request: DoorRequest) -> Sending<'_> {
        Box::pin(async move {
            let mut outgoing = outgoing(request)?;
            // As long as the answer's head is waited for; what is written while it streams belongs to the writing of the version.
            let span = tracing::info_span!(target: "span", "ask model", otel.kind = "client", status = Empty);
            trace::tell(&span, &mut outgoing.headers);
            let opened =
                timeout(self.total, self.open(Method::POST, outgoing)).instrument(span.clone()).await;
            let response = opened.unwrap_or(Err(Failure::TimedOut))?;
            span.record("status", response.status().as_u16());
            let retry_after = Again::pause(response.headers());
            let status = response.status().as_u16();
            let body = Pieces { body: response.into_body(), patience: self.total };
            Ok(DoorResponse { status, retry_after, body: Box::new(body) })
        })
    }
}

fn outgoing(request: DoorRequest) -> Result<Outgoing, DoorError> {
    let mut headers = HeaderMap::with_capacity(request.headers.len() + 1);
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    for (name, value) in request.headers {
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| DoorError::Forbidden)?;
        let mut value = HeaderValue::from_str(&value).map_err(|_| DoorError::Forbidden)?;
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    Ok(Outgoing { url: request.url, headers, body: request.body })
}

/// A body that comes piece by piece, each in time.
struct Pieces {
    body: Incoming,
    patience: Duration,
}

impl DoorBody for Pieces {
    fn next(&mut self) -> Receiving<'_> {
        Box::pin(async move {
            loop {
                let frame = timeout(self.patience, self.body.frame()).await;
                match frame.map_err(|_| DoorError::TimedOut)? {
                    None => return Ok(None),
                    Some(Err(_)) => return Err(DoorError::Broken),
                    Some(Ok(frame)) => {
                        if let Ok(data) = frame.into_data() {
                            return Ok::<Option<Bytes>, DoorError>(Some(data));
                        }
                    }
                }
            }
        })
    }
}
