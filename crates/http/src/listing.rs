//! A part of a collection as JSON: its items one after the other, as many as an answer may hold.
//!
//! Items are written into parts of memory of some size each, so that what was sent need not be kept until the last byte is. What is around the items is
//! written by the collection's own type, as it would be without items: so the answer cannot differ from its description.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use pagesmith_model::{Error, Result};
use serde::Serialize;

use crate::in_flight::Reservation;

/// About how large a part of memory is; one holds at least one item.
const PART: usize = 64 * 1024;
/// How every collection begins.
const BEGINNING: &[u8] = b"{\"items\":[";

/// Writes the JSON of what `view` makes of an item.
pub(crate) fn json_of<T, V: Serialize>(
    mut view: impl FnMut(T) -> Result<V>,
) -> impl FnMut(&mut Vec<u8>, T) -> Result<()> {
    move |part, item| serde_json::to_writer(part, &view(item)?).map_err(Error::internal)
}

/// The items that were written.
pub(crate) struct Listing<P> {
    parts: Vec<Vec<u8>>,
    /// Where each of them is in the collection.
    pub positions: Vec<P>,
    /// Whether there were more than fit.
    pub is_cut: bool,
}

impl<P> Listing<P> {
    /// Writes items, which took about `bytes` in the database, until they take more than `most`, but one at least. `write` appends the
    /// JSON of one.
    pub fn of<T>(
        items: Vec<T>,
        bytes: usize,
        most: usize,
        position: impl Fn(&T) -> P,
        mut write: impl FnMut(&mut Vec<u8>, T) -> Result<()>,
    ) -> Result<Listing<P>> {
        let mut listing = Listing { parts: vec![], positions: vec![], is_cut: false };
        // Mostly enough, so that an answer is not copied while it grows: names of fields and quotes come on top.
        let mut part = Vec::with_capacity((bytes + bytes / 2 + 1024).min(PART));
        part.extend_from_slice(BEGINNING);
        let mut written = part.len();
        for item in items {
            let (begin, position) = (part.len(), position(&item));
            if !listing.positions.is_empty() {
                part.push(b',');
            }
            write(&mut part, item)?;
            if !listing.positions.is_empty() && written + part.len() - begin > most {
                part.truncate(begin);
                listing.is_cut = true;
                break;
            }
            written += part.len() - begin;
            listing.positions.push(position);
            if part.len() >= PART {
                part.shrink_to_fit();
                listing.parts.push(std::mem::take(&mut part));
            }
        }
        listing.parts.push(part);
        Ok(listing)
    }

    /// The whole collection, of which `around` is everything but the items.
    pub fn within(mut self, around: &impl Serialize, mut reservation: Reservation) -> Result<ListBody> {
        let around = serde_json::to_vec(around).map_err(Error::internal)?;
        let end = around.strip_prefix(BEGINNING);
        let end = end.ok_or_else(|| Error::internal("a collection does not begin with its items"))?;
        if let Some(last) = self.parts.last_mut() {
            last.extend_from_slice(end);
        }
        reservation.resize(self.parts.iter().map(Vec::capacity).sum())?;
        let length = self.parts.iter().map(|part| part.len() as u64).sum();
        let held = self.parts.into_iter().map(|part| reservation.split(part.capacity()).hold(part));
        Ok(ListBody { parts: held.collect(), left: length })
    }
}

/// A body in parts, each of which is let go when it was sent.
pub(crate) struct ListBody {
    parts: VecDeque<Bytes>,
    left: u64,
}

impl Body for ListBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let part = self.parts.pop_front();
        self.left -= part.as_ref().map_or(0, |part| part.len() as u64);
        Poll::Ready(part.map(|part| Ok(Frame::data(part))))
    }

    fn is_end_stream(&self) -> bool {
        self.parts.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;
    use serde_json::{Value, json};

    use super::*;
    use crate::in_flight::InFlight;

    const MIB: usize = 1024 * 1024;

    fn listing(items: Vec<String>, most: usize) -> Listing<usize> {
        let bytes = items.iter().map(String::len).sum();
        Listing::of(items, bytes, most, String::len, json_of(Ok)).unwrap()
    }

    fn around() -> Value {
        json!({ "items": [], "nextCursor": null })
    }

    #[tokio::test]
    async fn items_of_any_size_come_out_as_one_document() {
        let budget = InFlight::new(64 * MIB);
        for sizes in [vec![], vec![1], vec![1; 100], vec![100_000, 1, 70_000, 70_000], vec![200_000]] {
            let items: Vec<String> = sizes.iter().map(|size| "\"".repeat(*size)).collect();
            let reservation = budget.share(None).reserve(0).unwrap();
            let parts = listing(items.clone(), MIB).within(&around(), reservation).unwrap();
            let length = parts.size_hint().exact().unwrap();
            let body = parts.collect().await.unwrap().to_bytes();
            assert_eq!(length, body.len() as u64);
            let body: Value = serde_json::from_slice(&body).unwrap();
            assert_eq!(body, json!({ "items": items, "nextCursor": null }));
        }
    }

    #[tokio::test]
    async fn what_was_sent_is_given_back_while_the_rest_waits() {
        let budget = InFlight::new(64 * MIB);
        let reservation = budget.share(None).reserve(MIB).unwrap();
        let items = vec!["x".repeat(100_000); 10];
        let mut parts = listing(items, 8 * MIB).within(&around(), reservation).unwrap();
        let mut left = budget.bytes();
        assert!((1_000_000..1_100_000).contains(&left), "{left}");
        while let Some(frame) = parts.frame().await {
            drop(frame);
            assert!(budget.bytes() < left || left == 0);
            left = budget.bytes();
        }
        assert_eq!(budget.bytes(), 0);
    }

    #[test]
    fn no_more_items_are_written_than_fit_and_one_always() {
        for (most, expected) in [(0, 1), (10, 1), (110, 1), (400, 3), (10_000, 5)] {
            let listing = listing(vec!["x".repeat(100); 5], most);
            assert_eq!(listing.positions.len(), expected, "{most}");
            assert_eq!(listing.is_cut, expected < 5);
        }
        assert!(!listing(vec![], 0).is_cut);
    }

    #[test]
    fn an_answer_that_turns_out_larger_than_there_is_room_for_is_refused() {
        let budget = InFlight::new(2 * MIB);
        let reservation = budget.share(None).reserve(MIB).unwrap();
        let items = vec!["\u{1}".repeat(300_000); 4];
        assert!(listing(items, 16 * MIB).within(&around(), reservation).is_err());
        assert_eq!(budget.bytes(), 0);
    }
}
