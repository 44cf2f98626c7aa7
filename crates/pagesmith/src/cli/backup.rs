//! `backup FILE` and `restore FILE`: the database as one file, and the files of tenants in a folder beside it.
//!
//! A backup is taken while the server runs and writes go on. First the database, then the files: one that the copy of the database names
//! is not removed within a day. Files in a bucket are left to the means of its server, and both commands say so. A restore goes the other way round. A backup holds no secret key: that is a file of its own. A
//! backup of PostgreSQL is the file of an embedded database as well, and goes into an empty database of either engine.

use std::path::Path;

use pagesmith_file_storage::beside;

use super::session::Session;
use super::{output, output_file};
use crate::failure::{Failure, Result};
use crate::wiring;

/// Copies the database to `file`; with `force` in the place of one that is there.
pub fn backup(session: &Session, file: &Path, force: bool) -> Result<()> {
    let target = output_file::free(file, force)?;
    session.with_store(async move |store| {
        if !force {
            return Ok(store.backup(&target).await?);
        }
        // Written whole beside the old one, then put in its place.
        let told = |error: std::io::Error| {
            Failure::new(format!("the file {} cannot be written: {error}", target.display()))
        };
        let draft = tempfile::tempdir_in(output_file::folder_of(&target)).map_err(told)?;
        let copy = draft.path().join("copy.db");
        store.backup(&copy).await?;
        std::fs::rename(&copy, &target).map_err(told)
    })?;
    output::line(&format!("wrote {}", file.display()))?;
    let (config, folder) = (session.config()?, beside(file));
    if let Some(bucket) = &config.files.bucket {
        output::line(&format!(
            "the files of tenants are not in it: back up the bucket {} by the means of its S3 server, after this",
            bucket.name()
        ))?;
    } else if let Some(copied) = wiring::folder(&config)?.copy_to(&folder)? {
        output::line(&format!("copied {copied} files of tenants to {}", folder.display()))?;
    }
    output::line("the secret key is not in it: keep a copy of its file elsewhere")
}

/// Puts `file` in the place of the database.
pub fn restore(session: &Session, file: &Path) -> Result<()> {
    let config = session.config()?;
    let (url, folder) = (&config.database.url, beside(file));
    let bucket = config.files.bucket.as_ref();
    if bucket.is_none() && folder.is_dir() {
        wiring::folder(&config)?.copy_from(&folder)?;
    }
    pagesmith_store::restore(url, file)?;
    output::line(&format!("restored {url} from {}", file.display()))?;
    let Some(bucket) = bucket else { return Ok(()) };
    output::line(&format!(
        "the files of tenants are not in it: the bucket {} has to be of the time of the backup or later",
        bucket.name()
    ))
}
