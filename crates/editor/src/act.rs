//! What a request that fits a template means for a page: operations, a question, or why not.

use crate::document::{Document, Material, Selection};
use crate::language::Language;
use crate::operation::Operation;
use crate::resolve::{Resolved, Resolver};
use crate::shorten::Goal;
use crate::template::Slots;
use crate::thing::Thing;
use crate::token::{Kind, Token, written};

/// What a request comes to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Act {
    Done {
        operations: Vec<Operation>,
        /// What was done, to the owner.
        said: String,
        /// What was named.
        thing: Option<Thing>,
        /// Whether the page is to be written anew.
        anew: bool,
    },
    /// To take changes back.
    Undo {
        count: usize,
        /// Whether it is only told that something is not as it should be: `that was wrong`.
        is_regret: bool,
    },
    Help,
    Ask(Vec<Thing>),
    /// To ask which of things is meant that are not on the page, by their names.
    AskFor(Vec<String>),
    /// To ask for what is missing.
    AskText(String),
    Refuse(String),
    /// What is named is not on the page.
    Absent(String),
    NotUnderstood,
}

impl Act {
    /// Whether it carries something out, or asks which of several things is meant.
    pub(crate) fn is_request(&self) -> bool {
        match self {
            Act::Done { .. } | Act::Undo { .. } | Act::Help => true,
            Act::Ask(things) => !things.is_empty(),
            Act::AskFor(_) | Act::AskText(_) | Act::Refuse(_) | Act::Absent(_) | Act::NotUnderstood => false,
        }
    }

    /// How good an understanding it is; 0 is the best.
    pub(crate) fn rank(&self) -> u8 {
        match self {
            Act::Done { .. } | Act::Undo { .. } | Act::Help => 0,
            Act::Ask(_) | Act::AskFor(_) | Act::AskText(_) => 1,
            Act::Refuse(_) => 2,
            Act::Absent(_) => 3,
            Act::NotUnderstood => 4,
        }
    }
}

/// What a request is carried out on.
#[derive(Clone, Copy)]
pub(crate) struct Clause<'a> {
    pub(crate) message: &'a str,
    pub(crate) document: &'a Document,
    pub(crate) selection: Option<&'a Selection>,
    pub(crate) material: &'a Material,
    pub(crate) last: Option<&'a Thing>,
}

/// A request in a language: its tokens and what its slots took.
pub(crate) struct Call<'a> {
    pub(crate) clause: &'a Clause<'a>,
    pub(crate) language: &'static Language,
    pub(crate) tokens: &'a [Token],
    pub(crate) slots: &'a Slots,
}

impl<'a> Call<'a> {
    pub(crate) fn new(
        clause: &'a Clause<'a>,
        language: &'static Language,
        tokens: &'a [Token],
        slots: &'a Slots,
    ) -> Call<'a> {
        Call { clause, language, tokens, slots }
    }
}

impl<'a> Clause<'a> {
    /// What finds things on the page, whatever was spoken of.
    pub(crate) fn resolver(&self, language: &'static Language) -> Resolver<'a> {
        Resolver {
            document: self.document,
            language,
            selection: self.selection,
            last: None,
            actions: &self.material.actions,
        }
    }
}

impl Clause<'_> {
    /// What a template with these slots asks for; nothing if it does not fit after all.
    #[expect(
        clippy::redundant_closure_for_method_calls,
        reason = "a method is bound to one lifetime of a call"
    )]
    pub(crate) fn act(
        &self,
        language: &'static Language,
        name: &str,
        tokens: &[Token],
        slots: &Slots,
    ) -> Option<Act> {
        let call = Call { clause: self, language, tokens, slots };
        let act = match name {
            "undo" | "regret" => Act::Undo { count: 1, is_regret: name == "regret" },
            "undo-several" => Act::Undo { count: call.count("count")?, is_regret: false },
            "help" => Act::Help,
            "context" | "context-add" => call.context(name == "context-add")?,
            "add-keyword" | "remove-keyword" => call.keyword(name == "add-keyword")?,
            "add-picture" => call.add_picture(&call.value("value")?.0)?,
            "add-question" => call.add_question(&call.told("value")?, &call.told("text")?)?,
            "button" => call.button()?,
            "replace-text" => call.replace_text()?,
            "swap" => call.swap()?,
            "move-before" | "move-after" => call.move_beside(name == "move-after")?,
            "move-first" | "move-last" | "move-up" | "move-down" => {
                call.each("target", |call, thing| call.shift(name, thing))?
            }
            "lengthen" => call.each("target", |call, thing| call.lengthen(thing))?,
            "shorten" => call.each("target", |call, thing| call.shorten(thing, Goal::Shorter))?,
            "halve" => call.each("target", |call, thing| call.shorten(thing, Goal::Half))?,
            "shorten-this" | "halve-this" | "lengthen-this" => match call.selected_or_last() {
                Some(thing) if name == "shorten-this" => call.shorten(&thing, Goal::Shorter),
                Some(thing) if name == "halve-this" => call.shorten(&thing, Goal::Half),
                Some(thing) => call.lengthen(&thing),
                None => Act::Ask(vec![]),
            },
            "remove-this" => call.remove(&call.selected_or_last()?, false),
            "set-this" | "set-here" => call.set_this(name == "set-here")?,
            "this-before" | "this-after" => call.this_beside(name == "this-after")?,
            "price" => call.set_price()?,
            "answer" => call.set_answer()?,
            "set-what" => {
                let thing = match call.thing("target")? {
                    Ok(Thing::Page) => return None,
                    Ok(thing) => thing,
                    Err(act) => return Some(act),
                };
                Act::AskText(call.say("say-what", &[("x", &call.label(&thing))]))
            }
            "hide" | "remove" => call.each("target", |call, thing| call.remove(thing, name == "hide"))?,
            "set-quoted" if !call.value("value")?.1 => return None,
            "set-quoted" => call.set(false)?,
            "set" | "set-said" => call.set(name == "set-said")?,
            "add" | "add-place" => call.add_block()?,
            _ => return None,
        };
        Some(self.bounded(language, act))
    }

    /// Refuses what lies outside the selection.
    pub(crate) fn bounded(&self, language: &Language, act: Act) -> Act {
        let Some(selection) = self.selection else { return act };
        match &act {
            Act::Done { operations, .. } if operations.iter().any(|one| !selection.allows(one)) => {
                Act::Refuse(language.say("outside", &[]))
            }
            _ => act,
        }
    }
}

