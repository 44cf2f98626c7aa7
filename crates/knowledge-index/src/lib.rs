//! The search index of what tenants know: entries are cut into chunks, and chunks are found by their words, the best first.
//!
//! [`search`] asks it, and [`topics_with_all`] asks for topics alone. [`maintain`] keeps it in the background. [`text`] is how it reads
//! texts. What this is not: a search of the instant in which an entry changes; that follows within a second or so. Nothing is counted
//! across tenants.

mod kept;
mod maintain;
mod posting;
mod search;
mod steps;
pub mod text;

pub use kept::KeptPostings;
pub use maintain::maintain;
pub use search::{Found, Hit, Wanted, search, topics_with_all};

/// The single steps of the maintenance, for benches.
pub mod internals {
    pub use crate::steps::{Batch, batch, deltas, finish, post, replace};
}
