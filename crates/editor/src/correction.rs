//! A new figure or name in the place of an old one, however it is told: `it is 140 now, not 120`, `Porto instead of Lisbon`.

use std::collections::HashSet;

use serde_json::Value;

use crate::act::{Act, Call};
use crate::document;
use crate::listing;
use crate::operation::Operation;
use crate::qualifiers::is_same;
use crate::reference::MOST_OF_A_NAME;
use crate::thing::{Thing, items, kind, texts};
use crate::token::{Kind, Token, words};
use crate::wording::replaced;

/// A number with as many digits stands for one thing on a page, such as a year.
const TELLING_DIGITS: usize = 4;

impl Call<'_> {
    /// `It is 140 now, not 120`: the new number in the place of the old one.
    pub(crate) fn correction(&self) -> Option<Act> {
        let tokens = self.tokens;
        let (at, not) = self.language.first_of("not", tokens)?;
        let behind = at + not.len();
        let says_nothing = |token: &&Token| {
            ["articles", "of", "particles", "small"].iter().any(|list| self.language.is(list, &token.text))
        };
        let start = behind + tokens[behind..].iter().take_while(says_nothing).count();
        let old = self.words_on_the_page(&tokens[start..])?;
        let new: String = if tokens.get(start).is_some_and(Token::is_number) {
            let new = tokens[..at].iter().rev().find(|token| token.is_number());
            // `no longer 40, it is 45`
            let new = new.or_else(|| tokens[start + 1..].iter().find(|token| token.is_number()))?;
            self.written(std::slice::from_ref(new))?.to_owned()
        } else {
            self.only_name_before(&tokens[..at], &old)?
        };
        let (old, new) = (old.as_str(), new.as_str());
        let holding = self.texts_that_hold(old);
        let spoken: Vec<&String> = tokens
            .iter()
            .filter(|token| token.kind == Kind::Word && !token.is_number() && token.text.len() > 2)
            .filter(|token| !["common", "small"].iter().any(|list| self.language.is(list, &token.text)))
            .map(|token| &token.text)
            .collect();
        let is_spoken_of = |(block, path, _): &&(String, String, String)| {
            let about = self.words_around(block, path);
            spoken.iter().any(|word| about.iter().any(|other| is_same(word, other)))
        };
        let everywhere = tokens.iter().any(|token| self.language.is("everywhere", &token.text));
        let named: Vec<_> = holding.iter().filter(is_spoken_of).collect();
        let digits = old.chars().filter(char::is_ascii_digit).count();
        let is_telling = everywhere || digits >= TELLING_DIGITS || digits == 0;
        let meant = if named.is_empty() || is_telling { holding.iter().collect() } else { named };
        let place = |(block, path, _): &&(String, String, String)| (block.clone(), item_of(path));
        let is_one_item = meant.iter().map(place).collect::<HashSet<_>>().len() == 1;
        match meant.as_slice() {
            [] => None,
            [_, _, ..] if !is_telling && !is_one_item => {
                let mut things: Vec<Thing> =
                    meant.iter().map(|(block, ..)| Thing::Block(block.clone())).collect();
                things.dedup();
                Some(Act::Ask(things))
            }
            meant => {
                let set = |(block, path, text): &&(String, String, String)| {
                    let (count, changed) = replaced(text, old, new, true);
                    let (from, to) = (Some(Value::String(text.clone())), Some(Value::String(changed)));
                    (count, Operation::Set { block_id: block.clone(), path: path.clone(), from, to })
                };
                let (counts, operations): (Vec<usize>, Vec<Operation>) = meant.iter().map(set).unzip();
                Some(self.replaced((old, new), counts.iter().sum(), operations))
            }
        }
    }

    /// `It is 45 routes now`: the one figure that counts what the number is told to count.
    pub(crate) fn figure_now(&self) -> Option<Act> {
        let tokens = self.tokens;
        tokens.iter().find(|token| self.language.has("now", token))?;
        let mut numbers = tokens.iter().enumerate().filter(|(_, token)| token.is_number());
        let (at, number) = numbers.next().filter(|_| numbers.next().is_none())?;
        let counted = &tokens.get(at + 1).filter(|next| next.kind == Kind::Word)?.text;
        let raw = self.written(std::slice::from_ref(number))?;
        let counts = |label: &[String], _: &str| label.iter().any(|word| is_same(word, counted));
        self.set_figure(counts, raw)
    }

    /// `12 hectares` becomes `14 hectares`, where a figure has the number and what it counts apart.
    pub(crate) fn replace_figure(&self, old: &str, new: &str) -> Option<Act> {
        let ((old, counted), (new, counted_then)) = (old.split_once(' ')?, new.split_once(' ')?);
        let (counted, counted_then) = (words(counted), words(counted_then));
        let are_numbers = [old, new].iter().all(|text| text.starts_with(|char: char| char.is_ascii_digit()));
        let are_same = counted.len() == counted_then.len()
            && counted.iter().zip(&counted_then).all(|(one, other)| is_same(one, other));
        if !are_numbers || counted.is_empty() || !are_same {
            return None;
        }
        let counts = |label: &[String], value: &str| {
            let is_said = |word: &String| label.iter().any(|other| is_same(word, other));
            counted.iter().all(is_said) && value.split_whitespace().any(|part| part == old)
        };
        self.set_figure(counts, new).or_else(|| self.replace_count((old, new), counted.first()?))
    }

    /// The same in the one text that tells so many of something, in whatever form of its word.
    fn replace_count(&self, (old, new): (&str, &str), counted: &str) -> Option<Act> {
        let mut found = Vec::new();
        for (block, path, text) in self.texts_that_hold(old) {
            for (at, _) in text.match_indices(old) {
                let (before, behind) = (text.get(..at)?, text.get(at + old.len()..)?);
                let is_whole =
                    !before.ends_with(|char: char| char.is_alphanumeric() || matches!(char, '.' | ','));
                if is_whole
                    && behind.starts_with(' ')
                    && words(behind).first().is_some_and(|word| is_same(word, counted))
                {
                    found.push((block.clone(), path.clone(), text.clone(), format!("{before}{new}{behind}")));
                }
            }
        }
        let [(block, path, from, to)] = found.as_slice() else { return None };
        let (from, to) = (Value::String(from.clone()), Value::String(to.clone()));
        let operation =
            Operation::Set { block_id: block.clone(), path: path.clone(), from: Some(from), to: Some(to) };
        Some(self.replaced((old, new), 1, vec![operation]))
    }

    /// Gives the one figure of which that is true, by the words of its label and by its value, another number.
    fn set_figure(&self, is_meant: impl Fn(&[String], &str) -> bool, raw: &str) -> Option<Act> {
        let mut found = Vec::new();
        for block in &self.clause.document.content.blocks {
            let value = document::json(block);
            for (index, item) in items(&value).iter().enumerate().filter(|_| kind(&value) == "stats-cards") {
                let label = item["label"].as_str().unwrap_or_default();
                let old = item["value"].as_str().unwrap_or_default();
                if is_meant(&words(label), old) {
                    found.push((block.block_id()?.to_owned(), index, old.to_owned(), label.to_owned()));
                }
            }
        }
        let [(block, index, old, label)] = found.as_slice() else { return None };
        let start = old.find(|char: char| char.is_ascii_digit())?;
        let end = old.rfind(|char: char| char.is_ascii_digit())? + 1;
        let to = format!("{}{raw}{}", old.get(..start)?, old.get(end..)?);
        let set = |field: &str, from: &str, to: String| Operation::Set {
            block_id: block.clone(),
            path: format!("/stats/{index}/{field}"),
            from: Some(Value::String(from.to_owned())),
            to: Some(Value::String(to)),
        };
        let mut operations = vec![set("value", old, to)];
        // Below a figure its number is often told once more.
        let (count, told) = replaced(label, old.get(start..end)?, raw, true);
        if count > 0 {
            operations.push(set("label", label, told));
        }
        let thing = Thing::Item { block: block.clone(), index: *index };
        let said = self.say("changed", &[("x", &self.label(&thing))]);
        Some(self.all_tried(operations, said, &thing))
    }

    /// A number, a quotation or the longest name that words begin with, if it is on the page.
    fn words_on_the_page(&self, tokens: &[Token]) -> Option<String> {
        let first = tokens.first()?;
        if first.kind == Kind::Quote {
            return Some(first.text.clone()).filter(|text| !self.texts_that_hold(text).is_empty());
        }
        let raw = |count: usize| self.written(tokens.get(..count)?);
        let one = raw(1)?;
        if first.is_number() {
            return Some(one.to_owned());
        }
        let most = tokens.len().min(MOST_OF_A_NAME);
        let holds = |words: &&str| !self.texts_that_hold(words).is_empty();
        let name =
            (1..=most).rev().filter_map(raw).find(holds).filter(|_| one.starts_with(char::is_uppercase))?;
        Some(name.to_owned())
    }

    /// The same, if no other name is before it: in `by Ann Lee, head of Foundry, not by Bob` either may be meant.
    fn only_name_before(&self, tokens: &[Token], old: &str) -> Option<String> {
        let last = self.name_before(tokens, old)?;
        let end = tokens.last()?.end;
        let said = crate::token::tokens(self.clause.message.get(..end)?);
        let sentence = crate::parse::sentences(&said).pop()?;
        let parts = sentence.split(|token| token.kind == Kind::Mark && token.text == ",");
        let named = parts.filter(|part| self.name_before(part, old).is_some()).count();
        (named < 2).then_some(last)
    }

    /// The quotation or the name that words end with. At the beginning it is one if it begins as the old one does.
    fn name_before(&self, tokens: &[Token], old: &str) -> Option<String> {
        let mut tokens = crate::resolve::trimmed(tokens);
        while let [rest @ .., last] = tokens
            && self.language.is("particles", &last.text)
        {
            tokens = rest;
        }
        let last = tokens.last()?;
        if last.kind == Kind::Quote {
            return Some(last.text.clone());
        }
        let raw = |token: &Token| self.written(std::slice::from_ref(token));
        let is_of_a_name = |token: &&Token| {
            // The point of `Dr.` is within a name.
            (token.kind == Kind::Mark && token.text == ".")
                || raw(token).is_some_and(|word| {
                    word.starts_with(|first: char| first.is_uppercase() || first.is_ascii_digit())
                })
        };
        let count = tokens.iter().rev().take_while(is_of_a_name).count().min(MOST_OF_A_NAME);
        let name = tokens.get(tokens.len() - count..)?;
        // At the beginning of a sentence a verb has a capital as well.
        let before = self.clause.message.get(..name.first()?.start)?.trim_end();
        let begins = before.is_empty() || before.ends_with(['.', '!', '?', ':']);
        let begins_alike = || {
            let first = raw(name.first()?)?;
            Some(old.split(' ').next() == Some(first))
        };
        if begins && count > 1 && begins_alike() != Some(true) {
            return None;
        }
        self.written(name).map(ToOwned::to_owned)
    }

    /// The texts of the page, or of what is selected, that hold words: block, place, text.
    pub(crate) fn texts_that_hold(&self, words: &str) -> Vec<(String, String, String)> {
        let mut found = Vec::new();
        for block in &self.clause.document.content.blocks {
            let id = block.block_id().unwrap_or_default();
            if self.clause.selection.is_some_and(|selection| selection.block_id != id) {
                continue;
            }
            for (path, text) in texts(block) {
                if replaced(&text, words, "", true).0 > 0 {
                    found.push((id.to_owned(), path, text));
                }
            }
        }
        found
    }

    /// The words of a text and of the item that it is in.
    fn words_around(&self, block: &str, path: &str) -> Vec<String> {
        let value = self.clause.document.value(block);
        words(&value.pointer(&item_of(path)).map(listing::text_of).unwrap_or_default())
    }
}

/// The place of the item that a text is in.
fn item_of(path: &str) -> String {
    path.splitn(4, '/').take(3).collect::<Vec<_>>().join("/")
}
