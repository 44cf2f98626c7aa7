//! Backups of a database that is served: one state of it, as the file of an embedded database.
//!
//! Of an embedded database SQLite itself writes the copy. Of PostgreSQL the rows of one snapshot are copied into a new embedded
//! database and compared with that same snapshot, so that what is under the backup's name is whole and proven. Such a file can be
//! put back into either engine.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use pagesmith_model::Result;

use crate::copy;
use crate::database_url::DatabaseUrl;
use crate::engine::Connector;
use crate::engine::sqlite::backup as embedded;
use crate::migrate;

/// How far a backup is; read while it is made.
#[derive(Debug, Default)]
pub struct BackupProgress {
    /// The file that SQLite writes, and how many bytes it comes to, about.
    written: OnceLock<(PathBuf, u64)>,
    /// Rows that are copied or compared, and how many there are to do.
    rows: AtomicU64,
    all_rows: AtomicU64,
}

impl BackupProgress {
    /// How much is done and how much there is to do, in a unit of its own: only the share has a meaning.
    pub fn share(&self) -> (u64, u64) {
        match self.written.get() {
            Some((file, whole)) => (size(file).min(*whole), *whole),
            None => (self.rows.load(Ordering::Relaxed), self.all_rows.load(Ordering::Relaxed)),
        }
    }

    fn record(&self, progress: copy::Progress<'_>) {
        // Each row is read twice: copied, then compared.
        let before = if progress.step == copy::Step::Verifying { progress.total } else { 0 };
        self.rows.store(before + progress.rows, Ordering::Relaxed);
        self.all_rows.store(progress.total * 2, Ordering::Relaxed);
    }
}

fn size(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |facts| facts.len())
}

/// Writes one state of the database to `target`, which must not be there yet; writers go on meanwhile.
pub(crate) fn backup(url: &DatabaseUrl, target: &Path, progress: &BackupProgress) -> Result<()> {
    embedded::write_whole(target, |partial| match url {
        DatabaseUrl::Sqlite(path) => {
            drop(progress.written.set((partial.to_owned(), size(path))));
            embedded::snapshot(path, partial)
        }
        DatabaseUrl::Postgres(url) => copy::snapshot(url, partial, &mut |told| {
            progress.record(told);
            Ok(())
        }),
    })
}

/// Puts the backup at `source` in the place of the embedded database, which nobody may have open, or into an empty PostgreSQL database,
/// which gets its tables first.
///
/// It may be stopped anywhere. The embedded database is then whole, as it was before or as the backup is; into PostgreSQL the same restore
/// goes on where it was stopped, and nothing opens the database before its end.
pub fn restore(url: &DatabaseUrl, source: &Path) -> Result<()> {
    embedded::check(source)?;
    match url {
        DatabaseUrl::Sqlite(path) => embedded::restore(path, source),
        DatabaseUrl::Postgres(_) => {
            if !copy::has_tables(url)? {
                migrate::apply(&Connector::of(url)?)?;
            }
            let from = DatabaseUrl::Sqlite(source.to_owned());
            copy::copy(&from, url, copy::Batch::default(), &mut |_| Ok(())).map(drop)
        }
    }
}
