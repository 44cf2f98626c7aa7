//! The lock file beside an embedded database.
//!
//! Everyone who opens the database holds the lock together with the others; who replaces the file, or
//! copies all of it to another database, must hold it alone. So a restore is refused while a server or a command has the database open.
//!
//! Further locks tell a server whether it is the only one: see [`Serving`].

use std::fs::{File, OpenOptions, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use pagesmith_model::{Error, Result};

use crate::connection::sqlite::refusal;

/// A held lock; it ends with the process at the latest.
pub(crate) struct DatabaseLock {
    _file: File,
}

fn beside(database: &Path, ending: &str) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

fn open(database: &Path, ending: &str) -> Result<File> {
    let path = beside(database, ending);
    let opened = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
    opened.map_err(|error| refusal::of_lock(database, &path, &error))
}

impl DatabaseLock {
    /// Joins those who have the database open.
    pub(crate) fn shared(database: &Path) -> Result<DatabaseLock> {
        let file = open(database, ".lock")?;
        match file.try_lock_shared() {
            Ok(()) => Ok(DatabaseLock { _file: file }),
            Err(TryLockError::WouldBlock) => Err(Error::unavailable(format!(
                "The database {} is being restored or copied by another process.",
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

/// How long a further server waits until every other one has seen that it is there.
const NOTICE: Duration = Duration::from_millis(25);

/// A server's part in serving an embedded database.
///
/// The first one holds a lock. A further one leaves a mark, which the first looks for whenever it takes a snapshot, and holds a
/// lock by which the next first one knows whether the mark is still somebody's.
pub(crate) struct Serving {
    _locks: Vec<File>,
    /// Where a further server would leave its mark; `None` if this is one.
    mark: Option<PathBuf>,
}

impl Serving {
    pub(crate) fn begin(database: &Path) -> Result<Serving> {
        let mark = beside(database, ".servers");
        let (first, further) = (open(database, ".server.lock")?, open(database, ".further.lock")?);
        if first.try_lock().is_ok() && further.try_lock().is_ok() {
            match std::fs::remove_file(&mark) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(Error::internal(error)),
                _ => {}
            }
            further.unlock().map_err(Error::internal)?;
            return Ok(Serving { _locks: vec![first], mark: Some(mark) });
        }
        further.lock_shared().map_err(Error::internal)?;
        std::fs::write(&mark, "").map_err(Error::internal)?;
        std::thread::sleep(NOTICE);
        Ok(Serving { _locks: vec![first, further], mark: None })
    }

    /// Whether any server has the database open, as of now.
    pub(crate) fn is_anybodys(database: &Path) -> Result<bool> {
        // A lock that is taken is given back with the file.
        Ok(matches!(open(database, ".server.lock")?.try_lock(), Err(TryLockError::WouldBlock)))
    }

    /// Whether no other server has the database open, as of now.
    pub(crate) fn is_alone(&self) -> bool {
        self.mark.as_ref().is_some_and(|mark| !mark.exists())
    }
}
