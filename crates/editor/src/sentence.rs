//! Requests among what else a sentence says: reasons, remarks, and what these are about.
//!
//! Owners give reasons (`legal complained, so take the guarantee out`) and name a thing before they say what to do with it (`the video is
//! old, kill it`). A sentence that is no request as a whole is searched for the longest parts that are. Invariant: what limits a request
//! (`but keep the first`) is no remark; such a sentence is not understood.

use std::ops::Range;

use crate::act::{Act, Clause};
use crate::beginning::{asks, is_limit, orders};
use crate::language::Language;
use crate::parse::understand;
use crate::resolve::trimmed;
use crate::thing::Thing;
use crate::token::{Kind, Token};

/// The most tokens and the most parts of a sentence that is searched.
const MOST_TOKENS: usize = 60;
const MOST_PARTS: usize = 6;

/// A part of a sentence that asks for something, and what the remarks around it are about.
#[derive(Debug, Default)]
pub(crate) struct Wish<'t> {
    pub(crate) tokens: &'t [Token],
    pub(crate) about: Option<Thing>,
    /// What the remarks may be about, where that is not clear and the wish names nothing itself.
    pub(crate) unclear: Vec<Thing>,
}

/// What a sentence asks for beside what it only tells; nothing if no part of it is a request.
pub(crate) fn wishes<'t>(
    clause: &Clause<'_>,
    sentence: &'t [Token],
    languages: &[&'static Language],
    takes_refusals: bool,
) -> Option<Vec<Wish<'t>>> {
    let tokens = trimmed(sentence);
    let languages = languages.get(..2).unwrap_or(languages);
    let parts = parts(tokens, languages);
    if tokens.len() > MOST_TOKENS || !(2..=MOST_PARTS).contains(&parts.len()) {
        return None;
    }
    let search = Search { clause, tokens, parts: &parts, languages, takes_refusals };
    let mut found: Vec<(Range<usize>, Wish<'_>)> = Vec::new();
    search.within(0..parts.len(), &mut found);
    if found.is_empty() {
        return None;
    }
    for at in 0..parts.len() {
        if !found.iter().any(|(range, _)| range.contains(&at)) {
            let rest = search.span(&(at..at + 1));
            if is_limit(rest, languages) {
                return None;
            }
            // A place is that of what was spoken of; what asks for something is at least told to be not understood.
            if is_place(rest, languages) || seems_to_ask(clause, rest, languages) {
                found.push((at..at + 1, Wish { tokens: rest, ..Wish::default() }));
            }
        }
    }
    found.sort_by_key(|(range, _)| range.start);
    Some(found.into_iter().map(|(_, wish)| wish).collect())
}

/// What a sentence is about: the first thing on the page that it names.
pub(crate) fn subject(
    clause: &Clause<'_>,
    tokens: &[Token],
    languages: &[&'static Language],
) -> Option<Thing> {
    let language = languages.first().filter(|_| tokens.len() <= MOST_TOKENS)?;
    clause.resolver(language).mentioned(tokens).into_iter().next()
}

/// Whether words look like a request, whether or not a template has its verb.
pub(crate) fn seems_to_ask(clause: &Clause<'_>, tokens: &[Token], languages: &[&'static Language]) -> bool {
    asks(tokens, languages) || (orders(tokens, languages) && subject(clause, tokens, languages).is_some())
}

