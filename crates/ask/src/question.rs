//! A question as it is looked for: the words that carry its meaning, and what kind of answer it wants.
//!
//! A question of several parts (`What does it cost, and can I cancel?`) has them read one by one as well, so that what is known of one can
//! be told when nothing is known of another.

use std::collections::HashSet;

use pagesmith_knowledge_index::language::{Language, Languages};
use pagesmith_knowledge_index::terms::{self, QueryWord};

use crate::lexicon::{self, Lexicon, MEANINGS};

/// The longest question, in characters.
pub const LONGEST: usize = 500;
/// The most words of a part that count.
const MOST_WORDS: usize = 16;
/// The most parts.
const MOST_PARTS: usize = 4;
/// How many terms of the index a word and those that stand for it are looked for by.
const MOST_TERMS: usize = 24;

/// A word that carries meaning.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Word {
    /// The terms that it is in texts of the languages that there are.
    pub exact: Vec<String>,
    /// The terms of words that stand for it.
    pub related: Vec<String>,
    /// Whether it carries little.
    pub is_light: bool,
    /// Whether an amount of money says it.
    pub is_price: bool,
}

/// What an answer should hold.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Wants {
    /// A number.
    pub number: bool,
    /// An amount of money.
    pub price: bool,
}

/// A part of a question.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct QuestionPart {
    /// As it was asked.
    pub text: String,
    /// Whether it stands in a sentence that asks.
    pub is_asked: bool,
    pub words: Vec<Word>,
    pub wants: Wants,
}

/// A question that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// The question as a whole.
    pub(crate) whole: QuestionPart,
    /// Its parts, if it has several.
    pub(crate) parts: Vec<QuestionPart>,
    language: &'static str,
}

impl Question {
    /// Reads a question; what is longer than [`LONGEST`] is cut. `hint` is the language of the page, `languages` are those of the
    /// knowledge, and `names` is what the site is called, which is known of everything here.
    pub fn read(text: &str, hint: &str, languages: Languages, names: &[&str]) -> Question {
        let text = match text.char_indices().nth(LONGEST) {
            Some((end, _)) => &text[..end],
            None => text,
        };
        let all = terms::words(text);
        let lexicon = lexicon::of_words(&all, hint);
        let languages = languages.with(lexicon.language());
        let names: HashSet<String> = names.iter().flat_map(|name| terms::words(name)).collect();
        let read = |(text, is_asked): (&str, bool)| part((text, is_asked), lexicon, languages, &names);
        let parts: Vec<(&str, bool)> = split(text, lexicon);
        let parts = if parts.len() > 1 { parts.into_iter().map(read).collect() } else { vec![] };
        Question { whole: read((text, true)), parts, language: lexicon.code }
    }

    /// The code of the language that it is in.
    pub fn language(&self) -> &'static str {
        self.language
    }

    /// Whether it says anything that could be looked for.
    pub fn is_empty(&self) -> bool {
        self.whole.words.is_empty()
    }

    /// What to look for in an index: for each word the terms of it and of those that stand for it.
    pub fn words(&self) -> Vec<QueryWord> {
        let terms = |word: &Word| {
            let all = word.exact.iter().chain(&word.related);
            all.take(MOST_TERMS).cloned().collect::<Vec<String>>()
        };
        self.whole.words.iter().map(terms).collect()
    }
}

/// The parts of a text, each with whether its sentence asks: its sentences, and within them what begins to ask anew behind an `and`.
fn split<'a>(text: &'a str, lexicon: &Lexicon) -> Vec<(&'a str, bool)> {
    let mut parts: Vec<(&str, bool)> = Vec::new();
    for sentence in text.split_inclusive(['?', '!', '.', ';', '\n']) {
        let mut start = 0;
        let is_asked = sentence.ends_with('?');
        for joint in [" and ", " und ", " et ", " y "] {
            for (at, _) in sentence.match_indices(joint) {
                if at < start {
                    continue;
                }
                let behind = &sentence[at + joint.len()..];
                let first = terms::words(behind.split_whitespace().next().unwrap_or_default());
                if first.first().is_some_and(|word| lexicon.asks.contains(word)) {
                    parts.push((&sentence[start..at], is_asked));
                    start = at + joint.len();
                }
            }
        }
        parts.push((&sentence[start..], is_asked));
    }
    parts.retain(|(part, _)| part.chars().any(char::is_alphanumeric));
    parts.truncate(MOST_PARTS);
    parts
}

