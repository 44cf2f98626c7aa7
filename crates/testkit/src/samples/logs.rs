//! The logs of persons and accounts, for the tests that cover every operation.

pub(super) mod accounts;
pub(super) mod persons;
