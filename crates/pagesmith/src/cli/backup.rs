//! `backup FILE` and `restore FILE`: the embedded database as one file.
//!
//! A backup is taken while the server runs and writes go on. It holds no secret key: that is a file of its own. For
//! PostgreSQL its own tools do this better, and the store says so.

use std::path::{Path, PathBuf};

use super::output;
use super::session::Session;
use crate::failure::Result;

/// Copies the database to `file`.
pub fn backup(session: &Session, file: PathBuf) -> Result<()> {
    let shown = file.display().to_string();
    session.with_store(async move |store| Ok(store.backup(&file).await?))?;
    output::line(&format!("wrote {shown}"))?;
    output::line("the secret key is not in it: keep a copy of its file elsewhere")
}

/// Puts `file` in the place of the database.
pub fn restore(session: &Session, file: &Path) -> Result<()> {
    let url = session.config()?.database.url;
    pagesmith_store::restore(&url, file)?;
    output::line(&format!("restored {url} from {}", file.display()))
}
