//! What a request that fits a template means for a page: operations, a question, or why not.

use serde_json::Value;

use crate::document::{Document, Material, Selection};
use crate::language::Language;
use crate::listing;
use crate::operation::{HeadField, Operation};
use crate::protect::Names;
use crate::resolve::{Found, Resolver};
use crate::template::Slots;
use crate::thing::{Thing, items, kind, list, text_field, texts, title_field};
use crate::token::{Kind, Token, fold};
use crate::{add, lengthen, shorten};

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
    Undo,
    Help,
    Ask(Vec<Thing>),
    Refuse(String),
    NotUnderstood,
}

impl Act {
    /// How good an understanding it is; 0 is the best.
    pub(crate) fn rank(&self) -> u8 {
        match self {
            Act::Done { .. } | Act::Undo | Act::Help => 0,
            Act::Ask(_) => 1,
            Act::Refuse(_) => 2,
            Act::NotUnderstood => 3,
        }
    }
}

/// What a request is carried out on.
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
    tokens: &'a [Token],
    slots: &'a Slots,
}

impl Clause<'_> {
    /// What a template with these slots asks for; nothing if it does not fit after all.
    pub(crate) fn act(
        &self,
        language: &'static Language,
        name: &str,
        tokens: &[Token],
        slots: &Slots,
    ) -> Option<Act> {
        let call = Call { clause: self, language, tokens, slots };
        let act = match name {
            "undo" => Act::Undo,
            "help" => Act::Help,
            "context" | "context-add" => call.context(name == "context-add")?,
            "add-keyword" | "remove-keyword" => call.keyword(name == "add-keyword")?,
            "add-picture" => add::picture(&call, &call.value("value")?.0)?,
            "add-question" => add::question(&call, &call.value("value")?.0, &call.value("text")?.0)?,
            "button" => call.button()?,
            "replace-text" => call.replace_text()?,
            "swap" => call.swap()?,
            "move-before" | "move-after" => call.move_beside(name == "move-after")?,
            "move-first" | "move-last" | "move-up" | "move-down" => {
                call.each("target", |call, thing| call.shift(name, thing))?
            }
            "lengthen" => call.each("target", |call, thing| call.lengthen(thing))?,
            "shorten" => call.each("target", |call, thing| call.shorten(thing))?,
            "shorten-this" => call.shorten(&crate::resolve::selected(self.selection?)),
            "hide" | "remove" => call.each("target", |call, thing| call.remove(thing, name == "hide"))?,
            "set" | "set-said" => call.set(name == "set-said")?,
            "add" | "add-place" => add::block(&call)?,
            _ => return None,
        };
        Some(self.bounded(language, act))
    }

    /// Refuses what lies outside the selection.
    fn bounded(&self, language: &Language, act: Act) -> Act {
        let Some(selection) = self.selection else { return act };
        match &act {
            Act::Done { operations, .. }
                if operations.iter().any(|one| one.block_id() != Some(selection.block_id.as_str())) =>
            {
                Act::Refuse(language.say("outside", &[]))
            }
            _ => act,
        }
    }
}

