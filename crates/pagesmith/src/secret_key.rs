//! The server's secret keys: 32 bytes each, of which one encrypts secrets at rest and others may still open what it did not.
//!
//! They come from the setting `secret_key`, else from a file that the first start makes, readable by its owner only.
//! No backup of the database holds them. The file appears whole or not at all, and two servers that start at once on
//! one machine agree on one. A running server follows the file, so that its key can be rotated under it.

mod file;
mod unlock;

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use pagesmith_model::seal::SecretKeys;
use pagesmith_operations::Platform;
use pagesmith_operations::server_keys::KeyStatus;
use pagesmith_store::Store;
use tokio::sync::watch;

use crate::config::Config;
use crate::failure::{Failure, Result};

pub use file::KeyFile;
pub use unlock::{Missing, compare, explain, fitting, lost, unlock};

/// What is said of a file whose keys do not fit.
const STRANGE: &str = "the key file holds another key than this database was used with: the next start would be refused, until then the key in memory is used";

/// How often a running server looks at the file.
const PERIOD: Duration = Duration::from_secs(2);

/// The file of the keys, where they are not set.
pub fn path(config: &Config) -> Result<PathBuf> {
    config.server.secret_key_file(config.database.url.embedded_path()).ok_or_else(|| {
        Failure::new(
            "there is no place for the file of the server's key: set secret_key_file to an absolute path, or secret_key (there is neither a configuration file nor XDG_DATA_HOME nor HOME)",
        )
    })
}

/// The keys, from the setting or the file; `None` if there is neither.
pub fn load(config: &Config) -> Result<Option<SecretKeys>> {
    match &config.server.secret_keys {
        Some(keys) => Ok(Some(keys.clone())),
        None => Ok(KeyFile::read(&path(config)?)?.map(|file| file.keys())),
    }
}

/// Whether others than the owner may read the file; `None` if there is no file.
pub fn is_exposed(path: &Path) -> std::io::Result<Option<bool>> {
    match fs::metadata(path) {
        Ok(metadata) => Ok(Some(metadata.permissions().mode() & 0o077 != 0)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Looks at the file until `stop` turns true, and sets the keys in the platform whenever they change. Keys that do not open what the database holds
/// are left alone: those in memory do.
pub async fn follow(
    path: PathBuf,
    mut known: SecretKeys,
    (store, platform): (Store, Arc<Platform>),
    mut stop: watch::Receiver<bool>,
) {
    let mut complaint = String::new();
    loop {
        tokio::select! {
            () = tokio::time::sleep(PERIOD) => {}
            _ = stop.wait_for(|stop| *stop) => return,
        }
        let file = path.clone();
        let Ok(read) = tokio::task::spawn_blocking(move || KeyFile::read(&file)).await else { return };
        match read {
            Ok(Some(file)) if file.keys() != known => match compare(&store, Some(&file.keys())).await {
                Ok(KeyStatus::Open | KeyStatus::Unused) => {
                    complaint.clear();
                    known = file.keys();
                    platform.keep_secret(known.clone());
                    tracing::info!(file = %path.display(), "the secret keys have changed");
                }
                Ok(KeyStatus::Locked(_)) if complaint != STRANGE => {
                    STRANGE.clone_into(&mut complaint);
                    tracing::error!(file = %path.display(), "{complaint}");
                }
                // A database that cannot be asked is asked again.
                Ok(KeyStatus::Locked(_)) | Err(_) => {}
            },
            // Who has the key in memory can do without the file; the next start cannot.
            Ok(None) if complaint.is_empty() => {
                complaint = format!("the key file {} is gone", path.display());
                tracing::warn!("{complaint}");
            }
            Err(failure) if complaint != failure.to_string() => {
                complaint = failure.to_string();
                tracing::warn!("{complaint}");
            }
            Ok(Some(_)) => complaint.clear(),
            Ok(None) | Err(_) => {}
        }
    }
}
