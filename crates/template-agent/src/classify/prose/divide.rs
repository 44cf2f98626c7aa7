//! Sentences that say more than one thing: half for visitors and half for the writer, or several facts.

use crate::classify::sequence;
use crate::clause;
use crate::fate;
use crate::rich::Rich;
use crate::tidy;
use crate::words::Tokens;

/// Whether an order to leave something out means the sentence before.
pub fn takes_back(sentence: &str) -> bool {
    const BACK: [&str; 26] = [
        "that bit",
        "that part",
        "leave that",
        "keep that",
        "don't say that",
        "don't mention that",
        "that stays",
        "that is between",
        "that's between",
        "between us",
        "das bleibt",
        "das weglassen",
        "das bitte nicht",
        "das lassen wir",
        "unter uns",
        "ça reste",
        "entre nous",
        "eso no",
        "entre nosotros",
        "isso não",
        "isso fica",
        "entre nós",
        "questo no",
        "tra noi",
        "dat eruit",
        "onder ons",
    ];
    let folded = tidy::folded(sentence);
    BACK.iter().any(|phrase| folded.contains(phrase))
}

/// What stands before and behind the `but` of a sentence.
pub fn at_but(sentence: &str) -> Option<(&str, &str)> {
    [", but ", ", aber ", ", mais ", ", pero ", ", mas ", ", ma ", ", maar "]
        .iter()
        .find_map(|but| sentence.split_once(but))
}

/// The fewest words of a sentence that is half for the writer.
const LEAST_CLAUSES: usize = 12;

/// How a clause goes on with an order about what was said.
pub const THAT: [&str; 7] =
    [" and that ", " und das ", " et ça ", " y eso ", " e questo ", " e isso ", " en dat "];

/// The clauses of a long sentence that is half for the writer, those for visitors joined again; nothing if all are of one kind.
pub fn told_clauses<'a>(
    sentence: &'a str,
    is_fact: &dyn Fn(&str) -> bool,
) -> Option<(Vec<String>, Vec<String>)> {
    let clauses = sentence.split(", ").flat_map(|part| part.split(" - "));
    // `… and that goes at the top`
    let at_that = |clause: &'a str| {
        let that = THAT.iter().find_map(|that| clause.find(that));
        that.map_or([clause, ""], |at| [&clause[..at], &clause[at..]])
    };
    let clauses: Vec<&str> =
        clauses.flat_map(at_that).map(str::trim).filter(|clause| !clause.is_empty()).collect();
    let least = if THAT.iter().any(|that| sentence.contains(that)) { 2 } else { 3 };
    if clauses.len() < least || sentence.split_whitespace().count() < LEAST_CLAUSES {
        return None;
    }
    let (facts, orders): (Vec<&str>, Vec<&str>) = clauses.into_iter().partition(|clause| is_fact(clause));
    let owned = |texts: Vec<&str>| texts.into_iter().map(tidy::capital).collect();
    (!facts.is_empty() && !orders.is_empty()).then(|| (owned(facts), owned(orders)))
}

/// The fewest words of a sentence that is divided at its marks.
const LONG: usize = 14;

/// A sentence that is half for the writer, at the mark where that changes.
pub fn divided(sentence: &str) -> Option<(String, String)> {
    let is_told = |part: &str| part.split_whitespace().count() >= 3;
    let at_mark = [" - ", " – ", " — ", "; ", ": "]
        .iter()
        .find_map(|mark| sentence.rsplit_once(mark).filter(|(one, other)| is_told(one) && is_told(other)));
    // `No groups above eight, that can stand there`
    let halves = at_mark.or_else(|| {
        sentence
            .rsplit_once(", ")
            .filter(|(one, other)| is_told(one) && fate::begins_with_place(&Tokens::of(other)))
    });
    halves.map(|(one, other)| (one.trim().to_owned(), other.trim().to_owned()))
}

/// The fewest clauses of a sentence that is a list of facts.
const LEAST_FACTS: usize = 4;

/// The facts that a brief of one sentence lists between commas.
pub fn clauses(sentence: &Rich) -> Vec<Rich> {
    let plain = sentence.plain();
    let parts: Vec<&str> = plain.trim_end_matches('.').split(", ").map(str::trim).collect();
    let are_facts = parts.len() >= LEAST_FACTS
        && parts.iter().all(|part| part.split_whitespace().count() >= 2)
        && !plain.contains(['"', '“', '„', '«', '(', ';']);
    if !are_facts {
        return self::parts(sentence);
    }
    parts.into_iter().map(|part| Rich::of(&tidy::capital(clause::without_joint(part)))).collect()
}

/// A long sentence in the parts that semicolons and dashes divide it into, each a fact of its own.
pub fn parts(sentence: &Rich) -> Vec<Rich> {
    let plain = sentence.plain();
    let is_plain = !sentence.markdown().contains("](") && !plain.contains(['"', '“', '„', '«', '(']);
    if !is_plain
        || !plain.contains("; ")
        || plain.split_whitespace().count() < LONG
        || sequence::procedure(plain).is_some()
    {
        return vec![sentence.clone()];
    }
    let parts: Vec<&str> = plain.split("; ").map(str::trim).collect();
    if parts.iter().any(|part| part.split_whitespace().count() < 4) {
        return vec![sentence.clone()];
    }
    parts.into_iter().map(|part| Rich::of(&tidy::capital(part))).collect()
}
