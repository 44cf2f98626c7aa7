//! Words that are replaced wherever they stand, and the actions that buttons lead to.

use serde_json::Value;

use crate::act::{Act, Call};
use crate::buttons;
use crate::operation::Operation;
use crate::thing::{Thing, kind, texts};
use crate::token::{Token, fold, is_between_digits};

impl Call<'_> {
    /// Replaces words wherever they stand.
    pub(crate) fn replace_text(&self) -> Option<Act> {
        let is_number = |tokens: &[Token]| tokens.len() <= 2 && tokens.first().is_some_and(Token::is_number);
        if self.slot("target").is_none()
            && self.slot("old").is_some_and(is_number)
            && let Some(act) = self.several("old", &is_number, &|call| call.replace_text())
        {
            return Some(act);
        }
        let ((old, old_quoted), (new, new_quoted)) = (self.value("old")?, self.value("value")?);
        // `change Why to the figures`
        let is_thing = || {
            let first = self.slot("value").and_then(<[Token]>::first);
            first.is_some_and(|first| self.language.has("articles", first)) && self.is_on_the_page("value")
        };
        if !old_quoted && !new_quoted && (!self.is_plain_pair() || is_thing()) {
            return None;
        }
        // `replace "…" with nothing`, but not with the word
        let new = if !new_quoted && self.language.is("nothing", &fold(&new)) { String::new() } else { new };
        let old = if old_quoted { old } else { self.with_unit(self.without_article(old, "old"), &new) };
        let document = self.clause.document;
        let within = match self.slot("target") {
            None => None,
            Some(_) => match self.things("target")? {
                Ok(things) => Some(things),
                Err(act) => return Some(act),
            },
        };
        // Where the words stand as they are written, other spellings are other words.
        let mut all = document.content.blocks.iter().flat_map(texts);
        let as_written = all.any(|(_, text)| replaced(&text, &old, &new, true).0 > 0);
        let mut operations = Vec::new();
        let mut count = 0;
        for block in &document.content.blocks {
            let id = block.block_id().unwrap_or_default();
            let is_outside = self.clause.selection.is_some_and(|selection| selection.block_id != id);
            let is_wanted = within.as_ref().is_none_or(|things| {
                things.iter().any(|thing| thing.block() == Some(id) || *thing == Thing::Page)
            });
            if is_outside || !is_wanted {
                continue;
            }
            for (path, text) in texts(block) {
                if within.as_ref().is_some_and(|things| !things.iter().any(|thing| holds(thing, &path))) {
                    continue;
                }
                let (found, changed) = replaced(&text, &old, &new, as_written);
                let changed = if new.is_empty() { tidied(&changed) } else { changed };
                if found > 0 {
                    count += found;
                    let to = Some(Value::String(changed)).filter(|to| *to != "");
                    let from = Some(Value::String(text));
                    operations.push(Operation::Set { block_id: id.to_owned(), path, from, to });
                }
            }
        }
        if operations.is_empty()
            && let Some(act) = self.replace_figure(&old, &new)
        {
            return Some(act);
        }
        if operations.is_empty() {
            // Without quotation marks something else may be meant.
            return old_quoted.then(|| Act::Refuse(self.say("absent", &[("x", &old)])));
        }
        Some(self.replaced((&old, &new), count, operations))
    }

    /// Whether it is clear where the new words begin: behind a word between them, with the second of two words, or, as in `mach aus 40 Wegen 45 Wege`,
    /// with a number as the old ones do.
    fn is_plain_pair(&self) -> bool {
        let place = |name: &str| self.slots.iter().find(|(slot, ..)| slot == name);
        let (Some((_, from, end)), Some((_, start, last))) = (place("old"), place("value")) else {
            return true;
        };
        let is_number = |at: &usize| self.tokens.get(*at).is_some_and(Token::is_number);
        let are_words = end - from == 1 && last - start == 1;
        end != start || are_words || (is_number(from) && is_number(start))
    }

    /// What came of putting words in the place of others, so many times.
    pub(crate) fn replaced(&self, (old, new): (&str, &str), count: usize, operations: Vec<Operation>) -> Act {
        let mut trial = self.clause.document.clone();
        if operations.iter().any(|operation| operation.apply(&mut trial).is_err()) {
            return Act::Refuse(self.say("invalid", &[("x", old)]));
        }
        let said = if count == 1 { "replaced-once" } else { "replaced" };
        let said = self.say(said, &[("x", old), ("y", new), ("n", &count.to_string())]);
        self.done(operations, said, None)
    }

    /// `change the 12 to 10`: an article before a number is not among the words.
    fn without_article(&self, value: String, slot: &str) -> String {
        match self.slot(slot).map(crate::resolve::trimmed) {
            Some([article, number]) if self.language.has("articles", article) && number.is_number() => {
                self.written(std::slice::from_ref(number)).map_or(value, ToOwned::to_owned)
            }
            _ => value,
        }
    }

    /// `change 41 to 42 %`: what is behind the new number belongs to the old one as well, where the page has it there.
    fn with_unit(&self, old: String, new: &str) -> String {
        let is_of_a_number = |char: char| char.is_ascii_digit() || matches!(char, '.' | ',');
        let unit = new.trim_start_matches(is_of_a_number);
        let whole = format!("{old}{unit}");
        let is_there = old.chars().all(is_of_a_number)
            && unit.len() < new.len()
            && !self.texts_that_hold(&whole).is_empty();
        if is_there { whole } else { old }
    }

    pub(crate) fn button(&self) -> Option<Act> {
        let (action, _) = self.value("action")?;
        let thing = match self.slot("buttons") {
            Some(_) => match self.thing("buttons")? {
                Ok(thing) => thing,
                Err(Act::Ask(things)) => match buttons::by_block(&things)?.as_slice() {
                    [one] => one.clone(),
                    several => return Some(Act::Ask(several.to_vec())),
                },
                Err(act) => return Some(act),
            },
            None => match self.slot("target") {
                Some(_) => match self.thing("target")? {
                    Ok(Thing::Block(block)) => Thing::Buttons(block),
                    Ok(_) => return None,
                    Err(act) => return Some(act),
                },
                None => {
                    let hero = self
                        .clause
                        .document
                        .content
                        .blocks
                        .iter()
                        .find(|block| kind(&crate::document::json(block)) == "hero");
                    Thing::Buttons(hero?.block_id()?.to_owned())
                }
            },
        };
        self.set_button(&thing, &action)
    }

    /// Which actions the page has, to the owner.
    pub(crate) fn actions_told(&self) -> String {
        let actions = &self.clause.material.actions;
        let labels: Vec<String> = actions.iter().map(|(_, label)| format!("“{label}”")).collect();
        match labels.as_slice() {
            [] => self.say("has-no-actions", &[]),
            labels => self.say("has-actions", &[("x", &labels.join(", "))]),
        }
    }

    /// Puts an action first among the buttons of a block.
    pub(crate) fn set_button(&self, thing: &Thing, wanted: &str) -> Option<Act> {
        let (block, replaced) = match thing {
            Thing::Buttons(block) => (block, None),
            Thing::Button { block, action, .. } => (block, Some(action.as_str())),
            _ => return None,
        };
        let actions = &self.clause.material.actions;
        let folded = fold(wanted);
        let exact: Vec<_> =
            actions.iter().filter(|(id, label)| fold(label) == folded || fold(id) == folded).collect();
        let near: Vec<_> = actions
            .iter()
            .filter(|(_, label)| fold(label).contains(&folded) || folded.contains(&fold(label)))
            .collect();
        let (id, _) = match (exact.as_slice(), near.as_slice()) {
            ([one], _) | ([], [one]) => one,
            _ => {
                let has = self.actions_told();
                return Some(Act::Refuse(format!("{} {has}", self.say("no-action", &[("x", wanted)]))));
            }
        };
        let value = self.clause.document.value(block);
        if !matches!(kind(&value), "hero" | "call-to-action") {
            return Some(self.refuse("unsupported", thing));
        }
        let from = value.get("actionIds").cloned();
        let shown = from.as_ref().and_then(Value::as_array).cloned().unwrap_or_default();
        let wanted = Value::String(id.clone());
        if replaced.is_some() && shown.contains(&wanted) {
            return Some(self.refuse("same", thing));
        }
        // Where none is named, the first button is the one that is meant; an action occurs once.
        let at = shown.iter().position(|id| replaced.is_some_and(|replaced| id == replaced)).unwrap_or(0);
        let mut to: Vec<Value> = Vec::new();
        for (index, other) in shown.iter().enumerate() {
            match index == at {
                true => to.push(wanted.clone()),
                false if *other != wanted => to.push(other.clone()),
                false => {}
            }
        }
        if shown.is_empty() {
            to.push(wanted);
        }
        if from.as_ref().and_then(Value::as_array).is_some_and(|from| *from == to) {
            return Some(self.refuse("same", thing));
        }
        let path = "/actionIds".to_owned();
        let operation = Operation::Set { block_id: block.clone(), path, from, to: Some(Value::Array(to)) };
        Some(self.tried(operation, "changed", thing))
    }
}

