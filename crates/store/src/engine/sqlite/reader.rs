//! A reading thread: closures that waited together share one state of the database.

use std::time::Instant;

use pagesmith_model::Error;

use crate::connection::sqlite::Connection;
use crate::engine::Queues;
use crate::fair::ThreadLoad;
use crate::job::Job;
use crate::metrics::StoreMetrics;
use crate::tx::{Link, Tx};
use crate::verb::Verb;

/// Takes a fair part of what a tenant has waiting: nobody waits behind another tenant's work, or behind a search. All of it waited before
/// the state was taken, so no job misses a write that was acknowledged before it was asked.
pub(super) fn work(connection: &Connection, queues: &Queues, readers: usize, metrics: &StoreMetrics) {
    let mut load = ThreadLoad::default();
    let mut next = queues.next(&mut load);
    while let Some(first) = next {
        let (verb, flow, begun) = (first.verb(), first.flow(), Instant::now());
        let mut jobs = vec![first];
        if verb != Verb::Search {
            queues.more_reads(flow, readers, &mut load, &mut jobs);
        }
        read_together(connection, jobs, metrics);
        next = queues.done_and_next(&mut load, begun.elapsed());
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
            connection.limited(started, || job.run(&mut Tx::new(Link::Sqlite(connection))));
            metrics.transaction(job.verb(), started.elapsed());
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
