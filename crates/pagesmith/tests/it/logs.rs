//! Logs of persons and accounts.

pub(crate) mod accounts;
mod persons;
