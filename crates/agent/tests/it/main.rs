//! The agents from outside: whole pages for realistic briefs, and what must hold for every brief.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test ends where something is missing")]

mod addresses;
mod briefs;
mod every_brief;
mod models;
mod pages;
mod stranger;
