//! The ordinary words of a language: a capital does not make one of them a name.
//!
//! Whether a word with a capital is a name cannot be seen where every word may have one: at the beginning of a sentence, in a heading, and of
//! German nouns anywhere. So a name is what is no ordinary word. Invariant: a word that is not known counts as a name.

use std::collections::HashMap;
use std::sync::LazyLock;

/// The fewest letters of the last word of a compound, and of what is before it.
const LEAST_OF_A_LAST_WORD: usize = 4;
const LEAST_BEFORE: usize = 3;
/// The fewest letters of a German word that is also known with endings: `wie` does not make `Wien` known.
const LEAST_WITH_ENDING: usize = 4;
/// What German words end in, and what of it does not make a name of a word: `Berg` and `Berger`.
const ENDINGS: [&str; 9] = ["", "e", "en", "n", "es", "em", "s", "st", "t"];
const ENDING_OF_NAMES: &str = "er";
/// What English words have behind an apostrophe when they are two in one: `don't`, `we'll`.
const CONTRACTED: [&str; 6] = ["t", "re", "ll", "ve", "d", "m"];

/// The fewest letters of a word that others are formed from.
const LEAST_OF_A_STEM: usize = 4;

/// Articles and what is in their place, of all languages.
const DETERMINERS: [&str; 58] = [
    "a", "an", "the", "this", "that", "these", "those", "my", "our", "your", "its", "his", "her", "their",
    "each", "every", "no", "any", "some", "der", "die", "das", "den", "dem", "des", "ein", "kein", "unser",
    "ihr", "vom", "zum", "zur", "im", "am", "beim", "le", "la", "les", "un", "une", "des", "du", "au", "ce",
    "cette", "notre", "votre", "chaque", "el", "los", "las", "una", "del", "al", "este", "esta", "nuestro",
    "nuestra",
];

/// The words of a language.
#[derive(Debug)]
pub(crate) struct Ordinary {
    tag: &'static str,
    /// Sorted.
    words: Vec<&'static str>,
    /// Of German, sorted: those that are not the end of a compound, since places and families are called so.
    whole: Vec<&'static str>,
    /// Sorted: those that people are called by as well.
    names: Vec<&'static str>,
    /// What is before a word to make another one of it: `un`.
    prefixes: Vec<&'static str>,
    /// What a word gets at its end, and what it loses for it, to make another one of it: `ies` for `y`.
    endings: Vec<(&'static str, &'static str)>,
    /// What only ordinary words end in.
    suffixes: Vec<&'static str>,
}

static LANGUAGES: LazyLock<[Ordinary; 4]> = LazyLock::new(|| {
    [
        Ordinary::read("en", include_str!("ordinary/en.txt")),
        Ordinary::read("de", include_str!("ordinary/de.txt")),
        Ordinary::read("fr", include_str!("ordinary/fr.txt")),
        Ordinary::read("es", include_str!("ordinary/es.txt")),
    ]
});

