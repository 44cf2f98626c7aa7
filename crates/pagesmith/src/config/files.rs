//! `[files]`: where the bytes of files are kept, and how many a tenant may upload.

use std::path::{Path, PathBuf};
use std::time::Duration;

use pagesmith_file_storage::beside;
use pagesmith_http::state::FileLimits;

use super::{BucketSettings, ConfigError, PathSetting, Settings};

const MIB: u64 = 1024 * 1024;

/// What the folder is called that lies with the user's own data.
const FOLDER: &str = "files";

/// The storage of files and its limits.
#[derive(Debug, Clone)]
pub struct Files {
    folder: PathSetting,
    /// The bucket that is used in the place of a folder, if one is.
    pub bucket: Option<BucketSettings>,
    /// What tenants may upload.
    pub limits: FileLimits,
    /// How much memory the process has that reads a file of a topic entry, in mebibytes.
    pub reading_memory_mib: u64,
    /// How long that may take.
    pub reading_timeout: Duration,
    /// Whether pictures have variants as AVIF, too.
    pub avif_pictures: bool,
}

impl Files {
    /// Reads the section.
    pub fn read(settings: &Settings) -> Result<Files, ConfigError> {
        Ok(Files {
            folder: PathSetting::read(settings, "files.folder")?,
            bucket: BucketSettings::read(settings)?,
            limits: FileLimits {
                largest: settings.number("files.largest_mib", 1..=10_240_u64)? * MIB,
                quota: settings.number("files.quota_mib", 1..=1_073_741_824_u64)? * MIB,
                concurrency: settings.number("files.concurrency", 1..=10_000)?,
            },
            reading_memory_mib: settings.number("files.reading_memory_mib", 256..=65_536)?,
            reading_timeout: Duration::from_secs(settings.number("files.reading_seconds", 1..=40_u64)?),
            avif_pictures: settings.flag("files.avif_pictures")?,
        })
    }

    /// The folder of the files, which is named after the embedded database if it lies beside one; nothing where it has no [path](PathSetting::path).
    pub fn folder(&self, embedded: Option<&Path>) -> Option<PathBuf> {
        self.folder.path(embedded.map(beside), FOLDER)
    }
}
