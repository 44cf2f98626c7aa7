//! `[generation]`: how versions of pages are written.

use super::{ConfigError, Settings};

/// The writing of versions.
#[derive(Debug, Clone)]
pub struct Generation {
    /// How many versions this server writes at the same time.
    pub concurrency: usize,
}

impl Generation {
    /// Reads the section.
    pub fn read(settings: &Settings) -> Result<Generation, ConfigError> {
        Ok(Generation { concurrency: settings.number("generation.concurrency", 1..=1_000)? })
    }
}
