//! A database for one test.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use pagesmith_store::{DatabaseUrl, Store, StoreOptions};
use tempfile::TempDir;
use tokio::sync::OnceCell;

static NEXT: AtomicU32 = AtomicU32::new(0);

/// The schema of tests, so that nothing relies on `public`.
const SCHEMA: &str = "tests";

/// A database that ends with the test.
pub struct TestDatabase {
    /// Its address.
    pub url: DatabaseUrl,
    /// The same as text, with everything that the other one hides.
    pub address: String,
    /// Where files of the test may stand.
    pub folder: TempDir,
    /// What removes it from the run's server.
    pub guard: Option<DropLater>,
}

/// What the test command says by a variable of the environment.
#[expect(clippy::disallowed_methods, reason = "the test command says which engine to use")]
pub fn setting(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Whether this run is on PostgreSQL.
pub fn is_postgres() -> bool {
    setting("PAGESMITH_TEST_ENGINE").is_some_and(|engine| engine.starts_with("postgres"))
}

/// Whether tenants' tables are divided into [`PARTITIONS`] in this run.
pub fn is_sharded() -> bool {
    setting("PAGESMITH_TEST_ENGINE").is_some_and(|engine| engine == "postgres-sharded")
}

/// Into how many partitions tenants' tables are divided where they are.
pub const PARTITIONS: usize = 4;

/// The PostgreSQL server of this run.
pub fn postgres_address() -> String {
    setting("PAGESMITH_TEST_POSTGRES").expect("PAGESMITH_TEST_POSTGRES names the server")
}

impl TestDatabase {
    /// An empty database: a file, or a database of its own on the run's server.
    pub async fn create() -> TestDatabase {
        if !is_postgres() {
            return TestDatabase::embedded();
        }
        let guard = create_database("template1").await;
        execute_at(&database_address(&guard.name), &format!("CREATE SCHEMA {SCHEMA}")).await;
        TestDatabase::on_server(guard)
    }

    /// The same with all migrations applied: a copy of one that every test of this process shares.
    pub async fn migrated() -> TestDatabase {
        if !is_postgres() {
            return TestDatabase::migrated_embedded().await;
        }
        TestDatabase::on_server(create_database(migrated_database().await).await)
    }

    /// The same of the embedded engine, whatever this run is on.
    pub async fn migrated_embedded() -> TestDatabase {
        let database = TestDatabase::embedded();
        std::fs::write(database.folder.path().join("test.db"), migrated_file().await).unwrap();
        database
    }

    fn on_server(guard: DropLater) -> TestDatabase {
        let server = database_address(&guard.name);
        let joint = if server.contains('?') { '&' } else { '?' };
        let sharded = if is_sharded() {
            // Plans for the values at hand look at the partitions of these alone.
            format!("%20-c%20pagesmith.partitions%3D{PARTITIONS}%20-c%20plan_cache_mode%3Dforce_custom_plan")
        } else {
            String::new()
        };
        let address = format!("{server}{joint}options=-c%20search_path%3D{SCHEMA}%2Cpublic{sharded}");
        let folder = tempfile::tempdir().unwrap();
        TestDatabase { url: address.parse().unwrap(), address, folder, guard: Some(guard) }
    }

    /// An empty file of the embedded engine, whatever this run is on.
    pub fn embedded() -> TestDatabase {
        let folder = tempfile::tempdir().unwrap();
        let address = format!("sqlite:{}", folder.path().join("test.db").display());
        TestDatabase { url: address.parse().unwrap(), address, folder, guard: None }
    }

    /// Everything that is stored: the bytes of a backup, or what the tables of the schema show.
    pub async fn everything(&self, store: &Store) -> Vec<u8> {
        if is_postgres() {
            return schema_as_text(&self.address).await.into_bytes();
        }
        let copy = self.folder.path().join(format!("copy-{}.db", NEXT.fetch_add(1, Ordering::Relaxed)));
        store.backup(&copy).await.unwrap();
        std::fs::read(copy).unwrap()
    }

    /// An open store on it.
    pub fn open(&self) -> Store {
        self.open_with(|_| {})
    }

    /// An open store on it, with other options.
    pub fn open_with(&self, change: impl FnOnce(&mut StoreOptions)) -> Store {
        let mut options = StoreOptions::new(self.url.clone());
        options.connections = 4;
        options.serves = true;
        change(&mut options);
        Store::open(options).unwrap()
    }
}

/// The file of the embedded engine with all migrations applied.
async fn migrated_file() -> &'static [u8] {
    static MADE: OnceCell<Vec<u8>> = OnceCell::const_new();
    let make = || async {
        let database = TestDatabase::embedded();
        let store = migrated_store(&database).await;
        let copy = database.folder.path().join("copy.db");
        store.backup(&copy).await.unwrap();
        std::fs::read(copy).unwrap()
    };
    MADE.get_or_init(make).await
}

/// The name of the database with all migrations applied, which nobody is connected to.
async fn migrated_database() -> &'static str {
    static MADE: OnceCell<String> = OnceCell::const_new();
    let make = || async {
        let mut database = TestDatabase::create().await;
        migrated_store(&database).await.close().await.unwrap();
        database.guard.take().unwrap().keep()
    };
    MADE.get_or_init(make).await
}

