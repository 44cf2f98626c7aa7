//! The embedded engine: SQLite with one writing thread and a few reading ones.
//!
//! The writer commits every closure that waits under one sync, each in a savepoint of its own; nobody is answered
//! before that commit. Readers see the last committed state and never wait for the writer (WAL). Each thread holds
//! the database's lock until its connection is closed, so that no restore can meet one that is still at work.

use std::path::Path;
use std::sync::{Arc, Mutex};

use pagesmith_model::{Error, Result};

use crate::connection::sqlite::{Connection, Mode, refusal};
use crate::engine::WorkerPool;
use crate::fair::{Flow, Limits};
use crate::job::{Job, JobOutcome};
use crate::lock::{DatabaseLock, Serving};
use crate::metrics::StoreMetrics;
use crate::options::StoreOptions;
use crate::rows::{Commits, Rows};
use crate::tx::Tx;
use crate::verb::Verb;

pub(crate) mod backup;
pub(crate) mod integrity;
mod point_read;
mod reader;
pub(crate) mod statistics;
mod writer;

use point_read::PointReads;

/// An open embedded database.
pub(crate) struct Sqlite {
    writer: WorkerPool,
    readers: WorkerPool,
    point_reads: PointReads,
}

impl Sqlite {
    pub(crate) fn open(path: &Path, options: &StoreOptions, metrics: &StoreMetrics) -> Result<Sqlite> {
        make_folder(path)?;
        let lock = Arc::new(DatabaseLock::shared(path)?);
        let max_batch = options.max_batch.max(1);
        let serving = options.serves.then(|| Serving::begin(path)).transpose()?;
        let commits = Commits::default();
        let rows = Arc::new(Rows::new(Arc::clone(&commits)));
        let limits = Limits::turns_only(options.queue);
        let writer = WorkerPool::start("sqlite-writer", 1, limits, |_, queue| {
            let connection = Connection::open(path, Mode::Write)?.with_time_limit(options.time_limit)?;
            if options.bulk {
                connection.expect_much()?;
            }
            let (metrics, lock, rows) = (metrics.clone(), Arc::clone(&lock), Arc::clone(&rows));
            Ok(move || {
                writer::work(&connection, &queue, max_batch, &rows, &metrics);
                drop(connection);
                drop(lock);
            })
        })?;
        let limits = Limits::of_threads(options.readers, options.queue);
        // A tenant's reads on more threads than cores would only take turns: that costs switches and wins nothing.
        let limits = Limits { of_tenant: limits.of_tenant.min(options.cores.max(1)), ..limits };
        let readers = WorkerPool::start("sqlite-reader", options.readers, limits, |_, queue| {
            let connection = Connection::open(path, Mode::Read)?.with_time_limit(options.time_limit)?;
            let (metrics, lock, count) = (metrics.clone(), Arc::clone(&lock), limits.of_tenant);
            Ok(move || {
                reader::work(&connection, &queue, count, &metrics);
                drop(connection);
                drop(lock);
            })
        })?;
        let rows = serving.map(|serving| (rows, serving));
        let point_reads = PointReads::open(path, options, lock, (commits, rows), metrics)?;
        Ok(Sqlite { writer, readers, point_reads })
    }

    pub(crate) fn submit(&self, job: Box<dyn Job>) -> Result<()> {
        match job.verb() {
            Verb::Read | Verb::Single | Verb::Search => self.readers.submit(job),
            Verb::Write | Verb::Claim => self.writer.submit(job),
        }
    }

    pub(crate) fn queue_depth(&self) -> usize {
        self.writer.depth() + self.readers.depth()
    }

    pub(crate) fn point_read<T>(&self, run: &mut dyn FnMut(&mut Tx<'_>) -> Result<T>) -> Option<Result<T>> {
        self.point_reads.run(run)
    }

    pub(crate) fn commits(&self) -> u64 {
        self.point_reads.commits()
    }

    pub(crate) fn close(&self) {
        self.point_reads.close();
        self.readers.stop();
        self.writer.stop();
    }
}

/// The outcome of a transaction of an inline database, so that a simulation can let its database fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SimulatedOutcome {
    /// It runs, and its caller hears of it.
    Runs,
    /// It does not run.
    Refused,
    /// It runs, and its caller hears that the database is not available.
    Unheard,
}

/// Who decides that.
pub type SimulatedOutcomes = Box<dyn FnMut() -> SimulatedOutcome + Send>;