impl Call<'_> {
    pub(crate) fn slot(&self, name: &str) -> Option<&[Token]> {
        let (_, from, to) = self.slots.iter().find(|(slot, ..)| slot == name)?;
        self.tokens.get(*from..*to)
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
        let (first, last) = (tokens.first()?, tokens.last()?);
        let behind = self.clause.message.get(last.end..)?.chars().next();
        let mut text = self.clause.message.get(first.start..last.end)?.trim().to_owned();
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

    fn raw(&self, tokens: &[Token]) -> String {
        let range = tokens.first().zip(tokens.last()).map(|(first, last)| first.start..last.end);
        range.and_then(|range| self.clause.message.get(range)).unwrap_or_default().to_owned()
    }

    pub(crate) fn find(&self, tokens: &[Token]) -> Found {
        let clause = self.clause;
        let (document, language) = (clause.document, self.language);
        Resolver { document, language, selection: clause.selection, last: clause.last }.find(tokens)
    }

    /// The things that a slot names, or what is answered instead.
    pub(crate) fn things(&self, slot: &str) -> Option<Result<Vec<Thing>, Act>> {
        let tokens = self.slot(slot)?;
        Some(match self.find(tokens) {
            Found::These(things) => Ok(things),
            Found::OneOf(things) => Err(Act::Ask(things)),
            Found::Absent => Err(Act::Refuse(self.say("absent", &[("x", &self.raw(tokens))]))),
            Found::Unknown => return None,
        })
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
        let things = match self.things(slot)? {
            Ok(things) => things,
            Err(act) => return Some(act),
        };
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

    fn refuse(&self, why: &str, thing: &Thing) -> Act {
        Act::Refuse(self.say(why, &[("x", &self.label(thing))]))
    }

    /// An operation that has been tried, or why it is refused.
    fn tried(&self, operation: Operation, said: &str, thing: &Thing) -> Act {
        let mut document = self.clause.document.clone();
        match operation.apply(&mut document) {
            Ok(()) => {
                let said = self.say(said, &[("x", &self.label(thing))]);
                self.done(vec![operation], said, Some(thing.clone()))
            }
            Err(_) => self.refuse("invalid", thing),
        }
    }

    fn remove(&self, thing: &Thing, hides: bool) -> Act {
        let document = self.clause.document;
        let said = if hides { "hidden" } else { "removed" };
        match thing {
            Thing::Block(id) => {
                let Some(position) = document.position(id) else { return self.refuse("unsupported", thing) };
                let operation =
                    Operation::Remove { block: document.value(id), after: document.before(position) };
                self.tried(operation, said, thing)
            }
            Thing::Item { block, index } => {
                let value = document.value(block);
                let least = list(kind(&value)).map_or(1, |list| list.least);
                match items(&value).len() {
                    1 if least == 1 => self.remove(&Thing::Block(block.clone()), hides),
                    count if count <= least => {
                        let whole = self.label(&Thing::Block(block.clone()));
                        Act::Refuse(self.say("least", &[("x", &whole), ("n", &least.to_string())]))
                    }
                    _ => {
                        let take = |items: &mut Vec<Value>| {
                            (*index < items.len()).then(|| drop(items.remove(*index)))
                        };
                        match listing::change(document, block, take) {
                            Some(operation) => self.tried(operation, said, thing),
                            None => self.refuse("unsupported", thing),
                        }
                    }
                }
            }
            Thing::Part { block, path } => {
                let from = document.value(block).pointer(path).cloned();
                if from.is_none() {
                    return self.refuse("same", thing);
                }
                let operation =
                    Operation::Set { block_id: block.clone(), path: path.clone(), from, to: None };
                match self.tried(operation, said, thing) {
                    Act::Refuse(_) => self.refuse("required", thing),
                    act => act,
                }
            }
            Thing::Buttons(block) => {
                let from = document.value(block).get("actionIds").cloned();
                if from.is_none() {
                    return self.refuse("same", thing);
                }
                let path = "/actionIds".to_owned();
                self.tried(Operation::Set { block_id: block.clone(), path, from, to: None }, said, thing)
            }
            Thing::Head(field) => match self.head(*field) {
                None => self.refuse("same", thing),
                from => self.tried(Operation::SetHead { field: *field, from, to: None }, said, thing),
            },
            Thing::Context => match document.context.clone() {
                None => self.refuse("same", thing),
                from => self.tried(Operation::SetContext { from, to: None }, said, thing),
            },
            Thing::Page => self.refuse("unsupported", thing),
        }
    }

    fn head(&self, field: HeadField) -> Option<String> {
        let head = &self.clause.document.head;
        match field {
            HeadField::Title => head.title.clone(),
            HeadField::Description => head.description.clone(),
            HeadField::Keywords => head.keywords.clone(),
        }
    }

    /// What is shown for a field of the metadata, wherever it comes from.
    fn shown_head(&self, field: HeadField) -> Option<String> {
        let usual = &self.clause.material.head;
        let usual = match field {
            HeadField::Title => &usual.title,
            HeadField::Description => &usual.description,
            HeadField::Keywords => &usual.keywords,
        };
        self.head(field).or_else(|| usual.clone())
    }

    /// Gives a thing new words. Where a template leaves open whether words are meant, a heading's must stand between quotation marks.
    fn set(&self, is_open: bool) -> Option<Act> {
        let (value, quoted) = self.value("value")?;
        let ((_, _, end), (_, start, _)) = (
            self.slots.iter().find(|slot| slot.0 == "target")?,
            self.slots.iter().find(|slot| slot.0 == "value")?,
        );
        // Without a word between them nobody knows where the new words begin.
        if !quoted && end == start {
            return None;
        }
        let thing = match self.thing("target")? {
            Ok(thing) => thing,
            Err(act) => return Some(act),
        };
        if is_open && !quoted && matches!(thing, Thing::Block(_) | Thing::Item { .. }) {
            return None;
        }
        let document = self.clause.document;
        let (block, path) = match &thing {
            Thing::Buttons(_) => return self.set_button(&thing, &value),
            Thing::Head(field) => {
                let from = self.head(*field);
                if from.as_ref() == Some(&value) {
                    return Some(self.refuse("same", &thing));
                }
                let operation = Operation::SetHead { field: *field, from, to: Some(value) };
                return Some(self.tried(operation, "changed", &thing));
            }
            Thing::Context => return Some(self.set_context(value)),
            Thing::Page => return None,
            Thing::Part { block, path } => (block, path.clone()),
            Thing::Block(block) => {
                let value = document.value(block);
                let Some(field) = title_field(kind(&value)) else {
                    return Some(self.refuse("unsupported", &thing));
                };
                (block, format!("/{field}"))
            }
            Thing::Item { block, index } => {
                let list = list(kind(&document.value(block)))?;
                let field = if list.title.is_empty() { String::new() } else { format!("/{}", list.title) };
                (block, format!("/{}/{index}{field}", list.field))
            }
        };
        let from = document.value(block).pointer(&path).cloned();
        if from.as_ref().and_then(Value::as_str) == Some(&value) {
            return Some(self.refuse("same", &thing));
        }
        if from.as_ref().is_some_and(|from| !from.is_string()) {
            return Some(self.refuse("unsupported", &thing));
        }
        let operation =
            Operation::Set { block_id: block.clone(), path, from, to: Some(Value::String(value)) };
        Some(self.tried(operation, "changed", &thing))
    }

    fn shorten(&self, thing: &Thing) -> Act {
        let document = self.clause.document;
        let names = Names::of(document, self.language);
        if let Thing::Head(field) = thing {
            let shown = self.shown_head(*field).unwrap_or_default();
            let is_title = *field == HeadField::Title;
            return match shorten::shorter(&shown, is_title, &names, self.language) {
                Some(to) => {
                    let operation =
                        Operation::SetHead { field: *field, from: self.head(*field), to: Some(to) };
                    self.tried(operation, "shortened", thing)
                }
                None => self.refuse("nothing-shorter", thing),
            };
        }
        let blocks: Vec<String> = match thing {
            Thing::Page => document
                .content
                .blocks
                .iter()
                .filter_map(|block| block.block_id().map(ToOwned::to_owned))
                .collect(),
            Thing::Context | Thing::Buttons(_) => return self.refuse("unsupported", thing),
            _ => thing.block().map(ToOwned::to_owned).into_iter().collect(),
        };
        let mut operations = Vec::new();
        for id in blocks {
            let value = document.value(&id);
            for path in shortened_paths(&value, thing) {
                let Some(from) = value.pointer(&path) else { continue };
                let is_title = is_title(&path);
                let Some(text) = from.as_str() else { continue };
                if let Some(to) = shorten::shorter(text, is_title, &names, self.language) {
                    let (from, to) = (Some(from.clone()), Some(Value::String(to)));
                    operations.push(Operation::Set { block_id: id.clone(), path, from, to });
                }
            }
        }
        if operations.is_empty() {
            return self.refuse("nothing-shorter", thing);
        }
        self.done(operations, self.say("shortened", &[("x", &self.label(thing))]), Some(thing.clone()))
    }

    fn lengthen(&self, thing: &Thing) -> Act {
        let document = self.clause.document;
        let Some(id) = thing.block() else { return self.refuse("unsupported", thing) };
        let value = document.value(id);
        let about = match thing {
            Thing::Item { index, .. } => items(&value).get(*index).map(listing::text_of).unwrap_or_default(),
            _ => document
                .block(id)
                .map(|block| texts(block).into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(" "))
                .unwrap_or_default(),
        };
        let path = match thing {
            Thing::Part { path, .. } => path.clone(),
            Thing::Item { index, .. } => match list(kind(&value)) {
                Some(list) if !list.text.is_empty() && list.text != "points" => {
                    format!("/{}/{index}/{}", list.field, list.text)
                }
                _ => return self.refuse("unsupported", thing),
            },
            _ => match text_field(kind(&value)) {
                Some(field) => format!("/{field}"),
                None => return self.refuse("no-facts", thing),
            },
        };
        if is_title(&path) {
            return self.refuse("no-facts", thing);
        }
        let from = value.pointer(&path).cloned();
        let text = from.as_ref().and_then(Value::as_str).unwrap_or_default();
        let most =
            if path.ends_with("markdown") { 2_000 } else { 900_usize.saturating_sub(text.chars().count()) };
        let more = lengthen::unused(document, self.clause.material, &about, kind(&value) == "text", most);
        if more.is_empty() {
            return self.refuse("no-facts", thing);
        }
        let to = format!("{} {}", text.trim_end(), more.join(" ")).trim().to_owned();
        let operation = Operation::Set { block_id: id.to_owned(), path, from, to: Some(Value::String(to)) };
        self.tried(operation, "lengthened", thing)
    }

    fn set_context(&self, value: String) -> Act {
        let from = self.clause.document.context.clone();
        if from.as_ref() == Some(&value) {
            return self.refuse("same", &Thing::Context);
        }
        let said = self.say("context", &[("x", &value)]);
        let operations = vec![Operation::SetContext { from, to: Some(value) }];
        Act::Done { operations, said, thing: Some(Thing::Context), anew: true }
    }

    fn context(&self, adds: bool) -> Option<Act> {
        let (value, _) = self.value("value")?;
        if !adds {
            return Some(self.set_context(value));
        }
        let from = self.clause.document.context.clone();
        let to =
            from.as_deref().map_or_else(|| value.clone(), |text| format!("{}\n{value}", text.trim_end()));
        let said = self.say("context-added", &[("x", &value)]);
        Some(self.done(vec![Operation::SetContext { from, to: Some(to) }], said, Some(Thing::Context)))
    }

    fn keyword(&self, adds: bool) -> Option<Act> {
        let (value, _) = self.value("value")?;
        let thing = Thing::Head(HeadField::Keywords);
        let shown = self.shown_head(HeadField::Keywords).unwrap_or_default();
        let mut all: Vec<String> =
            shown.split(',').map(|one| one.trim().to_owned()).filter(|one| !one.is_empty()).collect();
        let has = |all: &[String]| all.iter().any(|one| fold(one) == fold(&value));
        if has(&all) == adds {
            let absent = Act::Refuse(self.say("absent", &[("x", &value)]));
            return Some(if adds { self.refuse("same", &thing) } else { absent });
        }
        if adds {
            all.push(value);
        } else {
            all.retain(|one| fold(one) != fold(&value));
        }
        let to = Some(all.join(", ")).filter(|text| !text.is_empty());
        let operation =
            Operation::SetHead { field: HeadField::Keywords, from: self.head(HeadField::Keywords), to };
        Some(self.tried(operation, "changed", &thing))
    }

    /// Replaces words wherever they stand.
    fn replace_text(&self) -> Option<Act> {
        let ((old, old_quoted), (new, _)) = (self.value("old")?, self.value("value")?);
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
                if found > 0 {
                    count += found;
                    let (from, to) = (Some(Value::String(text)), Some(Value::String(changed)));
                    operations.push(Operation::Set { block_id: id.to_owned(), path, from, to });
                }
            }
        }
        if operations.is_empty() {
            // Without quotation marks something else may be meant.
            return old_quoted.then(|| Act::Refuse(self.say("absent", &[("x", &old)])));
        }
        let mut trial = document.clone();
        if operations.iter().any(|operation| operation.apply(&mut trial).is_err()) {
            return Some(Act::Refuse(self.say("invalid", &[("x", &old)])));
        }
        let said = self.say("replaced", &[("x", &old), ("y", &new), ("n", &count.to_string())]);
        Some(self.done(operations, said, None))
    }

    fn button(&self) -> Option<Act> {
        let (action, _) = self.value("action")?;
        let thing = match self.slot("buttons") {
            Some(_) => match self.thing("buttons")? {
                Ok(thing) => thing,
                Err(Act::Ask(things)) if !things.iter().all(|thing| matches!(thing, Thing::Buttons(_))) => {
                    return None;
                }
                Err(Act::Ask(things)) if things.is_empty() => return None,
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

    /// Puts an action first among the buttons of a block.
    fn set_button(&self, thing: &Thing, wanted: &str) -> Option<Act> {
        let Thing::Buttons(block) = thing else { return None };
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
                let labels: Vec<String> = actions.iter().map(|(_, label)| format!("“{label}”")).collect();
                return Some(Act::Refuse(self.say("no-action", &[("x", wanted), ("y", &labels.join(", "))])));
            }
        };
        let value = self.clause.document.value(block);
        if !matches!(kind(&value), "hero" | "call-to-action") {
            return Some(self.refuse("unsupported", thing));
        }
        let from = value.get("actionIds").cloned();
        let shown = from.as_ref().and_then(Value::as_array).cloned().unwrap_or_default();
        let wanted = Value::String(id.clone());
        // The first button is the one that is meant; an action stands there once.
        let others = shown.iter().skip(1).filter(|other| **other != wanted).cloned();
        let to: Vec<Value> = std::iter::once(wanted.clone()).chain(others).take(3).collect();
        if from.as_ref().and_then(Value::as_array).is_some_and(|from| *from == to) {
            return Some(self.refuse("same", thing));
        }
        let path = "/actionIds".to_owned();
        let operation = Operation::Set { block_id: block.clone(), path, from, to: Some(Value::Array(to)) };
        Some(self.tried(operation, "changed", thing))
    }
}

