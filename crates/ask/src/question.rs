//! A question as it is looked for: the words that carry its meaning, and what kind of answer it wants.
//!
//! A question of several parts (`What does it cost, and can I cancel?`) has them read one by one as well, so that what is known of one can
//! be told when nothing is known of another.

use std::collections::HashSet;

use pagesmith_knowledge_index::text::terms::{self, QueryWord};
use pagesmith_knowledge_index::text::{Language, Languages};

use crate::lexicon::{self, Lexicon, Meant};
use crate::spelling;

mod clauses;

use clauses::Clause;

/// The longest question, in characters.
pub const LONGEST: usize = 500;
/// The most words of a part that count.
const MOST_WORDS: usize = 16;
/// The most parts that are answered one by one.
const MOST_PARTS: usize = 4;
/// How many terms of the index a word and those that stand for it are looked for by.
const MOST_TERMS: usize = 40;
/// The highest number that may be somebody's age.
const OLDEST: u32 = 110;

/// A word that carries meaning.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Word {
    /// The terms that it is in texts of the languages that there are.
    pub exact: Vec<String>,
    /// The terms of words that stand for it.
    pub related: Vec<String>,
    /// If it is in no list, the terms of the word that was meant if it is mistyped.
    pub meant: Vec<String>,
    /// Whether it may be mistyped: it is long enough and in no list.
    pub is_unlisted: bool,
    /// What it means.
    meanings: &'static [Meant],
    /// Whether it asks for what it means (`how long`).
    asks: bool,
    /// Whether it carries little.
    pub is_light: bool,
    /// Whether it is one of the two parts of a compound.
    pub is_half: bool,
    /// Whether it is told before something else is asked.
    pub is_told: bool,
    /// Whether an amount of money says it.
    pub is_price: bool,
}

impl Word {
    /// Whether it is known what it means.
    pub fn is_listed(&self) -> bool {
        !self.meanings.is_empty()
    }

    /// Whether another word means the same, so that both count as one (`city centre`).
    fn says_the_same(&self, other: &Word) -> bool {
        let is_whole = |word: &Word| !word.is_light && !word.is_half;
        let is_shared =
            || self.meanings.iter().any(|meant| !meant.is_narrow && other.meanings.contains(meant));
        self.exact == other.exact && self.meanings == other.meanings
            || is_whole(self) && is_whole(other) && is_shared()
    }
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
    /// Whether it is in a sentence that asks.
    pub is_asked: bool,
    pub words: Vec<Word>,
    pub wants: Wants,
    /// Whether it asks whether something is so, and not for a fact; in another language than all that is known this is not told.
    pub is_whether: bool,
    /// Whether it asks about what was told before it.
    pub refers: bool,
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
        let is_foreign = !languages.all().any(|language| language.code() == lexicon.code);
        let languages = languages.with(lexicon.language());
        let names: HashSet<String> = names.iter().flat_map(|name| terms::words(name)).collect();
        let reading = Reading { lexicon, languages, names, is_foreign };
        let mut clauses = clauses::of(text, lexicon);
        let read: Vec<QuestionPart> = clauses.iter().map(|clause| reading.part(clause)).collect();
        let carries = |part: &QuestionPart| part.words.iter().any(|word| !word.is_light || word.asks);
        // If nothing that carries meaning asks, what is told is what is asked.
        if !read.iter().zip(&clauses).any(|(part, clause)| clause.asks && carries(part)) {
            clauses.iter_mut().for_each(|clause| clause.asks = true);
        }
        let of = |asks: bool| read.iter().zip(&clauses).filter(move |(_, clause)| clause.asks == asks);
        let told: Vec<&Word> = of(false).flat_map(|(part, _)| &part.words).collect();
        let with_told = |part: &QuestionPart| {
            let mut part = part.clone();
            for word in &told {
                if part.words.len() < MOST_WORDS && !part.words.iter().any(|known| known.says_the_same(word))
                {
                    part.words.push(Word { is_told: true, ..(*word).clone() });
                }
            }
            part
        };
        let parts = of(true).map(|(part, _)| part).filter(|part| carries(part));
        let parts: Vec<QuestionPart> = parts.take(MOST_PARTS).map(with_told).collect();
        let mut whole = match read.as_slice() {
            [part] => QuestionPart { text: text.trim().to_owned(), ..part.clone() },
            _ => reading.part(&Clause { text, is_asked: true, asks: true }),
        };
        for word in &mut whole.words {
            word.is_told =
                !of(true).any(|(part, _)| part.words.iter().any(|other| other.says_the_same(word)));
        }
        whole.refers = of(true).any(|(part, _)| part.refers);
        let parts = if parts.len() > 1 { parts } else { vec![] };
        Question { whole, parts, language: lexicon.code }
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
            let all = word.exact.iter().chain(&word.related).chain(&word.meant);
            all.take(MOST_TERMS).cloned().collect::<Vec<String>>()
        };
        self.whole.words.iter().map(terms).collect()
    }
}

