//! Why there is no answer, in words that the owner of the address can act upon and that tell nothing of our network.

use std::error::Error as StdError;
use std::fmt;
use std::io;

use pagesmith_agent::llm::door::DoorError;

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The address is none that may be called; why.
    Address(&'static str),
    /// The name leads to an address that is reserved; for what.
    Reserved(&'static str),
    /// The name leads nowhere.
    Name,
    /// It took too long.
    TimedOut,
    /// No connection could be made.
    Refused,
    /// TLS could not be agreed upon; what was wrong.
    Tls(&'static str),
    /// The connection broke before the answer was there.
    Broken,
    /// What came was no answer of HTTP, or more of it than is read.
    Nonsense,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Address(why) => write!(f, "The address cannot be called: {why}."),
            Failure::Reserved(what) => write!(f, "The name leads to an address that is reserved for {what}."),
            Failure::Name => f.write_str("The name leads to no address."),
            Failure::TimedOut => f.write_str("There was no answer in time."),
            Failure::Refused => f.write_str("No connection could be made."),
            Failure::Tls(why) => write!(f, "No secure connection could be made: {why}."),
            Failure::Broken => f.write_str("The connection was closed before the answer was complete."),
            Failure::Nonsense => f.write_str("What was answered is not HTTP, or too much of it."),
        }
    }
}

impl StdError for Failure {}

impl Failure {
    /// The failure below an error of the client.
    pub(super) fn of(error: &(dyn StdError + 'static)) -> Failure {
        if let Some(own) = causes(error).find_map(own) {
            return own;
        }
        let http = causes(error).find_map(|cause| cause.downcast_ref::<hyper::Error>());
        match http {
            Some(error) if error.is_parse() || error.is_parse_too_large() => Failure::Nonsense,
            Some(error) if error.is_timeout() => Failure::TimedOut,
            _ => Failure::Broken,
        }
    }
}

/// An error, what caused it, and so on.
fn causes<'a>(error: &'a (dyn StdError + 'static)) -> impl Iterator<Item = &'a (dyn StdError + 'static)> {
    std::iter::successors(Some(error), |&cause| cause.source())
}

/// A failure of ours, also where it travels inside an error of input and output.
fn own(cause: &(dyn StdError + 'static)) -> Option<Failure> {
    if let Some(own) = cause.downcast_ref::<Failure>() {
        return Some(own.clone());
    }
    cause.downcast_ref::<io::Error>()?.get_ref()?.downcast_ref::<Failure>().cloned()
}

impl From<Failure> for DoorError {
    fn from(failure: Failure) -> DoorError {
        match failure {
            Failure::Address(_) | Failure::Reserved(_) => DoorError::Forbidden,
            Failure::TimedOut => DoorError::TimedOut,
            _ => DoorError::Broken,
        }
    }
}
