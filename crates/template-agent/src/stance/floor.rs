//! What a company would come down to, earns or gives away: `We could go to 11 a metre`, `unter 9 legen wir drauf`, `the margin on the boxes is 40 %`.
//!
//! It is looked for whatever the language of the page is, as people write it to colleagues without asking to keep it quiet. What this is not: a
//! judge of offers; a price for large orders that says nothing else is one. The words are in `floor.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use aho_corasick::AhoCorasickKind;
use pagesmith_model::text;
use serde::Deserialize;

use super::phrases::Phrases;

/// The most words of a sentence that is about nothing else.
const MOST: usize = 45;
/// How many words behind a phrase its amount is.
const NEAR: usize = 3;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Lists {
    yields: BTreeMap<String, Yields>,
    below: BTreeMap<String, Vec<String>>,
    loses: BTreeMap<String, Vec<String>>,
    alone: BTreeMap<String, Vec<String>>,
    reader: Vec<String>,
    units: Vec<String>,
}

/// Verbs, and what is before each of them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Yields {
    can: Vec<String>,
    go: Vec<String>,
}

/// The words, ready to be looked for.
#[derive(Default)]
struct Words {
    /// That a price comes down to an amount.
    yields: Phrases,
    /// That something is below an amount.
    below: Phrases,
    /// What happens there.
    loses: Phrases,
    /// What says by itself that a price is no fixed one.
    alone: Phrases,
    /// Words by which a text speaks to its reader, whose margins are their own.
    reader: Phrases,
    /// Units of what is no money.
    units: Vec<String>,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    // A test rules out that the file cannot be read.
    let lists: Option<Lists> = toml::from_str(include_str!("floor.toml")).ok();
    let Some(Lists { yields, below, loses, alone, reader, units }) = lists else { return Words::default() };
    let pairs = |Yields { can, go }: Yields| -> Vec<String> {
        can.iter().flat_map(|can| go.iter().map(move |go| format!("{can} {go}"))).collect()
    };
    let of = |all: Vec<String>| Phrases::of(all.into_iter(), Some(AhoCorasickKind::ContiguousNFA));
    let all = |lists: BTreeMap<String, Vec<String>>| of(lists.into_values().flatten().collect());
    Words {
        yields: of(yields.into_values().flat_map(pairs).collect()),
        below: all(below),
        loses: all(loses),
        alone: all(alone),
        reader: of(reader),
        units: units.iter().map(|unit| text::fold(unit)).collect(),
    }
});

/// Whether a sentence tells what a company would come down to, earns or gives away.
pub fn is_floor(sentence: &str) -> bool {
    if sentence.split_whitespace().nth(MOST).is_some() || sentence.trim_end().ends_with(['?', '？', '؟']) {
        return false;
    }
    let (words, folded) = (&*WORDS, text::fold(sentence));
    let is_amount = |phrases: &Phrases| {
        phrases.spans(&folded).any(|(_, span)| is_price(&folded[span.end..], &words.units))
    };
    // Most sentences have no number, which is cheap to see.
    let has_digit = folded.contains(|char: char| char.is_ascii_digit());
    has_digit && (is_amount(&words.yields) || is_amount(&words.below) && words.loses.is_in(&folded))
        || words.alone.is_in(&folded) && !words.reader.is_in(&folded)
}

/// Whether an amount follows that is not one of something else than money: `11 a metre`, but not `30 m`.
fn is_price(behind: &str, units: &[String]) -> bool {
    let mut words = behind.split_whitespace();
    let Some(number) =
        words.by_ref().take(NEAR).find(|word| word.contains(|char: char| char.is_ascii_digit()))
    else {
        return false;
    };
    let unit = |word: &str| units.iter().any(|unit| unit == word.trim_matches([',', '.', ')', ';', ':']));
    let glued = number.trim_start_matches(|char: char| !char.is_alphabetic() && char != '%' && char != '°');
    !unit(glued) && !words.next().is_some_and(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_a_price_to_colleagues_is_told_from_prices() {
        assert!(
            WORDS.yields.len() > 150
                && WORDS.below.len() > 20
                && WORDS.loses.len() > 40
                && WORDS.alone.len() > 60
        );
        for floor in [
            "We can go to 11 a metre for anybody with 400 of them.",
            "we could do it for 60 and still be fine",
            "If somebody haggles we'd do 30 quid.",
            "Our floor is 2.45.",
            "List price has 30 points of air in it.",
            "The margin on the kits is about 40, so there is room.",
            "Max discount 8%, beyond that ask Jo.",
            "Bei Bauträgern gehen wir bis 38 runter.",
            "Unter 9 legen wir drauf.",
            "Schmerzgrenze ist 11,90.",
            "Wir können auf 14,20 runter.",
            "En dessous de 7 € le mètre on perd de l'argent.",
            "On peut descendre à 19 pour les grands mariages.",
            "Podemos bajar a 140 si firman.",
            "Por debajo de 3.000 perdemos dinero.",
            "Abaixo de 700 não compensa.",
            "Podemos descer até 24 nos condomínios.",
            "Il prezzo sotto i 6 € non esiste.",
            "Possiamo scendere a 33.",
            "Onder de 60 leggen we erop toe.",
            "We kunnen zakken tot 9.",
            "Poniżej 200 zł dokładamy.",
            "Możemy zejść do 180.",
            "Under 220 går vi back.",
            "Vi kan gå ner till 1 600.",
            "Under 1.100 kr. taber vi penge.",
            "Pod 500 na tom proděláváme.",
        ] {
            assert!(is_floor(floor), "{floor}");
        }
        for offer in [
            "We can go to 30 m below ground.",
            "The freezer can go down to -40 °C.",
            "Children under 12 don't pay.",
            "Below 10 °C we don't pour concrete.",
            "A visit costs 60 euros, and 50 from the third on.",
            "Your margin grows by 3 points.",
            "Unter 30 Personen öffnen wir den kleinen Saal.",
            "On peut descendre à 40 m de profondeur.",
            "Podemos bajar a 4 grados.",
            "Can you go to 11?",
            "Under 1 000 kr. betalar du kontant.",
            "Sotto i 12 anni non si paga.",
        ] {
            assert!(!is_floor(offer), "{offer}");
        }
    }
}
