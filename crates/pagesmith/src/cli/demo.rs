//! `demo`: serve an invented company's pages, to look at.
//!
//! It has a database of its own, so that nothing of an operator's is touched: `./data/demo` unless `--database` names another,
//! whatever the environment and the configuration file say. Run again, it goes on with what is there.

use super::serve::serve;
use super::session::Session;
use crate::config::Flag;
use crate::failure::Result;
use crate::secret_key::Missing;
use crate::wiring::First;

/// Where the example is kept if nobody says otherwise.
const DATABASE: &str = "sqlite:data/demo/pagesmith.db";

/// The flag that keeps the example out of the database that the settings name.
pub fn own_database() -> Flag {
    Flag { key: "database", name: "demo", value: DATABASE.to_owned() }
}

/// Serves the example; returns when a signal has ended it cleanly.
pub fn run(session: &Session, missing: Missing) -> Result<()> {
    serve(session, missing, First::Demo)
}