/// An embedded database that runs closures on the caller's thread.
pub(crate) struct Inline {
    /// Until it is closed.
    open: Mutex<Option<(Connection, DatabaseLock)>>,
    outcomes: Mutex<SimulatedOutcomes>,
    /// Nothing is kept in it: every read sees the file.
    rows: Rows,
    metrics: StoreMetrics,
}

impl Inline {
    pub(crate) fn open(path: &Path, metrics: &StoreMetrics, outcomes: SimulatedOutcomes) -> Result<Inline> {
        make_folder(path)?;
        let lock = DatabaseLock::shared(path)?;
        let connection = Connection::open(path, Mode::Write)?;
        // A simulation has no power cuts.
        connection.execute("PRAGMA synchronous = OFF")?;
        let rows = Rows::new(Commits::default());
        let open = Mutex::new(Some((connection, lock)));
        Ok(Inline { open, outcomes: Mutex::new(outcomes), rows, metrics: metrics.clone() })
    }

    pub(crate) fn run(&self, job: Box<dyn Job>) {
        let outcome = self.outcomes.lock().map_or(SimulatedOutcome::Refused, |mut outcomes| outcomes());
        let job: Box<dyn Job> = match outcome {
            SimulatedOutcome::Runs => job,
            SimulatedOutcome::Refused => {
                return job.finish(Some(Error::unavailable("The database is away.")));
            }
            SimulatedOutcome::Unheard => Box::new(Unheard(job)),
        };
        match self.open.lock().as_deref() {
            Ok(Some((connection, _))) => {
                writer::commit_together(connection, vec![job], &self.rows, &self.metrics);
            }
            Ok(None) => job.finish(Some(Error::unavailable("The server is shutting down."))),
            Err(_) => job.finish(Some(Error::internal("the inline connection is poisoned"))),
        }
    }

    pub(crate) fn commits(&self) -> u64 {
        self.rows.commits()
    }

    pub(crate) fn close(&self) {
        if let Ok(mut open) = self.open.lock() {
            open.take();
        }
    }
}

/// A job whose caller does not hear how it ended.
struct Unheard(Box<dyn Job>);

impl Job for Unheard {
    fn verb(&self) -> Verb {
        self.0.verb()
    }

    fn flow(&self) -> Flow {
        self.0.flow()
    }

    fn is_abandoned(&self) -> bool {
        self.0.is_abandoned()
    }

    fn run(&mut self, tx: &mut Tx<'_>) -> JobOutcome {
        self.0.run(tx)
    }

    fn finish(self: Box<Self>, _: Option<Error>) {
        self.0.finish(Some(Error::unavailable("The database went away.")));
    }
}

