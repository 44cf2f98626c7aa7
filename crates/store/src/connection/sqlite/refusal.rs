//! Why an embedded database cannot be used: the cause and the next step, in a sentence for whoever runs the program.
//!
//! What this is not: the reading of what a statement was answered, which is in [`super::faults`].

use std::io;
use std::path::Path;

use pagesmith_model::Error;
use rusqlite::ErrorCode;

use crate::connection::sqlite::faults::fault;

/// What helps where a user lacks rights.
const RIGHTS: &str = "run this as the user whose it is or give this user the right to write there, or name another place in the setting `database`";

/// The folder for the database could not be made.
pub(crate) fn of_folder(folder: &Path, error: &io::Error) -> Error {
    Error::unavailable(format!(
        "The folder {} for the database cannot be made ({error}): {RIGHTS}.",
        folder.display()
    ))
}

/// A lock beside the database could not be opened.
pub(crate) fn of_lock(database: &Path, lock: &Path, error: &io::Error) -> Error {
    let (database, lock) = (database.display(), lock.display());
    if error.kind() == io::ErrorKind::NotFound {
        return Error::unavailable(format!(
            "There is no folder for the database {database}: `pagesmith serve` and `pagesmith migrate` make it, or correct the setting `database`."
        ));
    }
    Error::unavailable(format!(
        "The database {database} cannot be used because its lock {lock} cannot be written ({error}): {RIGHTS}."
    ))
}

/// The file could not be opened, or is none that can be used.
pub(crate) fn of_file(path: &Path, error: &rusqlite::Error) -> Error {
    let file = path.display();
    let told = |text: String| Error::unavailable(text);
    match error.sqlite_error_code() {
        _ if path.is_dir() => told(format!(
            "The database {file} is a folder: name a file in it in the setting `database`, such as {}.",
            path.join("pagesmith.db").display()
        )),
        Some(ErrorCode::NotADatabase) => told(format!(
            "The file {file} is not a database that can be used (it is not a file of SQLite): name another file in the setting `database`."
        )),
        Some(ErrorCode::ReadOnly) => told(format!(
            "The database {file} can be read and not written (its file, its folder or its disk is read-only for this user): {RIGHTS}."
        )),
        Some(ErrorCode::CannotOpen) => {
            told(format!("The database {file} cannot be opened for reading and writing: {RIGHTS}."))
        }
        Some(ErrorCode::DatabaseBusy) => told(format!(
            "The database {file} is locked by another program for longer than five seconds: end that program, and try again."
        )),
        Some(ErrorCode::DatabaseCorrupt) => told(format!(
            "The database {file} is damaged: stop the server and put a backup in its place with `pagesmith restore FILE`."
        ))
        .caused_by(fault(error)),
        Some(ErrorCode::DiskFull) => {
            told(format!("There is no room for the database {file} on its disk: make room, and try again."))
        }
        _ => told(format!("The file {file} is not a database that can be used.")).caused_by(fault(error)),
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::ffi;

    use super::*;

    #[test]
    fn each_cause_has_its_sentence() {
        let of = |code| {
            let error = rusqlite::Error::SqliteFailure(ffi::Error::new(code), None);
            of_file(Path::new("/srv/pages.db"), &error).to_string()
        };
        for (code, expected) in [
            (ffi::SQLITE_NOTADB, "is not a file of SQLite"),
            (ffi::SQLITE_READONLY, "can be read and not written"),
            (ffi::SQLITE_READONLY_DBMOVED, "can be read and not written"),
            (ffi::SQLITE_CANTOPEN, "cannot be opened for reading and writing"),
            (ffi::SQLITE_BUSY, "is locked by another program"),
            (ffi::SQLITE_CORRUPT, "`pagesmith restore FILE`"),
            (ffi::SQLITE_FULL, "no room"),
            (ffi::SQLITE_IOERR, "is not a database that can be used"),
        ] {
            let told = of(code);
            assert!(told.contains(expected) && told.contains("/srv/pages.db"), "{code}: {told}");
        }
        let folder = tempfile::tempdir().unwrap();
        let error = rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_CANTOPEN), None);
        let told = of_file(folder.path(), &error).to_string();
        assert!(told.contains("is a folder") && told.contains("pagesmith.db"), "{told}");
    }
}
