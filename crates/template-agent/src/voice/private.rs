//! What a seller notes for themselves and nobody else: terms of the deal, judgements, ids.
//!
//! What this is not: a guess at what is rude. A sentence with one of these words stays away, whatever it says.

use crate::tidy;

/// Words that betray that a note is not meant for the one it is about.
const PRIVATE: &[&str] = &[
    "deal",
    "pipeline",
    "close date",
    "closing date",
    "probability",
    "lead score",
    "scoring",
    "mql",
    "bant",
    "meddic",
    "churn",
    "upsell",
    "up-sell",
    "cross-sell",
    "champion",
    "economic buyer",
    "decision maker",
    "decision-maker",
    "gatekeeper",
    "blocker",
    "budget",
    "discount",
    "margin",
    "commission",
    "quota",
    "internal",
    "confidential",
    "off the record",
    "do not share",
    "don't share",
    "don't tell",
    "do not tell",
    "competitor",
    "hot lead",
    "cold lead",
    "warm lead",
    "qualified",
    "this lead",
    "the lead",
    "prospect",
    "the crm",
    "ghosted",
    "annoying",
    "difficult",
    "skeptical",
    "sceptical",
    "salary",
    "fired",
    "layoff",
    "laid off",
    "divorce",
    "sick leave",
    "pregnant",
    "negotiat",
    "walk away",
    "willing to pay",
    "price sensitive",
    "price-sensitive",
    " arr",
    " acv",
    "password",
    "api key",
    "secret",
    "social security",
    "iban",
    "credit card",
    "seems",
    "sounds like",
    "gut feeling",
    "red flag",
    "unhappy with",
    "frustrated",
    "cheap",
    "push for",
    "pressure",
    "vertraulich",
    "rabatt",
    "entscheider",
    "wahrscheinlichkeit",
    "wettbewerb",
    "verhandl",
    "confidentiel",
    "remise",
    "décideur",
    "concurrent",
    "confidencial",
    "descuento",
    "presupuesto",
    "competencia",
    "desconto",
    "orçamento",
    "riservato",
    "sconto",
    "vertrouwelijk",
    "korting",
    "社外秘",
    "予算",
    "値引",
    "競合",
    "机密",
    "预算",
    "折扣",
    "竞争",
    "سري",
    "خصم",
];

/// Whether a note is none of its reader's business.
pub fn is_private(sentence: &str) -> bool {
    let folded = tidy::folded(sentence);
    PRIVATE.iter().any(|word| folded.contains(word)) || !is_readable(sentence)
}

/// Whether it is a sentence of a human without codes and addresses of persons.
fn is_readable(sentence: &str) -> bool {
    let has_code = sentence.split_whitespace().any(|word| {
        let bare = word.trim_matches(|char: char| !char.is_alphanumeric());
        let digits = bare.bytes().filter(u8::is_ascii_digit).count();
        (tidy::length(bare) >= 14 && digits > 2 && !word.contains("://"))
            || digits >= 9
            || (word.contains('@') && word.contains('.'))
    });
    !has_code && !sentence.contains(['{', '}', '<', '>', '|', '\\', '='])
}
