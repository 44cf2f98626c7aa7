//! One range of the bytes of something, as `Range` asks for it (RFC 9110, section 14).
//!
//! Several ranges, and what is none, are answered with the whole, which the RFC allows.

use std::ops::RangeInclusive;

use axum::http::{HeaderMap, header};

/// A single range of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ByteRange {
    /// From a byte to another, or to the end.
    From(u64, Option<u64>),
    /// So many at the end.
    Last(u64),
}

impl ByteRange {
    /// The range that a request asks for of what has this tag; `None` if it is to have the whole.
    pub fn wanted(headers: &HeaderMap, tag: &str) -> Option<ByteRange> {
        let is_same = match headers.get(header::IF_RANGE) {
            // The client has the rest of just this.
            Some(condition) => condition.to_str().is_ok_and(|condition| condition.trim() == tag),
            None => true,
        };
        let asked = headers.get(header::RANGE).filter(|_| is_same)?;
        ByteRange::read(asked.to_str().ok()?)
    }

    /// Reads `bytes=…`; `None` for several ranges and for what is none.
    fn read(text: &str) -> Option<ByteRange> {
        let (unit, range) = text.split_once('=')?;
        let (first, last) = range.trim().split_once('-')?;
        let number = |digits: &str| {
            // A number too large to be one of ours is behind the end.
            let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            is_number.then(|| digits.parse().unwrap_or(u64::MAX))
        };
        if !unit.trim().eq_ignore_ascii_case("bytes") {
            return None;
        }
        match (first.is_empty(), last.is_empty()) {
            (true, _) => number(last).map(ByteRange::Last),
            (false, true) => number(first).map(|first| ByteRange::From(first, None)),
            (false, false) => {
                let (first, last) = (number(first)?, number(last)?);
                (first <= last).then_some(ByteRange::From(first, Some(last)))
            }
        }
    }

    /// Its first and last byte in so many; `None` if it has none there.
    pub fn within(self, length: u64) -> Option<RangeInclusive<u64>> {
        let end = length.checked_sub(1)?;
        match self {
            ByteRange::From(first, last) => {
                (first <= end).then(|| first..=last.map_or(end, |last| last.min(end)))
            }
            ByteRange::Last(0) => None,
            ByteRange::Last(count) => Some(length.saturating_sub(count)..=end),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_range_is_read_and_anything_else_is_none() {
        for (text, expected) in [
            ("bytes=0-0", Some(ByteRange::From(0, Some(0)))),
            ("Bytes= 5-9", Some(ByteRange::From(5, Some(9)))),
            ("bytes=5-", Some(ByteRange::From(5, None))),
            ("bytes=-5", Some(ByteRange::Last(5))),
            ("bytes=9-5", None),
            ("bytes=-", None),
            ("bytes=", None),
            ("bytes", None),
            ("bytes=a-b", None),
            ("bytes=+1-2", None),
            ("bytes=0-1,3-4", None),
            ("lines=0-1", None),
            ("bytes=99999999999999999999999-", Some(ByteRange::From(u64::MAX, None))),
        ] {
            assert_eq!(ByteRange::read(text), expected, "{text}");
        }
    }

    #[test]
    fn a_range_ends_where_the_bytes_end() {
        for (range, length, expected) in [
            (ByteRange::From(0, Some(0)), 10, Some(0..=0)),
            (ByteRange::From(5, Some(50)), 10, Some(5..=9)),
            (ByteRange::From(9, None), 10, Some(9..=9)),
            (ByteRange::From(10, None), 10, None),
            (ByteRange::Last(3), 10, Some(7..=9)),
            (ByteRange::Last(30), 10, Some(0..=9)),
            (ByteRange::Last(0), 10, None),
            (ByteRange::From(0, None), 0, None),
        ] {
            assert_eq!(range.within(length), expected, "{range:?} of {length}");
        }
    }
}
