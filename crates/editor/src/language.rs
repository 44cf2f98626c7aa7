//! What the editor knows of a language: a data file of `languages/`, read once.
//!
//! A file has sections in brackets. A section is a list of words, a list of phrases between ` ; `, or lines `name = phrases`.
//! Invariant: every template of a file is read; a test tells one that is not.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use crate::template::Template;
use crate::token::{Kind, Token, fold, starts_with, tokens};

const FILES: [(&str, &str); 4] = [
    ("en", include_str!("languages/en.txt")),
    ("de", include_str!("languages/de.txt")),
    ("fr", include_str!("languages/fr.txt")),
    ("es", include_str!("languages/es.txt")),
];

/// A phrase as its words.
pub(crate) type Phrase = Vec<String>;

/// A language.
#[derive(Debug)]
pub(crate) struct Language {
    pub(crate) tag: &'static str,
    sets: HashMap<String, HashSet<String>>,
    phrases: HashMap<String, Vec<Phrase>>,
    named: HashMap<String, Vec<(String, Vec<Phrase>)>>,
    answers: HashMap<String, String>,
    /// The templates of requests, in the order in which they are tried.
    pub(crate) templates: Vec<(String, Template)>,
}

/// The sections that are lists of words.
const SETS: [&str; 51] = [
    "lists",
    "articles",
    "of",
    "about",
    "possessive",
    "generic",
    "sections",
    "called",
    "sentences",
    "running-text",
    "naming",
    "telling",
    "definite",
    "copulas",
    "number-words",
    "tails",
    "common",
    "particles",
    "pointing",
    "buttons",
    "several-buttons",
    "price-nouns",
    "adjective-endings",
    "adding",
    "speakers",
    "small",
    "small-verbs",
    "ends",
    "forms-of-address",
    "vague",
    "languages",
    "being",
    "against",
    "no-readers",
    "moods",
    "tops",
    "below",
    "above",
    "order",
    "from-words",
    "currencies",
    "per",
    "datives",
    "ones",
    "everywhere",
    "now",
    "nothing",
    "phrasal",
    "places",
    "numbers",
    "number-parts",
];
/// The order in which requests are tried: what is more particular comes first.
const ORDER: [&str; 41] = [
    "undo",
    "undo-several",
    "regret",
    "help",
    "context-add",
    "context",
    "add-keyword",
    "remove-keyword",
    "add-picture",
    "add-question",
    "button",
    "replace-text",
    "swap",
    "move-first",
    "move-last",
    "move-before",
    "move-after",
    "move-up",
    "move-down",
    "lengthen",
    "halve",
    "shorten",
    "halve-this",
    "shorten-this",
    "lengthen-this",
    "price",
    "answer",
    "hide",
    "remove",
    "remove-this",
    "set",
    "set-said",
    "set-quoted",
    "set-this",
    "set-here",
    "set-what",
    "this-before",
    "this-after",
    "add-place",
    "add",
    "",
];

/// The longest word, in bytes, that is looked through for numbers.
const MOST_OF_A_NUMBER: usize = 60;

static LANGUAGES: LazyLock<Vec<Language>> =
    LazyLock::new(|| FILES.iter().map(|(tag, text)| Language::read(tag, text)).collect());

/// All languages, the one of a tag and then those that a text looks like first.
pub(crate) fn ordered(text: &str, tag: Option<&str>) -> Vec<&'static Language> {
    // What is between quotation marks is for the page, whose language may be another one.
    let spoken = tokens(text).into_iter().filter(|token| token.kind == Kind::Word);
    let words: Vec<String> = spoken.map(|token| token.text).collect();
    let mut all: Vec<(i64, &Language)> = LANGUAGES
        .iter()
        .map(|language| {
            let common = words.iter().filter(|word| language.is("common", word)).count();
            let is_of_page = tag.is_some_and(|tag| tag.starts_with(language.tag));
            (-2 * i64::try_from(common).unwrap_or(0) - i64::from(is_of_page), language)
        })
        .collect();
    all.sort_by_key(|(rank, _)| *rank);
    all.into_iter().map(|(_, language)| language).collect()
}

