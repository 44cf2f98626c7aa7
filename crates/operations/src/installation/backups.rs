//! Backups of the database with the files of its tenants, made by a server that has it open.
//!
//! What this is not: the making, which is given as [`Backups`], since it takes minutes. Invariant: of a server, one is made at a time.

use std::pin::Pin;

use pagesmith_model::{Result, Timestamp};
use tokio::sync::watch;

use crate::context::Context;

/// What a backup is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The database is copied.
    Database,
    /// The files of tenants are copied.
    Files,
}

/// A backup that is being made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Running {
    /// When it was begun.
    pub begun_at: Timestamp,
    /// What it is at.
    pub step: Step,
    /// How much of the database is done, in a unit of its own.
    pub done: u64,
    /// About how much there is to do; 0 while that is not known.
    pub whole: u64,
}

/// A backup that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    /// When it was begun: what it holds is of that time or a little later.
    pub begun_at: Timestamp,
    /// When it was whole.
    pub ended_at: Timestamp,
    /// Its file.
    pub file: String,
    /// How many bytes the database has in it.
    pub bytes: u64,
    /// How many files of tenants are in it; `None` if they are in a bucket, which it does not copy.
    pub files: Option<u64>,
}

/// What became of the last backup of this server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum State {
    /// None was begun since the server was started.
    #[default]
    Idle,
    /// It is being made.
    Running(Running),
    /// It was made.
    Made(Made),
    /// It was not.
    Failed {
        /// When that was clear.
        at: Timestamp,
        /// Why.
        why: String,
    },
}

/// A backup that is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptBackup {
    /// The file's name.
    pub name: String,
    /// How many bytes the database has in it.
    pub bytes: u64,
}

/// A backup that is being begun.
pub type Beginning<'a> = Pin<Box<dyn Future<Output = Result<()>> + Send + 'a>>;

/// Who makes backups.
pub trait Backups: Send + Sync {
    /// Begins one, which goes on by itself, and notes that in the audit; 409 if one is being made.
    fn start<'a>(&'a self, ctx: &'a Context) -> Beginning<'a>;

    /// What became of the last one, now and whenever that changes.
    fn state(&self) -> watch::Receiver<State>;

    /// Where they are put.
    fn folder(&self) -> String;

    /// Those that are there, the newest first.
    fn kept(&self) -> Result<Vec<KeptBackup>>;
}
