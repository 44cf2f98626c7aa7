//! The template agent from outside: whole pages for realistic briefs, and what must hold for every brief.

#![expect(clippy::unwrap_used, reason = "a test ends where something is missing")]

mod bars;
mod briefs;
mod colleagues;
mod confidential;
mod every_brief;
mod hurried;
mod knowledge;
mod pages;
mod pictures;
mod stranger;
mod training;
mod yardstick;
