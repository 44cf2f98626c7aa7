//! The writing thread: many closures, one sync.

use std::time::Instant;

use crossbeam_channel::Receiver;
use pagesmith_model::Error;

use crate::engine::sqlite::connection::Connection;
use crate::fault::Fault;
use crate::job::{Job, Outcome};
use crate::metrics::StoreMetrics;
use crate::tx::{Link, Tx};

/// How often a closure that lost a race to another process is run again.
const ATTEMPTS: usize = 5;

pub(super) fn work(
    connection: &Connection,
    queue: &Receiver<Box<dyn Job>>,
    max_batch: usize,
    metrics: &StoreMetrics,
) {
    while let Ok(first) = queue.recv() {
        let mut batch = vec![first];
        batch.extend(queue.try_iter().take(max_batch - 1));
        commit_together(connection, batch, metrics);
    }
    // Leave one file behind instead of three.
    if let Err(fault) = connection.raw().execute_batch("PRAGMA wal_checkpoint(TRUNCATE);") {
        tracing::warn!(error = %fault, "the last checkpoint failed");
    }
}

/// Runs the jobs in one transaction and answers them after its commit.
pub(super) fn commit_together(connection: &Connection, batch: Vec<Box<dyn Job>>, metrics: &StoreMetrics) {
    let started = Instant::now();
    let mut batch: Vec<_> = batch.into_iter().filter(|job| !job.is_abandoned()).collect();
    let Some(verb) = batch.first().map(|job| job.verb()) else { return };
    let ended = connection.execute("BEGIN IMMEDIATE").and_then(|()| {
        batch.iter_mut().try_for_each(|job| run_alone(connection, job.as_mut(), metrics))?;
        connection.execute("COMMIT")
    });
    if ended.is_err()
        && connection.in_transaction()
        && let Err(fault) = connection.execute("ROLLBACK")
    {
        tracing::error!(error = %fault, "a rollback failed");
    }
    metrics.batch(batch.len());
    metrics.transaction(verb, started.elapsed());
    if let Err(fault) = &ended {
        tracing::error!(error = %fault, jobs = batch.len(), "a batch of writes was rolled back");
    }
    for job in batch {
        job.finish(ended.as_ref().err().map(|fault| Error::from(fault.clone())));
    }
}

/// Runs one job in a savepoint, so that its refusal takes nothing else back.
///
/// An error means that the whole transaction is lost.
fn run_alone(connection: &Connection, job: &mut dyn Job, metrics: &StoreMetrics) -> Result<(), Fault> {
    for attempt in 1..=ATTEMPTS {
        connection.execute("SAVEPOINT job")?;
        let outcome = job.run(&mut Tx::new(Link::Sqlite(connection)));
        if !connection.in_transaction() {
            return Err(Fault::Unavailable("a statement failed and ended the transaction".to_owned()));
        }
        if outcome == Outcome::Done {
            return connection.execute("RELEASE job");
        }
        connection.execute("ROLLBACK TO job")?;
        connection.execute("RELEASE job")?;
        if outcome != Outcome::Again || attempt == ATTEMPTS {
            return Ok(());
        }
        metrics.retried();
    }
    Ok(())
}
