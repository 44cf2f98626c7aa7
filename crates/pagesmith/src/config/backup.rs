//! `[backup]`: where backups are put that are begun at the console.

use std::path::{Path, PathBuf};

use super::{ConfigError, Settings};

/// What the folder is called that lies beside the database or with the user's own data.
const FOLDER: &str = "backups";

/// Where backups are put.
#[derive(Debug, Clone)]
pub struct Backup {
    /// The folder, if another than the usual one.
    folder: Option<PathBuf>,
    /// Where the folder lies without an embedded database; nothing for a user without a home.
    own_folder: Option<PathBuf>,
}

impl Backup {
    /// Reads the section.
    pub fn read(settings: &Settings) -> Result<Backup, ConfigError> {
        Ok(Backup { folder: settings.path("backup.folder")?, own_folder: settings.own_folder() })
    }

    /// The folder: beside the embedded database if there is one, else beside the configuration file or with the user's own data; nothing where
    /// there is none of these.
    pub fn folder(&self, embedded: Option<&Path>) -> Option<PathBuf> {
        let beside = || embedded.map(|database| database.with_file_name(FOLDER));
        let own = || Some(self.own_folder.as_ref()?.join(FOLDER));
        self.folder.clone().or_else(beside).or_else(own)
    }
}
