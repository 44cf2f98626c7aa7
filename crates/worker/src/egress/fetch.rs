//! Fetching: a GET whose answer is wanted whole, with its headers.

use bytes::{Bytes, BytesMut};
use http::{HeaderMap, Method};
use http_body_util::BodyExt;
use tokio::time::timeout;

use super::{Egress, Failure, Outgoing};

/// An answer with its headers.
#[derive(Debug, Clone)]
pub struct Fetched {
    /// The status.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body; nothing if it is larger than was wanted.
    pub body: Option<Bytes>,
}

impl Fetched {
    /// A header's text.
    pub fn header(&self, name: http::HeaderName) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }
}

impl Egress {
    /// Sends a GET and reads its answer, whose body may have `limit` bytes. A body that breaks off is a failure.
    pub async fn fetch(&self, outgoing: Outgoing, limit: usize) -> Result<Fetched, Failure> {
        let all = async {
            let (head, mut body) = self.open(Method::GET, outgoing).await?.into_parts();
            let mut read = BytesMut::new();
            while let Some(frame) = body.frame().await {
                let frame = frame.map_err(|error| Failure::of(&error))?;
                let Ok(data) = frame.into_data() else { continue };
                if read.len() + data.len() > limit {
                    return Ok(Fetched { status: head.status.as_u16(), headers: head.headers, body: None });
                }
                read.extend_from_slice(&data);
            }
            let body = Some(read.freeze());
            Ok(Fetched { status: head.status.as_u16(), headers: head.headers, body })
        };
        timeout(self.total, all).await.unwrap_or(Err(Failure::TimedOut))
    }
}