/// Whether words only tell a place: `right after the prices`.
fn is_place(tokens: &[Token], languages: &[&'static Language]) -> bool {
    languages.iter().any(|language| {
        let mut said = tokens.iter().skip_while(|token| language.is("particles", &token.text));
        said.next()
            .is_some_and(|token| language.is("below", &token.text) || language.is("above", &token.text))
    })
}

/// The parts of a sentence, as ranges of tokens: what is between marks, and from a word that begins a reason on.
fn parts(tokens: &[Token], languages: &[&'static Language]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while at < tokens.len() {
        let reasons = |language: &&'static Language| language.begins("reasons", &tokens[at..]);
        let begins = if at > start { languages.iter().find_map(reasons) } else { None };
        if tokens[at].kind == Kind::Mark {
            found.push(start..at);
            start = at + 1;
        } else if let Some(phrase) = begins {
            found.push(start..at);
            start = at + phrase.len();
            at = start.saturating_sub(1);
        }
        at += 1;
    }
    found.push(start..tokens.len());
    found.retain(|range| !range.is_empty());
    found
}

struct Search<'s, 't> {
    clause: &'s Clause<'s>,
    tokens: &'t [Token],
    parts: &'s [Range<usize>],
    languages: &'s [&'static Language],
    /// Whether a part that cannot be done is taken where none can be.
    takes_refusals: bool,
}

impl<'t> Search<'_, 't> {
    fn span(&self, range: &Range<usize>) -> &'t [Token] {
        let from = self.parts.get(range.start).map(|part| part.start);
        let to = range.end.checked_sub(1).and_then(|last| self.parts.get(last)).map(|part| part.end);
        from.zip(to).and_then(|(from, to)| self.tokens.get(from..to)).unwrap_or_default()
    }

    /// The longest request in a range of parts, and those on both sides of it.
    fn within(&self, range: Range<usize>, found: &mut Vec<(Range<usize>, Wish<'t>)>) {
        let (mut asked, mut refused) = (None, None);
        for length in (1..=range.len()).rev() {
            for start in range.start..=range.end - length {
                let here = start..start + length;
                let about = self.nearest(&here, |part| subject(self.clause, part, self.languages));
                let last = about.as_ref().or(self.clause.last);
                let clause = Clause { last, ..*self.clause };
                let tokens = self.span(&here);
                let wish = |unclear| Wish { tokens, about: about.clone(), unclear };
                match understand(&clause, tokens, self.languages).1 {
                    // `the page is too long` is a reason beside something else.
                    Act::Done { thing: Some(Thing::Page), .. } if length < self.parts.len() => {}
                    Act::Done { .. } | Act::Undo { .. } => {
                        self.take(here, wish(vec![]), range, found);
                        return;
                    }
                    Act::Ask(things) if asked.is_none() => {
                        let unclear = if things.is_empty() { self.unclear(&here) } else { vec![] };
                        if !(things.is_empty() && unclear.is_empty()) {
                            asked = Some((here, wish(unclear)));
                        }
                    }
                    Act::Refuse(_) if refused.is_none() => refused = Some((here, wish(vec![]))),
                    _ => {}
                }
            }
        }
        // Why something cannot be done is told where nothing else is asked for.
        let is_whole = range.len() == self.parts.len();
        if let Some((here, wish)) = asked.or_else(|| refused.filter(|_| is_whole && self.takes_refusals)) {
            self.take(here, wish, range, found);
        }
    }

    fn take(
        &self,
        here: Range<usize>,
        wish: Wish<'t>,
        range: Range<usize>,
        found: &mut Vec<(Range<usize>, Wish<'t>)>,
    ) {
        let (left, right) = (range.start..here.start, here.end..range.end);
        found.push((here, wish));
        for side in [left, right] {
            if !side.is_empty() {
                self.within(side, found);
            }
        }
    }

    /// What the nearest part before a range tells, else the nearest behind it.
    fn nearest<T>(&self, range: &Range<usize>, told: impl Fn(&'t [Token]) -> Option<T>) -> Option<T> {
        let nearest = (0..range.start).rev().chain(range.end..self.parts.len());
        nearest.map(|at| self.span(&(at..at + 1))).find_map(told)
    }

    /// The things of which the parts around a range name one, without saying which.
    fn unclear(&self, range: &Range<usize>) -> Vec<Thing> {
        let resolver = self.languages.first().map(|language| self.clause.resolver(language));
        let unclear = resolver.and_then(|resolver| self.nearest(range, |part| resolver.unclear(part)));
        unclear.unwrap_or_default()
    }
}
