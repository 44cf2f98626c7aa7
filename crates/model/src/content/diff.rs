//! What is different between two contents: blocks by their ids, fields by their places, texts by their words.
//!
//! What this is not: a patch. It is for people who read it. Invariants: every block of both documents is counted once; the difference of a
//! document with itself is empty; with the arguments swapped, what was added is removed and the other way round; and the work is bounded,
//! whatever the documents say ([`Budget`]).

use std::collections::{HashMap, HashSet};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{Component, Content};
use crate::error::{Error, Result};

mod fields;
mod words;

pub use fields::FieldDifference;
pub use words::{PartKind, TextPart};

/// How much one comparison may cost.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    /// Pairs of words that are compared.
    pub pairs: usize,
    /// Parts of texts that are told.
    pub parts: usize,
    /// Fields that are told one by one.
    pub fields: usize,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { pairs: 4_000_000, parts: 20_000, fields: 2_000 }
    }
}

/// What has become of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum BlockChange {
    /// It is only in the second document.
    Added,
    /// It is only in the first document.
    Removed,
    /// It is in both, and says something else.
    Changed,
    /// It is in both, and says the same.
    Kept,
}

/// A block that was changed, added, removed or moved.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockDifference {
    /// Its id.
    pub block_id: String,
    /// Its type, in the second document if it is there.
    pub kind: String,
    /// What has become of it.
    pub change: BlockChange,
    /// Whether it has another place among the blocks that are in both.
    pub is_moved: bool,
    /// Its place in the first document.
    pub from_index: Option<usize>,
    /// Its place in the second document.
    pub to_index: Option<usize>,
    /// Its fields that are different; nothing unless it is changed, or if that would be too much to tell.
    pub fields: Option<Vec<FieldDifference>>,
}

/// Number of blocks by kind of change.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Only in the second document.
    pub added: usize,
    /// Only in the first document.
    pub removed: usize,
    /// In both, with something else to say.
    pub changed: usize,
    /// In both, with the same to say.
    pub kept: usize,
    /// In both, at another place.
    pub moved: usize,
}

/// The difference between two documents.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// What the head says differently; nothing if that would be too much to tell.
    pub head: Option<Vec<FieldDifference>>,
    /// Whether the head says something else.
    pub is_head_changed: bool,
    /// The blocks that are not as they were: those of the second document in its order, then the removed ones in the order of the first.
    pub blocks: Vec<BlockDifference>,
    /// Number of blocks by kind of change.
    pub counts: Counts,
}

impl Difference {
    /// Whether both documents say the same in the same order.
    pub fn is_empty(&self) -> bool {
        !self.is_head_changed && self.blocks.is_empty()
    }

    /// What is different between the fields of two objects; nothing if that would be too much to tell.
    pub fn of_fields(from: &Value, to: &Value, mut budget: Budget) -> Option<Vec<FieldDifference>> {
        fields::between(from, to, &mut budget)
    }

    /// What is different between a document and a later one.
    pub fn between(from: &Content, to: &Content, mut budget: Budget) -> Result<Difference> {
        let (from, to) = (Document::read(from)?, Document::read(to)?);
        let moved = moved(&from, &to);
        let mut counts = Counts { moved: moved.len(), ..Counts::default() };
        let mut blocks = Vec::new();
        for (index, (id, block)) in to.blocks.iter().enumerate() {
            let before = from.places.get(id.as_str()).map(|place| (*place, &from.blocks[*place].1));
            let is_moved = moved.contains(id.as_str());
            let (change, fields) = match before {
                None => (BlockChange::Added, None),
                Some((_, before)) if before == block => (BlockChange::Kept, None),
                Some((_, before)) => (BlockChange::Changed, fields::between(before, block, &mut budget)),
            };
            match change {
                BlockChange::Added => counts.added += 1,
                BlockChange::Changed => counts.changed += 1,
                BlockChange::Kept | BlockChange::Removed => counts.kept += 1,
            }
            if change != BlockChange::Kept || is_moved {
                blocks.push(BlockDifference {
                    block_id: id.clone(),
                    kind: kind(block),
                    change,
                    is_moved,
                    from_index: before.map(|(place, _)| place),
                    to_index: Some(index),
                    fields,
                });
            }
        }
        for (index, (id, block)) in from.blocks.iter().enumerate() {
            if to.places.contains_key(id.as_str()) {
                continue;
            }
            counts.removed += 1;
            blocks.push(BlockDifference {
                block_id: id.clone(),
                kind: kind(block),
                change: BlockChange::Removed,
                is_moved: false,
                from_index: Some(index),
                to_index: None,
                fields: None,
            });
        }
        let is_head_changed = from.head != to.head;
        let head = fields::between(&from.head, &to.head, &mut budget);
        Ok(Difference { head, is_head_changed, blocks, counts })
    }
}

fn kind(block: &Value) -> String {
    block.get("type").and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// A document as values that can be compared.
struct Document {
    head: Value,
    /// The blocks with their ids; one without is known by its place.
    blocks: Vec<(String, Value)>,
    places: HashMap<String, usize>,
}

impl Document {
    fn read(content: &Content) -> Result<Document> {
        let head = serde_json::to_value(&content.head).map_err(Error::internal)?;
        let mut blocks = Vec::with_capacity(content.blocks.len());
        for (index, block) in content.blocks.iter().enumerate() {
            blocks.push((id_of(block, index), serde_json::to_value(block).map_err(Error::internal)?));
        }
        let places = blocks.iter().enumerate().map(|(index, (id, _))| (id.clone(), index)).collect();
        Ok(Document { head, blocks, places })
    }
}

fn id_of(block: &Component, index: usize) -> String {
    block.block_id().map_or_else(|| index.to_string(), str::to_owned)
}

/// The blocks of both documents that have left the longest row of blocks which is in the same order in both.
fn moved<'a>(from: &Document, to: &'a Document) -> HashSet<&'a str> {
    let common: Vec<(&str, usize)> = to
        .blocks
        .iter()
        .filter_map(|(id, _)| from.places.get(id.as_str()).map(|place| (id.as_str(), *place)))
        .collect();
    // The longest rising row that ends at each place, and the one before in it. Contents have at most 200 blocks.
    let mut ends: Vec<(usize, Option<usize>)> = Vec::with_capacity(common.len());
    for (at, (_, place)) in common.iter().enumerate() {
        let before =
            (0..at).filter(|earlier| common[*earlier].1 < *place).max_by_key(|earlier| ends[*earlier].0);
        ends.push((before.map_or(1, |before| ends[before].0 + 1), before));
    }
    let mut stay = vec![false; common.len()];
    let mut last = (0..common.len()).max_by_key(|at| ends[*at].0);
    while let Some(at) = last {
        stay[at] = true;
        last = ends[at].1;
    }
    let moved = common.iter().zip(stay).filter(|(_, stays)| !stays);
    moved.map(|((id, _), _)| *id).collect()
}

#[cfg(test)]
mod tests;
