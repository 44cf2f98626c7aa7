//! Postings: in which chunks of a segment a term occurs, and how much it weighs there.
//!
//! Chunks are numbered within a tenant; a segment is [`SEGMENT`] numbers in a row. A posting is, for each chunk in the order of numbers, the
//! distance to the one before as a variable number of bytes, and the weight as one byte. Chunks are cut to about the same length, so the
//! mean length that BM25 asks for is a constant: weights never change, and nothing has to be counted across chunks.

/// How many chunks a segment has room for.
pub const SEGMENT: i64 = 4_096;

/// How fast the weight of a term grows with how often it occurs.
const K1: f32 = 1.2;
/// How much the length of a chunk counts.
const B: f32 = 0.75;
/// The mean length of a chunk, in words.
const MEAN: f32 = 200.0;

/// A chunk within its segment, and the weight of the term there.
pub type Occurrence = (u16, u8);

/// The segment of a chunk and its place there.
pub fn place(number: i64) -> (i64, u16) {
    (number.div_euclid(SEGMENT), u16::try_from(number.rem_euclid(SEGMENT)).unwrap_or_default())
}

/// The number of a chunk.
pub fn number(segment: i64, at: u16) -> i64 {
    segment * SEGMENT + i64::from(at)
}

/// The weight of a term that occurs so often in a chunk of so many words, from 1 to 255.
pub fn weight(count: u32, words: u32) -> u8 {
    let (count, words) = (count as f32, words as f32);
    let share = count / (count + K1 * (1.0 - B + B * words / MEAN));
    (share * 255.0).round().clamp(1.0, 255.0) as u8
}

/// What a weight adds to the score of a chunk, for a term of this rarity.
pub fn score(weight: u8, rarity: f32) -> f32 {
    rarity * (K1 + 1.0) * f32::from(weight) / 255.0
}

/// How rare a term is that occurs in so many of so many chunks; never below zero.
pub fn rarity(occurs: u64, chunks: u64) -> f32 {
    let (occurs, chunks) = (occurs.min(chunks) as f32, chunks as f32);
    (1.0 + (chunks - occurs + 0.5) / (occurs + 0.5)).ln()
}

/// Encodes occurrences, which are in the order of chunks.
pub fn encode(occurrences: &[Occurrence]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(occurrences.len() * 2);
    let mut last = 0;
    for (at, weight) in occurrences {
        let distance = at - last;
        if distance < 0x80 {
            bytes.push(distance.to_le_bytes()[0]);
        } else {
            let [low, high] = (distance << 1).to_le_bytes();
            bytes.extend([low >> 1 | 0x80, high]);
        }
        bytes.push(*weight);
        last = *at;
    }
    bytes
}

/// Decodes occurrences; of bytes that are none what can be read.
pub fn decode(bytes: &[u8]) -> impl Iterator<Item = Occurrence> {
    let (mut rest, mut last) = (bytes, 0_u16);
    std::iter::from_fn(move || {
        let (distance, weight, behind) = match rest {
            [low, weight, behind @ ..] if *low < 0x80 => (u16::from(*low), *weight, behind),
            [low, high, weight, behind @ ..] if *low >= 0x80 => {
                (u16::from(low & 0x7f) | u16::from(*high) << 7, *weight, behind)
            }
            _ => return None,
        };
        rest = behind;
        last = last.checked_add(distance).filter(|last| i64::from(*last) < SEGMENT)?;
        Some((last, weight))
    })
}

/// What is put into a posting and taken out of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Delta {
    /// Put in, in the order of chunks.
    pub put: Vec<Occurrence>,
    /// Taken out.
    pub out: Vec<u16>,
}

/// A posting after a delta; what is put in counts if both name a chunk.
pub fn changed(bytes: &[u8], delta: &Delta) -> Vec<Occurrence> {
    let is_gone = |at: u16| delta.out.contains(&at) || delta.put.iter().any(|(put, _)| *put == at);
    let mut occurrences: Vec<Occurrence> = decode(bytes).filter(|(at, _)| !is_gone(*at)).collect();
    occurrences.extend(&delta.put);
    occurrences.sort_unstable();
    occurrences
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn any_posting() -> impl Strategy<Value = BTreeMap<u16, u8>> {
        prop::collection::btree_map(0..SEGMENT as u16, 1..=255_u8, 0..60)
    }

    fn sorted(posting: &BTreeMap<u16, u8>) -> Vec<Occurrence> {
        posting.iter().map(|(at, weight)| (*at, *weight)).collect()
    }

    proptest! {
        #[test]
        fn postings_come_back_as_they_were_stored(posting in any_posting()) {
            prop_assert_eq!(decode(&encode(&sorted(&posting))).collect::<Vec<_>>(), sorted(&posting));
        }

        #[test]
        fn any_bytes_can_be_read(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            prop_assert!(decode(&bytes).all(|(at, _)| i64::from(at) < SEGMENT));
        }

        #[test]
        fn a_delta_does_what_it_says_also_twice(before in any_posting(), put in any_posting(), out in any_posting()) {
            let delta = Delta { put: sorted(&put), out: out.keys().copied().collect() };
            let mut expected = before.clone();
            expected.retain(|at, _| !out.contains_key(at));
            expected.extend(&put);
            let once = changed(&encode(&sorted(&before)), &delta);
            prop_assert_eq!(&once, &sorted(&expected));
            prop_assert_eq!(changed(&encode(&once), &delta), once);
        }

        #[test]
        fn numbers_have_one_place(chunk in 0..i64::from(u32::MAX)) {
            let (segment, at) = place(chunk);
            prop_assert_eq!(number(segment, at), chunk);
        }
    }

    #[test]
    fn what_is_rarer_or_more_frequent_in_a_shorter_chunk_weighs_more() {
        assert!(weight(3, 200) > weight(1, 200) && weight(1, 20) > weight(1, 200) && weight(1, 4_000) > 0);
        assert!(rarity(1, 1_000) > rarity(10, 1_000) && rarity(10, 1_000) > rarity(1_000, 1_000));
        assert!(rarity(1_000, 1_000) >= 0.0 && rarity(5, 3) >= 0.0 && rarity(0, 0) >= 0.0);
        assert!(score(255, 1.0) > score(1, 1.0) && score(1, 0.0) >= 0.0);
    }
}
