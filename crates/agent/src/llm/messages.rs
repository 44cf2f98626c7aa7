//! The messages API: the question as a request, and what the events of an answer mean.
//!
//! The document is asked for as the input of a tool, which is how this API takes a schema.

use bytes::Bytes;
use serde_json::{Value, json};

use super::ModelSettings;
use super::dialogue::Dialogue;
use super::gateway::GatewayRequest;
use super::piece::{Finish, StreamPiece, failure};
use super::plain_question::PlainQuestion;
use super::prompt::{self, Question};
use crate::Usage;

/// The request that asks for a page.
pub fn request(settings: &ModelSettings, question: &Question, most_tokens: u64) -> GatewayRequest {
    let mut body = json!({
        "model": settings.model,
        "stream": true,
        "max_tokens": most_tokens,
        "system": question.system,
        "messages": [{ "role": "user", "content": question.user }],
    });
    if settings.takes_schema {
        let description = "Publishes the page that has been written.";
        body["tools"] =
            json!([{ "name": "publish_page", "description": description, "input_schema": prompt::schema() }]);
        body["tool_choice"] = json!({ "type": "tool", "name": "publish_page" });
    }
    post(settings, &body)
}

/// The request that goes on with a dialogue.
pub fn dialogue(settings: &ModelSettings, dialogue: &Dialogue, most_tokens: u64) -> GatewayRequest {
    let tools: Vec<Value> = (dialogue.tools.iter())
        .map(
            |tool| json!({ "name": tool.name, "description": tool.description, "input_schema": tool.schema }),
        )
        .collect();
    let mut messages = vec![json!({ "role": "user", "content": dialogue.user })];
    for round in &dialogue.rounds {
        let said = (!round.said.trim().is_empty()).then(|| json!({ "type": "text", "text": round.said }));
        let calls = round.calls.iter().map(
            |call| json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": call.object() }),
        );
        let content: Vec<Value> = said.into_iter().chain(calls).collect();
        messages.push(json!({ "role": "assistant", "content": content }));
        let results = round.calls.iter().map(|call| {
            json!({ "type": "tool_result", "tool_use_id": call.id, "content": call.result_text(), "is_error": call.result.is_err() })
        });
        messages.push(json!({ "role": "user", "content": results.collect::<Vec<_>>() }));
    }
    let body = json!({
        "model": settings.model,
        "stream": true,
        "max_tokens": most_tokens,
        "system": dialogue.system,
        "messages": messages,
        "tools": tools,
    });
    post(settings, &body)
}

/// The request that asks for a plain text.
pub fn plain(settings: &ModelSettings, question: &PlainQuestion, most_tokens: u64) -> GatewayRequest {
    let content = match &question.picture {
        None => Value::from(question.user.as_str()),
        Some(picture) => {
            let source =
                json!({ "type": "base64", "media_type": picture.media_type, "data": picture.text() });
            json!([{ "type": "image", "source": source }, { "type": "text", "text": question.user }])
        }
    };
    let body = json!({
        "model": settings.model,
        "stream": true,
        "max_tokens": most_tokens,
        "system": question.system,
        "messages": [{ "role": "user", "content": content }],
    });
    post(settings, &body)
}

fn post(settings: &ModelSettings, body: &Value) -> GatewayRequest {
    let mut headers = vec![
        ("content-type", "application/json".to_owned()),
        ("accept", "text/event-stream".to_owned()),
        ("anthropic-version", "2023-06-01".to_owned()),
    ];
    if !settings.key.is_empty() {
        headers.push(("x-api-key", settings.key.clone()));
    }
    let base = settings.base_url.trim_end_matches('/');
    let base = base.strip_suffix("/v1").unwrap_or(base);
    GatewayRequest { url: format!("{base}/v1/messages"), headers, body: Bytes::from(body.to_string()) }
}

