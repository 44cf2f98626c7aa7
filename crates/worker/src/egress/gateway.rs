//! The same gateway for the page agent, whose answers come piece by piece.

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Uri, header};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use pagesmith_agent::llm::gateway::{
    Gateway, GatewayBody, GatewayError, GatewayRequest, GatewayResponse, Receiving, Sending,
};
use tokio::time::{Duration, sleep, timeout};
use tracing::Instrument;
use tracing::field::Empty;

use super::answer::Again;
use super::{Egress, Failure, Outgoing};
use crate::trace;

impl Gateway for Egress {
    fn send(&self, request: GatewayRequest) -> Sending<'_> {
        Box::pin(async move {
            let mut outgoing = outgoing(request)?;
            // As long as the answer's head is waited for; what is written while it streams belongs to the writing of the version.
            let span = tracing::info_span!(target: "span", "ask model", otel.kind = "client", status = Empty);
            trace::inject_headers(&span, &mut outgoing.headers);
            let (server, pause) = (host(&outgoing.url), sleep(self.unreachable_takes));
            let opened =
                timeout(self.total, self.open(Method::POST, outgoing)).instrument(span.clone()).await;
            let response = match opened.unwrap_or(Err(Failure::TimedOut)) {
                Ok(response) => response,
                Err(cause) => {
                    if !cause.was_connected() {
                        tracing::warn!(server, %cause, "a model could not be reached");
                        // The time that it takes does not tell the cause either.
                        pause.await;
                    }
                    return Err(cause.into());
                }
            };
            span.record("status", response.status().as_u16());
            let retry_after = Again::pause(response.headers());
            let status = response.status().as_u16();
            let body = Pieces { body: response.into_body(), time_limit: self.total };
            Ok(GatewayResponse { status, retry_after, body: Box::new(body) })
        })
    }
}

/// The host of an address, without what else may be in it.
fn host(url: &str) -> Option<String> {
    Some(url.parse::<Uri>().ok()?.host()?.to_owned())
}

fn outgoing(request: GatewayRequest) -> Result<Outgoing, GatewayError> {
    let mut headers = HeaderMap::with_capacity(request.headers.len() + 1);
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    for (name, value) in request.headers {
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| GatewayError::Unsendable)?;
        let mut value = HeaderValue::from_str(&value).map_err(|_| GatewayError::Unsendable)?;
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    Ok(Outgoing { url: request.url, headers, body: request.body })
}

/// A body that comes piece by piece, each in time.
struct Pieces {
    body: Incoming,
    time_limit: Duration,
}

impl GatewayBody for Pieces {
    fn next(&mut self) -> Receiving<'_> {
        Box::pin(async move {
            loop {
                let frame = timeout(self.time_limit, self.body.frame()).await;
                match frame.map_err(|_| GatewayError::TimedOut)? {
                    None => return Ok(None),
                    Some(Err(_)) => return Err(GatewayError::Broken),
                    Some(Ok(frame)) => {
                        if let Ok(data) = frame.into_data() {
                            return Ok::<Option<Bytes>, GatewayError>(Some(data));
                        }
                    }
                }
            }
        })
    }
}
