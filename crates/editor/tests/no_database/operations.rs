//! What holds for every operation: its inverse leaves the page as it was, and nothing else is touched.

use std::sync::LazyLock;

use pagesmith_editor::operation::{HeadField, Operation};
use pagesmith_editor::{Document, Material, Request, edit};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::set::{Page, cases, pages};

static PAGES: LazyLock<Vec<Page>> = LazyLock::new(|| pages().into_values().collect());

fn bytes(document: &Document) -> String {
    serde_json::to_string(document).unwrap()
}

fn ids(document: &Document) -> Vec<String> {
    document.content.blocks.iter().map(|block| block.block_id().unwrap().to_owned()).collect()
}

/// The places of a block with what is there.
fn places(value: &Value, path: String, found: &mut Vec<(String, Value)>) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                places(field, format!("{path}/{name}"), found);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                places(item, format!("{path}/{index}"), found);
            }
        }
        _ => {}
    }
    if !path.is_empty() {
        found.push((path, value.clone()));
    }
}

/// Some operation on a page, right or wrong.
fn operation(document: &Document, choice: (u8, usize, usize, u8), text: String) -> Operation {
    let (kind, one, other, to) = choice;
    let ids = ids(document);
    let at = one % ids.len().max(1);
    let id = ids.get(at).cloned().unwrap_or_default();
    let before = at.checked_sub(1).and_then(|before| ids.get(before)).cloned();
    let block =
        document.content.blocks.get(at).map(|block| serde_json::to_value(block).unwrap()).unwrap_or_default();
    let anchor = ids.get(other % (ids.len() + 1)).cloned();
    match kind % 6 {
        0 => {
            let mut all = Vec::new();
            places(&block, String::new(), &mut all);
            let (path, from) = all.get(other % all.len().max(1)).cloned().unwrap_or_default();
            let to = match to % 5 {
                0 => None,
                1 => Some(json!("")),
                2 => Some(json!([text])),
                3 => Some(json!({ "title": text })),
                _ => Some(json!(text)),
            };
            Operation::Set { block_id: id, path, from: Some(from), to }
        }
        1 => Operation::Remove { block, after: before },
        2 => Operation::Move { block_id: id, from: before, to: anchor },
        3 => {
            let block = json!({ "type": "text", "blockId": format!("new-{to}"), "markdown": text });
            Operation::Insert { block, after: anchor }
        }
        4 => {
            let from = document.head.title.clone();
            Operation::SetHead { field: HeadField::Title, from, to: Some(text).filter(|_| to % 3 > 0) }
        }
        _ => Operation::SetContext { from: document.context.clone(), to: Some(text) },
    }
}

proptest! {
    #[test]
    fn an_operation_and_its_inverse_leave_the_page_byte_for_byte(
        page in 0_usize..10,
        choices in prop::collection::vec((any::<(u8, usize, usize, u8)>(), "\\PC{0,40}"), 1..12),
    ) {
        let start = PAGES[page].document.clone();
        let mut document = start.clone();
        let mut done = Vec::new();
        for (choice, text) in choices {
            let before = document.clone();
            let operation = operation(&document, choice, text);
            if operation.apply(&mut document).is_err() {
                // What is refused changes nothing.
                prop_assert_eq!(bytes(&document), bytes(&before));
                continue;
            }
            let named = operation.block_id().map(ToOwned::to_owned);
            for block in &before.content.blocks {
                let id = block.block_id().unwrap();
                if named.as_deref() != Some(id) {
                    let after = document.content.blocks.iter().find(|other| other.block_id() == Some(id));
                    prop_assert_eq!(after, Some(block));
                }
            }
            let rest = |document: &Document| -> Vec<String> {
                ids(document).into_iter().filter(|id| Some(id) != named.as_ref()).collect()
            };
            prop_assert_eq!(rest(&document), rest(&before));
            done.push(operation);
        }
        for operation in done.iter().rev() {
            let read: Operation = serde_json::from_value(serde_json::to_value(operation.inverse()).unwrap()).unwrap();
            prop_assert_eq!(read.apply(&mut document), Ok(()));
        }
        prop_assert_eq!(bytes(&document), bytes(&start));
    }

    #[test]
    fn no_message_panics_or_breaks_a_page(page in 0_usize..10, message in "\\PC{0,120}", selects in any::<bool>()) {
        let page = &PAGES[page];
        let selection = pagesmith_editor::Selection { block_id: ids(&page.document)[0].clone(), path: None };
        let request = Request {
            message: &message,
            document: &page.document,
            selection: selects.then_some(&selection),
            material: &Material::default(),
            earlier: &[],
        };
        let reply = edit(&request);
        prop_assert!(!reply.text.is_empty());
        if reply.edits.is_empty() {
            prop_assert_eq!(&reply.document, &page.document);
        }
    }

    #[test]
    fn words_of_requests_in_any_order_do_not_break_a_page(page in 0_usize..10, picks in prop::collection::vec(any::<prop::sample::Index>(), 1..14)) {
        static WORDS: LazyLock<Vec<String>> = LazyLock::new(|| {
            let files = ["known.txt", "rephrased.txt", "stranger-1.txt", "stranger-2.txt"];
            let all = files.into_iter().flat_map(cases).map(|case| case.message);
            all.flat_map(|message| message.split(' ').map(ToOwned::to_owned).collect::<Vec<_>>()).collect()
        });
        let page = &PAGES[page];
        let message = picks.iter().map(|pick| pick.get(&WORDS).as_str()).collect::<Vec<_>>().join(" ");
        let request = Request { message: &message, document: &page.document, selection: None, material: &page.material, earlier: &[] };
        let reply = edit(&request);
        let mut undone = reply.document.clone();
        for edit in reply.edits.iter().rev() {
            prop_assert_eq!(edit.operation.inverse().apply(&mut undone), Ok(()));
        }
        prop_assert_eq!(bytes(&undone), bytes(&page.document));
    }
}

#[test]
fn a_block_that_was_written_without_an_empty_field_is_taken_back_as_any_other() {
    let start = &PAGES[0].document;
    let block = serde_json::json!({ "type": "logo-marquee", "blockId": "press-2", "names": ["Every week"] });
    let operation = Operation::Insert { block, after: Some(ids(start)[0].clone()) };
    let mut document = start.clone();
    assert_eq!(operation.apply(&mut document), Ok(()));
    assert_eq!(operation.inverse().apply(&mut document), Ok(()));
    assert_eq!(bytes(&document), bytes(start));
}

#[test]
fn a_long_message_takes_no_long_time_and_a_strange_one_is_answered() {
    let page = &PAGES[3];
    for message in [
        "<b>".repeat(16_000),
        "remove the questions and ".repeat(2_000),
        "ä".repeat(50_000),
        "\"".repeat(50_000),
        "删除问题".to_owned(),
        " \n ".to_owned(),
    ] {
        let request = Request {
            message: &message,
            document: &page.document,
            selection: None,
            material: &page.material,
            earlier: &[],
        };
        assert!(!edit(&request).text.is_empty());
    }
}

#[test]
fn no_picture_stands_twice_on_a_page() {
    let page = &pages()["forecast"];
    let asked = |document: &Document| {
        edit(&Request {
            message: "Add a picture of the team",
            document,
            selection: None,
            material: &page.material,
            earlier: &[],
        })
    };
    let once = asked(&page.document);
    assert_eq!(once.edits.len(), 1, "{}", once.text);
    let twice = asked(&once.document);
    assert_eq!((twice.edits.len(), &twice.document), (0, &once.document));
    assert!(twice.text.ends_with("is on the page already."), "{}", twice.text);
}
