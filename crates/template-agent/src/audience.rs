//! Who a page is for: how they are addressed, and what they care about.
//!
//! Invariant: of all that is known about an audience nothing is shown but a name, a company, and a short name of its kind that judges
//! nobody.

use std::sync::LazyLock;

use pagesmith_model::brief::Brief;
use pagesmith_model::page::PageType;

use crate::concern::Concerns;
use crate::fate;
use crate::followup;
use crate::instructions::Instructions;
use crate::language::Language;
use crate::lexicon::{self, Lexicon};
use crate::outline;
use crate::reader::Reader;
use crate::stance::{self, Stance, lists};
use crate::tidy;
use crate::words::Tokens;

/// The most words of the short name of a kind of readers.
const MOST_WORDS: usize = 4;

/// Words for people that say nothing of what kind they are.
const GENERIC: [&str; 43] = [
    "people",
    "readers",
    "visitors",
    "leads",
    "prospects",
    "clients",
    "customers",
    "users",
    "women",
    "men",
    "companies",
    "guests",
    "teams",
    "these",
    "those",
    "mostly",
    "menschen",
    "leute",
    "kunden",
    "besucher",
    "leser",
    "nutzer",
    "personen",
    "gens",
    "personnes",
    "visiteurs",
    "personas",
    "gente",
    "clientes",
    "visitantes",
    "usuarios",
    "pessoas",
    "utilizadores",
    "persone",
    "clienti",
    "visitatori",
    "utenti",
    "mensen",
    "klanten",
    "bezoekers",
    "gebruikers",
    "osoby",
    "klienci",
];

/// Words beside the one for people that judge nobody: `hospital` of `hospital buyers`. Any other may, as `stingy` does.
static NEUTRAL: LazyLock<lists::Set> =
    LazyLock::new(|| lists::of(include_str!("audience/neutral.txt"), "neutral").into());

/// The fewest letters that two words have in common if one is a form of the other.
const LEAST_STEM: usize = 4;
/// The most letters behind those.
const MOST_ENDING: usize = 3;

/// Who a page is for.
pub struct Audience {
    /// The person and their company.
    pub reader: Reader,
    /// What a kind of readers is called: `plant managers`.
    pub kind: Option<String>,
    /// What the supplementary context says to the writer.
    pub orders: Vec<String>,
}

/// Reads what is known about the audience into concerns and instructions. `told` is what visitors may read.
pub fn read(
    brief: &Brief,
    reader: Reader,
    notes: &[String],
    told: &str,
    language: Language,
    concerns: &mut Concerns,
    instructions: &mut Instructions,
) -> Audience {
    reader.notes.iter().chain(notes).for_each(|note| concerns.add(note));
    brief.logs.iter().filter_map(followup::readable).for_each(|text| concerns.add(&text));
    let mut orders = Vec::new();
    let mut kind = notes.iter().find_map(|note| kind_of(note, language.lexicon));
    if let Some(supplement) = &brief.supplementary_context {
        let (supplement, remarks) = fate::without_remarks(tidy::head(supplement, outline::MOST_BYTES));
        for sentence in outline::sentences(&supplement).iter().chain(&remarks) {
            let judged = fate::fate(sentence, false, &reader, language.lexicon);
            if matches!(judged, fate::Fate::Instruction | fate::Fate::Injection) {
                orders.push(sentence.clone());
            }
            match judged {
                fate::Fate::Injection => {}
                // After a call, what is to be done next is said like an order.
                fate::Fate::Instruction
                    if brief.page_type != PageType::CallFollowup
                        || stance::of(sentence) == Stance::Instruction =>
                {
                    instructions.obey(sentence, concerns, language);
                }
                _ => {
                    concerns.add(sentence);
                    kind = kind.or_else(|| kind_of(sentence, language.lexicon));
                }
            }
        }
    }
    let kind = kind.filter(|kind| is_neutral(kind, told, language.lexicon));
    Audience { reader, kind, orders }
}

