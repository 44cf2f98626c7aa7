//! The integration tests, laid out like the URLs.
#![expect(clippy::unwrap_used, reason = "a test ends where something is missing")]

mod access;
mod docs;
mod http;
mod input;
mod isolation;
mod pages;
mod site;
