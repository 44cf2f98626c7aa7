//! The search index of what tenants know: entries are cut into chunks, and chunks are found by their words, the best first.
//!
//! [`maintain`] keeps the index in the background and [`search`] asks it. What this is not: a search of the instant in which an entry
//! changes; that follows within a second or so. Nothing is counted across tenants.

pub mod chunk;
mod kept;
pub mod language;
pub mod maintain;
pub mod posting;
pub mod search;
pub mod summary;
pub mod terms;

pub use kept::KeptPostings;
