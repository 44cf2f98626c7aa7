//! The embedded engine: SQLite with one writing thread and a few reading ones.
//!
//! The writer commits every closure that waits under one sync, each in a savepoint of its own; nobody is answered
//! before that commit. Readers see the last committed state and never wait for the writer (WAL). Each thread holds
//! the database's lock until its connection is closed, so that no restore can meet one that is still at work.

use std::path::Path;
use std::sync::{Arc, Mutex};

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
}

impl Sqlite {
    pub(crate) fn open(path: &Path, options: &StoreOptions, metrics: &StoreMetrics) -> Result<Sqlite> {
        make_folder(path)?;
        let lock = Arc::new(DatabaseLock::shared(path)?);
        let max_batch = options.max_batch.max(1);
        let writer = Crew::start("sqlite-writer", 1, options.queue, |_, queue| {
            let connection = Connection::open(path, Mode::Write)?;
            let (metrics, lock) = (metrics.clone(), Arc::clone(&lock));
            Ok(move || {
                writer::work(&connection, &queue, max_batch, &metrics);
                drop(connection);
                drop(lock);
            })
        })?;
        let readers = Crew::start("sqlite-reader", options.readers, options.queue, |_, queue| {
            let connection = Connection::open(path, Mode::Read)?;
            let (metrics, lock) = (metrics.clone(), Arc::clone(&lock));
            Ok(move || {
                reader::work(&connection, &queue, &metrics);
                drop(connection);
                drop(lock);
            })
        })?;
        Ok(Sqlite { writer, readers })
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
    /// Until it is closed.
    open: Mutex<Option<(Connection, DatabaseLock)>>,
    metrics: StoreMetrics,
}

impl Inline {
    pub(crate) fn open(path: &Path, metrics: &StoreMetrics) -> Result<Inline> {
        make_folder(path)?;
        let lock = DatabaseLock::shared(path)?;
        let connection = Connection::open(path, Mode::Write)?;
        Ok(Inline { open: Mutex::new(Some((connection, lock))), metrics: metrics.clone() })
    }

    pub(crate) fn run(&self, job: Box<dyn Job>) {
        match self.open.lock().as_deref() {
            Ok(Some((connection, _))) => writer::commit_together(connection, vec![job], &self.metrics),
            Ok(None) => job.finish(Some(Error::unavailable("The server is shutting down."))),
            Err(_) => job.finish(Some(Error::internal("the inline connection is poisoned"))),
        }
    }

    pub(crate) fn close(&self) {
        if let Ok(mut open) = self.open.lock() {
            open.take();
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
