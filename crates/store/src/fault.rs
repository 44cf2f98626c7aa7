//! What a database can answer instead of rows, in terms both engines share.
//!
//! A fault travels as the source of a [`pagesmith_model::Error`]; the caller of a statement may turn a named constraint into a
//! refusal with [`OnConstraint`], everything else keeps its default: constraint violations are defects,
//! outages are 503.

use std::fmt;

use pagesmith_model::{Error, Result};

/// What a caller of the API is told of a database that cannot be used now; the fault behind it is for the operator.
pub const UNAVAILABLE: &str = "The database is not available right now.";

/// What went wrong below a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// A constraint forbids it; named as PostgreSQL names it (`pages_tenant_id_slug_key`).
    Constraint(String),
    /// The transaction conflicted with another one and must run again from its start.
    Retry(String),
    /// The database cannot do it now: busy, full, shutting down.
    Unavailable(String),
    /// The database cannot be used as it is set up, and another attempt would not help: a sentence with the cause and the next step.
    Refused(String),
    /// It took longer than a transaction may, and was stopped.
    TooLong(String),
    /// The connection is gone; what was sent last may or may not have happened.
    Lost(String),
    /// Anything else: a defect of ours.
    Defect(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Constraint(name) => write!(f, "violates {name}"),
            Fault::Retry(why) => write!(f, "must run again: {why}"),
            Fault::Unavailable(why) => write!(f, "database unavailable: {why}"),
            Fault::Refused(why) => f.write_str(why),
            Fault::TooLong(why) => write!(f, "took too long: {why}"),
            Fault::Lost(why) => write!(f, "database connection lost: {why}"),
            Fault::Defect(why) => write!(f, "statement failed: {why}"),
        }
    }
}

impl std::error::Error for Fault {}

impl Fault {
    /// The cause, without what kind of fault it is.
    pub fn why(&self) -> &str {
        match self {
            Fault::Constraint(why)
            | Fault::Retry(why)
            | Fault::Unavailable(why)
            | Fault::Refused(why)
            | Fault::TooLong(why)
            | Fault::Lost(why)
            | Fault::Defect(why) => why,
        }
    }

    /// Whether the same attempt may succeed later although nobody has done anything.
    pub fn may_pass(&self) -> bool {
        matches!(self, Fault::Retry(_) | Fault::Unavailable(_) | Fault::Lost(_))
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Error {
        match fault {
            Fault::Unavailable(_) | Fault::Refused(_) | Fault::Lost(_) | Fault::Retry(_) => {
                Error::unavailable(UNAVAILABLE).caused_by(fault)
            }
            Fault::TooLong(_) => Error::unavailable(
                "This took the database longer than it may, and nothing came of it. Ask for less at once, or try again later.",
            )
            .caused_by(fault),
            Fault::Constraint(_) | Fault::Defect(_) => Error::internal(fault),
        }
    }
}

/// The fault below an error, if a database caused it.
pub fn of(error: &Error) -> Option<&Fault> {
    let source = std::error::Error::source(error);
    std::iter::successors(source, |cause| cause.source()).find_map(|cause| cause.downcast_ref())
}

/// An error that makes the store run the transaction again: it lost a race and will see the winner.
pub fn retry(why: &str) -> Error {
    Fault::Retry(why.to_owned()).into()
}

/// Turns a violated constraint into a refusal, at the statement that may violate it.
pub trait OnConstraint {
    /// Replaces a violation of `name` by what `refusal` makes.
    #[must_use]
    fn on_constraint(self, name: &str, refusal: impl FnOnce() -> Error) -> Self;
}

impl<T> OnConstraint for Result<T> {
    fn on_constraint(self, name: &str, refusal: impl FnOnce() -> Error) -> Self {
        self.map_err(|error| match of(&error) {
            Some(Fault::Constraint(violated)) if violated == name => refusal(),
            _ => error,
        })
    }
}
