//! Short reads on the caller's own thread.
//!
//! A row by its key takes some microseconds; waking a reading thread and being woken by it takes longer, and so does taking the
//! locks of a read transaction. So a few connections wait here for whoever is there first, and a snapshot is read again as long
//! as it is the present: nothing was committed here since it was taken, and it is at most [`FRESH`] old, for what other
//! processes commit. Nobody waits for a connection: without a free one the read goes to the reading threads.
//!
//! An open snapshot keeps the write-ahead log from being reused, so a thread ends those that nobody reads any more.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use pagesmith_model::{Error, Result};

use crate::connection::sqlite::{Connection, Mode};
use crate::fault::Fault;
use crate::job::panic_text;
use crate::lock::{DatabaseLock, Serving};
use crate::metrics::StoreMetrics;
use crate::options::StoreOptions;
use crate::rows::{Commits, Rows};
use crate::tx::{Link, Tx};
use crate::verb::Verb;

/// How old a snapshot may become.
const FRESH: Duration = Duration::from_millis(1);
/// How often snapshots that nobody reads are looked for, while there may be any.
const PAUSE: Duration = Duration::from_millis(10);

/// The free connections, until they are closed.
pub(super) struct PointReads {
    shared: Arc<Shared>,
    ender: Mutex<Option<JoinHandle<()>>>,
}

struct Shared {
    free: Mutex<Free>,
    /// Told when a first snapshot stays open, and at the end.
    kept: Condvar,
    commits: Commits,
    rows: Option<Arc<Rows>>,
    metrics: StoreMetrics,
}

struct Free {
    /// `None` once closed.
    connections: Option<Vec<PointReader>>,
    /// Held as long as any connection is open; `None` once closed.
    lock: Option<Arc<DatabaseLock>>,
    /// The part in serving, of a server; `None` once closed.
    serving: Option<Arc<Serving>>,
    /// Whether snapshots may be open.
    any_kept: bool,
}

/// A connection, and what it shows.
struct PointReader {
    connection: Connection,
    snapshot: Option<Snapshot>,
}

#[derive(Clone, Copy)]
struct Snapshot {
    taken: Instant,
    commits: u64,
    /// Whether this was the only server when it was taken.
    alone: bool,
}

impl PointReads {
    pub(super) fn open(
        path: &Path,
        options: &StoreOptions,
        lock: Arc<DatabaseLock>,
        (commits, rows): (Commits, Option<(Arc<Rows>, Serving)>),
        metrics: &StoreMetrics,
    ) -> Result<PointReads> {
        let open = || {
            let connection = Connection::open(path, Mode::Read)?.with_time_limit(options.time_limit)?;
            Ok(PointReader { connection, snapshot: None })
        };
        let connections = (0..options.readers).map(|_| open()).collect::<Result<_>>()?;
        let (rows, serving) = rows.map(|(rows, serving)| (rows, Arc::new(serving))).unzip();
        let free = Free { connections: Some(connections), lock: Some(lock), serving, any_kept: false };
        let metrics = metrics.clone();
        let (free, kept) = (Mutex::new(free), Condvar::new());
        let shared = Arc::new(Shared { free, kept, commits, rows, metrics });
        let ending = Arc::clone(&shared);
        let ender =
            thread::Builder::new().name("sqlite-point-reads".to_owned()).spawn(move || ending.end_old());
        let ender = Mutex::new(Some(ender.map_err(Error::internal)?));
        Ok(PointReads { shared, ender })
    }

