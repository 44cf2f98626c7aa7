//! The server's secret key: 32 bytes, under which secrets are encrypted at rest.
//!
//! It comes from the setting `secret_key`, else from a file that the first start makes, readable by its owner only.
//! No backup of the database holds it. The file appears whole or not at all, and two nodes that start at once on
//! one machine agree on one.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use pagesmith_model::seal::SecretKey;
use tempfile::NamedTempFile;

use crate::config::Server;
use crate::failure::{Failure, Result};

/// The key, from the setting or the file; `random` makes a new one where there is none.
pub fn load_or_make(
    server: &Server,
    embedded: Option<&Path>,
    random: impl FnOnce() -> pagesmith_model::Result<[u8; 32]>,
) -> Result<SecretKey> {
    if let Some(key) = &server.secret_key {
        return Ok(key.clone());
    }
    let path = server.secret_key_file(embedded);
    if let Some(key) = read(&path)? {
        return Ok(key);
    }
    make(&path, &SecretKey::new(random()?)).map_err(|error| told(&path, "cannot be made", &error))?;
    read(&path)?.ok_or_else(|| Failure::new(format!("the key file {} went away", path.display())))
}

/// Whether others than the owner may read the file; `None` if there is no file.
pub fn is_exposed(path: &Path) -> std::io::Result<Option<bool>> {
    match fs::metadata(path) {
        Ok(metadata) => Ok(Some(metadata.permissions().mode() & 0o077 != 0)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// The key in the file; `None` if there is no file.
pub fn read(path: &Path) -> Result<Option<SecretKey>> {
    match fs::read_to_string(path) {
        Ok(text) => SecretKey::from_base64(&text).map(Some).ok_or_else(|| {
            Failure::new(format!("the key file {} must hold 32 bytes in base64", path.display()))
        }),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(told(path, "cannot be read", &error)),
    }
}

fn make(path: &Path, key: &SecretKey) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    // A draft is its owner's alone from the first byte on.
    let mut draft = NamedTempFile::new_in(folder)?;
    writeln!(draft, "{}", key.to_base64())?;
    draft.as_file().sync_all()?;
    match draft.persist_noclobber(path) {
        Ok(_) => tracing::info!(file = %path.display(), "made the secret key; every node needs the same"),
        // Another process was first; its key is the one.
        Err(refused) if refused.error.kind() == ErrorKind::AlreadyExists => {}
        Err(refused) => return Err(refused.error),
    }
    File::open(folder)?.sync_all()
}

fn told(path: &Path, what: &str, error: &std::io::Error) -> Failure {
    Failure::new(format!("the key file {} {what}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_key_stays_and_is_its_owners() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new").join("pagesmith.key");
        assert!(read(&path).unwrap().is_none());
        let first = SecretKey::new([1; 32]);
        make(&path, &first).unwrap();
        make(&path, &SecretKey::new([2; 32])).unwrap();
        assert_eq!(read(&path).unwrap().unwrap().to_base64(), first.to_base64());
        assert_eq!(is_exposed(&path).unwrap(), Some(false));
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn a_broken_file_is_refused_by_name() {
        let file = NamedTempFile::new().unwrap();
        fs::write(file.path(), "short").unwrap();
        let message = read(file.path()).unwrap_err().to_string();
        assert!(message.contains("must hold 32 bytes in base64"), "{message}");
    }
}
