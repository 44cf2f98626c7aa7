//! Where the clauses of a sentence begin, and which of them are told.
//!
//! What this is not: grammar. Any mark may end a clause; where a text has none because it was dictated, a word may begin one.

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
    ends.push(plain.len());
    ends.dedup();
    ends
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
        } else if at - from >= LEAST_UNMARKED && begins(at) {
            found.push(plain[..start].trim_end().len());
            from = at;
        }
    }
    found
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
