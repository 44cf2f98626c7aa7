//! Logs of persons and accounts, a group each, and what happened with an account in one list.

pub(super) mod accounts;
pub(super) mod activity;
pub(super) mod persons;
