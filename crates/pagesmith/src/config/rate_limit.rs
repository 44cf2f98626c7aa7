//! `[rate_limit]`: how much a key may ask of this server, unless the key has a limit of its own.

use std::time::Duration;

use super::{ConfigError, Settings};

/// Requests in a sliding window.
#[derive(Debug, Clone)]
pub struct RateLimit {
    /// Requests in any window.
    pub requests: u32,
    /// Length of the window.
    pub window: Duration,
}

impl RateLimit {
    /// Reads the section.
    pub fn read(settings: &Settings) -> Result<RateLimit, ConfigError> {
        Ok(RateLimit {
            requests: settings.number("rate_limit.requests", 1..=1_000_000_000)?,
            window: settings.duration("rate_limit.window")?,
        })
    }
}