/// Whether the name of a kind of readers judges nobody: each of its words is known to be neutral, or is in what visitors read.
fn is_neutral(kind: &str, told: &str, lexicon: Option<&Lexicon>) -> bool {
    let told = Tokens::of(told);
    let is_told = |word: &str| {
        told.iter().any(|other| {
            let stem = word.chars().zip(other.chars()).take_while(|(one, two)| one == two).count();
            stem >= LEAST_STEM && tidy::length(word).max(tidy::length(other)) - stem <= MOST_ENDING
        })
    };
    // `CFOs`, `M&A`
    let is_short_form = |word: &str| word.chars().filter(|char| char.is_uppercase()).count() > 1;
    let words = kind.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty());
    words.filter(|word| !is_short_form(word)).map(tidy::folded).all(|word| {
        NEUTRAL.has(&word)
            || is_told(&word)
            || lexicon.is_some_and(|lexicon| {
                let (kinds, grammar) = (&lexicon.kinds, &lexicon.grammar);
                kinds.persons.has(&word)
                    || kinds.short.has(&word)
                    || kinds.empty.has(&word)
                    || grammar.articles.has(&word)
                    || grammar.boundaries.has(&word)
            })
    })
}

/// The kind of readers that a note begins with: `Plant managers who run night shifts.`
fn kind_of(note: &str, lexicon: Option<&Lexicon>) -> Option<String> {
    let lexicon = lexicon?;
    let bare = note.split_once(':').map_or(note, |(label, rest)| {
        if lexicon.kinds.audience.is_in(&Tokens::of(label)) { rest } else { note }
    });
    let bare = bare.trim();
    // `The audience is ops directors.`
    let tokens = Tokens::of(bare);
    let verb = (1..MOST_WORDS).find_map(|at| lexicon.grammar.is_a.at(&tokens, at));
    let bare = match verb {
        Some(verb) if lexicon.kinds.audience.is_in(&Tokens::of(&bare[..tokens.end(verb.start - 1)])) => {
            &bare[tokens.start(verb.end)..]
        }
        _ => bare,
    };
    let words: Vec<&str> = bare.split_whitespace().collect();
    let tokens = Tokens::of(bare);
    let at = (0..MOST_WORDS).find(|at| lexicon.kinds.persons.has(tokens.word(*at)))?;
    // `Heads of hospital pharmacies`: the whole of it, or nothing.
    let mut at = at;
    if matches!(tokens.word(at + 1), "of" | "von" | "der" | "de" | "des" | "du" | "di" | "van") {
        let rest = (at + 2..at + 2 + MOST_WORDS).find(|at| {
            let is_joint = lexicon.grammar.openers.at(&tokens, *at).is_some();
            let ends =
                bare.get(tokens.end(at - 1)..).is_some_and(|rest| rest.starts_with(['.', ',', ';', ':']));
            is_joint || ends || tokens.word(*at).is_empty() || lexicon.grammar.who.has(tokens.word(*at))
        });
        at = rest.filter(|end| *end > at + 2)? - 1;
    }
    let ends = words.get(at).is_none_or(|word| word.ends_with(['.', ',', ';', ':'])) || at + 1 >= words.len();
    let next = tokens.word(at + 1);
    let is_joint = matches!(next, "and" | "or" | "und" | "oder" | "et" | "y" | "e" | "en");
    let is_described = lexicon.grammar.who.has(next) && !is_joint;
    let name = words.get(..=at)?.join(" ");
    let name = name.trim_matches(|char: char| !char.is_alphanumeric()).to_owned();
    let is_plain = name.chars().all(|char| char.is_alphanumeric() || " -'’".contains(char))
        && !lexicon.grammar.third.has(tokens.word(0))
        && !Tokens::of(&name).iter().any(|word| {
            GENERIC.contains(&word) || lexicon.kinds.empty.has(word) || lexicon.grammar.articles.has(word)
        });
    ((ends || is_described) && is_plain).then(|| small(&name, lexicon))
}

/// The name as it is within a sentence.
fn small(name: &str, lexicon: &Lexicon) -> String {
    // German nouns keep their capitals.
    let keeps = lexicon.grammar.capital_nouns;
    let mut chars = name.chars();
    match chars.next() {
        Some(first) if !keeps && !chars.as_str().starts_with(char::is_uppercase) => {
            first.to_lowercase().chain(chars).collect()
        }
        _ => name.to_owned(),
    }
}

