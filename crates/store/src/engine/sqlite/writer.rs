//! The writing thread: many closures, one sync.
//!
//! A batch first runs without savepoints, which cost a copy of every page that a closure touches. Only if a closure that has
//! written is refused, so that there is something to take back, the whole batch is run again with a
//! savepoint around each.

use std::time::{Duration, Instant};

use pagesmith_model::Error;

use crate::connection::sqlite::Connection;
use crate::engine::Queues;
use crate::fair::ThreadLoad;
use crate::fault::Fault;
use crate::job::{Job, JobOutcome};
use crate::metrics::StoreMetrics;
use crate::rows::{Change, Rows};
use crate::tx::{Link, Tx};

/// How often a closure that lost a race to another process is run again.
const ATTEMPTS: usize = 5;

pub(super) fn work(
    connection: &Connection,
    queues: &Queues,
    max_batch: usize,
    rows: &Rows,
    metrics: &StoreMetrics,
) {
    let mut load = ThreadLoad::default();
    while let Some(first) = queues.next(&mut load) {
        let mut batch = vec![first];
        batch.extend(queues.urgent.try_iter().take(max_batch - 1));
        queues.more_writes(max_batch, &mut load, &mut batch);
        commit_together(connection, batch, rows, metrics);
        // One thread writes everybody's: turns alone decide.
        queues.done(&mut load, Duration::ZERO);
    }
    // Leave one file behind instead of three, unless someone else still has the database open: nobody waits for that.
    let emptied = connection.raw().busy_timeout(Duration::ZERO);
    let emptied = emptied.and_then(|()| connection.raw().execute_batch("PRAGMA wal_checkpoint(TRUNCATE);"));
    if let Err(fault) = emptied {
        tracing::warn!(error = %fault, "the last checkpoint failed");
    }
}

/// Why a whole transaction is lost.
enum Lost {
    /// Nobody's fault among those who share it.
    Together(Fault),
    /// A statement of this one took too long: when SQLite stops a change, it takes back all of the transaction.
    By(usize),
}

impl From<Fault> for Lost {
    fn from(fault: Fault) -> Lost {
        Lost::Together(fault)
    }
}

/// Runs the jobs in one transaction and answers them after its commit.
pub(super) fn commit_together(
    connection: &Connection,
    batch: Vec<Box<dyn Job>>,
    rows: &Rows,
    metrics: &StoreMetrics,
) {
    let started = Instant::now();
    let mut batch: Vec<_> = batch.into_iter().filter(|job| !job.is_abandoned()).collect();
    let Some(verb) = batch.first().map(|job| job.verb()) else { return };
    let mut changed = Vec::new();
    let ended = loop {
        match attempt(connection, &mut batch, &mut changed, metrics) {
            Ok(()) => break Ok(()),
            Err(Lost::Together(fault)) => break Err(fault),
            // The others have nothing to do with it, and run again without it.
            Err(Lost::By(at)) => batch.remove(at).finish(None),
        }
    };
    // Before anyone is answered: no later point read may show the state before.
    rows.committed(&changed);
    metrics.batch(batch.len());
    metrics.transaction(verb, started.elapsed());
    if let Err(fault) = &ended {
        tracing::error!(error = %fault, jobs = batch.len(), "a batch of writes was rolled back");
    }
    for job in batch {
        job.finish(ended.as_ref().err().map(|fault| Error::from(fault.clone())));
    }
}

/// One transaction, committed or taken back.
fn attempt(
    connection: &Connection,
    batch: &mut [Box<dyn Job>],
    changed: &mut Vec<Change>,
    metrics: &StoreMetrics,
) -> Result<(), Lost> {
    let mut run = || {
        connection.execute("BEGIN IMMEDIATE")?;
        if !run_together(connection, batch, changed)? {
            connection.execute("ROLLBACK")?;
            connection.execute("BEGIN IMMEDIATE")?;
            for (at, job) in batch.iter_mut().enumerate() {
                run_alone(connection, (at, job.as_mut()), changed, metrics)?;
            }
        }
        Ok(connection.execute("COMMIT")?)
    };
    let ended = run();
    if ended.is_err()
        && connection.in_transaction()
        && let Err(fault) = connection.execute("ROLLBACK")
    {
        tracing::error!(error = %fault, "a rollback failed");
    }
    ended
}

