//! The agents with a model from outside.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test ends where something is missing")]

mod addresses;
mod briefs;
mod material;
mod models;
mod recorded;
mod voice;