async fn migrated_store(database: &TestDatabase) -> Store {
    let store = database.open();
    store.migrate().await.unwrap();
    store
}

/// Databases of tests that have ended. The next test drops them, since the end of one cannot wait.
static ENDED: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Drops a database of the run's server, soon after it has been dropped itself.
pub struct DropLater {
    name: String,
}

impl DropLater {
    fn keep(mut self) -> String {
        std::mem::take(&mut self.name)
    }
}

impl Drop for DropLater {
    fn drop(&mut self) {
        if !self.name.is_empty() {
            ENDED.lock().unwrap().push(std::mem::take(&mut self.name));
        }
    }
}

/// Creates a copy of a database on the run's server, by its files, which is faster than by its log.
async fn create_database(template: &str) -> DropLater {
    let name = format!("t{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let ended = std::mem::take(&mut *ENDED.lock().unwrap());
    let (client, driving) = connect(&postgres_address()).await;
    for ended in ended {
        client.batch_execute(&format!("DROP DATABASE {ended} WITH (FORCE)")).await.unwrap();
    }
    let create = format!("CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy");
    client.batch_execute(&create).await.unwrap();
    drop(client);
    driving.await.unwrap();
    DropLater { name }
}

/// The address of another database on the run's server.
fn database_address(name: &str) -> String {
    let server = postgres_address();
    let (server, query) =
        server.split_once('?').map_or((server.as_str(), ""), |(server, query)| (server, query));
    let (server, _) = server.rsplit_once('/').unwrap();
    if query.is_empty() { format!("{server}/{name}") } else { format!("{server}/{name}?{query}") }
}

/// All rows of all tables of the schema that the database at `address` is: a line of JSON each, below the name of their table.
pub async fn schema_as_text(address: &str) -> String {
    let schema = schema_of(address);
    // Not as XML, which some builds of PostgreSQL cannot write.
    let tables = format!(
        "SELECT string_agg(format('SELECT concat(%L, string_agg(to_json(t)::text, chr(10))) AS found FROM %I.%I t',
            tablename || ':' || chr(10), schemaname, tablename), ' UNION ALL ' ORDER BY tablename)
         FROM pg_tables WHERE schemaname = '{schema}'"
    );
    let tables = ask_at(address, &tables).await;
    ask_at(address, &format!("SELECT string_agg(found, chr(10)) FROM ({tables}) AS tables")).await
}

/// The schema that the database at `address` is.
pub fn schema_of(address: &str) -> &str {
    address.split("search_path%3D").nth(1).unwrap().split('%').next().unwrap()
}

/// Runs statements on the run's PostgreSQL server, past the store.
pub async fn execute(text: &str) {
    execute_at(&postgres_address(), text).await;
}

/// Runs statements on the database at `address`, past the store.
pub async fn execute_at(address: &str, text: &str) {
    if let Some(path) = address.strip_prefix("sqlite:") {
        return rusqlite::Connection::open(path).unwrap().execute_batch(text).unwrap();
    }
    let (client, driving) = connect(address).await;
    client.batch_execute(text).await.unwrap();
    drop(client);
    driving.await.unwrap();
}

/// The one text that a statement answers on the run's PostgreSQL server, past the store.
pub async fn ask(text: &str) -> String {
    ask_at(&postgres_address(), text).await
}

/// The one text that a statement answers on the database at `address`, past the store.
pub async fn ask_at(address: &str, text: &str) -> String {
    if let Some(path) = address.strip_prefix("sqlite:") {
        return rusqlite::Connection::open(path).unwrap().query_row(text, [], |row| row.get(0)).unwrap();
    }
    let (client, driving) = connect(address).await;
    let answer = client.query_one(text, &[]).await.unwrap().get(0);
    drop(client);
    driving.await.unwrap();
    answer
}

/// A transaction of someone else, which stays open until this is dropped.
pub struct Held {
    _client: tokio_postgres::Client,
    // Its end closes the connection, and with it the transaction.
    _runtime: tokio::runtime::Runtime,
}

impl Held {
    /// Runs statements in a transaction on the PostgreSQL database at `address`; not for asynchronous tests.
    pub fn open(address: &str, text: &str) -> Held {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let client = runtime.block_on(async {
            let (client, _) = connect(address).await;
            client.batch_execute(&format!("BEGIN; {text}")).await.unwrap();
            client
        });
        Held { _client: client, _runtime: runtime }
    }
}

/// A transaction of another process that writes into the file of the embedded engine, until this is dropped.
pub struct OtherWriter(#[expect(dead_code, reason = "its end is what matters")] rusqlite::Connection);

impl OtherWriter {
    /// Begins it.
    pub fn begin(database: &TestDatabase) -> OtherWriter {
        let path = database.address.strip_prefix("sqlite:").expect("a database of the embedded engine");
        let connection = rusqlite::Connection::open(path).unwrap();
        connection.execute_batch("BEGIN IMMEDIATE").unwrap();
        OtherWriter(connection)
    }
}

async fn connect(address: &str) -> (tokio_postgres::Client, tokio::task::JoinHandle<()>) {
    let (client, connection) = tokio_postgres::connect(address, tokio_postgres::NoTls).await.unwrap();
    (client, tokio::spawn(async { connection.await.unwrap() }))
}
