//! `[backup]`: where backups are put that are begun at the console.

use std::path::{Path, PathBuf};

use super::{ConfigError, Settings};

/// What the folder is called that lies beside the database.
const FOLDER: &str = "backups";

/// Where backups are put.
#[derive(Debug, Clone)]
pub struct Backup {
    folder: Option<PathBuf>,
}

impl Backup {
    /// Reads the section.
    pub fn read(settings: &Settings) -> Result<Backup, ConfigError> {
        Ok(Backup { folder: settings.path("backup.folder")? })
    }

    /// The folder for backups of an embedded database.
    pub fn folder(&self, embedded: &Path) -> PathBuf {
        self.folder.clone().unwrap_or_else(|| embedded.with_file_name(FOLDER))
    }
}
