//! Which button a phrase means: by where it is, by its words, or by its number.
//!
//! Invariant: a phrase that fits several buttons means none of them, unless it speaks of several.

use serde_json::Value;

use crate::document::json;
use crate::qualifiers::{Qualifiers, nth};
use crate::resolve::{Resolved, Resolver, one_of};
use crate::thing::{Thing, kind};
use crate::token::Token;

/// The buttons of a block.
struct OfBlock {
    closes: bool,
    opens: bool,
    all: Vec<Thing>,
}

impl Resolver<'_> {
    /// The buttons that a phrase means by its noun and what else it says.
    pub(crate) fn buttons(&self, noun: &[Token], qualifiers: &Qualifiers) -> Resolved {
        let mut blocks: Vec<OfBlock> =
            self.document.content.blocks.iter().filter_map(|b| self.buttons_in(&json(b))).collect();
        let is_selected = |of: &OfBlock| {
            let selected = self.selection.map(|selection| selection.block_id.as_str());
            of.all.first().is_some_and(|one| one.block() == selected)
        };
        if self.selection.is_some() && blocks.iter().any(is_selected) {
            blocks.retain(is_selected);
        }
        if blocks.is_empty() {
            return Resolved::Absent;
        }
        let every: Vec<Thing> = blocks.iter().flat_map(|of| of.all.iter().cloned()).collect();
        let says = |list: &str| qualifiers.words.iter().any(|word| self.language.is(list, word));
        let at_the_end = says("ends") || qualifiers.ordinal == Some(-1);
        let at_the_top = says("tops");
        let label = qualifiers.without(|word| {
            ["ends", "tops", "particles", "buttons"].iter().any(|list| self.language.is(list, word))
        });
        if at_the_end {
            // Only the last block closes a page.
            blocks = blocks.pop().into_iter().filter(|last| last.closes).collect();
        }
        if at_the_top {
            blocks.retain(|of| of.opens);
        }
        let is_plural = noun.iter().any(|token| self.language.has("several-buttons", token));
        if label.says_words() {
            let fits = |thing: &Thing| matches!(thing, Thing::Button { label: text, .. } if label.fit(text));
            let meant: Vec<Thing> =
                blocks.iter().flat_map(|of| &of.all).filter(|thing| fits(thing)).cloned().collect();
            return match meant.is_empty() {
                true => Resolved::Unknown,
                false if is_plural => Resolved::These(self.told(meant)),
                false => one_of(self.told(meant)),
            };
        }
        // None is where the phrase says: it may be any of them.
        if blocks.is_empty() {
            return Resolved::OneOf(self.told(every));
        }
        let all: Vec<Thing> = blocks.iter().flat_map(|of| of.all.iter().cloned()).collect();
        if let Some(number) = qualifiers.ordinal.filter(|number| *number > 0) {
            let one = nth(number, all.len()).and_then(|index| all.get(index).cloned());
            return one.map_or(Resolved::Absent, |one| Resolved::These(self.told(vec![one])));
        }
        if is_plural {
            return one_of(by_block(&all).unwrap_or_default());
        }
        one_of(self.told(all))
    }

    /// Whether there is any button on the page.
    pub(crate) fn has_buttons(&self) -> bool {
        self.document.content.blocks.iter().any(|block| self.buttons_in(&json(block)).is_some())
    }

    /// The buttons of a block that is named.
    pub(crate) fn buttons_of(&self, block: &str, noun: &[Token]) -> Resolved {
        let of = self.buttons_in(&self.document.value(block));
        let is_plural = noun.iter().any(|token| self.language.has("several-buttons", token));
        match of {
            None => Resolved::Absent,
            Some(of) if is_plural => one_of(by_block(&of.all).unwrap_or_default()),
            Some(of) => one_of(self.told(of.all)),
        }
    }

    /// The buttons of a block, each by its action; nothing if it has none.
    fn buttons_in(&self, value: &Value) -> Option<OfBlock> {
        let block = value["blockId"].as_str()?;
        let ids = value["actionIds"].as_array()?.iter().filter_map(Value::as_str);
        let label = |id: &str| {
            let known = self.actions.iter().find(|(known, _)| known == id);
            known.map_or_else(|| id.to_owned(), |(_, label)| label.clone())
        };
        let button =
            |id: &str| Thing::Button { block: block.to_owned(), action: id.to_owned(), label: label(id) };
        let all: Vec<Thing> = ids.map(button).collect();
        let (closes, opens) = (kind(value) == "call-to-action", kind(value) == "hero");
        (!all.is_empty()).then_some(OfBlock { closes, opens, all })
    }

    /// The same things, but the only button of a block as what the block leads to.
    fn told(&self, things: Vec<Thing>) -> Vec<Thing> {
        let is_alone = |block: &str| {
            self.document.value(block)["actionIds"].as_array().is_some_and(|ids| ids.len() == 1)
        };
        let told = things.into_iter().map(|thing| match thing.block() {
            Some(block) if is_alone(block) => Thing::Buttons(block.to_owned()),
            _ => thing,
        });
        told.collect()
    }
}

/// The blocks of buttons, each once and in order; nothing if something is no button, or there is none.
pub(crate) fn by_block(things: &[Thing]) -> Option<Vec<Thing>> {
    let mut found: Vec<Thing> = Vec::new();
    for thing in things {
        let (Thing::Button { block, .. } | Thing::Buttons(block)) = thing else { return None };
        let of = Thing::Buttons(block.clone());
        if !found.contains(&of) {
            found.push(of);
        }
    }
    (!found.is_empty()).then_some(found)
}