    /// Runs a read; `None` if no connection is free.
    pub(super) fn run<T>(&self, run: &mut dyn FnMut(&mut Tx<'_>) -> Result<T>) -> Option<Result<T>> {
        let shared = &self.shared;
        let (mut reader, lock, serving) = {
            let mut free = shared.free();
            let reader = free.connections.as_mut()?.pop()?;
            (reader, free.lock.clone(), free.serving.clone())
        };
        let started = Instant::now();
        let commits = shared.commits.load(Ordering::Acquire);
        let rows = shared.rows.as_deref().zip(serving.as_deref());
        let result = reader.read(started, commits, rows, run);
        shared.metrics.transaction(Verb::Read, started.elapsed());
        shared.give_back(reader);
        drop(lock);
        Some(result)
    }

    /// How much the writer has committed.
    pub(super) fn commits(&self) -> u64 {
        self.shared.commits.load(Ordering::Acquire)
    }

    pub(super) fn close(&self) {
        {
            let mut free = self.shared.free();
            free.connections = None;
            free.lock = None;
            free.serving = None;
        }
        self.shared.kept.notify_all();
        let ender = self.ender.lock().unwrap_or_else(PoisonError::into_inner).take();
        // A thread that panicked has no snapshot to end.
        drop(ender.map(JoinHandle::join));
    }
}

impl Drop for PointReads {
    fn drop(&mut self) {
        self.close();
    }
}

impl Shared {
    fn free(&self) -> MutexGuard<'_, Free> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn give_back(&self, reader: PointReader) {
        let keeps = reader.snapshot.is_some();
        let mut free = self.free();
        // Closed meanwhile: the connection goes here, before the lock that protects its file.
        let Some(connections) = &mut free.connections else { return };
        connections.push(reader);
        if keeps && !free.any_kept {
            free.any_kept = true;
            self.kept.notify_one();
        }
    }

    /// Ends snapshots that have become old, until the connections are closed.
    fn end_old(&self) {
        loop {
            let free = self.free();
            let idle = |free: &mut Free| free.connections.is_some() && !free.any_kept;
            let mut free = self.kept.wait_while(free, idle).unwrap_or_else(PoisonError::into_inner);
            let Some(connections) = &mut free.connections else { return };
            let now = Instant::now();
            for reader in connections.iter_mut().filter(|reader| !reader.shows(now, u64::MAX)) {
                reader.end();
            }
            // One that is in use is looked at the next time if it keeps its snapshot.
            free.any_kept = connections.iter().any(|reader| reader.snapshot.is_some());
            let open = |free: &mut Free| free.connections.is_some();
            drop(self.kept.wait_timeout_while(free, PAUSE, open));
        }
    }
}

impl PointReader {
    /// Whether it shows the present; `commits` of `u64::MAX` asks for its age only.
    fn shows(&self, now: Instant, commits: u64) -> bool {
        self.snapshot.is_some_and(|snapshot| {
            now.duration_since(snapshot.taken) < FRESH && (commits == u64::MAX || snapshot.commits == commits)
        })
    }

    fn read<T>(
        &mut self,
        now: Instant,
        commits: u64,
        rows: Option<(&Rows, &Serving)>,
        run: &mut dyn FnMut(&mut Tx<'_>) -> Result<T>,
    ) -> Result<T> {
        if !self.shows(now, commits) {
            self.end();
            self.connection.execute("BEGIN")?;
            let alone = rows.is_some_and(|(_, serving)| serving.is_alone());
            self.snapshot = Some(Snapshot { taken: now, commits, alone });
        }
        // Who is not the only server does not know of every change.
        let alone = self.snapshot.is_some_and(|snapshot| snapshot.alone);
        let rows = rows.map(|(rows, _)| rows).filter(|_| alone);
        let read = || run(&mut Tx::for_point_read(Link::Sqlite(&self.connection), rows, commits));
        let result = self
            .connection
            .limited(now, || catch_unwind(AssertUnwindSafe(read)))
            .unwrap_or_else(|panic| Err(Error::internal(panic_text(&*panic))));
        if result.is_err() {
            self.end();
        }
        result
    }

    /// Ends the snapshot, if there is one.
    fn end(&mut self) {
        self.snapshot = None;
        let ended: Result<(), Fault> =
            if self.connection.in_transaction() { self.connection.execute("ROLLBACK") } else { Ok(()) };
        if let Err(fault) = ended {
            tracing::error!(error = %fault, "a read could not be ended");
        }
    }
}

#[cfg(test)]
mod tests {
    use pagesmith_model::TenantId;

