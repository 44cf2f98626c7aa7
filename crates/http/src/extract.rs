//! Getting typed input out of a request.
//!
//! Every extractor looks at the request, even if another one has found a fault already, so that all issues are reported at
//! once; and every extractor describes itself, so that the documentation cannot differ from what is enforced.

use std::sync::{Arc, Mutex, PoisonError};

use axum::http::request::Parts;
use bytes::Bytes;
use pagesmith_model::{Error, Issues, Result};
use pagesmith_operations::Context;
use pagesmith_operations::access::Caller;

use crate::description::{Operation, Schemas};
use crate::in_flight::Share;
use crate::state::AppState;

pub mod body;
pub mod call;
pub mod idempotency;
pub mod paging;
pub mod path;
pub mod precondition;
pub mod query;
pub(crate) mod sort;
pub(crate) mod upload;

pub use body::Body;
pub use call::Call;
pub use idempotency::IdempotencyKey;
pub use paging::Paging;
pub use path::Path;
pub use precondition::IfMatch;
pub use query::Query;
pub(crate) use sort::Sort;
pub(crate) use upload::Upload;

/// A request that has been let in, with its whole body.
pub struct Incoming {
    /// What all requests share.
    pub state: AppState,
    /// The instant of the request.
    pub context: Context,
    /// Who asks; `None` on the few routes that are open to everyone.
    pub caller: Option<Caller>,
    /// Method, address, headers.
    pub parts: Parts,
    /// The values of the path's parameters, decoded.
    pub path: Arc<Vec<(String, String)>>,
    /// The body, already within bounds.
    pub body: Bytes,
    /// The body as it arrives, where the operation takes it so.
    pub(crate) stream: Mutex<Option<axum::body::Body>>,
}

impl Incoming {
    /// What its answer may take of this process's memory.
    pub(crate) fn share(&self) -> Share {
        self.state.answers.share(self.caller.as_ref().map(|caller| &caller.tenant.tenant_id))
    }

    /// The body as it arrives, for the one extractor that reads it.
    pub(crate) fn stream(&self) -> Option<axum::body::Body> {
        self.stream.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// What the extractors of one request have found wrong.
#[derive(Debug, Default)]
pub struct Findings {
    /// Broken rules.
    pub issues: Issues,
    /// Anything else; told only if no rule is broken.
    pub refusal: Option<Error>,
}

impl Findings {
    /// Notes a refusal that is not about the request's shape, such as a malformed id.
    pub fn refuse(&mut self, error: Error) {
        self.refusal.get_or_insert(error);
    }

    /// An error if anything was found.
    pub fn verdict(self) -> Result<()> {
        if !self.issues.is_empty() {
            return Err(Error::invalid(self.issues));
        }
        self.refusal.map_or(Ok(()), Err)
    }
}

/// A part of a request, as a type.
pub trait Extract: Sized + Send {
    /// Whether this reads the body. The body of a request is read only where an extractor wants it.
    const TAKES_BODY: bool = false;
    /// Whether this takes the body as it arrives, in its own time.
    const TAKES_STREAM: bool = false;

    /// Adds what this reads to the operation's description.
    fn describe(operation: &mut Operation, schemas: &mut Schemas);
    /// Reads it; `None` leaves the reason in `findings`.
    fn extract(request: &Incoming, findings: &mut Findings) -> Option<Self>;
}
