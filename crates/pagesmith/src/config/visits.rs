//! `[visits]`: how visits to pages are measured.

use std::time::Duration;

use super::{ConfigError, Settings};

/// The measurement of visits.
#[derive(Debug, Clone)]
pub struct Visits {
    /// Without activity for so long a visitor's session ends.
    pub session_timeout: Duration,
    /// How many reports of page views are taken from an address in a minute.
    pub reports_per_address: u32,
}

impl Visits {
    /// Reads the section.
    pub fn read(settings: &Settings) -> Result<Visits, ConfigError> {
        let session_timeout = settings.duration("visits.session_timeout")?;
        if !(Duration::from_secs(60)..=Duration::from_hours(12)).contains(&session_timeout) {
            return Err(settings.refuse("visits.session_timeout", "from 1m to 12h"));
        }
        Ok(Visits {
            session_timeout,
            reports_per_address: settings.number("visits.reports_per_address", 1..=1_000_000_000)?,
        })
    }
}
