//! `demo`: serve an invented company's pages, to look at.
//!
//! It has a database of its own, so that nothing of an operator's is touched: `./data/demo` unless `--database` names another,
//! whatever the environment and the configuration file say. Run again, it goes on with what is there.

use std::sync::Arc;

use tokio::runtime::Builder;

use super::doctor::Doctor;
use super::session::Session;
use crate::config::Flag;
use crate::failure::Result;
use crate::secret_key::Missing;
use crate::telemetry::Telemetry;
use crate::wiring::{self, First};

/// Where the example is kept if nobody says otherwise.
const DATABASE: &str = "sqlite:data/demo/pagesmith.db";

/// The flag that keeps the example out of the database that the settings name.
pub fn own_database() -> Flag {
    Flag { key: "database", name: "demo", value: DATABASE.to_owned() }
}

/// Serves the example; returns when a signal has ended it cleanly.
pub fn run(session: &Session, missing: Missing) -> Result<()> {
    let config = session.config()?;
    let runtime = Builder::new_multi_thread().enable_all().thread_name("serve").build()?;
    let telemetry = Telemetry::start(&config.log, &config.telemetry, session.screen, runtime.handle())?;
    let examination = Arc::new(Doctor::of(config.clone()));
    let serving = wiring::serve(&config, First::Demo, missing, session.screen, examination);
    let outcome = runtime.block_on(serving);
    telemetry.finish();
    runtime.shutdown_background();
    outcome
}
