//! A range of time, cut into the pieces that are counted apart: whole UTC days, whole quarters of an hour, and edges of which rows are read.
//!
//! Sums of days are kept for good, those of quarters for some days, and rows as long as the tenant says. Invariant: the pieces of a
//! range have no instant in common, and together they are the range.

use std::ops::Range;
use std::time::Duration;

use crate::Timestamp;

/// A day.
pub const DAY: Duration = Duration::from_hours(24);
/// A quarter of an hour.
pub const QUARTER: Duration = Duration::from_mins(15);
/// For how long sums of quarters are kept, before the present day.
pub const QUARTERS_KEPT: Duration = Duration::from_hours(31 * 24);

/// How much of a time a sum covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Span {
    /// A UTC day.
    Day,
    /// A quarter of an hour.
    Quarter,
}

impl Span {
    /// Both.
    pub const ALL: [Span; 2] = [Span::Day, Span::Quarter];

    /// As it is stored.
    pub fn number(self) -> i64 {
        match self {
            Span::Day => 0,
            Span::Quarter => 1,
        }
    }

    fn micros(self) -> i64 {
        let length = match self {
            Span::Day => DAY,
            Span::Quarter => QUARTER,
        };
        i64::try_from(length.as_micros()).unwrap_or(i64::MAX)
    }

    /// When the span of an instant begins.
    pub fn start_of(self, instant: Timestamp) -> Timestamp {
        Timestamp::from_micros(instant.as_micros().div_euclid(self.micros()) * self.micros())
    }

    /// The first of its beginnings at or behind an instant.
    fn next_start(self, instant: Timestamp) -> Timestamp {
        let start = self.start_of(instant);
        if start == instant { start } else { Timestamp::from_micros(start.as_micros() + self.micros()) }
    }
}

/// From when on quarters can be read, seen from now.
pub fn quarters_from(now: Timestamp) -> Timestamp {
    Span::Day.start_of(now).minus(QUARTERS_KEPT)
}

/// Before when quarters can be removed: a day later than they are read last.
pub fn quarters_until(now: Timestamp) -> Timestamp {
    quarters_from(now).minus(DAY)
}

/// The pieces of a range.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pieces {
    /// Whole days.
    pub days: Option<Range<Timestamp>>,
    /// Whole quarters.
    pub quarters: Vec<Range<Timestamp>>,
    /// What is left.
    pub rows: Vec<Range<Timestamp>>,
}

impl Pieces {
    /// The whole spans.
    pub fn spans(&self) -> impl Iterator<Item = (Span, &Range<Timestamp>)> {
        let days = self.days.iter().map(|piece| (Span::Day, piece));
        days.chain(self.quarters.iter().map(|piece| (Span::Quarter, piece)))
    }
}

/// The earliest instant.
pub const BEGINNING: Timestamp = Timestamp::from_micros(0);

/// The pieces of the range from `start` to before `end`, for which quarters can be read from `quarters_from` on.
pub fn pieces(range: &Range<Timestamp>, quarters_from: Timestamp) -> Pieces {
    let mut pieces = Pieces::default();
    if range.start >= range.end {
        return pieces;
    }
    let (first, last) = (Span::Day.next_start(range.start), Span::Day.start_of(range.end));
    if first < last {
        pieces.days = Some(first..last);
        edge(&(range.start..first), quarters_from, &mut pieces);
        edge(&(last..range.end), quarters_from, &mut pieces);
    } else {
        edge(range, quarters_from, &mut pieces);
    }
    pieces
}

/// Cuts what is no whole day.
fn edge(range: &Range<Timestamp>, quarters_from: Timestamp, pieces: &mut Pieces) {
    let first = Span::Quarter.next_start(range.start).max(Span::Quarter.next_start(quarters_from));
    let last = Span::Quarter.start_of(range.end);
    if first < last {
        pieces.quarters.push(first..last);
        pieces.rows.extend([range.start..first, last..range.end]);
    } else {
        pieces.rows.push(range.clone());
    }
    pieces.rows.retain(|rows| rows.start < rows.end);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn a_range_is_days_quarters_and_edges() {
        let from = at("2026-02-01T00:00:00Z");
        let range = at("2026-02-27T23:20:00Z")..at("2026-03-02T01:07:00Z");
        assert_eq!(
            pieces(&range, from),
            Pieces {
                days: Some(at("2026-02-28T00:00:00Z")..at("2026-03-02T00:00:00Z")),
                quarters: vec![
                    at("2026-02-27T23:30:00Z")..at("2026-02-28T00:00:00Z"),
                    at("2026-03-02T00:00:00Z")..at("2026-03-02T01:00:00Z"),
                ],
                rows: vec![
                    at("2026-02-27T23:20:00Z")..at("2026-02-27T23:30:00Z"),
                    at("2026-03-02T01:00:00Z")..at("2026-03-02T01:07:00Z"),
                ],
            }
        );
        let old = at("2026-01-01T05:00:00Z")..at("2026-01-01T06:00:00Z");
        assert_eq!(pieces(&old, from), Pieces { rows: vec![old.clone()], ..Pieces::default() });
        assert_eq!(pieces(&(old.end..old.start), from), Pieces::default());
    }

    proptest! {
        #[test]
        fn the_pieces_are_the_range_and_have_nothing_in_common(
            start in 0_i64..400_000_000_000, length in -10_i64..400_000_000_000, kept in -10_i64..800_000_000_000,
            rounded in any::<(bool, bool)>(),
        ) {
            let round = |micros: i64, rounded: bool| if rounded { micros / 900_000_000 * 900_000_000 } else { micros };
            let range = Timestamp::from_micros(round(start, rounded.0))
                ..Timestamp::from_micros(round(start + length, rounded.1));
            let found = pieces(&range, Timestamp::from_micros(kept));
            let is_whole = |span: Span, piece: &Range<Timestamp>| {
                span.start_of(piece.start) == piece.start && span.start_of(piece.end) == piece.end
            };
            prop_assert!(found.days.iter().all(|piece| is_whole(Span::Day, piece)));
            prop_assert!(found.quarters.iter().all(|piece| is_whole(Span::Quarter, piece)));
            prop_assert!(found.quarters.iter().all(|piece| piece.start.as_micros() >= kept));
            let mut all: Vec<Range<Timestamp>> = found.days.into_iter().chain(found.quarters).chain(found.rows).collect();
            all.sort_by_key(|piece| piece.start);
            if range.start >= range.end {
                prop_assert!(all.is_empty());
            } else {
                prop_assert_eq!(all[0].start, range.start);
                prop_assert_eq!(all[all.len() - 1].end, range.end);
                prop_assert!(all.windows(2).all(|two| two[0].end == two[1].start));
                prop_assert!(all.iter().all(|piece| piece.start < piece.end));
            }
        }
    }
}