/// Runs the jobs one after the other; false if one of them has left something that must be taken back.
///
/// An error means that the whole transaction is lost.
fn run_together(
    connection: &Connection,
    batch: &mut [Box<dyn Job>],
    changed: &mut Vec<Change>,
) -> Result<bool, Lost> {
    for (at, job) in batch.iter_mut().enumerate() {
        let before = connection.raw().total_changes();
        let mut tx = Tx::new(Link::Sqlite(connection));
        let outcome = connection.limited(Instant::now(), || job.run(&mut tx));
        changed.append(&mut tx.take_changed());
        check_open(connection, at)?;
        let unchanged = connection.raw().total_changes() == before;
        if outcome != JobOutcome::Done && !(outcome == JobOutcome::Refused && unchanged) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Some failures of a statement end its transaction, and with it everything before.
fn check_open(connection: &Connection, at: usize) -> Result<(), Lost> {
    if connection.in_transaction() {
        return Ok(());
    }
    if connection.was_stopped() {
        return Err(Lost::By(at));
    }
    Err(Lost::Together(Fault::Unavailable("a statement failed and ended the transaction".to_owned())))
}

/// Runs one job in a savepoint, so that its refusal takes nothing else back.
///
/// An error means that the whole transaction is lost.
fn run_alone(
    connection: &Connection,
    (at, job): (usize, &mut dyn Job),
    changed: &mut Vec<Change>,
    metrics: &StoreMetrics,
) -> Result<(), Lost> {
    for attempt in 1..=ATTEMPTS {
        connection.execute("SAVEPOINT job")?;
        let mut tx = Tx::new(Link::Sqlite(connection));
        let outcome = connection.limited(Instant::now(), || job.run(&mut tx));
        changed.append(&mut tx.take_changed());
        check_open(connection, at)?;
        if outcome == JobOutcome::Done {
            return Ok(connection.execute("RELEASE job")?);
        }
        connection.execute("ROLLBACK TO job")?;
        connection.execute("RELEASE job")?;
        if outcome != JobOutcome::Again || attempt == ATTEMPTS {
            return Ok(());
        }
        metrics.retried();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::{Duration, Instant};

    use pagesmith_model::error::Kind;
    use pagesmith_model::{Error, Result};
    use tokio::task::JoinHandle;

    use crate::engine::sqlite::tests::{Gate, fresh, raised, revision};
    use crate::options::StoreOptions;
    use crate::store::Store;
    use crate::tables::revisions;
    use crate::tx::Tx;
    use crate::{fault, sql, values};

    /// Hands a closure to the store and waits until it is in the queue.
    async fn queue<T: Send + 'static>(
        store: &Store,
        run: impl FnMut(&mut Tx<'_>) -> Result<T> + Send + 'static,
    ) -> JoinHandle<Result<T>> {
        let (depth, of) = (store.queue_depth(), store.clone());
        let task = tokio::spawn(async move { of.write(run).await });
        while store.queue_depth() == depth {
            tokio::task::yield_now().await;
        }
        task
    }

    #[tokio::test]
    async fn a_refused_closure_takes_nothing_else_back() {
        let (_folder, store) = fresh(|_| {}).await;
        let gate = Gate::shut(&store).await;
        let before = queue(&store, |tx| tx.run(revisions::raise("before")).map(drop)).await;
        let refused = queue(&store, |tx| {
            tx.run(revisions::raise("refused"))?;
            Err::<(), _>(Error::conflict("no"))
        });
        let refused = refused.await;
        let after = queue(&store, |tx| tx.run(revisions::raise("after")).map(drop)).await;
        gate.open().await;
        before.await.unwrap().unwrap();
        assert_eq!(*refused.await.unwrap().unwrap_err().kind(), Kind::Conflict(None));
        after.await.unwrap().unwrap();
        assert_eq!(revision(&store, "before").await, 1);
        assert_eq!(revision(&store, "refused").await, 0);
        assert_eq!(revision(&store, "after").await, 1);
    }

    #[tokio::test]
    async fn a_panic_is_an_error_of_its_closure_alone() {
        let (_folder, store) = fresh(|_| {}).await;
        let gate = Gate::shut(&store).await;
        let before = queue(&store, |tx| tx.run(revisions::raise("before")).map(drop)).await;
        let panicking = queue(&store, |tx| -> Result<()> {
            tx.run(revisions::raise("panicking"))?;
            panic!("on purpose")
        });
        let panicking = panicking.await;
        let after = queue(&store, |tx| tx.run(revisions::raise("after")).map(drop)).await;
        gate.open().await;
        before.await.unwrap().unwrap();
        let error = panicking.await.unwrap().unwrap_err();
        assert_eq!((error.kind(), error.to_string().contains("on purpose")), (&Kind::Internal, true));
        after.await.unwrap().unwrap();
        assert_eq!(revision(&store, "before").await, 1);
        assert_eq!(revision(&store, "panicking").await, 0);
        assert_eq!(revision(&store, "after").await, 1);
    }

    #[tokio::test]
    async fn nobody_is_answered_before_the_commit() {
        let (_folder, store) = fresh(|_| {}).await;
        let gate = Gate::shut(&store).await;
        let first = queue(&store, |tx| tx.run(revisions::raise("first")).map(drop)).await;
        let slow = Gate::queued(&store).await;
        gate.open().await;
        // The first has run now, and its transaction is open.
        slow.reached().await;
        tokio::time::sleep(Duration::from_millis(30)).await;
        assert!(!first.is_finished());
        assert_eq!(revision(&store, "first").await, 0);
        slow.open().await;
        first.await.unwrap().unwrap();
        assert_eq!(revision(&store, "first").await, 1);
    }

    #[tokio::test]
    async fn a_closure_that_nobody_waits_for_is_skipped() {
        let (_folder, store) = fresh(|_| {}).await;
        let gate = Gate::shut(&store).await;
        let ran = Arc::new(AtomicBool::new(false));
        let note = Arc::clone(&ran);
        let abandoned = queue(&store, move |_| {
            note.store(true, Ordering::SeqCst);
            Ok(())
        });
        let abandoned = abandoned.await;
        abandoned.abort();
        assert!(abandoned.await.unwrap_err().is_cancelled());
        gate.open().await;
        raised(&store, "later").await.unwrap();
        assert!(!ran.load(Ordering::SeqCst));
    }

    #[tokio::test]
    async fn a_full_queue_refuses_at_once() {
        let (_folder, store) = fresh(|options: &mut StoreOptions| options.queue = 2).await;
        let gate = Gate::shut(&store).await;
        let waiting = [
            queue(&store, |tx| tx.run(revisions::raise("a")).map(drop)).await,
            queue(&store, |tx| tx.run(revisions::raise("b")).map(drop)).await,
        ];
        let asked = Instant::now();
        let error = raised(&store, "c").await.unwrap_err();
        assert!(matches!(error.kind(), Kind::Unavailable(_)) && asked.elapsed() < Duration::from_millis(100));
        // Readers have a queue of their own.
        assert_eq!(revision(&store, "a").await, 0);
        gate.open().await;
        for task in waiting {
            task.await.unwrap().unwrap();
        }
        raised(&store, "c").await.unwrap();
    }

    #[tokio::test]
    async fn a_failed_statement_cannot_be_passed_over() {
        let (_folder, store) = fresh(|_| {}).await;
        let passed_over = store.write(|tx| {
            tx.run(revisions::raise("kept?"))?;
            let insert = sql!("INSERT INTO revisions (name, revision) VALUES ($1, 1)");
            drop(tx.run(insert.with(values!["kept?"])));
            Ok(())
        });
        assert_eq!(*passed_over.await.unwrap_err().kind(), Kind::Internal);
        assert_eq!(revision(&store, "kept?").await, 0);
    }

    #[tokio::test]
    async fn a_lost_race_runs_again_from_its_start() {
        let (_folder, store) = fresh(|_| {}).await;
        let mut runs = 0;
        let count = store.write(move |tx| {
            runs += 1;
            tx.run(revisions::raise("raced"))?;
            if runs < 3 { Err(fault::retry("on purpose")) } else { Ok(runs) }
        });
        assert_eq!(count.await.unwrap(), 3);
        assert_eq!(revision(&store, "raced").await, 1);
    }
}
