//! What is removed and what is given other words: blocks, items, parts, and the fields outside the blocks.

use serde_json::Value;

use crate::act::{Act, Call};
use crate::listing;
use crate::operation::{HeadField, Operation};
use crate::price;
use crate::resolve::Resolved;
use crate::thing::{Thing, items, kind, list, texts, title_field};
use crate::token::{Kind, Token, fold};

impl Call<'_> {
    pub(crate) fn remove(&self, thing: &Thing, hides: bool) -> Act {
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
                    // With its only text a block goes.
                    Act::Refuse(_) if document.block(block).is_some_and(|block| texts(block).len() == 1) => {
                        self.remove(&Thing::Block(block.clone()), hides)
                    }
                    Act::Refuse(_) => self.refuse("required", thing),
                    act => act,
                }
            }
            Thing::Words { block, path, words } => match self.with_words(block, path, words, "") {
                Some(operation) => self.tried(operation, said, thing),
                None => self.refuse("unsupported", thing),
            },
            Thing::Buttons(block) => {
                let from = document.value(block).get("actionIds").cloned();
                if from.is_none() {
                    return self.refuse("same", thing);
                }
                let path = "/actionIds".to_owned();
                self.tried(Operation::Set { block_id: block.clone(), path, from, to: None }, said, thing)
            }
            Thing::Button { block, action, .. } => {
                let from = document.value(block).get("actionIds").cloned();
                let shown = from.as_ref().and_then(Value::as_array).cloned().unwrap_or_default();
                let kept: Vec<Value> = shown.into_iter().filter(|id| *id != action.as_str()).collect();
                let to = Some(Value::Array(kept)).filter(|kept| *kept != Value::Array(vec![]));
                let path = "/actionIds".to_owned();
                self.tried(Operation::Set { block_id: block.clone(), path, from, to }, said, thing)
            }
            Thing::Head(field) => match self.own_head(*field) {
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

    /// Puts other words in the place of some within a text.
    fn with_words(&self, block: &str, path: &str, words: &str, to: &str) -> Option<Operation> {
        let from = self.clause.document.value(block).pointer(path)?.clone();
        let text = from.as_str()?;
        let (before, behind) = text.split_once(words)?;
        let changed = if to.is_empty() {
            crate::wording::tidied(&format!("{before}{behind}"))
        } else {
            format!("{before}{to}{behind}")
        };
        let to = Some(Value::String(changed.trim().to_owned()));
        Some(Operation::Set { block_id: block.to_owned(), path: path.to_owned(), from: Some(from), to })
    }

    pub(crate) fn own_head(&self, field: HeadField) -> Option<String> {
        let head = &self.clause.document.head;
        match field {
            HeadField::Title => head.title.clone(),
            HeadField::Description => head.description.clone(),
            HeadField::Keywords => head.keywords.clone(),
        }
    }

    /// What is shown for a field of the metadata, wherever it comes from.
    pub(crate) fn shown_head(&self, field: HeadField) -> Option<String> {
        let usual = &self.clause.material.head;
        let usual = match field {
            HeadField::Title => &usual.title,
            HeadField::Description => &usual.description,
            HeadField::Keywords => &usual.keywords,
        };
        self.own_head(field).or_else(|| usual.clone())
    }

    /// Gives a thing new words. Where a template leaves open whether words are meant, a heading's must be between quotation marks.
    pub(crate) fn set(&self, is_open: bool) -> Option<Act> {
        let is_thing = |tokens: &[Token]| matches!(self.find(tokens), Resolved::These(_));
        if let Some(act) = self.several("target", &is_thing, &|call| call.set(is_open)) {
            return Some(act);
        }
        let (value, quoted) = self.value("value")?;
        let ((_, _, end), (_, start, _)) = (
            self.slots.iter().find(|slot| slot.0 == "target")?,
            self.slots.iter().find(|slot| slot.0 == "value")?,
        );
        // Without a word between them nobody knows where the new words begin.
        if !quoted && end == start && !self.is_pronoun("target", *end) {
            return None;
        }
        // `put our number in the headline` does not tell words.
        let (_, _, told) = self.slots.iter().find(|slot| slot.0 == "value")?;
        let says_where = self.tokens.get(*told).is_some_and(|word| self.language.is("places", &word.text));
        if is_open && !quoted && says_where {
            return None;
        }
        let thing = match self.thing("target")? {
            Ok(thing) => thing,
            Err(act) => return Some(act),
        };
        if let Some(act) = self.price_spoken_of(&thing) {
            return Some(act);
        }
        let thing = self.running_text(self.quotation(thing));
        if is_open && !quoted && matches!(thing, Thing::Block(_) | Thing::Item { .. }) {
            return None;
        }
        // `Questions: are they ok?`
        if !quoted && value.ends_with('?') && matches!(thing, Thing::Block(_) | Thing::Item { .. }) {
            return Some(Act::AskText(self.say("say-what", &[("x", &self.label(&thing))])));
        }
        if !quoted && self.language.is("nothing", &fold(&value)) {
            return Some(self.remove(&thing, false));
        }
        if !quoted
            && !matches!(thing, Thing::Buttons(_) | Thing::Button { .. } | Thing::Context)
            && !self.are_new_words(&value, &thing)
        {
            // `make the quotes as big as the cards`
            if start < end && self.is_on_the_page("value") {
                return None;
            }
            return Some(Act::AskText(self.say("say-what", &[("x", &self.label(&thing))])));
        }
        self.set_to(&thing, value)
    }

    /// Gives a question its answer.
    pub(crate) fn set_answer(&self) -> Option<Act> {
        let (value, _) = self.value("text")?;
        self.set_in_item("frame-list", "markdown", value)
    }

    /// Sets a field of the item that the request names, if the item is in a block of this type.
    fn set_in_item(&self, of: &str, field: &str, value: String) -> Option<Act> {
        let thing = match self.thing("target")? {
            Ok(thing) => thing,
            Err(act) => return Some(act),
        };
        let Thing::Item { block, index } = thing else { return None };
        if kind(&self.clause.document.value(&block)) != of {
            return None;
        }
        let path = format!("/{}/{index}/{field}", list(of)?.field);
        self.set_to(&Thing::Part { block, path }, value)
    }

    /// Whether a slot holds a pronoun as long as it can be: `this one` rather than `this`.
    fn is_pronoun(&self, slot: &str, end: usize) -> bool {
        let Some(words) = self.slot(slot) else { return false };
        let start = end - words.len();
        let longest = self.language.begins("pronouns", &self.tokens[start..]);
        longest.is_some_and(|phrase| phrase.len() == words.len())
    }

    /// Gives what is selected, or was spoken of, other words: those between quotation marks, or behind `here:` all.
    pub(crate) fn set_this(&self, is_told: bool) -> Option<Act> {
        let (value, quoted) = self.value("value")?;
        let is_meant = quoted || (is_told && self.clause.selection.is_some());
        let thing = self.selected_or_last().filter(|_| is_meant)?;
        self.set_to(&thing, value)
    }

    /// Gives a plan its price.
    pub(crate) fn set_price(&self) -> Option<Act> {
        let value = self.price(crate::resolve::trimmed(self.slot("value")?))?;
        let thing = match self.thing("target")? {
            Ok(thing) => thing,
            Err(act) => return Some(act),
        };
        self.set_price_of(&thing, &value)
    }

    /// Gives a plan an amount as its price, in the form of the one that it has; nothing if the thing is no plan.
    fn set_price_of(&self, thing: &Thing, amount: &str) -> Option<Act> {
        let Thing::Item { block, index } = thing else { return None };
        let value = self.clause.document.value(block);
        if kind(&value) != "price-cards" {
            return None;
        }
        let old = items(&value).get(*index)?["price"].as_str().unwrap_or_default();
        let path = format!("/plans/{index}/price");
        self.set_to(&Thing::Part { block: block.clone(), path }, price::in_form_of(old, amount))
    }

    /// Gives the plan whose price a request speaks of that price: `change the price of the office box to 60 €`. Its name is never meant, unless
    /// the request gives one.
    fn price_spoken_of(&self, thing: &Thing) -> Option<Act> {
        let has = |tokens: &[Token], list: &str| tokens.iter().any(|token| self.language.has(list, token));
        if !has(self.slot("target")?, "price-nouns") || has(self.tokens, "naming") {
            return None;
        }
        let Thing::Item { block, index } = thing else { return None };
        if kind(&self.clause.document.value(block)) != "price-cards" {
            return None;
        }
        let (value, quoted) = self.value("value")?;
        if quoted {
            let path = format!("/plans/{index}/price");
            return self.set_to(&Thing::Part { block: block.clone(), path }, value);
        }
        match self.price(crate::resolve::trimmed(self.slot("value")?)) {
            Some(amount) => self.set_price_of(thing, &amount),
            None => Some(Act::AskText(self.say("say-what", &[("x", &self.label(thing))]))),
        }
    }

    /// An amount with its currency, what is before it (`from`) and the time it is for (`a month`); what follows is no price.
    fn price(&self, tokens: &[Token]) -> Option<String> {
        let at = tokens.iter().position(Token::is_number)?;
        let is = |index: usize, list: &str| {
            tokens.get(index).is_some_and(|token| self.language.is(list, &token.text))
        };
        let first = if at > 0 && is(at - 1, "from-words") { at - 1 } else { at };
        let mut last = at;
        if is(last + 1, "currencies") {
            last += 1;
        }
        if is(last + 1, "per") && tokens.get(last + 2).is_some_and(|token| token.kind == Kind::Word) {
            last += 2;
        }
        let price = tokens.get(first..=last)?;
        let sign = |text: &str| text.chars().next_back().filter(|char| matches!(char, '$' | '£' | '€'));
        let sign_before = sign(self.clause.message.get(..price.first()?.start)?);
        let text = self.written(price)?;
        Some(sign_before.into_iter().chain(text.chars()).collect())
    }

    fn set_to(&self, thing: &Thing, value: String) -> Option<Act> {
        let document = self.clause.document;
        let (block, path) = match thing {
            Thing::Buttons(_) | Thing::Button { .. } => return self.set_button(thing, &value),
            Thing::Head(field) => {
                let from = self.own_head(*field);
                if from.as_ref() == Some(&value) {
                    return Some(self.refuse("same", thing));
                }
                let operation = Operation::SetHead { field: *field, from, to: Some(value) };
                return Some(self.tried(operation, "changed", thing));
            }
            Thing::Context => return Some(self.set_context(value)),
            Thing::Page => return None,
            Thing::Words { block, path, words } => {
                let operation = self.with_words(block, path, words, &value)?;
                return Some(self.tried(operation, "changed", thing));
            }
            Thing::Part { block, path } => (block, path.clone()),
            Thing::Block(block) => {
                let value = document.value(block);
                let Some(field) = title_field(kind(&value)) else {
                    return Some(self.refuse("unsupported", thing));
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
            return Some(self.refuse("same", thing));
        }
        if from.as_ref().is_some_and(|from| !from.is_string()) {
            return Some(self.refuse("unsupported", thing));
        }
        let operation =
            Operation::Set { block_id: block.clone(), path, from, to: Some(Value::String(value)) };
        Some(self.tried(operation, "changed", thing))
    }

    pub(crate) fn keyword(&self, adds: bool) -> Option<Act> {
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
            Operation::SetHead { field: HeadField::Keywords, from: self.own_head(HeadField::Keywords), to };
        Some(self.tried(operation, "changed", &thing))
    }
}
