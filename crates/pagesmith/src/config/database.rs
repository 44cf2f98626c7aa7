//! `database` and `database_…`: where everything is kept, and how many threads and connections serve it.
//!
//! The keys are flat because `database` itself is a value, which in TOML cannot be a table too.

use pagesmith_store::{DatabaseUrl, StoreOptions};

use super::{ConfigError, Settings};

/// The database and the sizes of what stands in front of it.
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
        })
    }

    /// The same for the store.
    pub fn store_options(&self) -> StoreOptions {
        StoreOptions {
            url: self.url.clone(),
            readers: self.readers,
            connections: self.connections,
            queue: self.queue,
            serves: false,
            max_batch: self.max_batch,
            bulk: false,
        }
    }
}
