//! How requests begin: with words of politeness, and with a verb.

use crate::language::Language;
use crate::resolve::trimmed;
use crate::token::{Kind, Token};

/// Without words of politeness before a request.
pub(crate) fn without_polite<'t>(tokens: &'t [Token], language: &Language) -> &'t [Token] {
    let mut tokens = trimmed(tokens);
    while let Some(phrase) = language.begins("polite", tokens)
        && phrase.len() < tokens.len()
    {
        tokens = trimmed(&tokens[phrase.len()..]);
    }
    tokens
}

/// Whether words look like a request: they begin as a template does.
pub(crate) fn asks(tokens: &[Token], languages: &[&'static Language]) -> bool {
    languages.iter().take(2).any(|language| {
        let first = without_polite(trimmed(tokens), language).first();
        first.is_some_and(|first| language.has("request-words", first) || language.has("small-verbs", first))
    })
}

/// Whether words begin with one that is before a noun as verbs do in an order: `paint the figures green`, `blow up the hero`.
pub(crate) fn orders(tokens: &[Token], languages: &[&'static Language]) -> bool {
    languages.iter().take(2).any(|language| {
        let says_nothing = |token: &&Token| language.has("particles", token);
        let said = without_polite(trimmed(tokens), language).iter().skip_while(says_nothing);
        let is_verb = |token: &Token| {
            let others =
                ["articles", "of", "about", "tails", "lists", "pointing", "below", "above", "common"];
            token.kind == Kind::Word && !others.iter().any(|list| language.is(list, &token.text))
        };
        let mut rest = said.peekable();
        if !rest.next().is_some_and(is_verb) {
            return false;
        }
        rest.next_if(|token| language.has("phrasal", token));
        rest.next().is_some_and(|token| language.has("articles", token))
    })
}

/// Whether words say what a request shall leave alone.
pub(crate) fn is_limit(tokens: &[Token], languages: &[&'static Language]) -> bool {
    languages.iter().any(|language| {
        let first = tokens.iter().take_while(|token| language.is("particles", &token.text)).count();
        language.begins("limits", &tokens[first..]).is_some() && language.first_of("stays", tokens).is_none()
    })
}
