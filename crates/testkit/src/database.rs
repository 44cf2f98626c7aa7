//! A database for one test.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU32, Ordering};

use pagesmith_store::{DatabaseUrl, Store, StoreOptions};
use tempfile::TempDir;
use tokio::sync::Mutex;

static NEXT: AtomicU32 = AtomicU32::new(0);

/// A database that ends with the test.
pub struct TestDatabase {
    /// Its address.
    pub url: DatabaseUrl,
    /// The same as text, with everything that the other one hides.
    pub address: String,
    /// Where files of the test may stand.
    pub folder: TempDir,
}

#[expect(clippy::disallowed_methods, reason = "the test command says which engine to use")]
fn setting(name: &str) -> Option<String> {
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
    /// An empty database: a file, or a schema of its own on the run's server.
    pub async fn create() -> TestDatabase {
        if !is_postgres() {
            return TestDatabase::embedded();
        }
        let folder = tempfile::tempdir().unwrap();
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let schema = format!("t{}_{number}", std::process::id());
        let server = shared_database(number / SHARED).await;
        execute_at(&server, &format!("CREATE SCHEMA {schema}")).await;
        let joint = if server.contains('?') { '&' } else { '?' };
        let sharded = if is_sharded() {
            // Plans for the values at hand look at the partitions of these alone.
            format!("%20-c%20pagesmith.partitions%3D{PARTITIONS}%20-c%20plan_cache_mode%3Dforce_custom_plan")
        } else {
            String::new()
        };
        let address = format!("{server}{joint}options=-c%20search_path%3D{schema}%2Cpublic{sharded}");
        TestDatabase { url: address.parse().unwrap(), address, folder }
    }

    /// An empty file of the embedded engine, whatever this run is on.
    pub fn embedded() -> TestDatabase {
        let folder = tempfile::tempdir().unwrap();
        let address = format!("sqlite:{}", folder.path().join("test.db").display());
        TestDatabase { url: address.parse().unwrap(), address, folder }
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

/// How many tests have their schemas in one database: PostgreSQL becomes slow with the tables that a database has.
const SHARED: u32 = 32;

/// The address of a database on the run's server that some tests share, which the first of them makes.
async fn shared_database(number: u32) -> String {
    static MADE: Mutex<BTreeSet<u32>> = Mutex::const_new(BTreeSet::new());
    let name = format!("t{}_{number}", std::process::id());
    let mut made = MADE.lock().await;
    if made.insert(number) {
        execute(&format!("CREATE DATABASE {name}")).await;
    }
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

async fn connect(address: &str) -> (tokio_postgres::Client, tokio::task::JoinHandle<()>) {
    let (client, connection) = tokio_postgres::connect(address, tokio_postgres::NoTls).await.unwrap();
    (client, tokio::spawn(async { connection.await.unwrap() }))
}
