//! Which grams a query needs, and what their sets say about who matches.
//!
//! A plan gives, rank by rank, the documents that may match: at first by few grams, and once they are refined by all. Invariant:
//! no document that ranks so is left out; for words of up to three characters nothing else is counted.

use std::borrow::Cow;
use std::collections::HashMap;

use foldhash::fast::RandomState;
use pagesmith_model::text::{Query, QueryWord};

use super::{bucket, bucket_text};
use crate::document_set::Documents;

/// More grams of one word, of all words, and of the phrase tell little that others do not.
const GRAMS_OF_WORD: usize = 4;
const GRAMS: usize = 32;
const GRAMS_OF_PHRASE: usize = 3;

/// Which grams a query needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// All of these occur where the query matches.
    anywhere: Vec<String>,
    /// All of these start words where every word does.
    word_starts: Vec<String>,
    /// Besides, these occur where the phrase does.
    phrase: Vec<String>,
    /// Starts a field where the phrase does.
    field_start: String,
    /// The bucket of a field that is the phrase; none if the phrase is a gram.
    bucket: Option<String>,
    /// What of all these is asked, and how.
    asked: SetsToRead,
    /// All that the grams admit does match.
    counts: bool,
    /// And it ranks as they say.
    pub(super) ranks: bool,
}

/// The grams of a plan, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct SetsToRead {
    wide: Vec<String>,
    narrow: Vec<String>,
    later: Vec<String>,
}

/// The sets of one segment that a plan needs, by gram.
pub type Loaded<'a> = HashMap<&'a str, Sets<'a>, RandomState>;

/// A gram's sets as [`Documents`] are stored; none where it does not occur.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sets<'a> {
    /// It occurs.
    pub anywhere: Option<Cow<'a, [u8]>>,
    /// It starts a word.
    pub word_starts: Option<Cow<'a, [u8]>>,
    /// It starts a field.
    pub field_starts: Option<Cow<'a, [u8]>>,
    /// It is a field.
    pub whole: Option<Cow<'a, [u8]>>,
}

impl Plan {
    /// The plan of a query that is not blank.
    pub fn of(query: &Query) -> Self {
        let mut anywhere = Vec::new();
        let mut counts = true;
        for word in &query.words {
            counts &= is_gram(&word.text);
            anywhere.extend(some_of(&grams(&word.text), GRAMS_OF_WORD));
        }
        let anywhere = distinct(anywhere);
        counts &= anywhere.len() <= GRAMS;
        let starts: Vec<_> = query.words.iter().map(word_start).collect();
        let short = is_gram(&query.phrase);
        let mut plan = Self {
            anywhere: some_of(&anywhere, GRAMS),
            ranks: counts && short && starts.iter().all(|(_, all)| *all),
            word_starts: some_of(&distinct(starts.into_iter().filter_map(|(gram, _)| gram).collect()), GRAMS),
            field_start: query.phrase.chars().take(3).collect(),
            bucket: (!short).then(|| bucket_text(bucket(&query.phrase))),
            phrase: some_of(&grams(&query.phrase), GRAMS_OF_PHRASE),
            counts,
            asked: SetsToRead::default(),
        };
        plan.asked = plan.ask();
        plan
    }

    fn ask(&self) -> SetsToRead {
        let wide = distinct(self.word_starts.iter().chain([&self.field_start]).cloned().collect());
        // If the sets are to tell the ranks, they are needed all; else any word's first gram does.
        let known = self.anywhere.iter().any(|gram| wide.contains(gram));
        let needed = if self.ranks { self.anywhere.len() } else { usize::from(!known) };
        let first = self.anywhere.iter().take(needed).chain(&self.bucket);
        let narrow = distinct(first.filter(|gram| !wide.contains(gram)).cloned().collect());
        let rest = self.anywhere.iter().chain(&self.phrase);
        let later = rest.filter(|gram| !wide.contains(gram) && !narrow.contains(gram)).cloned();
        SetsToRead { later: distinct(later.collect()), wide, narrow }
    }

    /// The documents that it admits are those that match.
    pub fn counts(&self) -> bool {
        self.counts
    }

    /// The grams whose sets are all needed.
    pub fn wide(&self) -> &[String] {
        &self.asked.wide
    }

