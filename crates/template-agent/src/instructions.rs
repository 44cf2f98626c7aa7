//! What a brief asks of its writer, as far as the agent can do it; the rest is kept for the person who wrote it.

use crate::concern::Concerns;
use crate::fate;
use crate::language::Language;
use crate::lexicon::Lexicon;
use crate::stance;
use crate::tidy;
use crate::words::{Matcher, Tokens};

/// The most instructions that are kept because they were not understood.
const MOST_KEPT: usize = 50;

/// What a brief asks for.
#[derive(Debug, Default)]
pub struct Instructions {
    /// Whether only the most important is wanted.
    pub is_short: bool,
    /// Whether first names are not wanted.
    pub is_formal: bool,
    /// What the main button is to say.
    pub button: Option<String>,
    /// What nobody could carry out.
    pub not_understood: Vec<String>,
}

impl Instructions {
    /// Obeys an instruction as far as it is understood. Returns a fact that it holds: `Mention that we ship on Saturdays`.
    pub fn obey(&mut self, sentence: &str, concerns: &mut Concerns, language: Language) -> Option<String> {
        let Some(lexicon) = language.lexicon else {
            self.keep(sentence);
            return None;
        };
        let tokens = Tokens::of(sentence);
        let orders = &lexicon.instructions;
        if let Some(thing) = behind(sentence, &tokens, &orders.button) {
            self.button = Some(tidy::capital(&unquoted(&button(&thing))));
            return None;
        }
        let mut refused = false;
        for clause in clauses(sentence) {
            let tokens = Tokens::of(&clause);
            let before = before(&clause, &tokens, &orders.left_out);
            if let Some(things) = behind(&clause, &tokens, &orders.leave_out)
                .or(before)
                .or_else(|| stance::unwanted(&clause))
                .or_else(|| fate::unwanted(&clause, lexicon).map(str::to_owned))
            {
                concerns.refuse(&named(&things, lexicon));
                refused = true;
            }
        }
        if refused {
            return None;
        }
        let mut is_understood = false;
        let mut fact = None;
        if let Some(thing) = behind(sentence, &tokens, &orders.stress) {
            match after_that(&thing) {
                Some(rest) => {
                    concerns.stress(rest);
                    fact = Some(tidy::capital(rest));
                }
                None => concerns.stress(&thing),
            }
            is_understood = true;
        }
        if orders.short.is_in(&tokens) {
            self.is_short = true;
            is_understood = true;
        } else if orders.long.is_in(&tokens) {
            // A page has all the facts unless a short one is wanted.
            self.is_short = false;
            is_understood = true;
        }
        if lexicon.tone.informal.is_in(&tokens) {
            is_understood = true;
        } else if lexicon.tone.formal.is_in(&tokens) {
            self.is_formal = true;
            is_understood = true;
        }
        // The page is in its facts' language: an order for that one is carried out, one for another cannot be.
        let asked = orders
            .languages
            .iter()
            .filter(|(_, names)| names.iter().any(|name| tokens.iter().any(|word| word == name)));
        for (tag, _) in asked {
            is_understood |= tag == language.tag;
        }
        if !is_understood {
            self.keep(sentence);
        }
        fact
    }

    /// Keeps what was not understood.
    pub fn keep(&mut self, sentence: &str) {
        // What is left of a sentence can begin with the mark that stood before it.
        let text = tidy::line(sentence.trim_start_matches(|char: char| ".,;:!? ".contains(char)), 500);
        if self.not_understood.len() < MOST_KEPT
            && tidy::says_something(&text)
            && !self.not_understood.contains(&text)
        {
            self.not_understood.push(text);
        }
    }
}

/// The clauses of an instruction: each may ask for something else. A list of things stays together.
fn clauses(sentence: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for part in sentence.split_inclusive([',', ';']) {
        let is_item = part.split_whitespace().count() <= 3;
        match out.last_mut() {
            Some(last) if is_item => last.push_str(part),
            _ => out.push(part.to_owned()),
        }
    }
    out
}

/// What follows a sign in a sentence, up to the end of the clause.
fn behind(sentence: &str, tokens: &Tokens, signs: &Matcher) -> Option<String> {
    let found = signs.find(tokens)?;
    let rest = sentence[tokens.end(found.end - 1)..].trim_start_matches([' ', ':', ',', '=']);
    let end = rest.find(['.', ';', '!', '\n', '(']).unwrap_or(rest.len());
    let rest = rest[..end].trim();
    tidy::says_something(rest).then(|| rest.to_owned())
}

/// What is before a sign in its clause: `the van accident must not be mentioned`.
fn before(sentence: &str, tokens: &Tokens, signs: &Matcher) -> Option<String> {
    // `Bring out the guarantee` leaves nothing out: a word alone ends its clause.
    let found =
        signs.find(tokens).filter(|found| found.end - found.start > 1 || found.end == tokens.len())?;
    let at = tokens.start(found.start);
    let start = sentence[..at].rfind(['.', ';', ',', ':', '!', '?']).map_or(0, |start| start + 1);
    let thing = sentence[start..at].trim();
    tidy::says_something(thing).then(|| thing.to_owned())
}

