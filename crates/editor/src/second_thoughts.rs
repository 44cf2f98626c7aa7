//! Owners who correct themselves within a message: `remove the figures, no wait, the quotes`.
//!
//! A correction replaces the part of the message before it. A word such as `no` begins one only with a comma behind it and before a request: it
//! is in texts as well.

use crate::act::{Act, Clause};
use crate::language::{Language, Phrase};
use crate::parse;
use crate::resolve::trimmed;
use crate::token::{Kind, Token};

/// The words with which somebody thinks again who goes on in the same part of a sentence.
const CLEAR: [&str; 11] = ["or", "oder", "ou", "o", "no", "nope", "nein", "nee", "non", "wait", "scratch"];
/// The most tokens of a request that is said again with something else in it.
const MOST_TOKENS: usize = 16;
/// The most tokens of what takes back what was said before. It is looked for at each word: `no, no, no …` has thousands.
const MOST_WITHDRAWN: usize = 40;

/// How clear it is that a part of a sentence takes the place of what was said before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Correction {
    /// It is not: it goes on.
    None,
    /// It begins with `no,`.
    Perhaps,
    /// It begins with `no wait` or the like.
    Surely,
}

/// A part of a sentence.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SentencePart<'t> {
    pub(crate) correction: Correction,
    /// With the words that say that somebody thinks again.
    pub(crate) whole: &'t [Token],
    /// Without them.
    pub(crate) rest: &'t [Token],
}

