//! Passages that were read and languages that were found, kept in memory: most questions are about the same few texts, and reading one takes
//! longer than answering from it.
//!
//! Nothing that is kept can be out of date: it is found by the text that it was read from, letter by letter.

use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, PoisonError};

use pagesmith_knowledge_index::KeptPostings;
use pagesmith_knowledge_index::text::Language;
use quick_cache::{Weighter, unsync};

use crate::passage::{Passage, Text};

/// How many bytes of passages are kept.
const BUDGET: u64 = 32 * 1024 * 1024;
/// About how many passages that is.
const EXPECTED_ENTRIES: usize = 4_000;
/// Of how many texts the language is kept.
const LANGUAGES: usize = 1_000;

#[derive(Debug)]
struct ByBytes;

impl Weighter<u64, Arc<Passage>> for ByBytes {
    fn weight(&self, _: &u64, passage: &Arc<Passage>) -> u64 {
        passage.bytes() as u64
    }
}

/// See the file.
#[derive(Debug)]
pub struct ReadPassages {
    /// By a digest of their text; of two with the same one the later is kept.
    kept: Mutex<unsync::Cache<u64, Arc<Passage>, ByBytes>>,
    languages: Mutex<unsync::Cache<String, Language>>,
    digest: RandomState,
    /// The postings by which passages are found.
    pub postings: KeptPostings,
}

impl Default for ReadPassages {
    fn default() -> ReadPassages {
        ReadPassages {
            kept: Mutex::new(unsync::Cache::with_weighter(EXPECTED_ENTRIES, BUDGET, ByBytes)),
            languages: Mutex::new(unsync::Cache::new(LANGUAGES)),
            digest: RandomState::new(),
            postings: KeptPostings::default(),
        }
    }
}

impl ReadPassages {
    /// Reads a text, or finds what was read of it.
    pub fn read(&self, text: &Text<'_>) -> Arc<Passage> {
        let digest = self.digest.hash_one(text);
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner).get(&digest).cloned();
        if let Some(kept) = kept.filter(|kept| kept.is_of(text)) {
            return kept;
        }
        let passage = Arc::new(Passage::read(text));
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).insert(digest, Arc::clone(&passage));
        passage
    }

    /// Finds out the language of a short text, or knows it.
    pub fn language(&self, text: String) -> Language {
        let known = self.languages.lock().unwrap_or_else(PoisonError::into_inner).get(&text).copied();
        known.unwrap_or_else(|| {
            let found = Language::of(&text);
            self.languages.lock().unwrap_or_else(PoisonError::into_inner).insert(text, found);
            found
        })
    }

    /// Drops everything.
    pub fn clear(&self) {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.languages.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.postings.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text<'a>(context: &'a str, text: &'a str, code: &str) -> Text<'a> {
        Text { context, heading: "Bikes", text, language: Language::of_code(code) }
    }

    #[test]
    fn a_text_is_read_once_and_another_one_is_another() {
        let kept = ReadPassages::default();
        let first = kept.read(&text("Shop", "We rent bikes. They are new.", "en"));
        assert!(Arc::ptr_eq(&first, &kept.read(&text("Shop", "We rent bikes. They are new.", "en"))));
        for other in [
            text("Shop", "We rent bikes. They are old.", "en"),
            text("Rent", "We rent bikes. They are new.", "en"),
            text("Shop", "We rent bikes. They are new.", "de"),
        ] {
            let read = kept.read(&other);
            assert_eq!(*read, Passage::read(&other));
            assert_ne!(*read, *first);
        }
        kept.clear();
        assert!(!Arc::ptr_eq(&first, &kept.read(&text("Shop", "We rent bikes. They are new.", "en"))));
    }

    #[test]
    fn the_language_of_a_text_is_found_once_and_is_that_of_the_text() {
        let kept = ReadPassages::default();
        let texts = [
            "We rent bikes and repair them while you wait in our workshop.",
            "Wir vermieten Fahrräder und reparieren sie, während Sie in der Werkstatt warten.",
        ];
        for text in texts.iter().chain(&texts) {
            assert_eq!(kept.language((*text).to_owned()), Language::of(text));
        }
        assert_eq!(kept.languages.lock().unwrap().len(), 2);
        kept.clear();
        assert_eq!(kept.languages.lock().unwrap().len(), 0);
    }

    #[test]
    fn no_more_is_kept_than_there_is_room_for() {
        let kept = ReadPassages::default();
        let long: Vec<String> = (0..2_000).map(|number| format!("word{number}")).collect();
        for number in 0..2_000 {
            kept.read(&text(&number.to_string(), &long.join(" "), "en"));
        }
        let state = kept.kept.lock().unwrap();
        assert!(state.weight() <= BUDGET && state.len() > 100, "{} of {}", state.weight(), state.len());
    }
}
