//! The one error of Pagesmith, from a table function up to the wire.
//!
//! An [`Error`] has a kind, which decides the HTTP status in one place (`http/src/error.rs`), a sentence for the
//! caller, and a source for the log. The caller's sentence never holds internals; the source never leaves
//! the machine. [`crate::issue`] has the issues of invalid input.

use std::fmt;

use crate::issue::Issue;
use crate::issues::{Issues, grouped};
use crate::time::Timestamp;

/// What every fallible function of Pagesmith returns.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A refusal or a failure: kind, sentence for the caller, cause for the log.
#[derive(Debug)]
pub struct Error {
    kind: Box<Kind>,
    detail: String,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// What went wrong, as far as a program should care.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// The request's path, query, headers or body break a rule; the broken rules, up to a hundred.
    Invalid(Vec<Issue>),
    /// No valid credentials.
    Unauthorized,
    /// Known caller, but not allowed.
    Forbidden,
    /// Does not exist, or not for this caller.
    NotFound,
    /// The state of things forbids it; structured details may say which state.
    Conflict(Option<serde_json::Value>),
    /// Another request with the same idempotency key is still running; seconds until a retry makes sense.
    StillRunning(u32),
    /// `If-Match` names another state than the present one.
    PreconditionFailed,
    /// Over the rate limit.
    Limited {
        /// Requests allowed in a window.
        limit: u32,
        /// When at least one more request will be allowed.
        resets_at: Timestamp,
        /// Seconds until then, rounded up.
        retry_after: u32,
    },
    /// The body is larger than the operation takes.
    TooLarge,
    /// The range of bytes is not there; how many bytes there are.
    OutOfRange(u64),
    /// Not possible right now; seconds until a retry makes sense.
    Unavailable(u32),
    /// A defect or a broken machine.
    Internal,
}

impl Error {
    /// An error of `kind` with the caller's sentence.
    pub fn new(kind: Kind, detail: impl Into<String>) -> Error {
        Error { kind: Box::new(kind), detail: detail.into(), source: None }
    }

    /// Invalid input with the broken rules; the sentence joins their messages, which end without a full stop for that, and says
    /// how many more there are than are listed.
    pub fn invalid(issues: impl Into<Issues>) -> Error {
        let (mut issues, unlisted) = issues.into().into_parts();
        for issue in &mut issues {
            issue.message.truncate(issue.message.trim_end_matches('.').len());
        }
        let mut detail = issues.iter().map(|issue| issue.message.as_str()).collect::<Vec<_>>().join("; ");
        if unlisted > 0 {
            detail.push_str(&format!("; … and {} more.", grouped(unlisted)));
        }
        Error::new(Kind::Invalid(issues), detail)
    }

    /// The thing does not exist for this caller; `noun` as in "page".
    pub fn not_found(noun: &str) -> Error {
        Error::new(Kind::NotFound, format!("No such {noun}."))
    }

    /// The state of things forbids it.
    pub fn conflict(detail: impl Into<String>) -> Error {
        Error::new(Kind::Conflict(None), detail)
    }

    /// Not possible right now, for a reason the caller may know.
    pub fn unavailable(detail: impl Into<String>) -> Error {
        Error::new(Kind::Unavailable(1), detail)
    }

    /// A defect or a broken machine: the caller learns nothing, the log gets `source`.
    pub fn internal(source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
        Error {
            kind: Box::new(Kind::Internal),
            detail: "An unexpected error occurred.".to_owned(),
            source: Some(source.into()),
        }
    }

    /// The same error with its cause for the log.
    #[must_use]
    pub fn caused_by(mut self, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
        self.source = Some(source.into());
        self
    }

    /// What went wrong.
    pub fn kind(&self) -> &Kind {
        &self.kind
    }

    /// The caller's sentence.
    pub fn detail(&self) -> &str {
        &self.detail
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail)?;
        match &self.source {
            Some(source) => write!(f, ": {source}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_deref().map(|source| source as &(dyn std::error::Error + 'static))
    }
}
