//! The store: where closures are handed to an engine.
//!
//! Queues are bounded: a full one refuses at once the newest job of the tenant that has most jobs waiting. A closure whose caller
//! has gone before it started is skipped; once started it ends in a commit or a rollback. A write is answered after its
//! commit is durable.

use std::path::Path;
use std::sync::Arc;

use pagesmith_model::{Error, Result, TenantId};
use tokio::sync::oneshot;

use crate::backup::BackupProgress;
use crate::database_url::DatabaseUrl;
use crate::diagnosis::{self, Diagnosis};
use crate::engine::postgres::Postgres;
use crate::engine::sqlite::{Inline, SimulatedOutcome, SimulatedOutcomes, Sqlite, backup, integrity};
use crate::engine::{Connector, Engine};
use crate::fair::Flow;
use crate::job::{Closure, Job};
use crate::lock::Serving;
use crate::lookup::Lookup;
use crate::metrics::StoreMetrics;
use crate::migrate;
use crate::options::StoreOptions;
use crate::schema_state::SchemaState;
use crate::tx::Tx;
use crate::verb::Verb;
use crate::wakeup::{Wakeup, Wakeups};

/// A database, shared by everyone who holds a clone.
#[derive(Clone)]
pub struct Store {
    engine: Arc<Engine>,
    options: Arc<StoreOptions>,
    connector: Connector,
    metrics: StoreMetrics,
    wakeups: Arc<Wakeups>,
}

impl Store {
    /// Opens the database; an embedded one is made if it is not there.
    ///
    /// PostgreSQL is first asked when it is first used, so that a server can start while its database is away.
    pub fn open(options: StoreOptions) -> Result<Store> {
        let metrics = StoreMetrics::new();
        let connector = Connector::of(&options.url)?;
        let engine = match &connector {
            Connector::Sqlite(path) => Engine::Sqlite(Sqlite::open(path, &options, &metrics)?),
            Connector::Postgres(servers) => Engine::Postgres(Postgres::open(servers, &options, &metrics)?),
        };
        Ok(Store {
            engine: Arc::new(engine),
            options: Arc::new(options),
            connector,
            metrics,
            wakeups: Arc::default(),
        })
    }

    /// Opens the embedded database at `path` without threads: closures run on the caller's own, one at a time, so
    /// that a simulation repeats exactly.
    pub fn open_inline(path: &Path) -> Result<Store> {
        Store::open_inline_with(path, Box::new(|| SimulatedOutcome::Runs))
    }

    /// The same, with a say in what becomes of each transaction.
    pub fn open_inline_with(path: &Path, outcomes: SimulatedOutcomes) -> Result<Store> {
        let options = StoreOptions::new(DatabaseUrl::Sqlite(path.to_owned()));
        let metrics = StoreMetrics::new();
        let engine = Engine::Inline(Box::new(Inline::open(path, &metrics, outcomes)?));
        Ok(Store {
            engine: Arc::new(engine),
            options: Arc::new(options),
            connector: Connector::Sqlite(path.to_owned()),
            metrics,
            wakeups: Arc::default(),
        })
    }

