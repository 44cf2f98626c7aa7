//! A folder of this machine as the storage: who may read it, what a crash leaves in it, and copies of it.
//!
//! An upload that is not finished is a file whose name is that of its object with `#` and a number behind it.

use std::collections::BTreeSet;
use std::fs::{self, DirBuilder, File, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// What separates the name of an object from the number of an upload that is not finished.
const UNFINISHED: char = '#';

/// The folder with the files of an embedded database, or of a copy of one.
pub fn beside(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(".files");
    PathBuf::from(name)
}

/// Makes the folder, for its owner alone.
pub(crate) fn make(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)?;
    fs::set_permissions(path, Permissions::from_mode(0o700))
}

/// Lets only the owner read and write a file and its folder.
pub(crate) fn close(path: &Path) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::set_permissions(folder, Permissions::from_mode(0o700))?;
    }
    fs::set_permissions(path, Permissions::from_mode(0o600))
}

/// The names of the objects that uploads in this folder were to become and did not.
pub(crate) fn unfinished(folder: &Path) -> io::Result<BTreeSet<String>> {
    let names = entries(folder)?.into_iter().filter_map(|path| name_of(&path));
    Ok(names.filter_map(|name| Some(name.split_once(UNFINISHED)?.0.to_owned())).collect())
}

/// Removes what uploads of an object have left.
pub(crate) fn remove_unfinished(folder: &Path, object: &str) -> io::Result<()> {
    for path in entries(folder)? {
        let name = name_of(&path);
        let is_its =
            name.as_deref().and_then(|name| name.split_once(UNFINISHED)).is_some_and(|(of, _)| of == object);
        if is_its {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

/// Copies what is in one folder and not in another, and makes it durable there.
///
/// An object never changes, so one that is there with the same size is the same.
pub(crate) fn copy(from: &Path, to: &Path) -> io::Result<u64> {
    make(to)?;
    let mut copied = 0;
    for tenant in entries(from)?.into_iter().filter(|path| path.is_dir()) {
        let Some(name) = name_of(&tenant) else { continue };
        let target = to.join(name);
        make(&target)?;
        for object in entries(&tenant)? {
            let Some(name) = name_of(&object).filter(|name| !name.contains(UNFINISHED)) else { continue };
            copied += u64::from(copy_object(&object, &target.join(name))?);
        }
        File::open(&target)?.sync_all()?;
    }
    File::open(to)?.sync_all()?;
    Ok(copied)
}

/// Copies an object, whole or not at all; whether that was needed.
fn copy_object(from: &Path, to: &Path) -> io::Result<bool> {
    // Removed since it was listed: nothing needs it.
    let Some(size) = size_of(from)? else { return Ok(false) };
    if size_of(to)? == Some(size) {
        return Ok(false);
    }
    let mut draft = to.as_os_str().to_owned();
    draft.push(format!("{UNFINISHED}0"));
    let draft = PathBuf::from(draft);
    match fs::copy(from, &draft) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        copied => copied?,
    };
    close(&draft)?;
    File::open(&draft)?.sync_all()?;
    fs::rename(&draft, to)?;
    Ok(true)
}

fn size_of(path: &Path) -> io::Result<Option<u64>> {
    match fs::metadata(path) {
        Ok(found) => Ok(Some(found.len())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// What is in a folder; nothing if there is none.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    match fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| Ok(entry?.path())).collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

fn name_of(path: &Path) -> Option<String> {
    Some(path.file_name()?.to_str()?.to_owned())
}
