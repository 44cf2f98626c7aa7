//! The PostgreSQL engine: a few threads, a connection each.
//!
//! `write` is SERIALIZABLE with retries for some seconds, `read` a read-only snapshot, `claim` READ COMMITTED. BEGIN travels
//! with the first statement. Writes that wait while every connection has enough to do share a transaction
//! ([`shared_commit`]). When a connection writes, how much at once, and what follows a conflict is decided in
//! [`write_control`]. While the database is away every closure is refused at once and the next one tries to connect
//! again, so that nothing has to be restarted.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use pagesmith_model::{Error, Result};

use crate::connection::postgres::Session;
use crate::connection::postgres::servers::Servers;
use crate::engine::{Queues, WorkerPool};
use crate::fair::{JobClass, Limits, ThreadLoad};
use crate::fault::Fault;
use crate::job::{Job, JobOutcome};
use crate::metrics::StoreMetrics;
use crate::options::StoreOptions;
use crate::rows::Commits;
use crate::tx::{Link, Tx};
use crate::verb::Verb;

mod lookups;
mod shared_commit;
mod statistics;
#[cfg(test)]
mod tests;
mod write_control;

use lookups::SharedLookups;
use statistics::Schedule;
use write_control::{WriteControl, Writer};

/// How long a transaction is attempted that conflicts with others: whoever waits is answered within thirty seconds. Their number is not
/// limited: with another server that writes the same row, some transactions would use up any number.
const TIME_LIMIT: Duration = Duration::from_secs(5);
/// How often a transaction may lose its connection: a server that only reads accepts connections, and they are given up at the first write.
const LOSSES: u32 = 40;
/// How long after a failed attempt to connect the next one waits.
const RECONNECT_PAUSE: Duration = Duration::from_millis(200);

/// An open PostgreSQL database.
pub(crate) struct Postgres {
    pool: Arc<WorkerPool>,
    pub(crate) lookups: SharedLookups,
    commits: Commits,
    connects: Arc<AtomicU64>,
}

impl Postgres {
    pub(crate) fn open(
        servers: &Servers,
        options: &StoreOptions,
        metrics: &StoreMetrics,
    ) -> Result<Postgres> {
        let (outage, commits, connects) = (Arc::new(Outage::new()), Commits::default(), Arc::default());
        let control = Arc::new(WriteControl::new(options.connections.max(1), options.disabled_rule));
        let statistics = Arc::new(Schedule::new());
        let limits = Limits::of_threads(options.connections, options.queue);
        let time_limit = options.time_limit;
        let pool = WorkerPool::start("postgres", options.connections, limits, |number, queues| {
            let servers = servers.clone();
            let metrics = metrics.clone();
            let (outage, commits, connects) =
                (Arc::clone(&outage), Arc::clone(&commits), Arc::clone(&connects));
            let (control, statistics) = (Arc::clone(&control), Arc::clone(&statistics));
            let shard = u32::try_from(number % 64).unwrap_or_default();
            Ok(move || {
                let worker = Worker {
                    servers,
                    time_limit,
                    shard: i64::from(shard),
                    session: None,
                    metrics,
                    outage,
                    commits,
                    connects,
                    writer: Writer::new(control, shard),
                    statistics,
                    load: ThreadLoad::default(),
                };
                worker.work(&queues);
            })
        })?;
        let pool = Arc::new(pool);
        let queue = Arc::clone(&pool);
        let lookups = SharedLookups::new(Arc::new(move |job| queue.submit(job)), 2 * options.queue);
        Ok(Postgres { pool, lookups, commits, connects })
    }

    pub(crate) fn submit(&self, job: Box<dyn Job>) -> Result<()> {
        self.pool.submit(job)
    }

    pub(crate) fn queue_depth(&self) -> usize {
        self.pool.depth()
    }

    pub(crate) fn commits(&self) -> u64 {
        self.commits.load(Ordering::Acquire)
    }

    /// How often a connection was made.
    pub(crate) fn connects(&self) -> u64 {
        self.connects.load(Ordering::Acquire)
    }

