//! The agent that asks a model, against a gateway that imitates both forms of API with their faults.

use std::collections::VecDeque;
use std::future::{pending, ready};
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use bytes::Bytes;
use pagesmith_agent::llm::gateway::{
    Gateway, GatewayBody, GatewayError, GatewayRequest, GatewayResponse, Receiving, Sending,
};
use pagesmith_agent::llm::{Form, Model, ModelSettings};
use pagesmith_agent::{AgentError, Answer, Author, Draft, Fault, PageAgent, Rule, Step, Usage, Watch};
use pagesmith_model::brief::Brief;
use pagesmith_model::content::Content;
use serde_json::{Value, json};

use crate::briefs;

/// What the gateway says to one request.
#[derive(Clone)]
pub enum GatewayAnswer {
    Answer { status: u16, retry_after: Option<Duration>, chunks: Vec<Bytes>, end: End },
    Error(GatewayError),
}

#[derive(Clone, Copy)]
pub enum End {
    Closed,
    Broken(GatewayError),
    Silent,
}

#[derive(Default)]
pub struct Script {
    said: Mutex<VecDeque<GatewayAnswer>>,
    pub heard: Mutex<Vec<GatewayRequest>>,
}

impl Gateway for Script {
    fn send(&self, request: GatewayRequest) -> Sending<'_> {
        self.heard.lock().unwrap().push(request);
        let said = self.said.lock().unwrap().pop_front().expect("one request too many");
        Box::pin(ready(match said {
            GatewayAnswer::Answer { status, retry_after, chunks, end } => Ok(GatewayResponse {
                status,
                retry_after,
                body: Box::new(Body { chunks: chunks.into(), end }),
            }),
            GatewayAnswer::Error(error) => Err(error),
        }))
    }
}

struct Body {
    chunks: VecDeque<Bytes>,
    end: End,
}

impl GatewayBody for Body {
    fn next(&mut self) -> Receiving<'_> {
        match (self.chunks.pop_front(), self.end) {
            (Some(chunk), _) => Box::pin(ready(Ok(Some(chunk)))),
            (None, End::Closed) => Box::pin(ready(Ok(None))),
            (None, End::Broken(error)) => Box::pin(ready(Err(error))),
            (None, End::Silent) => Box::pin(pending()),
        }
    }
}

#[derive(Default)]
pub struct Seen {
    steps: Mutex<Vec<Step>>,
    pub last: Mutex<Option<Content>>,
    used: Mutex<Usage>,
    pub found: Mutex<Vec<Vec<Rule>>>,
}

impl Watch for Seen {
    fn step(&self, step: Step) {
        self.steps.lock().unwrap().push(step);
    }

    fn so_far(&self, content: &Content) {
        *self.last.lock().unwrap() = Some(content.clone());
    }

    fn used(&self, usage: Usage) {
        *self.used.lock().unwrap() = usage;
    }

    fn found(&self, _: Author, _: Answer, rules: &[Rule]) {
        self.found.lock().unwrap().push(rules.to_vec());
    }
}

const FORMS: [Form; 2] = [Form::Chat, Form::Messages];

pub fn settings(form: Form) -> ModelSettings {
    ModelSettings {
        form,
        base_url: "https://models.example/v1/".to_owned(),
        model: "test-model".to_owned(),
        key: "sk-secret".to_owned(),
        takes_schema: true,
        most_output_tokens: 8000,
        token_budget: 100_000,
    }
}

/// What comes of a brief if the gateway says this; nothing if it waits for ever.
pub fn written(
    settings: ModelSettings,
    brief: &Brief,
    said: Vec<GatewayAnswer>,
    seen: &Seen,
) -> (Option<Result<Draft, AgentError>>, Arc<Script>) {
    let script = Arc::new(Script { said: Mutex::new(said.into()), ..Script::default() });
    let model = Model::new(settings, Arc::clone(&script) as Arc<dyn Gateway>);
    let mut writing = pin!(model.write(brief, seen));
    let result = match writing.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => Some(result),
        Poll::Pending => None,
    };
    (result, script)
}