fn make_folder(path: &Path) -> Result<()> {
    let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) else {
        return Ok(());
    };
    std::fs::create_dir_all(folder).map_err(|error| refusal::of_folder(folder, &error))
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::{Arc, mpsc};

    use pagesmith_model::error::Kind;
    use tempfile::TempDir;
    use tokio::sync::Notify;
    use tokio::task::JoinHandle;

    use super::*;
    use crate::database_url::DatabaseUrl;
    use crate::store::Store;
    use crate::tables::revisions;
    use crate::tx::{Link, Tx};

    /// A migrated database in a folder of its own.
    pub(crate) async fn fresh(adjust: impl FnOnce(&mut StoreOptions)) -> (TempDir, Store) {
        let folder = tempfile::tempdir().unwrap();
        let mut options = StoreOptions::new(DatabaseUrl::Sqlite(folder.path().join("test.db")));
        adjust(&mut options);
        let store = Store::open(options).unwrap();
        store.migrate().await.unwrap();
        (folder, store)
    }

    pub(super) async fn raised(store: &Store, name: &str) -> Result<()> {
        let name = name.to_owned();
        store.write(move |tx| tx.run(revisions::raise(&name)).map(drop)).await
    }

    pub(super) async fn revision(store: &Store, name: &str) -> i64 {
        let name = name.to_owned();
        store.read(move |tx| revisions::find(tx, &name)).await.unwrap()
    }

    /// A closure in which the writer waits until the gate opens.
    pub(super) struct Gate {
        reached: Arc<Notify>,
        release: mpsc::Sender<()>,
        pub(super) task: JoinHandle<Result<()>>,
    }

    impl Gate {
        /// Puts the closure into the writer's queue.
        pub(super) async fn queued(store: &Store) -> Gate {
            let (reached, (release, wait)) = (Arc::new(Notify::new()), mpsc::channel());
            let (note, of, depth) = (Arc::clone(&reached), store.clone(), store.queue_depth());
            let run = move |_: &mut Tx<'_>| {
                note.notify_one();
                wait.recv().map_err(Error::internal)
            };
            let task = tokio::spawn(async move { of.write(run).await });
            // Into an idle writer's queue it comes and goes too fast to be seen; there `reached` tells.
            while depth > 0 && store.queue_depth() == depth {
                tokio::task::yield_now().await;
            }
            Gate { reached, release, task }
        }

        /// Queues the closure and waits until the writer is in it.
        pub(super) async fn shut(store: &Store) -> Gate {
            let gate = Gate::queued(store).await;
            gate.reached().await;
            gate
        }

        pub(super) async fn reached(&self) {
            self.reached.notified().await;
        }

        pub(super) async fn open(self) {
            self.release.send(()).unwrap();
            self.task.await.unwrap().unwrap();
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn readers_see_what_was_acknowledged() {
        let (_folder, store) = fresh(|options| options.readers = 4).await;
        let walk = |name: &'static str| {
            let store = store.clone();
            tokio::spawn(async move {
                for expected in 1..=25 {
                    raised(&store, name).await.unwrap();
                    assert_eq!(revision(&store, name).await, expected);
                }
            })
        };
        for task in ["a", "b", "c", "d"].map(walk) {
            task.await.unwrap();
        }
    }

    #[tokio::test]
    async fn readers_cannot_write() {
        let (_folder, store) = fresh(|_| {}).await;
        assert!(store.read(|tx| tx.run(revisions::raise("a")).map(drop)).await.is_err());
        assert_eq!(revision(&store, "a").await, 0);
    }

    #[tokio::test]
    async fn an_inline_store_runs_closures_on_the_callers_thread() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open_inline(&folder.path().join("inline.db")).unwrap();
        store.migrate().await.unwrap();
        raised(&store, "kept").await.unwrap();
        let refused = store.write(|tx| {
            tx.run(revisions::raise("kept"))?;
            Err::<(), _>(Error::conflict("no"))
        });
        assert_eq!(*refused.await.unwrap_err().kind(), Kind::Conflict(None));
        let panicking = store.claim(|_| -> Result<()> { panic!("on purpose") });
        assert_eq!(*panicking.await.unwrap_err().kind(), Kind::Internal);
        assert_eq!(revision(&store, "kept").await, 1);
        let here = std::thread::current().id();
        assert!(store.read(move |_| Ok(std::thread::current().id() == here)).await.unwrap());
        store.close().await.unwrap();
        assert!(matches!(raised(&store, "kept").await.unwrap_err().kind(), Kind::Unavailable(_)));
    }

    /// Lets the database grow to so many pages; answers how many it has.
    fn limit(tx: &mut Tx<'_>, pages: i64) -> i64 {
        let Link::Sqlite(connection) = &tx.link else { unreachable!() };
        let number = |text: &str| connection.raw().query_row(text, [], |row| row.get(0)).unwrap();
        let _: i64 = number(&format!("PRAGMA max_page_count = {pages}"));
        number("PRAGMA page_count")
    }

    #[tokio::test]
    async fn a_full_disk_is_an_outage_that_ends_by_itself() {
        let (_folder, store) = fresh(|_| {}).await;
        let pages = store.write(|tx| Ok(limit(tx, i64::from(u32::MAX - 1)))).await.unwrap();
        store.write(move |tx| Ok(limit(tx, pages + 3))).await.unwrap();
        let name = |number: usize| format!("{number}-{}", "x".repeat(1000));
        let mut stored = 0;
        let error = loop {
            match raised(&store, &name(stored)).await {
                Ok(()) if stored < 100 => stored += 1,
                Ok(()) => panic!("the disk is never full"),
                Err(error) => break error,
            }
        };
        assert!(matches!(error.kind(), Kind::Unavailable(_)), "{error}");
        // Still full for whoever needs room, while reading goes on.
        assert!(raised(&store, &name(stored)).await.is_err());
        assert_eq!(revision(&store, &name(stored)).await, 0);

        store.write(|tx| Ok(limit(tx, i64::from(u32::MAX - 1)))).await.unwrap();
        raised(&store, &name(stored)).await.unwrap();
        for number in 0..=stored {
            assert_eq!(revision(&store, &name(number)).await, 1);
        }
    }
}
