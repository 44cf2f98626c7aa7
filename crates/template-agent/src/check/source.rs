//! What a part of a brief says, for looking up: runs of words, numbers and names.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::names;
use super::numbers::Numbers;
use super::plain::{plain_words, weight};
use crate::language::Language;
use crate::tidy;

/// So many words in a row are a run; scripts without spaces count two characters as one word.
const RUN: usize = 5;

/// What texts say.
pub struct Source {
    language: Language,
    /// The texts in small letters.
    text: String,
    runs: HashSet<u64>,
    words: HashSet<String>,
    /// The numbers.
    pub numbers: Numbers,
    /// Names that are words between others.
    names: HashSet<String>,
    /// Names that are looked for within the text.
    phrases: HashSet<String>,
    /// Words that may be names: they begin a sentence.
    beginnings: HashSet<String>,
}

impl Source {
    /// Nothing yet.
    pub fn new(language: Language) -> Source {
        Source {
            language,
            text: String::new(),
            runs: HashSet::new(),
            words: HashSet::new(),
            numbers: Numbers::default(),
            names: HashSet::new(),
            phrases: HashSet::new(),
            beginnings: HashSet::new(),
        }
    }

    /// Adds a text.
    pub fn add(&mut self, text: &str) {
        self.add_words(text);
        for name in names::of(text, self.language) {
            if names::is_word(&name) {
                self.names.insert(name)
            } else {
                self.phrases.insert(name)
            };
        }
        self.beginnings.extend(names::beginnings(text, self.language));
    }

    /// Adds a text whose capitals are no sign of a name, such as a job's title.
    pub fn add_words(&mut self, text: &str) {
        let all = plain_words(text);
        self.runs.extend(runs(&all).map(|(_, hash)| hash));
        self.numbers.add(text);
        self.words.extend(all.iter().flat_map(|word| word.split('\'')).map(str::to_owned));
        self.text.push_str(&tidy::folded(text));
        self.text.push('\n');
    }

    /// Whether it has this word.
    pub fn has_word(&self, word: &str) -> bool {
        self.words.contains(word) || self.names.contains(word)
    }

    /// The first run of words that it has and the facts do not have.
    pub fn run_in(&self, words: &[String], facts: &Source) -> Option<String> {
        let mut found =
            runs(words).filter(|(_, hash)| self.runs.contains(hash) && !facts.runs.contains(hash));
        found.next().map(|(run, _)| run.join(" "))
    }

    /// The names in a text that it has and the facts do not have.
    pub fn names_in<'a>(&'a self, text: &str, facts: &Source) -> Vec<&'a str> {
        if self.names.is_empty() && self.phrases.is_empty() && self.beginnings.is_empty() {
            return Vec::new();
        }
        let shown = names::capitals(text);
        let words = shown.iter().filter_map(|word| self.names.get(word)).map(String::as_str);
        let mut found: Vec<&str> = words.filter(|name| !facts.has_word(name)).collect();
        if !self.phrases.is_empty() {
            let folded = tidy::folded(text);
            let phrases = self.phrases.iter().map(String::as_str);
            found.extend(phrases.filter(|name| folded.contains(name) && !facts.text.contains(name)));
        }
        let inner = names::inner_capitals(text);
        found.extend(
            self.beginnings
                .iter()
                .map(String::as_str)
                .filter(|word| inner.contains(*word) && !facts.has_word(word) && !self.names.contains(*word)),
        );
        found.sort_unstable();
        found
    }
}

/// The runs of words with what they are looked up by.
fn runs(words: &[String]) -> impl Iterator<Item = (&[String], u64)> {
    (0..words.len()).filter_map(|start| {
        let mut sum = 0;
        let length = words[start..].iter().position(|word| {
            sum += weight(word);
            sum >= 2 * RUN
        })?;
        let run = &words[start..=start + length];
        let mut hasher = DefaultHasher::new();
        run.hash(&mut hasher);
        Some((run, hasher.finish()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> Source {
        let mut source = Source::new(Language::of_texts(&[text]));
        source.add(text);
        source
    }

    fn run(notes: &str, facts: &str, text: &str) -> Option<String> {
        source(notes).run_in(&plain_words(text), &source(facts))
    }

    #[test]
    fn a_run_of_five_words_is_found_whatever_stands_between_them() {
        let notes = "They lost money on the month-end close last year.";
        assert_eq!(
            run(notes, "We help.", "You lost money on the month end, we hear."),
            Some("lost money on the month".to_owned())
        );
        assert_eq!(run(notes, "We help.", "You lost money on month-end."), None);
        assert_eq!(run(notes, "Who lost money on the month before?", "We lost money on the month."), None);
    }

    #[test]
    fn scripts_without_spaces_have_runs_as_well() {
        let notes = "先方の予算は来月まで確保できないとのことです。";
        assert_eq!(
            run(notes, "毎朝パンを焼きます。", "予算は来月まで確保できない場合も。"),
            Some("予 算 は 来 月 ま で 確 保 で".to_owned())
        );
        assert_eq!(run(notes, "毎朝パンを焼きます。", "毎朝パンを焼きます。予算は安心です。"), None);
        assert_eq!(
            run("客户担心旧系统的数据会丢失", "我们每天烘焙面包", "您担心旧系统的数据会丢失吗"),
            Some("担 心 旧 系 统 的 数 据 会 丢".to_owned())
        );
    }
}
