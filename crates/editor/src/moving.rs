//! Moving and swapping: of blocks on the page, and of items in their list.

use serde_json::Value;

use crate::act::{Act, Call};
use crate::document::Document;
use crate::listing;
use crate::operation::Operation;
use crate::resolve::{Resolved, Resolver};
use crate::thing::{Thing, items, kind};
use crate::token::Token;

impl Call<'_> {
    /// Moves a thing to the start or the end, or by one place.
    pub(crate) fn shift(&self, how: &str, thing: &Thing) -> Act {
        let document = self.clause.document;
        match thing {
            Thing::Block(id) => {
                let blocks = &document.content.blocks;
                let Some(position) = document.position(id) else { return self.refused("unsupported", thing) };
                // Nothing comes before the opening of a page.
                let opens = blocks.first().is_some_and(|block| kind(&crate::document::json(block)) == "hero");
                let first = usize::from(opens && position > 0);
                let to = match how {
                    "move-first" => first,
                    "move-last" => blocks.len() - 1,
                    "move-up" => position.saturating_sub(1).max(first.min(position)),
                    _ => (position + 1).min(blocks.len() - 1),
                };
                self.to_position(id, position, to)
            }
            // The only quotation of its section stands for the section.
            Thing::Item { block, .. } if items(&document.value(block)).len() == 1 => {
                self.shift(how, &Thing::Block(block.clone()))
            }
            Thing::Item { block, index } => {
                let count = items(&document.value(block)).len();
                let to = match how {
                    "move-first" => 0,
                    "move-last" => count.saturating_sub(1),
                    "move-up" => index.saturating_sub(1),
                    _ => (index + 1).min(count.saturating_sub(1)),
                };
                self.item_to(block, *index, to)
            }
            _ => self.refused("unsupported", thing),
        }
    }

    fn to_position(&self, id: &str, position: usize, to: usize) -> Act {
        let document = self.clause.document;
        let thing = Thing::Block(id.to_owned());
        if position == to {
            return self.refused("same", &thing);
        }
        let ids: Vec<&str> = document
            .content
            .blocks
            .iter()
            .filter_map(|block| block.block_id())
            .filter(|other| *other != id)
            .collect();
        let before = to.checked_sub(1).and_then(|before| ids.get(before)).map(|id| (*id).to_owned());
        let operation =
            Operation::Move { block_id: id.to_owned(), from: document.before(position), to: before };
        let said = self.say("moved", &[("x", &self.label(&thing))]);
        self.done(vec![operation], said, Some(thing))
    }

    fn item_to(&self, block: &str, index: usize, to: usize) -> Act {
        let thing = Thing::Item { block: block.to_owned(), index };
        let change = listing::change(self.clause.document, block, |items| {
            (index < items.len() && to < items.len()).then(|| {
                let item = items.remove(index);
                items.insert(to, item);
            })
        });
        match change {
            Some(operation) => {
                let said = self.say("moved", &[("x", &self.label(&thing))]);
                self.done(vec![operation], said, Some(Thing::Item { block: block.to_owned(), index: to }))
            }
            None => self.refused("same", &thing),
        }
    }

    /// Moves things before or behind another one.
    pub(crate) fn move_beside(&self, behind: bool) -> Option<Act> {
        let other = match (self.things("target")?, self.one_like("target", "other")) {
            (Ok(_), Some(other)) => Ok(other),
            _ => self.thing("other")?,
        };
        let (targets, other) = match (self.things("target")?, other) {
            (Ok(targets), Ok(other)) => (targets, other),
            (Err(act), _) | (_, Err(act)) => return Some(act),
        };
        self.beside(&targets, other, behind)
    }

    /// Moves what was spoken of just before; a place by itself says nothing of what is only selected.
    pub(crate) fn this_beside(&self, behind: bool) -> Option<Act> {
        let thing = self.clause.last.cloned()?;
        match self.thing("other")? {
            Ok(other) => self.beside(&[thing], other, behind),
            Err(act) => Some(act),
        }
    }

    fn beside(&self, targets: &[Thing], other: Thing, behind: bool) -> Option<Act> {
        let other = match other {
            Thing::Part { block, path }
                if path == "/title"
                    && targets.iter().any(|target| matches!(target, Thing::Block(id) if *id != block)) =>
            {
                Thing::Block(block)
            }
            other => other,
        };
        let document = self.clause.document;
        match (targets, &other) {
            ([Thing::Item { block, index }], Thing::Item { block: same, index: there }) if block == same => {
                let to = match (behind, index < there) {
                    (true, true) | (false, false) => *there,
                    (true, false) => there + 1,
                    (false, true) => there - 1,
                };
                Some(self.item_to(block, *index, to))
            }
            (targets, Thing::Block(anchor)) => {
                let ids: Option<Vec<&String>> = targets
                    .iter()
                    .map(|target| match target {
                        Thing::Block(id) if id != anchor => Some(id),
                        _ => None,
                    })
                    .collect();
                let mut document: Document = document.clone();
                let mut operations = Vec::new();
                let mut last = anchor.clone();
                for id in ids? {
                    let from = document.before(document.position(id)?);
                    let to = match (behind, operations.is_empty()) {
                        (false, true) => {
                            let before = document.before(document.position(anchor)?);
                            if before.as_ref() == Some(id) { from.clone() } else { before }
                        }
                        _ => Some(last.clone()),
                    };
                    last.clone_from(id);
                    if from == to {
                        continue;
                    }
                    let operation = Operation::Move { block_id: id.clone(), from, to };
                    operation.apply(&mut document).ok()?;
                    operations.push(operation);
                }
                let first = targets.first()?;
                if operations.is_empty() {
                    return Some(self.refused("same", first));
                }
                let labels: Vec<String> = targets.iter().map(|target| self.label(target)).collect();
                let said = self.say("moved", &[("x", &labels.join(", "))]);
                Some(self.done(operations, said, Some(first.clone())))
            }
            _ => None,
        }
    }

    /// `the ones about planning`: the block of the same kind of which a phrase tells the words.
    fn one_like(&self, target: &str, other: &str) -> Option<Thing> {
        let Ok(targets) = self.things(target)? else { return None };
        let [Thing::Block(id)] = targets.as_slice() else { return None };
        let words = self.slot(other)?;
        let ones = words.iter().position(|word| self.language.is("ones", &word.text)).filter(|at| *at < 2)?;
        let kind = kind(&self.clause.document.value(id)).to_owned();
        let rest: Vec<&Token> = words[ones + 1..].iter().collect();
        let qualifiers = self.resolver().qualifiers(&rest);
        match self.resolver().block_of_kind(&kind, &qualifiers) {
            Resolved::These(things) if qualifiers.says_words() => {
                things.into_iter().next().filter(|thing| matches!(thing, Thing::Block(found) if found != id))
            }
            _ => None,
        }
    }

    /// Swaps two blocks, or two items of a list.
    pub(crate) fn swap(&self) -> Option<Act> {
        let (one, other) = match (self.thing("target")?, self.thing("other")?) {
            (Ok(one), Ok(other)) => (one, other),
            // `the first and the last question`
            (Err(Act::Ask(none)), Ok(other @ Thing::Item { .. })) if none.is_empty() => {
                let list = other.block().map(|block| Thing::Block(block.to_owned()));
                let resolver = Resolver { last: list.as_ref(), ..self.resolver() };
                match (resolver.find(self.slot("target")?), self.clause.selection) {
                    (Resolved::These(things), None) => match <[Thing; 1]>::try_from(things) {
                        Ok([one @ Thing::Item { .. }]) => (one, other),
                        _ => return Some(Act::Ask(none)),
                    },
                    _ => return Some(Act::Ask(none)),
                }
            }
            (Err(act), _) | (_, Err(act)) => return Some(act),
        };
        let document = self.clause.document;
        let said = self.say("swapped", &[("x", &self.label(&one)), ("y", &self.label(&other))]);
        match (&one, &other) {
            (Thing::Item { block, index }, Thing::Item { block: same, index: there }) if block == same => {
                let change = listing::change(document, block, |items: &mut Vec<Value>| {
                    (*index < items.len() && *there < items.len()).then(|| items.swap(*index, *there))
                });
                Some(match change {
                    Some(operation) => self.done(vec![operation], said, Some(one.clone())),
                    None => self.refused("same", &one),
                })
            }
            (Thing::Block(first), Thing::Block(second)) if first != second => {
                let (mut upper, mut lower) = (document.position(first)?, document.position(second)?);
                let (mut above, mut below) = (first, second);
                if upper > lower {
                    (upper, lower, above, below) = (lower, upper, below, above);
                }
                let mut trial = document.clone();
                let up = Operation::Move {
                    block_id: below.clone(),
                    from: document.before(lower),
                    to: document.before(upper),
                };
                up.apply(&mut trial).ok()?;
                let mut operations = vec![up];
                if lower - upper > 1 {
                    let from = trial.before(trial.position(above)?);
                    // Behind what stood before the lower one.
                    let to = document.before(lower);
                    let down = Operation::Move { block_id: above.clone(), from, to };
                    down.apply(&mut trial).ok()?;
                    operations.push(down);
                }
                Some(self.done(operations, said, Some(one.clone())))
            }
            _ => None,
        }
    }

    fn refused(&self, why: &str, thing: &Thing) -> Act {
        Act::Refuse(self.say(why, &[("x", &self.label(thing))]))
    }
}
