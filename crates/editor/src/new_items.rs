//! Items of lists that are added in the words of the message: `one more step: "Send the box back"`.

use serde_json::{Value, json};

use crate::act::{Act, Call};
use crate::add;
use crate::document;
use crate::listing;
use crate::reference::MOST_OF_A_NAME;
use crate::thing::{Thing, items, kind};
use crate::token::{Kind, Token, starts_with};

/// The most tokens of a question with its answer.
const MOST_OF_A_PAIR: usize = 8;

impl Call<'_> {
    /// `One more step: "Send the box back"`.
    pub(crate) fn given_item(&self) -> Option<Act> {
        let tokens = self.tokens;
        let adds = |token: &Token| self.language.has("adding", token);
        let quotes: Vec<(usize, &Token)> =
            tokens.iter().enumerate().filter(|(_, token)| token.kind == Kind::Quote).collect();
        let Some((first, words_of_it)) = quotes.first() else { return self.unquoted_item() };
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
        self.add_items(&wanted, vec![item], &one)
    }

    /// The same without quotation marks: `One more step: Delivery`, `Some figures: 3 ovens, 14 bakers`.
    fn unquoted_item(&self) -> Option<Act> {
        let colon = self.tokens.iter().position(|token| token.kind == Kind::Mark && token.text == ":")?;
        let (asked, told) = (self.tokens.get(..colon)?, self.tokens.get(colon + 1..)?);
        if !asked.iter().any(|token| self.language.has("adding", token)) {
            return None;
        }
        let parts: Vec<&[Token]> = told
            .split(|token| token.kind == Kind::Mark && token.text == ",")
            .map(crate::resolve::trimmed)
            .filter(|part| !part.is_empty())
            .collect();
        let all: Vec<&str> = parts.iter().filter_map(|part| self.written(part)).collect();
        let wanted = self.item_kind(asked)?;
        // `a card called Sync: Keeps all in step.`
        let called = asked.iter().position(|token| self.language.has("called", token));
        if let Some(name) = called.and_then(|at| self.written(asked.get(at + 1..)?)) {
            let text = self.with_sign(crate::resolve::trimmed(told))?;
            let item = match wanted.as_str() {
                "steps" | "feature-cards" => json!({ "title": name, "text": text }),
                "frame-list" => json!({ "title": name, "markdown": text }),
                _ => return None,
            };
            return self.add_items(&wanted, vec![item], name);
        }
        let (item, name) = match (wanted.as_str(), all.as_slice()) {
            ("stats-cards", [one, ..]) => {
                let stats: Option<Vec<Value>> = parts.iter().map(|part| self.unquoted_figure(part)).collect();
                return self.add_items(&wanted, stats?, one);
            }
            ("steps" | "feature-cards", [one]) => (json!({ "title": one }), one),
            ("logo-marquee", [one]) => (json!(one), one),
            ("price-cards", [one, price]) => (json!({ "name": one, "price": price }), one),
            ("table", [one, ..]) => (json!(all), one),
            _ => return None,
        };
        self.add_items(&wanted, vec![item], name)
    }

    /// What a slot tells, with the sign at the end of its sentence.
    pub(crate) fn told(&self, slot: &str) -> Option<String> {
        match self.value(slot)? {
            (text, true) => Some(text),
            _ => self.with_sign(crate::resolve::trimmed(self.slot(slot)?)),
        }
    }

    /// Tokens as they were written, with the sign behind them.
    fn with_sign(&self, tokens: &[Token]) -> Option<String> {
        let text = self.written(tokens)?;
        let behind = self.clause.message.get(tokens.last()?.end..)?.chars().next();
        let sign = behind.filter(|sign| matches!(sign, '.' | '!' | '?'));
        Some(text.chars().chain(sign).collect())
    }

    /// A figure with what it counts: `14 bakers`, `98 % happy guests`.
    fn unquoted_figure(&self, part: &[Token]) -> Option<Value> {
        part.first().filter(|first| first.is_number())?;
        let has_sign =
            part.get(1).is_some_and(|sign| self.language.is("currencies", &sign.text) || sign.text == "%");
        let (value, label) = part.split_at_checked(1 + usize::from(has_sign))?;
        Some(json!({ "value": self.written(value)?, "label": self.written(label)? }))
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
        let name = self.written(&tokens[start..start + length])?;
        let is_name = name.starts_with(char::is_uppercase) && length <= MOST_OF_A_NAME;
        is_name.then(|| name.to_owned())
    }

    /// Adds items to the list of a kind that the page has, else in a block of its own; `name` is what they are called in the answer.
    fn add_items(&self, wanted: &str, new: Vec<Value>, name: &str) -> Option<Act> {
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
                let block = json!({ "type": wanted, "blockId": wanted, field: new });
                let refused = || Act::Refuse(self.say("no-material", &[]));
                return Some(add::inserted(self, block, None).unwrap_or_else(refused));
            }
            (ids, ..) => return Some(Act::Ask(ids.iter().cloned().map(Thing::Block).collect())),
        };
        let index = items(&document.value(id)).len();
        let operation = listing::change(document, id, |items| {
            items.extend(new);
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
