//! The counts over all briefs of the yardstick, and the bars that hold.

use std::path::Path;

use crate::yardstick::{self, Case, Score, Share};

/// The score of the pages of a folder's briefs, without anything invented, and its misses in words.
fn score_of(folder: &str, briefs: usize) -> (Score, String) {
    let cases = Case::all(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
    assert_eq!(cases.len(), briefs);
    let score = yardstick::score(&cases);
    let told = format!("{}\n{score}", score.misses.join("\n"));
    assert_eq!((score.inventions, score.long_prose, score.other_findings), (0, 0, 0), "{told}");
    (score, told)
}

fn reach(bars: &[(Share, f64)]) -> bool {
    bars.iter().all(|(share, bar)| share.percent() >= *bar)
}

/// Briefs by somebody who had not seen the code. Their first score, before anything was changed for them: 77 leaks, 63.2 % of the
/// parts, 88.0 % of the facts.
#[test]
fn pages_of_unseen_briefs_are_held_to_what_they_reached() {
    let (score, told) = score_of("briefs/unseen", 20);
    // One number is to go because a later sentence speaks of it as `that number`.
    assert!(score.leaks <= 1, "{told}");
    let least =
        [(score.parts, 85.9), (score.facts, 96.0), (score.headlines, 100.0), (score.rich_pages, 90.0)];
    assert!(reach(&least), "{told}");
}

/// Twenty more by another person. Their first score: 85 leaks, 69 % of the parts, 81 % of the facts. Rules about texts without capitals, word
/// processors, asides, paragraphs that are mostly for the writer, chats and sentences that take back what they say came later, and then
/// words for what colleagues say to each other, so that this is no measure of briefs that nobody has seen any more.
#[test]
fn pages_of_strangers_briefs_are_held_to_what_they_reached() {
    let (score, told) = score_of("briefs/strangers", 20);
    // The mark of a speaker in a chat, `Bea:`, is found in the word `bean`; two are within a sentence that is told.
    assert!(score.leaks <= 3, "{told}");
    let least =
        [(score.parts, 75.0), (score.facts, 86.0), (score.headlines, 100.0), (score.rich_pages, 84.0)];
    assert!(reach(&least), "{told}");
}

/// Twenty more by a third person. Their first score: 40 leaks, 40.4 % of the parts, 85.2 % of the facts, 76.5 % of the pages with five kinds
/// of blocks. What is around a copied text, questions in one line, steps without marks and prices among figures were read afterwards;
/// then sentences had to show that they are for visitors. The model was not trained with them.
#[test]
fn pages_of_the_second_strangers_briefs_are_held_to_what_they_reached() {
    let (score, told) = score_of("briefs/strangers-2", 20);
    // They are within a sentence that is told, or behind a quotation.
    assert!(score.leaks <= 4, "{told}");
    let least =
        [(score.parts, 57.0), (score.facts, 86.0), (score.headlines, 100.0), (score.rich_pages, 70.0)];
    assert!(reach(&least), "{told}");
}

/// Twenty-six by a fourth person, with which no weight was made, and of the rules one word before Spanish prices: 43 leaks and 82.8 % of the facts before there was a model.
#[test]
fn pages_of_the_third_strangers_briefs_are_held_to_their_first_score() {
    let (score, told) = score_of("briefs/strangers-3", 26);
    assert!(score.leaks <= 20, "{told}");
    // A sentence with "between you and me" is kept whole, and with it a price that stands before these words.
    let least =
        [(score.parts, 70.0), (score.facts, 85.0), (score.headlines, 100.0), (score.rich_pages, 87.0)];
    assert!(reach(&least), "{told}");
}

/// Twenty-six as they are dictated in a hurry. Twelve were written before sentences had to show that they are for visitors: 61 leaks, 61 %
/// of the parts, 71.9 % of the facts. Eight were written then (22 leaks, 91.5 % of the facts), and six when the rules were done: 17 leaks,
/// 86.5 % of the facts, where it had been 39 and 75.7 %. The model was not trained with them; the lists had been written for them. With eighteen
/// languages more in the model there are four leaks more here, and nine fewer of forty in `briefs/confidential/blind.toml`.
#[test]
fn pages_of_unprepared_briefs_are_held_to_what_they_reached() {
    let (score, told) = score_of("briefs/unprepared", 26);
    assert!(score.leaks <= 22, "{told}");
    let least =
        [(score.parts, 79.0), (score.facts, 87.0), (score.headlines, 100.0), (score.rich_pages, 80.0)];
    assert!(reach(&least), "{told}");
}

#[test]
fn pages_of_all_briefs_are_worth_sending() {
    let (score, told) = score_of("briefs", 60);
    assert!(score.leaks == 0, "{told}");
    let least = [
        (score.parts, 95.0),
        (score.facts, 90.0),
        (score.headlines, 100.0),
        (score.rich_pages, 90.0),
        (score.concerns, 100.0),
        (score.languages, 100.0),
    ];
    assert!(reach(&least), "{told}");
    let still_missed = [(score.concerns_at_top, 60.0), (score.kept_instructions, 85.0)];
    assert!(reach(&still_missed), "{told}");
}

/// Twenty as careless people write them: mails with two signatures, notes of calls, one sentence, walls of text. They were written before their
/// author had seen the agent. The first score, with the twenty of the next test: 90 leaks on 28 of 40 pages, 57.4 % of the parts, 93.3 % of
/// the facts. What was missed of these twenty was read for causes.
#[test]
fn pages_of_careless_briefs_show_nothing_that_is_to_be_kept() {
    let (score, told) = score_of("briefs/careless", 20);
    assert!(score.leaks == 0, "{told}");
    let least = [
        (score.parts, 86.0),
        (score.units, 100.0),
        (score.facts, 93.0),
        (score.headlines, 100.0),
        (score.rich_pages, 84.0),
        (score.languages, 100.0),
    ];
    assert!(reach(&least), "{told}");
}

/// Twenty more by the same author at the same time, of which only the counts and headlines were looked at. Nothing may be added for them.
#[test]
fn pages_of_careless_briefs_that_nobody_read_are_held_to_what_they_reached() {
    let (score, told) = score_of("briefs/careless-score", 20);
    assert!(score.leaks <= 10, "{told}");
    let least = [
        (score.parts, 79.0),
        (score.units, 100.0),
        (score.facts, 92.0),
        (score.headlines, 100.0),
        (score.rich_pages, 94.0),
    ];
    assert!(reach(&least), "{told}");
}
