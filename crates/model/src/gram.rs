//! Grams: one to three characters in a row, what a search index is made of.
//!
//! An [`Index`] takes the joined fields ([`crate::fields`]) of the documents of one segment and says of every gram
//! in which of them it occurs, starts a word, starts a field, or is a field. A [`Plan`] says which grams a query
//! needs and gives, rank by rank, the documents that may match. Invariant: no document that ranks so is left out; for
//! words of up to three characters nothing else is counted. What this is not: the last word, which is the text itself.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use crate::documents::{Documents, encode};
use crate::text::{Query, QueryWord};

/// Whole fields longer than a gram fall into so many buckets.
const BUCKETS: u32 = 4096;
/// More grams of one word, of all words, and of the phrase tell little that others do not.
const GRAMS_OF_WORD: usize = 4;
const GRAMS: usize = 32;
const GRAMS_OF_PHRASE: usize = 3;

/// Up to three characters in one number, in the order of the texts; zero stands for none.
type Key = u64;
/// Marks the number of a bucket.
const BUCKET: Key = 1 << 63;

fn key(chars: [Option<char>; 3]) -> Key {
    chars.into_iter().fold(0, |key, char| key << 21 | char.map_or(0, |char| u64::from(u32::from(char)) + 1))
}

fn text_of(key: Key) -> String {
    if key & BUCKET != 0 {
        return bucket_text(key & !BUCKET);
    }
    let chars = [key >> 42, key >> 21, key].map(|part| part as u32 & 0x1f_ffff);
    chars.into_iter().filter(|part| *part > 0).filter_map(|part| char::from_u32(part - 1)).collect()
}

/// Which bucket a field falls into: FNV-1a, which is the same everywhere and for ever.
fn bucket(field: &str) -> u64 {
    let hash =
        field.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    u64::from((hash ^ hash >> 16) % BUCKETS)
}

/// No gram of a text has a line end.
fn bucket_text(bucket: u64) -> String {
    format!("\n{bucket:03x}")
}

/// Where in a segment a gram occurs, as [`Documents`] are stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Posting {
    /// The gram.
    pub gram: String,
    /// It occurs.
    pub anywhere: Vec<u8>,
    /// It starts a word.
    pub word_starts: Option<Vec<u8>>,
    /// It starts a field.
    pub field_starts: Option<Vec<u8>>,
    /// It is a field.
    pub whole: Option<Vec<u8>>,
}

/// The postings of one segment in the making.
#[derive(Default)]
pub struct Index {
    entries: HashMap<Key, Entry, RandomState>,
}

#[derive(Default)]
struct Entry {
    anywhere: Vec<u16>,
    word_starts: Vec<u16>,
    field_starts: Vec<u16>,
    whole: Vec<u16>,
}

fn note(list: &mut Vec<u16>, document: u16) {
    if list.last() != Some(&document) {
        list.push(document);
    }
}

impl Index {
    /// Adds a document; its number must be above those before.
    pub fn add(&mut self, document: u16, fields: &str) {
        for field in fields.split('\n') {
            self.add_field(document, field);
        }
    }

    fn add_field(&mut self, document: u16, field: &str) {
        let (mut second, mut third) = (None, None);
        let mut of_word = 0;
        let mut length = 0;
        for char in field.chars() {
            length += 1;
            of_word = if char.is_alphanumeric() { of_word + 1 } else { 0 };
            let ends_here =
                [[Some(char), None, None], [second, Some(char), None], [third, second, Some(char)]];
            for (size, chars) in (1..=length.min(3)).zip(ends_here) {
                let entry = self.entries.entry(key(chars)).or_default();
                note(&mut entry.anywhere, document);
                if of_word == size {
                    note(&mut entry.word_starts, document);
                }
                if length == size {
                    note(&mut entry.field_starts, document);
                }
            }
            (third, second) = (second, Some(char));
        }
        match length {
            0 => {}
            1..=3 => {
                let mut chars = field.chars();
                let whole = key([chars.next(), chars.next(), chars.next()]);
                note(&mut self.entries.entry(whole).or_default().whole, document);
            }
            _ => {
                let entry = self.entries.entry(BUCKET | bucket(field)).or_default();
                note(&mut entry.anywhere, document);
            }
        }
    }

