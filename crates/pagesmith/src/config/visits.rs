//! `[visits]`: how visits to pages are measured.

use std::path::PathBuf;
use std::time::Duration;

use pagesmith_model::network::ManyNetworks;

use super::{ConfigError, Settings};
use crate::failure::Failure;

/// The measurement of visits.
#[derive(Debug, Clone)]
pub struct Visits {
    /// Without activity for so long a visitor's session ends.
    pub session_timeout: Duration,
    /// How many reports of page views are taken from an address in a minute.
    pub reports_per_address: u32,
    /// The file with the networks of data centres, if there is one.
    data_centres_file: Option<PathBuf>,
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
            data_centres_file: settings.path("visits.data_centres_file")?,
        })
    }

    /// The networks of data centres, from their file.
    pub fn data_centres(&self) -> crate::failure::Result<ManyNetworks> {
        let Some(path) = &self.data_centres_file else { return Ok(ManyNetworks::default()) };
        let text = std::fs::read_to_string(path).map_err(|error| {
            let path = path.display();
            Failure::new(format!(
                "the networks of data centres cannot be read from {path} ({error}): correct visits.data_centres_file, or let this user read it"
            ))
        })?;
        ManyNetworks::read(&text).map_err(|wrong| {
            let (path, line) = (path.display(), wrong.line);
            Failure::new(format!("line {line} of {path} must be a network, such as 203.0.113.0/24"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_of_data_centres_are_those_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data-centres.txt");
        let visits = |data_centres_file| Visits {
            session_timeout: Duration::from_mins(30),
            reports_per_address: 1,
            data_centres_file,
        };
        assert_eq!(visits(None).data_centres().unwrap(), ManyNetworks::default());
        let named = visits(Some(path.clone()));
        assert!(named.data_centres().unwrap_err().to_string().contains("visits.data_centres_file"));
        std::fs::write(&path, "# A cloud\n203.0.113.0/24\n").unwrap();
        let found = named.data_centres().unwrap();
        assert!(found.hold("203.0.113.9".parse().unwrap()) && !found.hold("203.0.114.9".parse().unwrap()));
        std::fs::write(&path, "203.0.113.0/24\nhttps://cloud.example/ranges\n").unwrap();
        assert!(named.data_centres().unwrap_err().to_string().starts_with("line 2 of "));
    }
}
