//! What the parts of a brief say, for looking up: runs of words, numbers and names.

use std::collections::{BTreeMap, HashSet};
use std::sync::{LazyLock, OnceLock};

use super::names::{self, Spelled};
use super::numbers::Numbers;
use super::plain::{Hashes, Plain};
use crate::headline;
use crate::language::Language;
use crate::lexicon;
use crate::tidy;
use crate::words::{Tokens, hash};

/// What visitors may read.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// The texts in small letters.
    text: String,
    runs: Hashes,
    words: Hashes,
    /// The numbers.
    pub numbers: Numbers,
}

impl Facts {
    /// What the agent itself writes in a language.
    pub fn own(language: Language) -> Facts {
        static OWN: LazyLock<BTreeMap<&'static str, OnceLock<Facts>>> =
            LazyLock::new(|| lexicon::TAGS.iter().map(|tag| (*tag, OnceLock::new())).collect());
        let phrases = || {
            let mut facts = Facts::default();
            facts.add(&headline::general(language));
            for phrase in language.lexicon.iter().flat_map(|lexicon| lexicon.phrases.texts()) {
                // The names that belong between the braces are no words of ours.
                phrase.split(['{', '}']).step_by(2).for_each(|text| facts.add(text));
            }
            facts
        };
        OWN.get(language.tag).map_or_else(phrases, |own| own.get_or_init(phrases).clone())
    }

    /// Adds a text.
    pub fn add(&mut self, text: &str) {
        let tokens = Tokens::of(text);
        let plain = Plain::of_tokens(&tokens);
        self.runs.reserve(tokens.len());
        self.runs.extend(plain.runs().map(|(_, hash)| hash));
        self.numbers.add(text, &plain);
        self.words.extend(Spelled::of(text).all().map(hash));
        self.text.push_str(&tokens.folded);
        self.text.push('\n');
    }

    /// Whether one of the texts has this run of words.
    pub fn has_run(&self, run: u64) -> bool {
        self.runs.contains(&run)
    }

    /// Whether one of the texts has these words, whatever is between them.
    pub fn says(&self, words: &Plain) -> bool {
        !words.is_empty() && self.text.lines().any(|text| Plain::of(text).text().contains(words.text()))
    }

    fn has_word(&self, word: &str) -> bool {
        self.words.contains(&hash(word))
    }
}

/// What visitors must not read, unless the facts say it, too.
pub struct Untold {
    language: Language,
    runs: Hashes,
    /// The numbers.
    pub numbers: Numbers,
    /// Names that are words between others.
    names: Hashes,
    /// Names that are looked for within the text.
    phrases: HashSet<String>,
    /// Words that may be names: they begin a sentence.
    beginnings: Hashes,
}

impl Untold {
    /// Nothing yet.
    pub fn new(language: Language) -> Untold {
        Untold {
            language,
            runs: Hashes::default(),
            numbers: Numbers::default(),
            names: Hashes::default(),
            phrases: HashSet::new(),
            beginnings: Hashes::default(),
        }
    }

    /// Adds a text.
    pub fn add(&mut self, text: &str) {
        self.add_words(text);
        let spelled = Spelled::of(text);
        for name in spelled.names(self.language) {
            if names::is_word(&name) {
                self.names.insert(hash(&name));
            } else {
                self.phrases.insert(name);
            }
        }
        self.beginnings.extend(spelled.beginnings(self.language).map(hash));
    }

    /// Adds a text whose capitals are no sign of a name, such as a job's title.
    pub fn add_words(&mut self, text: &str) {
        let plain = Plain::of(text);
        self.runs.extend(plain.runs().map(|(_, hash)| hash));
        self.numbers.add(text, &plain);
    }

    /// The first run of words that it has and the facts do not have.
    pub fn run_in<'a>(&self, words: &'a Plain, facts: &Facts) -> Option<&'a str> {
        if self.runs.is_empty() {
            return None;
        }
        let mut found =
            words.runs().filter(|(_, hash)| self.runs.contains(hash) && !facts.runs.contains(hash));
        found.next().map(|(run, _)| run)
    }

    /// The names in a text that it has and the facts do not have.
    pub fn names_in(&self, text: &str, spelled: &Spelled<'_>, facts: &Facts) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        let untold = |word: &&str| self.names.contains(&hash(word)) && !facts.has_word(word);
        found.extend(spelled.capitals().filter(untold).map(str::to_owned));
        if !self.phrases.is_empty() {
            let folded = tidy::folded(text);
            let is_shown =
                |name: &&String| folded.contains(name.as_str()) && !facts.text.contains(name.as_str());
            found.extend(self.phrases.iter().filter(is_shown).cloned());
        }
        let untold = |word: &&str| {
            self.beginnings.contains(&hash(word))
                && !facts.has_word(word)
                && !self.names.contains(&hash(word))
        };
        found.extend(spelled.inner_capitals().filter(untold).map(str::to_owned));
        found.sort_unstable();
        found.dedup();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(text: &str) -> Facts {
        let mut facts = Facts::default();
        facts.add(text);
        facts
    }

    fn untold(text: &str) -> Untold {
        let mut untold = Untold::new(Language::of_texts(&[text]));
        untold.add(text);
        untold
    }

    fn run(notes: &str, facts: &str, text: &str) -> Option<String> {
        untold(notes).run_in(&Plain::of(text), &self::facts(facts)).map(str::to_owned)
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