    pub(crate) fn close(&self) {
        self.pool.stop();
    }
}

/// When an attempt to connect last failed, shared by all threads.
struct Outage {
    start: Instant,
    failed_at_millis: AtomicI64,
}

impl Outage {
    fn new() -> Outage {
        Outage { start: Instant::now(), failed_at_millis: AtomicI64::new(i64::MIN) }
    }

    fn now(&self) -> i64 {
        i64::try_from(self.start.elapsed().as_millis()).unwrap_or(i64::MAX)
    }

    fn is_fresh(&self) -> bool {
        let pause = i64::try_from(RECONNECT_PAUSE.as_millis()).unwrap_or_default();
        self.failed_at_millis.load(Ordering::Relaxed) > self.now().saturating_sub(pause)
    }

    fn note(&self) {
        self.failed_at_millis.store(self.now(), Ordering::Relaxed);
    }
}

/// A thread's work: its connection, and what became of it.
struct Worker {
    servers: Servers,
    time_limit: Duration,
    shard: i64,
    session: Option<Session>,
    metrics: StoreMetrics,
    outage: Arc<Outage>,
    commits: Commits,
    connects: Arc<AtomicU64>,
    writer: Writer,
    statistics: Arc<Schedule>,
    /// For whom it works.
    load: ThreadLoad,
}

impl Worker {
    fn work(mut self, queues: &Queues) {
        let mut next = self.next(queues);
        while let Some(first) = next {
            let begun = Instant::now();
            if first.verb() != Verb::Write {
                self.writer.release();
                if !first.is_abandoned() {
                    self.carry_out(first);
                }
                next = self.done_and_next(queues, begun.elapsed());
                continue;
            }
            let size = self.writer.batch_size(queues.writes_waiting());
            let mut writes = vec![first];
            queues.more_writes(size, &mut self.load, &mut writes);
            writes.retain(|job| !job.is_abandoned());
            for job in self.write_in_shared_commit(writes) {
                self.carry_out(job);
            }
            let took = begun.elapsed();
            if self.statistics.is_due(Instant::now()) {
                queues.done(&mut self.load, took);
                self.writer.release();
                self.count_grown_tables();
                next = self.next(queues);
            } else {
                next = self.done_and_next(queues, took);
            }
        }
    }

    fn count_grown_tables(&mut self) {
        if let Some(session) = &mut self.session
            && let Err(fault) = session.execute(statistics::COUNT)
        {
            tracing::warn!(error = %fault, "plans may be worse than they could be");
        }
    }

    /// Says that the work is done and took so long; the next job, one that was parked because of it before others.
    fn done_and_next(&mut self, queues: &Queues, took: Duration) -> Option<Box<dyn Job>> {
        let may_write = self.writer.may_write();
        queues.done_and_take(&mut self.load, took, may_write).or_else(|| self.next(queues))
    }

    /// The next job; a write only if this connection has a permit. `None` once there can be no more jobs.
    fn next(&mut self, queues: &Queues) -> Option<Box<dyn Job>> {
        loop {
            let load = &mut self.load;
            let taken = if !self.writer.may_write() {
                crossbeam_channel::select_biased! {
                    recv(queues.urgent) -> job => job.map(Some),
                    recv(self.writer.free_permits()) -> permit => permit.map(|permit| {
                        self.writer.accept(permit);
                        None
                    }),
                    recv(queues.reads) -> token => token.map(|()| queues.take(JobClass::Reads, load)),
                }
            } else if let Ok(job) = queues.urgent.try_recv() {
                Ok(Some(job))
            } else {
                crossbeam_channel::select! {
                    recv(queues.urgent) -> job => job.map(Some),
                    recv(queues.writes) -> token => token.map(|()| queues.take(JobClass::Writes, load)),
                    recv(queues.reads) -> token => token.map(|()| queues.take(JobClass::Reads, load)),
                }
            };
            match taken {
                Ok(Some(job)) => return Some(job),
                Ok(None) => {}
                Err(_) => return queues.left(),
            }
        }
    }

