//! Many writes in one transaction, while more of them wait than there are connections.
//!
//! They run one after the other, as in the embedded engine, and each is answered after the commit that they share.
//! After a conflict all of them are rolled back and tried again. If one of them is refused, or they conflict again and
//! again, each runs in a transaction of its own. So a failed attempt costs only time. How many share a commit is
//! decided in [`write_control`](super::write_control).

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use pagesmith_model::Error;

use crate::connection::postgres::Session;
use crate::engine::postgres::write_control::SHARED_ATTEMPTS;
use crate::engine::postgres::{Worker, unknown_outcome};
use crate::fault::Fault;
use crate::job::{Job, JobOutcome};
use crate::tx::{Link, Tx};
use crate::verb::Verb;

impl Worker {
    /// Runs these writes in one transaction and answers them; gives back those that have to run by themselves.
    pub(super) fn write_in_shared_commit(&mut self, mut jobs: Vec<Box<dyn Job>>) -> Vec<Box<dyn Job>> {
        if jobs.len() < 2 {
            // A single write cannot show whether a batch would succeed: the size recovers with time.
            self.writer.on_single();
            return jobs;
        }
        let started = Instant::now();
        let control = Arc::clone(self.writer.control());
        let mut attempts = control.attempts(true);
        attempts.begin(1);
        for _ in 0..SHARED_ATTEMPTS {
            // Without a connection each is told so by itself.
            let Ok(session) = self.session() else { return jobs };
            if session.is_cluster && !jobs.windows(2).all(|two| two[0].flow() == two[1].flow()) {
                // Tenants of several nodes would need a commit in two phases.
                return jobs;
            }
            session.begin_lazily(Verb::Write);
            let unwanted =
                jobs.iter_mut().map(|job| run_in(session, job)).find(|outcome| *outcome != JobOutcome::Done);
            let ended = match unwanted {
                None => {
                    let ended = session.commit();
                    self.commits.fetch_add(1, Ordering::AcqRel);
                    ended
                }
                Some(JobOutcome::Again) => {
                    self.end(Session::rollback);
                    Err(Fault::Retry(String::new()))
                }
                Some(outcome) => {
                    self.writer.on_shared_failure();
                    match outcome {
                        JobOutcome::Lost => self.session = None,
                        _ => self.end(Session::rollback),
                    }
                    return jobs;
                }
            };
            if matches!(ended, Err(Fault::Retry(_))) {
                self.metrics.retried();
                self.writer.on_shared_conflict();
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
                self.writer.on_success(jobs.len());
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

fn run_in(session: &mut Session, job: &mut Box<dyn Job>) -> JobOutcome {
    job.run(&mut Tx::new(Link::Postgres(session)))
}