    /// The grams that say something.
    pub fn grams(&self) -> Vec<String> {
        self.entries.keys().map(|key| text_of(*key)).collect()
    }

    /// The postings in the order of their grams.
    pub fn finish(self) -> Vec<Posting> {
        let mut entries: Vec<_> = self.entries.into_iter().collect();
        entries.sort_unstable_by_key(|(key, _)| *key);
        let some = |list: &[u16]| (!list.is_empty()).then(|| encode(list));
        let posting = |(key, entry): (Key, Entry)| Posting {
            gram: text_of(key),
            anywhere: encode(&entry.anywhere),
            word_starts: some(&entry.word_starts),
            field_starts: some(&entry.field_starts),
            whole: some(&entry.whole),
        };
        entries.into_iter().map(posting).collect()
    }
}

impl Posting {
    /// The same without a document; `None` if there is no other one.
    pub fn without(mut self, document: u16) -> Option<Self> {
        let rest = |bytes: &[u8]| {
            let mut set = Documents::from_bytes(bytes);
            set.remove(document);
            (!set.is_empty()).then(|| set.to_bytes())
        };
        self.anywhere = rest(&self.anywhere)?;
        for set in [&mut self.word_starts, &mut self.field_starts, &mut self.whole] {
            *set = set.as_deref().and_then(rest);
        }
        Some(self)
    }
}

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
    /// All that the grams admit does match.
    counts: bool,
    /// And it ranks as they say.
    ranks: bool,
}

/// The sets of one segment that a plan needs, by gram.
pub type Loaded<'a> = HashMap<&'a str, Sets>;

