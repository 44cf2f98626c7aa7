//! The index of persons for the search: how it is kept, and how it is searched.
//!
//! [`search`] is the entry; the functions of [`maintain`] keep the index, each in a short transaction. The README
//! describes the structure. What matches and how it ranks is defined by [`pagesmith_model::fields`], and every result is
//! checked against the current text. What this is not: SQL. The tables are `store::tables::person_index`.
//! Invariant: a search is right at every commit, whatever the state of the index.

mod document_set;
mod gram;
pub mod maintain;
mod search;

pub use search::{COUNTED, Memory, PersonMatches, search, search_with};
