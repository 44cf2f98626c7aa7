//! Short reads on the caller's own thread.
//!
//! A row by its key takes some microseconds; waking a reading thread and being woken by it takes longer. So a few connections
//! wait here for whoever is there first. Nobody waits for one: without a free connection the read goes to the
//! reading threads.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use pagesmith_model::{Error, Result};

use crate::engine::sqlite::connection::{Connection, Mode};
use crate::job::{Verb, panic_text};
use crate::lock::DatabaseLock;
use crate::metrics::StoreMetrics;
use crate::tx::{Link, Tx};

/// The free connections, until they are closed.
pub(super) struct Glances {
    free: Mutex<Option<Free>>,
    metrics: StoreMetrics,
}

struct Free {
    connections: Vec<Connection>,
    /// Held as long as any connection is open.
    lock: Arc<DatabaseLock>,
}

impl Glances {
    pub(super) fn open(
        path: &Path,
        count: usize,
        lock: Arc<DatabaseLock>,
        metrics: &StoreMetrics,
    ) -> Result<Glances> {
        let connections = (0..count).map(|_| Connection::open(path, Mode::Read)).collect::<Result<_>>()?;
        let free = Mutex::new(Some(Free { connections, lock }));
        Ok(Glances { free, metrics: metrics.clone() })
    }

    /// Runs a read; `None` if no connection is free.
    pub(super) fn run<T>(&self, run: &mut dyn FnMut(&mut Tx<'_>) -> Result<T>) -> Option<Result<T>> {
        let (connection, lock) = {
            let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
            let free = free.as_mut()?;
            (free.connections.pop()?, Arc::clone(&free.lock))
        };
        let started = Instant::now();
        let result = read(&connection, run);
        self.metrics.transaction(Verb::Read, started.elapsed());
        if let Some(free) = self.free.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            free.connections.push(connection);
        } else {
            // Closed meanwhile: the connection goes before the lock that protects its file.
            drop(connection);
        }
        drop(lock);
        Some(result)
    }

    pub(super) fn close(&self) {
        self.free.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

fn read<T>(connection: &Connection, run: &mut dyn FnMut(&mut Tx<'_>) -> Result<T>) -> Result<T> {
    connection.execute("BEGIN")?;
    let result = catch_unwind(AssertUnwindSafe(|| run(&mut Tx::new(Link::Sqlite(connection)))))
        .unwrap_or_else(|panic| Err(Error::internal(panic_text(&*panic))));
    if connection.in_transaction() {
        connection.execute("ROLLBACK")?;
    }
    result
}
