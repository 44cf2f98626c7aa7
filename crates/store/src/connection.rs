//! Connections to the two databases, one at a time: what a transaction runs its statements on.
//!
//! What this is not: queues, threads and retries, which are in [`crate::engine`].

pub(crate) mod postgres;
pub(crate) mod sqlite;
