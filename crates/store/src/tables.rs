//! The statements, one file per table, in the same few verbs: insert, find, list, update, remove, count.

pub mod counters;
pub mod idempotency_records;
pub mod keys;
pub mod page_names;
pub mod pages;
pub mod revisions;
pub mod tenants;
