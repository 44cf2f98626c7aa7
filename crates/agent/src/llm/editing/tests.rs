//! Whatever a model calls, the page stays valid, can be taken back, and changes only where it may.

use pagesmith_editor::{Document, Edit, Head, Material, Request, Selection};
use pagesmith_model::brand::Voice;
use pagesmith_model::brief::Brief;
use pagesmith_model::page::PageType;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::work::Work;
use super::{EditWatch, Task, prompt};
use crate::Usage;

/// Nobody follows.
struct Unwatched;

impl EditWatch for Unwatched {
    fn said(&self, _: &str) {}

    fn edited(&self, _: &Edit) {}

    fn used(&self, _: Usage) {}
}

fn document() -> Document {
    let content = json!({ "format": 1, "head": { "language": "en" }, "blocks": [
        { "type": "hero", "blockId": "top", "title": "Bread for the whole street" },
        { "type": "text", "blockId": "why", "title": "Why", "markdown": "We bake every night." },
        { "type": "feature-cards", "blockId": "cards", "cards": [{ "title": "Rye" }, { "title": "Wheat" }] },
        { "type": "custom", "blockId": "own", "name": "x", "html": "<b>own</b>" },
    ] });
    let content = serde_json::from_value(content).unwrap();
    Document { content, head: Head::default(), context: None }
}

#[test]
fn a_model_is_told_the_voice_and_puts_no_word_on_a_page_that_the_brand_avoids() {
    let voice = Voice { words_to_use: vec!["oven".to_owned()], words_to_avoid: vec!["cheap".to_owned()] };
    let brief =
        Brief { voice, ..Brief::new(PageType::Inbound, "Page", "We bake cheap bread for the whole street.") };
    let before = document();
    let material = Material::default();
    let ask = |message, name: &str, input: &Value| {
        let request =
            Request { message, document: &before, selection: None, material: &material, earlier: &[] };
        let task = Task { request, brief: &brief, said: &[] };
        let asked = prompt::dialogue(&task);
        (Work::of(&task, &Unwatched).carry_out(name, &input.to_string()), asked)
    };
    let set = |markdown: &str| json!({ "blockId": "why", "path": "/markdown", "to": markdown });
    let (refused, asked) = ask("Make it shorter", "set", &set("We bake cheap bread."));
    assert!(asked.system.contains("use none of facts.voice.wordsToAvoid"));
    for words in ["\"wordsToUse\":[\"oven\"]", "\"wordsToAvoid\":[\"cheap\"]"] {
        assert!(asked.user.contains(words), "{words}: {}", asked.user);
    }
    assert_eq!(refused.unwrap_err(), "It uses a word that the brand avoids: “cheap”");
    assert!(ask("Make it shorter", "set", &set("We bake bread.")).0.is_ok());
    // Who owns the page may say on it what the brand avoids.
    assert!(ask("Say that our bread is cheap", "set", &set("We bake cheap bread.")).0.is_ok());
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        "(bread|Rye| |<script>|\\[x\\]\\(https://evil.example\\)|500|\0){0,4}".prop_map(Value::from),
        Just(json!([])),
        Just(json!([{ "title": "Oats" }, { "title": "Rye", "actionId": "gone" }])),
        Just(json!({ "url": "https://evil.example/a.png" })),
        any::<i8>().prop_map(Value::from),
    ]
}

/// A call of some tool with some input.
fn call() -> impl Strategy<Value = (&'static str, String)> {
    let tool =
        prop::sample::select(vec!["set", "insert", "remove", "move", "setHead", "setContext", "explode"]);
    let block = prop::sample::select(vec!["top", "why", "cards", "own", "gone", "text", ""]);
    let path = prop::sample::select(vec![
        "/title",
        "/markdown",
        "/cards",
        "/cards/0",
        "/cards/1/title",
        "/cards/9",
        "/actionIds",
        "/type",
        "/blockId",
        "/image",
        "/html",
        "",
        "/",
        "title",
        "/title/0",
    ]);
    let kind = prop::sample::select(vec!["text", "hero", "custom", "image", "popup"]);
    (tool, block.clone(), block, path, kind, value()).prop_map(|(tool, block, other, path, kind, value)| {
        let input = match tool {
            "set" => json!({ "blockId": block, "path": path, "to": value }),
            "insert" => json!({ "after": other, "block": { "type": kind, "blockId": block, "title": value, "markdown": "Warm bread.", "html": "<i>" } }),
            "move" => json!({ "blockId": block, "after": other }),
            "setHead" => json!({ "field": "title", "to": value }),
            "setContext" => json!({ "to": value }),
            _ => json!({ "blockId": block }),
        };
        (tool, input.to_string())
    })
}

proptest! {
    #[test]
    fn any_calls_leave_a_valid_page_that_can_be_taken_back(
        calls in prop::collection::vec(call(), 0..12),
        is_selected in any::<bool>(),
    ) {
        let brief = Brief::new(PageType::Inbound, "Page", "We bake bread for the whole street.");
        let before = document();
        let selection = is_selected.then(|| Selection { block_id: "why".to_owned(), path: None });
        let material = Material::default();
        let request = Request {
            message: "Tidy up", document: &before, selection: selection.as_ref(), material: &material, earlier: &[],
        };
        let task = Task { request, brief: &brief, said: &[] };
        let mut work = Work::of(&task, &Unwatched);
        for (name, input) in &calls {
            let _ = work.carry_out(name, input);
        }
        let reply = work.end(None).reply;
        let content = &reply.document.content;
        prop_assert_eq!(content.issues(&|_| true), []);
        let told = serde_json::to_string(content).unwrap();
        prop_assert!(!told.contains("evil.example") && !told.contains("500") && !told.contains("<i>"), "{}", told);
        let mut again = before.clone();
        for edit in &reply.edits {
            prop_assert!(edit.operation.apply(&mut again).is_ok());
            if let Some(selection) = &selection {
                prop_assert!(selection.allows(&edit.operation));
            }
        }
        prop_assert_eq!(&again, &reply.document);
        for edit in reply.edits.iter().rev() {
            prop_assert!(edit.operation.inverse().apply(&mut again).is_ok());
        }
        prop_assert_eq!(serde_json::to_string(&again).unwrap(), serde_json::to_string(&before).unwrap());
        if is_selected {
            for block in before.content.blocks.iter().filter(|block| block.block_id() != Some("why")) {
                prop_assert!(content.blocks.contains(block));
            }
        }
    }
}
