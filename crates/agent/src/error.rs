//! Why a page was not written, and whether trying again may help.
//!
//! The message is for whoever has set the model: it names the cause, as far as it is the model's, and holds neither the brief nor a key.

use std::fmt;
use std::time::Duration;

use crate::Usage;

/// A page that was not written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentError {
    /// Whether trying again may help.
    pub fault: Fault,
    /// What happened, in a sentence.
    pub message: String,
    /// What it took all the same.
    pub usage: Usage,
}

/// Whether trying again may help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It may, after this time if one was named.
    Retry(Option<Duration>),
    /// It will not: the request, the key or the model is at fault.
    Permanent,
    /// The tokens allowed for one generation are spent.
    Budget,
    /// Nothing was asked: fewer tokens are allowed than these, which the question and the shortest answer take.
    TooLittle(u64),
}

impl AgentError {
    /// An error that may pass by itself.
    pub fn retry(after: Option<Duration>, message: impl Into<String>) -> AgentError {
        AgentError { fault: Fault::Retry(after), message: message.into(), usage: Usage::default() }
    }

    /// An error that stays.
    pub fn permanent(message: impl Into<String>) -> AgentError {
        AgentError { fault: Fault::Permanent, message: message.into(), usage: Usage::default() }
    }

    /// The tokens are spent.
    pub fn budget(message: impl Into<String>) -> AgentError {
        AgentError { fault: Fault::Budget, message: message.into(), usage: Usage::default() }
    }

    /// Fewer tokens are allowed than `needed`.
    pub fn too_little(needed: u64) -> AgentError {
        let message = format!("Fewer tokens are allowed than a page takes, which is at least {needed}.");
        AgentError { fault: Fault::TooLittle(needed), message, usage: Usage::default() }
    }

    /// The same error, after so much has been used.
    #[must_use]
    pub fn after(mut self, usage: Usage) -> AgentError {
        self.usage = usage;
        self
    }

    /// Whether trying again may help.
    pub fn is_passing(&self) -> bool {
        matches!(self.fault, Fault::Retry(_))
    }
}

impl fmt::Display for AgentError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for AgentError {}
