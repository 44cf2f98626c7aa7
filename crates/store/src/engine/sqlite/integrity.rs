//! A look through an embedded database's file while it serves.
//!
//! On a connection of its own and table by table, each in a transaction that only reads: writers are never held up, and the write-ahead log
//! is never kept from being reused for longer than one table takes. After each table it rests as long as that took.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use pagesmith_model::{Error, Result};
use rusqlite::ErrorCode;

use crate::connection::sqlite::faults::fault;
use crate::connection::sqlite::{Connection, Mode};
use crate::lock::DatabaseLock;

/// More problems than these are not told.
const TOLD: usize = 10;
/// The longest rest.
const PAUSE: Duration = Duration::from_secs(1);

/// Ends a look when it is dropped.
#[derive(Default)]
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}

impl Drop for Stop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// What is wrong with the file; nothing if it is whole.
pub(crate) fn check(path: &Path, stop: &Arc<AtomicBool>) -> Result<Vec<String>> {
    let _lock = DatabaseLock::shared(path)?;
    let asked = Arc::clone(stop);
    let connection =
        Connection::open(path, Mode::Read)?.stopped_when(move || asked.load(Ordering::Relaxed))?;
    let raw = connection.raw();
    let names = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name";
    let mut problems = Vec::new();
    for table in damage(&mut problems, texts(raw, names, &[]))? {
        let begun = Instant::now();
        let said = texts(raw, "SELECT integrity_check FROM pragma_integrity_check(?1)", &[&table]);
        let said = damage(&mut problems, said)?;
        problems.extend(said.into_iter().filter(|line| line != "ok"));
        if problems.len() >= TOLD || stop.load(Ordering::Relaxed) {
            break;
        }
        std::thread::sleep(begun.elapsed().min(PAUSE));
    }
    problems.truncate(TOLD);
    Ok(problems)
}

fn texts(raw: &rusqlite::Connection, text: &str, values: &[&str]) -> rusqlite::Result<Vec<String>> {
    let mut statement = raw.prepare(text)?;
    statement.query_map(rusqlite::params_from_iter(values), |row| row.get(0))?.collect()
}

/// A file in which SQLite cannot even find its way is a finding too.
fn damage(problems: &mut Vec<String>, said: rusqlite::Result<Vec<String>>) -> Result<Vec<String>> {
    match said {
        Ok(said) => Ok(said),
        Err(error) => match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                problems.push(error.to_string());
                Ok(vec![])
            }
            _ => Err(Error::from(fault(&error))),
        },
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::FileExt;

    use super::*;
    use crate::engine::sqlite::tests::{fresh, raised};

    #[tokio::test]
    async fn a_page_that_was_lost_is_found_and_a_whole_file_is_whole() {
        let (folder, store) = fresh(|_| {}).await;
        let path = folder.path().join("test.db");
        for number in 0..200 {
            raised(&store, &format!("{number}-{}", "x".repeat(100))).await.unwrap();
        }
        assert_eq!(store.check_integrity().await.unwrap(), Some(vec![]));
        store.close().await.unwrap();
        let pages = std::fs::metadata(&path).unwrap().len() / 4096;
        let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
        file.write_all_at(&[0; 4096], (pages - 1) * 4096).unwrap();
        let problems = check(&path, &Arc::default()).unwrap();
        assert!(!problems.is_empty() && problems.len() <= TOLD, "{problems:?}");
    }

    #[tokio::test]
    async fn a_look_that_nobody_waits_for_ends() {
        let (folder, store) = fresh(|_| {}).await;
        let stop = Stop::default();
        let flag = stop.flag();
        drop(stop);
        assert!(check(&folder.path().join("test.db"), &flag).is_ok());
        store.close().await.unwrap();
    }
}