fn asked(form: Form, said: Vec<GatewayAnswer>) -> Result<Draft, AgentError> {
    written(settings(form), &briefs::outbound(), said, &Seen::default()).0.expect("the model was waited for")
}

fn document() -> Value {
    json!({
        "format": 1,
        "head": { "title": "Close in three days", "description": "What it means for Brightpath.", "language": "en" },
        "blocks": [
            { "type": "hero", "title": "Close in three days", "subtitle": "“Quoted” — {…} [json]", "actionIds": ["book", "made-up"] },
            { "type": "text", "markdown": "See [this](https://made-up.example) and [that](https://cdn.northwind.example/calendar.png)." },
            { "type": "image", "image": { "url": "javascript:alert(1)", "altText": "x" } },
            { "type": "custom", "name": "x", "html": "<script>alert(1)</script>" },
            { "type": "call-to-action", "title": "Shall we talk?", "actionIds": ["book"] },
        ],
    })
}

/// The events by which an API says this text.
fn events(form: Form, text: &str, finish: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let pieces: Vec<String> = letters.chunks(7).map(|piece| piece.iter().collect()).collect();
    let mut out = String::new();
    let mut push = |name: &str, event: Value| {
        if form == Form::Messages {
            out.push_str(&format!("event: {name}\n"));
        }
        out.push_str(&format!("data: {event}\n\n"));
    };
    match form {
        Form::Chat => {
            push(
                "",
                json!({ "choices": [{ "index": 0, "delta": { "role": "assistant", "content": "" }, "finish_reason": null }] }),
            );
            for piece in pieces {
                push(
                    "",
                    json!({ "choices": [{ "index": 0, "delta": { "content": piece }, "finish_reason": null }], "usage": null }),
                );
            }
            push("", json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": finish }] }));
            push(
                "",
                json!({ "choices": [], "usage": { "prompt_tokens": 900, "completion_tokens": 120, "total_tokens": 1020 } }),
            );
            out.push_str("data: [DONE]\n\n");
        }
        Form::Messages => {
            push(
                "message_start",
                json!({ "type": "message_start", "message": { "usage": { "input_tokens": 900, "output_tokens": 1 } } }),
            );
            push("ping", json!({ "type": "ping" }));
            push(
                "content_block_start",
                json!({ "type": "content_block_start", "index": 0, "content_block": { "type": "tool_use", "input": {} } }),
            );
            for piece in pieces {
                push(
                    "content_block_delta",
                    json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "input_json_delta", "partial_json": piece } }),
                );
            }
            push(
                "message_delta",
                json!({ "type": "message_delta", "delta": { "stop_reason": finish }, "usage": { "output_tokens": 120 } }),
            );
            push("message_stop", json!({ "type": "message_stop" }));
        }
    }
    out
}

fn good_finish(form: Form) -> &'static str {
    if form == Form::Chat { "stop" } else { "tool_use" }
}

fn cut(text: &str, size: usize) -> Vec<Bytes> {
    text.as_bytes().chunks(size).map(Bytes::copy_from_slice).collect()
}

pub fn answer(form: Form, text: &str) -> GatewayAnswer {
    GatewayAnswer::Answer {
        status: 200,
        retry_after: None,
        chunks: cut(&events(form, text, good_finish(form)), 100),
        end: End::Closed,
    }
}

fn status(status: u16, retry_after: Option<u64>, body: &str) -> GatewayAnswer {
    let retry_after = retry_after.map(Duration::from_secs);
    GatewayAnswer::Answer {
        status,
        retry_after,
        chunks: vec![Bytes::copy_from_slice(body.as_bytes())],
        end: End::Closed,
    }
}