/// What a question is read with.
struct Reading {
    lexicon: &'static Lexicon,
    languages: Languages,
    names: HashSet<String>,
    /// Whether nothing is known in the language of the question.
    is_foreign: bool,
}

impl Reading {
    fn part(&self, clause: &Clause<'_>) -> QuestionPart {
        let lexicon = self.lexicon;
        let plain = terms::words(clause.text);
        let tokens = join(&plain, lexicon);
        let mut words: Vec<Word> = Vec::new();
        let carrying = tokens.iter().filter(|token| {
            let asks = lexicon.asks.contains(&token.word) && !lexicon.concepts(&token.word).is_empty();
            (asks || !lexicon.function.contains(&token.word)) && !self.names.contains(&token.word)
        });
        for word in carrying.flat_map(|token| self.words(token)) {
            if let Some(known) = words.iter_mut().find(|known| known.says_the_same(&word)) {
                add(&mut known.exact, word.exact);
                add(&mut known.related, word.related);
            } else if words.len() < MOST_WORDS {
                words.push(word);
            }
        }
        self.read_ages(&plain, &mut words);
        let price = words.iter().any(|word| word.is_price) || begins(&plain, &PRICES);
        QuestionPart {
            text: clause.text.trim().to_owned(),
            is_asked: clause.is_asked,
            words,
            is_whether: !self.is_foreign && !plain.iter().any(|word| lexicon.facts.contains(word)),
            refers: plain.iter().any(|word| lexicon.refers.contains(word)),
            wants: Wants { number: price || begins(&plain, &AMOUNTS), price },
        }
    }

    /// The words that a token is: of a compound its parts.
    fn words(&self, token: &Token) -> Vec<Word> {
        let lexicon = self.lexicon;
        let umlauts = lexicon.with_umlauts(&token.word);
        let typed = match &umlauts {
            Some(other) if !lexicon.knows(&token.word) && lexicon.knows(other) => other,
            _ => &token.word,
        };
        if let Some((first, last)) = lexicon.parts_of(typed) {
            let whole = terms::variants(typed, self.languages);
            return [first, last]
                .map(|part| {
                    let mut word = Word { is_half: true, ..self.word(part, &[]) };
                    word.exact.extend(whole.iter().cloned());
                    word
                })
                .into();
        }
        let mut word = self.word(typed, &token.joined);
        if !lexicon.function.contains(typed) {
            for other in umlauts.iter().chain([&token.word]) {
                add(&mut word.exact, terms::variants(other, self.languages));
            }
        }
        vec![word]
    }

    fn word(&self, token: &str, joined: &[String]) -> Word {
        let lexicon = self.lexicon;
        // Such a word asks, and says nothing in an answer.
        let is_function = lexicon.function.contains(token);
        let exact = if is_function { vec![] } else { terms::variants(token, self.languages) };
        let mut related = Vec::new();
        let carrying =
            joined.iter().filter(|part| !lexicon.function.contains(*part) && !lexicon.is_light(part));
        for part in carrying {
            add(&mut related, terms::variants(part, self.languages));
        }
        let mut is_price = self.add_related(token, &mut related);
        related.retain(|term| !exact.contains(term));
        // A number says little by itself, and words that ask say little of what.
        let is_number = token.bytes().all(|byte| byte.is_ascii_digit());
        let asks = joined
            .first()
            .is_some_and(|first| lexicon.function.contains(first) && lexicon.asks.contains(first))
            || is_function;
        let mut is_light = is_number || asks || lexicon.is_light(token) || is_function;
        let is_unlisted = !is_number && token.chars().count() >= spelling::FEWEST && !lexicon.knows(token);
        let mut meant = Vec::new();
        if let Some(other) = lexicon.meant(token) {
            meant = terms::variants(other, self.languages);
            is_price |= self.add_related(other, &mut meant);
            is_light |= lexicon.is_light(other) || lexicon.function.contains(other);
        }
        Word {
            exact,
            related,
            meant,
            meanings: lexicon.concepts(token),
            asks,
            is_unlisted,
            is_light,
            is_half: false,
            is_told: false,
            is_price,
        }
    }

    /// Adds the terms of words that stand for a word, first those of the languages that most is known in; tells whether it asks for a price.
    fn add_related(&self, token: &str, related: &mut Vec<String>) -> bool {
        let codes: Vec<&str> = self.languages.all().map(Language::code).collect();
        let concepts = self.lexicon.concepts(token);
        for is_own in [false, true] {
            let terms = concepts.iter().flat_map(|meant| meant.terms());
            let terms =
                terms.filter(|(code, _)| (*code == self.lexicon.code) == is_own && codes.contains(code));
            add(related, terms.map(|(_, term)| term.to_owned()));
        }
        concepts.iter().any(|meant| meant.name() == "price")
    }

