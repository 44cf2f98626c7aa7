//! Grams: one to three characters in a row, what a search index is made of.
//!
//! An [`Index`] takes the joined fields ([`pagesmith_model::fields`]) of the documents of one segment and says of every gram
//! in which of them it occurs, starts a word, starts a field, or is a field. A [`Plan`] says which grams a query
//! needs. What this is not: the last word, which is the text itself.

use std::borrow::Cow;
use std::collections::HashMap;

use foldhash::fast::RandomState;
use pagesmith_store::tables::person_index::postings::Posting;

use crate::document_set::{Documents, encode};

mod plan;

pub use plan::{Loaded, Plan, Sets};

/// Whole fields longer than a gram fall into so many buckets.
const BUCKETS: u32 = 4096;
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

/// The number of a gram or a bucket's text.
fn key_of(text: &str) -> Key {
    if let Some(bucket) = text.strip_prefix('\n') {
        return BUCKET | Key::from_str_radix(bucket, 16).unwrap_or_default();
    }
    let mut chars = text.chars();
    key([chars.next(), chars.next(), chars.next()])
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
                note(&mut self.entries.entry(key_of(field)).or_default().whole, document);
            }
            _ => {
                let entry = self.entries.entry(BUCKET | bucket(field)).or_default();
                note(&mut entry.anywhere, document);
            }
        }
    }

    /// What is said of a gram until now; nothing if it does not occur.
    pub fn sets(&self, gram: &str) -> Option<Sets<'static>> {
        let entry = self.entries.get(&key_of(gram))?;
        let some = |list: &[u16]| (!list.is_empty()).then(|| encode(list).into());
        Some(Sets {
            anywhere: some(&entry.anywhere),
            word_starts: some(&entry.word_starts),
            field_starts: some(&entry.field_starts),
            whole: some(&entry.whole),
        })
    }

    /// About how many bytes it takes.
    pub fn size(&self) -> usize {
        let numbers = |entry: &Entry| {
            let Entry { anywhere, word_starts, field_starts, whole } = entry;
            [anywhere, word_starts, field_starts, whole].map(Vec::capacity).into_iter().sum::<usize>()
        };
        let all: usize = self.entries.values().map(numbers).sum();
        all * size_of::<u16>() + self.entries.capacity() * size_of::<(Key, Entry)>()
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

/// The sets of a posting, borrowed.
pub fn sets_of(posting: &Posting) -> Sets<'_> {
    Sets {
        anywhere: Some(posting.anywhere.as_slice().into()),
        word_starts: posting.word_starts.as_deref().map(Cow::from),
        field_starts: posting.field_starts.as_deref().map(Cow::from),
        whole: posting.whole.as_deref().map(Cow::from),
    }
}

/// A posting without one of its documents; `None` if it has no other.
pub fn without(mut posting: Posting, document: u16) -> Option<Posting> {
    let rest = |bytes: &[u8]| {
        let mut set = Documents::from_bytes(bytes);
        set.remove(document);
        (!set.is_empty()).then(|| set.to_bytes())
    };
    posting.anywhere = rest(&posting.anywhere)?;
    for set in [&mut posting.word_starts, &mut posting.field_starts, &mut posting.whole] {
        *set = set.as_deref().and_then(rest);
    }
    Some(posting)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use pagesmith_model::fields;
    use pagesmith_model::text::{Query, Rank};

    fn loaded(postings: &[Posting]) -> Loaded<'_> {
        postings.iter().map(|posting| (posting.gram.as_str(), sets_of(posting))).collect()
    }

    #[test]
    fn a_number_is_as_good_as_its_text() {
        for text in ["a", "ab", "abc", "東京都", "🚀\u{10ffff}\u{1}", "\n0a3"] {
            assert_eq!(text_of(key_of(text)), text);
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
        assert!(plan.wide().len() + plan.narrow().len() + plan.later().len() < 80);
        let words: Vec<String> = (0..1_000).map(|number| format!("{number:03}")).collect();
        let plan = Plan::of(&Query::parse(&words.join(" ")));
        assert!(plan.wide().len() + plan.narrow().len() + plan.later().len() < 80);
    }

    fn any_field() -> impl Strategy<Value = String> {
        prop_oneof!["\\PC{0,5}", "[ab]{0,4}", "[abé '.@-]{0,9}", "[東京都 ]{1,4}"]
    }

    proptest! {
        #[test]
        fn an_index_in_the_making_says_what_it_will_say(
            texts in prop::collection::vec(prop::collection::vec(any_field(), 0..4), 1..20),
        ) {
            let mut index = Index::default();
            for (document, fields) in (0..).zip(&texts) {
                index.add(document, &fields::join(fields.iter().map(String::as_str)));
            }
            let told: Vec<_> = index.grams().into_iter().map(|gram| (index.sets(&gram), gram)).collect();
            let finished = index.finish();
            let finished = loaded(&finished);
            prop_assert_eq!(told.len(), finished.len());
            for (sets, gram) in told {
                prop_assert_eq!(sets.as_ref(), finished.get(gram.as_str()));
            }
        }

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
            let first: Vec<&String> = plan.wide().iter().chain(plan.narrow()).collect();
            let (mut at_first, mut later) = (loaded(&postings), loaded(&postings));
            at_first.retain(|gram, _| first.iter().any(|of| of == gram));
            later.retain(|gram, _| plan.later().iter().any(|of| of == gram));
            let mut removed = Documents::default();
            removed.insert(gone);
            let (mut by_rank, mut matching) = plan.candidates(&at_first, &removed);
            prop_assert!(!plan.ranks || plan.later().is_empty());
            plan.refine(&later, &mut by_rank, &mut matching);
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