#[test]
fn both_forms_give_the_same_checked_page() {
    let mut drafts = Vec::new();
    for form in FORMS {
        let seen = Seen::default();
        let brief = briefs::outbound();
        let (result, script) =
            written(settings(form), &brief, vec![answer(form, &document().to_string())], &seen);
        let draft = result.unwrap().unwrap();
        assert_eq!(draft.usage, Usage { input_tokens: 900, output_tokens: 120 });
        assert_eq!(draft.content.issues(&|id| brief.actions.iter().any(|action| action.id() == id)), []);
        assert_eq!(seen.last.lock().unwrap().as_ref(), Some(&draft.content));
        let counts: Vec<usize> = seen
            .steps
            .lock()
            .unwrap()
            .iter()
            .filter_map(|step| match step {
                Step::Writing { blocks } => Some(*blocks),
                _ => None,
            })
            .collect();
        assert_eq!(counts, [1, 2, 3]);
        let heard = script.heard.lock().unwrap();
        let headers: Vec<&str> = heard[0].headers.iter().map(|(name, _)| *name).collect();
        insta::assert_snapshot!(
            format!("request_of_{form:?}").to_lowercase(),
            format!("{}\n{headers:?}\n{}", heard[0].url, outline(&heard[0].body))
        );
        drafts.push(draft.content);
    }
    assert_eq!(drafts[0], drafts[1]);
    insta::assert_snapshot!("page_by_a_model", serde_json::to_string_pretty(&drafts[0]).unwrap());
}

/// A request without its long texts.
fn outline(body: &[u8]) -> String {
    fn shortened(value: &mut Value) {
        match value {
            Value::String(text) if text.len() > 60 => {
                *text = format!("{} characters or so", text.len() / 1000 * 1000);
            }
            Value::Array(all) => all.iter_mut().for_each(shortened),
            Value::Object(all) => all.iter_mut().for_each(|(name, value)| match name.as_str() {
                "schema" | "input_schema" => *value = json!("the schema"),
                _ => shortened(value),
            }),
            _ => {}
        }
    }
    let mut value: Value = serde_json::from_slice(body).unwrap();
    shortened(&mut value);
    format!("{value:#}")
}

#[test]
fn how_an_answer_is_cut_changes_nothing() {
    for form in FORMS {
        let whole = asked(form, vec![answer(form, &document().to_string())]).unwrap();
        for size in [1, 3, 17, 100_000] {
            let chunks = cut(&events(form, &document().to_string(), good_finish(form)), size);
            let said = GatewayAnswer::Answer { status: 200, retry_after: None, chunks, end: End::Closed };
            assert_eq!(asked(form, vec![said]).unwrap(), whole);
        }
    }
}

#[test]
fn events_are_understood_whatever_ends_their_lines() {
    for form in FORMS {
        let all = events(form, &document().to_string(), good_finish(form));
        let whole = asked(form, vec![answer(form, &document().to_string())]).unwrap();
        let without_end = all.trim_end_matches("data: [DONE]\n\n").trim_end().to_owned();
        for text in [
            all.replace('\n', "\r\n"),
            all.replace('\n', "\r"),
            format!("\u{feff}{all}"),
            format!(" \n: a comment\n\nid: 1\nretry: 5\n{all}"),
            without_end,
        ] {
            for size in [1, 100_000] {
                let said = GatewayAnswer::Answer {
                    status: 200,
                    retry_after: None,
                    chunks: cut(&text, size),
                    end: End::Closed,
                };
                assert_eq!(asked(form, vec![said]).unwrap(), whole, "{text:.40?} in pieces of {size}");
            }
        }
    }
}

#[test]
fn an_answer_that_is_no_text_or_never_ends_is_not_read_on() {
    for form in FORMS {
        for (chunk, fault) in [
            (&b"data: {\"text\": \"\xff\"}\n\n"[..], Fault::Retry(None)),
            // One line, one event of many lines, or one piece of JSON: nothing of them is complete.
            (&b"data: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"[..], Fault::Budget),
            (&b"data: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n"[..], Fault::Budget),
            (&b"{\"text\": \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"[..], Fault::Budget),
        ] {
            let chunks = vec![Bytes::copy_from_slice(chunk); 40_000];
            let said = GatewayAnswer::Answer { status: 200, retry_after: None, chunks, end: End::Silent };
            assert_eq!(asked(form, vec![said]).unwrap_err().fault, fault);
        }
    }
}