impl Language {
    fn read(tag: &'static str, text: &str) -> Language {
        let mut language = Language {
            tag,
            sets: HashMap::new(),
            phrases: HashMap::new(),
            named: HashMap::new(),
            answers: HashMap::new(),
            templates: Vec::new(),
        };
        let mut section = String::new();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']'))
                && !name.contains(['[', ']', ' '])
            {
                name.clone_into(&mut section);
            } else {
                language.line(&section, line);
            }
        }
        let rank = |name: &str| ORDER.iter().position(|known| *known == name);
        language.templates.sort_by_key(|(name, _)| rank(name));
        let first = language.templates.iter().flat_map(|(_, template)| template.first_words());
        let requests = first.filter(|word| !language.is("small", word)).collect();
        language.sets.insert("request-words".to_owned(), requests);
        language
    }

    fn line(&mut self, section: &str, line: &str) {
        let named = line.split_once(" = ");
        match (section, named) {
            ("answers", Some((name, text))) => {
                self.answers.insert(name.to_owned(), text.to_owned());
            }
            ("templates", Some((name, texts))) => {
                let read = texts.split(" ; ").filter_map(|text| Template::read(text.trim()));
                self.templates.extend(read.map(|template| (name.to_owned(), template)));
            }
            ("ordinals", _) => {
                for (number, texts) in line.split(" ; ").filter_map(|part| part.split_once(" = ")) {
                    let texts = texts
                        .split_whitespace()
                        .map(|word| vec![fold(word).trim_end_matches('.').to_owned()]);
                    self.named
                        .entry(section.to_owned())
                        .or_default()
                        .push((number.trim().to_owned(), texts.collect()));
                }
            }
            (_, Some((name, texts))) => {
                self.named.entry(section.to_owned()).or_default().push((name.to_owned(), phrases(texts)));
            }
            (section, None) if SETS.contains(&section) => {
                let set = self.sets.entry(section.to_owned()).or_default();
                set.extend(line.split_whitespace().map(fold));
            }
            (section, None) => {
                let mut all = phrases(line);
                // The longest one is found first.
                all.sort_by_key(|phrase| std::cmp::Reverse(phrase.len()));
                self.phrases.entry(section.to_owned()).or_default().extend(all);
            }
        }
    }

    /// Whether a word is in a list.
    pub(crate) fn is(&self, list: &str, word: &str) -> bool {
        self.sets.get(list).is_some_and(|set| set.contains(word))
    }

    /// Whether a token is a word of a list.
    pub(crate) fn has(&self, list: &str, token: &Token) -> bool {
        token.kind == Kind::Word && self.is(list, &token.text)
    }

    /// The longest phrase of a list that tokens begin with.
    pub(crate) fn begins(&self, list: &str, tokens: &[Token]) -> Option<&Phrase> {
        self.phrases(list).iter().find(|phrase| starts_with(tokens, phrase))
    }

    /// The first place where a phrase of a list stands, with the phrase.
    pub(crate) fn first_of(&self, list: &str, tokens: &[Token]) -> Option<(usize, &Phrase)> {
        (0..tokens.len()).find_map(|at| Some((at, self.begins(list, &tokens[at..])?)))
    }

    /// The words of a list.
    pub(crate) fn words(&self, list: &str) -> impl Iterator<Item = &String> {
        self.sets.get(list).into_iter().flatten()
    }

    /// The phrases of a list.
    pub(crate) fn phrases(&self, list: &str) -> &[Phrase] {
        self.phrases.get(list).map_or(&[], Vec::as_slice)
    }

    /// The names of a table with their phrases.
    pub(crate) fn table(&self, table: &str) -> &[(String, Vec<Phrase>)] {
        self.named.get(table).map_or(&[], Vec::as_slice)
    }

    /// Whether a word is what something on a page is called.
    pub(crate) fn is_noun(&self, word: &str) -> bool {
        let tables = ["parts", "kinds", "items"].into_iter().flat_map(|table| self.table(table));
        tables.flat_map(|(_, phrases)| phrases).any(|phrase| *phrase == [word])
    }

    /// Whether a word says nothing in a text.
    pub(crate) fn is_filler(&self, word: &str) -> bool {
        self.phrases("fillers").iter().any(|filler| *filler == [word])
    }

    /// Whether a word tells a number, or is made of words that do: `fünfundzwanzig`.
    pub(crate) fn tells_number(&self, word: &str) -> bool {
        if self.is("numbers", word) || word.len() > MOST_OF_A_NUMBER {
            return self.is("numbers", word);
        }
        // Up to where the word is known, and whether a number is among what is known.
        let mut known = vec![None; word.len() + 1];
        known[0] = Some(false);
        for at in 0..word.len() {
            let Some((rest, has_number)) = word.get(at..).zip(known[at]) else { continue };
            for (list, is_number) in [("numbers", true), ("number-parts", false)] {
                for part in self.words(list).filter(|part| rest.starts_with(part.as_str())) {
                    let behind = &mut known[at + part.len()];
                    *behind = Some(behind.unwrap_or(false) || has_number || is_number);
                }
            }
        }
        known[word.len()] == Some(true)
    }

    /// The number that a word is.
    pub(crate) fn ordinal(&self, word: &str) -> Option<i64> {
        let table = self.table("ordinals");
        let found = table
            .iter()
            .find(|(_, forms)| forms.iter().any(|form| form.first().is_some_and(|form| form == word)));
        found
            .and_then(|(number, _)| number.parse().ok())
            .or_else(|| word.parse().ok().filter(|number| (1..=99).contains(number)))
    }

    /// What a type of block is called.
    pub(crate) fn name_of(&self, kind: &str) -> String {
        let table = self.table("kinds");
        let found = table.iter().find(|(name, _)| name == kind).and_then(|(_, phrases)| phrases.first());
        found.map_or_else(|| kind.to_owned(), |phrase| phrase.join(" "))
    }

    /// An answer with what stands for its placeholders.
    pub(crate) fn say(&self, name: &str, values: &[(&str, &str)]) -> String {
        let mut text = self.answers.get(name).cloned().unwrap_or_else(|| name.to_owned());
        for (key, value) in values {
            text = text.replace(&format!("{{{key}}}"), value);
        }
        text
    }
}

fn phrases(text: &str) -> Vec<Phrase> {
    text.split(" ; ")
        .map(|phrase| phrase.split_whitespace().map(fold).collect::<Phrase>())
        .filter(|phrase| !phrase.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_template_is_read_and_every_answer_is_there_in_every_language() {
        let english: HashSet<&String> = LANGUAGES[0].answers.keys().collect();
        for (language, (tag, text)) in LANGUAGES.iter().zip(FILES) {
            let lines = text.split("\n[templates]\n").nth(1).unwrap().split("\n[please]\n").next().unwrap();
            let written = lines
                .lines()
                .filter_map(|line| line.split_once(" = "))
                .flat_map(|(_, texts)| texts.split(" ; "));
            for template in written.clone() {
                assert!(Template::read(template.trim()).is_some(), "{tag}: {template}");
            }
            assert_eq!(language.templates.len(), written.count(), "{tag}");
            assert_eq!(language.answers.keys().collect::<HashSet<_>>(), english, "{tag}");
            for (name, _) in &language.templates {
                assert!(ORDER.contains(&name.as_str()), "{tag}: {name}");
            }
        }
    }
}
