//! `[console]`: how long users stay signed in.

use std::time::Duration;

use pagesmith_model::duration::parse_duration;
use pagesmith_model::user::session::SessionLimits;

use super::{ConfigError, Settings};

/// The console.
#[derive(Debug, Clone, Copy)]
pub struct Console {
    /// How long users stay signed in.
    pub sessions: SessionLimits,
}

const DAY: Duration = Duration::from_hours(24);

impl Console {
    /// Reads the section.
    pub fn read(settings: &Settings) -> Result<Console, ConfigError> {
        let duration = |key: &str, shortest: Duration, longest: Duration, expected: &str| {
            let read = parse_duration(settings.text(key)?).ok();
            let fitting = read.filter(|duration| (shortest..=longest).contains(duration));
            fitting.ok_or_else(|| settings.refuse(key, expected))
        };
        let (shortest, longest) = (Duration::from_mins(5), 30 * DAY);
        let idle = duration("console.session_idle_timeout", shortest, longest, "a duration from 5m to 30d")?;
        let expected = "a duration from console.session_idle_timeout to 365d";
        let lifetime = duration("console.session_lifetime", idle, 365 * DAY, expected)?;
        Ok(Console { sessions: SessionLimits { idle, lifetime } })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Environment;

    fn read(variables: &[(&str, &str)]) -> Result<Console, ConfigError> {
        Console::read(&Settings::load(None, &Environment::of(variables), &[]).unwrap())
    }

    #[test]
    fn the_default_is_what_the_rules_call_usual() {
        assert_eq!(read(&[]).unwrap().sessions, SessionLimits::USUAL);
    }

    #[test]
    fn a_session_lasts_at_least_as_long_as_it_may_rest() {
        let (idle, lifetime) =
            ("PAGESMITH_CONSOLE_SESSION_IDLE_TIMEOUT", "PAGESMITH_CONSOLE_SESSION_LIFETIME");
        let set = read(&[(idle, "1h"), (lifetime, "1h")]).unwrap().sessions;
        assert_eq!((set.idle, set.lifetime), (Duration::from_hours(1), Duration::from_hours(1)));
        for (name, value) in
            [(idle, "4m"), (idle, "31d"), (lifetime, "11h"), (lifetime, "366d"), (idle, "long")]
        {
            let refusal = read(&[(name, value)]).unwrap_err().to_string();
            assert!(refusal.contains(name), "{refusal}");
        }
    }
}
