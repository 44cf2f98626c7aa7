//! Chat completions: the question as a request, and what the pieces of an answer mean.

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
        "stream_options": { "include_usage": true },
        "messages": [
            { "role": "system", "content": question.system },
            { "role": "user", "content": question.user },
        ],
    });
    if settings.takes_schema {
        body["response_format"] =
            json!({ "type": "json_schema", "json_schema": { "name": "page", "schema": prompt::schema() } });
    }
    post(settings, body, most_tokens)
}

/// The request that goes on with a dialogue.
pub fn dialogue(settings: &ModelSettings, dialogue: &Dialogue, most_tokens: u64) -> GatewayRequest {
    let tools: Vec<Value> = (dialogue.tools.iter())
        .map(|tool| {
            let function =
                json!({ "name": tool.name, "description": tool.description, "parameters": tool.schema });
            json!({ "type": "function", "function": function })
        })
        .collect();
    let mut messages = vec![
        json!({ "role": "system", "content": dialogue.system }),
        json!({ "role": "user", "content": dialogue.user }),
    ];
    for round in &dialogue.rounds {
        let calls = round.calls.iter().map(|call| {
            let function = json!({ "name": call.name, "arguments": call.object().to_string() });
            json!({ "id": call.id, "type": "function", "function": function })
        });
        let calls: Vec<Value> = calls.collect();
        messages.push(json!({ "role": "assistant", "content": round.said, "tool_calls": calls }));
        messages.extend(
            (round.calls.iter()).map(
                |call| json!({ "role": "tool", "tool_call_id": call.id, "content": call.result_text() }),
            ),
        );
    }
    let body = json!({
        "model": settings.model,
        "stream": true,
        "stream_options": { "include_usage": true },
        "messages": messages,
        "tools": tools,
    });
    post(settings, body, most_tokens)
}

/// The request that asks for a plain text.
pub fn plain(settings: &ModelSettings, question: &PlainQuestion, most_tokens: u64) -> GatewayRequest {
    let content = match &question.picture {
        None => Value::from(question.user.as_str()),
        Some(picture) => {
            let url = format!("data:{};base64,{}", picture.media_type, picture.text());
            json!([
                { "type": "image_url", "image_url": { "url": url } },
                { "type": "text", "text": question.user },
            ])
        }
    };
    let body = json!({
        "model": settings.model,
        "stream": true,
        "stream_options": { "include_usage": true },
        "messages": [
            { "role": "system", "content": question.system },
            { "role": "user", "content": content },
        ],
    });
    post(settings, body, most_tokens)
}

fn post(settings: &ModelSettings, mut body: Value, most_tokens: u64) -> GatewayRequest {
    // OpenAI has renamed it; the others have not followed.
    let limit =
        if settings.base_url.contains("//api.openai.com") { "max_completion_tokens" } else { "max_tokens" };
    body[limit] = json!(most_tokens);
    let mut headers =
        vec![("content-type", "application/json".to_owned()), ("accept", "text/event-stream".to_owned())];
    let (base, version) = match settings.base_url.split_once('?') {
        Some((base, version)) => (base, format!("?{version}")),
        None => (settings.base_url.as_str(), String::new()),
    };
    if !settings.key.is_empty() {
        // Whoever wants a version in the address is Azure, where a bearer is something else than a key.
        headers.push(match version.as_str() {
            "" => ("authorization", format!("Bearer {}", settings.key)),
            _ => ("api-key", settings.key.clone()),
        });
    }
    let url = format!("{}/chat/completions{version}", base.trim_end_matches('/'));
    GatewayRequest { url, headers, body: Bytes::from(body.to_string()) }
}

/// What a chunk of the stream says.
pub fn pieces(chunk: &Value) -> Vec<StreamPiece> {
    read(chunk, "delta")
}

/// What an answer in one piece says.
pub fn whole(answer: &Value) -> Vec<StreamPiece> {
    read(answer, "message")
}

