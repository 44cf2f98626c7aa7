//! Why a page or a file was not read, as the owner of its entry is told.

use crate::egress::Failure;

/// Why a page or a file was not read.
#[derive(Debug)]
pub(super) struct Problem {
    pub(super) reason: String,
    /// Whether another try may help.
    pub(super) may_pass: bool,
    /// Why there was no connection to an address that was judged and allowed, for the operator; nothing if there was one.
    pub(super) unreachable: Option<Failure>,
    pub(super) url: Option<String>,
    pub(super) status: Option<u16>,
}

impl Problem {
    pub(super) fn permanent(reason: impl Into<String>) -> Problem {
        Problem { reason: reason.into(), may_pass: false, unreachable: None, url: None, status: None }
    }

    pub(super) fn passing(reason: impl Into<String>) -> Problem {
        Problem { may_pass: true, ..Problem::permanent(reason) }
    }

    /// With the address that answered, and its status.
    pub(super) fn at(self, url: &str, status: u16) -> Problem {
        Problem { url: Some(url.to_owned()), status: Some(status), ..self }
    }
}

/// What the owner of an entry is told of a failure: of all that happens before a connection the same.
pub(super) fn of_failure(failure: Failure) -> Problem {
    if failure.was_connected() {
        return Problem::passing(failure.to_string());
    }
    let reason = "The page could not be reached: its name, its address or the connection to it failed.";
    // Another try may help or not: to tell would be to tell the cause.
    Problem { unreachable: Some(failure), ..Problem::passing(reason) }
}
