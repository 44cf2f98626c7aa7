//! Differences that are known, and what holds for any two documents.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn document(blocks: &[(&str, &str)]) -> Content {
    let blocks: Vec<Value> = blocks
        .iter()
        .map(|(id, words)| json!({ "type": "text", "blockId": id, "markdown": words }))
        .collect();
    serde_json::from_value(json!({ "head": { "title": "T" }, "blocks": blocks })).unwrap()
}

fn between(from: &Content, to: &Content) -> Difference {
    Difference::between(from, to, Budget::default()).unwrap()
}

fn said(difference: &Difference) -> Vec<(&str, BlockChange, bool)> {
    let blocks = difference.blocks.iter();
    blocks.map(|block| (block.block_id.as_str(), block.change, block.is_moved)).collect()
}

#[test]
fn blocks_are_added_removed_moved_and_changed() {
    let from = document(&[("a", "One"), ("b", "Two"), ("c", "Three"), ("d", "Four")]);
    let to = document(&[("d", "Four"), ("a", "One"), ("b", "Two words"), ("e", "New")]);
    let difference = between(&from, &to);
    assert_eq!(
        said(&difference),
        [
            ("d", BlockChange::Kept, true),
            ("b", BlockChange::Changed, false),
            ("e", BlockChange::Added, false),
            ("c", BlockChange::Removed, false),
        ]
    );
    assert_eq!(difference.counts, Counts { added: 1, removed: 1, changed: 1, kept: 2, moved: 1 });
    assert_eq!((difference.blocks[0].from_index, difference.blocks[0].to_index), (Some(3), Some(0)));
}

#[test]
fn a_text_is_compared_word_by_word() {
    let from = document(&[("a", "The quick brown fox jumps.")]);
    let to = document(&[("a", "The slow brown fox sleeps.")]);
    let difference = between(&from, &to);
    let fields = difference.blocks[0].fields.as_ref().unwrap();
    assert_eq!(fields[0].path, "/markdown");
    let parts: Vec<(PartKind, &str)> =
        fields[0].words.as_ref().unwrap().iter().map(|part| (part.kind, part.text.as_str())).collect();
    assert_eq!(
        parts,
        [
            (PartKind::Kept, "The "),
            (PartKind::Removed, "quick"),
            (PartKind::Added, "slow"),
            (PartKind::Kept, " brown fox "),
            (PartKind::Removed, "jumps"),
            (PartKind::Added, "sleeps"),
            (PartKind::Kept, "."),
        ]
    );
}

#[test]
fn a_head_and_another_type_of_block_are_told() {
    let from = document(&[("a", "One")]);
    let mut to = from.clone();
    to.head.title = None;
    to.blocks =
        vec![serde_json::from_value(json!({ "type": "hero", "blockId": "a", "title": "One" })).unwrap()];
    let difference = between(&from, &to);
    let head = difference.head.as_ref().unwrap();
    assert_eq!(
        (head[0].path.as_str(), &head[0].before, &head[0].after),
        ("/title", &Some(json!("T")), &None)
    );
    let paths: HashSet<&str> =
        difference.blocks[0].fields.as_ref().unwrap().iter().map(|field| field.path.as_str()).collect();
    assert!(paths.is_superset(&HashSet::from(["/type", "/title", "/markdown"])), "{paths:?}");
}

#[test]
fn what_would_take_too_long_is_told_as_a_whole() {
    let words = |seed: usize| (0..60_000).map(|at| format!("w{} ", at * seed % 7_919)).collect::<String>();
    let blocks = |seed: usize| document(&[("a", words(seed).as_str()), ("b", words(seed + 2).as_str())]);
    let begun = Instant::now();
    let difference = between(&blocks(3), &blocks(11));
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    let fields = difference.blocks[0].fields.as_ref().unwrap();
    assert_eq!((fields.len(), &fields[0].words), (1, &None));
    assert!(fields[0].before.is_some() && fields[0].after.is_some());
}

