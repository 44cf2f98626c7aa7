//! Many writes in one transaction, while more of them wait than there are connections.
//!
//! They run one after the other, as in the embedded engine, and each is answered after the commit that they share. After a conflict all of them
//! are rolled back and tried again; if one of them is refused, or they conflict again and again, each runs in a transaction of its own. A failed
//! attempt therefore costs only time. The batch size adapts: half after a failure, one more after a success.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use pagesmith_model::Error;

use crate::engine::postgres::session::Session;
use crate::engine::postgres::{Worker, unknown_outcome};
use crate::fault::Fault;
use crate::job::{Job, Outcome};
use crate::tx::{Link, Tx};
use crate::verb::Verb;

/// The most that share a transaction: what they hold, others wait for.
const MOST: usize = 16;
/// How often a batch is attempted.
const TRIES: usize = 3;

/// How many writes a connection takes from the queue at once.
pub(super) struct BatchSize {
    writes: usize,
}

impl BatchSize {
    pub(super) fn new() -> BatchSize {
        BatchSize { writes: MOST }
    }

    /// How many jobs more than one to take when so many wait: not those that another of so many who write could begin with.
    pub(super) fn share_of(&self, waiting: usize, writers: usize) -> usize {
        (waiting / writers).min(self.writes - 1)
    }

    fn adjust(&mut self, succeeded: bool) {
        self.writes = if succeeded { (self.writes + 1).min(MOST) } else { (self.writes / 2).max(1) };
    }
}

impl Worker {
    /// Runs these writes in one transaction and answers them; gives back those that have to run by themselves.
    pub(super) fn write_in_shared_commit(&mut self, mut jobs: Vec<Box<dyn Job>>) -> Vec<Box<dyn Job>> {
        if jobs.len() < 2 {
            // A single write cannot show whether a batch would succeed: the size recovers with time.
            self.batch_size.adjust(true);
            return jobs;
        }
        let started = Instant::now();
        let contention = Arc::clone(&self.contention);
        let _hold = contention.hold(1);
        for _ in 0..TRIES {
            // Without a connection each is told so by itself.
            let Ok(session) = self.session() else { return jobs };
            session.begin_lazily(Verb::Write);
            let unwanted =
                jobs.iter_mut().map(|job| run_in(session, job)).find(|outcome| *outcome != Outcome::Done);
            let ended = match unwanted {
                None => {
                    let ended = session.commit();
                    self.commits.fetch_add(1, Ordering::AcqRel);
                    ended
                }
                Some(Outcome::Again) => {
                    self.end(Session::rollback);
                    Err(Fault::Retry(String::new()))
                }
                Some(outcome) => {
                    self.batch_size.adjust(false);
                    match outcome {
                        Outcome::Lost => self.session = None,
                        _ => self.end(Session::rollback),
                    }
                    return jobs;
                }
            };
            if matches!(ended, Err(Fault::Retry(_))) {
                if !self.on_conflict() {
                    self.batch_size.adjust(false);
                }
                continue;
            }
            self.answer(jobs, &ended, started);
            return vec![];
        }
        jobs
    }

    fn answer(&mut self, jobs: Vec<Box<dyn Job>>, ended: &Result<(), Fault>, started: Instant) {
        match ended {
            Ok(()) => {
                self.batch_size.adjust(true);
                self.write_limit.on_success();
            }
            Err(fault) => {
                tracing::error!(error = %fault, jobs = jobs.len(), "a transaction did not end as it should");
                if matches!(fault, Fault::Lost(_)) {
                    self.session = None;
                }
            }
        }
        self.metrics.batch(jobs.len());
        self.metrics.transaction(Verb::Write, started.elapsed());
        for job in jobs {
            job.finish(ended.as_ref().err().map(|fault| -> Error { unknown_outcome(fault.clone()) }));
        }
    }
}

fn run_in(session: &mut Session, job: &mut Box<dyn Job>) -> Outcome {
    job.run(&mut Tx::new(Link::Postgres(session)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_taken_that_another_connection_could_begin_with() {
        let batch_size = BatchSize::new();
        assert_eq!(
            [0, 7, 8, 15, 16, 1000].map(|waiting| batch_size.share_of(waiting, 8)),
            [0, 0, 1, 1, 2, MOST - 1]
        );
    }

    #[test]
    fn failures_shrink_it_and_successes_grow_it() {
        let mut batch_size = BatchSize::new();
        for _ in 0..10 {
            batch_size.adjust(false);
        }
        assert_eq!(batch_size.share_of(1000, 1), 0);
        for _ in 0..100 {
            batch_size.adjust(true);
        }
        assert_eq!(batch_size.share_of(1000, 1), MOST - 1);
    }
}
