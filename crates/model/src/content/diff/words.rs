//! Two texts word by word: the longest row of words that is in both is kept, the rest was removed or added.
//!
//! Words, blanks and punctuation are the segments of Unicode, so that the parts, joined again, are the texts. The table of pairs is bounded by
//! the budget; texts that would need a larger one are told as a whole.

use schemars::JsonSchema;
use serde::Serialize;
use unicode_segmentation::UnicodeSegmentation;

use super::Budget;

/// What has become of a part of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum PartKind {
    /// It is in both texts.
    Kept,
    /// It is only in the first.
    Removed,
    /// It is only in the second.
    Added,
}

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextPart {
    /// What has become of it.
    pub kind: PartKind,
    /// Its words.
    pub text: String,
}

/// The parts of two texts; nothing if that would take too long, or be too much to tell.
pub(super) fn between(from: &str, to: &str, budget: &mut Budget) -> Option<Vec<TextPart>> {
    // The same pair gives the same parts, whichever text is the first.
    if from > to {
        let mut parts = ordered(to, from, budget)?;
        for part in &mut parts {
            part.kind = match part.kind {
                PartKind::Kept => PartKind::Kept,
                PartKind::Removed => PartKind::Added,
                PartKind::Added => PartKind::Removed,
            };
        }
        // What was removed is before what was added in its place.
        for at in 1..parts.len() {
            if (parts[at - 1].kind, parts[at].kind) == (PartKind::Added, PartKind::Removed) {
                parts.swap(at - 1, at);
            }
        }
        return Some(parts);
    }
    ordered(from, to, budget)
}

fn ordered(from: &str, to: &str, budget: &mut Budget) -> Option<Vec<TextPart>> {
    let from: Vec<&str> = from.split_word_bounds().collect();
    let to: Vec<&str> = to.split_word_bounds().collect();
    let head = from.iter().zip(&to).take_while(|(was, is)| was == is).count();
    let (left, right) = (&from[head..], &to[head..]);
    let tail = left.iter().rev().zip(right.iter().rev()).take_while(|(was, is)| was == is).count();
    let (left, right) = (&left[..left.len() - tail], &right[..right.len() - tail]);
    budget.pairs = budget.pairs.checked_sub((left.len() + 1).checked_mul(right.len() + 1)?)?;
    let mut parts = DiffParts::default();
    from[..head].iter().for_each(|word| parts.keep(word));
    middle(left, right, &mut parts);
    from[from.len() - tail..].iter().for_each(|word| parts.keep(word));
    let parts = parts.finish();
    budget.parts = budget.parts.checked_sub(parts.len())?;
    Some(parts)
}

/// Between what both texts begin and end with.
fn middle(left: &[&str], right: &[&str], parts: &mut DiffParts) {
    let width = right.len() + 1;
    // The most words that are in both from a pair of places on; a row more and a column more, of zeros.
    let mut most = vec![0_u32; (left.len() + 1) * width];
    for at in (0..left.len()).rev() {
        for other in (0..right.len()).rev() {
            most[at * width + other] = if left[at] == right[other] {
                most[(at + 1) * width + other + 1] + 1
            } else {
                most[(at + 1) * width + other].max(most[at * width + other + 1])
            };
        }
    }
    let (mut at, mut other) = (0, 0);
    while at < left.len() && other < right.len() {
        if left[at] == right[other] {
            parts.keep(left[at]);
            (at, other) = (at + 1, other + 1);
        } else if most[(at + 1) * width + other] >= most[at * width + other + 1] {
            parts.removed.push_str(left[at]);
            at += 1;
        } else {
            parts.added.push_str(right[other]);
            other += 1;
        }
    }
    left[at..].iter().for_each(|word| parts.removed.push_str(word));
    right[other..].iter().for_each(|word| parts.added.push_str(word));
}

/// Parts that are being put together.
#[derive(Default)]
struct DiffParts {
    done: Vec<TextPart>,
    kept: String,
    removed: String,
    added: String,
}

impl DiffParts {
    fn keep(&mut self, word: &str) {
        if !(self.removed.is_empty() && self.added.is_empty()) {
            self.close();
        }
        self.kept.push_str(word);
    }

    /// Ends a row of kept words with what is behind them.
    fn close(&mut self) {
        let rows = [
            (PartKind::Kept, std::mem::take(&mut self.kept)),
            (PartKind::Removed, std::mem::take(&mut self.removed)),
            (PartKind::Added, std::mem::take(&mut self.added)),
        ];
        let said = rows.into_iter().filter(|(_, text)| !text.is_empty());
        self.done.extend(said.map(|(kind, text)| TextPart { kind, text }));
    }

    fn finish(mut self) -> Vec<TextPart> {
        self.close();
        self.done
    }
}
