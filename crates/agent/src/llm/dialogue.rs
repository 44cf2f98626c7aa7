//! A dialogue with a model that works with tools: what it is told, what it has said and called, and what it was answered.
//!
//! It is the same for both forms of API, each of which writes it in its own words.

use serde_json::{Value, json};

/// A tool that a model may call.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub description: &'static str,
    /// The schema of its input.
    pub schema: Value,
}

/// A dialogue until now.
#[derive(Debug, Clone, PartialEq)]
pub struct Dialogue {
    /// The instructions, which are ours.
    pub system: &'static str,
    /// What was asked.
    pub user: String,
    /// What may be called.
    pub tools: &'static [Tool],
    /// What was answered, and called.
    pub rounds: Vec<Round>,
}

/// An answer of the model with the results of its calls.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Round {
    /// What it said.
    pub said: String,
    /// What it called.
    pub calls: Vec<Call>,
}

/// A call of a tool with its result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The server's name of the call.
    pub id: String,
    /// The tool.
    pub name: String,
    /// The input as it came.
    pub input: String,
    /// What was done, or why nothing was.
    pub result: Result<String, String>,
}

impl Call {
    /// The input as an object; an empty one if it is none, since servers take no other back.
    pub(super) fn object(&self) -> Value {
        let input = serde_json::from_str::<Value>(&self.input).ok();
        input.filter(Value::is_object).unwrap_or_else(|| json!({}))
    }

    /// Its result, as the model gets it.
    pub(super) fn result_text(&self) -> String {
        match &self.result {
            Ok(done) => json!({ "done": done }).to_string(),
            Err(refused) => json!({ "refused": refused }).to_string(),
        }
    }
}

impl Dialogue {
    /// Everything that goes out with the next question, but the tools; for counting.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        let of_rounds = self.rounds.iter().flat_map(|round| {
            let of_calls = round.calls.iter().flat_map(|call| {
                let told = match &call.result {
                    Ok(told) | Err(told) => told,
                };
                [call.name.as_str(), &call.input, told]
            });
            of_calls.chain([round.said.as_str()])
        });
        of_rounds.chain([self.system, self.user.as_str()])
    }
}
