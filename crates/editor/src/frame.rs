//! Requests that are known by what they hold, in whatever order it is said: a button and an action, an old figure and a new one, words
//! for a new item of a list.

use serde_json::{Value, json};

use crate::act::{Act, Call, Clause};
use crate::document;
use crate::language::Language;
use crate::operation::Operation;
use crate::parse::starts_with;
use crate::qualifiers::is_same;
use crate::thing::{Thing, items, kind, texts};
use crate::token::{Kind, Token, words};
use crate::wording::replaced;
use crate::{add, listing};

/// A number with as many digits stands for one thing on a page, such as a year.
const TELLING_DIGITS: usize = 4;
/// The most words of a speaker.
const MOST_OF_A_SPEAKER: usize = 6;

/// The most tokens of a question with its answer.
const MOST_OF_A_PAIR: usize = 8;

impl Clause<'_> {
    /// What tokens ask for that fit no template.
    pub(crate) fn frame(&self, language: &'static Language, tokens: &[Token]) -> Option<Act> {
        let slots = vec![];
        let call = Call::new(self, language, tokens, &slots);
        let act = call
            .correction()
            .or_else(|| call.action_for_button())
            .or_else(|| call.given_item())
            .or_else(|| call.order())?;
        Some(self.bounded(language, act))
    }
}

fn is_number(token: &Token) -> bool {
    token.kind == Kind::Word && token.text.starts_with(|first: char| first.is_ascii_digit())
}

