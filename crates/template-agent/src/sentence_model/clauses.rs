//! Where the clauses of a sentence begin, and which of them are told.
//!
//! What this is not: grammar. Any mark may end a clause; where a text has none because it was dictated, a word may begin one.

use std::ops::Range;

use super::features;
use crate::lexicon::Lexicon;
use crate::words::Tokens;

/// The fewest words of a part of a sentence that is told by itself, and of a clause that counts in full.
pub const LEAST_CLAUSE: usize = 3;
/// What it costs that one clause is told and the next is not, or the other way round.
const CHANGE: f32 = 0.6;
/// From so many words on, words may begin clauses.
const RUN_ON: usize = 25;
/// The fewest words of a clause before one that no mark begins.
const LEAST_UNMARKED: usize = 5;

/// How many words there are.
pub fn words(text: &str) -> usize {
    text.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count()
}

/// The runs of clauses that are told and of those that are not, by what speaks for each clause: the decisions with the largest sum,
/// in which each change costs something. A sentence of one clause is one run, whatever it shows.
pub fn divided<'a>(
    plain: &'a str,
    lexicon: Option<&Lexicon>,
    mut speaks: impl FnMut(&str, bool) -> f32,
) -> Vec<(bool, &'a str)> {
    let ends = ends(plain, lexicon);
    // What a sentence of one clause shows is known already.
    if ends.len() == 1 {
        return vec![(true, plain)];
    }
    let starts = || std::iter::once(0).chain(ends.iter().copied());
    // The largest sums of decisions that end with `not told` and with `told`, and for each clause which decisions led there.
    let mut sums = [0.0_f32; 2];
    let mut led: Vec<[bool; 2]> = Vec::with_capacity(ends.len());
    for (start, end) in starts().zip(&ends) {
        let clause = &plain[start..*end];
        let weight = (words(clause) as f32 / LEAST_CLAUSE as f32).min(1.0);
        let score = weight * speaks(clause, start > 0);
        let change = if start == 0 { 0.0 } else { CHANGE };
        led.push([sums[1] - change > sums[0], sums[1] > sums[0] - change]);
        sums = [sums[0].max(sums[1] - change) - score, sums[1].max(sums[0] - change) + score];
    }
    let mut is_told = sums[1] > sums[0];
    let mut runs: Vec<(bool, &str)> = Vec::new();
    let mut run_end = plain.len();
    for ((start, before), at) in starts().zip(&led).zip(0..).collect::<Vec<_>>().into_iter().rev() {
        let was_told = at > 0 && before[usize::from(is_told)];
        if at == 0 || was_told != is_told {
            runs.push((is_told, &plain[start..run_end]));
            run_end = start;
        }
        is_told = was_told;
    }
    runs.reverse();
    runs
}

/// Where clauses end; the last one ends with the text.
fn ends(plain: &str, lexicon: Option<&Lexicon>) -> Vec<usize> {
    let mut ends: Vec<usize> = features::cuts(plain).into_iter().filter(|at| *at > 0).collect();
    if let Some(lexicon) = lexicon.filter(|_| words(plain) >= RUN_ON) {
        ends.extend(unmarked(plain, &ends, lexicon));
        ends.sort_unstable();
    }
    let lists = listed(plain);
    ends.retain(|end| !lists.iter().any(|list| list.contains(end)));
    ends.push(plain.len());
    ends.dedup();
    ends
}

/// Where things are listed behind a colon, from it to the last of them: `three things: cleaning, braces and implants`.
pub fn listed(plain: &str) -> Vec<Range<usize>> {
    /// The most words of a thing, and of the last two with the word that joins them.
    const MOST_ITEM: usize = 3;
    const MOST_LAST: usize = 6;
    const JOINTS: [&str; 14] = [
        " and ", " or ", " und ", " oder ", " et ", " ou ", " y ", " e ", " o ", " en ", " i ", " och ",
        " ve ", " и ",
    ];
    let list = |at: usize| {
        let mut end = at + 2;
        for (number, item) in plain[at + 2..].split(", ").enumerate() {
            let item = item.split([';', '.', ':', '–']).next().unwrap_or_default();
            let is_last = JOINTS.iter().any(|joint| item.contains(joint));
            if is_last && number > 0 && words(item) <= MOST_LAST {
                return Some(at..end + item.len());
            }
            if is_last || words(item) > MOST_ITEM {
                return None;
            }
            end += item.len() + 2;
        }
        None
    };
    plain.match_indices(": ").filter_map(|(at, _)| list(at)).collect()
}