/// The parts of a sentence, divided where somebody thinks again.
pub(crate) fn parts<'t>(sentence: &'t [Token], languages: &[&'static Language]) -> Vec<SentencePart<'t>> {
    let mut found = vec![];
    let (mut start, mut said, mut correction, mut at) = (0, 0, Correction::None, 0);
    let part = |correction, start, said, end| SentencePart {
        correction,
        whole: sentence.get(start..end).unwrap_or_default(),
        rest: sentence.get(said..end).unwrap_or_default(),
    };
    while at < sentence.len() {
        let Some((begun, length)) = begins(&sentence[..at], &sentence[at..], languages) else {
            at += 1;
            continue;
        };
        found.push(part(correction, start, said, at));
        (start, said, correction) = (at, at + length, begun);
        at = said;
    }
    found.push(part(correction, start, said, sentence.len()));
    found.retain(|part| !trimmed(part.whole).is_empty());
    found
}

/// Whether somebody thinks again here, and how many tokens say so.
fn begins(
    before: &[Token],
    tokens: &[Token],
    languages: &[&'static Language],
) -> Option<(Correction, usize)> {
    if let Some(length) = withdrawal(before, tokens, languages) {
        return Some((Correction::Surely, length));
    }
    // Within a part only what cannot be anything else: `the headline or maybe not`, but not `a headline that is maybe not so long`.
    let follows_a_mark = before.last().is_none_or(is_mark);
    let may_begin = |phrase: &&Phrase| {
        follows_a_mark || phrase.first().is_some_and(|first| CLEAR.contains(&first.as_str()))
    };
    let longest = |list: &str| {
        let languages = languages.iter().take(2);
        let phrases = languages.flat_map(|language| language.phrases(list));
        phrases.filter(may_begin).filter_map(|phrase| length(phrase, tokens)).max()
    };
    if let Some(length) = longest("second-thoughts") {
        return Some((Correction::Surely, length));
    }
    let length = longest("denials").filter(|_| follows_a_mark)?;
    let behind = &tokens[length..];
    if before.is_empty() && behind.iter().all(is_mark) {
        return Some((Correction::Surely, length));
    }
    behind.first().is_some_and(is_comma).then_some((Correction::Perhaps, length))
}

/// How many tokens take back what was said before and ask for nothing else: `no, never mind, leave them`. Nothing if others are behind them.
fn withdrawal(before: &[Token], tokens: &[Token], languages: &[&'static Language]) -> Option<usize> {
    let languages = languages.get(..2).unwrap_or(languages);
    let longest = |list: &str, at: usize| {
        let phrases = languages.iter().flat_map(|language| language.phrases(list));
        phrases.filter_map(|phrase| length(phrase, &tokens[at..])).max()
    };
    let says_nothing =
        |token: &Token| is_mark(token) || languages.iter().any(|language| language.has("particles", token));
    if tokens.first().is_none_or(is_mark) || tokens.len() > MOST_WITHDRAWN {
        return None;
    }
    let (mut at, mut takes_back) = (0, false);
    while at < tokens.len() {
        let length = longest("withdrawals", at);
        // In the middle of a part some word must begin it: `actually keep them`.
        if at == 0 && length.is_some() && !before.last().is_none_or(is_mark) {
            return None;
        }
        takes_back |= length.is_some();
        let other = || longest("second-thoughts", at).or_else(|| longest("denials", at));
        let quiet = || says_nothing(&tokens[at]).then_some(1);
        at += length.or_else(other).or_else(quiet)?;
    }
    takes_back.then_some(tokens.len())
}

/// How many tokens a phrase takes, with the commas between its words.
fn length(phrase: &[String], tokens: &[Token]) -> Option<usize> {
    let mut at = 0;
    for (number, word) in phrase.iter().enumerate() {
        at += usize::from(number > 0 && tokens.get(at).is_some_and(is_comma));
        tokens.get(at).filter(|token| token.kind == Kind::Word && token.text == *word)?;
        at += 1;
    }
    Some(at)
}

fn is_mark(token: &Token) -> bool {
    token.kind == Kind::Mark
}

fn is_comma(token: &Token) -> bool {
    is_mark(token) && token.text == ","
}

/// What is where somebody thinks again.
pub(crate) enum Again {
    /// Nobody does.
    Not,
    /// Another request.
    Instead,
    /// The same request with something else in it.
    Saying(Vec<Token>),
    /// Nothing more.
    Done,
}

/// What a part of a message says instead of the one before it. The clause is the page as it was before both.
pub(crate) fn again(
    clause: &Clause<'_>,
    (before, part): (&[Token], &SentencePart<'_>),
    languages: &[&'static Language],
) -> Again {
    let rest = trimmed(part.rest);
    let is_sure = part.correction == Correction::Surely;
    if rest.is_empty() {
        return if is_sure { Again::Done } else { Again::Not };
    }
    for request in parse::requests(clause, rest, languages) {
        match parse::understand(clause, request, languages).1 {
            Act::Undo { .. } => return Again::Done,
            Act::Done { .. } | Act::Refuse(_) => return Again::Instead,
            act if is_sure && act.is_request() => return Again::Instead,
            _ => {}
        }
    }
    match said_again(clause, before, rest, languages) {
        Some(tokens) => Again::Saying(tokens),
        None if is_sure => Again::Instead,
        None => Again::Not,
    }
}

/// A request with another thing, or another quotation, in the place of the one that it names.
fn said_again(
    clause: &Clause<'_>,
    request: &[Token],
    other: &[Token],
    languages: &[&'static Language],
) -> Option<Vec<Token>> {
    let request = trimmed(request);
    if request.len() > MOST_TOKENS {
        return None;
    }
    let is_quotation = |tokens: &[Token]| matches!(tokens, [one] if one.kind == Kind::Quote);
    let names = |tokens: &[Token]| {
        let found = |language: &&'static Language| clause.resolver(language).find(tokens);
        languages.iter().take(2).map(found).any(|found| found.is_on_the_page())
    };
    let is_number = |tokens: &[Token]| matches!(tokens, [one] if one.is_number());
    // `by Porto, no, by Lisbon`
    let is_told_alike = |tokens: &[Token]| {
        tokens.len() > 1
            && tokens.first().map(|one| &one.text) == other.first().map(|one| &one.text)
            && languages.iter().take(2).any(|language| language.has("small", &tokens[0]))
    };
    let fits: &dyn Fn(&[Token]) -> bool = if is_quotation(other) {
        &is_quotation
    } else if is_number(other) {
        &is_number
    } else if is_told_alike(other) {
        &is_told_alike
    } else {
        &names
    };
    if !fits(other) {
        return None;
    }
    for length in (1..request.len()).rev() {
        for start in 1..=request.len() - length {
            let (left, rest) = request.split_at(start);
            let (own, right) = rest.split_at(length);
            if !fits(own) {
                continue;
            }
            let again = [left, other, right].concat();
            if parse::understand(clause, &again, languages).1.is_request() {
                return Some(again);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::tokens;

    #[test]
    fn a_sentence_is_divided_where_somebody_thinks_again() {
        let languages = crate::language::ordered("remove the", Some("en"));
        let cases: [(&str, &[&str]); 8] = [
            ("Remove the figures, no wait, the quotes", &["remove the figures ,", "!, the quotes"]),
            ("Hide the features, no, the figures", &["hide the features ,", "?, the figures"]),
            ("No, shorten them", &["?, shorten them"]),
            ("Actually no, move it", &["!, move it"]),
            ("No limits, no fees", &["no limits , no fees"]),
            ("Say \"No, never\"", &["say No, never"]),
            ("Remove the figures, no, leave them", &["remove the figures ,", "!"]),
            ("Remove it, actually keep it short", &["remove it , actually keep it short"]),
        ];
        for (text, expected) in cases {
            let all = tokens(text);
            let told: Vec<String> = parts(&all, &languages)
                .into_iter()
                .map(|part| {
                    let words: Vec<&str> = part.rest.iter().map(|token| token.text.as_str()).collect();
                    let sign = match part.correction {
                        Correction::None => "",
                        Correction::Perhaps => "?",
                        Correction::Surely => "!",
                    };
                    format!("{sign}{}", words.join(" "))
                })
                .collect();
            assert_eq!(told, expected, "{text}");
        }
    }
}
