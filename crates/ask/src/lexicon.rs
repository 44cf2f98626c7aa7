//! What is known of words beforehand: which carry no meaning in a question, which carry little, and which stand for each other.
//!
//! The lists are data, a file for each language and one for meanings ([`concepts`](../src/words/concepts.txt)).

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use pagesmith_knowledge_index::text::Language;
use pagesmith_knowledge_index::text::terms;

use crate::spelling::Spelling;

/// The languages that have lists, with the lists.
const LISTS: [(&str, &str); 4] = [
    ("en", include_str!("words/en.txt")),
    ("de", include_str!("words/de.txt")),
    ("fr", include_str!("words/fr.txt")),
    ("es", include_str!("words/es.txt")),
];

const CONCEPTS: &str = include_str!("words/concepts.txt");
const TURNING: &str = include_str!("words/turning.txt");

/// What is known of the words of a language.
#[derive(Debug, Default)]
pub(crate) struct Lexicon {
    pub code: &'static str,
    /// Words that carry no meaning in a question.
    pub function: HashSet<String>,
    /// The stems of words that carry little.
    light: HashSet<String>,
    /// Words that a question begins with.
    pub asks: HashSet<String>,
    /// Words that ask for a fact: `what`, `when`, `how`; a question without them asks whether something is so.
    pub facts: HashSet<String>,
    /// Words that may stand before those.
    pub openings: HashSet<String>,
    /// Words that a condition or a reason begins with.
    pub conditions: HashSet<String>,
    /// Words that something begins with that is told behind a question.
    pub tells: HashSet<String>,
    /// Words by which a question refers to what was told before it.
    pub refers: HashSet<String>,
    /// Words that carry no fact in an answer, beside those that carry no meaning in a question.
    pub connects: HashSet<String>,
    /// The words of each meaning, as stems.
    concepts: HashMap<String, Vec<Meant>>,
    /// Several words that are known as one, set apart by spaces.
    phrases: HashSet<String>,
    /// All words, for those who mistype one.
    spelling: Spelling,
}

/// The fewest letters of the last part of a compound, and of what stands before it.
const LAST_PART: usize = 4;
const FIRST_PART: usize = 3;
/// The most words that are known as one.
const MOST_JOINED: usize = 3;
/// What joins the parts of a compound.
const JOINTS: [&str; 5] = ["s", "n", "en", "es", "er"];

impl Lexicon {
    pub fn language(&self) -> Language {
        Language::of_code(self.code)
    }

    /// Whether anything is known of a word.
    pub fn knows(&self, word: &str) -> bool {
        self.function.contains(word) || self.is_light(word) || !self.concepts(word).is_empty()
    }

    /// The known word that somebody meant who has mistyped one.
    pub fn meant(&self, word: &str) -> Option<&str> {
        self.spelling.meant(word).filter(|_| !self.knows(word))
    }

    /// A German word with umlauts that were typed as two letters.
    pub fn with_umlauts(&self, word: &str) -> Option<String> {
        let plain = word.replace("ae", "a").replace("oe", "o").replace("ue", "u");
        (self.code == "de" && plain != word).then_some(plain)
    }

    /// The parts of a German compound that is not known, and whose last part is.
    pub fn parts_of<'w>(&self, word: &'w str) -> Option<(&'w str, &'w str)> {
        if self.code != "de" || !word.is_ascii() || self.knows(word) {
            return None;
        }
        let ends = FIRST_PART..=word.len().checked_sub(LAST_PART)?;
        let is_known = |part: &str| !self.concepts(part).is_empty();
        // `messerb` and `locke` are no parts of `messerblocke`.
        let has_known = |first: &str| {
            (LAST_PART..first.len()).any(|end| is_known(&first[..end]) && !JOINTS.contains(&&first[end..]))
        };
        let is_first = |first: &str| is_known(first) || first.len() >= LAST_PART && !has_known(first);
        let is_compound = |(first, last): &(&str, &str)| {
            !self.function.contains(*first) && *last != "innen" && is_known(last) && is_first(first)
        };
        let parts = ends.map(|at| word.split_at(at)).find(is_compound)?;
        let first = match self.concepts(parts.0) {
            [] => JOINTS
                .iter()
                .filter_map(|joint| parts.0.strip_suffix(joint))
                .find(|first| is_known(first))
                .unwrap_or(parts.0),
            _ => parts.0,
        };
        Some((first, parts.1))
    }

    pub fn is_light(&self, word: &str) -> bool {
        self.light.contains(&stem(word, self.code))
    }

    /// The meanings of a word.
    pub fn concepts(&self, word: &str) -> &[Meant] {
        self.concepts.get(&stem(word, self.code)).map_or(&[], Vec::as_slice)
    }

    /// How many of these words are known as one from the first on, if several are.
    pub fn joined(&self, words: &[String]) -> Option<usize> {
        (2..=MOST_JOINED.min(words.len()))
            .rev()
            .find(|count| self.phrases.contains(&words[..*count].join(" ")))
    }
}

