//! The embedded engine: SQLite with one writing thread and a few reading ones.
//!
//! The writer commits every closure that waits under one sync, each in a savepoint of its own; nobody is answered
//! before that commit. Readers see the last committed state and never wait for the writer (WAL).

use std::path::Path;
use std::sync::Mutex;

use pagesmith_model::{Error, Result};

use crate::engine::Crew;
use crate::job::{Job, Verb};
use crate::lock::DatabaseLock;
use crate::metrics::StoreMetrics;
use crate::store::StoreOptions;

pub(crate) mod backup;
pub(crate) mod connection;
mod reader;
mod writer;

use connection::{Connection, Mode};

/// An open embedded database.
pub(crate) struct Sqlite {
    writer: Crew,
    readers: Crew,
    _lock: DatabaseLock,
}

impl Sqlite {
    pub(crate) fn open(path: &Path, options: &StoreOptions, metrics: &StoreMetrics) -> Result<Sqlite> {
        make_folder(path)?;
        let lock = DatabaseLock::shared(path)?;
        let max_batch = options.max_batch.max(1);
        let writer = Crew::start("sqlite-writer", 1, options.queue, |_, queue| {
            let connection = Connection::open(path, Mode::Write)?;
            let metrics = metrics.clone();
            Ok(move || writer::work(&connection, &queue, max_batch, &metrics))
        })?;
        let readers = Crew::start("sqlite-reader", options.readers, options.queue, |_, queue| {
            let connection = Connection::open(path, Mode::Read)?;
            let metrics = metrics.clone();
            Ok(move || reader::work(&connection, &queue, &metrics))
        })?;
        Ok(Sqlite { writer, readers, _lock: lock })
    }

    pub(crate) fn submit(&self, job: Box<dyn Job>) -> Result<()> {
        match job.verb() {
            Verb::Read => self.readers.submit(job),
            Verb::Write | Verb::Claim => self.writer.submit(job),
        }
    }

    pub(crate) fn queue_depth(&self) -> usize {
        self.writer.depth() + self.readers.depth()
    }

    pub(crate) fn close(&self) {
        self.readers.stop();
        self.writer.stop();
    }
}

/// An embedded database that runs closures on the caller's thread.
pub(crate) struct Inline {
    connection: Mutex<Connection>,
    metrics: StoreMetrics,
    _lock: DatabaseLock,
}

impl Inline {
    pub(crate) fn open(path: &Path) -> Result<Inline> {
        make_folder(path)?;
        let lock = DatabaseLock::shared(path)?;
        let connection = Mutex::new(Connection::open(path, Mode::Write)?);
        Ok(Inline { connection, metrics: StoreMetrics::new(), _lock: lock })
    }

    pub(crate) fn run(&self, job: Box<dyn Job>) {
        match self.connection.lock() {
            Ok(connection) => writer::commit_together(&connection, vec![job], &self.metrics),
            Err(_) => job.finish(Some(Error::internal("the inline connection is poisoned"))),
        }
    }
}

fn make_folder(path: &Path) -> Result<()> {
    let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) else {
        return Ok(());
    };
    std::fs::create_dir_all(folder).map_err(|error| {
        Error::unavailable(format!("The folder {} cannot be made: {error}.", folder.display()))
    })
}
