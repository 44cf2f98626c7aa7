//! The statements, one file per table, in the same few verbs: insert, find, list, update, remove, count.

pub mod account_logs;
pub mod accounts;
pub mod counters;
pub mod idempotency_records;
pub mod keys;
pub mod log_tallies;
pub mod page_names;
pub mod pages;
pub mod person_logs;
pub mod person_texts;
pub mod persons;
pub mod persons_in_bulk;
pub mod revisions;
pub mod tenants;
