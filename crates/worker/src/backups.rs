//! Backups of the database, with the files of tenants, into a folder of this machine.
//!
//! First the database, then the files: one that the copy of the database names is not removed within a day. Both get their names when they are
//! there, the database last. Invariants: one is made at a time; what is under its name in the folder is whole; and nothing is removed but
//! what was never whole, since whoever keeps backups may move or compress them.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use pagesmith_file_storage::{Storage, beside};
use pagesmith_model::audit::Action;
use pagesmith_model::{Error, Result, Timestamp};
use pagesmith_operations::installation::backups::{
    Backups, Beginning, KeptBackup, Made, Running, State, Step,
};
use pagesmith_operations::{Context, Platform, audit};
use pagesmith_store::{BackupProgress, Store, Tx};
use tokio::sync::watch;

/// How backups are called before the instant.
const PREFIX: &str = "pagesmith-";
/// And behind it.
const SUFFIX: &str = ".db";
/// What is added to the name of one that is not whole yet.
const UNFINISHED: &str = ".unfinished";
/// How often it is looked how far one is.
const LOOK: Duration = Duration::from_millis(500);

/// Makes backups into a folder; cheap to clone.
#[derive(Clone)]
pub struct FolderBackups {
    store: Store,
    files: Storage,
    platform: Arc<Platform>,
    folder: PathBuf,
    state: watch::Sender<State>,
}

impl FolderBackups {
    /// Of this database and these files, into that folder, which is made with the first.
    pub fn new(store: Store, files: Storage, platform: Arc<Platform>, folder: PathBuf) -> FolderBackups {
        let state = watch::Sender::new(State::Idle);
        FolderBackups { store, files, platform, folder, state }
    }

    fn now(&self) -> Timestamp {
        self.platform.clock().now()
    }

    /// Takes the only place; false if a backup is being made.
    fn take(&self, begun_at: Timestamp) -> bool {
        let begun = Running { begun_at, step: Step::Database, done: 0, whole: 0 };
        self.state.send_if_modified(|state| {
            let is_free = !matches!(state, State::Running(_));
            if is_free {
                *state = State::Running(begun);
            }
            is_free
        })
    }

    /// Notes that a backup whose place is taken is begun, and goes on with it.
    async fn begin(self, ctx: Context, name: String, target: PathBuf) -> Result<()> {
        let begun_at = ctx.now;
        let note =
            move |tx: &mut Tx<'_>| audit::record(tx, &ctx, None, Action::BackupStarted, &name).map(drop);
        self.store.write(note).await.inspect_err(|error| self.failed(error))?;
        tokio::spawn(async move { self.run(begun_at, target).await });
        Ok(())
    }

    async fn run(&self, begun_at: Timestamp, target: PathBuf) {
        match self.make(begun_at, &target).await {
            Ok(made) => {
                self.state.send_replace(State::Made(made));
            }
            Err(error) => self.failed(&error),
        }
    }

    fn failed(&self, error: &Error) {
        tracing::warn!(%error, "a backup was not made");
        self.state.send_replace(State::Failed { at: self.now(), why: error.detail().to_owned() });
    }

    async fn make(&self, begun_at: Timestamp, target: &Path) -> Result<Made> {
        let folder = self.folder.clone();
        on_thread(move || prepare(&folder).map_err(|error| unusable(&folder, &error))).await?;
        let draft = with(target, UNFINISHED);
        self.copy_database(&draft).await?;
        let bytes = size(&draft);
        self.note(|running| running.step = Step::Files);
        let (files, copied_to) = (self.files.clone(), beside(&draft));
        let files = on_thread(move || files.copy_to(&copied_to)).await?;
        let (folder, named, has_files) = (self.folder.clone(), target.to_owned(), files.is_some());
        let name =
            move || finish(&folder, &draft, &named, has_files).map_err(|error| unusable(&folder, &error));
        on_thread(name).await?;
        Ok(Made { begun_at, ended_at: self.now(), file: target.display().to_string(), bytes, files })
    }

    async fn copy_database(&self, draft: &Path) -> Result<()> {
        let progress = Arc::new(BackupProgress::default());
        let mut copying = std::pin::pin!(self.store.backup_telling(draft, Arc::clone(&progress)));
        loop {
            tokio::select! {
                copied = &mut copying => return copied,
                () = tokio::time::sleep(LOOK) => self.note(|running| (running.done, running.whole) = progress.share()),
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

impl Backups for FolderBackups {
    fn start<'a>(&'a self, ctx: &'a Context) -> Beginning<'a> {
        Box::pin(async move {
            let name = format!("{PREFIX}{}{SUFFIX}", ctx.now.to_string().replace(':', "-"));
            let target = self.folder.join(&name);
            if target.exists() || beside(&target).exists() {
                return Err(Error::conflict("A backup of this very moment is there already."));
            }
            if !self.take(ctx.now) {
                return Err(Error::conflict("A backup is being made already."));
            }
            // Whoever asked may go; the place that is taken would never be free again if the rest ended with the request.
            let begun = tokio::spawn(self.clone().begin(ctx.clone(), name, target));
            begun.await.map_err(Error::internal)?
        })
    }

    fn state(&self) -> watch::Receiver<State> {
        self.state.subscribe()
    }

    fn folder(&self) -> String {
        self.folder.display().to_string()
    }

    fn kept(&self) -> Result<Vec<KeptBackup>> {
        let folder = &self.folder;
        if !folder.exists() {
            return Ok(Vec::new());
        }
        let found = names(folder).map_err(|error| unusable(folder, &error))?;
        let whole = found.into_iter().filter(|name| name.ends_with(SUFFIX));
        let mut kept: Vec<KeptBackup> =
            whole.map(|name| KeptBackup { bytes: size(&folder.join(&name)), name }).collect();
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
        if !name.contains(UNFINISHED) {
            continue;
        }
        if path.is_dir() {
            std::fs::remove_dir_all(path)?;
        } else {
            std::fs::remove_file(path)?;
        }
    }
    Ok(())
}

/// Gives a whole backup its name, for good.
fn finish(folder: &Path, draft: &Path, target: &Path, has_files: bool) -> std::io::Result<()> {
    if has_files {
        std::fs::rename(beside(draft), beside(target))?;
    }
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