impl<'a> Call<'a> {
    pub(crate) fn slot(&self, name: &str) -> Option<&[Token]> {
        let (_, from, to) = self.slots.iter().find(|(slot, ..)| slot == name)?;
        self.tokens.get(*from..*to)
    }

    /// The number that a slot is.
    fn count(&self, name: &str) -> Option<usize> {
        let [number] = self.slot(name)? else { return None };
        self.language.ordinal(&number.text).and_then(|number| usize::try_from(number).ok())
    }

    /// New words as they were written, and whether they stood between quotation marks.
    pub(crate) fn value(&self, name: &str) -> Option<(String, bool)> {
        let tokens = crate::resolve::trimmed(self.slot(name)?);
        if let [one] = tokens
            && one.kind == Kind::Quote
        {
            return Some((one.text.clone(), true)).filter(|(text, _)| !text.is_empty());
        }
        // With a quotation among other words it is not clear which are meant.
        if tokens.iter().any(|token| token.kind == Kind::Quote) {
            return None;
        }
        let last = tokens.last()?;
        let behind = self.clause.message.get(last.end..)?.chars().next();
        let mut text = self.written(tokens)?.trim().to_owned();
        let is_last = self.tokens.last().is_some_and(|token| token.end <= last.end);
        if is_last && let Some(mark @ ('!' | '?')) = behind {
            text.push(mark);
        }
        Some((text, false))
    }

    pub(crate) fn say(&self, name: &str, values: &[(&str, &str)]) -> String {
        self.language.say(name, values)
    }

    pub(crate) fn label(&self, thing: &Thing) -> String {
        thing.label(self.clause.document, self.language)
    }

