//! The server's secret key: 32 bytes, under which secrets are encrypted at rest.
//!
//! It comes from the setting `secret_key`, else from a file that the first start makes, readable by its owner only.
//! No backup of the database holds it. The file appears whole or not at all, and two nodes that start at once on
//! one machine agree on one.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::config::{Server, decode_key};
use crate::failure::{Failure, Result};

/// The key, from the setting or the file; `random` makes a new one where there is none.
pub fn load_or_make(
    server: &Server,
    embedded: Option<&Path>,
    random: impl FnOnce() -> [u8; 32],
) -> Result<[u8; 32]> {
    if let Some(key) = server.secret_key {
        return Ok(key);
    }
    let path = server.secret_key_file(embedded);
    if let Some(key) = read(&path)? {
        return Ok(key);
    }
    make(&path, &random()).map_err(|error| told(&path, "cannot be made", &error))?;
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
pub fn read(path: &Path) -> Result<Option<[u8; 32]>> {
    match fs::read_to_string(path) {
        Ok(text) => decode_key(&text).map(Some).ok_or_else(|| {
            Failure::new(format!("the key file {} must hold 32 bytes in base64", path.display()))
        }),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(told(path, "cannot be read", &error)),
    }
}

fn make(path: &Path, key: &[u8; 32]) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let draft = draft_beside(path);
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&draft)?;
    let written = writeln!(file, "{}", STANDARD.encode(key)).and_then(|()| file.sync_all());
    // A link, unlike a rename, does not replace the key that another node made meanwhile.
    let linked = written.and_then(|()| match fs::hard_link(&draft, path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        outcome => outcome,
    });
    fs::remove_file(&draft)?;
    linked.and_then(|()| File::open(folder)?.sync_all())
}

fn draft_beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}", std::process::id()));
    path.with_file_name(name)
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
        assert_eq!(read(&path).unwrap(), None);
        make(&path, &[1; 32]).unwrap();
        make(&path, &[2; 32]).unwrap();
        assert_eq!(read(&path).unwrap(), Some([1; 32]));
        assert_eq!(is_exposed(&path).unwrap(), Some(false));
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn a_broken_file_is_refused_by_name() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "short").unwrap();
        let message = read(file.path()).unwrap_err().to_string();
        assert!(message.contains("must hold 32 bytes in base64"), "{message}");
    }
}
