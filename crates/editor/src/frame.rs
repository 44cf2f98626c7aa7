//! Requests that are known by what they hold, in whatever order it is said.

use std::ops::Range;

use serde_json::Value;

use crate::act::{Act, Call, Clause};
use crate::document;
use crate::language::Language;
use crate::listing;
use crate::qualifiers::is_same;
use crate::thing::{Thing, items, kind};
use crate::token::{Kind, Token, is_address, words};

impl Clause<'_> {
    /// What tokens ask for that fit no template.
    pub(crate) fn frame(&self, language: &'static Language, tokens: &[Token]) -> Option<Act> {
        let slots = vec![];
        let call = Call::new(self, language, tokens, &slots);
        let act = call
            .correction()
            .or_else(|| call.button_with_address())
            .or_else(|| call.action_for_button())
            .or_else(|| call.given_item())
            .or_else(|| call.order())
            .or_else(|| call.figure_now())?;
        Some(self.bounded(language, act))
    }
}

impl Call<'_> {
    /// `Our director wants "Talk to us" as the button at the end`.
    fn action_for_button(&self) -> Option<Act> {
        let tokens = self.tokens;
        let is_button = |token: &Token| self.language.has("buttons", token);
        if !tokens.iter().any(is_button) {
            return None;
        }
        // What is behind `instead of` is not wanted.
        let not = self.language.first_of("not", tokens.get(1..)?);
        let end = not.map_or(tokens.len(), |(at, _)| at + 1);
        let name = self.name_of_button(&tokens[..end], is_button);
        let spoken: Vec<String> = tokens[..end]
            .iter()
            .enumerate()
            .filter(|(at, token)| !is_button(token) && !name.contains(at))
            .map(|(_, token)| token)
            .flat_map(|token| match token.kind {
                Kind::Quote => words(&token.text),
                Kind::Word => vec![token.text.clone()],
                Kind::Mark => vec![],
            })
            .collect();
        // What is between quotation marks is the whole label.
        let is_quoted = tokens[..end].iter().any(|token| token.kind == Kind::Quote);
        let action = self.spoken_action(&spoken, is_quoted)?;
        let block = match self.block_of_buttons(&spoken) {
            Ok(block) => block,
            Err(things) if things.is_empty() => return None,
            Err(things) => return Some(Act::Ask(things)),
        };
        self.set_button(&Thing::Buttons(block), &action)
    }

    /// The words between `the` and `button`, which say which button is spoken of, and not where it shall lead: `the call us button is broken`.
    fn name_of_button(&self, tokens: &[Token], is_button: impl Fn(&Token) -> bool) -> Range<usize> {
        let Some(end) = tokens.iter().position(is_button) else { return 0..0 };
        let is_name = |token: &&Token| token.kind == Kind::Word && !self.language.has("articles", token);
        let start = end - tokens[..end].iter().rev().take_while(is_name).count();
        let before = start.checked_sub(1).and_then(|before| tokens.get(before));
        if before.is_some_and(|article| self.language.has("definite", article)) { start..end } else { 0..0 }
    }

    /// `Add a button to https://example.com`: where buttons lead is said by the actions of the page.
    fn button_with_address(&self) -> Option<Act> {
        let has = |is_it: &dyn Fn(&Token) -> bool| self.tokens.iter().any(is_it);
        let is_address = |token: &Token| token.kind == Kind::Word && is_address(&token.text);
        (has(&|token| self.language.has("buttons", token)) && has(&is_address))
            .then(|| Act::AskText(format!("{} {}", self.say("button-address", &[]), self.actions_told())))
    }

    /// The only action whose words all occur in the request; without quotation marks one word that no other action has is enough.
    fn spoken_action(&self, spoken: &[String], is_quoted: bool) -> Option<String> {
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
        match (whole.is_empty() && !is_quoted, partly.next(), partly.next()) {
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

    /// `In the prices: Office, then Family, then Small`: all items of a list in the order in which they are named.
    fn order(&self) -> Option<Act> {
        if !self.tokens.iter().any(|token| self.language.has("order", token)) {
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
}