/// A gram's sets; empty where it does not occur.
#[derive(Clone, Debug, Default)]
pub struct Sets {
    /// It occurs.
    pub anywhere: Option<Documents>,
    /// It starts a word.
    pub word_starts: Option<Documents>,
    /// It starts a field.
    pub field_starts: Option<Documents>,
    /// It is a field.
    pub whole: Option<Documents>,
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
        Self {
            anywhere: some_of(&anywhere, GRAMS),
            ranks: counts && short && starts.iter().all(|(_, all)| *all),
            word_starts: some_of(&distinct(starts.into_iter().filter_map(|(gram, _)| gram).collect()), GRAMS),
            field_start: query.phrase.chars().take(3).collect(),
            bucket: (!short).then(|| bucket_text(bucket(&query.phrase))),
            phrase: some_of(&grams(&query.phrase), GRAMS_OF_PHRASE),
            counts,
        }
    }

    /// The documents that it admits are those that match.
    pub fn counts(&self) -> bool {
        self.counts
    }

    /// The grams whose sets are all needed.
    pub fn wide(&self) -> Vec<&str> {
        let grams = self.word_starts.iter().chain([&self.field_start]).map(String::as_str);
        distinct(grams.collect())
    }

    /// The other grams: only where they occur is needed.
    pub fn narrow(&self) -> Vec<&str> {
        let wide = self.wide();
        let grams = self.anywhere.iter().chain(&self.phrase).chain(&self.bucket).map(String::as_str);
        distinct(grams.filter(|gram| !wide.contains(gram)).collect())
    }

    /// By rank, the documents of a segment that may have it: each that has it is there; and all that may match.
    pub fn candidates(&self, loaded: &Loaded<'_>, removed: &Documents) -> ([Documents; 4], Documents) {
        let none = Sets::default();
        let sets = |gram: &str| loaded.get(gram).unwrap_or(&none);
        let mut grams = self.anywhere.iter();
        let mut matching = grams.next().and_then(|gram| sets(gram).anywhere.clone()).unwrap_or_default();
        grams.for_each(|gram| keep(&mut matching, sets(gram).anywhere.as_ref()));
        matching.minus(removed);
        let mut words = matching.clone();
        self.word_starts.iter().for_each(|gram| keep(&mut words, sets(gram).word_starts.as_ref()));
        let mut starts = matching.clone();
        keep(&mut starts, sets(&self.field_start).field_starts.as_ref());
        self.phrase.iter().for_each(|gram| keep(&mut starts, sets(gram).anywhere.as_ref()));
        let mut whole = starts.clone();
        let is_field = match &self.bucket {
            Some(bucket) => sets(bucket).anywhere.as_ref(),
            None => sets(&self.field_start).whole.as_ref(),
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

fn keep(set: &mut Documents, of: Option<&Documents>) {
    match of {
        Some(of) => set.and(of),
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::fields;
    use crate::text::Rank;

    fn loaded(postings: &[Posting]) -> Loaded<'_> {
        let set = |bytes: &Option<Vec<u8>>| bytes.as_deref().map(Documents::from_bytes);
        let sets = |posting: &Posting| Sets {
            anywhere: Some(Documents::from_bytes(&posting.anywhere)),
            word_starts: set(&posting.word_starts),
            field_starts: set(&posting.field_starts),
            whole: set(&posting.whole),
        };
        postings.iter().map(|posting| (posting.gram.as_str(), sets(posting))).collect()
    }

    #[test]
    fn a_number_is_as_good_as_its_text() {
        for text in ["a", "ab", "abc", "東京都", "🚀\u{10ffff}\u{1}"] {
            let mut chars = text.chars();
            assert_eq!(text_of(key([chars.next(), chars.next(), chars.next()])), text);
        }
    }

    #[test]
    fn postings_stand_in_the_order_of_their_grams() {
        let mut index = Index::default();
        index.add(3, "zoe unal\nzoe@acme.com");
        let grams: Vec<String> = index.finish().into_iter().map(|posting| posting.gram).collect();
        let (buckets, plain): (Vec<String>, Vec<String>) =
            grams.into_iter().partition(|gram| gram.starts_with('\n'));
        assert!(plain.is_sorted() && buckets.is_sorted() && buckets.len() == 2, "{plain:?} {buckets:?}");
    }

    #[test]
    fn a_query_of_any_length_needs_few_grams() {
        let query = "abcdefghij ".repeat(50) + &"xyz".repeat(3_000) + " a b c d e f g h i j k l";
        let plan = Plan::of(&Query::parse(&query));
        assert!(plan.wide().len() + plan.narrow().len() < 80);
        let words: Vec<String> = (0..1_000).map(|number| format!("{number:03}")).collect();
        let plan = Plan::of(&Query::parse(&words.join(" ")));
        assert!(plan.wide().len() + plan.narrow().len() < 80);
        assert!(!plan.counts());
    }

    fn any_field() -> impl Strategy<Value = String> {
        prop_oneof!["\\PC{0,5}", "[ab]{0,4}", "[abé '.@-]{0,9}", "[東京都 ]{1,4}"]
    }

    proptest! {
        #[test]
        fn candidates_are_all_that_match_and_for_short_words_only_they(
            texts in prop::collection::vec(prop::collection::vec(any_field(), 0..4), 1..20),
            query in prop_oneof![any_field(), "[ab]{1,3}", "[ab.]{1,3}( [ab.]{1,3})?", "[ab]{4,6}"],
            gone in 0..20_u16,
        ) {
            let query = Query::parse(&query);
            prop_assume!(!query.is_blank());
            let mut index = Index::default();
            let texts: Vec<String> =
                texts.iter().map(|text| fields::join(text.iter().map(String::as_str))).collect();
            (0..).zip(&texts).for_each(|(number, text)| index.add(number, text));
            let postings = index.finish();
            let plan = Plan::of(&query);
            let needed: Vec<&str> = plan.wide().into_iter().chain(plan.narrow()).collect();
            let mut loaded = loaded(&postings);
            loaded.retain(|gram, _| needed.contains(gram));
            let mut removed = Documents::default();
            removed.insert(gone);
            let (by_rank, matching) = plan.candidates(&loaded, &removed);
            for (number, text) in (0..).zip(&texts) {
                let rank = fields::rank(text, &query).filter(|_| number != gone);
                if plan.counts() {
                    prop_assert_eq!(matching.contains(number), rank.is_some(), "{} {:?}", number, text);
                }
                for (at, wanted) in [Rank::Exact, Rank::FieldStart, Rank::WordStart, Rank::Anywhere].into_iter().enumerate() {
                    let listed = by_rank[at].contains(number);
                    if rank == Some(wanted) {
                        prop_assert!(listed && matching.contains(number), "{:?} {:?}", rank, text);
                    } else if plan.ranks {
                        prop_assert!(!listed, "{:?} {:?}", rank, text);
                    }
                }
            }
        }
    }
}
