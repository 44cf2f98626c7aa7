//! A file that a command makes: whole or not at all, readable by its owner only, and in no other file's place unless that is asked for.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::failure::{Failure, Result};

/// A file that appears under its name when it is finished.
pub struct OutputFile {
    draft: NamedTempFile,
    path: PathBuf,
    force: bool,
}

impl OutputFile {
    /// Begins a file; with `force` it takes the place of one that is there.
    pub fn begin(path: &Path, force: bool) -> Result<OutputFile> {
        let path = free(path, force)?;
        let draft = NamedTempFile::new_in(folder_of(&path)).map_err(|error| unwritable(&path, &error))?;
        Ok(OutputFile { draft, path, force })
    }

    /// Gives the file its name.
    pub fn finish(self) -> Result<()> {
        let OutputFile { draft, path, force } = self;
        draft.as_file().sync_all().map_err(|error| unwritable(&path, &error))?;
        let outcome = if force { draft.persist(&path) } else { draft.persist_noclobber(&path) };
        let error = match outcome {
            Ok(_) => return Ok(()),
            Err(refused) => refused.error,
        };
        Err(if error.kind() == io::ErrorKind::AlreadyExists {
            taken(&path)
        } else {
            unwritable(&path, &error)
        })
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.draft.as_file_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        File::flush(self.draft.as_file_mut())
    }
}

/// The path under which a file may be made: nothing is there, or a file that may go. A link stays one: what it leads to is replaced.
pub fn free(path: &Path, force: bool) -> Result<PathBuf> {
    let Ok(there) = path.symlink_metadata() else { return Ok(path.to_owned()) };
    if !force {
        return Err(taken(path));
    }
    let target = if there.is_symlink() {
        path.canonicalize().unwrap_or_else(|_| path.to_owned())
    } else {
        path.to_owned()
    };
    if target.metadata().is_ok_and(|target| !target.is_file()) {
        let path = path.display();
        return Err(Failure::new(format!(
            "{path} is no regular file and cannot be replaced: choose another name"
        )));
    }
    Ok(target)
}

/// The folder that a path is in.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn taken(path: &Path) -> Failure {
    Failure::new(format!(
        "the file {} is there already: choose another name, or replace it with --force",
        path.display()
    ))
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::new(format!("the file {} cannot be written: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn write(path: &Path, text: &str, force: bool) -> Result<()> {
        let mut file = OutputFile::begin(path, force)?;
        file.write_all(text.as_bytes())?;
        file.finish()
    }

    #[test]
    fn a_file_that_is_there_is_replaced_only_when_that_is_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.csv");
        write(&path, "one", false).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        let refused = write(&path, "two", false).unwrap_err().to_string();
        assert!(refused.contains("is there already") && refused.contains("--force"), "{refused}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "one");
        write(&path, "three", true).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "three");
    }

    #[test]
    fn one_that_appeared_meanwhile_stays_and_what_is_not_finished_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.csv");
        let file = OutputFile::begin(&path, false).unwrap();
        fs::write(&path, "another's").unwrap();
        assert!(file.finish().unwrap_err().to_string().contains("is there already"));
        drop(OutputFile::begin(&folder.path().join("never.csv"), false).unwrap());
        let names: Vec<_> =
            fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["out.csv"]);
    }

    #[test]
    fn links_stay_and_what_is_no_file_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("out.csv"), folder.path().join("link"));
        fs::write(&path, "old").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        write(&link, "new", true).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        let refused = write(folder.path(), "x", true).unwrap_err().to_string();
        assert!(refused.contains("is no regular file"), "{refused}");
        let refused = write(&folder.path().join("no/folder/out.csv"), "x", false).unwrap_err().to_string();
        assert!(refused.contains("cannot be written: No such file or directory"), "{refused}");
    }
}
