//! Templates of requests: words, `[what may be left out]`, `(one|or another)` and `{slots}`.
//!
//! A slot takes at least one token. Invariant: matching takes time that grows with the square of the tokens at most, since a template has
//! at most two slots that are followed by a word.

use std::collections::HashSet;

use crate::token::{Kind, Token};

/// A part of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TemplatePart {
    Word(String),
    Optional(Vec<TemplatePart>),
    OneOf(Vec<Vec<TemplatePart>>),
    Slot(String),
}

/// A template that can be matched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Template(pub(crate) Vec<TemplatePart>);

/// What the slots took: name, first token, behind the last one.
pub(crate) type Slots = Vec<(String, usize, usize)>;

impl Template {
    /// Reads a template; nothing if a bracket is not closed.
    pub(crate) fn read(text: &str) -> Option<Template> {
        let mut rest = text;
        let parts = sequence(&mut rest)?;
        rest.trim().is_empty().then_some(Template(parts))
    }

    /// All the ways in which it matches the tokens as a whole, up to `most`.
    pub(crate) fn matches(&self, tokens: &[Token], most: usize) -> Vec<Slots> {
        let mut found = Vec::new();
        let whole: Vec<&TemplatePart> = self.0.iter().collect();
        step(&whole, tokens, 0, &mut Vec::new(), &mut found, most);
        found
    }

    /// Whether there are words in a text without which it cannot fit.
    pub(crate) fn may_fit(&self, words: &HashSet<&str>) -> bool {
        may_fit(&self.0, words)
    }

    /// The words that it can begin with.
    pub(crate) fn first_words(&self) -> Vec<String> {
        let mut found = Vec::new();
        first_words(&self.0, &mut found);
        found
    }
}

fn may_fit(parts: &[TemplatePart], words: &HashSet<&str>) -> bool {
    parts.iter().all(|part| match part {
        TemplatePart::Word(word) => word == ":" || words.contains(word.as_str()),
        TemplatePart::OneOf(all) => all.iter().any(|one| may_fit(one, words)),
        TemplatePart::Optional(_) | TemplatePart::Slot(_) => true,
    })
}

/// The words that a sequence can begin with.
fn first_words(parts: &[TemplatePart], found: &mut Vec<String>) {
    for part in parts {
        match part {
            TemplatePart::Word(word) => found.push(word.clone()),
            TemplatePart::OneOf(all) => all.iter().for_each(|one| first_words(one, found)),
            TemplatePart::Optional(inner) => {
                first_words(inner, found);
                continue;
            }
            TemplatePart::Slot(_) => {}
        }
        return;
    }
}

fn sequence(rest: &mut &str) -> Option<Vec<TemplatePart>> {
    let mut parts = Vec::new();
    loop {
        *rest = rest.trim_start();
        match rest.chars().next() {
            None | Some('|' | ')' | ']') => return Some(parts),
            Some('[') => {
                *rest = rest.get(1..)?;
                let options = alternatives(rest, ']')?;
                parts.push(TemplatePart::Optional(vec![TemplatePart::OneOf(options)]));
            }
            Some('(') => {
                *rest = rest.get(1..)?;
                parts.push(TemplatePart::OneOf(alternatives(rest, ')')?));
            }
            Some('{') => {
                let end = rest.find('}')?;
                parts.push(TemplatePart::Slot(rest.get(1..end)?.to_owned()));
                *rest = rest.get(end + 1..)?;
            }
            Some(_) => {
                let end = rest.find([' ', '|', ')', ']', '(', '[', '{']).unwrap_or(rest.len());
                parts.push(TemplatePart::Word(crate::token::fold(rest.get(..end)?)));
                *rest = rest.get(end..)?;
            }
        }
    }
}

fn alternatives(rest: &mut &str, close: char) -> Option<Vec<Vec<TemplatePart>>> {
    let mut found = Vec::new();
    loop {
        found.push(sequence(rest)?);
        let next = rest.chars().next()?;
        *rest = rest.get(1..)?;
        if next == close {
            return Some(found);
        }
        if next != '|' {
            return None;
        }
    }
}

/// Matches parts from a token on; marks between words do not count, except in what a slot takes.
fn step(
    parts: &[&TemplatePart],
    tokens: &[Token],
    at: usize,
    slots: &mut Slots,
    found: &mut Vec<Slots>,
    most: usize,
) {
    if found.len() >= most {
        return;
    }
    let Some((first, rest)) = parts.split_first() else {
        if tokens.get(at..).is_none_or(|rest| rest.iter().all(|token| token.kind == Kind::Mark)) {
            found.push(slots.clone());
        }
        return;
    };
    let at = (at..tokens.len())
        .find(|&at| tokens.get(at).is_some_and(|token| token.kind != Kind::Mark))
        .unwrap_or(tokens.len());
    match first {
        // The one mark that a template can ask for.
        TemplatePart::Word(word) if word == ":" => {
            let before = tokens.get(at.wrapping_sub(1)).or_else(|| tokens.get(at));
            if before.is_some_and(|token| token.kind == Kind::Mark && token.text == ":") {
                step(rest, tokens, at, slots, found, most);
            }
        }
        TemplatePart::Word(word) => {
            if tokens.get(at).is_some_and(|token| token.kind == Kind::Word && token.text == *word) {
                step(rest, tokens, at + 1, slots, found, most);
            }
        }
        TemplatePart::Optional(inner) => {
            let with: Vec<&TemplatePart> = inner.iter().chain(rest.iter().copied()).collect();
            step(&with, tokens, at, slots, found, most);
            step(rest, tokens, at, slots, found, most);
        }
        TemplatePart::OneOf(all) => {
            for one in all {
                let with: Vec<&TemplatePart> = one.iter().chain(rest.iter().copied()).collect();
                step(&with, tokens, at, slots, found, most);
            }
        }
        TemplatePart::Slot(name) => {
            // Behind the last slot only the end of the template is left to be found.
            let ends: Box<dyn Iterator<Item = usize>> = if rest.is_empty() {
                Box::new(std::iter::once(tokens.len()))
            } else {
                Box::new(at + 1..=tokens.len())
            };
            for end in ends.filter(|end| *end > at) {
                slots.push((name.clone(), at, end));
                step(rest, tokens, end, slots, found, most);
                slots.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::tokens;

    fn slots(template: &str, text: &str) -> Vec<Vec<(String, String)>> {
        let all = tokens(text);
        let found = Template::read(template).unwrap().matches(&all, 10);
        let words = |from: usize, to: usize| {
            all[from..to].iter().map(|token| token.text.as_str()).collect::<Vec<_>>().join(" ")
        };
        found
            .into_iter()
            .map(|slots| slots.into_iter().map(|(name, from, to)| (name, words(from, to))).collect())
            .collect()
    }

    #[test]
    fn slots_take_what_stands_between_the_words() {
        let pair = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        assert_eq!(
            slots("(remove|take out) {target}", "Take out the Questions!"),
            [[pair("target", "the questions !")]]
        );
        assert_eq!(
            slots("move {target} [up] before {other}", "move it up before \"A b\""),
            [[pair("target", "it"), pair("other", "A b")], [pair("target", "it up"), pair("other", "A b")]]
        );
        assert!(slots("remove {target}", "remove").is_empty());
    }

    #[test]
    fn brackets_are_closed() {
        for broken in ["(a|b", "[a", "{a", "a)", "a|b"] {
            assert_eq!(Template::read(broken), None, "{broken}");
        }
    }
}