impl Audience {
    /// The line above the title, if it is certain who reads.
    pub fn address(&self, page_type: PageType, is_formal: bool, lexicon: &Lexicon) -> Option<String> {
        let phrases = &lexicon.phrases;
        let first = if is_formal { &self.reader.name } else { &self.reader.first };
        let names =
            [("{first}", first.as_str()), ("{name}", &self.reader.name), ("{company}", &self.reader.company)];
        let company = [("{name}", self.reader.company.as_str())];
        let personal = match page_type {
            PageType::Inbound => lexicon::filled(&phrases.welcome, &names),
            _ => lexicon::filled(&phrases.for_person_at, &names)
                .or_else(|| lexicon::filled(&phrases.for_one, &names)),
        };
        let kind = [("{audience}", self.kind.as_deref().unwrap_or_default())];
        personal
            .or_else(|| lexicon::filled(&phrases.for_one, &company))
            .or_else(|| lexicon::filled(&phrases.for_audience, &kind).map(|text| tidy::capital(&text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_of_readers_is_named_only_if_that_is_certain() {
        let of = |note: &str| kind_of(note, lexicon::of("en"));
        assert_eq!(of("Plant managers who run night shifts."), Some("plant managers".to_owned()));
        assert_eq!(of("Target group: CFOs of mid-size firms"), Some("CFOs of mid-size firms".to_owned()));
        assert_eq!(of("Tom manages owners and dentists"), None);
        assert_eq!(of("They worry about audits."), None);
        assert_eq!(
            of("The audience is ops directors, they fear a bottleneck."),
            Some("ops directors".to_owned())
        );
        assert_eq!(of("Heads of hospital pharmacies."), Some("heads of hospital pharmacies".to_owned()));
        assert_eq!(of("Heads of hospital pharmacies and vaccine stores."), None);
        assert_eq!(of("These are mostly grown-ups who gave up once."), None);
        assert_eq!(of("People who come on Sundays."), None);
    }

    #[test]
    fn a_kind_of_readers_that_somebody_judges_is_not_named() {
        let is_named = |tag: &str, note: &str, told: &str| {
            let lexicon = lexicon::of(tag);
            kind_of(note, lexicon).is_some_and(|kind| is_neutral(&kind, told, lexicon))
        };
        for (tag, note) in [
            ("en", "Stingy hospital buyers who always haggle."),
            ("en", "Clueless first-time landlords with too much money."),
            ("en", "Gullible pensioners."),
            ("en", "Lazy plant managers, mostly old."),
            ("en", "Heads of backward hospitals."),
            ("de", "Geizige Einkäufer, die immer feilschen."),
            ("de", "Überforderte Eltern."),
            ("fr", "Vieux propriétaires."),
            ("es", "Tacaños directores de hospitales."),
            ("it", "Ansiosi genitori."),
            ("nl", "Gierige managers."),
            ("pt", "Chatos gerentes."),
            ("pl", "Skąpi dyrektorzy."),
            ("sv", "Snåla chefer."),
        ] {
            assert!(!is_named(tag, note, ""), "{note}");
        }
        for (tag, note, told) in [
            ("en", "Hospital buyers who always haggle.", ""),
            ("en", "Experienced plant managers who run night shifts.", ""),
            ("en", "CFOs of mid-size firms", ""),
            ("en", "Apiary owners.", "We build hives for apiaries."),
            ("de", "Junge Eltern.", ""),
            ("es", "Directores que viajan.", ""),
        ] {
            assert!(is_named(tag, note, told), "{note}");
        }
    }

    #[test]
    fn the_address_names_the_person_first() {
        let lexicon = lexicon::of("en").unwrap();
        let reader = Reader {
            name: "Jo Lee".to_owned(),
            first: "Jo".to_owned(),
            company: "Acme".to_owned(),
            ..Reader::default()
        };
        let audience = Audience { reader, kind: Some("dentists".to_owned()), orders: Vec::new() };
        assert_eq!(
            audience.address(PageType::Outbound, false, lexicon).as_deref(),
            Some("Prepared for Jo at Acme")
        );
        assert_eq!(
            audience.address(PageType::Outbound, true, lexicon).as_deref(),
            Some("Prepared for Jo Lee at Acme")
        );
        let nobody =
            Audience { reader: Reader::default(), kind: Some("dentists".to_owned()), orders: Vec::new() };
        assert_eq!(nobody.address(PageType::Outbound, false, lexicon).as_deref(), Some("For dentists"));
    }
}
