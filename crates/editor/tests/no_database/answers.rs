//! What an answer tells: each part of a message that was not carried out, and what is asked about.

use pagesmith_editor::{Document, EarlierChange, EditOutcome, Material, Reply, Request, Selection, edit};
use serde_json::json;

fn page() -> Document {
    let content = json!({ "format": 1, "head": { "language": "en" }, "blocks": [
        { "type": "hero", "blockId": "top", "title": "Really simple forecasts for teams" },
        { "type": "text", "blockId": "why", "title": "Why", "markdown": "Plans are guesses." },
        { "type": "stats-cards", "blockId": "figures", "title": "Figures", "stats": [
            { "value": "3", "label": "walks" }, { "value": "12", "label": "guides" }] },
        { "type": "frame-list", "blockId": "faq", "title": "Questions", "frames": [{ "title": "Q", "markdown": "A" }] },
        { "type": "text", "blockId": "adults", "title": "Prices", "markdown": "Ten for adults." },
        { "type": "text", "blockId": "children", "title": "Prices", "markdown": "Five for children." },
    ] });
    serde_json::from_value(json!({ "content": content })).unwrap()
}

fn said(message: &str, selection: Option<&Selection>) -> Reply {
    let (document, material) = (page(), Material::default());
    edit(&Request { message, document: &document, selection, material: &material, earlier: &[] })
}

#[test]
fn each_part_that_is_not_carried_out_is_told() {
    // The message, how many operations are carried out, and what the answer says of the rest.
    let cases = [
        ("remove the questions and paint the figures green", 1, "\"paint the figures green\""),
        ("remove the questions, paint the figures green", 1, "\"paint the figures green\""),
        ("make it sparkle and remove the questions", 1, "\"make it sparkle\""),
        ("swap the figures and the questions, and blow up the hero", 1, "up the hero\""),
        ("remove the questions and the figures and make the page more fun", 2, "\"make the page more fun\""),
        (
            "please remove the questions; also, add our logo somewhere nice",
            1,
            "add our logo somewhere nice\"",
        ),
        ("remove the questions then the figures then the walks", 1, "\"the figures then the walks\""),
        ("make the headline shorter and remove the questions, then do the dishes", 2, "\"do the dishes\""),
        (
            "make the headline shorter and also the questions should sparkle",
            1,
            "\"the questions should sparkle\"",
        ),
        ("supprime les questions et peins les chiffres en vert", 1, "« peins les chiffres en vert »"),
        ("entferne die Fragen und male die Zahlen grün", 1, "„male die Zahlen grün“"),
        ("quita las preguntas y pinta las cifras de verde", 1, "pinta las cifras de verde"),
        ("remove the questions and put the figures last, then rename Why to Reasons", 3, ""),
        // A reason is no request.
        ("legal complained, so take the questions out", 1, "Removed “Questions”."),
    ];
    for (message, operations, rest) in cases {
        let reply = said(message, None);
        assert_eq!(
            (reply.edits.len(), reply.outcome),
            (operations, EditOutcome::Done),
            "{message}: {}",
            reply.text
        );
        assert!(reply.text.contains(rest), "{message}: {}", reply.text);
    }
    assert_eq!(said("legal complained, so take the questions out", None).text, "Removed “Questions”.");
}

#[test]
fn a_part_that_limits_the_rest_keeps_all_of_it_from_being_carried_out() {
    for message in ["remove the questions and keep the first one", "remove the questions but not the first"] {
        assert_eq!(said(message, None).document, page(), "{message}");
    }
}

#[test]
fn things_of_the_same_name_are_told_apart() {
    let reply = said("remove the prices", None);
    let question = "Which do you mean: “Prices” (“Ten for adults.”) or “Prices” (“Five for children.”)?";
    assert_eq!((reply.outcome, reply.text.as_str()), (EditOutcome::Asked, question));
    assert_eq!(reply.candidates, ["adults", "children"]);
    let mut same = page();
    same.content.blocks[5] = same.content.blocks[4].clone();
    if let Ok(mut value) = serde_json::to_value(&same.content.blocks[5]) {
        value["blockId"] = json!("children");
        same.content.blocks[5] = serde_json::from_value(value).unwrap();
    }
    let material = Material::default();
    let request = Request {
        message: "remove the prices",
        document: &same,
        selection: None,
        material: &material,
        earlier: &[],
    };
    let text = edit(&request).text;
    assert!(text.contains("(“Ten for adults.”) (1) or") && text.ends_with("(2)?"), "{text}");
}