impl Call<'_> {
    /// `It is 140 now, not 120`: the new number in the place of the old one.
    fn correction(&self) -> Option<Act> {
        let tokens = self.tokens;
        let (at, behind) = (1..tokens.len()).find_map(|at| {
            let phrases = self.language.phrases("not").iter();
            let phrase =
                phrases.filter(|phrase| starts_with(&tokens[at..], phrase)).max_by_key(|one| one.len());
            phrase.map(|phrase| (at, at + phrase.len()))
        })?;
        let says_nothing = |token: &&Token| {
            ["articles", "of", "particles"].iter().any(|list| self.language.is(list, &token.text))
        };
        let old = tokens[behind..].iter().find(|token| !says_nothing(token)).filter(|one| is_number(one))?;
        let new = tokens[..at].iter().rev().find(|token| is_number(token))?;
        let raw = |token: &Token| self.clause.message.get(token.start..token.end);
        let (old, new) = (raw(old)?, raw(new)?);
        let holding = self.texts_that_hold(old);
        let spoken: Vec<&String> = tokens
            .iter()
            .filter(|token| token.kind == Kind::Word && !is_number(token) && token.text.len() > 2)
            .filter(|token| !["common", "small"].iter().any(|list| self.language.is(list, &token.text)))
            .map(|token| &token.text)
            .collect();
        let is_spoken_of = |(block, path, _): &&(String, String, String)| {
            let about = self.words_around(block, path);
            spoken.iter().any(|word| about.iter().any(|other| is_same(word, other)))
        };
        let named: Vec<_> = holding.iter().filter(is_spoken_of).collect();
        let meant = if named.is_empty() { holding.iter().collect() } else { named };
        let digits = old.chars().filter(char::is_ascii_digit).count();
        match meant.as_slice() {
            [] => None,
            [_, _, ..] if digits < TELLING_DIGITS => {
                let mut things: Vec<Thing> =
                    meant.iter().map(|(block, ..)| Thing::Block(block.clone())).collect();
                things.dedup();
                Some(Act::Ask(things))
            }
            meant => {
                let set = |(block, path, text): &&(String, String, String)| Operation::Set {
                    block_id: block.clone(),
                    path: path.clone(),
                    from: Some(Value::String(text.clone())),
                    to: Some(Value::String(replaced(text, old, new, true).1)),
                };
                let operations: Vec<Operation> = meant.iter().map(set).collect();
                let mut trial = self.clause.document.clone();
                if operations.iter().any(|operation| operation.apply(&mut trial).is_err()) {
                    return Some(Act::Refuse(self.say("invalid", &[("x", old)])));
                }
                let count = operations.len().to_string();
                let said = self.say("replaced", &[("x", old), ("y", new), ("n", &count)]);
                Some(self.done(operations, said, None))
            }
        }
    }

    /// The texts of the page, or of what is selected, that hold words: block, place, text.
    fn texts_that_hold(&self, words: &str) -> Vec<(String, String, String)> {
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
        let item: String = path.splitn(4, '/').take(3).collect::<Vec<_>>().join("/");
        words(&value.pointer(&item).map(listing::text_of).unwrap_or_default())
    }

    /// `Our director wants "Talk to us" as the button at the end`.
    fn action_for_button(&self) -> Option<Act> {
        let tokens = self.tokens;
        let is_button = |token: &Token| token.kind == Kind::Word && self.language.is("buttons", &token.text);
        if !tokens.iter().any(is_button) {
            return None;
        }
        // What stands behind `instead of` is not wanted.
        let end = (1..tokens.len())
            .find(|at| self.language.phrases("not").iter().any(|phrase| starts_with(&tokens[*at..], phrase)))
            .unwrap_or(tokens.len());
        let spoken: Vec<String> = tokens[..end]
            .iter()
            .filter(|token| !is_button(token))
            .flat_map(|token| match token.kind {
                Kind::Quote => words(&token.text),
                Kind::Word => vec![token.text.clone()],
                Kind::Mark => vec![],
            })
            .collect();
        let action = self.spoken_action(&spoken)?;
        let block = match self.block_of_buttons(&spoken) {
            Ok(block) => block,
            Err(things) if things.is_empty() => return None,
            Err(things) => return Some(Act::Ask(things)),
        };
        self.set_button(&Thing::Buttons(block), &action)
    }

    /// The one action of which all words, or a word that no other one has, are spoken.
    fn spoken_action(&self, spoken: &[String]) -> Option<String> {
        let says = |word: &String| spoken.iter().any(|other| is_same(word, other));
        let all: Vec<(&String, Vec<String>)> =
            self.clause.material.actions.iter().map(|(id, label)| (id, words(label))).collect();
        let whole: Vec<_> = all.iter().filter(|(_, words)| words.iter().all(says)).collect();
        if let [(id, _)] = whole.as_slice() {
            return Some((*id).clone());
        }
        let tells = |word: &&String, id: &String| {
            word.len() > 3
                && !self.language.is("small", word)
                && all.iter().all(|(other, words)| *other == id || !words.contains(word))
        };
        let mut partly =
            all.iter().filter(|(id, words)| words.iter().any(|word| tells(&word, id) && says(word)));
        match (whole.is_empty(), partly.next(), partly.next()) {
            (true, Some((id, _)), None) => Some((*id).clone()),
            _ => None,
        }
    }

    /// The block whose buttons are meant, or those that may be.
    fn block_of_buttons(&self, spoken: &[String]) -> Result<String, Vec<Thing>> {
        let blocks = self.clause.document.content.blocks.iter().map(document::json);
        let able: Vec<Value> =
            blocks.filter(|value| matches!(kind(value), "hero" | "call-to-action")).collect();
        let id = |value: &Value| value["blockId"].as_str().unwrap_or_default().to_owned();
        let of_kind = |wanted: &str| {
            let mut all = able.iter().filter(|value| kind(value) == wanted);
            all.next().filter(|_| all.next().is_none()).map(id)
        };
        if let Some(selection) = self.clause.selection {
            return Ok(selection.block_id.clone());
        }
        let says = |list: &str| spoken.iter().any(|word| self.language.is(list, word));
        let named = self.resolver().mentioned(self.tokens).into_iter().filter_map(|thing| match thing {
            Thing::Block(block) | Thing::Buttons(block) => Some(block),
            _ => None,
        });
        let mut named = named.filter(|block| able.iter().any(|value| id(value) == *block));
        let found = if says("ends") {
            able.last().filter(|value| kind(value) == "call-to-action").map(id)
        } else if says("tops") {
            of_kind("hero")
        } else if let Some(block) = named.next() {
            Some(block)
        } else if let [one] = able.as_slice() {
            Some(id(one))
        } else {
            None
        };
        found.ok_or_else(|| able.iter().map(|value| Thing::Buttons(id(value))).collect())
    }

    /// `One more step: "Send the box back"`.
    fn given_item(&self) -> Option<Act> {
        let tokens = self.tokens;
        let adds = |token: &Token| token.kind == Kind::Word && self.language.is("adding", &token.text);
        let quotes: Vec<(usize, &Token)> =
            tokens.iter().enumerate().filter(|(_, token)| token.kind == Kind::Quote).collect();
        let (first, words_of_it) = quotes.first()?;
        let wanted = self.item_kind(tokens)?;
        // `Question: "…" Answer: "…"` needs no word for adding.
        let is_pair = wanted == "frame-list" && quotes.len() == 2 && tokens.len() <= MOST_OF_A_PAIR;
        if !(is_pair || tokens.iter().any(adds)) || words_of_it.text.is_empty() {
            return None;
        }
        let one = words_of_it.text.clone();
        let other = quotes.get(1).map(|(_, token)| token.text.clone());
        let item = match (wanted.as_str(), other) {
            ("frame-list", Some(answer)) => json!({ "title": one, "markdown": answer }),
            ("testimonial-carousel", speaker) => {
                let speaker = speaker.or_else(|| self.speaker(&tokens[first + 1..]))?;
                json!({ "quote": one, "author": speaker })
            }
            ("stats-cards", Some(label)) => json!({ "value": one, "label": label }),
            ("price-cards", Some(price)) => json!({ "name": one, "price": price }),
            ("threads", Some(text)) => json!({ "label": one, "markdown": text }),
            ("steps" | "feature-cards", Some(text)) => json!({ "title": one, "text": text }),
            ("steps" | "feature-cards", None) => json!({ "title": one }),
            ("logo-marquee", None) => json!(one),
            _ => return None,
        };
        self.add_item(&wanted, item, &one)
    }

    /// `In the prices: Office, then Family, then Small`: all items of a list in the order in which they are named.
    fn order(&self) -> Option<Act> {
        if !self.tokens.iter().any(|token| token.kind == Kind::Word && self.language.is("order", &token.text))
        {
            return None;
        }
        let things = self.resolver().mentioned(self.tokens);
        let items_of: Vec<(&String, usize)> = things
            .iter()
            .filter_map(|thing| match thing {
                Thing::Item { block, index } => Some((block, *index)),
                _ => None,
            })
            .collect();
        let (block, _) = items_of.first()?;
        let count = items(&self.clause.document.value(block)).len();
        if count < 2 || items_of.len() != count || items_of.iter().any(|(other, _)| other != block) {
            return None;
        }
        let operation = listing::change(self.clause.document, block, |items| {
            let ordered: Option<Vec<Value>> =
                items_of.iter().map(|(_, index)| items.get(*index).cloned()).collect();
            *items = ordered?;
            Some(())
        });
        let thing = Thing::Block((*block).clone());
        Some(operation.map_or_else(|| self.refuse("same", &thing), |one| self.tried(one, "moved", &thing)))
    }

    /// The kind of list whose item is named first.
    fn item_kind(&self, tokens: &[Token]) -> Option<String> {
        let is_here = |at: usize, table: &str| {
            let named = self.language.table(table).iter();
            let mut fitting =
                named.filter(|(_, phrases)| phrases.iter().any(|phrase| starts_with(&tokens[at..], phrase)));
            fitting.next().map(|(name, _)| name.clone())
        };
        let lists = |name: &String| crate::thing::list(name).is_some();
        let mut all = ["items", "kinds"]
            .into_iter()
            .flat_map(|table| (0..tokens.len()).filter_map(move |at| is_here(at, table)).filter(lists));
        all.next()
    }

    /// Who said the words before: `by Tom Baker`, `(Ana Torres)`.
    fn speaker(&self, tokens: &[Token]) -> Option<String> {
        let is_joint = |token: &&Token| token.kind == Kind::Mark || self.language.is("speakers", &token.text);
        let start = tokens.iter().position(|token| !is_joint(&token))?;
        if start == 0 {
            return None;
        }
        let length = tokens[start..].iter().take_while(|token| token.kind == Kind::Word).count();
        let (first, last) = (tokens.get(start)?, tokens.get(start + length.checked_sub(1)?)?);
        let name = self.clause.message.get(first.start..last.end)?;
        let is_name = name.starts_with(char::is_uppercase) && length <= MOST_OF_A_SPEAKER;
        is_name.then(|| name.to_owned())
    }

    /// Adds an item to the list of a kind that the page has, else in a block of its own.
    fn add_item(&self, wanted: &str, item: Value, name: &str) -> Option<Act> {
        let document = self.clause.document;
        let ids: Vec<String> = document
            .content
            .blocks
            .iter()
            .map(document::json)
            .filter(|value| kind(value) == wanted)
            .filter_map(|value| value["blockId"].as_str().map(ToOwned::to_owned))
            .collect();
        let named: Vec<String> = self
            .resolver()
            .mentioned(self.tokens)
            .iter()
            .filter_map(|thing| thing.block().map(ToOwned::to_owned))
            .filter(|block| ids.contains(block))
            .collect();
        let id = match (ids.as_slice(), named.as_slice(), self.clause.selection) {
            ([one], ..) | (_, [one], _) => one,
            (ids, _, Some(selection)) if ids.contains(&selection.block_id) => &selection.block_id,
            ([], ..) => {
                let field = crate::thing::list(wanted)?.field;
                let block = json!({ "type": wanted, "blockId": wanted, field: [item] });
                let refused = || Act::Refuse(self.say("no-material", &[]));
                return Some(add::inserted(self, block, None).unwrap_or_else(refused));
            }
            (ids, ..) => return Some(Act::Ask(ids.iter().cloned().map(Thing::Block).collect())),
        };
        let index = items(&document.value(id)).len();
        let operation = listing::change(document, id, |items| {
            items.push(item);
            Some(())
        })?;
        let thing = Thing::Item { block: id.clone(), index };
        Some(match operation.apply(&mut document.clone()) {
            Ok(()) => {
                let said = self.say("added", &[("x", &format!("“{}”", crate::thing::short(name)))]);
                self.done(vec![operation], said, Some(thing))
            }
            Err(_) => self.refuse("invalid", &Thing::Block(id.clone())),
        })
    }
}
