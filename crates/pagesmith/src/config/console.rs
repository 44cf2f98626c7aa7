//! `[console]`: where the console is, and how long users stay signed in.

use std::net::SocketAddr;
use std::time::Duration;

use pagesmith_http::state::host_of;
use pagesmith_model::duration::parse_duration;
use pagesmith_model::user::session::SessionLimits;

use super::server::{address_of, is_base_url};
use super::{ConfigError, Server, Settings};

/// The console.
#[derive(Debug, Clone)]
pub struct Console {
    /// The address that people use, without a slash at the end; `None`: that of its listener, else that of the API.
    url: Option<String>,
    /// The address to answer on, for the console alone; port 0 takes a free one.
    pub listen: Option<SocketAddr>,
    /// How long users stay signed in.
    pub sessions: SessionLimits,
}

const DAY: Duration = Duration::from_hours(24);

impl Console {
    /// Reads the section.
    pub fn read(settings: &Settings, server: &Server) -> Result<Console, ConfigError> {
        let duration = |key: &str, shortest: Duration, longest: Duration, expected: &str| {
            let read = parse_duration(settings.text(key)?).ok();
            let fitting = read.filter(|duration| (shortest..=longest).contains(duration));
            fitting.ok_or_else(|| settings.refuse(key, expected))
        };
        let (shortest, longest) = (Duration::from_mins(5), 30 * DAY);
        let idle = duration("console.session_idle_timeout", shortest, longest, "a duration from 5m to 30d")?;
        let expected = "a duration from console.session_idle_timeout to 365d";
        let lifetime = duration("console.session_lifetime", idle, 365 * DAY, expected)?;
        let listen = settings.optional("console.listen")?.map(|text| {
            let expected = "an address and a port such as 10.0.0.5:8081, or empty";
            text.parse().map_err(|_| settings.refuse("console.listen", expected))
        });
        let listen: Option<SocketAddr> = listen.transpose()?;
        let url = settings.optional("console.url")?.map(|url| url.trim_end_matches('/').to_owned());
        if let Some(url) = &url {
            Console::check(url, listen, server)
                .map_err(|expected| settings.refuse("console.url", expected))?;
        }
        Ok(Console { url, listen, sessions: SessionLimits { idle, lifetime } })
    }

    /// The error says what was expected.
    fn check(url: &str, listen: Option<SocketAddr>, server: &Server) -> Result<(), &'static str> {
        let has_path = url.split_once("://").is_some_and(|(_, rest)| rest.contains('/'));
        let host = host_of(url).filter(|_| is_base_url(url) && !has_path);
        let host = host.ok_or("an address without a path such as https://team.example.org, or empty")?;
        if host == server.site_domain || host.ends_with(&format!(".{}", server.site_domain)) {
            return Err("an address whose host is neither site_domain nor below it, since sites are there");
        }
        if listen.is_none() && server.api_host() == Some(host) {
            return Err("an address with another host than base_url, unless console.listen is set");
        }
        Ok(())
    }

    /// The address of the console, where it has one of its own: `bound` is where its listener is bound, if it has one.
    pub fn url(&self, bound: Option<SocketAddr>) -> Option<String> {
        self.url.clone().or_else(|| bound.map(address_of))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Environment;

    fn read(variables: &[(&str, &str)]) -> Result<Console, ConfigError> {
        let settings = Settings::load(None, &Environment::of(variables), &[]).unwrap();
        Console::read(&settings, &Server::read(&settings).unwrap())
    }

    #[test]
    fn it_is_beside_the_api_unless_it_has_a_place_of_its_own() {
        let of = |variables: &[(&str, &str)]| {
            let console = read(variables).unwrap();
            console.url(console.listen)
        };
        let (url, listen) = ("PAGESMITH_CONSOLE_URL", "PAGESMITH_CONSOLE_LISTEN");
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[(url, "https://Team.example/")]).as_deref(), Some("https://Team.example"));
        assert_eq!(of(&[(listen, "0.0.0.0:8081")]).as_deref(), Some("http://127.0.0.1:8081"));
        let both = [(listen, "[::1]:8081"), (url, "https://team.example")];
        assert_eq!(of(&both).as_deref(), Some("https://team.example"));
    }

    #[test]
    fn its_host_is_no_site_and_not_that_of_the_api() {
        let base = ("PAGESMITH_BASE_URL", "https://api.example");
        let site = ("PAGESMITH_SITE_DOMAIN", "pages.example");
        let url = |url| ("PAGESMITH_CONSOLE_URL", url);
        for wrong in [
            "team.example",
            "https://team.example/console",
            "https://acme.pages.example",
            "https://PAGES.example:8443",
            "https://api.example:8443",
        ] {
            let refusal = read(&[base, site, url(wrong)]).unwrap_err().to_string();
            assert!(refusal.contains("PAGESMITH_CONSOLE_URL"), "{wrong}: {refusal}");
        }
        assert!(read(&[base, site, url("https://team.example")]).is_ok());
        let listen = ("PAGESMITH_CONSOLE_LISTEN", "127.0.0.1:0");
        assert!(read(&[base, site, listen, url("https://api.example:8443")]).is_ok());
        let refusal = read(&[("PAGESMITH_CONSOLE_LISTEN", "8081")]).unwrap_err().to_string();
        assert!(refusal.contains("console.listen") || refusal.contains("CONSOLE_LISTEN"), "{refusal}");
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