#[test]
fn what_was_selected_and_is_gone_is_told_and_nothing_is_changed() {
    let gone = Selection { block_id: "gone".to_owned(), path: None };
    for message in ["make it shorter", "remove this", "change the headline to \"X\" and remove it"] {
        let reply = said(message, Some(&gone));
        assert_eq!((reply.outcome, &reply.document), (EditOutcome::Refused, &page()), "{message}");
        assert_eq!(reply.text, "What you have selected is not on the page any more, so I changed nothing.");
    }
}

#[test]
fn whoever_thinks_again_is_taken_at_the_last_word() {
    let reply = said("Remove the questions. No wait.", None);
    assert_eq!((reply.outcome, &reply.document, reply.edits.len()), (EditOutcome::Done, &page(), 0));
    assert_eq!(reply.text, "Then I leave it as it is.");
    for message in [
        "Remove the questions. No, don't.",
        "Remove the questions. Never mind, leave them.",
        "Remove the questions, actually keep them.",
        "Remove the questions, no, forget it",
        "Remove the questions. Leave them.",
        "Remove the questions? Not sure.",
        "Entferne die Zahlen. Vergiss es.",
        "Entferne die Zahlen, nein, lass sie.",
        "Supprime les chiffres. Non, laisse.",
        "Supprime les chiffres. Laisse tomber.",
        "Quita las cifras. No, déjalas.",
        "Quita las cifras. Olvídalo.",
    ] {
        let reply = said(message, None);
        assert_eq!((&reply.document, reply.edits.len()), (&page(), 0), "{message}: {}", reply.text);
        assert_eq!(reply.outcome, EditOutcome::Done, "{message}: {}", reply.text);
    }
    // What was asked for first is neither told nor asked about.
    let reply = said("Remove the prices. No, the questions.", None);
    assert_eq!(reply.text, "Removed “Questions”.");
    let reply = said("Paint the figures green. No wait, remove them.", None);
    assert_eq!(reply.text, "Removed “Figures”.");
}

#[test]
fn it_is_what_was_spoken_of_last() {
    // Refused, not understood, ambiguous, not there.
    for (message, expected) in [
        ("Shorten the figures. Remove them.", "Removed “Figures”."),
        ("Paint the figures green. Remove them.", "Removed “Figures”."),
        ("Move the figures up. Shorten the prices. Remove them.", "What do you mean?"),
        ("Move the figures up. Shorten the video. Remove it.", "What do you mean?"),
    ] {
        let reply = said(message, None);
        assert!(reply.text.contains(expected), "{message}: {}", reply.text);
    }
}

#[test]
fn several_changes_are_taken_back() {
    let mut document = page();
    let mut earlier = Vec::new();
    for message in ["Remove the questions", "Rename Why to Reasons", "Remove the figures"] {
        let material = Material::default();
        let reply = edit(&Request {
            message,
            document: &document,
            selection: None,
            material: &material,
            earlier: &[],
        });
        let operations = reply.edits.into_iter().map(|edit| edit.operation).collect();
        let reason = Some(message.to_owned());
        earlier.insert(0, EarlierChange { reason, operations, before: None });
        document = reply.document;
    }
    let said = |message: &str| {
        let material = Material::default();
        edit(&Request {
            message,
            document: &document,
            selection: None,
            material: &material,
            earlier: &earlier,
        })
    };
    for (message, taken_back) in [
        ("undo", 1),
        ("No, undo that", 1),
        ("Undo. Undo.", 2),
        ("undo the last two changes", 2),
        ("Nimm die letzten drei Änderungen zurück", 3),
        // A regret and what it asks for are one.
        ("That was wrong, undo it.", 1),
        ("Das war falsch. Mach es rückgängig.", 1),
        ("No, make the headline shorter", 0),
        ("Make the headline shorter. Undo that.", 0),
    ] {
        assert_eq!(said(message).took_back, taken_back, "{message}");
    }
    assert_eq!(said("undo").text, "Took back: “Remove the figures”.");
    assert_eq!(said("Annule les trois dernières modifications").document, page());
    let reply = said("Deshaz los últimos cinco cambios");
    assert_eq!(reply.document, page());
    assert_eq!(reply.text, "Los últimos 3 cambios están deshechos. No hay nada que deshacer.");
}

#[test]
fn a_sentence_that_can_be_divided_in_many_ways_is_read_once() {
    // If each way were tried by itself, this would take minutes.
    let message = format!("{}zzz", "remove the questions and ".repeat(14));
    let reply = said(&message, None);
    assert_eq!((reply.edits.len(), reply.outcome), (1, EditOutcome::Done));
    let message = format!("{}zzz", "paint the questions and ".repeat(14));
    assert_eq!(said(&message, None).document, page());
}

