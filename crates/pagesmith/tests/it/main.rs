//! The integration tests, laid out like the URLs.
#![expect(clippy::unwrap_used, reason = "a test ends where something is missing")]

mod docs;
mod idempotency;
mod openapi;
mod pages;
mod property;
