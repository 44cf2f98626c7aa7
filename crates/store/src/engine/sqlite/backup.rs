//! Copies of an embedded database: made while it serves, put back while nobody has it open.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use pagesmith_model::{Error, Result};
use rusqlite::ErrorCode;

use crate::connection::sqlite::faults::fault;
use crate::connection::sqlite::{APPLICATION_ID, Connection, Mode};
use crate::database_url::DatabaseUrl;
use crate::lock::DatabaseLock;

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

/// Has a copy written to a name beside `target`, which must not be there yet, takes out of it what no copy may keep, and gives it its
/// name for good.
pub(crate) fn write_whole(target: &Path, write: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    if target.exists() {
        return Err(Error::conflict(format!("The file {} is there already.", target.display())));
    }
    let partial = beside(target, ".partial");
    remove(&partial)?;
    let forget = || forget_visitors(&partial).map_err(|error| failed(target, &error));
    if let Err(error) = write(&partial).and_then(|()| forget()) {
        drop(remove(&partial));
        return Err(error);
    }
    sync(&partial)?;
    std::fs::rename(&partial, target).map_err(io("renamed", &partial))?;
    remove(&partial)?;
    sync(target)
}

/// Removes a database with what lies beside it, where there is one.
fn remove(database: &Path) -> Result<()> {
    for suffix in ["", "-wal", "-shm", "-journal", ".lock"] {
        let file = beside(database, suffix);
        match std::fs::remove_file(&file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(io("removed", &file)(error));
            }
            _ => {}
        }
    }
    Ok(())
}

fn failed(target: &Path, error: &rusqlite::Error) -> Error {
    Error::unavailable(format!("The backup to {} failed.", target.display())).caused_by(fault(error))
}

/// Writes one state of the database at `path` to `target`; writers go on meanwhile.
pub(crate) fn snapshot(path: &Path, target: &Path) -> Result<()> {
    let _lock = DatabaseLock::shared(path)?;
    // Not for reading only: that would forbid to write the copy.
    let connection = Connection::open(path, Mode::Write)?;
    let name = target.to_str().ok_or_else(|| Error::unavailable("The file's name is not UTF-8."))?;
    let copied = connection.raw().execute("VACUUM INTO ?1", [name]);
    copied.map(drop).map_err(|error| failed(target, &error))
}

/// Takes out of a copy what tells visitors apart while they are there: a salt is promised to be destroyed, and a copy may be kept for good.
/// Whoever goes on with the copy makes new salts, and visits that are open in it end by themselves.
fn forget_visitors(copy: &Path) -> rusqlite::Result<()> {
    let raw = rusqlite::Connection::open(copy)?;
    // Pages that are freed are overwritten. Nobody needs the copy before it is whole, so there is no journal to be left behind.
    raw.execute_batch("PRAGMA journal_mode = MEMORY; PRAGMA secure_delete = ON;")?;
    let has_table = |name: &str| -> rusqlite::Result<bool> {
        let found = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1)";
        raw.query_row(found, [name], |row| row.get(0))
    };
    // A database of before there were visits is backed up as well.
    if has_table("visit_salts")? {
        raw.execute_batch("DELETE FROM visit_salts")?;
    }
    if has_table("audience_sessions")? {
        raw.execute_batch("UPDATE audience_sessions SET visitor = NULL WHERE visitor IS NOT NULL")?;
    }
    raw.close().map_err(|(_, error)| error)
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
///
/// It may be stopped anywhere: the database is then whole, as it was before or as the copy is.
pub(crate) fn restore(path: &Path, source: &Path) -> Result<()> {
    restore_in_steps(path, source, &mut || Ok(()))
}

/// The same, with a word from the caller after each step.
fn restore_in_steps(path: &Path, source: &Path, next: &mut dyn FnMut() -> Result<()>) -> Result<()> {
    super::make_folder(path)?;
    let _lock = DatabaseLock::exclusive(path)?;
    next()?;
    let partial = beside(path, ".partial");
    if let Err(error) = copy(source, &partial) {
        drop(std::fs::remove_file(&partial));
        return Err(io("copied", source)(error));
    }
    next()?;
    sync(&partial)?;
    next()?;
    // A journal must never meet another file than its own: the old one is moved into the old file, which then stands for itself.
    settle(path)?;
    next()?;
    for suffix in ["-wal", "-shm", "-journal"] {
        let journal = beside(path, suffix);
        if journal.exists() {
            std::fs::remove_file(&journal).map_err(io("removed", &journal))?;
        }
        next()?;
    }
    // Before the new file has the name, its old journals are gone for good.
    sync(&partial)?;
    next()?;
    std::fs::rename(&partial, path).map_err(io("renamed", &partial))?;
    next()?;
    sync(path)
}

