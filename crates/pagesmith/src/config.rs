//! The configuration: what can be set, typed, one struct per section.
//!
//! `config/pagesmith.default.toml` is the list of every key with its default and meaning. [`source`] lays a file,
//! the environment and the command line over it and remembers where each value came from; the structs here
//! read their keys out of that, once, at start. A value of the wrong form never gets further than [`Config::read`].
//! This is the only place of the program that looks at the environment.

mod database;
mod egress;
mod environment;
mod generation;
mod limits;
mod log;
mod rate_limit;
mod secret;
mod server;
mod show;
mod source;
mod telemetry;

pub use database::Database;
pub use egress::Egress;
pub use environment::Environment;
pub use generation::Generation;
pub use limits::Limits;
pub use log::{Format, Log};
pub use rate_limit::RateLimit;
pub use server::Server;
pub use show::{show, show_json};
pub use source::{ConfigError, Flag, Settings};
pub use telemetry::Telemetry;

/// Every setting, typed.
#[derive(Debug)]
pub struct Config {
    /// Where it answers and under which names.
    pub server: Server,
    /// Where everything is kept.
    pub database: Database,
    /// How much a key may ask.
    pub rate_limit: RateLimit,
    /// What one client may cost the others.
    pub limits: Limits,
    /// How versions are written.
    pub generation: Generation,
    /// Where it may send to.
    pub egress: Egress,
    /// The log on standard error.
    pub log: Log,
    /// Traces for a collector.
    pub telemetry: Telemetry,
}

impl Config {
    /// Reads every section; the error names the key, where its value came from and what was expected.
    pub fn read(settings: &Settings) -> Result<Config, ConfigError> {
        let config = Config {
            server: Server::read(settings)?,
            database: Database::read(settings)?,
            rate_limit: RateLimit::read(settings)?,
            limits: Limits::read(settings)?,
            generation: Generation::read(settings)?,
            egress: Egress::read(settings)?,
            log: Log::read(settings)?,
            telemetry: Telemetry::read(settings)?,
        };
        debug_assert_eq!(
            settings.unread(),
            Vec::<String>::new(),
            "keys of the default file that nothing reads"
        );
        Ok(config)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<Config, ConfigError> {
        Config::read(&Settings::load(None, &Environment::of(variables), &[])?)
    }

    #[test]
    fn the_defaults_are_what_the_file_says() {
        let config = read(&[]).unwrap();
        assert_eq!(config.server.listen.to_string(), "127.0.0.1:8080");
        assert_eq!(config.rate_limit.requests, 60_000);
        assert_eq!(config.rate_limit.window, Duration::from_secs(60));
        assert_eq!(config.limits.shutdown_timeout, Duration::from_secs(20));
        assert_eq!(config.telemetry.otlp_endpoint, None);
        assert!(config.database.url.is_embedded());
    }

    #[test]
    fn the_environment_reaches_every_section() {
        let config = read(&[
            ("PAGESMITH_RATE_LIMIT_REQUESTS", "5"),
            ("PAGESMITH_RATE_LIMIT_WINDOW", "2s"),
            ("PAGESMITH_DATABASE_MAX_BATCH", "1"),
            ("PAGESMITH_GENERATION_CONCURRENCY", "3"),
            ("PAGESMITH_EGRESS_ALLOW", "127.0.0.0/8"),
            ("PAGESMITH_EGRESS_PROXY", "http://proxy:3128"),
            ("PAGESMITH_TELEMETRY_OTLP_ENDPOINT", "http://127.0.0.1:4318"),
        ])
        .unwrap();
        assert_eq!(config.rate_limit.requests, 5);
        assert_eq!(config.rate_limit.window, Duration::from_secs(2));
        assert_eq!(config.database.max_batch, 1);
        assert_eq!(config.generation.concurrency, 3);
        assert!(config.egress.allow.hold("127.0.0.1".parse().unwrap()));
        assert_eq!(format!("{:?}", config.egress.proxy), "Some(Proxy(proxy:3128))");
        assert_eq!(config.telemetry.otlp_endpoint.as_deref(), Some("http://127.0.0.1:4318"));
    }

    #[test]
    fn a_wrong_value_names_the_key_its_origin_and_what_is_expected() {
        for (variable, value, parts) in [
            ("PAGESMITH_LISTEN", "8080", ["listen", "127.0.0.1:8080"]),
            ("PAGESMITH_DATABASE", "mysql://x", ["database", "sqlite:"]),
            ("PAGESMITH_RATE_LIMIT_WINDOW", "soon", ["rate_limit.window", "60s"]),
            ("PAGESMITH_RATE_LIMIT_REQUESTS", "0", ["rate_limit.requests", "from 1 to"]),
            ("PAGESMITH_EGRESS_ALLOW", "localhost", ["egress.allow", "127.0.0.0/8"]),
            ("PAGESMITH_EGRESS_PROXY", "proxy:3128", ["egress.proxy", "http://10.1.0.1:3128"]),
            ("PAGESMITH_LOG_LEVEL", "loud=very", ["log.level", "info"]),
            ("PAGESMITH_LOG_FORMAT", "xml", ["log.format", "json, text or auto"]),
            ("PAGESMITH_BASE_URL", "example.org", ["base_url", "https://"]),
            ("PAGESMITH_SITE_DOMAIN", "a b", ["site_domain", "host name"]),
            ("PAGESMITH_BASE_URL", "https://api.localhost", ["base_url", "below site_domain"]),
            ("PAGESMITH_TELEMETRY_OTLP_ENDPOINT", "https://x", ["telemetry.otlp_endpoint", "http://"]),
        ] {
            let message = read(&[(variable, value)]).unwrap_err().to_string();
            assert!(message.contains(variable), "{message}");
            for part in parts {
                assert!(message.contains(part), "{message} lacks {part}");
            }
        }
    }

    #[test]
    fn a_wrong_secret_is_never_repeated() {
        let message = read(&[("PAGESMITH_SECRET_KEY", "hunter2")]).unwrap_err().to_string();
        assert!(message.contains("secret_key") && !message.contains("hunter2"), "{message}");
        let message = read(&[("PAGESMITH_EGRESS_PROXY", "http://me:hunter2@p")]).unwrap_err().to_string();
        assert!(!message.contains("hunter2"), "{message}");
        let message = read(&[("PAGESMITH_DATABASE", "mysql://me:hunter2@h/d")]).unwrap_err().to_string();
        assert!(!message.contains("hunter2"), "{message}");
    }
}