    /// Runs a transaction that only reads, on one state of the database.
    pub async fn read<T, F>(&self, run: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<T> + Send + 'static,
    {
        self.submit((Verb::Read, Flow::SERVER), run).await
    }

    /// The same database on behalf of a tenant, which has its fair share of it.
    pub fn for_tenant<'a>(&'a self, tenant: &'a TenantId) -> ForTenant<'a> {
        ForTenant { store: self, tenant }
    }

    /// A [`Store::read`] of a row or two by their key, so short that waking another thread would take longer: the
    /// embedded engine runs it on the caller's own, if a connection is free.
    pub async fn point_read<T, F>(&self, run: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<T> + Send + 'static,
    {
        self.point_read_for(Verb::Read, || Flow::SERVER, run).await
    }

    /// `flow` is asked only if another thread has to do it.
    async fn point_read_for<T, F>(&self, verb: Verb, flow: impl FnOnce() -> Flow, mut run: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<T> + Send + 'static,
    {
        let here = {
            let span = tracing::info_span!(target: "span", "database.transaction", verb = Verb::Read.name());
            span.in_scope(|| self.engine.point_read(&mut run))
        };
        match here {
            Some(result) => result,
            None => self.submit((verb, flow()), run).await,
        }
    }

    /// A [`Store::point_read`] of a single statement: see [`ForTenant::single_read`].
    pub async fn single_read<T, F>(&self, run: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<T> + Send + 'static,
    {
        self.single_read_for(|| Flow::SERVER, run).await
    }

    async fn single_read_for<T, F>(&self, flow: impl FnOnce() -> Flow, mut run: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<T> + Send + 'static,
    {
        let run = move |tx: &mut Tx<'_>| {
            tx.limit_to_one();
            run(tx)
        };
        self.point_read_for(Verb::Single, flow, run).await
    }

    /// How often a connection to the database was made. What was read before the number rose may have been lost since, if another server
    /// took over, and should not be kept: it may not even look older than what is there now.
    pub fn connects(&self) -> u64 {
        self.engine.connects()
    }

    /// How many transactions that may have written this process has ended. Nobody is answered before their own are counted: as long
    /// as the number stands, what was read after it was taken is what this process last wrote.
    pub fn commits(&self) -> u64 {
        self.engine.commits()
    }

    /// Runs a transaction as if it were alone; it may run more than once, and is durable when this answers.
    pub async fn write<T, F>(&self, run: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<T> + Send + 'static,
    {
        self.submit((Verb::Write, Flow::SERVER), run).await
    }

    /// Runs a transaction that takes work from a queue or clears away: it must only touch rows on which nothing
    /// else rests, since it sees what others commit meanwhile.
    pub async fn claim<T, F>(&self, run: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<T> + Send + 'static,
    {
        self.submit((Verb::Claim, Flow::SERVER), run).await
    }

    /// Waits for a wake-up: until this process commits a transaction that called [`Tx::wake_after_commit`]. A wake-up that arrives
    /// while nobody waits is kept, and several count as one. Each kind supports one waiter: a second one would miss wake-ups.
    pub async fn wait_for(&self, wakeup: Wakeup) {
        self.wakeups.of(wakeup).notified().await;
    }

    /// Wakes the worker that waits for this, as a committed transaction would.
    pub fn wake(&self, wakeup: Wakeup) {
        self.wakeups.of(wakeup).notify_one();
    }

    async fn submit<T, F>(&self, what: (Verb, Flow), run: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<T> + Send + 'static,
    {
        let (job, reply): (Box<dyn Job>, oneshot::Receiver<Result<T>>) =
            Closure::boxed(what, run, Arc::clone(&self.wakeups));
        // So that whoever calls can be stopped before a transaction and after it, as with threads.
        let is_inline = matches!(*self.engine, Engine::Inline(_));
        if is_inline {
            tokio::task::yield_now().await;
        }
        self.engine.submit(job)?;
        if is_inline {
            tokio::task::yield_now().await;
        }
        reply.await.unwrap_or_else(|_| Err(stopped()))
    }

    /// Brings the schema up to date, under a lock; the names of the migrations applied.
    pub async fn migrate(&self) -> Result<Vec<String>> {
        let connector = self.connector.clone();
        on_thread(move || migrate::apply(&connector)).await
    }

    /// How the database's migrations and this program's differ. A database that this program cannot serve from is an error.
    pub async fn schema_state(&self) -> Result<SchemaState> {
        self.read(migrate::state).await
    }

    /// The tables as they are now, in a form that both engines share.
    pub async fn describe(&self) -> Result<String> {
        let connector = self.connector.clone();
        on_thread(move || crate::describe::describe(&connector)).await
    }

    /// Writes one state of the database to `target`, as an embedded database, while reads and writes go on.
    pub async fn backup(&self, target: &Path) -> Result<()> {
        self.backup_telling(target, Arc::default()).await
    }

    /// The same, and notes in `progress` how far it is.
    pub async fn backup_telling(&self, target: &Path, progress: Arc<BackupProgress>) -> Result<()> {
        let (url, target) = (self.options.url.clone(), target.to_owned());
        on_thread(move || crate::backup::backup(&url, &target, &progress)).await
    }

    /// Moves the embedded database's journal into its file and empties it, so that it holds nothing that was deleted; false if
    /// somebody reads from it right now. PostgreSQL looks after its own.
    pub async fn empty_journal(&self) -> Result<bool> {
        let url = self.options.url.clone();
        on_thread(move || backup::empty_journal(&url)).await
    }

    /// The same after writing an embedded database's whole file anew, so that no page keeps bytes of what was deleted or moved
    /// within it; writers wait as long as that takes.
    pub async fn rewrite(&self) -> Result<bool> {
        let url = self.options.url.clone();
        on_thread(move || backup::rewrite(&url)).await
    }

    /// Looks through an embedded database's file while it serves: what is wrong with it, or nothing for PostgreSQL, which has its own
    /// means. Whoever stops waiting ends it.
    pub async fn check_integrity(&self) -> Result<Option<Vec<String>>> {
        let Some(path) = self.options.url.embedded_path().map(Path::to_owned) else { return Ok(None) };
        let stop = integrity::Stop::default();
        let flag = stop.flag();
        let problems = on_thread(move || integrity::check(&path, &flag)).await?;
        Ok(Some(problems))
    }

    /// What an operator wants to know about the database.
    pub async fn diagnose(&self) -> Result<Diagnosis> {
        let (connector, schema) = (self.connector.clone(), self.schema_state().await?);
        on_thread(move || diagnosis::diagnose(&connector, schema)).await
    }

    /// Whether a server may have the database open: of a PostgreSQL one nobody knows.
    pub fn is_served(&self) -> Result<bool> {
        match self.options.url.embedded_path() {
            Some(path) => Serving::is_anybodys(path),
            None => Ok(true),
        }
    }

    /// How many closures wait.
    pub fn queue_depth(&self) -> usize {
        self.engine.queue_depth()
    }

    /// Whether this is a cluster, whose nodes have the tenants' rows; known once the database was used.
    pub fn is_cluster(&self) -> bool {
        matches!(&self.connector, Connector::Postgres(servers) if servers.is_cluster())
    }

    /// What the store measures.
    pub fn metrics(&self) -> &StoreMetrics {
        &self.metrics
    }

    /// Which database this is.
    pub fn url(&self) -> &DatabaseUrl {
        &self.options.url
    }

    /// Ends what runs and closes the connections; later closures are refused.
    pub async fn close(&self) -> Result<()> {
        let engine = Arc::clone(&self.engine);
        on_thread(move || {
            engine.close();
            Ok(())
        })
        .await
    }
}

/// A store on behalf of one tenant: it gives way to those who have used less of the threads' time, and never takes all of them.
#[derive(Clone, Copy)]
pub struct ForTenant<'a> {
    store: &'a Store,
    tenant: &'a TenantId,
}

impl ForTenant<'_> {
    /// See [`Store::read`].
    pub async fn read<T, F>(self, run: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<T> + Send + 'static,
    {
        self.store.submit((Verb::Read, Flow::of(self.tenant)), run).await
    }

    /// A [`Store::read`] that may take long: one thread at least is left to reads that do not.
    pub async fn search<T, F>(self, run: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<T> + Send + 'static,
    {
        self.store.submit((Verb::Search, Flow::of(self.tenant)), run).await
    }

    /// See [`Store::point_read`].
    pub async fn point_read<T, F>(self, run: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<T> + Send + 'static,
    {
        self.store.point_read_for(Verb::Read, || Flow::of(self.tenant), run).await
    }

    /// A [`Store::point_read`] of a single statement, around which PostgreSQL needs no transaction. A second one
    /// is refused on each engine: on PostgreSQL it would see another state.
    pub async fn single_read<T, F>(self, run: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<T> + Send + 'static,
    {
        self.store.single_read_for(|| Flow::of(self.tenant), run).await
    }

    /// The row with this id, as it is now or later: see [`crate::lookup`].
    pub async fn look_up<T>(self, lookup: &'static Lookup<T>, id: &str) -> Result<Option<T>>
    where
        T: Clone + Send + Sync + 'static,
    {
        if let Engine::Postgres(engine) = &*self.store.engine {
            let answer = engine.lookups.find((lookup.select, lookup.at_once), self.tenant, id)?;
            let row = answer.await.unwrap_or_else(|_| Err(stopped()))?;
            return row.as_ref().map(lookup.read).transpose();
        }
        let (tenant, id) = (self.tenant.clone(), id.to_owned());
        self.point_read(move |tx| lookup.find(tx, &tenant, &id)).await
    }

    /// See [`Store::write`].
    pub async fn write<T, F>(self, run: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<T> + Send + 'static,
    {
        self.store.submit((Verb::Write, Flow::of(self.tenant)), run).await
    }
}

/// What a dropped reply means.
fn stopped() -> Error {
    Error::unavailable("The server is shutting down.")
}

/// Runs something that blocks on a thread made for such things.
async fn on_thread<T: Send + 'static>(run: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(run).await.map_err(Error::internal)?
}
