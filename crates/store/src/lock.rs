//! The lock file beside an embedded database.
//!
//! Everyone who opens the database holds the lock together with the others; who replaces the file must hold it
//! alone. So a restore is refused while a server or a command has the database open. A second lock file tells servers from
//! commands: an embedded database has one server at a time.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use pagesmith_model::{Error, Result};

/// A held lock; it ends with the process at the latest.
pub(crate) struct DatabaseLock {
    _file: File,
}

fn open(database: &Path, ending: &str) -> Result<File> {
    let mut name = database.as_os_str().to_owned();
    name.push(ending);
    let path = PathBuf::from(name);
    OpenOptions::new().create(true).truncate(false).write(true).open(&path).map_err(|error| {
        Error::unavailable(format!("The lock file {} cannot be opened: {error}.", path.display()))
    })
}

impl DatabaseLock {
    /// Joins those who have the database open.
    pub(crate) fn shared(database: &Path) -> Result<DatabaseLock> {
        let file = open(database, ".lock")?;
        match file.try_lock_shared() {
            Ok(()) => Ok(DatabaseLock { _file: file }),
            Err(TryLockError::WouldBlock) => Err(Error::unavailable(format!(
                "The database {} is being restored by another process.",
                database.display()
            ))),
            Err(TryLockError::Error(error)) => Err(Error::internal(error)),
        }
    }

    /// Makes this process the database's one server.
    pub(crate) fn server(database: &Path) -> Result<DatabaseLock> {
        let file = open(database, ".server.lock")?;
        match file.try_lock() {
            Ok(()) => Ok(DatabaseLock { _file: file }),
            Err(TryLockError::WouldBlock) => Err(Error::conflict(format!(
                "The database {} is served by another process; for several servers use PostgreSQL.",
                database.display()
            ))),
            Err(TryLockError::Error(error)) => Err(Error::internal(error)),
        }
    }

    /// Shuts out everyone else.
    pub(crate) fn exclusive(database: &Path) -> Result<DatabaseLock> {
        let file = open(database, ".lock")?;
        match file.try_lock() {
            Ok(()) => Ok(DatabaseLock { _file: file }),
            Err(TryLockError::WouldBlock) => Err(Error::conflict(format!(
                "The database {} is in use: stop the server that holds it first.",
                database.display()
            ))),
            Err(TryLockError::Error(error)) => Err(Error::internal(error)),
        }
    }
}
