//! A message as requests: where one ends and the next begins, and which template a request fits.
//!
//! Invariant: a message is split at `and` only where both halves are requests by themselves, or where one is and the other seems to be, which is then
//! said to be not understood; else it is one.

use std::collections::{HashMap, HashSet};

use crate::act::{Act, Clause};
use crate::beginning::{asks, is_limit, orders, without_polite};
use crate::language::{Language, Phrase};
use crate::resolve::trimmed;
use crate::template::Slots;
use crate::token::{Kind, Token, starts_with};

/// The most tokens of a request.
const MOST_TOKENS: usize = 150;
/// The most tokens of a request that is looked at for a second one.
const MOST_TO_SPLIT: usize = 60;
/// The fewest and the most letters of a verb that may be misspelt.
const LEAST_OF_A_VERB: usize = 3;
const MOST_OF_A_VERB: usize = 20;
/// In how many ways a template may fit.
const MOST_WAYS: usize = 16;

/// Words that are written with a point, without it.
const ABBREVIATIONS: [&str; 12] =
    ["dr", "mr", "mrs", "ms", "prof", "st", "nr", "no", "inc", "sr", "sra", "mme"];

/// The sentences of a message.
pub(crate) fn sentences(tokens: &[Token]) -> Vec<&[Token]> {
    let ends = |token: &Token| {
        token.kind == Kind::Mark && matches!(token.text.as_str(), "." | "!" | "?" | ";" | "\n")
    };
    let mut found = Vec::new();
    let mut start = 0;
    for (at, token) in tokens.iter().enumerate() {
        // A point within an address or an abbreviation has no space behind it.
        let touches =
            tokens.get(at + 1).is_some_and(|next| next.start == token.end && next.kind == Kind::Word);
        let is_short =
            at > 0 && tokens.get(at - 1).is_some_and(|before| ABBREVIATIONS.contains(&before.text.as_str()));
        // `Question: Is it safe? Answer: Yes.`
        let is_told_on = token.text == "?"
            && tokens.get(at + 2).is_some_and(|mark| mark.kind == Kind::Mark && mark.text == ":");
        if ends(token) && !(token.text == "." && (touches || is_short)) && !is_told_on {
            found.push(tokens.get(start..=at).unwrap_or_default());
            start = at + 1;
        }
    }
    found.push(tokens.get(start..).unwrap_or_default());
    found.retain(|sentence| !trimmed(sentence).is_empty());
    found
}

/// The requests of a sentence.
pub(crate) fn requests<'t>(
    clause: &Clause<'_>,
    sentence: &'t [Token],
    languages: &[&'static Language],
) -> Vec<&'t [Token]> {
    let tokens = trimmed(sentence);
    if tokens.len() > MOST_TO_SPLIT {
        return vec![tokens];
    }
    Split { clause, languages, known: HashMap::new(), parts: HashMap::new() }.parts(tokens)
}

/// A sentence as it is divided. What was found out of a part is kept: the same part is in many divisions.
struct Split<'s, 't> {
    clause: &'s Clause<'s>,
    languages: &'s [&'static Language],
    /// Whether the part between two places of the message is a request.
    known: HashMap<(usize, usize), bool>,
    /// The requests from a place on.
    parts: HashMap<usize, Vec<&'t [Token]>>,
}

