//! `migrate`: apply the database migrations of this version, and say which were applied.
//!
//! `serve` does the same when it starts; this is for operators who want it done before.

use pagesmith_store::Store;

use super::output;
use super::session::{Session, runtime};
use crate::failure::{Failure, Result};
use crate::telemetry;

/// Applies what is missing, under the lock that all servers share.
pub fn run(session: &Session) -> Result<()> {
    let config = session.config()?;
    telemetry::warnings()?;
    let applied = runtime()?.block_on(async {
        let store = Store::open(config.database.store_options())?;
        let applied = store.migrate().await?;
        store.close().await?;
        Ok::<_, Failure>(applied)
    })?;
    if applied.is_empty() {
        return output::line("nothing to do");
    }
    applied.iter().try_for_each(|name| output::line(&format!("applied {name}")))
}
