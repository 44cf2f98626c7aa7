//! What the integration tests run on: the real router on a database of its own, time and chance in the test's hand.
//!
//! No test names an engine: `PAGESMITH_TEST_ENGINE` decides, and the test command runs everything on both. Every
//! answer under `/v0` is checked against the contract before a test sees it.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a broken test bench should end the test")]

pub mod answer;
pub mod app;
pub mod authenticator;
pub mod client;
pub mod contents;
pub mod contract;
pub mod database;
pub mod fixtures;
pub mod identity_provider;
pub mod model_server;
pub mod name_server;
pub mod program;
pub mod receiver;
pub mod samples;
pub mod smtp_server;
mod websites;

pub use answer::Answer;
pub use app::TestApp;
pub use client::Client;
pub use identity_provider::TestProvider;
pub use model_server::ModelServer;
pub use name_server::NameServer;
pub use program::Program;
pub use receiver::{Receiver, Script};
pub use smtp_server::SmtpServer;
