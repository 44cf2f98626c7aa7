//! The integration tests, laid out like the URLs.
#![expect(clippy::unwrap_used, reason = "a test ends where something is missing")]

mod access;
mod account_logs;
mod accounts;
mod audiences;
mod audit;
mod cli;
mod copy;
mod delivery;
mod demo;
mod docs;
mod faults;
mod hostile;
mod http;
mod idempotency;
mod input;
mod isolation;
mod limits;
mod log_lines;
mod models;
mod openapi;
mod pages;
mod person_logs;
mod personal_data;
mod persons;
mod process;
mod property;
mod schema;
mod serve;
mod server_keys;
mod site;
mod statistics;
mod telemetry;
mod topics;
mod versions;
mod webhooks;