fn part(
    (text, is_asked): (&str, bool),
    lexicon: &Lexicon,
    languages: Languages,
    names: &HashSet<String>,
) -> QuestionPart {
    let mut words: Vec<Word> = Vec::new();
    let mut seen = HashSet::new();
    let mut tokens = terms::words(text);
    join(&mut tokens, lexicon);
    for token in tokens.iter().filter(|token| !lexicon.function.contains(*token) && !names.contains(*token)) {
        if words.len() == MOST_WORDS {
            break;
        }
        if seen.insert(token) {
            let word = word(token, lexicon, languages);
            if !words.iter().any(|known| known.exact == word.exact) {
                words.push(word);
            }
        }
    }
    let price = words.iter().any(|word| word.is_price)
        || begins(&tokens, &[&["how", "much"], &["combien", "coute"], &["cuanto", "cuesta"]]);
    let amounts: [&[&str]; 12] = [
        &["how", "much"],
        &["how", "many"],
        &["how", "long"],
        &["how", "often"],
        &["how", "far"],
        &["when"],
        &["wie", "viel"],
        &["wie", "viele"],
        &["wie", "lange"],
        &["wann"],
        &["combien"],
        &["cuanto"],
    ];
    QuestionPart {
        text: text.trim().to_owned(),
        is_asked,
        words,
        wants: Wants { number: price || begins(&tokens, &amounts), price },
    }
}

/// Whether some of these stand among the words, in a row.
fn begins(tokens: &[String], openings: &[&[&str]]) -> bool {
    openings.iter().any(|opening| {
        tokens.windows(opening.len()).any(|some| some.iter().zip(*opening).all(|(token, word)| token == word))
    })
}

/// Makes one word of two that are known as one, such as `second hand`.
fn join(tokens: &mut Vec<String>, lexicon: &Lexicon) {
    let mut at = 0;
    while at + 1 < tokens.len() {
        let joined = format!("{}{}", tokens[at], tokens[at + 1]);
        if !lexicon.concepts(&joined).is_empty() {
            tokens[at] = joined;
            tokens.remove(at + 1);
        }
        at += 1;
    }
}

fn word(token: &str, lexicon: &Lexicon, languages: Languages) -> Word {
    let exact = terms::variants(token, languages);
    let codes: Vec<&str> = languages.all().map(Language::code).collect();
    let mut related = Vec::new();
    let mut is_price = false;
    for concept in lexicon.concepts(token).iter().filter_map(|number| MEANINGS.get(*number)) {
        is_price |= concept.name == "price";
        for (code, term) in &concept.terms {
            if codes.contains(code) && !exact.contains(term) && !related.contains(term) {
                related.push(term.clone());
            }
        }
    }
    Word { exact, related, is_light: lexicon.is_light(token), is_price }
}

#[cfg(test)]
mod tests {

    use super::*;

    fn read(text: &str) -> Question {
        Question::read(text, "en", Languages::default().with(Language::of_code("en")), &["Acme"])
    }

    #[test]
    fn only_words_with_meaning_are_looked_for() {
        let question = read("Does Acme have a warranty on the second-hand bikes?");
        let words: Vec<&str> = question.whole.words.iter().map(|word| word.exact[0].as_str()).collect();
        assert_eq!(words, ["warranti", "secondhand", "bike"]);
        assert!(question.whole.words[1].related.contains(&"use".to_owned()), "{question:?}");
        assert!(read("What about you?").is_empty() && read("¿?!").is_empty());
    }

    #[test]
    fn careless_writing_of_words_without_meaning_changes_nothing() {
        for (hint, careless, careful) in [
            ("en", "how long does teh battery last??", "How long does the battery last?"),
            ("en", "whats the warranty on ur bikes pls", "What is the warranty on your bikes?"),
            ("en", "cant i cancel, dont u allow it", "Can I not cancel, do you not allow it?"),
            ("de", "gibts ne garantie fuer raeder", "Gibt es eine Garantie für Raeder?"),
            ("fr", "cest quoi la garantie svp", "C'est quoi la garantie ?"),
            ("es", "xq no hay garantia", "¿Por qué no hay garantía?"),
        ] {
            let words = |text: &str| {
                let question = Question::read(text, hint, Languages::default(), &[]);
                let words = question.whole.words.into_iter().filter(|word| !word.is_light);
                words.map(|word| word.exact).collect::<Vec<_>>()
            };
            assert_eq!(words(careless), words(careful), "{careless}");
            assert!(!words(careless).is_empty(), "{careless}");
        }
    }

    #[test]
    fn a_question_of_several_parts_is_read_part_by_part() {
        let texts = |text: &str| read(text).parts.into_iter().map(|part| part.text).collect::<Vec<_>>();
        assert_eq!(
            texts("What does it cost and can I cancel it? Where are you?"),
            ["What does it cost", "can I cancel it?", "Where are you?"]
        );
        assert_eq!(texts("Do you sell helmets and gloves?"), Vec::<String>::new());
        let wants = read("How much is the lock?").whole.wants;
        assert!(wants.number && wants.price);
    }
}
