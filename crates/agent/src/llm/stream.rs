//! What a model says, piece by piece, whichever form its API has.
//!
//! A server that answers in one piece of JSON although a stream was asked for is understood as well.

use serde_json::Value;

use super::sse::Events;
use super::{Form, chat, messages};
use crate::{AgentError, Usage};

/// A piece of what a model says.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece {
    /// More of the document's text.
    Text(String),
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

/// The most bytes of an answer in one piece.
const MOST_WHOLE: usize = 2 << 20;

/// Reads an answer.
pub struct Stream {
    form: Form,
    events: Events,
    /// The answer, if it comes in one piece.
    whole: Option<Vec<u8>>,
    started: bool,
}

impl Stream {
    /// A reader of answers of that form.
    pub fn new(form: Form) -> Stream {
        Stream { form, events: Events::default(), whole: None, started: false }
    }

    /// Takes some bytes.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Piece> {
        if !self.started
            && let Some(first) = bytes.iter().find(|byte| !byte.is_ascii_whitespace())
        {
            self.started = true;
            self.whole = (*first == b'{').then(Vec::new);
        }
        if let Some(whole) = &mut self.whole {
            if whole.len() < MOST_WHOLE {
                whole.extend_from_slice(bytes);
            }
            return Vec::new();
        }
        let form = self.form;
        let read = |data: &str| match (form, serde_json::from_str::<Value>(data)) {
            (Form::Chat, Ok(value)) => chat::pieces(&value),
            (Form::Messages, Ok(value)) => messages::pieces(&value),
            // `[DONE]`, which says nothing that has not been said.
            (_, Err(_)) => Vec::new(),
        };
        self.events.push(bytes).iter().flat_map(|event| read(&event.data)).collect()
    }

    /// The answer's end.
    pub fn end(&mut self) -> Vec<Piece> {
        let Some(whole) = self.whole.take() else { return self.push(b"\n\n") };
        match (self.form, serde_json::from_slice::<Value>(&whole)) {
            (Form::Chat, Ok(value)) => chat::whole(&value),
            (Form::Messages, Ok(value)) => messages::whole(&value),
            (_, Err(_)) => Vec::new(),
        }
    }
}

/// The error that an answer tells of, if it does.
pub fn failure(value: &Value) -> Option<Piece> {
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
    Some(Piece::Failed(if passes {
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
