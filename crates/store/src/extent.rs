//! How much of a collection is read at once: so many items, and no more than so many bytes.
//!
//! Some rows are large, and a hundred of them are more than one answer should hold. A list stops reading where its bytes are used up, says that
//! more follows, and the caller goes on behind the last item. Invariant: a part that is not empty holds at least one item, so that
//! every walk comes to its end.

use pagesmith_model::Result;

use crate::row::Row;

/// The most that is wanted of a collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// How many items.
    pub items: usize,
    /// How many bytes of rows; the first item counts whatever its size.
    pub bytes: usize,
}

impl Extent {
    /// So many items of any size.
    pub fn of_items(items: usize) -> Extent {
        Extent { items, bytes: usize::MAX }
    }

    /// How many rows to ask for: one more, to know whether more follow.
    pub fn rows(self) -> i64 {
        i64::try_from(self.items).unwrap_or(i64::MAX).saturating_add(1)
    }
}

/// Whether reading ends with the row that is the `count`th and brings the sum of bytes to `sum`. Of two rows the second shows that the first was
/// not the last.
pub(crate) fn ends_at(count: usize, sum: usize, most: usize) -> bool {
    count > 1 && sum > most
}

/// A part of a collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListPart<T> {
    /// Its items, in order.
    pub items: Vec<T>,
    /// Whether more follow.
    pub more: bool,
    /// About how many bytes they take.
    pub bytes: usize,
}

impl<T> ListPart<T> {
    /// The items of rows that were read for this extent: with [`Extent::rows`] and within its bytes.
    pub(crate) fn read(
        rows: &[Row],
        extent: Extent,
        mut read: impl FnMut(&Row) -> Result<T>,
    ) -> Result<ListPart<T>> {
        let part = ListPart::of(rows.iter().map(|row| (row.bytes(), row)), extent);
        let items = part.items.into_iter().map(&mut read).collect::<Result<_>>()?;
        Ok(ListPart { items, more: part.more, bytes: part.bytes })
    }

    /// The part with something made of each item.
    pub fn map<U>(self, make: impl FnMut(T) -> U) -> ListPart<U> {
        ListPart { items: self.items.into_iter().map(make).collect(), more: self.more, bytes: self.bytes }
    }

    /// The same where making something can fail.
    pub fn try_map<U>(self, make: impl FnMut(T) -> Result<U>) -> Result<ListPart<U>> {
        let items = self.items.into_iter().map(make).collect::<Result<_>>()?;
        Ok(ListPart { items, more: self.more, bytes: self.bytes })
    }

    /// As much of these items, each with its bytes, as the extent holds.
    pub fn of(items: impl IntoIterator<Item = (usize, T)>, extent: Extent) -> ListPart<T> {
        let mut part = ListPart { items: Vec::new(), more: false, bytes: 0 };
        for (bytes, item) in items {
            let sum = part.bytes.saturating_add(bytes);
            if part.items.len() == extent.items || ends_at(part.items.len() + 1, sum, extent.bytes) {
                part.more = true;
                break;
            }
            part.items.push(item);
            part.bytes = sum;
        }
        part
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What an engine reads of rows of these sizes.
    fn engine(sizes: &[usize], extent: Extent) -> Vec<(usize, usize)> {
        let (mut sum, mut rows) = (0, Vec::new());
        for (at, bytes) in sizes.iter().take(extent.items + 1).enumerate() {
            sum += bytes;
            rows.push((*bytes, at));
            if ends_at(rows.len(), sum, extent.bytes) {
                break;
            }
        }
        rows
    }

    proptest! {
        #[test]
        fn a_walk_reads_every_row_once_and_no_part_is_larger_than_its_extent(
            sizes in prop::collection::vec(prop_oneof![0..20_usize, 0..500_usize], 0..60),
            items in 1..12_usize,
            bytes in 0..400_usize,
        ) {
            let extent = Extent { items, bytes };
            let mut walked = 0;
            loop {
                let rest = &sizes[walked..];
                let rows = engine(rest, extent);
                let part = ListPart::of(rows, extent);
                prop_assert!(part.items.iter().copied().eq(0..part.items.len()), "in order and without gaps");
                prop_assert!(part.items.len() <= items);
                prop_assert!(part.bytes <= bytes || part.items.len() == 1, "{} of {bytes}", part.bytes);
                prop_assert_eq!(part.bytes, rest[..part.items.len()].iter().sum::<usize>());
                walked += part.items.len();
                prop_assert_eq!(part.more, walked < sizes.len());
                if !part.more {
                    break;
                }
            }
            prop_assert_eq!(walked, sizes.len());
        }

        #[test]
        fn of_two_sorted_lists_that_were_both_cut_nothing_is_passed_over(
            sizes in prop::collection::vec((any::<bool>(), 0..300_usize), 0..40),
            items in 1..8_usize,
            bytes in 0..500_usize,
        ) {
            let extent = Extent { items, bytes };
            let mut merged = Vec::new();
            for side in [false, true] {
                let places: Vec<usize> = (0..sizes.len()).filter(|at| sizes[*at].0 == side).collect();
                let of_side: Vec<usize> = places.iter().map(|at| sizes[*at].1).collect();
                merged.extend(engine(&of_side, extent).into_iter().map(|(bytes, at)| (bytes, places[at])));
            }
            merged.sort_by_key(|(_, place)| *place);
            let part = ListPart::of(merged, extent);
            prop_assert!(part.items.iter().copied().eq(0..part.items.len()), "{:?}", part.items);
            prop_assert_eq!(part.more, part.items.len() < sizes.len());
            prop_assert!(sizes.is_empty() || !part.items.is_empty());
        }
    }
}