/// Copies a file's bytes, not its mode: who may read a backup says nothing about the database.
fn copy(source: &Path, target: &Path) -> std::io::Result<()> {
    match std::fs::remove_file(target) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    std::io::copy(&mut File::open(source)?, &mut File::create_new(target)?).map(drop)
}

/// Moves what the database's journals hold into its file. A file that is damaged has nothing to lose by going.
fn settle(path: &Path) -> Result<()> {
    if !path.exists() {
        return Ok(());
    }
    let moved = rusqlite::Connection::open(path).and_then(|raw| {
        raw.busy_timeout(Duration::from_secs(1))?;
        raw.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0))
    });
    match moved {
        Ok(0) => Ok(()),
        Ok(_) => Err(Error::conflict(format!("Another program reads the database {}.", path.display()))),
        Err(error) => match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                tracing::warn!(%error, "the database that is replaced is damaged");
                Ok(())
            }
            _ => {
                Err(Error::unavailable(format!("The journal of {} cannot be moved into it.", path.display()))
                    .caused_by(fault(&error)))
            }
        },
    }
}

/// Refuses what is not a whole database of ours.
pub(crate) fn check(source: &Path) -> Result<()> {
    if !source.is_file() {
        return Err(Error::not_found("backup file").caused_by(source.display().to_string()));
    }
    let refuse =
        |why: String| Error::unavailable(format!("{} is not a usable backup: {why}.", source.display()));
    // A file copied by hand while it was served; what was stored last is in its journal.
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
    use std::os::unix::process::ExitStatusExt as _;
    use std::process::Command;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

    use pagesmith_model::error::Kind;

    use super::*;
    use crate::backup::restore;
    use crate::engine::sqlite::tests::{Gate, fresh, raised, revision};
    use crate::store::Store;
    use crate::tables::revisions;
    use crate::tables::visits::salts;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_backup_is_one_state_while_writes_go_on() {
        let (folder, store) = fresh(|_| {}).await;
        let (stop, acknowledged) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicI64::new(0)));
        let writer = {
            let (store, stop, acknowledged) = (store.clone(), Arc::clone(&stop), Arc::clone(&acknowledged));
            tokio::spawn(async move {
                while !stop.load(Ordering::SeqCst) {
                    let both = |tx: &mut crate::Tx<'_>| {
                        tx.run(revisions::raise("left"))?;
                        tx.run(revisions::raise("right")).map(drop)
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
    async fn a_backup_holds_neither_salts_nor_numbers_of_visitors() {
        let (folder, store) = fresh(|_| {}).await;
        let (salt, visitor) = ([0xa5_u8; 32], [0x5a_u8; 16]);
        store.write(move |tx| tx.run(salts::insert(20_000, &salt)).map(drop)).await.unwrap();
        let file = rusqlite::Connection::open(store.url().embedded_path().unwrap()).unwrap();
        let open = "INSERT INTO audience_sessions (tenant_id, audience_session_id, page_id, audience_id, visitor, closes_at, last_at,
                is_scripted, engaged_ms, scroll, clicks, interactions, questions, has_action, has_conversion, has_form)
            VALUES ('t', zeroblob(16), zeroblob(16), zeroblob(16), ?1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0)";
        file.execute(open, [visitor.as_slice()]).unwrap();
        let copy = folder.path().join("copy.db");
        store.backup(&copy).await.unwrap();
        let bytes = std::fs::read(&copy).unwrap();
        assert!(!bytes.windows(32).any(|window| window == salt), "a salt");
        assert!(!bytes.windows(16).any(|window| window == visitor), "the number of a visitor");
        assert!(!beside(&copy, "-journal").exists() && !beside(&copy, "-wal").exists());

        // The database itself goes on with both, and the copy has the visit and makes salts of its own.
        let visits = "SELECT COUNT(*), COUNT(visitor), COUNT(closes_at) FROM audience_sessions";
        let counted = |file: &rusqlite::Connection| -> [i64; 3] {
            file.query_row(visits, [], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?])).unwrap()
        };
        assert_eq!(counted(&file), [1, 1, 1]);
        assert_eq!(store.read(|tx| salts::of_two_days(tx, 20_000)).await.unwrap().len(), 1);
        assert_eq!(counted(&rusqlite::Connection::open(&copy).unwrap()), [1, 0, 1]);
        let restored = Store::open_inline(&copy).unwrap();
        assert_eq!(restored.read(|tx| salts::of_two_days(tx, 20_000)).await.unwrap(), []);
        restored.write(move |tx| tx.run(salts::insert(20_000, &[1; 32])).map(drop)).await.unwrap();
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
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert_eq!(*restore(&url, &copy).unwrap_err().kind(), Kind::Conflict(None));
        // The gate opens when it is dropped.
        drop(gate);
        let ended = std::time::Instant::now() + Duration::from_secs(5);
        while restore(&url, &copy).is_err() {
            assert!(std::time::Instant::now() < ended, "the lock is still held");
            tokio::task::yield_now().await;
        }
    }

    /// Two states: `copy.db`, and a later one whose server ended without a word, so that its newest commits are in the journal.
    async fn crashed() -> (tempfile::TempDir, PathBuf) {
        let (folder, store) = fresh(|_| {}).await;
        raised(&store, "both").await.unwrap();
        let copy = folder.path().join("copy.db");
        store.backup(&copy).await.unwrap();
        raised(&store, "both").await.unwrap();
        let left = folder.path().join("left.db");
        for suffix in ["", "-wal"] {
            let from = beside(&folder.path().join("test.db"), suffix);
            std::fs::copy(&from, beside(&left, suffix)).unwrap();
        }
        assert!(std::fs::metadata(beside(&left, "-wal")).unwrap().len() > 0);
        store.close().await.unwrap();
        (folder, left)
    }

    /// Tells a process of this test binary after how many steps it dies. It restores `copy.db` over `left.db` in its folder.
    const DIES_AFTER: &str = "PAGESMITH_TEST_RESTORE_DIES_AFTER";

    #[test]
    #[ignore = "a process that dies: the test below starts it"]
    fn a_restore_that_kills_its_own_process() {
        let last: usize = std::env::var_os(DIES_AFTER).unwrap().to_str().unwrap().parse().unwrap();
        let mut steps = 0;
        restore_in_steps(Path::new("left.db"), Path::new("copy.db"), &mut || {
            steps += 1;
            if steps > last {
                // The signal ends this process before `kill` is waited for: nothing is flushed, dropped or removed.
                Command::new("kill").args(["-KILL", &std::process::id().to_string()]).status().unwrap();
            }
            Ok(())
        })
        .unwrap();
    }

    #[tokio::test]
    async fn a_restore_that_is_killed_anywhere_leaves_one_of_both_databases_whole() {
        let mut seen = Vec::new();
        for last in 0_usize.. {
            let (folder, database) = crashed().await;
            let (url, copy) = (DatabaseUrl::Sqlite(database), folder.path().join("copy.db"));
            let ended = Command::new(std::env::current_exe().unwrap())
                .args([
                    "--ignored",
                    "--exact",
                    "engine::sqlite::backup::tests::a_restore_that_kills_its_own_process",
                ])
                .current_dir(folder.path())
                .env(DIES_AFTER, last.to_string())
                .output()
                .unwrap();
            assert!(ended.status.success() || ended.status.signal() == Some(9), "{ended:?}");
            let left = Store::open(crate::StoreOptions::new(url.clone())).unwrap();
            seen.push(revision(&left, "both").await);
            raised(&left, "both").await.unwrap();
            left.close().await.unwrap();
            // Nothing that was left lies in the way of the next attempt.
            restore(&url, &copy).unwrap();
            let restored = Store::open(crate::StoreOptions::new(url)).unwrap();
            assert_eq!(revision(&restored, "both").await, 1);
            if ended.status.success() {
                break;
            }
        }
        // The later state until the name changes hands, the copy from then on.
        let first = seen.iter().position(|revision| *revision == 1).unwrap();
        assert!(first > 5 && seen[..first].iter().all(|revision| *revision == 2), "{seen:?}");
        assert!(seen[first..].iter().all(|revision| *revision == 1), "{seen:?}");
    }

    #[tokio::test]
    async fn a_damaged_database_is_replaced() {
        let (folder, database) = crashed().await;
        std::fs::write(&database, "not a database, but long enough to be read as one ".repeat(40)).unwrap();
        let url = DatabaseUrl::Sqlite(database);
        restore(&url, &folder.path().join("copy.db")).unwrap();
        let restored = Store::open(crate::StoreOptions::new(url)).unwrap();
        assert_eq!(revision(&restored, "both").await, 1);
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
