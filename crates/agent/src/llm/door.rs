//! The door to the outside: this crate says what is to be sent, whoever holds the door sends it.
//!
//! What this is not: a client. Where one may connect to, how long to wait and how many connections there are is the door's business.
//! Dropping a future ends what it was doing.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;

/// A request; always POST with a body of JSON.
#[derive(Clone, PartialEq, Eq)]
pub struct DoorRequest {
    /// The address.
    pub url: String,
    /// The headers besides those of the connection; their values may be secret.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: Bytes,
}

/// An answer whose body comes piece by piece.
pub struct DoorResponse {
    /// The status.
    pub status: u16,
    /// What `Retry-After` asks for.
    pub retry_after: Option<Duration>,
    /// The body.
    pub body: Box<dyn DoorBody>,
}

/// Why there was no answer, or no more of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DoorError {
    /// It took too long.
    TimedOut,
    /// The address may not be spoken to.
    Forbidden,
    /// The connection could not be made, or broke.
    Broken,
}

/// What [`Door::send`] gives.
pub type Sending<'a> = Pin<Box<dyn Future<Output = Result<DoorResponse, DoorError>> + Send + 'a>>;

/// What [`DoorBody::next`] gives; nothing at the end.
pub type Receiving<'a> = Pin<Box<dyn Future<Output = Result<Option<Bytes>, DoorError>> + Send + 'a>>;

/// Whoever may speak to the outside.
pub trait Door: Send + Sync {
    /// Sends a request and waits for the head of its answer.
    fn send(&self, request: DoorRequest) -> Sending<'_>;
}

/// A body that comes piece by piece.
pub trait DoorBody: Send {
    /// The next piece.
    fn next(&mut self) -> Receiving<'_>;
}
