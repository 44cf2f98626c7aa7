//! Visits to pages: page views, sessions, the answers given in them, and sums over them.
//!
//! Ids of sessions, pages and audiences are kept as their 16 bytes, which sort as their texts do: there are many rows, and each is in
//! several indexes. Invariant: what [`sums`] holds of a span is the sum over the closed sessions without a verdict that began in it.

use pagesmith_model::Error;

pub mod all_sessions;
pub mod interactions;
pub mod row_sums;
pub mod salts;
pub mod sessions;
pub mod settings;
pub mod shares;
pub mod shown;
pub mod sums;
pub mod values;
pub mod views;

/// The bytes of a column that holds a number.
pub(super) fn number(bytes: Vec<u8>) -> pagesmith_model::Result<[u8; 16]> {
    bytes.try_into().map_err(|_| Error::internal("a number that has not 16 bytes"))
}
