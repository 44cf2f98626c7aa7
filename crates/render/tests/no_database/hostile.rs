//! Bad input: whatever is in a document, the page shows it and does nothing else with it.

use pagesmith_model::content::Content;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::page_tree::{faults, select};
use crate::sample::Sample;

/// What an attacker tries, as parts that are put together at random.
const PIECES: &str = "(<script>|</script>|<script src=//e>|<img src=x onerror=alert\\(1\\)>|javascript:alert\\(1\\)|data:text/html,x|\"|'|>|<|&|=|`|/|\
    </title>|</style>|</textarea>|</template>|</main>|<!--|-->|]]>|<svg onload=x>|<math>|<iframe src=x>|<base href=x>|<b style=x>|<h1>|<h5>|<table>|<td>|\
    \n|\n\n|# |#### |> |- |\\| a \\| b \\|\n\\|---\\|---\\|\n|!\\[x]\\(|\\[x]\\(|\\)|https://e.example/|//e|&#106;|\\\\|\u{202e}|\u{0}|\u{2028}|on|漢|א|\\PC){0,12}";

/// Puts one text after the other wherever a text stands, but for the names that choose a shape.
fn fill(value: &mut Value, texts: &mut dyn Iterator<Item = String>) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                if !matches!(name.as_str(), "type" | "actionType") {
                    fill(field, texts);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| fill(item, texts)),
        Value::String(text) => *text = texts.next().unwrap(),
        _ => {}
    }
}

fn everything() -> Value {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages/everything.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The sample with every component, every text of it replaced.
fn filled(texts: &[String]) -> Sample {
    let mut value = everything();
    let mut texts = texts.iter().cloned().cycle();
    for part in ["content", "nav", "footer", "widgets", "metadata"] {
        fill(&mut value[part], &mut texts);
    }
    for action in value["actions"].as_array_mut().unwrap() {
        let id = action["actionId"].clone();
        fill(action, &mut texts);
        action["actionId"] = id;
    }
    for field in ["siteName", "homeUrl", "url"] {
        fill(&mut value[field], &mut texts);
    }
    Sample::read(&value).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn no_text_in_any_field_does_anything(texts in proptest::collection::vec(PIECES, 1..24)) {
        let drawn = filled(&texts).draw();
        prop_assert_eq!(faults(&drawn), Vec::<String>::new());
    }

    #[test]
    fn no_text_of_a_known_component_does_anything_beside_its_actions(texts in proptest::collection::vec(PIECES, 1..24)) {
        let mut value = everything();
        let ids: Vec<Value> = value["content"]["blocks"].as_array().unwrap().iter().map(|block| block["actionIds"].clone()).collect();
        fill(&mut value["content"], &mut texts.iter().cloned().cycle());
        for (block, ids) in value["content"]["blocks"].as_array_mut().unwrap().iter_mut().zip(ids) {
            if !ids.is_null() {
                block["actionIds"] = ids;
            }
        }
        prop_assert_eq!(faults(&Sample::read(&value).unwrap().draw()), Vec::<String>::new());
    }
}

fn text_page(markdown: &str) -> Sample {
    let mut sample = Sample::named("everything");
    let block = json!({ "type": "text", "title": "T", "markdown": markdown });
    sample.content = Content::of(Default::default(), vec![serde_json::from_value(block).unwrap()]);
    sample
}

#[test]
fn a_megabyte_of_text_is_drawn() {
    let kinds =
        ["word ", "<b>", "- ", "> ", "*a", "`", "[a](", "|", "<!--", "# a\n", "&amp;", "漢字", "a\n\n"];
    for kind in kinds {
        let drawn = text_page(&kind.repeat(1_000_000 / kind.len())).draw();
        assert!(drawn.html.len() > 10_000, "{kind}");
    }
}

#[test]
fn ten_thousand_blocks_are_drawn() {
    let mut sample = Sample::named("everything");
    let blocks = sample.content.blocks.clone();
    sample.content.blocks = blocks.into_iter().cycle().take(10_000).collect();
    let drawn = sample.draw();
    assert_eq!(drawn.html.matches("<section").count(), 10_000 + 2 + 1);
}

#[test]
fn html_that_is_nested_without_end_is_drawn_in_time() {
    for kind in ["<div>", "<b>", "<p><b>", "<table><tr><td>", "<ul><li>", "<a href=/x>", "<details>"] {
        let html = kind.repeat(50_000 / kind.len());
        let block = json!({ "type": "custom", "name": "deep", "html": html });
        let mut sample = Sample::named("everything");
        sample.content.blocks = vec![serde_json::from_value(block).unwrap()];
        assert!(!sample.draw().html.is_empty());
    }
}

#[test]
fn texts_of_every_script_come_out_as_they_went_in() {
    for text in ["שלום עולם", "مرحبا بالعالم", "你好，世界", "e\u{301}\u{200d}👩‍👩‍👧", &"w".repeat(200)]
    {
        let drawn = text_page(text).draw();
        assert_eq!(select(&drawn.html, ".prose p"), [format!("<p dir=\"auto\">{text}</p>")]);
    }
}

#[test]
fn a_page_in_a_language_of_the_right_is_read_from_there() {
    let mut sample = Sample::named("outbound");
    sample.content.head.language = Some("ar".to_owned());
    assert!(sample.draw().html.starts_with("<!DOCTYPE html><html lang=\"ar\" dir=\"rtl\">"));
}
