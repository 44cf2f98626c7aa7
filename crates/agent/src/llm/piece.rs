//! The pieces of a model's answer, the same for every form of API.

use serde_json::Value;

use crate::{AgentError, Usage};

/// A piece of what a model says.
#[derive(Debug, Clone, PartialEq)]
pub enum StreamPiece {
    /// More of the document's text, or of what is said to the owner.
    Text(String),
    /// A call of a tool begins.
    Call {
        /// Its place among the parts of the answer.
        index: u64,
        /// The server's name of it.
        id: String,
        /// The tool.
        name: String,
    },
    /// More of the input of the call at that place.
    Input {
        /// The place.
        index: u64,
        /// A piece of JSON.
        text: String,
    },
    /// What has been used until now.
    Usage(Usage),
    /// The answer has ended.
    Finish(Finish),
    /// It will not come.
    Failed(AgentError),
}

/// How an answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finish {
    /// The model had nothing to add.
    Complete,
    /// There was no room for more.
    Length,
    /// The model would not.
    Refused,
}

/// The error that an answer tells of, if it does.
pub fn failure(value: &Value) -> Option<StreamPiece> {
    let error = value.get("error").filter(|error| !error.is_null())?;
    let kind = kind(error);
    let passes = kind.as_deref().is_none_or(|kind| {
        ["overloaded", "rate_limit", "server_error", "api_error", "timeout", "unavailable", "internal"]
            .iter()
            .any(|sign| kind.contains(sign))
    });
    let message = format!(
        "The model's server reported an error{}.",
        kind.map(|kind| format!(" ({kind})")).unwrap_or_default()
    );
    Some(StreamPiece::Failed(if passes {
        AgentError::retry(None, message)
    } else {
        AgentError::permanent(message)
    }))
}

/// The kind of an error in an answer that is not 200.
pub fn kind_of_error(body: &[u8]) -> Option<String> {
    let value: Value = serde_json::from_slice(body).ok()?;
    kind(value.get("error")?)
}

/// A short name in place of a message, which might repeat what was asked.
fn kind(error: &Value) -> Option<String> {
    let names = ["code", "type"].into_iter().filter_map(|name| error.get(name)?.as_str());
    let mut names = names.filter(|name| {
        (1..=60).contains(&name.len())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte))
    });
    names.next().map(str::to_owned)
}
