//! The server's secret keys: 32 bytes each, of which one encrypts secrets at rest and others may still open what it did not.
//!
//! They come from the setting `secret_key`, else from a file that the first start makes, readable by its owner only.
//! No backup of the database holds them. The file appears whole or not at all, and two nodes that start at once on
//! one machine agree on one. A running server follows the file, so that its key can be rotated under it.

mod file;

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use pagesmith_model::seal::{SecretKey, SecretKeys};
use pagesmith_operations::{World, server_keys};
use pagesmith_store::Store;
use tokio::sync::watch;

use crate::config::Server;
use crate::failure::{Failure, Result};

pub use file::KeyFile;

/// How often a running server looks at the file.
const PERIOD: Duration = Duration::from_secs(2);

/// The keys, from the setting or the file; `random` makes a new one where there is none.
pub fn load_or_make(
    server: &Server,
    embedded: Option<&Path>,
    random: impl FnOnce() -> pagesmith_model::Result<[u8; 32]>,
) -> Result<SecretKeys> {
    if let Some(keys) = &server.secret_keys {
        return Ok(keys.clone());
    }
    let path = server.secret_key_file(embedded);
    if let Some(file) = KeyFile::read(&path)? {
        return Ok(file.keys());
    }
    if KeyFile::new(SecretKey::new(random()?)).make(&path)? {
        tracing::info!(file = %path.display(), "made the secret key; every node needs the same");
    }
    let file = KeyFile::read(&path)?;
    file.map(|file| file.keys())
        .ok_or_else(|| Failure::new(format!("the key file {} went away", path.display())))
}

/// The keys, from the setting or the file; `None` if there is neither.
pub fn load(server: &Server, embedded: Option<&Path>) -> Result<Option<SecretKeys>> {
    match &server.secret_keys {
        Some(keys) => Ok(Some(keys.clone())),
        None => Ok(KeyFile::read(&server.secret_key_file(embedded))?.map(|file| file.keys())),
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

/// Gives the world the key of digests that the database holds; false if the server's keys do not open it.
pub async fn keep_digest_key(store: &Store, world: &Arc<World>) -> Result<bool> {
    let context = world.context();
    let key = store.write(move |tx| server_keys::digest_key(tx, &context)).await?;
    let is_open = key.is_some();
    if let Some(key) = key {
        world.keep_digest_key(key);
    }
    Ok(is_open)
}

/// Looks at the file until `stop` turns true, and gives the world its keys whenever they change.
pub async fn follow(
    path: PathBuf,
    mut known: SecretKeys,
    world: Arc<World>,
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
            Ok(Some(file)) if file.keys() != known => {
                known = file.keys();
                world.keep_secret(known.clone());
                tracing::info!(file = %path.display(), "the secret keys have changed");
            }
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