#[test]
fn a_server_that_does_not_stream_is_understood() {
    let text = document().to_string();
    let chat = json!({ "choices": [{ "message": { "content": text }, "finish_reason": "stop" }], "usage": { "prompt_tokens": 5, "completion_tokens": 6 } });
    let messages = json!({ "content": [{ "type": "tool_use", "input": document() }], "stop_reason": "tool_use", "usage": { "input_tokens": 5, "output_tokens": 6 } });
    for (form, body) in FORMS.into_iter().zip([chat, messages]) {
        let draft = asked(form, vec![status(200, None, &body.to_string())]).unwrap();
        assert_eq!(draft.content.blocks.len(), 3);
        assert_eq!(draft.usage, Usage { input_tokens: 5, output_tokens: 6 });
    }
}

#[test]
fn an_invalid_answer_is_asked_for_once_more_with_its_faults() {
    let bad = json!({ "blocks": [{ "type": "hero", "title": "T" }, { "type": "text" }] }).to_string();
    for form in FORMS {
        for first in ["I am sorry, here is no JSON", bad.as_str(), "{\"blocks\": [{\"type\": \"hero\""] {
            let seen = Seen::default();
            let said = vec![answer(form, first), answer(form, &document().to_string())];
            let (result, script) = written(settings(form), &briefs::outbound(), said, &seen);
            let draft = result.unwrap().unwrap();
            assert_eq!(draft.usage, Usage { input_tokens: 1800, output_tokens: 240 });
            assert!(seen.steps.lock().unwrap().contains(&Step::Again));
            let second = String::from_utf8_lossy(&script.heard.lock().unwrap()[1].body).into_owned();
            assert!(second.contains("An earlier answer was not valid"));
        }
        let error = asked(form, vec![answer(form, "no"), answer(form, "no")]).unwrap_err();
        assert_eq!((error.fault, error.usage.total()), (Fault::Retry(None), 2040));
    }
}

#[test]
fn what_a_server_refuses_says_whether_trying_again_helps() {
    for form in FORMS {
        for (code, after, fault) in [
            (429, Some(7), Fault::Retry(Some(Duration::from_secs(7)))),
            (429, None, Fault::Retry(None)),
            (500, None, Fault::Retry(None)),
            (503, Some(3), Fault::Retry(Some(Duration::from_secs(3)))),
            (529, None, Fault::Retry(None)),
            (408, None, Fault::Retry(None)),
            (400, None, Fault::Permanent),
            (401, None, Fault::Permanent),
            (404, None, Fault::Permanent),
            (302, None, Fault::Permanent),
        ] {
            let body = r#"{"error":{"type":"some_error","message":"sk-secret Northwind"}}"#;
            let refused = status(code, after, body);
            let said = if code == 400 && form == Form::Chat {
                vec![refused.clone(), refused]
            } else {
                vec![refused]
            };
            let error = asked(form, said).unwrap_err();
            assert_eq!(error.fault, fault, "{code}");
            assert_eq!(error.message, format!("The model's server answered {code} (some_error)."));
        }
    }
}

#[test]
fn a_server_that_knows_no_schema_is_asked_without() {
    let said = vec![status(400, None, "{}"), answer(Form::Chat, &document().to_string())];
    let (result, script) = written(settings(Form::Chat), &briefs::outbound(), said, &Seen::default());
    assert!(result.unwrap().is_ok());
    let heard = script.heard.lock().unwrap();
    let asks = |at: usize| String::from_utf8_lossy(&heard[at].body).contains("response_format");
    assert_eq!((asks(0), asks(1)), (true, false));
}

