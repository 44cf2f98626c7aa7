//! Copies of an embedded database: made while it serves, put back while nobody has it open.

use std::fs::File;
use std::path::{Path, PathBuf};

use pagesmith_model::{Error, Result};

use crate::database_url::DatabaseUrl;
use crate::engine::sqlite::connection::{APPLICATION_ID, Connection, Mode, fault};
use crate::lock::DatabaseLock;

fn embedded(url: &DatabaseUrl) -> Result<&Path> {
    url.embedded_path().ok_or_else(|| {
        Error::conflict("Only an embedded database is backed up by this program; use pg_dump for PostgreSQL.")
    })
}

/// `path` with `suffix` appended to its name.
fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

fn io(what: &str, path: &Path) -> impl FnOnce(std::io::Error) -> Error {
    let what = format!("{} cannot be {what}", path.display());
    move |error| Error::unavailable(format!("{what}: {error}."))
}

/// Makes names and contents survive a power cut.
fn sync(path: &Path) -> Result<()> {
    File::open(path).and_then(|file| file.sync_all()).map_err(io("made durable", path))?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(io("made durable", folder))
}

/// Writes one state of the database to `target`, which must not be there yet; writers go on meanwhile.
pub(crate) fn backup(url: &DatabaseUrl, target: &Path) -> Result<()> {
    let path = embedded(url)?;
    if target.exists() {
        return Err(Error::conflict(format!("The file {} is there already.", target.display())));
    }
    let _lock = DatabaseLock::shared(path)?;
    let partial = beside(target, ".partial");
    if partial.exists() {
        std::fs::remove_file(&partial).map_err(io("removed", &partial))?;
    }
    // Not for reading only: that would forbid to write the copy.
    let connection = Connection::open(path, Mode::Write)?;
    let name = partial.to_str().ok_or_else(|| Error::unavailable("The file's name is not UTF-8."))?;
    let copied = connection.raw().execute("VACUUM INTO ?1", [name]);
    if let Err(error) = copied {
        drop(std::fs::remove_file(&partial));
        return Err(Error::unavailable(format!("The backup to {} failed.", target.display()))
            .caused_by(fault(&error)));
    }
    sync(&partial)?;
    std::fs::rename(&partial, target).map_err(io("renamed", &partial))?;
    sync(target)
}

/// Moves the journal into the file and empties it; false if somebody reads from it right now.
pub(crate) fn empty_journal(url: &DatabaseUrl) -> Result<bool> {
    let Some(path) = url.embedded_path() else { return Ok(true) };
    let _lock = DatabaseLock::shared(path)?;
    empty(&Connection::open(path, Mode::Write)?)
}

/// Writes the whole file anew while writers wait, and empties the journal; false if somebody reads right now.
pub(crate) fn rewrite(url: &DatabaseUrl) -> Result<bool> {
    let Some(path) = url.embedded_path() else { return Ok(true) };
    let _lock = DatabaseLock::shared(path)?;
    let connection = Connection::open(path, Mode::Write)?;
    connection.raw().execute_batch("VACUUM").map_err(|error| fault(&error))?;
    empty(&connection)
}

fn empty(connection: &Connection) -> Result<bool> {
    let is_busy =
        connection.raw().query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0));
    Ok(is_busy.map_err(|error| fault(&error))? == 0)
}

/// Puts the copy at `source` in the place of the embedded database, which nobody may have open.
pub fn restore(url: &DatabaseUrl, source: &Path) -> Result<()> {
    let path = embedded(url)?;
    check(source)?;
    super::make_folder(path)?;
    let _lock = DatabaseLock::exclusive(path)?;
    let partial = beside(path, ".partial");
    if let Err(error) = std::fs::copy(source, &partial) {
        drop(std::fs::remove_file(&partial));
        return Err(io("copied", source)(error));
    }
    sync(&partial)?;
    // The old journal belongs to the old file: it goes first, since it must never meet the new one.
    for suffix in ["-wal", "-shm"] {
        let journal = beside(path, suffix);
        if journal.exists() {
            std::fs::remove_file(&journal).map_err(io("removed", &journal))?;
        }
    }
    std::fs::rename(&partial, path).map_err(io("renamed", &partial))?;
    sync(path)
}

