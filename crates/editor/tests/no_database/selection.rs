//! What is selected bounds what a message changes, whatever the message says.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use pagesmith_editor::operation::Operation;
use pagesmith_editor::{Document, EarlierChange, Request, Selection, edit};
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::Value;

use crate::set::{Case, Page, cases, files, is_valid, pages};

static PAGES: LazyLock<BTreeMap<String, Page>> = LazyLock::new(pages);

/// The public set, in four languages.
static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
    let mut files = files();
    files.sort();
    files.iter().flat_map(|file| cases(file)).collect()
});

/// Their words.
static WORDS: LazyLock<Vec<String>> =
    LazyLock::new(|| CASES.iter().flat_map(|case| case.message.split(' ')).map(ToOwned::to_owned).collect());

/// Some words of requests in any order.
fn words() -> impl Strategy<Value = String> {
    let picks = prop::collection::vec(any::<Index>(), 1..8);
    picks.prop_map(|picks| picks.iter().map(|pick| pick.get(&WORDS).as_str()).collect::<Vec<_>>().join(" "))
}

/// A part of a message.
fn part() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => any::<Index>().prop_map(|pick| pick.get(&CASES).message.clone()),
        3 => words(),
        1 => "\\PC{0,40}",
        1 => "[\\p{Han}\\p{Arabic}\\p{Devanagari}\\p{Cyrillic} ]{1,20}",
        1 => "(<[a-z/]{1,6}>|&[a-z]{2,4};|\\*\\*|\\[x\\]\\(y\\)|\\{\"a\":|\"|“|\n){1,6}",
    ]
}

/// A message: some parts, one after the other.
fn message() -> impl Strategy<Value = String> {
    let between = prop::sample::select(vec![". ", ", ", " and ", " und ", " et ", " y ", "\n", " – ", "; "]);
    prop::collection::vec((part(), between), 1..5)
        .prop_map(|parts| parts.iter().flat_map(|(part, between)| [part.as_str(), between]).collect())
}

/// A block as it is written.
fn bytes(document: &Document, id: &str) -> String {
    let block = document.content.blocks.iter().find(|block| block.block_id() == Some(id));
    serde_json::to_string(&block).unwrap()
}

fn ids(document: &Document) -> Vec<String> {
    document.content.blocks.iter().map(|block| block.block_id().unwrap().to_owned()).collect()
}

/// The block that a request of the set is about, if it is on the page.
fn target<'c>(case: &'c Case, document: &Document) -> Option<&'c str> {
    let named = case.expected[0].split([' ', '/']).nth(1);
    named.filter(|id| ids(document).iter().any(|known| known == id))
}

/// What an earlier message did: it removed a block. The page as it was then left, and the operation.
fn removed(document: &Document, at: Index) -> (Document, Vec<EarlierChange>) {
    let ids = ids(document);
    let at = at.index(ids.len());
    let block: Value = serde_json::to_value(&document.content.blocks[at]).unwrap();
    let operation = Operation::Remove { block, after: at.checked_sub(1).map(|before| ids[before].clone()) };
    let mut after = document.clone();
    operation.apply(&mut after).unwrap();
    (after, vec![EarlierChange { operations: vec![operation], ..EarlierChange::default() }])
}

proptest! {
    #[test]
    fn whatever_a_message_says_only_the_selected_block_changes(
        case in any::<Index>(),
        begins_with_it in prop::bool::weighted(0.8),
        selects_target in any::<bool>(),
        rest in prop::option::of(message()),
        at in any::<Index>(),
        selects_title in any::<bool>(),
        earlier in prop::option::of(any::<Index>()),
    ) {
        // Mostly a request of the set about its own page, with whatever else behind it.
        let case = case.get(&CASES);
        let page = &PAGES[&case.page];
        let request = Some(case.message.as_str()).filter(|_| begins_with_it).unwrap_or_default();
        let message = [request, rest.as_deref().unwrap_or_default()].join(". ");
        let (before, earlier) = match earlier {
            Some(at) => removed(&page.document, at),
            None => (page.document.clone(), vec![]),
        };
        let target = target(case, &before).filter(|_| selects_target).map(ToOwned::to_owned);
        let block_id = target.unwrap_or_else(|| at.get(&ids(&before)).clone());
        let selection = Selection { block_id, path: selects_title.then(|| "/title".to_owned()) };
        let request = Request {
            message: &message,
            document: &before,
            selection: Some(&selection),
            material: &page.material,
            earlier: &earlier,
        };
        let reply = edit(&request);
        let after = &reply.document;

        // Every other block is there, as it was, in the same order, and no other has come.
        let others = |document: &Document| -> Vec<(String, String)> {
            let others = ids(document).into_iter().filter(|id| *id != selection.block_id);
            others.map(|id| (bytes(document, &id), id)).collect()
        };
        prop_assert_eq!(others(after), others(&before));
        // A selection is a block, so that no field of the whole page is within it.
        prop_assert_eq!((&after.head, &after.context), (&before.head, &before.context));
        for edit in &reply.edits {
            prop_assert!(selection.allows(&edit.operation), "{:?}", edit.operation);
        }
        prop_assert!(is_valid(after), "{}", serde_json::to_string(after).unwrap());

        let mut undone = after.clone();
        for edit in reply.edits.iter().rev() {
            prop_assert_eq!(edit.operation.inverse().apply(&mut undone), Ok(()));
        }
        prop_assert_eq!(serde_json::to_string(&undone).unwrap(), serde_json::to_string(&reply.base).unwrap());
    }
}

/// That such messages do change what is selected, else the test above would say nothing.
#[test]
fn many_messages_of_the_set_change_the_block_that_is_selected() {
    let mut changed = 0;
    for case in cases("known.txt") {
        let page = &PAGES[&case.page];
        let document = &page.document;
        let Some(block_id) = target(&case, document) else { continue };
        let selection = Selection { block_id: block_id.to_owned(), path: None };
        let request = Request {
            message: &case.message,
            document,
            selection: Some(&selection),
            material: &page.material,
            earlier: &[],
        };
        changed += usize::from(edit(&request).document != *document);
    }
    assert!(changed > 50, "{changed}");
}
