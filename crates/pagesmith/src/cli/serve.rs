//! `serve`: run the server until a signal.
//!
//! Standard output gets one thing, once: the first key, on a line of its own, unless the operator chose it; a terminal gets a few
//! lines more, at every start. All else is the log, on standard error.

use std::sync::Arc;

use tokio::runtime::Builder;

use super::doctor::Doctor;
use super::session::Session;
use crate::failure::Result;
use crate::secret_key::Missing;
use crate::telemetry::Telemetry;
use crate::wiring::{self, First};

/// Serves; returns when a signal has ended it cleanly.
pub fn run(session: &Session, missing: Missing) -> Result<()> {
    serve(session, missing, First::Key(session.environment.bootstrap_key()))
}

/// The same with what a new database gets.
pub fn serve(session: &Session, missing: Missing, first: First<'_>) -> Result<()> {
    let config = session.config()?;
    let runtime = Builder::new_multi_thread().enable_all().thread_name("serve").build()?;
    let telemetry = Telemetry::start(&config.log, &config.telemetry, session.screen, runtime.handle())?;
    let examination = Arc::new(Doctor::of(config.clone()));
    let outcome = runtime.block_on(wiring::serve(&config, first, missing, session.screen, examination));
    // The exporter needs the runtime for its last spans.
    telemetry.finish();
    // What did not end in its time is not waited for.
    runtime.shutdown_background();
    outcome
}