/// The note and the fact of a sentence that asks to stress it: `They fear screens, so stress that we play on wooden boards`.
pub fn stressed_fact<'a>(sentence: &'a str, lexicon: &Lexicon) -> Option<(&'a str, String)> {
    let tokens = Tokens::of(sentence);
    let found = lexicon.instructions.stress.find(&tokens)?;
    let fact = behind(sentence, &tokens, &lexicon.instructions.stress)?;
    Some((sentence[..tokens.start(found.start)].trim(), tidy::capital(after_that(&fact)?)))
}

/// What follows `that`.
fn after_that(thing: &str) -> Option<&str> {
    let words = ["that ", "dass ", "que ", "qu'", "che ", "dat ", "att ", "że ", "ze "];
    let rest = words.iter().find_map(|word| thing.strip_prefix(word))?;
    // `…, perfect` is no part of it.
    const PRAISE: [&str; 9] =
        ["perfect", "great", "super", "top", "parfait", "perfecto", "perfetto", "perfeito", "perfekt"];
    let rest =
        rest.rsplit_once(", ").filter(|(_, last)| PRAISE.contains(last)).map_or(rest, |(rest, _)| rest);
    (rest.split_whitespace().count() >= 4).then_some(rest)
}

/// What a button says, without the verb before and what is said about it: `is the site visit, which is free`.
fn button(thing: &str) -> String {
    let leads =
        ["is ", "should be ", "should say ", "ist ", "soll ", "est ", "es ", "è ", "é ", "to be ", "= "];
    let bare = leads.iter().find_map(|lead| thing.strip_prefix(lead)).unwrap_or(thing);
    bare.split_once(", ").map_or(bare, |(button, _)| button).to_owned()
}

fn unquoted(text: &str) -> String {
    tidy::line(text.trim_matches(|char: char| "\"“”„‟«»‘’'.".contains(char) || char.is_whitespace()), 100)
}

/// The things of a list, without the reasons behind it: `leasing, that programme is dead` is leasing.
fn named(things: &str, lexicon: &Lexicon) -> String {
    let mut kept = Vec::new();
    for (at, part) in things.split(',').enumerate() {
        let part = part.trim();
        let tokens = Tokens::of(part);
        let is_reason = at > 0
            && (tokens.len() > 4
                || lexicon.grammar.leans.begins(&tokens).is_some_and(|end| end < tokens.len())
                    && !matches!(tokens.word(0), "and" | "or" | "und" | "oder"));
        if is_reason {
            break;
        }
        let until = lexicon.instructions.left_out.find(&tokens).filter(|found| found.start > 0);
        let end = until.map_or(part.len(), |found| tokens.start(found.start));
        let mut thing = part[..end].trim();
        while let Some((first, rest)) = thing.split_once(' ')
            && (matches!(first, "the" | "The" | "any" | "a" | "an")
                || lexicon.grammar.articles.has(&tidy::folded(first))
                || lexicon.kinds.empty.has(&tidy::folded(first)))
        {
            thing = rest;
        }
        kept.push(thing);
    }
    kept.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn english() -> Language {
        Language::of_texts(&["This is a text that anyone can tell to be English."])
    }

    fn after(orders: &[&str]) -> (Instructions, Concerns, Vec<String>) {
        let (mut instructions, mut concerns) = (Instructions::default(), Concerns::of(english()));
        let facts =
            orders.iter().filter_map(|order| instructions.obey(order, &mut concerns, english())).collect();
        (instructions, concerns, facts)
    }

    #[test]
    fn what_is_understood_is_obeyed_and_the_rest_is_kept() {
        let (instructions, concerns, _) = after(&[
            "Keep it formal and short.",
            "Leave out the reference customer, they have not agreed yet.",
            "CTA should be \"Book a visit\".",
            "Make it pop like the Q3 one.",
            "Write it in English.",
            "Write it in Klingon and German.",
        ]);
        assert!(instructions.is_formal && instructions.is_short);
        assert_eq!(instructions.button.as_deref(), Some("Book a visit"));
        assert!(concerns.refuses("Our reference customer is Holloway"));
        assert_eq!(
            instructions.not_understood,
            ["Make it pop like the Q3 one.", "Write it in Klingon and German."]
        );
    }

    #[test]
    fn a_fact_within_an_instruction_is_found() {
        let (_, concerns, facts) = after(&["Mention that we already serve six hotels in Leith."]);
        assert_eq!(facts, ["We already serve six hotels in Leith"]);
        assert!(concerns.weight("We already serve six hotels in Leith") >= 10);
    }
}
