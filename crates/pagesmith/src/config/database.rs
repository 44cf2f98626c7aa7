//! `database` and `database_…`: where everything is kept, and how many threads and connections serve it.
//!
//! The keys are flat because `database` itself is a value, which in TOML cannot be a table too.

use std::time::Duration;

use pagesmith_store::{DatabaseUrl, StoreOptions};

use super::{ConfigError, Settings};

/// How long a transaction of a command may take: nobody waits behind it, and it may have much to do.
const COMMAND: Duration = Duration::from_mins(10);

/// The database, and how this process uses it.
#[derive(Debug, Clone)]
pub struct Database {
    /// Which database.
    pub url: DatabaseUrl,
    /// Operations that may wait.
    pub queue: usize,
    /// Threads that read the embedded database.
    pub readers: usize,
    /// Writes that the embedded database commits under one sync.
    pub max_batch: usize,
    /// Connections to PostgreSQL.
    pub connections: usize,
    /// How long a transaction of the server may take.
    pub statement_timeout: Duration,
    /// Whether PostgreSQL may lose what it has acknowledged.
    pub allow_asynchronous_commit: bool,
}

impl Database {
    /// Reads the keys.
    pub fn read(settings: &Settings) -> Result<Database, ConfigError> {
        Ok(Database {
            url: settings.parse("database", "sqlite:PATH or postgres://USER:PASSWORD@HOST/NAME")?,
            queue: settings.number("database_queue", 1..=1_000_000)?,
            readers: settings.number("database_readers", 1..=64)?,
            max_batch: settings.number("database_max_batch", 1..=65_536)?,
            connections: settings.number("database_connections", 1..=1_000)?,
            statement_timeout: settings.duration("database_statement_timeout")?,
            allow_asynchronous_commit: settings
                .parse("database_allow_asynchronous_commit", "true or false")?,
        })
    }

    /// The same for the store of a server that answers a request within that time: the database is to say first that it takes too long.
    pub fn serving_options(&self, request_timeout: Duration) -> StoreOptions {
        let time_limit = self.statement_timeout.min(request_timeout * 4 / 5);
        StoreOptions { serves: true, time_limit, ..self.store_options() }
    }

    /// The same for the store of a command.
    pub fn store_options(&self) -> StoreOptions {
        StoreOptions {
            readers: self.readers,
            connections: self.connections,
            queue: self.queue,
            time_limit: COMMAND,
            max_batch: self.max_batch,
            ..StoreOptions::new(self.url.clone())
        }
    }
}