/// How often a text holds words, and the text with others in their place; in any case if they need not stand as they are written.
pub(crate) fn replaced(text: &str, old: &str, new: &str, as_written: bool) -> (usize, String) {
    let is_bounded = |at: usize, length: usize| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let behind = text.get(at + length..).and_then(|behind| behind.chars().next());
        !before.is_some_and(char::is_alphanumeric)
            && !behind.is_some_and(char::is_alphanumeric)
            && !is_within_number(text, at, at + length)
    };
    let lower = text.to_lowercase();
    let (haystack, needle) = if as_written || lower.len() != text.len() {
        (text, old.to_owned())
    } else {
        (lower.as_str(), old.to_lowercase())
    };
    let (mut count, mut out, mut from) = (0, String::new(), 0);
    for (at, _) in haystack.match_indices(needle.as_str()) {
        if at >= from && is_bounded(at, needle.len()) {
            out.push_str(text.get(from..at).unwrap_or_default());
            out.push_str(new);
            from = at + needle.len();
            count += 1;
        }
    }
    out.push_str(text.get(from..).unwrap_or_default());
    (count, out)
}

/// Whether words that begin or end with a digit are only a part of a number there: the `4` of `4.5`, `9,500` or `4 800`.
fn is_within_number(text: &str, start: usize, end: usize) -> bool {
    let (Some(before), Some(words), Some(behind)) =
        (text.get(..start), text.get(start..end), text.get(end..))
    else {
        return false;
    };
    let is_digit = |char: Option<char>| char.is_some_and(|char| char.is_ascii_digit());
    let joins = |mark: Option<char>, at: usize| match mark {
        Some('.' | ',') => true,
        Some(space @ (' ' | '\u{a0}' | '\u{202f}')) => is_between_digits(text, at, space),
        _ => false,
    };
    let (last, first) = (before.chars().next_back(), behind.chars().next());
    let goes_on = is_digit(words.chars().next_back()) && is_digit(behind.chars().nth(1)) && joins(first, end);
    let began = is_digit(words.chars().next())
        && is_digit(before.chars().nth_back(1))
        && joins(last, start - last.map_or(0, char::len_utf8));
    goes_on || began
}

/// A text without the spaces that stood around words that are gone.
pub(crate) fn tidied(text: &str) -> String {
    let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    let text = lines.collect::<Vec<_>>().join("\n");
    [" .", " ,", " !", " ?", " ;", " :"]
        .iter()
        .fold(text, |text, mark| text.replace(mark, mark.trim_start()))
        .trim()
        .to_owned()
}

/// Whether a thing holds a place of its block.
fn holds(thing: &Thing, path: &str) -> bool {
    match thing {
        Thing::Part { path: part, .. } => path == part || path.starts_with(&format!("{part}/")),
        Thing::Item { index, .. } => path.split('/').nth(2).and_then(|at| at.parse().ok()) == Some(*index),
        Thing::Block(_) | Thing::Page => true,
        _ => false,
    }
}
