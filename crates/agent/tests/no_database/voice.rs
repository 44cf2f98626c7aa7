//! The voice of a brand: a model is told it, and what it says in words that the brand avoids does not stay.

use pagesmith_agent::Rule;
use pagesmith_agent::llm::Form;
use pagesmith_model::brand::Voice;
use pagesmith_model::brief::Brief;
use pagesmith_model::content::Content;
use pagesmith_model::page::PageType;
use serde_json::{Value, json};

use crate::models::{Seen, answer, settings, written};

const CONTEXT: &str = "Frostline makes wireless temperature loggers for cold rooms. A logger is cheap, and the size of a matchbox. \
    Its battery lasts five years. An alarm reaches you by text message.";

fn brief() -> Brief {
    let voice = Voice { words_to_use: vec!["alarm".to_owned()], words_to_avoid: vec!["cheap".to_owned()] };
    Brief { voice, ..Brief::new(PageType::Inbound, "Temperature loggers", CONTEXT) }
}

fn document(title: &str, text: &str) -> String {
    let blocks = json!([
        { "type": "hero", "title": "Loggers for cold rooms" },
        { "type": "text", "title": title, "markdown": text },
        { "type": "text", "markdown": "An alarm reaches you by text message." },
    ]);
    json!({ "head": { "title": "Loggers", "description": "For cold rooms.", "language": "en" }, "blocks": blocks })
        .to_string()
}

/// The page of a model's answers, what it was asked, and what was found in each answer.
fn page(answers: &[String]) -> (Content, Vec<String>, Vec<Vec<Rule>>) {
    let seen = Seen::default();
    let said = answers.iter().map(|text| answer(Form::Chat, text)).collect();
    let (result, script) = written(settings(Form::Chat), &brief(), said, &seen);
    let asked = script
        .heard
        .lock()
        .unwrap()
        .iter()
        .map(|heard| String::from_utf8(heard.body.to_vec()).unwrap())
        .collect();
    let found = seen.found.lock().unwrap().clone();
    (result.unwrap().unwrap().content, asked, found)
}

fn text(content: &Content) -> String {
    serde_json::to_string(&content.blocks).unwrap()
}

#[test]
fn a_model_is_told_which_words_the_brand_uses_and_which_it_avoids() {
    let (content, asked, found) = page(&[document("Small", "A logger is the size of a matchbox.")]);
    let request: Value = serde_json::from_str(&asked[0]).unwrap();
    let [system, user] = [&request["messages"][0]["content"], &request["messages"][1]["content"]];
    let rule =
        "Prefer the words of voice.wordsToUse where they are true, and use none of voice.wordsToAvoid.";
    assert!(system.as_str().unwrap().contains(rule), "{system}");
    for words in ["\"wordsToUse\":[\"alarm\"]", "\"wordsToAvoid\":[\"cheap\"]"] {
        assert!(user.as_str().unwrap().contains(words), "{words}: {user}");
    }
    assert_eq!((found, text(&content).contains("matchbox")), (vec![vec![]], true));
}

#[test]
fn an_answer_with_a_word_that_the_brand_avoids_is_asked_for_once_more() {
    let bad = document("Small", "A logger is cheap.");
    let good = document("Small", "A logger is the size of a matchbox.");
    let (content, asked, found) = page(&[bad, good]);
    assert_eq!(found, [vec![Rule::AvoidedWord], vec![]]);
    assert!(asked[1].contains("blocks.1: uses a word that the brand avoids: “cheap”"), "{}", asked[1]);
    assert!(text(&content).contains("matchbox") && !text(&content).contains("cheap"), "{}", text(&content));
}

#[test]
fn what_needs_such_a_word_in_the_second_answer_too_is_left_out() {
    let bad = document("Small", "A logger is cheap.");
    let (content, _, found) = page(&[bad.clone(), bad]);
    assert_eq!(found, [vec![Rule::AvoidedWord], vec![Rule::AvoidedWord]]);
    let text = text(&content);
    assert!(
        !text.contains("cheap") && !text.contains("Small") && text.contains("An alarm reaches you"),
        "{text}"
    );
}
