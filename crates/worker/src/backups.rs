//! Backups of the embedded database, with the files of tenants, into a folder of this machine.
//!
//! First the database, then the files: one that the copy of the database names is not removed within a day. The copy gets its name when both are
//! there. Invariants: one is made at a time, and what stands under its name in the folder is whole.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use pagesmith_file_storage::Storage;
use pagesmith_model::audit::Action;
use pagesmith_model::{Error, Result, Timestamp};
use pagesmith_operations::installation::backups::{Backups, Beginning, Kept, Made, Running, State, Step};
use pagesmith_operations::{Context, Platform, audit};
use pagesmith_store::Store;
use tokio::sync::watch;

/// How backups are called before the instant.
const PREFIX: &str = "pagesmith-";
/// And behind it.
const SUFFIX: &str = ".db";
/// What is added to the name of one that is not whole yet.
const UNFINISHED: &str = ".unfinished";
/// How often it is looked how far one is.
const LOOK: Duration = Duration::from_millis(500);

/// Makes backups into a folder.
pub struct FolderBackups {
    store: Store,
    files: Storage,
    platform: Arc<Platform>,
    folder: PathBuf,
    state: watch::Sender<State>,
}

impl FolderBackups {
    /// Of this database and these files, into that folder, which is made with the first.
    pub fn new(store: Store, files: Storage, platform: Arc<Platform>, folder: PathBuf) -> Arc<FolderBackups> {
        let state = watch::Sender::new(State::Idle);
        Arc::new(FolderBackups { store, files, platform, folder, state })
    }

    fn now(&self) -> Timestamp {
        self.platform.clock().now()
    }

    /// Takes the only place; false if a backup is being made.
    fn take(&self, begun_at: Timestamp) -> bool {
        let whole = self.store.url().embedded_path().map_or(0, size);
        let begun = Running { begun_at, step: Step::Database, written: 0, whole };
        self.state.send_if_modified(|state| {
            let is_free = !matches!(state, State::Running(_));
            if is_free {
                *state = State::Running(begun);
            }
            is_free
        })
    }

    async fn run(&self, begun_at: Timestamp, target: PathBuf) {
        let ended = match self.make(begun_at, &target).await {
            Ok(made) => State::Made(made),
            Err(error) => {
                tracing::warn!(%error, "a backup was not made");
                State::Failed { at: self.now(), why: error.detail().to_owned() }
            }
        };
        self.state.send_replace(ended);
    }

    async fn make(&self, begun_at: Timestamp, target: &Path) -> Result<Made> {
        let folder = self.folder.clone();
        on_thread(move || prepare(&folder).map_err(|error| unusable(&folder, &error))).await?;
        let draft = with(target, UNFINISHED);
        self.copy_database(&draft).await?;
        let bytes = size(&draft);
        self.note(|running| (running.step, running.written) = (Step::Files, bytes));
        let (files, beside) = (self.files.clone(), with(target, ".files"));
        let files = on_thread(move || files.copy_to(&beside)).await?;
        let (folder, named) = (self.folder.clone(), target.to_owned());
        on_thread(move || finish(&folder, &draft, &named).map_err(|error| unusable(&folder, &error))).await?;
        Ok(Made { begun_at, ended_at: self.now(), file: target.display().to_string(), bytes, files })
    }

    async fn copy_database(&self, draft: &Path) -> Result<()> {
        let partial = with(draft, ".partial");
        let mut copying = std::pin::pin!(self.store.backup(draft));
        loop {
            tokio::select! {
                copied = &mut copying => return copied,
                () = tokio::time::sleep(LOOK) => self.note(|running| running.written = size(&partial)),
            }
        }
    }

    fn note(&self, change: impl FnOnce(&mut Running)) {
        self.state.send_modify(|state| {
            if let State::Running(running) = state {
                change(running);
            }
        });
    }
}

/// What others begin a backup with; the work goes on by itself.
pub struct FolderBackupsHandle(pub Arc<FolderBackups>);

impl Backups for FolderBackupsHandle {
    fn start<'a>(&'a self, ctx: &'a Context) -> Beginning<'a> {
        Box::pin(async move {
            let backups = &self.0;
            let name = format!("{PREFIX}{}{SUFFIX}", ctx.now.to_string().replace(':', "-"));
            let target = backups.folder.join(&name);
            if target.exists() {
                return Err(Error::conflict("A backup of this very moment is there already."));
            }
            if !backups.take(ctx.now) {
                return Err(Error::conflict("A backup is being made already."));
            }
            let noted = ctx.clone();
            let written = backups
                .store
                .write(move |tx| audit::record(tx, &noted, None, Action::BackupStarted, &name).map(drop));
            if let Err(error) = written.await {
                backups.state.send_replace(State::Failed { at: ctx.now, why: error.detail().to_owned() });
                return Err(error);
            }
            let (backups, begun_at) = (Arc::clone(backups), ctx.now);
            tokio::spawn(async move { backups.run(begun_at, target).await });
            Ok(())
        })
    }

    fn state(&self) -> watch::Receiver<State> {
        self.0.state.subscribe()
    }

    fn folder(&self) -> String {
        self.0.folder.display().to_string()
    }

    fn kept(&self) -> Result<Vec<Kept>> {
        let folder = &self.0.folder;
        if !folder.exists() {
            return Ok(Vec::new());
        }
        let found = names(folder).map_err(|error| unusable(folder, &error))?;
        let whole = found.into_iter().filter(|name| name.ends_with(SUFFIX));
        let mut kept: Vec<Kept> = whole.map(|name| Kept { bytes: size(&folder.join(&name)), name }).collect();
        kept.sort_by(|left, right| right.name.cmp(&left.name));
        Ok(kept)
    }
}

/// The names in a folder that backups of ours have.
fn names(folder: &Path) -> std::io::Result<Vec<String>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.starts_with(PREFIX) {
            found.push(name);
        }
    }
    Ok(found)
}

/// Makes the folder where it is not there yet, and removes what a server has left that ended while it made one.
fn prepare(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    for name in names(folder)? {
        let path = folder.join(&name);
        if name.contains(UNFINISHED) {
            std::fs::remove_file(path)?;
        } else if let Some(database) = name.strip_suffix(".files")
            && !folder.join(database).exists()
        {
            std::fs::remove_dir_all(path)?;
        }
    }
    Ok(())
}

/// Gives a whole backup its name, for good.
fn finish(folder: &Path, draft: &Path, target: &Path) -> std::io::Result<()> {
    std::fs::rename(draft, target)?;
    std::fs::File::open(folder)?.sync_all()
}

fn size(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |facts| facts.len())
}

fn with(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

async fn on_thread<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(Error::internal)?
}

fn unusable(folder: &Path, error: &std::io::Error) -> Error {
    Error::unavailable(format!("The folder {} cannot be used for backups: {error}.", folder.display()))
}
