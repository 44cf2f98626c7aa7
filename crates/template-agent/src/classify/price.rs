//! Prices in a sentence, each with what it is the price of: `A single class is £11, ten cost £90.`
//!
//! Invariant: besides the words between a name and its price (`is`, `costs`, `from`) no word of the sentence is lost.

use pagesmith_model::content::part::PricePlan;

use crate::clause;
use crate::count::words;
use crate::figure::{self, Figure};
use crate::kind::Kind;
use crate::lexicon::Lexicon;
use crate::material::Fact;
use crate::tidy;
use crate::words::Tokens;

/// The most words of what a price is for.
const MOST_NAME: usize = 7;
/// The most words of what else is said about it.
const MOST_TEXT: usize = 40;

/// Between what is sold and its price.
const LINKS: [&str; 35] = [
    "is", "are", "costs", "cost", "at", "for", "kostet", "kosten", "für", "ist", "sind", "zu", "coûte",
    "coûtent", "à", "est", "sont", "cuesta", "cuestan", "es", "son", "a", "custa", "custam", "é", "são",
    "costa", "costano", "è", "sono", "kost", "voor", "kosztuje", "kostar", "de",
];
/// Before an amount that is the least one.
const FROM: [&str; 16] = [
    "from",
    "starting at",
    "starts at",
    "only",
    "just",
    "ab",
    "nur",
    "dès",
    "à partir de",
    "desde",
    "a partir de",
    "da",
    "a partire da",
    "vanaf",
    "od",
    "från",
];
/// Before what an amount is paid for or how often.
const PER: [&str; 7] = ["per", "pro", "par", "por", "je", "za", "als"];
/// Between two prices.
const JOINTS: [&str; 14] = [
    ", and ", "; ", ", ", ". ", " and ", ", und ", " und ", ", et ", " et ", " y ", " e ", " en ", " · ",
    " | ",
];

/// Whether a fact is a price with a name.
pub fn has_plans(fact: &Fact, lexicon: Option<&Lexicon>) -> bool {
    fact.kind == Kind::Price && lexicon.is_some_and(|lexicon| plans(fact.text.plain(), lexicon).is_some())
}

/// The prices of a sentence; nothing if one of them has no name.
pub fn plans(sentence: &str, lexicon: &Lexicon) -> Option<Vec<PricePlan>> {
    let text = tidy::one_line(sentence.trim().trim_end_matches(['.', '。', ';', ',', '!']));
    let all: Vec<Figure> =
        figure::figures(&text, lexicon).into_iter().filter(|figure| figure.is_money).collect();
    let (mut starts, mut ends) = (vec![0], Vec::new());
    for pair in all.windows(2) {
        let between = &text[pair[0].end..pair[1].start];
        let cuts = JOINTS.iter().filter_map(|joint| Some((between.rfind(joint)? + joint.len(), joint.len())));
        let (end, joint) = cuts.max()?;
        ends.push(pair[0].end + end - joint);
        starts.push(pair[0].end + end);
    }
    ends.push(text.len());
    let plan = |((start, end), figure): ((usize, usize), &Figure)| {
        plan(&text[start..end], figure.start - start, figure.end - start, start > 0, lexicon)
    };
    let plans: Option<Vec<PricePlan>> = starts.iter().copied().zip(ends).zip(&all).map(plan).collect();
    plans.filter(|plans| !plans.is_empty())
}

/// A clause with its amount at these bytes; one that goes on with a list of prices needs no word between name and price.
fn plan(clause: &str, start: usize, end: usize, goes_on: bool, lexicon: &Lexicon) -> Option<PricePlan> {
    // `from 2,400 €` is not 2,400 €.
    let lead = clause[..start].trim_end();
    let from = FROM.iter().find_map(|from| {
        let before = lead.len().checked_sub(from.len())?;
        let is_word = lead.is_char_boundary(before)
            && tidy::folded(&lead[before..]) == *from
            && !lead[..before].ends_with(char::is_alphanumeric);
        is_word.then_some(before)
    });
    let start = from.unwrap_or(start);
    let name = name(&clause[..start], goes_on || from.is_some(), lexicon)?;
    let rest = &clause[end..];
    let end = end + rest.len() - rest.trim_start().len();
    let unit = unit(&clause[end..], lexicon);
    let price = clause[start..end + unit].trim();
    let text = clause[end + unit..].trim_matches([' ', ',', ';', ':', '–', '—', '-', '.']);
    let text = without_joint(text);
    let fits = tidy::length(price) <= 80 && words(text) <= MOST_TEXT && tidy::length(text) <= 600;
    fits.then(|| PricePlan {
        name,
        price: Some(tidy::capital(price)),
        text: tidy::capital(text),
        points: Vec::new(),
        action_id: None,
    })
}

