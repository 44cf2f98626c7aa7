//! Things that are named by what was spoken of (`that card`), by what they are beside, or in passing.

use crate::language::Phrase;
use crate::resolve::{Resolved, Resolver, one_of, selected, trimmed};
use crate::thing::{Thing, items_of};
use crate::token::{Kind, Token};

/// The most tokens of a name within a text, and the fewest letters of a word that can be one.
pub(crate) const MOST_OF_A_NAME: usize = 6;
const LEAST_OF_A_NAME: usize = 3;

impl Resolver<'_> {
    /// What is selected, else what was spoken of.
    pub(crate) fn pronoun(&self, tokens: &[Token]) -> Resolved {
        match (self.selection, self.last) {
            (Some(selection), _) => Resolved::These(vec![selected(selection, self.document)]),
            (None, Some(last)) if !self.is_only_a_sentence(tokens, last) => {
                Resolved::These(vec![last.clone()])
            }
            (None, _) => Resolved::OneOf(vec![]),
        }
    }

    /// Whether a phrase names a sentence, and what was spoken of is more than that.
    fn is_only_a_sentence(&self, tokens: &[Token], spoken_of: &Thing) -> bool {
        let is_sentence = tokens.iter().any(|token| self.language.has("sentences", token));
        is_sentence && matches!(spoken_of, Thing::Block(_) | Thing::Item { .. })
    }

    /// What a phrase names; with a word that points (`that card`), one of the things that were spoken of.
    pub(crate) fn find(&self, tokens: &[Token]) -> Resolved {
        let tokens = trimmed(tokens);
        if let Some(phrase) = self.language.begins("one-of", tokens) {
            let is_count = |token: &&Token| self.language.is("numbers", &token.text);
            let rest = self.without_articles(&tokens[phrase.len()..]);
            let rest: Vec<Token> = rest.iter().filter(|token| !is_count(token)).cloned().collect();
            return match self.named_by(&rest) {
                Resolved::These(things) => one_of(self.parts_of_one(things)),
                found => found,
            };
        }
        let found = self.named_by(tokens);
        if matches!(found, Resolved::These(_)) {
            return found;
        }
        let spoken_of = match (self.selection, self.last) {
            (Some(selection), _) => selected(selection, self.document),
            (None, Some(last)) if !self.is_only_a_sentence(tokens, last) => last.clone(),
            (None, _) => return found,
        };
        match &found {
            // `that section` can be any, unless one was spoken of.
            Resolved::OneOf(things) if !self.points(tokens, |_| false) => {
                let inside = |thing: &&Thing| match (thing, &spoken_of) {
                    (thing, spoken_of) if *thing == spoken_of => true,
                    // The card of which a text was spoken of, or the one in a block that was.
                    (Thing::Item { block, .. }, Thing::Block(of)) => block == of,
                    (Thing::Item { block, index }, Thing::Part { block: of, path }) => {
                        block == of && path.split('/').nth(2) == Some(index.to_string().as_str())
                    }
                    _ => false,
                };
                let meant: Vec<Thing> = things.iter().filter(inside).cloned().collect();
                if meant.len() == 1 { Resolved::These(meant) } else { found }
            }
            _ if self.points(tokens, |noun| self.language.is_noun(noun)) => Resolved::These(vec![spoken_of]),
            _ => found,
        }
    }

    /// `the second question's answer`: a part, and not the whole that it belongs to.
    pub(crate) fn possessed(&self, tokens: &[Token]) -> Option<Resolved> {
        let at = tokens.iter().rposition(|token| self.language.has("possessive", token))?;
        let (whole, part) = (tokens.get(..at)?, tokens.get(at + 1..)?);
        let spoken: Phrase = part.iter().map(|token| token.text.clone()).collect();
        self.named("parts", &spoken).filter(|_| !whole.is_empty())?;
        match self.part_of(part, whole) {
            Resolved::Unknown => None,
            found => Some(found),
        }
    }

    /// `one of the cards`: those of the one list that is named.
    fn parts_of_one(&self, things: Vec<Thing>) -> Vec<Thing> {
        let [Thing::Block(block)] = things.as_slice() else { return things };
        let all = items_of(block, &self.document.value(block));
        if all.len() > 1 { all } else { things }
    }

    /// Whether a phrase only points to something that was spoken of, by a word for anything or, of what is selected, by another noun.
    fn points(&self, tokens: &[Token], is_noun: impl Fn(&str) -> bool) -> bool {
        let [first, noun] = trimmed(tokens) else { return false };
        self.language.has("pointing", first)
            && (["generic", "sentences"].iter().any(|list| self.language.is(list, &noun.text))
                || (self.selection.is_some() && is_noun(&noun.text)))
    }

    /// The things of which a text names one, without saying which; nothing if it names none so.
    pub(crate) fn unclear(&self, tokens: &[Token]) -> Option<Vec<Thing>> {
        let lengths = (1..=MOST_OF_A_NAME.min(tokens.len())).rev();
        let windows = lengths.flat_map(|length| tokens.windows(length));
        windows.filter(|words| self.may_name(words)).find_map(|words| match self.noun(words) {
            Resolved::OneOf(things) if !things.is_empty() => Some(things),
            _ => None,
        })
    }

    /// Whether words can be the name of something: they say something, and neither begin nor end between others.
    fn may_name(&self, words: &[Token]) -> bool {
        let says_something = |token: &Token| {
            token.kind == Kind::Quote
                || (token.kind == Kind::Word
                    && token.text.len() >= LEAST_OF_A_NAME
                    && !self.language.is("small", &token.text)
                    && !self.language.is("generic", &token.text)
                    && !self.language.is("sentences", &token.text))
        };
        let is_edge = |token: &Token| {
            token.kind == Kind::Mark
                || ["of", "copulas"].iter().any(|list| self.language.is(list, &token.text))
        };
        words.iter().any(says_something)
            && !words.first().is_some_and(is_edge)
            && !words.last().is_some_and(is_edge)
    }

    /// The things that a text names, each once, in the order in which it names them.
    pub(crate) fn mentioned(&self, tokens: &[Token]) -> Vec<Thing> {
        let mut found: Vec<(usize, Thing)> = Vec::new();
        let mut taken = vec![false; tokens.len()];
        let is_beside = |words: &[Token]| {
            words.iter().any(|word| self.language.has("below", word) || self.language.has("above", word))
        };
        for length in (1..=MOST_OF_A_NAME.min(tokens.len())).rev() {
            for start in 0..=tokens.len() - length {
                let words = &tokens[start..start + length];
                if taken[start..start + length].iter().any(|taken| *taken) || !self.may_name(words) {
                    continue;
                }
                match self.noun(words) {
                    Resolved::These(things) => {
                        let [one] = things.as_slice() else { continue };
                        if one.block().is_none() {
                            continue;
                        }
                        taken[start..start + length].fill(true);
                        if !found.iter().any(|(_, known)| known == one) {
                            found.push((start, one.clone()));
                        }
                    }
                    // Where a phrase can mean several things, a part of it does not say which: `the text below the headline`.
                    Resolved::OneOf(things) if !things.is_empty() && is_beside(words) => {
                        taken[start..start + length].fill(true);
                    }
                    _ => {}
                }
            }
        }
        found.sort_by_key(|(start, _)| *start);
        found.into_iter().map(|(_, thing)| thing).collect()
    }

    /// `the section below the prices`.
    pub(crate) fn neighbour(&self, tokens: &[Token]) -> Option<Resolved> {
        let (first, rest) = tokens.split_first()?;
        let at = rest.iter().position(|token| {
            self.language.is("below", &token.text) || self.language.is("above", &token.text)
        })?;
        let is_quiet = |token: &Token| self.language.is("particles", &token.text);
        let is_text = self.language.has("running-text", first);
        if !(is_text || self.language.is("generic", &first.text)) || !rest[..at].iter().all(is_quiet) {
            return None;
        }
        let of = self.without_articles(rest.get(at + 1..)?);
        let of =
            if of.first().is_some_and(|word| self.language.is("of", &word.text)) { &of[1..] } else { of };
        let Resolved::These(things) = self.noun(of) else { return None };
        let [one] = things.as_slice() else { return None };
        let is_below = self.language.is("below", &rest[at].text);
        let position = self.document.position(one.block()?)?;
        let beside = if is_below { position + 1 } else { position.checked_sub(1)? };
        let block = self.document.content.blocks.get(beside)?.block_id()?;
        let block = Thing::Block(block.to_owned());
        // The text below the headline can be the subtitle as well.
        let opening = self.document.value(one.block()?);
        let path = "/subtitle".to_owned();
        let subtitle = Thing::Part { block: one.block()?.to_owned(), path };
        let is_headline = matches!(one, Thing::Part { path, .. } if path == "/title");
        if is_text && is_below && is_headline && opening["subtitle"].is_string() {
            return Some(Resolved::OneOf(vec![subtitle, block]));
        }
        Some(Resolved::These(vec![block]))
    }
}