    /// Tokens as they were written.
    pub(crate) fn written(&self, tokens: &[Token]) -> Option<&'a str> {
        written(self.clause.message, tokens)
    }

    /// What is selected, else what was spoken of.
    pub(crate) fn selected_or_last(&self) -> Option<Thing> {
        let selected = |selection| crate::resolve::selected(selection, self.clause.document);
        self.clause.selection.map(selected).or_else(|| self.clause.last.cloned())
    }

    pub(crate) fn resolver(&self) -> Resolver<'_> {
        Resolver { last: self.clause.last, ..self.clause.resolver(self.language) }
    }

    pub(crate) fn find(&self, tokens: &[Token]) -> Resolved {
        self.resolver().find(tokens)
    }

    /// The things that a slot names, or what is answered instead.
    pub(crate) fn things(&self, slot: &str) -> Option<Result<Vec<Thing>, Act>> {
        let tokens = self.slot(slot)?;
        let ends_with_a_verb = tokens.last().is_some_and(|last| self.language.has("copulas", last));
        if ends_with_a_verb || self.begins_with_its_verb(tokens) {
            return None;
        }
        Some(match self.find(tokens) {
            Resolved::These(things) => Ok(things),
            Resolved::OneOf(things) => Err(Act::Ask(things)),
            // No thing is called by a request, or by parts of a sentence.
            Resolved::Absent
                if crate::beginning::asks(tokens, &[self.language])
                    || tokens.iter().any(|token| token.kind == Kind::Mark && token.text == ",") =>
            {
                return None;
            }
            Resolved::Absent => {
                Err(Act::Absent(self.say("absent", &[("x", self.written(tokens).unwrap_or_default())])))
            }
            Resolved::Unknown => return None,
        })
    }

    /// Whether the verb of a request is among the words that should name a thing: `move a card` of `move a card up`.
    fn begins_with_its_verb(&self, tokens: &[Token]) -> bool {
        let is_first =
            tokens.first().map(|token| token.start) == self.tokens.first().map(|token| token.start);
        let names = |tokens| self.find(tokens).is_on_the_page();
        is_first && crate::beginning::asks(tokens, &[self.language]) && tokens.get(1..).is_some_and(names)
    }

    /// The one thing that a slot names.
    pub(crate) fn thing(&self, slot: &str) -> Option<Result<Thing, Act>> {
        match self.things(slot)? {
            Err(act) => Some(Err(act)),
            Ok(things) => match <[Thing; 1]>::try_from(things) {
                Ok([thing]) => Some(Ok(thing)),
                Err(_) => None,
            },
        }
    }

    /// Does the same with everything that a slot names, one after the other.
    fn each(&self, slot: &str, with: impl Fn(&Call<'_>, &Thing) -> Act) -> Option<Act> {
        let within = match self.slot("from") {
            None => None,
            Some(_) => match self.thing("from")? {
                Ok(thing) => Some(thing),
                Err(act) => return Some(act),
            },
        };
        let is_within = |thing: &Thing| match &within {
            None | Some(Thing::Page) => true,
            Some(whole) => whole.block() == thing.block(),
        };
        let things = match self.things(slot)? {
            Ok(things) => things,
            Err(Act::Ask(things)) if within.is_some() => {
                let inside: Vec<Thing> = things.into_iter().filter(is_within).collect();
                if inside.len() != 1 {
                    return Some(Act::Ask(inside));
                }
                inside
            }
            Err(act) => return Some(act),
        };
        if !things.iter().all(is_within) {
            return None;
        }
        let mut document = self.clause.document.clone();
        let (mut all, mut told) = (Vec::new(), Vec::new());
        let mut refused = None;
        // Items further behind first, so that the places of the others stay.
        for thing in ordered(&things) {
            let clause = Clause { document: &document, ..*self.clause };
            let call = Call { clause: &clause, ..*self };
            match with(&call, thing) {
                Act::Done { operations, said, .. } => {
                    for operation in &operations {
                        if operation.apply(&mut document).is_err() {
                            return Some(Act::Refuse(self.say("invalid", &[("x", &self.label(thing))])));
                        }
                    }
                    all.extend(operations);
                    told.push(said);
                }
                other => refused = Some(other),
            }
        }
        match refused {
            Some(act) if all.is_empty() => Some(act),
            Some(Act::Refuse(text)) => {
                told.push(text);
                Some(self.done(all, told.join(" "), things.into_iter().next()))
            }
            _ => Some(self.done(all, told.join(" "), things.into_iter().next())),
        }
    }

    pub(crate) fn done(&self, operations: Vec<Operation>, said: String, thing: Option<Thing>) -> Act {
        Act::Done { operations, said, thing, anew: false }
    }

    pub(crate) fn refuse(&self, why: &str, thing: &Thing) -> Act {
        Act::Refuse(self.say(why, &[("x", &self.label(thing))]))
    }

    /// An operation that has been tried, or why it is refused.
    pub(crate) fn tried(&self, operation: Operation, said: &str, thing: &Thing) -> Act {
        let said = self.say(said, &[("x", &self.label(thing))]);
        self.all_tried(vec![operation], said, thing)
    }

    /// The same of operations that are carried out one after the other, with what is said of them.
    pub(crate) fn all_tried(&self, operations: Vec<Operation>, said: String, thing: &Thing) -> Act {
        let mut document = self.clause.document.clone();
        match operations.iter().try_for_each(|operation| operation.apply(&mut document)) {
            Ok(()) => self.done(operations, said, Some(thing.clone())),
            Err(_) => self.refuse("invalid", thing),
        }
    }
}

/// Items that stand further behind come first.
fn ordered(things: &[Thing]) -> Vec<&Thing> {
    let mut all: Vec<&Thing> = things.iter().collect();
    let index = |thing: &&Thing| match thing {
        Thing::Item { index, .. } => *index,
        _ => 0,
    };
    all.sort_by_key(|thing| std::cmp::Reverse(index(thing)));
    all
}
