//! Whether this server can do what it promises: read, and write something that stays.
//!
//! The schema is read and a row is written, in a transaction that is committed like any other, at most once a second however many ask:
//! whoever comes meanwhile waits for the trial that is under way or is told the last one's outcome.

use std::time::Duration;

use pagesmith_model::{Error, Result, Timestamp};
use pagesmith_operations::Clock;
use pagesmith_store::Store;
use pagesmith_store::tables::health_checks;
use tokio::sync::Mutex;

/// How long an outcome holds.
const HOLDS: Duration = Duration::from_secs(1);
/// How long a trial may take.
const LIMIT: Duration = Duration::from_secs(5);

/// The last outcome: when the trial began, and why the server is not ready.
#[derive(Default)]
pub(crate) struct Readiness(Mutex<Option<(Timestamp, Option<String>)>>);

impl Readiness {
    /// Succeeds if the server is ready; the error tells which part of its promise it cannot keep.
    pub(crate) async fn check(&self, store: &Store, clock: &Clock) -> Result<()> {
        let mut last = self.0.lock().await;
        let now = clock.now();
        // A clock that was set back must not keep an old outcome alive.
        let holds = last.as_ref().is_some_and(|(begun, _)| *begun <= now && now.since(*begun) < HOLDS);
        if !holds {
            let outcome = tokio::time::timeout(LIMIT, attempt(store, now)).await;
            let outcome = outcome.unwrap_or_else(|_| {
                Err(format!("The database does not answer within {} seconds.", LIMIT.as_secs()))
            });
            *last = Some((now, outcome.err()));
        }
        match last.as_ref().and_then(|(_, why)| why.as_ref()) {
            None => Ok(()),
            Some(why) => Err(Error::unavailable(why.as_str())),
        }
    }
}

async fn attempt(store: &Store, now: Timestamp) -> Result<(), String> {
    let failed = |what: &'static str| {
        move |error: Error| {
            tracing::warn!(%error, "not ready: {what}");
            what.to_owned()
        }
    };
    let pending = store.schema_state().await.map_err(failed("The database cannot be read."))?.pending;
    if !pending.is_empty() {
        return Err(format!("The database lacks the migrations {}.", pending.join(", ")));
    }
    let write = store.claim(move |tx| tx.run(health_checks::write(tx.shard(), now)).map(drop));
    write.await.map_err(failed("The database can be read, but nothing can be written to it."))
}