impl Ordinary {
    /// The words of a language; of English, if the language is not known.
    pub(crate) fn of(tag: &str) -> &'static Ordinary {
        LANGUAGES.iter().find(|one| one.tag == tag).unwrap_or(&LANGUAGES[0])
    }

    fn read(tag: &'static str, text: &'static str) -> Ordinary {
        let (mut section, mut sections) = ("words", HashMap::<_, Vec<&str>>::new());
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        for line in lines {
            match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                Some(name) => section = name,
                None => sections.entry(section).or_default().push(line),
            }
        }
        let mut sorted = |name: &str| {
            let mut lines = sections.remove(name).unwrap_or_default();
            lines.sort_unstable();
            lines
        };
        let endings = sorted("endings");
        let endings = endings.into_iter().map(|line| line.split_once(' ').unwrap_or((line, "")));
        Ordinary {
            tag,
            words: sorted("words"),
            whole: sorted("whole"),
            names: sorted("names"),
            prefixes: sorted("prefixes"),
            endings: endings.collect(),
            suffixes: sorted("suffixes"),
        }
    }

    /// Whether a word is ordinary, however it is written.
    pub(crate) fn has(&self, word: &str) -> bool {
        let word = word.to_lowercase();
        word.split('-').filter(|part| !part.is_empty()).all(|part| self.has_part(part))
    }

    /// Whether a word is ordinary, or formed from one that is: `unnoticed`. Too lenient for words with a capital: `Baker` is formed from `bake`.
    pub(crate) fn has_lowercase(&self, word: &str) -> bool {
        word.split('-')
            .filter(|part| !part.is_empty())
            .all(|part| self.has_part(part) || self.is_formed(part))
    }

    /// Whether a word is formed from one on the list, or ends in what only ordinary words end in.
    fn is_formed(&self, word: &str) -> bool {
        let is_stem = |word: &str| word.chars().count() >= LEAST_OF_A_STEM && self.has_word(word);
        let has_ending = |word: &str| {
            self.endings.iter().any(|(ending, instead)| {
                word.strip_suffix(ending).is_some_and(|stem| is_stem(&format!("{stem}{instead}")))
            })
        };
        let mut rests = self.prefixes.iter().filter_map(|prefix| word.strip_prefix(prefix));
        let has_suffix = |suffix: &&str| word.len() >= suffix.len() + LEAST_BEFORE && word.ends_with(suffix);
        has_ending(word)
            || rests.any(|rest| is_stem(rest) || has_ending(rest))
            || self.suffixes.iter().any(has_suffix)
    }

    /// Whether a word with a capital is a name behind this word, though it is an ordinary one as well: `Stein hilft`, and not `der Stein` or
    /// `harter Stein`.
    pub(crate) fn may_be_name(&self, word: &str, before: Option<&str>) -> bool {
        let word = word.to_lowercase();
        let bare = word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(&word);
        let genitive = bare.strip_suffix('s').filter(|_| self.tag == "de");
        let is_one = has(&self.names, bare) || genitive.is_some_and(|stem| has(&self.names, stem));
        is_one && !before.is_some_and(|before| self.describes(before))
    }

    /// Whether a word is before a noun, and not before a name: an article, or an adjective.
    fn describes(&self, word: &str) -> bool {
        let is_adjective = word.chars().next().is_some_and(char::is_lowercase)
            && self.tag == "de"
            && ["e", "en", "er", "es", "em"].iter().any(|ending| word.ends_with(ending));
        is_adjective || DETERMINERS.contains(&word.to_lowercase().as_str())
    }

    fn has_part(&self, word: &str) -> bool {
        match word.split_once(['\'', '’']) {
            Some((_, behind)) if self.tag == "en" && CONTRACTED.contains(&behind) => true,
            // `l'équipe`, and `the baker's`
            Some((before, behind)) if self.tag == "en" => behind == "s" && self.has_word(before),
            Some((before, behind)) => self.has_word(before) && self.has_part(behind),
            None => self.has_word(word),
        }
    }

    fn has_word(&self, word: &str) -> bool {
        if word.chars().count() < 2 || self.is_listed(word) {
            return true;
        }
        self.tag == "de" && (self.has_with_ending(word) || self.is_compound(word))
    }

    fn is_listed(&self, word: &str) -> bool {
        has(&self.words, word) || has(&self.whole, word)
    }

    fn has_with_ending(&self, word: &str) -> bool {
        let is_known =
            |stem: &str, words: &[&str]| stem.chars().count() >= LEAST_WITH_ENDING && has(words, stem);
        let stems = ENDINGS.iter().filter_map(|ending| word.strip_suffix(ending));
        stems.into_iter().any(|stem| is_known(stem, &self.words) || is_known(stem, &self.whole))
            || word.strip_suffix(ENDING_OF_NAMES).is_some_and(|stem| is_known(stem, &self.words))
    }

    /// Whether a German word ends in another one that compounds end in.
    fn is_compound(&self, word: &str) -> bool {
        let starts = word.char_indices().map(|(at, _)| at).skip(LEAST_BEFORE);
        starts.filter_map(|at| word.get(at..)).any(|last| {
            ENDINGS
                .iter()
                .filter_map(|ending| last.strip_suffix(ending))
                .any(|stem| stem.chars().count() >= LEAST_OF_A_LAST_WORD && has(&self.words, stem))
        })
    }
}

fn has(sorted: &[&str], word: &str) -> bool {
    sorted.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lowercase_words_are_told_from_names() {
        let cases = [
            (
                "en",
                "unnoticed rebooked bakes walker forecasts carefully",
                "adidas ebay ledgerly thyssenkrupp",
            ),
            ("de", "unbemerkt kostet ansehen dauert drucken", "thyssenkrupp adidas bahlsen"),
            ("fr", "réserver visites rapidement", "adidas ledgerly"),
            ("es", "reservada visitas rápidamente", "adidas ledgerly"),
        ];
        are_told_from_names(&cases, Ordinary::has_lowercase);
    }

    /// Of each language some ordinary words, and some names.
    fn are_told_from_names(cases: &[(&str, &str, &str)], has: fn(&Ordinary, &str) -> bool) {
        for (tag, ordinary, names) in cases {
            let words = Ordinary::of(tag);
            for word in ordinary.split(' ') {
                assert!(has(words, word), "{tag}: {word}");
            }
            for name in names.split(' ') {
                assert!(!has(words, name), "{tag}: {name}");
            }
        }
    }

    #[test]
    fn ordinary_words_are_told_from_names() {
        let cases = [
            ("en", "Booking walks Bread Don't Guide's We're", "Maria Bremen Ledgerly Don's Thornbury"),
            (
                "de",
                "Brot Holzofenbrot Werkstätten Termine Führungen Ablauf",
                "Maria Wien Nordhausen Berger Tirol Petra",
            ),
            ("fr", "Visites L’équipe Aujourd’hui réservez", "Claire Lyon D’Artagnan Bordeaux"),
            ("es", "Visitas reservamos Cada", "Pilar Sevilla Consuelo"),
        ];
        are_told_from_names(&cases, Ordinary::has);
    }
}
