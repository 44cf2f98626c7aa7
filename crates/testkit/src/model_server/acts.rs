//! Answers of a model that works with tools: what it says and calls, part by part, as the events of either form of API.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::Notify;

/// A part of such an answer.
#[derive(Debug, Clone)]
pub enum Act {
    /// It says this.
    Says(&'static str),
    /// It calls this tool with this input.
    Calls(&'static str, Value),
    /// It calls this tool with an input that need not be JSON.
    CallsRaw(&'static str, String),
    /// It goes on when the test opens the gate.
    Waits(Arc<Notify>),
}

impl Act {
    /// The events that say it, as the part of this number.
    pub(super) fn events(&self, is_chat: bool, index: usize) -> Vec<Value> {
        match self {
            Act::Waits(_) => Vec::new(),
            Act::Says(text) if is_chat => vec![chunk(&json!({ "content": text }), &Value::Null)],
            Act::Says(text) => part(
                index,
                &json!({ "type": "text", "text": "" }),
                vec![json!({ "type": "text_delta", "text": text })],
            ),
            Act::Calls(name, input) => call(is_chat, index, name, &input.to_string()),
            Act::CallsRaw(name, input) => call(is_chat, index, name, input),
        }
    }

    /// Whether it calls a tool.
    pub(super) fn is_call(&self) -> bool {
        matches!(self, Act::Calls(..) | Act::CallsRaw(..))
    }
}

/// The events that end an answer.
pub(super) fn ending(is_chat: bool, calls: bool, (read, written): (u64, u64)) -> Vec<Value> {
    if is_chat {
        let reason = if calls { "tool_calls" } else { "stop" };
        let usage = json!({ "prompt_tokens": read, "completion_tokens": written });
        return vec![chunk(&json!({}), &json!(reason)), json!({ "choices": [], "usage": usage })];
    }
    let delta = json!({ "stop_reason": if calls { "tool_use" } else { "end_turn" } });
    let usage = json!({ "output_tokens": written });
    vec![
        json!({ "type": "message_delta", "delta": delta, "usage": usage }),
        json!({ "type": "message_stop" }),
    ]
}

fn chunk(delta: &Value, finish: &Value) -> Value {
    json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": finish }] })
}

/// A call whose input comes in two pieces.
fn call(is_chat: bool, index: usize, name: &str, input: &str) -> Vec<Value> {
    let (first, second) = input.split_at(input.floor_char_boundary(input.len() / 2));
    if is_chat {
        let piece = |call: Value| chunk(&json!({ "tool_calls": [call] }), &Value::Null);
        let id = format!("call_{index}");
        let begins = json!({ "index": index, "id": id, "type": "function", "function": { "name": name, "arguments": first } });
        let ends = json!({ "index": index, "function": { "arguments": second } });
        return vec![piece(begins), piece(ends)];
    }
    let begins = json!({ "type": "tool_use", "id": format!("toolu_{index}"), "name": name, "input": {} });
    let piece = |text: &str| json!({ "type": "input_json_delta", "partial_json": text });
    part(index, &begins, vec![piece(first), piece(second)])
}

/// A part of an answer of the messages form.
fn part(index: usize, begins: &Value, deltas: Vec<Value>) -> Vec<Value> {
    let mut events = vec![json!({ "type": "content_block_start", "index": index, "content_block": begins })];
    let deltas = deltas.into_iter();
    events
        .extend(deltas.map(|delta| json!({ "type": "content_block_delta", "index": index, "delta": delta })));
    events.push(json!({ "type": "content_block_stop", "index": index }));
    events
}