/// Where clauses begin without a mark: before who speaks, who is spoken to, an article, or a word that joins.
fn unmarked(plain: &str, marked: &[usize], lexicon: &Lexicon) -> Vec<usize> {
    let (tokens, grammar) = (Tokens::of(plain), &lexicon.grammar);
    let begins = |at: usize| {
        let classes = [&grammar.we, &grammar.you, &grammar.i, &grammar.third, &grammar.articles];
        let lists = [&grammar.openers, &grammar.leans, &lexicon.instructions.leave_out];
        classes.iter().any(|class| class.has(tokens.word(at)))
            || lists.iter().any(|list| list.at(&tokens, at).is_some())
    };
    let mut found = Vec::new();
    let mut marked = marked.iter().peekable();
    let mut from = 0;
    for at in 1..tokens.len() {
        let start = tokens.start(at);
        let mut is_marked = false;
        while marked.next_if(|mark| **mark <= start).is_some() {
            is_marked = true;
        }
        if is_marked {
            from = at;
        } else if at - from >= LEAST_UNMARKED && begins(at) && !is_measured(&plain[..start]) {
            found.push(plain[..start].trim_end().len());
            from = at;
        }
    }
    found
}

/// Whether what is before a word is a number or an amount, which goes on with what it is for: `9 €` of `9 € le mètre`.
fn is_measured(before: &str) -> bool {
    before.trim_end().ends_with(|char: char| char.is_ascii_digit() || "€$£¥₹%".contains(char))
}

/// Whether what is kept back of a sentence says `but that …`, and so means what is told: `We go to 11, but that is for nobody else`.
pub fn means_the_rest(kept: &str) -> bool {
    const BUT: [&str; 16] = [
        "but", "though", "although", "aber", "doch", "mais", "pero", "mas", "ma", "però", "maar", "ale",
        "men", "но", "але", "ama",
    ];
    const THAT: [&str; 20] = [
        "that", "this", "das", "dies", "ça", "cela", "eso", "esto", "isso", "isto", "disso", "questo",
        "quello", "dat", "dit", "daar", "det", "tego", "tym", "это",
    ];
    /// How far from its beginning a clause says so.
    const NEAR: usize = 5;
    let tokens = Tokens::of(kept);
    let near = || (0..tokens.len().min(NEAR)).map(|at| tokens.word(at));
    near().any(|word| BUT.contains(&word)) && near().any(|word| THAT.contains(&word))
}

/// Whether a part of a sentence is too small to be told without the rest: `Oh and Maggie`.
pub fn is_remnant(told: &str) -> bool {
    const MOST: usize = 3;
    const JOINTS: [&str; 18] = [
        "oh", "and", "also", "so", "btw", "und", "auch", "ach", "et", "aussi", "y", "e", "anche", "en",
        "ook", "och", "og", "i",
    ];
    let first = told.split_whitespace().next().unwrap_or_default();
    words(told) <= MOST && JOINTS.contains(&crate::tidy::folded(first).as_str())
}

/// Whether a part of that sentence leans on what is before it: it begins with a preposition or with a verb's form that goes on with one, as
/// `bei den Krankenkassen übernehmen wir` and `vigilada por un anestesiólogo` do.
pub fn dangles(part: &str, of: &str, lexicon: Option<&Lexicon>) -> bool {
    /// Prepositions behind such a form.
    const BY: [&str; 9] = ["by", "over", "por", "par", "da", "dal", "von", "door", "av"];
    /// How such forms end.
    const PARTICIPLES: [&str; 20] = [
        "ed", "ada", "ado", "adas", "ados", "ida", "ido", "idas", "idos", "ée", "ées", "é", "és", "ata",
        "ato", "ita", "ito", "ti", "te", "t",
    ];
    // What was dictated without marks is cut where it happens.
    let Some(lexicon) = lexicon.filter(|_| words(of) < RUN_ON) else { return false };
    let tokens = Tokens::of(part);
    let is_preposition = |at: usize| lexicon.grammar.boundaries.has(tokens.word(at));
    // `with`, `from`, `in`: what they begin may stand alone, a second one of the same kind goes on with a list.
    let repeats = |at: usize| (at + 1..tokens.len()).any(|other| tokens.word(other) == tokens.word(at));
    is_preposition(0) && repeats(0)
        || (1..3).any(|at| BY.contains(&tokens.word(at)))
            && PARTICIPLES.iter().any(|ending| tokens.word(0).ends_with(ending))
}