/// What is sold: the words before a price, without those that lead to it.
fn name(lead: &str, goes_on: bool, lexicon: &Lexicon) -> Option<String> {
    let marks = [' ', ',', ':', '–', '—', '-', '='];
    let mut name = lead.trim_end_matches(marks);
    let mut is_linked = goes_on || name.len() < lead.trim_end().len();
    while let Some((rest, _)) =
        name.rsplit_once(' ').filter(|(_, last)| LINKS.contains(&tidy::folded(last).as_str()))
    {
        is_linked = true;
        name = rest.trim_end_matches(marks);
    }
    let name = JOINTS.iter().find_map(|joint| name.strip_suffix(joint.trim_end())).unwrap_or(name);
    let name = without_joint(name.trim_matches(marks));
    let tokens = Tokens::of(name);
    let last = tokens.word(tokens.len().saturating_sub(1));
    let grammar = &lexicon.grammar;
    let is_pronoun = grammar.third.has(last) || grammar.we.has(last) || grammar.you.has(last) || last == "it";
    let is_name = is_linked
        && (1..=MOST_NAME).contains(&words(name))
        && tidy::length(name) <= 120
        && !is_pronoun
        && !name.contains(['.', '?', '!', '"', '(']);
    is_name.then(|| tidy::capital(name))
}

/// How many bytes behind an amount say for what or how often it is paid: `per person`, `a month`.
fn unit(rest: &str, lexicon: &Lexicon) -> usize {
    let tokens = Tokens::of(tidy::head(rest, 80));
    let count = if PER.contains(&tokens.word(0)) && tokens.len() > 1 {
        // `per employee and month`
        let is_and = matches!(tokens.word(2), "and" | "und" | "et" | "y" | "e" | "en");
        if is_and
            && (lexicon.kinds.times.has(tokens.word(3)) || lexicon.numbers.units.at(&tokens, 3).is_some())
        {
            4
        } else {
            2
        }
    } else {
        lexicon.numbers.price.begins(&tokens).filter(|count| *count > 1).unwrap_or(0)
    };
    if count == 0 { 0 } else { tokens.end(count - 1) }
}

/// The text without `and` or `but` before it.
fn without_joint(text: &str) -> &str {
    let bare = clause::without_joint(text);
    ["but ", "aber "].iter().find_map(|joint| bare.strip_prefix(joint)).unwrap_or(bare)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon;

    fn of(tag: &str, text: &str) -> Vec<[String; 3]> {
        let plans = plans(text, lexicon::of(tag).unwrap()).unwrap_or_default();
        plans.into_iter().map(|plan| [plan.name, plan.price.unwrap_or_default(), plan.text]).collect()
    }

    #[test]
    fn each_price_has_the_name_of_what_it_is_for() {
        assert_eq!(
            of("en", "A single class is £11, ten cost £90, and the monthly pass is £62."),
            [["A single class", "£11", ""], ["Ten", "£90", ""], ["The monthly pass", "£62", ""]]
        );
        assert_eq!(
            of("es", "Jornada completa: 58 € por persona con sala y almuerzo."),
            [["Jornada completa", "58 € por persona", "Con sala y almuerzo"]]
        );
        assert_eq!(
            of("en", "A route costs £14,000 a year and keeps one van on the road."),
            [["A route", "£14,000 a year", "Keeps one van on the road"]]
        );
        assert_eq!(of("en", "Pricing: from 2,400 €"), [["Pricing", "From 2,400 €", ""]]);
        assert_eq!(
            of("de", "Das Einzelzimmer kostet 89 € pro Nacht, das Doppelzimmer 119 €."),
            [["Das Einzelzimmer", "89 € pro Nacht", ""], ["Das Doppelzimmer", "119 €", ""]]
        );
    }

    #[test]
    fn an_amount_without_a_name_is_no_plan() {
        for text in [
            "From 900 € a month, no fee per user.",
            "Insurance is included with a deductible of $1,500.",
            "Free of charge from an order of £25.",
            "On Sundays it costs £3 more.",
        ] {
            assert_eq!(of("en", text), Vec::<[String; 3]>::new(), "{text}");
        }
    }
}