    /// Runs a job to its end: committed, refused, or given up.
    fn carry_out(&mut self, job: Box<dyn Job>) {
        let (verb, started) = (job.verb(), Instant::now());
        self.attempt(job, started);
        self.metrics.transaction(verb, started.elapsed());
    }

    fn attempt(&mut self, mut job: Box<dyn Job>, started: Instant) {
        let control = Arc::clone(self.writer.control());
        let mut attempts = control.attempts(job.verb() == Verb::Write);
        let mut losses = 0;
        for attempt in 1.. {
            attempts.begin(attempt);
            let session = match self.session() {
                Ok(session) => session,
                Err(fault) => return job.finish(Some(fault.into())),
            };
            session.begin_lazily(job.verb());
            let outcome = job.run(&mut Tx::new(Link::Postgres(session)));
            let fault = match outcome {
                JobOutcome::Done if job.verb().only_reads() => {
                    job.finish(None);
                    return self.end(session_end_of_read);
                }
                JobOutcome::Done => {
                    let ended = session.commit();
                    // Whatever came of it, and before anyone is answered.
                    self.commits.fetch_add(1, Ordering::AcqRel);
                    match ended {
                        Ok(()) => {
                            if job.verb() == Verb::Write {
                                self.writer.on_success(1);
                            }
                            return job.finish(None);
                        }
                        Err(fault) => fault,
                    }
                }
                JobOutcome::Refused => {
                    job.finish(None);
                    return self.end(Session::rollback);
                }
                JobOutcome::Again => {
                    self.end(Session::rollback);
                    Fault::Retry(String::new())
                }
                JobOutcome::Lost => Fault::Retry("the connection was lost before the commit".to_owned()),
            };
            if outcome == JobOutcome::Lost || matches!(fault, Fault::Lost(_)) {
                self.session = None;
                losses += 1;
            }
            if !matches!(fault, Fault::Retry(_)) {
                tracing::error!(error = %fault, "a transaction did not end as it should");
                return job.finish(Some(unknown_outcome(fault)));
            }
            if started.elapsed() > TIME_LIMIT || losses == LOSSES || job.is_abandoned() {
                break;
            }
            attempts.end();
            self.metrics.retried();
            std::thread::sleep(self.writer.on_conflict(attempt));
        }
        let why = Fault::Unavailable("its attempts have used up their time or their connections".to_owned());
        tracing::error!(error = %why, took = ?started.elapsed(), "a transaction was stopped again and again");
        job.finish(Some(why.into()));
    }

    /// Ends a transaction whose result is known already; a failure only costs the connection.
    fn end(&mut self, how: fn(&mut Session) -> Result<(), Fault>) {
        if let Some(session) = &mut self.session
            && let Err(fault) = how(session)
        {
            tracing::warn!(error = %fault, "a database connection is given up");
            self.session = None;
        }
    }

    fn session(&mut self) -> Result<&mut Session, Fault> {
        if self.session.as_ref().is_some_and(Session::is_closed) {
            self.session = None;
        }
        if self.session.is_none() {
            if self.outage.is_fresh() {
                return Err(Fault::Unavailable("the last attempt to connect has just failed".to_owned()));
            }
            self.session =
                Some(Session::connect(&self.servers, self.shard, self.time_limit).inspect_err(|fault| {
                    tracing::error!(error = %fault, "cannot connect to the database");
                    self.outage.note();
                })?);
            self.connects.fetch_add(1, Ordering::AcqRel);
        }
        self.session.as_mut().ok_or_else(|| Fault::Defect("no session".to_owned()))
    }
}

fn session_end_of_read(session: &mut Session) -> Result<(), Fault> {
    session.commit()
}

/// The answer to a caller whose COMMIT may or may not have happened.
fn unknown_outcome(fault: Fault) -> Error {
    match fault {
        Fault::Lost(_) => Error::unavailable(
            "The database went away while it stored the change; whether it did is not known. \
             Repeat the request with the same Idempotency-Key.",
        )
        .caused_by(fault),
        fault => fault.into(),
    }
}