/// A part of a sentence without what only joined it to the others.
pub fn bare(text: &str) -> &str {
    let begun = text.trim_start_matches([',', ';', ':', '.', '-', '–', '—', ')', ' ']);
    let mut joints = features::JOINTS.iter();
    let begun = joints.find_map(|joint| begun.strip_prefix(joint.trim_start())).unwrap_or(begun);
    begun.trim_end_matches([',', ';', ':', '-', '–', '—', '(', ' '])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon;

    fn runs(plain: &str) -> Vec<(bool, &str)> {
        divided(plain, lexicon::of("en"), |clause, _| if clause.contains("dad") { -1.0 } else { 1.0 })
    }

    #[test]
    fn a_remark_within_a_sentence_is_a_run_of_its_own() {
        assert_eq!(runs("Open on Sundays from nine."), [(true, "Open on Sundays from nine.")]);
        assert_eq!(
            runs("Open on Sundays, says my dad, and all of May."),
            [(true, "Open on Sundays"), (false, ", says my dad"), (true, ", and all of May.")]
        );
        assert_eq!(
            runs("Says my dad - open on Sundays"),
            [(false, "Says my dad"), (true, " - open on Sundays")]
        );
    }

    #[test]
    fn a_list_behind_a_colon_is_not_torn() {
        for text in [
            "we do three things: cleaning, braces and implants, and open on Saturdays",
            "hacemos tres cosas: limpieza, ortodoncia e implantes",
            "wir machen drei Dinge: Reinigung, Spangen und Implantate.",
            "nous faisons trois choses : détartrage, orthodontie et implants",
        ] {
            assert_eq!(listed(text).len(), 1, "{text}");
        }
        for text in [
            "Open daily: come in, we bake and you eat as much as you like all day long",
            "Note: the van is washed, says my dad",
        ] {
            assert!(listed(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn what_leans_on_the_rest_of_its_sentence_dangles() {
        for (tag, part) in [
            ("de", "Bei der Rentenversicherung und bei den Krankenkassen übernehmen wir"),
            ("es", "Vigilada por un anestesiólogo certificado"),
            ("en", "Watched over by a certified anaesthetist"),
            ("fr", "Surveillée par un anesthésiste"),
            ("it", "Sorvegliata da un anestesista"),
        ] {
            assert!(dangles(part, part, lexicon::of(tag)), "{part}");
        }
        for (tag, part) in
            [("en", "For children from four"), ("es", "Atendemos por la tarde"), ("en", "We clean by hand")]
        {
            assert!(!dangles(part, part, lexicon::of(tag)), "{part}");
        }
    }

    #[test]
    fn what_is_kept_back_may_mean_the_rest() {
        for kept in [
            " but that is not something for them obviously.",
            ", aber das bleibt bei uns",
            "mais ça on verra",
        ] {
            assert!(means_the_rest(kept), "{kept}");
        }
        for kept in ["but it will not stop", "that is what we do", ", but the oven is new"] {
            assert!(!means_the_rest(kept), "{kept}");
        }
        assert!(
            is_remnant("Oh and Maggie")
                && !is_remnant("We bake bread")
                && !is_remnant("Und wir backen jeden Tag")
        );
    }

    #[test]
    fn an_amount_goes_on_with_what_it_is_for() {
        let text = "en dessous de 7 € le mètre nous coupons toutes les haies du jardin et nous emportons les branches dans notre camion le jour même";
        let cut = unmarked(text, &[], lexicon::of("fr").unwrap());
        assert!(!cut.is_empty() && cut.iter().all(|at| !text[..*at].ends_with('€')), "{cut:?}");
    }

    #[test]
    fn a_short_clause_changes_nothing() {
        assert_eq!(
            runs("Open on Sundays, dad, and all of May."),
            [(true, "Open on Sundays, dad, and all of May.")]
        );
    }

    #[test]
    fn words_begin_clauses_of_what_was_dictated() {
        let told = "so we sweep chimneys and stoves in the whole of the county and you get a certificate on the day when all is done";
        let text = format!("{told} my dad is still cross");
        assert_eq!(runs(&text), [(true, told), (false, " my dad is still cross")]);
    }

    #[test]
    fn what_joined_a_part_goes() {
        assert_eq!(bare(", but we come again;"), "we come again");
        assert_eq!(bare(" – für alle (ab acht)"), "für alle (ab acht)");
    }
}
