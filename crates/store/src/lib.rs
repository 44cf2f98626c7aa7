//! The only crate with SQL: one text, two engines.