#[test]
fn a_sentence_behind_a_request_is_told_if_nothing_came_of_it() {
    for rest in [
        "Translate it to Spanish.",
        "Send it to my boss.",
        "Publish it.",
        "We need a video here.",
        "And the logo bigger.",
        "Please check the spelling.",
    ] {
        let reply = said(&format!("Remove the questions. {rest}"), None);
        assert_eq!((reply.edits.len(), reply.outcome), (1, EditOutcome::Done), "{rest}");
        let told = rest.trim_end_matches('.').rsplit(' ').next().unwrap();
        assert!(reply.text.contains(told), "{rest} {}", reply.text);
    }
    let long = format!("Remove the figures. {} Remove the questions.", "word ".repeat(4_100));
    let reply = said(&long, None);
    assert_eq!(reply.edits.len(), 1);
    assert!(reply.text.contains("only the beginning of the message"), "{}", reply.text);
}

#[test]
fn what_is_added_is_all_that_was_told() {
    for (message, told) in [
        ("add question: Is it safe? Answer: Yes.", r#"{"markdown":"Yes.","title":"Is it safe?"}"#),
        ("add a question called Safety: It is safe.", r#"{"markdown":"It is safe.","title":"Safety"}"#),
    ] {
        let reply = said(message, None);
        let operations: Vec<_> = reply.edits.iter().map(|edit| json!(edit.operation).to_string()).collect();
        assert!(operations.concat().contains(told), "{message}: {operations:?} {}", reply.text);
    }
}

#[test]
fn what_new_words_are_like_is_not_put_on_the_page() {
    for message in [
        "make the headline bigger",
        "change the headline to something catchier",
        "change the headline to a better one",
        "the headline should be Spanish",
        "the headline should be red",
        "change the headline to whatever you like",
        "set the description to be shorter",
        "make the text half as long",
        "make the headline as long as the subtitle",
        "make the figures as big as the questions",
        "the figures should be up to date",
        "the figures should be bigger than the text",
        "the figures should be next to each other",
        "make the headline say what we do",
        "let the headline say that we are fast",
        "change the headline to German",
        "le titre doit dire qui nous sommes",
        "die Zahlen sollen größer als der Text sein",
        "mach die Überschrift auf Englisch",
        "ändere den Text auf Englisch",
        "change Why to the figures",
        "replace the figures with the questions",
        "replace Why with the one about prices",
        "I want no questions",
        "We need no more questions",
        "I want to keep the questions",
        "This is for later",
        "This is for tomorrow",
    ] {
        let reply = said(message, None);
        assert_eq!(reply.document, page(), "{message}: {}", reply.text);
    }
    for message in [
        "rename Why to Reasons",
        "change the headline to Fast forecasts",
        "change the headline to \"bigger\"",
    ] {
        assert_eq!(said(message, None).outcome, EditOutcome::Done, "{message}");
    }
}

#[test]
fn a_question_names_the_parts_of_the_page_where_nothing_says_which() {
    let messages = [
        "remove the first",
        "hide it",
        "swap the first and the second",
        "entferne die erste",
        "supprime le premier",
        "elimina la primera",
    ];
    for message in messages {
        let reply = said(message, None);
        assert_eq!((reply.outcome, reply.edits.len()), (EditOutcome::Asked, 0), "{message}: {}", reply.text);
        for part in ["“Really simple forecasts for teams”", "“Questions”", "“Prices” (1)", "“Prices” (2)"]
        {
            assert!(reply.text.contains(part), "{message}: {}", reply.text);
        }
    }
}

#[test]
fn of_a_page_without_parts_nothing_is_asked() {
    let content = json!({ "format": 1, "head": { "language": "en" }, "blocks": [] });
    let document: Document = serde_json::from_value(json!({ "content": content })).unwrap();
    let material = Material::default();
    for message in [
        "remove it",
        "remove the first",
        "hide that section",
        "make it shorter",
        "shorter",
        "remove the button at the bottom",
        "make the headline shorter",
        "entferne die erste",
        "supprime le premier",
        "elimina la primera",
    ] {
        let reply = edit(&Request {
            message,
            document: &document,
            selection: None,
            material: &material,
            earlier: &[],
        });
        assert_eq!(reply.document, document, "{message}");
        assert_ne!(reply.outcome, EditOutcome::Asked, "{message}: {}", reply.text);
        let is_cut = [": .", ": ?", ":.", " :  ?", "“”"].iter().any(|end| reply.text.contains(end));
        assert!(!reply.text.is_empty() && !is_cut, "{message}: {}", reply.text);
    }
}
