//! Why there is no answer: the cause, for the operator, and what the owner of the address is told.
//!
//! The owner chose the address, and the server that calls it is inside somebody's network. So whatever happens before a connection to a
//! judged address is there, the owner is told one and the same thing, whether the name is unknown, leads inside, or nobody listens:
//! nothing can be learnt about names and addresses that only the inside knows. What happens on a connection is between it and its receiver.

use std::error::Error as StdError;
use std::fmt;
use std::io;

use pagesmith_agent::llm::gateway::GatewayError;

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The address is none that may be called; why.
    Address(&'static str),
    /// The name leads to an address that is reserved; for what.
    Reserved(&'static str),
    /// The name leads nowhere.
    Name,
    /// No name server said in time where the name leads.
    Unresolved,
    /// No connection could be made.
    Refused,
    /// No connection was there in time.
    Unconnected,
    /// It took too long.
    TimedOut,
    /// TLS could not be agreed upon; what was wrong.
    Tls(&'static str),
    /// The connection broke before the answer was there.
    Broken,
    /// What came was no answer of HTTP, or more of it than is read.
    Nonsense,
}

/// The cause, for the operator.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Address(why) => write!(f, "The address cannot be called: {why}."),
            Failure::Reserved(what) => write!(f, "The name leads to an address that is reserved for {what}."),
            Failure::Name => f.write_str("The name leads to no address."),
            Failure::Unresolved => f.write_str("No name server answered in time."),
            Failure::Refused => f.write_str("No connection could be made."),
            Failure::Unconnected => f.write_str("No connection was made in time."),
            Failure::TimedOut => f.write_str("There was no answer in time."),
            Failure::Tls(why) => write!(f, "No secure connection could be made: {why}."),
            Failure::Broken => f.write_str("The connection was closed before the answer was complete."),
            Failure::Nonsense => f.write_str("What was answered is not HTTP, or too much of it."),
        }
    }
}

impl Failure {
    /// Whether there was a connection to an address that was judged and allowed.
    pub fn was_connected(&self) -> bool {
        match self {
            Failure::Address(_)
            | Failure::Reserved(_)
            | Failure::Name
            | Failure::Unresolved
            | Failure::Refused
            | Failure::Unconnected => false,
            Failure::TimedOut | Failure::Tls(_) | Failure::Broken | Failure::Nonsense => true,
        }
    }

    /// What the owner of the address is told.
    pub fn for_owner(&self) -> String {
        if self.was_connected() {
            return self.to_string();
        }
        "The receiver could not be reached: its name, its address or the connection to it failed.".to_owned()
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

impl From<Failure> for GatewayError {
    fn from(failure: Failure) -> GatewayError {
        match failure {
            Failure::TimedOut => GatewayError::TimedOut,
            connected if connected.was_connected() => GatewayError::Broken,
            _ => GatewayError::Unreachable,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_owner_of_an_address_is_told_one_thing_of_all_that_happens_before_a_connection() {
        let before = [
            Failure::Address("its port is none"),
            Failure::Reserved("private networks"),
            Failure::Reserved("the machine itself"),
            Failure::Name,
            Failure::Unresolved,
            Failure::Refused,
            Failure::Unconnected,
        ];
        let told: std::collections::BTreeSet<String> = before.iter().map(Failure::for_owner).collect();
        assert_eq!(
            told.into_iter().collect::<Vec<_>>(),
            ["The receiver could not be reached: its name, its address or the connection to it failed."]
        );
        let causes: std::collections::BTreeSet<String> = before.iter().map(ToString::to_string).collect();
        assert_eq!(causes.len(), before.len(), "the operator is told the cause");
        for failure in before {
            assert_eq!(GatewayError::from(failure), GatewayError::Unreachable);
        }
        for after in [
            Failure::TimedOut,
            Failure::Tls("the certificate has expired"),
            Failure::Broken,
            Failure::Nonsense,
        ] {
            assert_eq!(after.for_owner(), after.to_string());
        }
    }
}
