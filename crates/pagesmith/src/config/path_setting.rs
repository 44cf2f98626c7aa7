//! The path of a file or a folder that a setting can name and that has a usual location.

use std::path::PathBuf;

use super::{ConfigError, Settings};

/// The path of a setting, or its usual locations.
#[derive(Debug, Clone, Default)]
pub struct PathSetting {
    /// The path, if another than a usual one.
    set: Option<PathBuf>,
    /// Where it lies without an embedded database; nothing for a user without a home.
    own_folder: Option<PathBuf>,
}

impl PathSetting {
    /// Reads the setting of that key.
    pub fn read(settings: &Settings, key: &str) -> Result<PathSetting, ConfigError> {
        Ok(PathSetting { set: settings.path(key)?, own_folder: settings.own_folder() })
    }

    /// The path that is set; else the one beside the embedded database, if there is one; else `name` beside the configuration file or with the
    /// user's own data; nothing where there is none of these. It does not depend on the working directory.
    pub fn path(&self, beside: Option<PathBuf>, name: &str) -> Option<PathBuf> {
        let own = || Some(self.own_folder.as_ref()?.join(name));
        self.set.clone().or(beside).or_else(own)
    }

    /// The usual locations alone.
    pub fn unset(&self) -> PathSetting {
        PathSetting { set: None, ..self.clone() }
    }
}
