//! The file of the server's keys: mostly one key, and more while one takes another's place.
//!
//! A line is a key in base64. The first line's key seals; a line that begins with `next` holds the key that will take its place, and one
//! with `old` a key that only opens. Invariant: the file is replaced as a whole, and keeps its owner and its mode, so that the server can
//! go on reading what an administrator's command has written.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{MetadataExt, chown};
use std::path::Path;

use pagesmith_model::seal::{SecretKey, SecretKeys};
use tempfile::NamedTempFile;

use crate::failure::{Failure, Result};

/// What the file holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyFile {
    current: SecretKey,
    next: Option<SecretKey>,
    old: Vec<SecretKey>,
}

impl KeyFile {
    /// A file with one key.
    pub fn new(key: SecretKey) -> KeyFile {
        KeyFile { current: key, next: None, old: vec![] }
    }

    /// The file; `None` if there is none.
    pub fn read(path: &Path) -> Result<Option<KeyFile>> {
        match fs::read_to_string(path) {
            Ok(text) => KeyFile::parse(&text).map(Some).ok_or_else(|| {
                Failure::new(format!("the key file {} must hold 32 bytes in base64", path.display()))
            }),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failure(path, "cannot be read", &error)),
        }
    }

    fn parse(text: &str) -> Option<KeyFile> {
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let mut file = KeyFile::new(SecretKey::from_base64(lines.next()?)?);
        for line in lines {
            let (word, key) = line.split_once(' ')?;
            let key = SecretKey::from_base64(key)?;
            match word {
                "next" if file.next.is_none() => file.next = Some(key),
                "old" => file.old.push(key),
                _ => return None,
            }
        }
        Some(file)
    }

    fn text(&self) -> String {
        let next = self.next.iter().map(|key| format!("next {}\n", key.to_base64()));
        let old = self.old.iter().map(|key| format!("old {}\n", key.to_base64()));
        std::iter::once(format!("{}\n", self.current.to_base64())).chain(next).chain(old).collect()
    }

    /// The keys as the server uses them.
    pub fn keys(&self) -> SecretKeys {
        SecretKeys::new(self.current.clone(), self.next.iter().chain(&self.old).cloned().collect())
    }

    /// Whether a key waits to take the place of the one that seals.
    pub fn has_next(&self) -> bool {
        self.next.is_some()
    }

    /// Whether there are keys that only open, from before.
    pub fn has_old(&self) -> bool {
        !self.old.is_empty()
    }

    /// The same with a key that waits.
    #[must_use]
    pub fn with_next(self, key: SecretKey) -> KeyFile {
        KeyFile { next: Some(key), ..self }
    }

    /// The same with the waiting key in its place; unchanged if none waits.
    #[must_use]
    pub fn turned(mut self) -> KeyFile {
        if let Some(next) = self.next.take() {
            self.old.insert(0, std::mem::replace(&mut self.current, next));
        }
        self
    }

    /// The same without those from before.
    #[must_use]
    pub fn without_old(self) -> KeyFile {
        KeyFile { old: vec![], ..self }
    }

    /// Makes the file unless somebody else has made it; whether it is ours.
    pub fn make(&self, path: &Path) -> Result<bool> {
        self.place(path, false).map_err(|error| failure(path, "cannot be made", &error))
    }

    /// Puts this in the place of the file.
    pub fn replace(&self, path: &Path) -> Result<()> {
        self.place(path, true).map(drop).map_err(|error| failure(path, "cannot be replaced", &error))
    }

    fn place(&self, path: &Path, is_there: bool) -> std::io::Result<bool> {
        // A link stays one: what it leads to is replaced.
        let path = &if is_there { path.canonicalize()? } else { path.to_owned() };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        // A draft is its owner's alone from the first byte on.
        let mut draft = NamedTempFile::new_in(folder)?;
        draft.write_all(self.text().as_bytes())?;
        let is_ours = if is_there {
            let (before, now) = (fs::metadata(path)?, draft.as_file().metadata()?);
            if (before.uid(), before.gid()) != (now.uid(), now.gid()) {
                chown(draft.path(), Some(before.uid()), Some(before.gid()))?;
            }
            draft.as_file().set_permissions(before.permissions())?;
            draft.as_file().sync_all()?;
            draft.persist(path).map_err(|refused| refused.error)?;
            true
        } else {
            draft.as_file().sync_all()?;
            match draft.persist_noclobber(path) {
                Ok(_) => true,
                // Another process was first; its key is the one.
                Err(refused) if refused.error.kind() == ErrorKind::AlreadyExists => false,
                Err(refused) => return Err(refused.error),
            }
        };
        File::open(folder)?.sync_all()?;
        Ok(is_ours)
    }
}

fn failure(path: &Path, what: &str, error: &std::io::Error) -> Failure {
    Failure::new(format!("the key file {} {what}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    const OLD: SecretKey = SecretKey::new([1; 32]);
    const NEW: SecretKey = SecretKey::new([2; 32]);

    #[test]
    fn the_first_file_stays_and_is_its_owners() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new").join("pagesmith.key");
        assert_eq!(KeyFile::read(&path).unwrap(), None);
        assert!(KeyFile::new(OLD).make(&path).unwrap());
        assert!(!KeyFile::new(NEW).make(&path).unwrap());
        assert_eq!(KeyFile::read(&path).unwrap(), Some(KeyFile::new(OLD)));
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn a_key_takes_another_ones_place_step_by_step() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pagesmith.key");
        let mut file = KeyFile::new(OLD);
        file.make(&path).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        type Step = fn(KeyFile) -> KeyFile;
        let steps: [(Step, SecretKeys); 4] = [
            (|file| file.with_next(NEW), SecretKeys::new(OLD, vec![NEW])),
            (KeyFile::turned, SecretKeys::new(NEW, vec![OLD])),
            // Once more it changes nothing.
            (KeyFile::turned, SecretKeys::new(NEW, vec![OLD])),
            (KeyFile::without_old, NEW.into()),
        ];
        for (step, keys) in steps {
            file = step(file);
            file.replace(&path).unwrap();
            assert_eq!(KeyFile::read(&path).unwrap().as_ref(), Some(&file));
            assert_eq!(file.keys(), keys);
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        }
    }

    #[test]
    fn a_link_to_the_file_stays_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("pagesmith.key"), folder.path().join("link"));
        KeyFile::new(OLD).make(&path).unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        KeyFile::new(NEW).replace(&link).unwrap();
        assert_eq!(KeyFile::read(&path).unwrap(), Some(KeyFile::new(NEW)));
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }

    #[test]
    fn a_broken_file_is_refused_by_name() {
        let key = OLD.to_base64();
        for text in [
            "short".to_owned(),
            String::new(),
            format!("{key}\n{key}"),
            format!("next {key}"),
            format!("{key}\nnext {key}\nnext {key}"),
            format!("{key}\nold short"),
        ] {
            let file = NamedTempFile::new().unwrap();
            fs::write(file.path(), &text).unwrap();
            let message = KeyFile::read(file.path()).unwrap_err().to_string();
            assert!(message.contains("must hold 32 bytes in base64"), "{text}: {message}");
            assert!(message.contains(&file.path().display().to_string()), "{message}");
        }
    }
}
