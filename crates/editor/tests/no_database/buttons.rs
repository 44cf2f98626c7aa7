//! Buttons: which one a message means, and that no other is changed.

use pagesmith_editor::{Document, EditOutcome, Material, Reply, Request, edit};
use serde_json::{Value, json};

/// A page whose opening and closing have these buttons, in a language.
fn page(tag: &str, top: &[&str], end: &[&str]) -> Document {
    let content = json!({ "format": 1, "head": { "language": tag }, "blocks": [
        { "type": "hero", "blockId": "top", "title": "Honey", "actionIds": top },
        { "type": "text", "blockId": "why", "title": "Why", "markdown": "Bees." },
        { "type": "call-to-action", "blockId": "act", "title": "Taste it", "actionIds": end },
    ] });
    serde_json::from_value(json!({ "content": content })).unwrap()
}

fn said(message: &str, document: &Document) -> Reply {
    let label = |id: &str, label: &str| (id.to_owned(), label.to_owned());
    let actions = vec![label("order", "Order now"), label("visit", "Visit us")];
    let material = Material { actions, ..Material::default() };
    edit(&Request { message, document, selection: None, material: &material, earlier: &[] })
}

/// The actions of the opening and of the closing.
fn shown(document: &Document) -> [Value; 2] {
    let blocks = serde_json::to_value(&document.content.blocks).unwrap();
    [0, 2].map(|at| blocks[at].get("actionIds").cloned().unwrap_or_else(|| json!([])))
}

const AT_THE_END: [(&str, &str); 8] = [
    ("en", "remove the button at the bottom"),
    ("en", "delete the bottom button please"),
    ("de", "nimm den Knopf unten weg"),
    ("de", "entferne den untersten Button"),
    ("fr", "enlève le bouton du bas"),
    ("fr", "supprime le bouton en bas"),
    ("es", "quita el botón de abajo"),
    ("es", "elimina el último botón"),
];

#[test]
fn the_only_button_at_the_end_is_removed() {
    for (tag, message) in AT_THE_END {
        let reply = said(message, &page(tag, &["order", "visit"], &["visit"]));
        assert_eq!(reply.outcome, EditOutcome::Done, "{message}: {}", reply.text);
        assert_eq!(shown(&reply.document), [json!(["order", "visit"]), json!([])], "{message}");
    }
}

#[test]
fn of_several_buttons_it_is_asked_which_is_meant() {
    for (tag, message) in AT_THE_END {
        let before = page(tag, &["order"], &["order", "visit"]);
        let reply = said(message, &before);
        assert_eq!((reply.outcome, &reply.document), (EditOutcome::Asked, &before), "{message}");
        for label in ["Order now", "Visit us", "Taste it"] {
            assert!(reply.text.contains(label), "{message}: {}", reply.text);
        }
        assert!(!reply.text.contains("Why") && !reply.text.contains("Honey"), "{message}: {}", reply.text);
        assert_eq!(reply.candidates, ["act"], "{message}");
    }
    let before = page("en", &["order", "visit"], &["order", "visit"]);
    for message in ["remove the button", "remove the button at the top", "remove the hero button"] {
        let reply = said(message, &before);
        assert_eq!((reply.outcome, &reply.document), (EditOutcome::Asked, &before), "{message}");
        assert!(reply.text.contains("Order now") && reply.text.contains("Visit us"), "{}", reply.text);
    }
}

#[test]
fn where_no_button_is_at_the_end_all_of_the_page_are_named() {
    let content = json!({ "format": 1, "head": { "language": "en" }, "blocks": [
        { "type": "hero", "blockId": "top", "title": "Honey", "actionIds": ["order", "visit"] },
        { "type": "text", "blockId": "why", "title": "Why", "markdown": "Bees." },
    ] });
    let before: Document = serde_json::from_value(json!({ "content": content })).unwrap();
    let reply = said("remove the button at the bottom", &before);
    assert_eq!((reply.outcome, &reply.document), (EditOutcome::Asked, &before));
    assert!(reply.text.contains("Order now") && reply.text.contains("Visit us"), "{}", reply.text);
    assert!(!reply.text.contains("“Why”"), "{}", reply.text);
}

#[test]
fn a_button_is_known_by_its_words_its_number_and_its_place() {
    let before = page("en", &["order", "visit"], &["order", "visit"]);
    for (message, expected) in [
        ("remove the order now button at the top", [json!(["visit"]), json!(["order", "visit"])]),
        ("remove the \"Visit us\" button at the bottom", [json!(["order", "visit"]), json!(["order"])]),
        ("remove the second button at the top", [json!(["order"]), json!(["order", "visit"])]),
        ("remove the buttons at the bottom", [json!(["order", "visit"]), json!([])]),
        ("remove the visit us buttons", [json!(["order"]), json!(["order"])]),
    ] {
        let reply = said(message, &before);
        assert_eq!(shown(&reply.document), expected, "{message}: {}", reply.text);
        assert_eq!(reply.outcome, EditOutcome::Done, "{message}: {}", reply.text);
    }
    // No button is green, and a page without buttons has none to remove.
    let reply = said("remove the green button", &before);
    assert_eq!(reply.document, before, "{}", reply.text);
    let none = page("en", &[], &[]);
    let reply = said("remove the button at the bottom", &none);
    assert_eq!((reply.outcome, &reply.document), (EditOutcome::Refused, &none), "{}", reply.text);
}

#[test]
fn one_button_of_several_gets_another_action() {
    let before = page("en", &["order"], &["order", "call"]);
    let reply = said("change the order now button at the bottom to \"Visit us\"", &before);
    assert_eq!(shown(&reply.document), [json!(["order"]), json!(["visit", "call"])], "{}", reply.text);
}

#[test]
fn a_button_that_is_only_spoken_of_keeps_its_action() {
    let before = page("en", &["order"], &[]);
    for message in [
        "the visit us button is broken",
        "pls remove the visit us button, our phone line is down",
        "https://example.com/visit is where the visit us button should go",
    ] {
        let reply = said(message, &before);
        assert_eq!(reply.document, before, "{message}: {}", reply.text);
    }
    let reply = said("we want \"Visit us\" as the button at the top", &before);
    assert_eq!(shown(&reply.document), [json!(["visit"]), json!([])], "{}", reply.text);
}
