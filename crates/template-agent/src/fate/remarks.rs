//! Remarks that are in a brief for others who work on it: in brackets, and in comments of markup.

use std::sync::LazyLock;

use regex::Regex;

use crate::stance::{confidential, floor};
use crate::{sentence, tidy};

/// The most code points of a remark in brackets. The expression has no such bound, which would make it slow.
const MOST_BRACKET: usize = 2000;

/// The fewest code points of the first sentence of a remark in brackets.
const LEAST_SENTENCE: usize = 20;

/// Remarks that people put in brackets or comments for each other.
static REMARK: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?is)<!--(.*?)-->",
        // Square brackets in running text are remarks, but links, pictures, boxes to tick and numbers of footnotes.
        r"|(?:^|[^!\w\]])(\[[^\[\]]*\])(?:[^(\[:]|$)",
        // A bracket of several sentences, or one that begins by saying whom it is for.
        r"|\(((?:for|to|note|nb|n\.b\.|internal|intern|an|für|pour|para|per|voor|not|nicht|pas|no|non|niet|não|nie|inte|не)\s[^()]{0,80}[:;][^()]*)\)",
        r"|\(([^()]{20,}[.!?]\s+\p{Lu}[^()]*)\)",
        // Any other, which may be confidential.
        r"|[(（]([^()\[\]（）]*)[)）]",
    ))
    .ok()
});

/// Whether what is in square brackets is a remark.
fn is_remark(bracket: &str) -> bool {
    const SIGNS: [&str; 14] = [
        "comment",
        "note",
        "kommentar",
        "anmerkung",
        "notiz",
        "todo",
        "tbd",
        "remark",
        "commentaire",
        "comentario",
        "comentário",
        "commento",
        "opmerking",
        "intern",
    ];
    let folded = tidy::folded(bracket);
    // A list of data is none.
    if folded.trim_start().starts_with(['"', '\'', '{']) {
        return false;
    }
    folded.split_whitespace().count() >= 3 || SIGNS.iter().any(|sign| folded.trim_start().starts_with(sign))
}

/// Whether a bracket holds more than one sentence. A careless person begins them with small letters, too.
///
/// The stop of a day (`konsert 27. mars 2027`) or of an abbreviation (`approx.`) ends none.
fn has_two_sentences(bracket: &str) -> bool {
    bracket.char_indices().skip(LEAST_SENTENCE).any(|(at, char)| {
        let (before, behind) = (&bracket[..at], &bracket[at + char.len_utf8()..]);
        let next = behind.trim_start();
        let begins = next.len() < behind.len()
            && next.starts_with(|char: char| char.is_uppercase() || char.is_lowercase());
        let is_end = match char {
            '!' | '?' => true,
            '.' => !sentence::is_shortened(before, behind) && !sentence::is_day(before, behind),
            _ => false,
        };
        begins && is_end
    })
}

/// A context without the remarks in it, and the remarks.
pub fn without_remarks(context: &str) -> (String, Vec<String>) {
    let Some(remark) = REMARK.as_ref() else { return (context.to_owned(), Vec::new()) };
    let mut remarks = Vec::new();
    let mut rest = String::with_capacity(context.len());
    let mut from = 0;
    let mut at = 0;
    while let Some(found) = remark.captures_at(context, at) {
        at = found.get(0).map_or(context.len(), |all| all.end());
        let Some((group, text)) = (1..=5).find_map(|group| Some((group, found.get(group)?))) else {
            continue;
        };
        // Nobody writes a remark that long: a bracket was not closed. What is in it is looked at for itself.
        if group != 1 && text.len() > MOST_BRACKET && tidy::length(text.as_str()) > MOST_BRACKET {
            at = context.ceil_char_boundary(text.start() + 1);
            continue;
        }
        let is_told = group == 4 && has_two_sentences(text.as_str());
        // `The press broke (between us).`: what such a bracket confides is around it.
        let confides = group >= 4 && confidential::is_aside_alone(text.as_str());
        let is_kept = confidential::is_bracket(text.as_str()) || floor::is_floor(text.as_str());
        if confides || group >= 4 && !is_told && !is_kept {
            continue;
        }
        let is_square = group == 2;
        let inner = text.as_str().trim_start_matches('[').trim_end_matches(']');
        if is_square && !is_remark(inner) || text.start() < from {
            continue;
        }
        // A comment goes with its marks and a bracket with its own; what only is around it stays.
        let whole =
            if is_square { text.range() } else { found.get(0).map_or(text.range(), |all| all.range()) };
        rest.push_str(&context[from..whole.start]);
        rest.push(' ');
        from = whole.end;
        // A word processor's conditions are nobody's words.
        let is_condition =
            group == 1 && ["[if ", "[endif"].iter().any(|sign| text.as_str().starts_with(sign));
        let text = inner;
        let text = text
            .split_once(':')
            .filter(|(label, _)| label.split_whitespace().count() <= 3)
            .map_or(text, |(_, rest)| rest);
        if !is_condition {
            remarks.push(text.trim().to_owned());
        }
    }
    rest.push_str(&context[from..]);
    (rest, remarks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_are_taken_out() {
        let (text, remarks) =
            without_remarks("Fast [Comment JH1: is that true?] boxes<!-- no aluminium -->.");
        assert_eq!(text, "Fast   boxes .");
        assert_eq!(remarks, ["is that true?", "no aluminium"]);
        let (text, remarks) = without_remarks(
            "Pay per minute [CFOs read this] and [book](https://a.b) [x] now. (For whoever edits this: be kind.) We bake (bread). \
             ![alt text of it](https://a.b/c.png) (Residents are cross about the rule. Do not go on.)",
        );
        assert_eq!(
            text,
            "Pay per minute   and [book](https://a.b) [x] now.   We bake (bread). ![alt text of it](https://a.b/c.png)  "
        );
        assert_eq!(
            remarks,
            [
                "CFOs read this",
                "For whoever edits this: be kind.",
                "Residents are cross about the rule. Do not go on."
            ]
        );
    }

    #[test]
    fn what_brackets_say_of_a_price_to_colleagues_goes() {
        let (text, remarks) =
            without_remarks("19 Euro je Kilogramm (Schmerzgrenze 16,50), Holz 12 Euro (ab 40 kg).");
        assert_eq!(text, "19 Euro je Kilogramm  , Holz 12 Euro (ab 40 kg).");
        assert_eq!(remarks, ["Schmerzgrenze 16,50"]);
    }

    #[test]
    fn a_date_or_an_abbreviation_in_brackets_makes_no_remark() {
        for text in [
            "Vi søker tenorer (Johannespasjonen, konsert 27. mars 2027 i Nidarosdomen).",
            "Wir suchen Tenöre (Johannespassion, Konzert 27. März 2027 im Dom).",
            "Boxes of larch (for a kitchen of ordinary size approx. 14 of them).",
        ] {
            assert_eq!(without_remarks(text), (text.to_owned(), Vec::new()));
        }
        for text in [
            "Open all year (we still owe the baker 27. please keep it between us)",
            "Open all year (the landlord has not signed yet. ask Tom first)",
            "Open all year (is it true that Anna has left? Ask Tom)",
        ] {
            assert_eq!(without_remarks(text).0, "Open all year  ", "{text}");
        }
    }
}
