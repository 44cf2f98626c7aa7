//! Fetching: a GET whose answer is wanted whole, with its headers.

use bytes::{Bytes, BytesMut};
use http::{HeaderMap, Method};
use http_body_util::BodyExt;
use tokio::time::timeout;
use tracing::{Instrument, Span};

use super::{Egress, Failure, Outgoing, call_span};

/// An answer with its headers.
#[derive(Debug, Clone)]
pub struct Fetched<B> {
    /// The status.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: B,
}

impl<B> Fetched<B> {
    /// A header's text.
    pub fn header(&self, name: http::HeaderName) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }
}

impl Egress {
    /// Sends a GET and reads its answer; the body is nothing if it has more than `limit` bytes. A body that breaks off is a failure.
    pub async fn fetch(&self, outgoing: Outgoing, limit: usize) -> Result<Fetched<Option<Bytes>>, Failure> {
        // One byte more tells that there is more.
        let Fetched { status, headers, body } = self.fetch_beginning(outgoing, limit + 1).await?;
        Ok(Fetched { status, headers, body: (body.len() <= limit).then_some(body) })
    }

    /// Sends a GET and reads the first `limit` bytes of its answer's body. A body that breaks off before is a failure.
    pub async fn fetch_beginning(&self, outgoing: Outgoing, limit: usize) -> Result<Fetched<Bytes>, Failure> {
        let all = async {
            let (head, mut body) = self.open(Method::GET, outgoing).await?.into_parts();
            Span::current().record("status", head.status.as_u16());
            let mut read = BytesMut::new();
            while read.len() < limit
                && let Some(frame) = body.frame().await
            {
                let frame = frame.map_err(|error| Failure::of(&error))?;
                let Ok(data) = frame.into_data() else { continue };
                read.extend_from_slice(data.get(..limit - read.len()).unwrap_or(&data));
            }
            Ok(Fetched { status: head.status.as_u16(), headers: head.headers, body: read.freeze() })
        };
        let all = all.instrument(call_span("fetch"));
        timeout(self.total, all).await.unwrap_or(Err(Failure::TimedOut))
    }
}