impl<'t> Split<'_, 't> {
    /// The requests of the rest of a sentence.
    fn parts(&mut self, tokens: &'t [Token]) -> Vec<&'t [Token]> {
        let Some(start) = tokens.first().map(|token| token.start) else { return vec![tokens] };
        if let Some(known) = self.parts.get(&start) {
            return known.clone();
        }
        let found = self.wholly(tokens).or_else(|| self.partly(tokens)).unwrap_or_else(|| vec![tokens]);
        self.parts.insert(start, found.clone());
        found
    }

    /// As requests that are all understood; nothing if it is not to be divided so and is none as a whole.
    fn wholly(&mut self, tokens: &'t [Token]) -> Option<Vec<&'t [Token]>> {
        for (before, behind) in joints(tokens, self.languages) {
            let (left, right) = (trimmed(&tokens[..before]), trimmed(&tokens[behind..]));
            if left.is_empty() || right.is_empty() || !self.is_request(left) {
                continue;
            }
            let others = self.parts(right);
            if others.iter().all(|other| self.is_request(other)) {
                return Some(std::iter::once(left).chain(others).collect());
            }
        }
        self.is_request(tokens).then(|| vec![tokens])
    }

    /// As parts of which some can be carried out, and the others seem to ask for something as well: these are told. It falls apart at the first place
    /// where it can.
    fn partly(&mut self, tokens: &'t [Token]) -> Option<Vec<&'t [Token]>> {
        let languages = self.languages;
        let seems = |tokens: &[Token]| asks(tokens, languages) || orders(tokens, languages);
        let falls_apart = |(before, behind): &(usize, usize)| {
            let (left, right) = (trimmed(&tokens[..*before]), trimmed(&tokens[*behind..]));
            let joint = &tokens[*before..*behind];
            let goes_on = is_sequel(joint, languages)
                || (seems(right) && joint.iter().any(|token| token.kind == Kind::Word));
            let limits = || [left, right].iter().any(|part| is_limit(part, languages));
            !left.is_empty() && !right.is_empty() && goes_on && seems(left) && !limits()
        };
        let (before, behind) = joints(tokens, languages).into_iter().find(falls_apart)?;
        let mut parts = vec![trimmed(&tokens[..before])];
        parts.extend(self.parts(trimmed(&tokens[behind..])));
        let is_understood = |part: &&'t [Token]| {
            self.is_request(part) || matches!(understand(self.clause, part, languages).1, Act::Refuse(_))
        };
        parts.iter().any(is_understood).then_some(parts)
    }

    fn is_request(&mut self, tokens: &[Token]) -> bool {
        let place = tokens.first().zip(tokens.last()).map(|(first, last)| (first.start, last.end));
        let place = place.unwrap_or_default();
        if let Some(known) = self.known.get(&place) {
            return *known;
        }
        let act = understand(self.clause, tokens, self.languages).1;
        let is_request = matches!(act, Act::Done { .. } | Act::Undo { .. } | Act::Ask(_) | Act::AskFor(_));
        self.known.insert(place, is_request);
        is_request
    }
}

/// Whether the words between two parts are before another request: `then`, `and also`, and not `and` alone.
fn is_sequel(joint: &[Token], languages: &[&'static Language]) -> bool {
    let words: Vec<&Token> = joint.iter().filter(|token| token.kind == Kind::Word).collect();
    match words.as_slice() {
        [] => false,
        [word] => !languages.iter().take(2).any(|language| language.is("lists", &word.text)),
        _ => true,
    }
}

/// Where a sentence may fall into two: the end of the first part, the start of the second.
fn joints(tokens: &[Token], languages: &[&'static Language]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for at in 1..tokens.len() {
        let mut behind = at;
        if tokens.get(at).is_some_and(|token| token.kind == Kind::Mark && token.text == ",") {
            behind += 1;
        }
        for language in languages.iter().take(2) {
            if let Some(phrase) = language.begins("joins", &tokens[behind..]) {
                found.push((at, behind + phrase.len()));
            }
        }
        if behind > at {
            found.push((at, behind));
        }
    }
    found.truncate(12);
    found
}

/// What a request asks for, in the first language in which it can be carried out.
pub(crate) fn understand(
    clause: &Clause<'_>,
    tokens: &[Token],
    languages: &[&'static Language],
) -> (&'static Language, Act) {
    let mut best: Option<(&'static Language, Act)> = None;
    for language in languages {
        let of_page = clause.document.content.head.language.as_deref();
        let may_respell =
            std::ptr::eq(*language, languages[0]) || of_page.is_some_and(|tag| tag.starts_with(language.tag));
        let act = in_language(clause, tokens, language, may_respell);
        if act.rank() == 0 {
            return (language, act);
        }
        if best.as_ref().is_none_or(|(_, known)| act.rank() < known.rank()) {
            best = Some((language, act));
        }
    }
    match (best, languages.first()) {
        (Some(best), _) => best,
        (None, Some(language)) => (language, Act::NotUnderstood),
        // There is always a language.
        (None, None) => (crate::language::ordered("", None)[0], Act::NotUnderstood),
    }
}

/// What tokens ask for in a language; with a misspelt verb only where the language is that of the message or of the page: `merge` is not `merke`.
fn in_language(clause: &Clause<'_>, tokens: &[Token], language: &'static Language, may_respell: bool) -> Act {
    let mut best = Act::NotUnderstood;
    if tokens.len() > MOST_TOKENS {
        return best;
    }
    let front = without_polite(tokens, language);
    let mut forms = vec![without_please(front, language)];
    let ends = without_ends(forms[0], language);
    if ends.len() < forms[0].len() {
        forms.push(ends);
    }
    if front.len() < tokens.len() {
        forms.push(without_please(trimmed(tokens), language));
    }
    // `FAQ bitte ganz raus`
    let says_nothing = |token: &Token| language.has("particles", token);
    let without_particles = |tokens: &[Token]| {
        let mut kept = Vec::new();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            match language.begins("degrees", &tokens[at..]) {
                Some(phrase) => at += phrase.len(),
                None => {
                    if !says_nothing(token) {
                        kept.push(token.clone());
                    }
                    at += 1;
                }
            }
        }
        kept
    };
    let (rest, rest_of_front) = (without_particles(tokens), without_particles(front));
    for rest in [&rest_of_front, &rest] {
        if rest.len() < tokens.len() {
            let rest = without_please(without_polite(rest, language), language);
            forms.extend([rest, without_ends(rest, language)]);
        }
    }
    let respelled =
        Some(front).filter(|_| may_respell).and_then(|front| with_respelled_verb(front, language));
    if let Some(respelled) = &respelled {
        forms.push(without_ends(without_please(respelled, language), language));
    }
    let bare = forms_without_endings(front, language);
    if let Some(bare) = &bare {
        let bare = without_please(without_polite(bare, language), language);
        forms.extend([bare, without_ends(bare, language)]);
    }
    let mut tried: Vec<&[Token]> = Vec::new();
    for form in forms {
        if tried.contains(&form) {
            continue;
        }
        tried.push(form);
        let words: HashSet<&str> = form.iter().map(|token| token.text.as_str()).collect();
        for (name, template) in language.templates.iter().filter(|(_, one)| one.may_fit(&words)) {
            for slots in template.matches(form, MOST_WAYS) {
                let slots: Slots = slots;
                let Some(act) = clause.act(language, name, form, &slots) else { continue };
                if act.rank() == 0 {
                    return act;
                }
                if act.rank() < best.rank() {
                    best = act;
                }
            }
        }
    }
    // What is only known by what it holds is known so in the language of the message or of the page.
    if !may_respell {
        return best;
    }
    // `now` is polite at the beginning of a request, and says that something has changed.
    match clause.frame(language, front).or_else(|| clause.frame(language, trimmed(tokens))) {
        Some(act) if act.rank() < best.rank() => act,
        _ => best,
    }
}

/// With the first word as the one verb that it is a letter from; nothing if it is a verb, or near none or several.
fn with_respelled_verb(tokens: &[Token], language: &Language) -> Option<Vec<Token>> {
    let (first, rest) = tokens.split_first()?;
    let is_a_verb = (LEAST_OF_A_VERB..=MOST_OF_A_VERB).contains(&first.text.chars().count());
    let is_known = ["request-words", "articles", "small"].iter().any(|list| language.is(list, &first.text));
    // `Antwort: Nein` names a part and does not ask to answer.
    if first.kind != Kind::Word || !is_a_verb || is_known || language.is_noun(&first.text) {
        return None;
    }
    let initial = first.text.chars().next();
    let mut near = language.words("request-words").filter(|word| {
        word.chars().next() == initial
            && word.len() > LEAST_OF_A_VERB
            && strsim::damerau_levenshtein(word, &first.text) == 1
    });
    let verb = near.next().filter(|_| near.next().is_none())?;
    Some(std::iter::once(Token { text: verb.clone(), ..first.clone() }).chain(rest.iter().cloned()).collect())
}

/// With pronouns that are a part of the verb as words (`quítalo`, `mettez-le`), and verbs that ask as those that order (`fügst du`);
/// nothing if there are none.
fn forms_without_endings(tokens: &[Token], language: &Language) -> Option<Vec<Token>> {
    let orders = |stem: &str| language.is("request-words", stem);
    let mut changed = false;
    let mut found: Vec<Token> = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        at += 1;
        let ending = |suffix: &Phrase| {
            let stem = token.text.strip_suffix(suffix.first()?.as_str())?;
            orders(stem).then(|| (stem.to_owned(), suffix.clone()))
        };
        if token.kind != Kind::Word || orders(&token.text) || language.is("particles", &token.text) {
            found.push(token.clone());
        } else if let Some((stem, suffix)) = language.phrases("enclitics").iter().find_map(ending) {
            found.push(Token { text: stem, ..token.clone() });
            let pronoun = suffix.concat().trim_start_matches('-').to_owned();
            if !language.is("datives", &pronoun) {
                found.push(Token { text: pronoun, ..token.clone() });
            }
            changed = true;
        } else if let Some((stem, suffix)) = language.phrases("asking").iter().find_map(ending)
            && starts_with(tokens.get(at..).unwrap_or_default(), &suffix[1..])
        {
            found.push(Token { text: stem, ..token.clone() });
            at += suffix.len() - 1;
            changed = true;
        } else {
            found.push(token.clone());
        }
    }
    if changed && let Some(says) = found.iter().position(|token| !language.is("particles", &token.text)) {
        found.drain(..says);
    }
    changed.then(|| found.into_iter().filter(|token| !language.is("particles", &token.text)).collect())
}

fn without_please<'t>(tokens: &'t [Token], language: &Language) -> &'t [Token] {
    without_last(tokens, language.phrases("please"))
}

pub(crate) fn without_ends<'t>(tokens: &'t [Token], language: &Language) -> &'t [Token] {
    without_last(tokens, language.phrases("polite-end"))
}

pub(crate) fn without_last<'t>(tokens: &'t [Token], phrases: &[Phrase]) -> &'t [Token] {
    let mut tokens = trimmed(tokens);
    while let Some(phrase) = phrases.iter().find(|phrase| {
        tokens.len() > phrase.len() && starts_with(&tokens[tokens.len() - phrase.len()..], phrase)
    }) {
        tokens = trimmed(&tokens[..tokens.len() - phrase.len()]);
    }
    tokens
}