/// A meaning of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Meant {
    /// Its number.
    number: usize,
    /// Whether the word is narrower than what is meant.
    pub is_narrow: bool,
}

impl Meant {
    pub fn name(self) -> &'static str {
        MEANINGS.get(self.number).map_or("", |concept| concept.name)
    }

    /// The terms of the words that stand for it, each with the language that it is of.
    pub fn terms(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let terms = MEANINGS.get(self.number).into_iter().flat_map(|concept| &concept.terms);
        terms
            .filter(move |word| !(word.asks || self.is_narrow && word.is_narrow))
            .map(|word| (word.code, word.term.as_str()))
    }
}

fn stem(word: &str, code: &str) -> String {
    let word = [word.to_owned()];
    terms::reduced_to(&word, Language::of_code(code)).pop().unwrap_or_default()
}

/// A meaning with the words that have it.
#[derive(Debug)]
struct Concept {
    /// What it is called.
    name: &'static str,
    terms: Vec<ConceptWord>,
}

/// A word of a meaning.
#[derive(Debug)]
struct ConceptWord {
    /// The language that it is of.
    code: &'static str,
    term: String,
    is_narrow: bool,
    /// Whether it asks for what is meant, and says nothing of it in an answer.
    asks: bool,
    /// How it is spelt; of several words that are known as one, each.
    spelt: Vec<String>,
}

/// Every meaning.
static MEANINGS: LazyLock<Vec<Concept>> = LazyLock::new(|| {
    let lines = CONCEPTS.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    lines
        .map(|line| {
            let mut parts = line.split('|').map(str::trim);
            let name = parts.next().unwrap_or_default();
            let mut found: Vec<ConceptWord> = Vec::new();
            for (code, words) in parts.filter_map(|part| part.split_once(':')) {
                for word in words.split_whitespace() {
                    let spelt = terms::words(word);
                    let term = stem(&spelt.concat(), code);
                    let (is_narrow, asks) = (word.starts_with('+'), word.starts_with('?'));
                    found.push(ConceptWord { code, term, is_narrow, asks, spelt });
                }
            }
            Concept { name, terms: found }
        })
        .collect()
});

/// The terms that say how old somebody is.
pub(crate) fn terms_of_age() -> impl Iterator<Item = (&'static str, &'static str)> {
    let number = MEANINGS.iter().position(|concept| concept.name == "age");
    number.into_iter().flat_map(|number| Meant { number, is_narrow: false }.terms())
}

/// The languages with lists.
pub(crate) static LEXICONS: LazyLock<Vec<Lexicon>> = LazyLock::new(|| {
    LISTS
        .into_iter()
        .map(|(code, list)| {
            let mut lexicon = Lexicon { code, ..Lexicon::default() };
            let mut words: Vec<String> = Vec::new();
            for (number, concept) in MEANINGS.iter().enumerate() {
                for ConceptWord { term, is_narrow, spelt, .. } in
                    concept.terms.iter().filter(|word| word.code == code)
                {
                    let known = lexicon.concepts.entry(term.clone()).or_default();
                    if known.last().is_none_or(|last| last.number != number) {
                        known.push(Meant { number, is_narrow: *is_narrow });
                    }
                    match spelt.as_slice() {
                        [word] => words.push(word.clone()),
                        several => drop(lexicon.phrases.insert(several.join(" "))),
                    }
                }
            }
            let mut section = "";
            for line in list.lines().map(str::trim) {
                if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                    section = name;
                    continue;
                }
                for word in line.split_whitespace() {
                    let spelt = terms::words(word);
                    if section == "light" && spelt.len() > 1 {
                        lexicon.light.insert(stem(&spelt.concat(), code));
                        lexicon.phrases.insert(spelt.join(" "));
                        continue;
                    }
                    words.extend(spelt.iter().cloned());
                }
                for word in line.split_whitespace().flat_map(terms::words) {
                    match section {
                        "function" => lexicon.function.insert(word),
                        "light" => lexicon.light.insert(stem(&word, code)),
                        "connects" => lexicon.connects.insert(word),
                        "facts" => lexicon.facts.insert(word),
                        "openings" => lexicon.openings.insert(word),
                        "conditions" => lexicon.conditions.insert(word),
                        "tells" => lexicon.tells.insert(word),
                        "refers" => lexicon.refers.insert(word),
                        _ => lexicon.asks.insert(word),
                    };
                }
            }
            words.retain({
                let mut seen = HashSet::new();
                move |word| seen.insert(word.clone())
            });
            lexicon.spelling = Spelling::of(words);
            lexicon
        })
        .collect()
});

