//! What kind of fact a sentence is, by the words that are in it.

use crate::contact;
use crate::figure;
use crate::lexicon::Lexicon;
use crate::tidy;
use crate::words::Tokens;

/// What kind of fact a sentence is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A figure with what it means.
    Figure,
    /// Systems that it works with.
    Integration,
    /// A price.
    Price,
    /// A guarantee or a certificate.
    Guarantee,
    /// A place or hours.
    Place,
    /// Customers, years, references.
    Proof,
    /// What the reader can do next.
    NextStep,
    /// Anything else that is said.
    Feature,
}

/// The kind of a sentence.
pub fn kind(sentence: &str, lexicon: Option<&Lexicon>) -> Kind {
    kind_of(sentence, &Tokens::of(sentence), lexicon)
}

/// The same for a sentence whose words are known.
pub fn kind_of(sentence: &str, tokens: &Tokens, lexicon: Option<&Lexicon>) -> Kind {
    // Whoever is told a number or an address is asked to use it.
    if tokens.len() <= MOST_CONTACT
        && (contact::has_telephone(sentence) || contact::has_mail_address(sentence))
    {
        return Kind::NextStep;
    }
    let Some(lexicon) = lexicon else { return Kind::Feature };
    let kinds = &lexicon.kinds;
    let figures = figure::figures_of(sentence, tokens, lexicon);
    // Nobody pays millions for what a page offers: such a sum is insured, raised or turned over.
    let is_large = |text: &str| LARGE.iter().any(|unit| tidy::folded(text).contains(unit));
    let is_price =
        |figure: &figure::Figure| figure.is_money && !is_large(&sentence[figure.start..figure.end]);
    let money = figures.iter().any(is_price);
    let other = figures.iter().any(|figure| !is_price(figure));
    if money && !lexicon.numbers.saved.is_in(tokens) && !other {
        return Kind::Price;
    }
    if money && lexicon.numbers.price.is_in(tokens) && !lexicon.numbers.saved.is_in(tokens) {
        return Kind::Price;
    }
    if is_list_of_names(sentence, tokens, lexicon) {
        return Kind::Integration;
    }
    let asks = kinds.next_step.is_in(tokens);
    if asks && figures.is_empty() {
        return Kind::NextStep;
    }
    // One day alone is when something happens, not when somebody is there.
    let is_day = |at: usize| kinds.times.has(tokens.word(at).trim_end_matches('s'));
    let places: Vec<usize> = (0..tokens.len()).filter(|at| kinds.place.at(tokens, *at).is_some()).collect();
    let is_place = places.len() > 1
        || places
            .first()
            .is_some_and(|at| !is_day(*at) || sentence.contains(|char: char| char.is_ascii_digit()));
    let is_guarantee = kinds.guarantee.is_in(tokens);
    let tells_days = tells_days(tokens, lexicon);
    let are_hours = tells_days || is_place && figures.iter().all(|figure| !figure.has_unit);
    if !figures.is_empty() && !is_guarantee && !are_hours {
        return Kind::Figure;
    }
    if is_guarantee {
        return Kind::Guarantee;
    }
    if is_place || tells_days {
        return Kind::Place;
    }
    if kinds.proof.is_in(tokens) {
        return Kind::Proof;
    }
    Kind::Feature
}

/// Whether a sentence tells on which days somebody is there, as in a hurry: `lun a vie 9 a 19, sab hasta 14`.
fn tells_days(tokens: &Tokens, lexicon: &Lexicon) -> bool {
    let parts = || tokens.iter().flat_map(|word| word.split(['-', '–']));
    let days = parts().filter(|part| lexicon.kinds.short_days.has(part)).count();
    let has_hour = parts().any(|part| part.starts_with(|char: char| char.is_ascii_digit()));
    days > 1 && has_hour
}

/// The most words of a sentence that tells how the company is reached and little else.
const MOST_CONTACT: usize = 18;

/// What is behind an amount that is no price.
const LARGE: [&str; 6] = ["million", "millon", "milion", "mio", "mln", "billion"];

/// Whether a sentence says no more than what it works with.
fn is_list_of_names(sentence: &str, tokens: &Tokens, lexicon: &Lexicon) -> bool {
    names(sentence, tokens, lexicon).is_some()
}

/// The systems that a sentence lists: `It works with SAP, NetSuite and Dynamics.`
pub fn integrations(sentence: &str, tokens: &Tokens, lexicon: Option<&Lexicon>) -> Option<Vec<String>> {
    names(sentence, tokens, lexicon?)
}

