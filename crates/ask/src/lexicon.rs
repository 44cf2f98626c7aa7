//! What is known of words beforehand: which carry no meaning in a question, which carry little, and which stand for each other.
//!
//! The lists are data, a file for each language and one for meanings ([`concepts`](../src/words/concepts.txt)).

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use pagesmith_knowledge_index::language::Language;
use pagesmith_knowledge_index::terms;

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
    /// Words that carry no fact in an answer, beside those that carry no meaning in a question.
    pub connects: HashSet<String>,
    /// The words of each meaning, by its number, as stems.
    concepts: HashMap<String, Vec<usize>>,
}

impl Lexicon {
    pub fn language(&self) -> Language {
        Language::of_code(self.code)
    }

    pub fn is_light(&self, word: &str) -> bool {
        self.light.contains(&stem(word, self.code))
    }

    /// The numbers of the meanings of a word.
    pub fn concepts(&self, word: &str) -> &[usize] {
        self.concepts.get(&stem(word, self.code)).map_or(&[], Vec::as_slice)
    }
}

fn stem(word: &str, code: &str) -> String {
    let word = [word.to_owned()];
    terms::reduced_to(&word, Language::of_code(code)).pop().unwrap_or_default()
}

/// A meaning with the words that have it.
#[derive(Debug)]
pub(crate) struct Concept {
    /// What it is called.
    pub name: &'static str,
    /// The terms of its words, each with the language that it is of.
    pub terms: Vec<(&'static str, String)>,
}

/// Every meaning.
pub(crate) static MEANINGS: LazyLock<Vec<Concept>> = LazyLock::new(|| {
    let lines = CONCEPTS.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    lines
        .map(|line| {
            let mut parts = line.split('|').map(str::trim);
            let name = parts.next().unwrap_or_default();
            let mut found: Vec<(&'static str, String)> = Vec::new();
            for (code, words) in parts.filter_map(|part| part.split_once(':')) {
                for word in words.split_whitespace() {
                    // Words of several parts are looked for joined.
                    let term = stem(&terms::words(word).concat(), code);
                    if !found.contains(&(code, term.clone())) {
                        found.push((code, term));
                    }
                }
            }
            Concept { name, terms: found }
        })
        .collect()
});

/// The languages with lists.
pub(crate) static LEXICONS: LazyLock<Vec<Lexicon>> = LazyLock::new(|| {
    LISTS
        .into_iter()
        .map(|(code, list)| {
            let mut lexicon = Lexicon { code, ..Lexicon::default() };
            let mut section = "";
            for line in list.lines().map(str::trim) {
                if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                    section = name;
                    continue;
                }
                for word in line.split_whitespace().flat_map(terms::words) {
                    match section {
                        "function" => lexicon.function.insert(word),
                        "light" => lexicon.light.insert(stem(&word, code)),
                        "connects" => lexicon.connects.insert(word),
                        _ => lexicon.asks.insert(word),
                    };
                }
            }
            for (number, concept) in MEANINGS.iter().enumerate() {
                for (_, term) in concept.terms.iter().filter(|(of, _)| *of == code) {
                    lexicon.concepts.entry(term.clone()).or_default().push(number);
                }
            }
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
                sizes.0 > 100 && sizes.1 > 40 && sizes.2 > 15 && sizes.3 > 80,
                "{}: {sizes:?}",
                lexicon.code
            );
        }
        let english = &LEXICONS[0];
        let meanings = english.concepts("cheaper");
        assert!(meanings.iter().any(|number| MEANINGS[*number].name == "discount"), "{meanings:?}");
        assert!(english.is_light("offering") && !english.is_light("deposit"));
    }
}