#[test]
fn beyond_the_budget_a_block_is_only_called_changed() {
    let (from, to) = (document(&[("a", "One"), ("b", "x")]), document(&[("a", "Two"), ("b", "y")]));
    let budget = Budget { fields: 1, ..Budget::default() };
    let difference = Difference::between(&from, &to, budget).unwrap();
    assert!(difference.blocks[0].fields.is_some());
    assert_eq!((difference.blocks[1].change, &difference.blocks[1].fields), (BlockChange::Changed, &None));
    let budget = Budget { parts: 1, ..Budget::default() };
    let difference = Difference::between(&from, &to, budget).unwrap();
    assert_eq!(difference.blocks[0].fields.as_ref().unwrap()[0].words, None);
}

fn any_document() -> impl Strategy<Value = Content> {
    let words = prop::collection::vec(prop::sample::select(vec!["a", "b", "c", "é", "ab"]), 0..8);
    let blocks = prop::collection::hash_map("[a-h]", words.prop_map(|words| words.join(" ")), 0..8);
    let order = blocks.prop_map(|blocks| blocks.into_iter().collect::<Vec<_>>()).prop_shuffle();
    (order, prop::option::of("[a-c]{1,3}")).prop_map(|(blocks, title)| {
        let blocks: Vec<(&str, &str)> =
            blocks.iter().map(|(id, words)| (id.as_str(), words.as_str())).collect();
        let mut content = document(&blocks);
        content.head.title = title;
        content
    })
}

fn joined(parts: &[TextPart], without: PartKind) -> String {
    parts.iter().filter(|part| part.kind != without).map(|part| part.text.as_str()).collect()
}

proptest! {
    #[test]
    fn every_block_is_counted_once_and_every_text_can_be_read(from in any_document(), to in any_document()) {
        let difference = between(&from, &to);
        let counts = difference.counts;
        prop_assert_eq!(counts.added + counts.changed + counts.kept, to.blocks.len());
        prop_assert_eq!(counts.removed + counts.changed + counts.kept, from.blocks.len());
        prop_assert_eq!(difference.is_empty(), from == to);
        prop_assert!(between(&from, &from).is_empty());
        for block in &difference.blocks {
            prop_assert_eq!(block.fields.is_some(), block.change == BlockChange::Changed);
            for field in block.fields.iter().flatten() {
                let Some(parts) = &field.words else { continue };
                prop_assert_eq!(Some(json!(joined(parts, PartKind::Added))), field.before.clone());
                prop_assert_eq!(Some(json!(joined(parts, PartKind::Removed))), field.after.clone());
            }
        }
        // Without what was moved, what is in both is in the same order.
        let moved: HashSet<&str> =
            difference.blocks.iter().filter(|block| block.is_moved).map(|block| block.block_id.as_str()).collect();
        let order = |content: &Content, other: &Content| -> Vec<String> {
            let ids: HashSet<_> = other.blocks.iter().filter_map(|block| block.block_id()).collect();
            let stay = content.blocks.iter().filter_map(|block| block.block_id());
            stay.filter(|id| ids.contains(id) && !moved.contains(id)).map(str::to_owned).collect()
        };
        prop_assert_eq!(order(&from, &to), order(&to, &from));
    }

    #[test]
    fn swapped_documents_give_the_mirrored_difference(from in any_document(), to in any_document()) {
        let (there, back) = (between(&from, &to), between(&to, &from));
        let (counts, mirrored) = (there.counts, back.counts);
        prop_assert_eq!((counts.added, counts.removed), (mirrored.removed, mirrored.added));
        prop_assert_eq!((counts.changed, counts.kept, counts.moved), (mirrored.changed, mirrored.kept, mirrored.moved));
        for block in &there.blocks {
            if block.change != BlockChange::Changed {
                continue;
            }
            let other = back.blocks.iter().find(|other| other.block_id == block.block_id).unwrap();
            let (fields, others) = (block.fields.as_ref().unwrap(), other.fields.as_ref().unwrap());
            for (field, other) in fields.iter().zip(others) {
                prop_assert_eq!((&field.before, &field.after), (&other.after, &other.before));
                let of = |parts: &Option<Vec<TextPart>>, kind| -> Vec<String> {
                    let parts = parts.iter().flatten().filter(|part| part.kind == kind);
                    parts.map(|part| part.text.clone()).collect()
                };
                prop_assert_eq!(of(&field.words, PartKind::Added), of(&other.words, PartKind::Removed));
                prop_assert_eq!(of(&field.words, PartKind::Kept), of(&other.words, PartKind::Kept));
            }
        }
    }
}