/// The list of the language that these words are most likely of; `hint` decides where they do not tell.
pub(crate) fn of_words(words: &[String], hint: &str) -> &'static Lexicon {
    let hits = |lexicon: &Lexicon| words.iter().filter(|word| lexicon.function.contains(*word)).count();
    let primary = hint.split('-').next().unwrap_or_default();
    let is_hinted = |lexicon: &Lexicon| lexicon.code.eq_ignore_ascii_case(primary);
    let best = LEXICONS
        .iter()
        .enumerate()
        .max_by_key(|(at, lexicon)| (hits(lexicon), is_hinted(lexicon), std::cmp::Reverse(*at)));
    best.map_or(&LEXICONS[0], |(_, lexicon)| lexicon)
}

/// The list of a language, if it has one.
pub(crate) fn of_language(language: Language) -> Option<&'static Lexicon> {
    LEXICONS.iter().find(|lexicon| lexicon.code == language.code())
}

/// Words that change what a sentence says, by what they do.
static TURNS: LazyLock<HashMap<&'static str, HashSet<String>>> = LazyLock::new(|| {
    let mut all: HashMap<&str, HashSet<String>> = HashMap::new();
    let mut section = "";
    for line in TURNING.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
        match line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            Some(name) => section = name,
            None => all.entry(section).or_default().extend(line.split_whitespace().flat_map(terms::words)),
        }
    }
    all
});

fn turns(section: &str, word: &str) -> bool {
    TURNS.get(section).is_some_and(|words| words.contains(word))
}

/// Whether a word denies what a sentence says.
pub(crate) fn denies(word: &str) -> bool {
    turns("denies", word)
}

/// Whether a word limits what a sentence says.
pub(crate) fn limits(word: &str) -> bool {
    turns("limits", word)
}

/// Whether a word counts or obliges, so that no other one says the same.
pub(crate) fn is_strict(word: &str) -> bool {
    turns("strict", word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_a_question_tell_its_language() {
        for (text, hint, code) in [
            ("How long does it last?", "de", "en"),
            ("Was kostet das?", "en", "de"),
            ("Combien de temps ?", "", "fr"),
            ("¿Dónde está la tienda?", "en", "es"),
            ("Preise", "de-AT", "de"),
            ("Preise", "", "en"),
        ] {
            assert_eq!(of_words(&terms::words(text), hint).code, code, "{text}");
        }
    }

    #[test]
    fn every_list_is_read() {
        for lexicon in LEXICONS.iter() {
            let sizes =
                (lexicon.function.len(), lexicon.light.len(), lexicon.asks.len(), lexicon.concepts.len());
            assert!(
                sizes.0 > 150 && sizes.1 > 250 && sizes.2 > 35 && sizes.3 > 1_000,
                "{}: {sizes:?}",
                lexicon.code
            );
        }
        let english = &LEXICONS[0];
        let meanings = english.concepts("cheaper");
        assert!(meanings.iter().any(|meant| meant.name() == "discount"), "{meanings:?}");
        assert!(english.is_light("offering") && !english.is_light("deposit"));
    }

    #[test]
    fn every_meaning_has_a_name_of_its_own_and_words_in_every_language() {
        assert!(MEANINGS.len() > 350, "{}", MEANINGS.len());
        for (at, concept) in MEANINGS.iter().enumerate() {
            assert!(!MEANINGS[..at].iter().any(|other| other.name == concept.name), "{}", concept.name);
            for (code, _) in LISTS {
                let words = concept.terms.iter().filter(|word| word.code == code && !word.asks);
                assert!(words.count() > 0, "{}: {code}", concept.name);
            }
            for word in &concept.terms {
                assert!(
                    word.spelt.len() <= MOST_JOINED && !word.term.is_empty(),
                    "{}: {word:?}",
                    concept.name
                );
            }
        }
    }

    #[test]
    fn narrow_words_stand_for_wide_ones_and_not_for_each_other() {
        let stands_for = |word: &str, other: &str| {
            let term = stem(other, "en");
            LEXICONS[0].concepts(word).iter().any(|meant| meant.terms().any(|known| known == ("en", &term)))
        };
        assert!(stands_for("dog", "pet") && stands_for("pet", "dog") && stands_for("puppy", "dog"));
        assert!(!stands_for("dog", "cat") && !stands_for("leather", "plastic"));
        assert!(stands_for("where", "address") && !stands_for("address", "where"));
    }

    #[test]
    fn compounds_are_taken_apart_where_their_last_part_is_known() {
        let german = &LEXICONS[1];
        for (word, parts) in [
            ("studentenrabatt", Some(("studenten", "rabatt"))),
            ("pelletheizung", Some(("pellet", "heizung"))),
            ("messerblocke", None),
            ("parkplatz", None),
            ("lehrerinnen", None),
            ("rabatt", None),
        ] {
            assert_eq!(german.parts_of(word), parts, "{word}");
        }
        assert_eq!(LEXICONS[0].parts_of("studentdiscount"), None);
    }
}
