//! The network gateway: this crate builds the requests, and the program that embeds it sends them.
//!
//! What this is not: a client. The gateway decides which addresses are allowed, how long to wait and how many connections to keep.
//! Dropping a future ends what it was doing.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;

/// A request; always POST with a body of JSON.
#[derive(Clone, PartialEq, Eq)]
pub struct GatewayRequest {
    /// The address.
    pub url: String,
    /// The headers besides those of the connection; their values may be secret.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: Bytes,
}

/// An answer whose body comes piece by piece.
pub struct GatewayResponse {
    /// The status.
    pub status: u16,
    /// What `Retry-After` asks for.
    pub retry_after: Option<Duration>,
    /// The body.
    pub body: Box<dyn GatewayBody>,
}

/// Why there was no answer, or no more of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GatewayError {
    /// It took too long.
    TimedOut,
    /// There was no connection to an address that may be spoken to. Why is not told, since it would tell what the server's network knows.
    Unreachable,
    /// The request cannot be sent as it is.
    Unsendable,
    /// The connection broke.
    Broken,
}

/// What [`Gateway::send`] gives.
pub type Sending<'a> = Pin<Box<dyn Future<Output = Result<GatewayResponse, GatewayError>> + Send + 'a>>;

/// What [`GatewayBody::next`] gives; nothing at the end.
pub type Receiving<'a> = Pin<Box<dyn Future<Output = Result<Option<Bytes>, GatewayError>> + Send + 'a>>;

/// Whoever may speak to the outside.
pub trait Gateway: Send + Sync {
    /// Sends a request and waits for the head of its answer.
    fn send(&self, request: GatewayRequest) -> Sending<'_>;
}

/// A body that comes piece by piece.
pub trait GatewayBody: Send {
    /// The next piece.
    fn next(&mut self) -> Receiving<'_>;
}
