//! Sentences that say more than one thing: half for visitors and half for the writer, or several facts.

use crate::classify::sequence;
use crate::clause;
use crate::rich::Rich;
use crate::sentence_model::clauses::listed;
use crate::tidy;

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
    /// The most words before the clause that asks for it: more of them say what it means themselves.
    const MOST_BEFORE: usize = 3;
    /// `We can drop to 365, but that stays in the room` means itself.
    const BUT: [&str; 8] = ["but", "aber", "mais", "pero", "mas", "ma", "maar", "men"];
    let folded = tidy::folded(sentence);
    let clause = |at: usize| folded[..at].rfind([',', ';', ':', '–', '—', '.']).unwrap_or(0);
    BACK.iter().any(|phrase| {
        folded.find(phrase).is_some_and(|at| {
            let own = folded[..at].split_whitespace();
            let means_itself =
                own.clone().count() > MOST_BEFORE + 1 && own.last().is_some_and(|word| BUT.contains(&word));
            !means_itself && folded[..clause(at)].split_whitespace().count() <= MOST_BEFORE
        })
    })
}

/// What is before and behind the `but` of a sentence.
pub fn at_but(sentence: &str) -> Option<(&str, &str)> {
    [", but ", ", aber ", ", mais ", ", pero ", ", mas ", ", ma ", ", maar "]
        .iter()
        .find_map(|but| sentence.split_once(but))
}

/// The fewest words of a sentence that is divided at its marks.
const LONG: usize = 14;

/// The fewest clauses of a sentence that is a list of facts.
const LEAST_FACTS: usize = 4;

/// The facts that a brief of one sentence lists between commas.
pub fn facts_of(sentence: &Rich) -> Vec<Rich> {
    let plain = sentence.plain();
    let whole = plain.trim_end_matches('.');
    let lists = listed(whole);
    let is_cut = |at: &usize| !lists.iter().any(|list| list.contains(at));
    let cuts = whole.match_indices(", ").map(|(at, _)| at).filter(is_cut).chain([whole.len()]);
    let mut from = 0;
    let parts: Vec<&str> =
        cuts.map(|at| whole[std::mem::replace(&mut from, at)..at].trim_matches([',', ' '])).collect();
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
