//! Many writes in one transaction, while more of them wait than there are connections.
//!
//! They run one after the other as the embedded engine's do, and nobody is answered before the commit they share. If they meet a rival, all is
//! rolled back and tried again; if one of them is refused, or they meet rivals again and again, each runs by itself. So it costs
//! nothing but time that they were together. How many dare it is learned from how it went: half as many after a failure, one more after a success.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use pagesmith_model::Error;

use crate::engine::postgres::session::Session;
use crate::engine::postgres::{Worker, unknown_outcome};
use crate::fault::Fault;
use crate::job::{Job, Outcome, Verb};
use crate::tx::{Link, Tx};

/// The most that share a transaction: what they hold, others wait for.
const MOST: usize = 16;
/// How often they are tried together.
const TRIES: usize = 3;

/// How much a connection takes from the queue at once.
pub(super) struct Appetite {
    together: usize,
}

impl Appetite {
    pub(super) fn new() -> Appetite {
        Appetite { together: MOST }
    }

    /// How many jobs more than one to take when so many wait: not those that another of so many who write could begin with.
    pub(super) fn share_of(&self, waiting: usize, writers: usize) -> usize {
        (waiting / writers).min(self.together - 1)
    }

    fn went(&mut self, well: bool) {
        self.together = if well { (self.together + 1).min(MOST) } else { (self.together / 2).max(1) };
    }
}

impl Worker {
    /// Runs these writes in one transaction and answers them; gives back those that have to run by themselves.
    pub(super) fn write_together(&mut self, mut jobs: Vec<Box<dyn Job>>) -> Vec<Box<dyn Job>> {
        if jobs.len() < 2 {
            // Alone it cannot be learned whether more would get along: time heals.
            self.appetite.went(true);
            return jobs;
        }
        let started = Instant::now();
        let rivals = Arc::clone(&self.rivals);
        let _hold = rivals.hold(1);
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
                    self.appetite.went(false);
                    match outcome {
                        Outcome::Lost => self.session = None,
                        _ => self.end(Session::rollback),
                    }
                    return jobs;
                }
            };
            if matches!(ended, Err(Fault::Retry(_))) {
                if !self.met() {
                    self.appetite.went(false);
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
                self.appetite.went(true);
                self.places.went_well();
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
        let appetite = Appetite::new();
        assert_eq!(
            [0, 7, 8, 15, 16, 1000].map(|waiting| appetite.share_of(waiting, 8)),
            [0, 0, 1, 1, 2, MOST - 1]
        );
    }

    #[test]
    fn failures_make_it_careful_and_successes_bold() {
        let mut appetite = Appetite::new();
        for _ in 0..10 {
            appetite.went(false);
        }
        assert_eq!(appetite.share_of(1000, 1), 0);
        for _ in 0..100 {
            appetite.went(true);
        }
        assert_eq!(appetite.share_of(1000, 1), MOST - 1);
    }
}
