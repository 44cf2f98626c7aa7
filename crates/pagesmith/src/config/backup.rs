//! `[backup]`: where backups are put that are begun at the console.

use std::path::{Path, PathBuf};

use super::{ConfigError, PathSetting, Settings};

/// What the folder is called that lies beside the database or with the user's own data.
const FOLDER: &str = "backups";

/// Where backups are put.
#[derive(Debug, Clone)]
pub struct Backup {
    folder: PathSetting,
}

impl Backup {
    /// Reads the section.
    pub fn read(settings: &Settings) -> Result<Backup, ConfigError> {
        Ok(Backup { folder: PathSetting::read(settings, "backup.folder")? })
    }

    /// The folder; nothing where it has no [path](PathSetting::path).
    pub fn folder(&self, embedded: Option<&Path>) -> Option<PathBuf> {
        self.folder.path(embedded.map(|database| database.with_file_name(FOLDER)), FOLDER)
    }
}
