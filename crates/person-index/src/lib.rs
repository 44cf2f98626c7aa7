//! The index of persons for the search.
//!
//! [`search`] asks it. [`maintain`] keeps it, tenant by tenant; [`tenants_with_work`] and [`has_work`] say whose turn it is. [`erase`] takes
//! a person out of it. The README describes the structure. What matches and how it ranks is defined by [`pagesmith_model::fields`], and
//! every result is checked against the current text. What this is not: SQL. The tables are `store::tables::person_index`.
//! Invariant: a search is right at every commit, whatever the state of the index.

mod document_set;
mod gram;
mod maintain;
mod search;
mod steps;

pub use maintain::{Pace, erase, maintain};
pub use search::{Memory, PersonMatches, search};
pub use steps::{has_work, tenants_with_work};

/// The single steps of the maintenance, and all of it for an index of other sizes: for tests and benches.
pub mod internals {
    pub use crate::maintain::maintain_with;
    pub use crate::search::search_with;
    pub use crate::steps::{Loaded, Next, Sizes, erase_with, load, post, postings, step};
}
