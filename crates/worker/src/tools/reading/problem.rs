//! Why a page or a file was not read, as the owner of its entry is told.

use crate::egress::Failure;

/// Why a page or a file was not read.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) reason: String,
    /// Whether another try may help.
    pub(crate) may_pass: bool,
    /// Why there was no connection to an address that was judged and allowed, for the operator; nothing if there was one.
    pub(crate) unreachable: Option<Failure>,
    pub(crate) url: Option<String>,
    pub(crate) status: Option<u16>,
}

impl Problem {
    pub(crate) fn permanent(reason: impl Into<String>) -> Problem {
        Problem { reason: reason.into(), may_pass: false, unreachable: None, url: None, status: None }
    }

    pub(crate) fn passing(reason: impl Into<String>) -> Problem {
        Problem { may_pass: true, ..Problem::permanent(reason) }
    }

    /// With the address that answered, and its status.
    pub(crate) fn at(self, url: &str, status: u16) -> Problem {
        Problem { url: Some(url.to_owned()), status: Some(status), ..self }
    }
}

/// What the owner of an entry is told of a failure: of all that happens before a connection the same.
pub(crate) fn of_failure(failure: Failure) -> Problem {
    if failure.was_connected() {
        return Problem::passing(failure.to_string());
    }
    let reason = "The page could not be reached: its name, its address or the connection to it failed.";
    // Another try may help or not: to tell would be to tell the cause.
    Problem { unreachable: Some(failure), ..Problem::passing(reason) }
}