#[test]
fn faults_in_the_middle_of_an_answer_are_told_apart() {
    for form in FORMS {
        let all = events(form, &document().to_string(), good_finish(form));
        let half = &all[..all.floor_char_boundary(all.len() / 2)];
        let said = |text: &str, end| {
            vec![GatewayAnswer::Answer { status: 200, retry_after: None, chunks: cut(text, 64), end }]
        };
        let fault = |text: &str, end| asked(form, said(text, end)).unwrap_err();
        assert_eq!(fault(half, End::Closed).fault, Fault::Retry(None));
        assert_eq!(fault(half, End::Broken(GatewayError::Broken)).fault, Fault::Retry(None));
        assert_eq!(fault(half, End::Broken(GatewayError::TimedOut)).fault, Fault::Retry(None));
        assert!(fault(half, End::Closed).usage.total() > 0);
        assert_eq!(fault("", End::Closed).fault, Fault::Retry(None));
        let length = if form == Form::Chat { "length" } else { "max_tokens" };
        assert_eq!(fault(&events(form, "{\"blocks\":[", length), End::Closed).fault, Fault::Budget);
        let refusal = if form == Form::Chat { "content_filter" } else { "refusal" };
        assert_eq!(fault(&events(form, "I cannot", refusal), End::Closed).fault, Fault::Permanent);
        let overloaded = "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"x\"}}\n\n";
        assert_eq!(fault(overloaded, End::Closed).fault, Fault::Retry(None));
    }
    for (error, fault) in [
        (GatewayError::TimedOut, Fault::Retry(None)),
        (GatewayError::Broken, Fault::Retry(None)),
        (GatewayError::Unreachable, Fault::Retry(None)),
        (GatewayError::Unsendable, Fault::Permanent),
    ] {
        assert_eq!(asked(Form::Chat, vec![GatewayAnswer::Error(error)]).unwrap_err().fault, fault);
    }
}

#[test]
fn a_slow_answer_can_be_dropped_and_what_came_is_kept() {
    for form in FORMS {
        let all = events(form, &document().to_string(), good_finish(form));
        let most = &all[..all.floor_char_boundary(all.len() * 3 / 5)];
        let seen = Seen::default();
        let said = vec![GatewayAnswer::Answer {
            status: 200,
            retry_after: None,
            chunks: cut(most, 50),
            end: End::Silent,
        }];
        let brief = briefs::outbound();
        let (result, _) = written(settings(form), &brief, said, &seen);
        assert!(result.is_none());
        assert!(seen.used.lock().unwrap().total() > 900, "whoever drops it must know what it took");
        let kept = seen.last.lock().unwrap().clone().unwrap();
        assert_eq!(kept.blocks.len(), 2);
        assert_eq!(kept.issues(&|id| brief.actions.iter().any(|action| action.id() == id)), []);
    }
}

#[test]
fn no_more_tokens_are_asked_for_than_are_allowed() {
    for form in FORMS {
        let poor = ModelSettings { token_budget: 1000, ..settings(form) };
        let (result, script) = written(poor, &briefs::outbound(), Vec::new(), &Seen::default());
        let Fault::TooLittle(needed) = result.unwrap().unwrap_err().fault else { panic!("not too little") };
        // So many suffice.
        let enough = ModelSettings { token_budget: needed, ..settings(form) };
        let said =
            GatewayAnswer::Answer { status: 500, retry_after: None, chunks: Vec::new(), end: End::Closed };
        let (result, _) = written(enough, &briefs::outbound(), vec![said], &Seen::default());
        assert!(result.unwrap().unwrap_err().is_passing());
        assert!(script.heard.lock().unwrap().is_empty());
        // A server that does not count and does not stop is not listened to for ever.
        let endless = events(form, &"x".repeat(400_000), good_finish(form));
        let said = GatewayAnswer::Answer {
            status: 200,
            retry_after: None,
            chunks: cut(&endless, 4000),
            end: End::Silent,
        };
        let (result, _) = written(settings(form), &briefs::outbound(), vec![said], &Seen::default());
        assert_eq!(result.unwrap().unwrap_err().fault, Fault::Budget);
    }
}

#[test]
fn a_key_is_never_shown() {
    for form in FORMS {
        let shown = format!("{:?}", settings(form));
        assert!(!shown.contains("sk-secret"), "{shown}");
    }
}