    /// Takes a number beside a word for a child or for an age as somebody's age.
    fn read_ages(&self, plain: &[String], words: &mut [Word]) {
        let tells = |word: &String| {
            self.lexicon.concepts(word).iter().any(|meant| matches!(meant.name(), "child" | "age"))
        };
        if !plain.iter().any(tells) {
            return;
        }
        for word in words {
            let number = word.exact.first().and_then(|term| term.parse::<u32>().ok());
            if number.is_some_and(|number| number <= OLDEST) {
                word.is_light = false;
                add(&mut word.related, lexicon::terms_of_age().map(|(_, term)| term.to_owned()));
            }
        }
    }
}

fn add(known: &mut Vec<String>, more: impl IntoIterator<Item = String>) {
    for term in more {
        if !known.contains(&term) {
            known.push(term);
        }
    }
}

/// What asks for a price, and what for an amount.
const PRICES: [&[&str]; 3] = [&["how", "much"], &["combien", "coute"], &["cuanto", "cuesta"]];
const AMOUNTS: [&[&str]; 12] = [
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

/// Whether some of these are among the words, in a row.
fn begins(tokens: &[String], openings: &[&[&str]]) -> bool {
    openings.iter().any(|opening| {
        tokens.windows(opening.len()).any(|some| some.iter().zip(*opening).all(|(token, word)| token == word))
    })
}

/// A word as it was typed, or several that are known as one.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Token {
    word: String,
    /// The words that were joined, if any.
    joined: Vec<String>,
}

/// Makes one word of those that are known as one, such as `second hand`.
fn join(words: &[String], lexicon: &Lexicon) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(words.len());
    let mut at = 0;
    while at < words.len() {
        let known = lexicon.joined(&words[at..]);
        let joined = &words[at..at + known.unwrap_or(1)];
        let word = joined.concat();
        tokens.push(Token { word, joined: if known.is_some() { joined.to_vec() } else { vec![] } });
        at += joined.len();
    }
    tokens
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

    #[test]
    fn words_that_are_known_as_one_are_one_and_those_that_mean_the_same_count_once() {
        let words = |text: &str| read(text).whole.words.into_iter().map(|word| word.exact[0].clone());
        assert_eq!(words("Can we get our money back?").collect::<Vec<_>>(), ["get", "moneyback"]);
        assert_eq!(words("Is there a discount or a rebate?").collect::<Vec<_>>(), ["discount"]);
        assert_eq!(words("Is the form for me?").collect::<Vec<_>>(), ["form"]);
    }

    #[test]
    fn what_is_told_before_a_question_is_marked_unless_it_is_all_there_is() {
        let told = |text: &str| {
            let words = read(text).whole.words.into_iter().filter(|word| word.is_told);
            words.map(|word| word.exact[0].clone()).collect::<Vec<_>>()
        };
        assert_eq!(told("We have a puppy. Is there a lift?"), ["puppi"]);
        assert_eq!(told("We have a puppy. Is that possible?"), Vec::<String>::new());
        let question = read("We have a puppy. Is there a lift and is there parking?");
        assert!(
            question.parts.len() == 2 && question.parts.iter().all(|part| part.words.last().unwrap().is_told)
        );
    }

    #[test]
    fn a_number_beside_a_child_is_an_age_and_says_little_elsewhere() {
        let number = |text: &str| {
            let words = read(text).whole.words;
            words.into_iter().find(|word| word.exact[0] == "7").unwrap()
        };
        let age = number("My daughter is 7, may she join?");
        assert!(!age.is_light && age.related.contains(&"year".to_owned()), "{age:?}");
        assert!(number("Do you have 7 boats?").is_light && number("Do you have 7 boats?").related.is_empty());
    }

    #[test]
    fn mistyped_words_umlauts_and_compounds_are_read() {
        let german = Languages::default().with(Language::of_code("de"));
        let words = |text: &str| Question::read(text, "de", german, &[]).whole.words;
        let [mistyped] = &words("Gibt es eine ermäsigung")[1..] else { panic!() };
        assert!(mistyped.meant.contains(&"rabatt".to_owned()) && mistyped.related.is_empty(), "{mistyped:?}");
        let [umlaut] = &words("Gibt es Gebuehren")[1..] else { panic!() };
        assert!(umlaut.is_price && umlaut.exact.contains(&"gebuhr".to_owned()), "{umlaut:?}");
        let [first, last] = &words("Gibt es Studentenrabatt")[1..] else { panic!() };
        assert!(
            first.related.contains(&"studier".to_owned()) && last.related.contains(&"nachlass".to_owned())
        );
        assert!(
            [first, last]
                .iter()
                .all(|word| word.is_half && word.exact.contains(&"studentenrabatt".to_owned()))
        );
        assert_eq!(words("Gibt es Messerblöcke").len(), 2);
    }

    #[test]
    fn words_of_other_languages_are_looked_for_first() {
        let german = Languages::default().with(Language::of_code("de"));
        let question = Question::read("Is there a dishwasher?", "de", german, &[]);
        let words = question.words();
        assert!(words[0].contains(&"geschirrspul".to_owned()) && words[0].len() <= MOST_TERMS, "{words:?}");
    }
}
