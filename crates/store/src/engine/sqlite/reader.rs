//! A reading thread: closures that waited together share one state of the database.

use std::time::Instant;

use crossbeam_channel::Receiver;
use pagesmith_model::Error;

use crate::engine::Queues;
use crate::engine::sqlite::connection::Connection;
use crate::job::{Job, Verb};
use crate::metrics::StoreMetrics;
use crate::tx::{Link, Tx};

/// Takes a fair part of what waits. All of it waited before the state was taken, so no job misses a write that
/// was acknowledged before it was asked.
pub(super) fn work(
    connection: &Connection,
    queues: &Queues<Receiver<Box<dyn Job>>>,
    readers: usize,
    metrics: &StoreMetrics,
) {
    while let Some(first) = queues.next() {
        let share = queues.len() / readers.max(1);
        let mut jobs = vec![first];
        jobs.extend(queues.waiting().take(share));
        read_together(connection, jobs, metrics);
    }
}

fn read_together(connection: &Connection, jobs: Vec<Box<dyn Job>>, metrics: &StoreMetrics) {
    if let Err(fault) = connection.execute("BEGIN") {
        for job in jobs {
            job.finish(Some(Error::from(fault.clone())));
        }
        return;
    }
    for mut job in jobs {
        if !job.is_abandoned() {
            let started = Instant::now();
            job.run(&mut Tx::new(Link::Sqlite(connection)));
            metrics.transaction(Verb::Read, started.elapsed());
        }
        job.finish(None);
    }
    // Nothing was written: ending it cannot fail in a way that matters to those already answered.
    if connection.in_transaction()
        && let Err(fault) = connection.execute("ROLLBACK")
    {
        tracing::error!(error = %fault, "a read did not end");
    }
}