fn names(sentence: &str, tokens: &Tokens, lexicon: &Lexicon) -> Option<Vec<String>> {
    let found = lexicon.kinds.integration.find(tokens)?;
    // The subject is short: what else it says would be lost.
    if found.start > 4 {
        return None;
    }
    let list = sentence[tokens.end(found.end - 1)..].trim().trim_end_matches(['.', '!', ';']);
    let list = list.trim_start_matches(':').trim();
    let items: Vec<String> = list
        .split([',', ';', '·', '|'])
        .flat_map(|part| split_joint(part.trim()))
        .map(|item| item.trim().to_owned())
        .filter(|item| !item.is_empty())
        .collect();
    let is_name = |item: &String| {
        let words: Vec<&str> = item.split_whitespace().collect();
        (1..=4).contains(&words.len())
            && tidy::length(item) <= 60
            && words.iter().any(|word| word.chars().any(|char| char.is_uppercase() || char.is_ascii_digit()))
            && !item.contains(['.', '?', '!', '(', ')', '"'])
            && !lexicon.grammar.we.has(&tidy::folded(words[0]))
            && !lexicon.grammar.you.has(&tidy::folded(words[0]))
    };
    (items.len() >= 2 && items.iter().all(is_name)).then_some(items)
}

/// Parts that a word such as `and` joins.
fn split_joint(part: &str) -> Vec<&str> {
    const JOINTS: [&str; 9] = [" and ", " & ", " und ", " sowie ", " et ", " y ", " e ", " en ", " or "];
    const LEADS: [&str; 8] = ["and ", "und ", "sowie ", "et ", "y ", "e ", "en ", "or "];
    let part = LEADS.iter().find_map(|lead| part.strip_prefix(lead)).unwrap_or(part);
    match JOINTS.iter().find_map(|joint| part.split_once(joint)) {
        Some((one, other)) => vec![one, other],
        None => vec![part],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon;

    #[test]
    fn sentences_are_classified() {
        let english = lexicon::of("en");
        for (text, wanted) in [
            ("A changeover takes 3 minutes instead of 40.", Kind::Figure),
            ("It works with SAP, NetSuite and Dynamics.", Kind::Integration),
            ("From 900 € a month, no fee per user.", Kind::Price),
            ("It saves a mid-size plant up to €12,000 a year.", Kind::Figure),
            ("The locking mechanism carries a ten-year warranty.", Kind::Guarantee),
            ("All data stays on servers in Frankfurt.", Kind::Guarantee),
            ("Open Monday to Friday from 7 to 18.", Kind::Place),
            ("Mon-Fri 8-17, Sat till noon.", Kind::Place),
            ("We sat 40 minutes in the sun of March.", Kind::Figure),
            ("A family business in the third generation.", Kind::Proof),
            ("A recall that took the whole of Monday now runs by itself.", Kind::Feature),
            ("Insured with £5 million liability cover.", Kind::Guarantee),
            ("Call us or come by for a coffee.", Kind::NextStep),
            ("Orders until 4 pm for the next day: 0341 555 0199.", Kind::NextStep),
            ("Write to orders@krume.example by noon.", Kind::NextStep),
            ("Every change has a name, a time and a reason.", Kind::Feature),
        ] {
            assert_eq!(kind(text, english), wanted, "{text}");
        }
    }

    #[test]
    fn days_in_short_are_hours_and_no_figures() {
        for (tag, text) in [
            ("es", "abierto lun a vie 9 a 19 sab hasta 14"),
            ("de", "Mo-Fr 8-18 Uhr"),
            ("fr", "du lun au ven 9h-19h"),
            ("nl", "ma t/m vr 9 tot 17 uur"),
            ("pl", "pn-pt 8-16"),
        ] {
            assert_eq!(kind(text, lexicon::of(tag)), Kind::Place, "{text}");
        }
        assert_eq!(kind("A 300 m del mar", lexicon::of("es")), Kind::Figure);
    }

    #[test]
    fn systems_are_listed_only_if_nothing_else_is_said() {
        let english = lexicon::of("en");
        let integrations = |text: &str, lexicon| integrations(text, &Tokens::of(text), lexicon);
        assert_eq!(
            integrations("It works with SAP Business One, NetSuite and Dynamics.", english).unwrap(),
            ["SAP Business One", "NetSuite", "Dynamics"]
        );
        assert_eq!(integrations("It works with the presses that you have.", english), None);
        assert_eq!(
            integrations("It connects to SAP and Oracle through an interface that we keep.", english),
            None
        );
    }
}
