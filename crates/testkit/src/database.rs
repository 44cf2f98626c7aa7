//! A database for one test.

use std::sync::atomic::{AtomicU32, Ordering};

use pagesmith_store::{DatabaseUrl, Store, StoreOptions};
use tempfile::TempDir;

static NEXT: AtomicU32 = AtomicU32::new(0);

/// A database that ends with the test.
pub struct TestDatabase {
    /// Its address.
    pub url: DatabaseUrl,
    /// Where files of the test may stand.
    pub folder: TempDir,
}

#[expect(clippy::disallowed_methods, reason = "the test command says which engine to use")]
fn setting(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Whether this run is on PostgreSQL.
pub fn is_postgres() -> bool {
    setting("PAGESMITH_TEST_ENGINE").is_some_and(|engine| engine == "postgres")
}

/// The PostgreSQL server of this run.
pub fn postgres_address() -> String {
    setting("PAGESMITH_TEST_POSTGRES").expect("PAGESMITH_TEST_POSTGRES names the server")
}

impl TestDatabase {
    /// An empty database: a file, or a schema of its own on the run's server.
    pub async fn create() -> TestDatabase {
        let folder = tempfile::tempdir().unwrap();
        let url = if is_postgres() {
            let schema = format!("t{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
            execute(&format!("CREATE SCHEMA {schema}")).await;
            let address = postgres_address();
            let joint = if address.contains('?') { '&' } else { '?' };
            format!("{address}{joint}options=-c%20search_path%3D{schema}%2Cpublic")
        } else {
            format!("sqlite:{}", folder.path().join("test.db").display())
        };
        TestDatabase { url: url.parse().unwrap(), folder }
    }

    /// An open store on it.
    pub fn open(&self) -> Store {
        self.open_with(|_| {})
    }

    /// An open store on it, with other options.
    pub fn open_with(&self, change: impl FnOnce(&mut StoreOptions)) -> Store {
        let mut options = StoreOptions::new(self.url.clone());
        options.connections = 4;
        change(&mut options);
        Store::open(options).unwrap()
    }
}

/// Runs statements on the run's PostgreSQL server, past the store.
pub async fn execute(text: &str) {
    let (client, connection) =
        tokio_postgres::connect(&postgres_address(), tokio_postgres::NoTls).await.unwrap();
    let driving = tokio::spawn(connection);
    client.batch_execute(text).await.unwrap();
    drop(client);
    driving.await.unwrap().unwrap();
}
