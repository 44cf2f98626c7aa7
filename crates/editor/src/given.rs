//! Items of lists that are added in the words of the message: `one more step: "Send the box back"`.

use serde_json::{Value, json};

use crate::act::{Act, Call};
use crate::add;
use crate::document;
use crate::listing;
use crate::thing::{Thing, items, kind};
use crate::token::{Kind, Token, starts_with};

/// The most words of a speaker.
const MOST_OF_A_SPEAKER: usize = 6;
/// The most tokens of a question with its answer.
const MOST_OF_A_PAIR: usize = 8;

impl Call<'_> {
    /// `One more step: "Send the box back"`.
    pub(crate) fn given_item(&self) -> Option<Act> {
        let tokens = self.tokens;
        let adds = |token: &Token| token.kind == Kind::Word && self.language.is("adding", &token.text);
        let quotes: Vec<(usize, &Token)> =
            tokens.iter().enumerate().filter(|(_, token)| token.kind == Kind::Quote).collect();
        let Some((first, words_of_it)) = quotes.first() else { return self.told_item() };
        let wanted = self.item_kind(tokens)?;
        // `Question: "…" Answer: "…"` needs no word for adding.
        let answers = |token: &Token| {
            self.language.table("parts").iter().any(|(name, phrases)| {
                name == "text" && phrases.iter().any(|phrase| *phrase == [token.text.as_str()])
            })
        };
        let is_pair = wanted == "frame-list"
            && quotes.len() == 2
            && tokens.len() <= MOST_OF_A_PAIR
            && tokens.iter().any(answers);
        let is_new = self.texts_that_hold(&words_of_it.text).is_empty();
        let is_said = wanted == "testimonial-carousel"
            && quotes.len() == 1
            && is_new
            && self.speaker(&tokens[first + 1..]).is_some();
        if !(is_pair || is_said || tokens.iter().any(adds)) || words_of_it.text.is_empty() {
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

    /// The same without quotation marks: `One more step: Delivery`, `Some figures: 3 ovens, 14 bakers`.
    fn told_item(&self) -> Option<Act> {
        let colon = self.tokens.iter().position(|token| token.kind == Kind::Mark && token.text == ":")?;
        let (asked, told) = (self.tokens.get(..colon)?, self.tokens.get(colon + 1..)?);
        if !asked.iter().any(|token| token.kind == Kind::Word && self.language.is("adding", &token.text)) {
            return None;
        }
        let parts: Vec<&[Token]> = told
            .split(|token| token.kind == Kind::Mark && token.text == ",")
            .filter(|part| !crate::resolve::trimmed(part).is_empty())
            .collect();
        let raw = |part: &[Token]| {
            let part = crate::resolve::trimmed(part);
            let (first, last) = (part.first()?, part.last()?);
            self.clause.message.get(first.start..last.end).map(ToOwned::to_owned)
        };
        let all: Vec<String> = parts.iter().filter_map(|part| raw(part)).collect();
        let wanted = self.item_kind(asked)?;
        let (item, name) = match (wanted.as_str(), all.as_slice()) {
            ("stats-cards", _) => return self.told_figures(&parts),
            ("steps" | "feature-cards", [one]) => (json!({ "title": one }), one),
            ("logo-marquee", [one]) => (json!(one), one),
            ("price-cards", [one, price]) => (json!({ "name": one, "price": price }), one),
            ("table", [one, ..]) => (json!(all), one),
            _ => return None,
        };
        self.add_item(&wanted, item, name)
    }

    /// Figures with what they count.
    fn told_figures(&self, parts: &[&[Token]]) -> Option<Act> {
        let stats: Option<Vec<Value>> = parts
            .iter()
            .map(|part| {
                let part = crate::resolve::trimmed(part);
                let (first, last) = (part.first().filter(|first| first.is_number())?, part.last()?);
                let has_sign = part
                    .get(1)
                    .is_some_and(|sign| self.language.is("currencies", &sign.text) || sign.text == "%");
                let label = part.get(1 + usize::from(has_sign))?;
                let value = self.clause.message.get(first.start..part.get(usize::from(has_sign))?.end)?;
                Some(json!({ "value": value, "label": self.clause.message.get(label.start..last.end)? }))
            })
            .collect();
        let stats = stats?;
        let there = self
            .clause
            .document
            .content
            .blocks
            .iter()
            .map(document::json)
            .find(|value| kind(value) == "stats-cards");
        match there.as_ref().and_then(|value| value["blockId"].as_str()) {
            None => {
                let block = json!({ "type": "stats-cards", "blockId": "figures", "stats": stats });
                add::inserted(self, block, None)
            }
            Some(id) => {
                let operation = listing::change(self.clause.document, id, |items| {
                    items.extend(stats);
                    Some(())
                })?;
                Some(self.tried(operation, "added", &Thing::Block(id.to_owned())))
            }
        }
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