/// How often a text holds words, and the text with others in their place; in any case if they need not stand as they are written.
fn replaced(text: &str, old: &str, new: &str, as_written: bool) -> (usize, String) {
    let is_bounded = |at: usize, length: usize| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let behind = text.get(at + length..).and_then(|behind| behind.chars().next());
        !before.is_some_and(char::is_alphanumeric) && !behind.is_some_and(char::is_alphanumeric)
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

/// Whether a thing holds a place of its block.
fn holds(thing: &Thing, path: &str) -> bool {
    match thing {
        Thing::Part { path: part, .. } => path == part || path.starts_with(&format!("{part}/")),
        Thing::Item { index, .. } => path.split('/').nth(2).and_then(|at| at.parse().ok()) == Some(*index),
        Thing::Block(_) | Thing::Page => true,
        _ => false,
    }
}

/// The places of the texts that are shortened with a thing.
fn shortened_paths(value: &Value, thing: &Thing) -> Vec<String> {
    let kind = kind(value);
    let list = list(kind);
    let of_item = |index: usize| {
        list.filter(|list| !list.text.is_empty()).map(|list| format!("/{}/{index}/{}", list.field, list.text))
    };
    match thing {
        Thing::Part { path, .. } => vec![path.clone()],
        Thing::Item { index, .. } => of_item(*index).into_iter().collect(),
        _ => {
            let mut paths: Vec<String> =
                text_field(kind).map(|field| format!("/{field}")).into_iter().collect();
            paths.extend((0..items(value).len()).filter_map(of_item));
            paths
        }
    }
}

/// Whether a place holds a heading, not sentences.
fn is_title(path: &str) -> bool {
    ["/title", "/question", "/eyebrow", "/name", "/label", "/value", "/author"]
        .iter()
        .any(|end| path.ends_with(end))
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