fn read(value: &Value, part: &str) -> Vec<StreamPiece> {
    if let Some(failed) = failure(value) {
        return vec![failed];
    }
    let mut found = Vec::new();
    let choice = &value["choices"][0];
    let said = &choice[part];
    if let Some(text) = said["content"].as_str().filter(|text| !text.is_empty()) {
        found.push(StreamPiece::Text(text.to_owned()));
    }
    for (at, call) in (0..).zip(said["tool_calls"].as_array().into_iter().flatten()) {
        let index = call["index"].as_u64().unwrap_or(at);
        let function = &call["function"];
        // Only the first piece of a call has its name.
        if let Some(name) = function["name"].as_str().filter(|name| !name.is_empty()) {
            let id = call["id"].as_str().unwrap_or_default().to_owned();
            found.push(StreamPiece::Call { index, id, name: name.to_owned() });
        }
        if let Some(text) = function["arguments"].as_str().filter(|text| !text.is_empty()) {
            found.push(StreamPiece::Input { index, text: text.to_owned() });
        }
    }
    let usage = &value["usage"];
    if usage.is_object() {
        let count = |name: &str| usage[name].as_u64().unwrap_or(0);
        found.push(StreamPiece::Usage(Usage {
            input_tokens: count("prompt_tokens"),
            output_tokens: count("completion_tokens"),
        }));
    }
    let refuses = said["refusal"].as_str().is_some_and(|text| !text.is_empty());
    let finish = match choice["finish_reason"].as_str() {
        Some("length") => Some(Finish::Length),
        Some("content_filter") => Some(Finish::Refused),
        Some("stop" | "tool_calls" | "function_call" | "eos") => Some(Finish::Complete),
        _ => None,
    };
    let finish = if refuses { Some(Finish::Refused) } else { finish };
    // What follows a refusal does not make it an answer.
    found.extend(finish.map(StreamPiece::Finish));
    found
}

#[cfg(test)]
mod tests {
    use super::super::Form;
    use super::*;

    #[test]
    fn an_address_with_a_version_is_azures_and_has_its_key_where_azure_wants_it() {
        let asked = |base_url: &str, key: &str| {
            let settings = ModelSettings {
                form: Form::Chat,
                base_url: base_url.to_owned(),
                model: "m".to_owned(),
                key: key.to_owned(),
                takes_schema: false,
                most_output_tokens: 1,
                token_budget: 1,
            };
            let question = Question { system: "", user: String::new() };
            let GatewayRequest { url, headers, .. } = request(&settings, &question, 1);
            (url, headers.into_iter().nth(2))
        };
        let bearer = Some(("authorization", "Bearer k".to_owned()));
        assert_eq!(
            asked("https://m.example/v1/", "k"),
            ("https://m.example/v1/chat/completions".to_owned(), bearer)
        );
        let azure = "https://m.example/openai/deployments/d";
        let (base_url, url) =
            (format!("{azure}?api-version=1"), format!("{azure}/chat/completions?api-version=1"));
        assert_eq!(asked(&base_url, "k"), (url.clone(), Some(("api-key", "k".to_owned()))));
        assert_eq!(asked(&base_url, ""), (url, None));
    }

    #[test]
    fn chunks_are_understood() {
        let of = |value: Value| pieces(&value);
        assert_eq!(
            of(json!({ "choices": [{ "delta": { "content": "{" }, "finish_reason": null }] })),
            [StreamPiece::Text("{".to_owned())]
        );
        assert_eq!(
            of(json!({ "choices": [{ "delta": {}, "finish_reason": "stop" }] })),
            [StreamPiece::Finish(Finish::Complete)]
        );
        assert_eq!(
            of(json!({ "choices": [{ "delta": {}, "finish_reason": "length" }] })),
            [StreamPiece::Finish(Finish::Length)]
        );
        assert_eq!(
            of(json!({ "choices": [{ "delta": { "refusal": "I cannot" } }] })),
            [StreamPiece::Finish(Finish::Refused)]
        );
        let call = json!({ "index": 1, "id": "c1", "function": { "name": "move", "arguments": "{" } });
        assert_eq!(
            of(json!({ "choices": [{ "delta": { "tool_calls": [call] } }] })),
            [
                StreamPiece::Call { index: 1, id: "c1".to_owned(), name: "move".to_owned() },
                StreamPiece::Input { index: 1, text: "{".to_owned() }
            ]
        );
        let usage = Usage { input_tokens: 7, output_tokens: 3 };
        assert_eq!(
            of(json!({ "choices": [], "usage": { "prompt_tokens": 7, "completion_tokens": 3 } })),
            [StreamPiece::Usage(usage)]
        );
        assert_eq!(of(json!({ "object": "ping" })), []);
    }
}
