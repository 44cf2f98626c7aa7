//! The statements, one file per table, in the same few verbs: insert, find, list, update, remove, count.

pub mod account_logs;
pub mod accounts;
pub mod audience_names;
pub mod audience_versions;
pub mod audiences;
pub mod counters;
pub mod events;
pub mod generations;
pub mod idempotency_records;
pub mod keys;
pub mod log_tallies;
pub mod operation_keys;
pub mod page_names;
pub mod page_tallies;
pub mod pages;
pub mod person_chunks;
pub mod person_documents;
pub mod person_indexes;
pub mod person_logs;
pub mod person_postings;
pub mod person_removals;
pub mod person_segments;
pub mod person_texts;
pub mod persons;
pub mod persons_in_bulk;
pub mod revisions;
pub mod tally_debts;
pub mod tenants;
pub mod version_contents;

/// A list made as long as one of few lengths by repeating its last: the engines keep one statement for each length.
fn padded<T>(list: &[T]) -> impl Iterator<Item = &T> {
    let length = if list.is_empty() { 0 } else { list.len().next_power_of_two() };
    list.iter().chain(list.last().into_iter().cycle()).take(length)
}

/// A list in parts of few lengths, for statements with that many rows.
fn parts<T>(mut list: &[T]) -> impl Iterator<Item = &[T]> {
    std::iter::from_fn(move || {
        let length = [64, 8, 1].into_iter().find(|length| *length <= list.len())?;
        let part;
        (part, list) = list.split_at(length);
        Some(part)
    })
}

#[cfg(test)]
mod tests {
    use super::{padded, parts};

    #[test]
    fn lists_have_few_lengths() {
        let of = |length: u8| padded(&(0..length).collect::<Vec<_>>()).copied().collect::<Vec<_>>();
        assert!(of(0).is_empty());
        assert_eq!(of(1), [0]);
        assert_eq!(of(5), [0, 1, 2, 3, 4, 4, 4, 4]);
        let lengths: Vec<usize> = parts(&[0; 82]).map(<[_]>::len).collect();
        assert_eq!(lengths, [64, 8, 8, 1, 1]);
    }
}