    use crate::engine::sqlite::tests::{fresh, raised};
    use crate::lock::Serving;
    use crate::lookup::Lookup;
    use crate::sql;
    use crate::store::Store;
    use crate::tables::revisions;
    use crate::tx::Tx;

    async fn revision(store: &Store, name: &'static str) -> i64 {
        store.point_read(move |tx| revisions::find(tx, name)).await.unwrap()
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn what_was_acknowledged_is_seen_at_once() {
        let (_folder, store) = fresh(|options| options.readers = 2).await;
        let walk = |name: &'static str| {
            let store = store.clone();
            tokio::spawn(async move {
                for expected in 1..=50 {
                    raised(&store, name).await.unwrap();
                    for _ in 0..3 {
                        assert_eq!(revision(&store, name).await, expected);
                    }
                }
            })
        };
        for task in ["a", "b", "c"].map(walk) {
            task.await.unwrap();
        }
    }

    #[tokio::test]
    async fn a_read_of_one_statement_refuses_a_second() {
        let (_folder, store) = fresh(|options| options.readers = 1).await;
        let tenant = TenantId::parse("tenant_00000000000000000000000000").unwrap();
        let read = |times: usize| {
            store
                .for_tenant(&tenant)
                .single_read(move |tx| (0..times).try_for_each(|_| revisions::find(tx, "a").map(drop)))
        };
        read(1).await.unwrap();
        read(2).await.unwrap_err();
        read(1).await.unwrap();
    }

    fn another(folder: &tempfile::TempDir, serves: bool) -> Store {
        let url = crate::DatabaseUrl::Sqlite(folder.path().join("test.db"));
        Store::open(crate::StoreOptions { serves, ..crate::StoreOptions::new(url) }).unwrap()
    }

    /// A revision as a row that is kept.
    // only: sqlite
    const KEPT: Lookup<i64> = Lookup {
        select: sql!("SELECT name AS id, revision FROM revisions WHERE $1 <> '' AND name IN ("),
        read: |row| row.take("revision"),
        at_once: 1,
        kept_as: Some("revisions"),
    };

    #[tokio::test]
    async fn a_server_keeps_rows_only_while_it_is_alone() {
        let (folder, first) = fresh(|options| options.serves = true).await;
        let kept = || async {
            let tenant = TenantId::parse("tenant_00000000000000000000000000").unwrap();
            let read = move |tx: &mut Tx<'_>| Ok(KEPT.find(tx, &tenant, "a")?.unwrap_or_default());
            first.point_read(read).await.unwrap()
        };
        raised(&first, "a").await.unwrap();
        assert_eq!(kept().await, 1);
        // A change that nobody told of is not seen, so the row is kept.
        raised(&first, "a").await.unwrap();
        assert_eq!(kept().await, 1);
        let second = another(&folder, true);
        assert_eq!(kept().await, 2);
        raised(&second, "a").await.unwrap();
        while kept().await != 3 {
            std::thread::yield_now();
        }
    }

    #[tokio::test]
    async fn a_server_after_others_is_alone_again_and_a_command_is_no_server() {
        let (folder, first) = fresh(|options| options.serves = true).await;
        let (second, command) = (another(&folder, true), another(&folder, false));
        let alone = |serving: &Serving| serving.is_alone();
        first.close().await.unwrap();
        let path = folder.path().join("test.db");
        assert!(!alone(&Serving::begin(&path).unwrap()), "the second one is still there");
        second.close().await.unwrap();
        assert!(alone(&Serving::begin(&path).unwrap()));
        drop(command);
    }

    #[tokio::test]
    async fn no_snapshot_stays_open_when_nobody_reads() {
        let (folder, store) = fresh(|_| {}).await;
        revision(&store, "a").await;
        let other = rusqlite::Connection::open(folder.path().join("test.db")).unwrap();
        // A snapshot of before would keep the log from being emptied after this.
        raised(&store, "a").await.unwrap();
        let busy = || other.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0));
        while busy().unwrap() == 1 {
            std::thread::yield_now();
        }
        assert_eq!(revision(&store, "a").await, 1);
    }
}