/// Refuses what is not a whole database of ours.
fn check(source: &Path) -> Result<()> {
    if !source.is_file() {
        return Err(Error::not_found("backup file").caused_by(source.display().to_string()));
    }
    let refuse =
        |why: String| Error::unavailable(format!("{} is not a usable backup: {why}.", source.display()));
    // A file copied by hand while it was served; what was stored last stands in its journal.
    if std::fs::metadata(beside(source, "-wal")).is_ok_and(|journal| journal.len() > 0) {
        return Err(refuse("it is in use, or its journal was not merged".to_owned()));
    }
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
    let raw =
        rusqlite::Connection::open_with_flags(source, flags).map_err(|error| refuse(error.to_string()))?;
    let id: i32 = raw
        .query_row("PRAGMA application_id", [], |row| row.get(0))
        .map_err(|error| refuse(error.to_string()))?;
    if id != APPLICATION_ID {
        return Err(refuse("it belongs to another program".to_owned()));
    }
    let verdict: String = raw
        .query_row("PRAGMA quick_check(1)", [], |row| row.get(0))
        .map_err(|error| refuse(error.to_string()))?;
    if verdict == "ok" { Ok(()) } else { Err(refuse(verdict)) }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

    use pagesmith_model::error::Kind;

    use super::*;
    use crate::engine::sqlite::tests::{Gate, fresh, raised, revision};
    use crate::store::Store;
    use crate::tables::revisions;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_backup_is_one_state_while_writes_go_on() {
        let (folder, store) = fresh(|_| {}).await;
        let (stop, acknowledged) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicI64::new(0)));
        let writer = {
            let (store, stop, acknowledged) = (store.clone(), Arc::clone(&stop), Arc::clone(&acknowledged));
            tokio::spawn(async move {
                while !stop.load(Ordering::SeqCst) {
                    let both = |tx: &mut crate::Tx<'_>| {
                        revisions::raise(tx, "left")?;
                        revisions::raise(tx, "right")
                    };
                    store.write(both).await.unwrap();
                    acknowledged.fetch_add(1, Ordering::SeqCst);
                }
            })
        };
        while acknowledged.load(Ordering::SeqCst) < 10 {
            tokio::task::yield_now().await;
        }
        let copies = ["one.db", "two.db", "three.db"].map(|name| folder.path().join(name));
        for copy in &copies {
            let before = acknowledged.load(Ordering::SeqCst);
            store.backup(copy).await.unwrap();
            let copy = Store::open_inline(copy).unwrap();
            let left = revision(&copy, "left").await;
            assert!(left >= before, "{left} of {before}");
            assert_eq!(left, revision(&copy, "right").await);
        }
        stop.store(true, Ordering::SeqCst);
        writer.await.unwrap();
        assert_eq!(*store.backup(&copies[0]).await.unwrap_err().kind(), Kind::Conflict(None));
    }

    #[tokio::test]
    async fn a_restore_waits_for_the_database_to_be_closed() {
        let (folder, store) = fresh(|_| {}).await;
        let copy = folder.path().join("copy.db");
        raised(&store, "a").await.unwrap();
        store.backup(&copy).await.unwrap();
        raised(&store, "a").await.unwrap();

        let url = store.url().clone();
        assert_eq!(*restore(&url, &copy).unwrap_err().kind(), Kind::Conflict(None));
        store.close().await.unwrap();
        restore(&url, &copy).unwrap();
        let restored = Store::open(crate::StoreOptions::new(url)).unwrap();
        assert_eq!(revision(&restored, "a").await, 1);
        raised(&restored, "a").await.unwrap();
        assert_eq!(revision(&restored, "a").await, 2);
    }

    #[tokio::test]
    async fn a_store_that_was_only_dropped_keeps_the_lock_until_its_writer_has_ended() {
        let (folder, store) = fresh(|_| {}).await;
        let (copy, url) = (folder.path().join("copy.db"), store.url().clone());
        store.backup(&copy).await.unwrap();
        let gate = Gate::shut(&store).await;
        gate.task.abort();
        drop(store);
        while !gate.task.is_finished() {
            tokio::task::yield_now().await;
        }
        // Time for the readers to end.
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        assert_eq!(*restore(&url, &copy).unwrap_err().kind(), Kind::Conflict(None));
        // The gate opens when it is dropped.
        drop(gate);
        let ended = std::time::Instant::now() + std::time::Duration::from_secs(5);
        while restore(&url, &copy).is_err() {
            assert!(std::time::Instant::now() < ended, "the lock is still held");
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn only_whole_backups_of_ours_are_restored() {
        let (folder, store) = fresh(|_| {}).await;
        let (copy, url) = (folder.path().join("copy.db"), store.url().clone());
        store.backup(&copy).await.unwrap();
        store.close().await.unwrap();
        let unavailable =
            |source: &Path| matches!(restore(&url, source).unwrap_err().kind(), Kind::Unavailable(_));

        assert_eq!(*restore(&url, &folder.path().join("none.db")).unwrap_err().kind(), Kind::NotFound);
        let text = folder.path().join("text.db");
        std::fs::write(&text, "not a database").unwrap();
        assert!(unavailable(&text));
        let foreign = folder.path().join("foreign.db");
        rusqlite::Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE t (a)").unwrap();
        assert!(unavailable(&foreign));
        let torn = folder.path().join("torn.db");
        let whole = std::fs::read(&copy).unwrap();
        std::fs::write(&torn, &whole[..whole.len() / 2]).unwrap();
        assert!(unavailable(&torn));
        std::fs::write(beside(&copy, "-wal"), "later writes").unwrap();
        assert!(unavailable(&copy));
        std::fs::remove_file(beside(&copy, "-wal")).unwrap();
        let old_journal = beside(url.embedded_path().unwrap(), "-wal");
        std::fs::write(&old_journal, "of the database that goes").unwrap();
        restore(&url, &copy).unwrap();
        assert!(!old_journal.exists());
    }
}
