//! The search index of what tenants know. The crate `knowledge-index` decides what is in these rows.

pub mod changes;
pub mod chunks;
pub mod indexes;
pub mod postings;