    /// The grams of which only plain occurrence is read, and without which there are no candidates.
    pub fn narrow(&self) -> &[String] {
        &self.asked.narrow
    }

    /// The others: where they do not occur, candidates are none. Nobody needs them where there are no candidates.
    pub fn later(&self) -> &[String] {
        &self.asked.later
    }

    /// The later grams take nothing from what matches.
    pub fn matches_at_first(&self) -> bool {
        !self.anywhere.iter().any(|gram| self.later().contains(gram))
    }

    /// Takes from candidates those that the later grams do not admit.
    pub fn refine(&self, loaded: &Loaded<'_>, by_rank: &mut [Documents; 4], matching: &mut Documents) {
        for gram in self.later() {
            let sets = loaded.get(gram.as_str()).and_then(|sets| sets.anywhere.as_deref());
            let [whole, starts, words, rest] = &mut *by_rank;
            keep(whole, sets);
            keep(starts, sets);
            if self.anywhere.contains(gram) {
                keep(words, sets);
                keep(rest, sets);
                keep(matching, sets);
            }
        }
    }

    /// By rank, the documents of a segment that may have it: each that has it is there; and all that may match. Of the
    /// later grams it knows nothing.
    pub fn candidates(&self, loaded: &Loaded<'_>, removed: &Documents) -> ([Documents; 4], Documents) {
        let none = Sets::default();
        let sets = |gram: &str| loaded.get(gram).unwrap_or(&none);
        let later = self.later();
        let mut grams = self.anywhere.iter().filter(|gram| !later.contains(gram));
        let first = grams.next().and_then(|gram| sets(gram).anywhere.as_deref());
        let mut matching = Documents::from_bytes(first.unwrap_or_default());
        grams.for_each(|gram| keep(&mut matching, sets(gram).anywhere.as_deref()));
        matching.minus(removed);
        if matching.is_empty() {
            return Default::default();
        }
        let mut words = matching.clone();
        self.word_starts.iter().for_each(|gram| keep(&mut words, sets(gram).word_starts.as_deref()));
        let mut starts = matching.clone();
        keep(&mut starts, sets(&self.field_start).field_starts.as_deref());
        let phrase = self.phrase.iter().filter(|gram| !later.contains(gram));
        phrase.for_each(|gram| keep(&mut starts, sets(gram).anywhere.as_deref()));
        let mut whole = starts.clone();
        let is_field = match &self.bucket {
            Some(bucket) => sets(bucket).anywhere.as_deref(),
            None => sets(&self.field_start).whole.as_deref(),
        };
        keep(&mut whole, is_field);
        let mut rest = matching.clone();
        if self.ranks {
            rest.minus(&words);
            rest.minus(&starts);
            words.minus(&starts);
            starts.minus(&whole);
        }
        ([whole, starts, words, rest], matching)
    }
}

fn keep(set: &mut Documents, of: Option<&[u8]>) {
    match of {
        Some(of) => set.and_bytes(of),
        None => *set = Documents::default(),
    }
}

fn is_gram(text: &str) -> bool {
    text.chars().nth(3).is_none()
}

/// Every three characters of a text in a row; a shorter text is one gram.
fn grams(text: &str) -> Vec<String> {
    if is_gram(text) {
        return vec![text.to_owned()];
    }
    let chars: Vec<char> = text.chars().collect();
    distinct(chars.windows(3).map(|chars| chars.iter().collect()).collect())
}

/// The gram that starts a word where this word does, if it needs one; and whether that is all that it needs.
fn word_start(word: &QueryWord) -> (Option<String>, bool) {
    let Some(first) = word.start_form.split(' ').find(|part| !part.is_empty()) else {
        return (None, true);
    };
    let gram: String = first.chars().take(3).collect();
    let all = gram == word.text;
    (Some(gram), all)
}

/// At most so many, spread over all, the first and the last among them.
fn some_of(grams: &[String], count: usize) -> Vec<String> {
    if grams.len() <= count {
        return grams.to_vec();
    }
    (0..count).map(|at| grams[at * (grams.len() - 1) / (count - 1)].clone()).collect()
}

fn distinct<T: PartialEq>(all: Vec<T>) -> Vec<T> {
    let mut distinct = Vec::with_capacity(all.len());
    for one in all {
        if !distinct.contains(&one) {
            distinct.push(one);
        }
    }
    distinct
}
