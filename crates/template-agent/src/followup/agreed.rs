//! What was agreed: how notes tell it, and each of it once.

use std::collections::HashSet;

use crate::lexicon::Lexicon;
use crate::tidy;
use crate::words::Tokens;

/// Whether a sentence of notes tells of something agreed. A thing alone, such as a visit, may lie in the past: it needs a date.
pub(super) fn agrees(tokens: &Tokens, lexicon: &Lexicon) -> bool {
    const THINGS: [&str; 41] = [
        "visit",
        "tests",
        "trial",
        "pilot",
        "workshop",
        "demo",
        "contract",
        "test",
        "sample",
        "samples",
        "offer",
        "draft",
        "kickoff",
        "kick-off",
        "besuch",
        "angebot",
        "muster",
        "termin",
        "vertrag",
        "pilotprojekt",
        "probe",
        "visite",
        "essai",
        "contrat",
        "offre",
        "devis",
        "visita",
        "prueba",
        "contrato",
        "oferta",
        "proposta",
        "muestra",
        "demonstração",
        "prova",
        "offerta",
        "campione",
        "contratto",
        "bezoek",
        "offerte",
        "proef",
        "monster",
    ];
    let has_date =
        || tokens.iter().any(|word| lexicon.kinds.times.has(word) && !matches!(word, "day" | "days"));
    (0..tokens.len()).filter_map(|at| lexicon.kinds.agreed.at(tokens, at)).any(|found| {
        let is_thing = found.end - found.start == 1 && THINGS.contains(&tokens.word(found.start));
        !is_thing || has_date()
    })
}

/// A promise as what was promised: `I promised candidate profiles by Friday`.
pub(super) fn without_promise(step: &str) -> String {
    const LEADS: [&str; 10] = [
        "I promised to ",
        "We promised to ",
        "I promised ",
        "We promised ",
        "We agreed on ",
        "We agreed to ",
        "We agreed ",
        "I agreed to ",
        "Agreed on ",
        "Agreed to ",
    ];
    let bare = LEADS.iter().find_map(|lead| step.strip_prefix(lead));
    bare.map_or_else(|| step.to_owned(), tidy::capital)
}

/// Leaves out steps all of whose words are in the others: notes and a call's log often say the same.
pub(super) fn without_repeats(steps: &mut Vec<String>) {
    let words = |step: &String| -> HashSet<String> {
        Tokens::of(step).iter().filter(|word| tidy::length(word) > 3).map(str::to_owned).collect()
    };
    let mut at = 0;
    while at < steps.len() {
        let own = words(&steps[at]);
        let others: HashSet<String> = steps
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != at)
            .flat_map(|(_, step)| words(step))
            .collect();
        let is_in_one = steps.iter().enumerate().any(|(other, step)| {
            other != at && own.is_subset(&words(step)) && (own.len() < words(step).len() || other < at)
        });
        let is_in_all = own.len() >= 4 && own.is_subset(&others);
        if !own.is_empty() && (is_in_one || is_in_all) {
            steps.remove(at);
        } else {
            at += 1;
        }
    }
}
