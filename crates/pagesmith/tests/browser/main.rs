//! Generated pages, the API's documentation and the console's parts in a real browser: how they look, and whether they can be used.
//!
//! Run by `cargo x test` or, alone, by `cargo x browser`, which find Chromium or install it and say here where it is. There is no way
//! to pass without one: a plain `cargo test` does not build this target.
#![expect(clippy::unwrap_used, reason = "a test ends where something is missing")]

mod blocks;
mod briefs;
mod checks;
mod console;
mod docs;
mod driver;
mod editing;
mod every_screen;
mod everywhere;
mod following;
mod fonts;
mod forms;
mod framing;
mod handling;
mod lighthouse;
mod measured;
mod more_screens;
mod palette;
mod questions;
mod scene;
mod screenshots;
mod server;
mod sheets;
mod uploading;
mod visiting;
mod working_day;
mod yardstick;