/// What an event of the stream says.
pub fn pieces(event: &Value) -> Vec<StreamPiece> {
    match event["type"].as_str() {
        Some("message_start") => used(&event["message"]["usage"]),
        Some("content_block_start") if event["content_block"]["type"] == "tool_use" => {
            call(place(event), &event["content_block"], false)
        }
        Some("content_block_delta") => {
            let delta = &event["delta"];
            let some = |name: &str| delta[name].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
            let input = some("partial_json").map(|text| StreamPiece::Input { index: place(event), text });
            input.or_else(|| some("text").map(StreamPiece::Text)).into_iter().collect()
        }
        Some("message_delta") => {
            let mut found = used(&event["usage"]);
            found.extend(finish(&event["delta"]["stop_reason"]).map(StreamPiece::Finish));
            found
        }
        _ => failure(event).into_iter().collect(),
    }
}

/// What an answer in one piece says.
pub fn whole(answer: &Value) -> Vec<StreamPiece> {
    if let Some(failed) = failure(answer) {
        return vec![failed];
    }
    let mut found = used(&answer["usage"]);
    for (index, block) in (0..).zip(answer["content"].as_array().into_iter().flatten()) {
        match block["type"].as_str() {
            Some("tool_use") => found.extend(call(index, block, true)),
            Some("text") => {
                found.extend(block["text"].as_str().map(|text| StreamPiece::Text(text.to_owned())));
            }
            _ => {}
        }
    }
    found.extend(finish(&answer["stop_reason"]).map(StreamPiece::Finish));
    found
}

/// The place of the part that an event is about.
fn place(event: &Value) -> u64 {
    event["index"].as_u64().unwrap_or_default()
}

/// A call as it begins, with its input if that is whole or not empty.
fn call(index: u64, block: &Value, is_whole: bool) -> Vec<StreamPiece> {
    let text = |name: &str| block[name].as_str().unwrap_or_default().to_owned();
    let mut found = vec![StreamPiece::Call { index, id: text("id"), name: text("name") }];
    let input = &block["input"];
    if is_whole || input.as_object().is_some_and(|input| !input.is_empty()) {
        found.push(StreamPiece::Input { index, text: input.to_string() });
    }
    found
}

fn used(usage: &Value) -> Vec<StreamPiece> {
    if !usage.is_object() {
        return Vec::new();
    }
    let count = |name: &str| usage[name].as_u64().unwrap_or(0);
    let input =
        ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"].into_iter().map(count);
    vec![StreamPiece::Usage(Usage { input_tokens: input.sum(), output_tokens: count("output_tokens") })]
}

fn finish(reason: &Value) -> Option<Finish> {
    match reason.as_str()? {
        "max_tokens" | "model_context_window_exceeded" => Some(Finish::Length),
        "refusal" => Some(Finish::Refused),
        "end_turn" | "tool_use" | "stop_sequence" => Some(Finish::Complete),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_understood() {
        let of = |value: Value| pieces(&value);
        let start = json!({ "type": "message_start", "message": { "usage": { "input_tokens": 5, "cache_read_input_tokens": 2, "output_tokens": 1 } } });
        assert_eq!(of(start), [StreamPiece::Usage(Usage { input_tokens: 7, output_tokens: 1 })]);
        let delta = |delta: Value| json!({ "type": "content_block_delta", "index": 0, "delta": delta });
        assert_eq!(
            of(delta(json!({ "type": "input_json_delta", "partial_json": "{\"a" }))),
            [StreamPiece::Input { index: 0, text: "{\"a".to_owned() }]
        );
        let begins = json!({ "type": "content_block_start", "index": 2,
            "content_block": { "type": "tool_use", "id": "toolu_1", "name": "remove", "input": {} } });
        let call = StreamPiece::Call { index: 2, id: "toolu_1".to_owned(), name: "remove".to_owned() };
        assert_eq!(of(begins), [call]);
        assert_eq!(
            of(delta(json!({ "type": "text_delta", "text": "x" }))),
            [StreamPiece::Text("x".to_owned())]
        );
        let end = json!({ "type": "message_delta", "delta": { "stop_reason": "refusal" }, "usage": { "output_tokens": 9 } });
        assert_eq!(
            of(end),
            [
                StreamPiece::Usage(Usage { input_tokens: 0, output_tokens: 9 }),
                StreamPiece::Finish(Finish::Refused)
            ]
        );
        assert_eq!(of(json!({ "type": "ping" })), []);
        let overloaded =
            of(json!({ "type": "error", "error": { "type": "overloaded_error", "message": "x" } }));
        assert!(matches!(&overloaded[..], [StreamPiece::Failed(error)] if error.is_passing()));
    }
}
