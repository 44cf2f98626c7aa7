//! The configuration: what can be set, typed, one struct per section.
//!
//! `config/pagesmith.default.toml` is the list of every key with its default and meaning. [`source`] lays a file,
//! the environment and the command line over it and remembers where each value came from; the structs here
//! read their keys out of that, once, at start. A value of the wrong form never gets further than [`Config::read`].
//! This is the only place of the program that looks at the environment.

mod agent;
mod backup;
mod bucket;
mod console;
mod database;
mod dns;
mod egress;
mod environment;
mod files;
mod generation;
mod limits;
mod lines;
mod log;
mod mail;
mod path_setting;
mod rate_limit;
mod secret;
mod server;
mod show;
mod sign_in;
mod source;
mod telemetry;
mod tls;
mod visits;

pub use agent::Agent;
pub use backup::Backup;
pub use bucket::BucketSettings;
pub use console::Console;
pub use database::Database;
pub use dns::Dns;
pub use egress::Egress;
pub use environment::{Environment, variable_of};
pub use files::Files;
pub use generation::Generation;
pub use limits::Limits;
pub use log::{Format, Log};
pub use mail::Mail;
pub use path_setting::PathSetting;
pub use rate_limit::RateLimit;
pub use server::Server;
pub use show::{show, show_json};
pub use sign_in::SignIn;
pub use source::{ConfigError, Flag, Settings};
pub use telemetry::Telemetry;
pub use tls::{Acme, Tls};
pub use visits::Visits;

/// Every setting, typed.
#[derive(Debug, Clone)]
pub struct Config {
    /// Where it answers and under which names.
    pub server: Server,
    /// Where everything is kept.
    pub database: Database,
    /// Where files are kept.
    pub files: Files,
    /// Whether it speaks TLS itself.
    pub tls: Tls,
    /// How much a key may ask.
    pub rate_limit: RateLimit,
    /// What one client may cost the others.
    pub limits: Limits,
    /// How versions are written.
    pub generation: Generation,
    /// Who writes them.
    pub agent: Agent,
    /// Where it may send to.
    pub egress: Egress,
    /// Whom it asks for tenants' domains, and where these have to lead.
    pub dns: Dns,
    /// How visits are measured.
    pub visits: Visits,
    /// Where the console is, and how long users stay signed in.
    pub console: Console,
    /// How users sign in.
    pub sign_in: SignIn,
    /// The mail server, if there is one.
    pub mail: Option<Mail>,
    /// Where backups are put that are begun at the console.
    pub backup: Backup,
    /// The log on standard error.
    pub log: Log,
    /// Traces for a collector.
    pub telemetry: Telemetry,
}

impl Config {
    /// Reads every section; the error names the key, where its value came from and what was expected.
    pub fn read(settings: &Settings) -> Result<Config, ConfigError> {
        let egress = Egress::read(settings)?;
        let server = Server::read(settings)?;
        let config = Config {
            console: Console::read(settings, &server)?,
            server,
            tls: Tls::read(settings)?,
            database: Database::read(settings)?,
            files: Files::read(settings)?,
            rate_limit: RateLimit::read(settings)?,
            limits: Limits::read(settings)?,
            generation: Generation::read(settings)?,
            agent: Agent::read(settings, &egress.allow)?,
            egress,
            dns: Dns::read(settings)?,
            visits: Visits::read(settings)?,
            sign_in: SignIn::read(settings)?,
            mail: Mail::read(settings)?,
            backup: Backup::read(settings)?,
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

    /// The address of the console, as commands know it that bind nothing.
    pub fn console_url(&self) -> String {
        let own = self.console.url(self.console.listen);
        own.unwrap_or_else(|| self.server.base_url(self.server.listen))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::time::Duration;

    use pagesmith_model::agent::AgentKind;

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
            ("PAGESMITH_AGENT_KIND", "openai"),
            ("PAGESMITH_AGENT_BASE_URL", "http://127.0.0.1:11434/v1/"),
            ("PAGESMITH_AGENT_MODEL", "small"),
            ("PAGESMITH_AGENT_INPUT_PRICE", "2.5"),
            ("PAGESMITH_AGENT_TOKEN_BUDGET", "1000"),
            ("PAGESMITH_AGENT_COST_BUDGET", "20"),
            ("PAGESMITH_AGENT_TIMEOUT", "1m"),
            ("PAGESMITH_AGENT_CONCURRENCY", "5"),
            ("PAGESMITH_AGENT_MAX_OUTPUT_TOKENS", "900"),
            ("PAGESMITH_TELEMETRY_OTLP_ENDPOINT", "http://127.0.0.1:4318"),
        ])
        .unwrap();
        assert_eq!(config.rate_limit.requests, 5);
        assert_eq!(config.rate_limit.window, Duration::from_secs(2));
        assert_eq!(config.database.max_batch, 1);
        assert_eq!(config.generation.concurrency, 3);
        assert!(config.egress.allow.hold("127.0.0.1".parse().unwrap()));
        assert_eq!(format!("{:?}", config.egress.proxy), "Some(Proxy(proxy:3128))");
        let agent = config.agent.settings;
        assert_eq!((agent.base_url.as_str(), agent.key), ("http://127.0.0.1:11434/v1", None));
        assert_eq!(
            (agent.prices.input.micros(), agent.budget.tokens, agent.budget.cost.micros()),
            (2_500_000, 1_000, 20_000_000)
        );
        let Agent { timeout, max_output_tokens, concurrency, .. } = config.agent;
        assert_eq!((timeout, max_output_tokens, concurrency), (Duration::from_secs(60), 900, 5));
        assert_eq!(config.telemetry.otlp_endpoint.as_deref(), Some("http://127.0.0.1:4318"));
    }

    #[test]
    fn an_agent_that_could_not_write_is_refused_by_the_key_that_is_wrong() {
        let model = [("KIND", "anthropic"), ("MODEL", "m"), ("API_KEY", "sk-hunter2")];
        let with = |changes: &[(&'static str, &'static str)]| {
            let named = |(name, value): &(&str, &'static str)| (format!("PAGESMITH_AGENT_{name}"), *value);
            let all: BTreeMap<String, &str> = model.iter().chain(changes).map(named).collect();
            let all: Vec<(&str, &str)> = all.iter().map(|(name, value)| (name.as_str(), *value)).collect();
            read(&all).map(|config| config.agent.settings)
        };
        let agent = with(&[]).unwrap();
        assert_eq!(
            (agent.kind, agent.base_url.as_str()),
            (AgentKind::Anthropic, "https://api.anthropic.com")
        );
        assert_eq!(agent.key.unwrap().expose(), "sk-hunter2");
        // Nothing of a model matters while the template writes.
        assert_eq!(with(&[("KIND", "template"), ("MODEL", "")]).unwrap().kind, AgentKind::Template);
        for (changes, key, expected) in [
            (&[("KIND", "gpt")][..], "agent.kind", "template, openai or anthropic"),
            (&[("MODEL", "")], "agent.model", "the name of a model, which anthropic needs"),
            (&[("API_KEY", "")], "agent.api_key", "the key for https://api.anthropic.com"),
            (&[("API_KEY", "two words")], "agent.api_key", "one word"),
            (&[("BASE_URL", "api.example")], "agent.base_url", "absolute URL"),
            (&[("BASE_URL", "http://127.0.0.1:9")], "agent.base_url", "lead to a public address"),
            (&[("COST_BUDGET", "5")], "agent.cost_budget", "input_price"),
            (&[("COST_BUDGET", "five")], "agent.cost_budget", "an amount such as"),
            (&[("OUTPUT_PRICE", "-1")], "agent.output_price", "an amount such as"),
            (&[("TOKEN_BUDGET", "-1")], "agent.token_budget", "a whole number from 0"),
            (&[("MAX_OUTPUT_TOKENS", "10")], "agent.max_output_tokens", "a whole number from 500"),
            (&[("TIMEOUT", "long")], "agent.timeout", "a duration"),
        ] {
            let message = with(changes).unwrap_err().to_string();
            assert!(message.starts_with(key) && message.contains(expected), "{message}");
            assert!(!message.contains("hunter2") && !message.contains("two words"), "{message}");
        }
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
            ("PAGESMITH_TRUSTED_PROXIES", "proxy.internal", ["trusted_proxies", "127.0.0.0/8"]),
            ("PAGESMITH_PROXY_HEADER", "via", ["proxy_header", "x-forwarded-for"]),
            ("PAGESMITH_LIMITS_CONNECTIONS_PER_ADDRESS", "0", ["connections_per_address", "from 1 to"]),
            ("PAGESMITH_LOG_LEVEL", "loud=very", ["log.level", "info"]),
            ("PAGESMITH_LOG_FORMAT", "xml", ["log.format", "json, text or auto"]),
            ("PAGESMITH_BASE_URL", "example.org", ["base_url", "https://"]),
            ("PAGESMITH_SITE_DOMAIN", "a b", ["site_domain", "host name"]),
            ("PAGESMITH_BASE_URL", "https://api.localhost", ["base_url", "below site_domain"]),
            ("PAGESMITH_TLS_LISTEN", "443", ["tls.listen", "0.0.0.0:443"]),
            ("PAGESMITH_TLS_LISTEN", "0.0.0.0:443", ["tls.certificates", "folder"]),
            ("PAGESMITH_TLS_CERTIFICATES", "/etc/pagesmith", ["tls.listen", "address"]),
            ("PAGESMITH_TLS_ACME", "yes", ["tls.acme", "a boolean such as false"]),
            ("PAGESMITH_TLS_ACME_DIRECTORY", "http://ca.example", ["tls.acme_directory", "https://"]),
            ("PAGESMITH_TLS_ACME_CONTACT", "ops", ["tls.acme_contact", "ops@example.com"]),
            ("PAGESMITH_TLS_ACME_HOSTS", "*.example.com", ["tls.acme_hosts", "host names"]),
            ("PAGESMITH_TLS_ACME_CHALLENGE", "dns-01", ["tls.acme_challenge", "tls-alpn-01"]),
            ("PAGESMITH_TLS_ACME_ORDERS_PER_HOUR", "0", ["tls.acme_orders_per_hour", "from 1 to"]),
            ("PAGESMITH_DNS_SERVERS", "ns.example", ["dns.servers", "10.1.0.53"]),
            ("PAGESMITH_DNS_ADDRESSES", "10.1.0.0/16", ["dns.addresses", "203.0.113.7"]),
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
    fn certificates_are_ordered_only_where_it_can_work_and_the_terms_are_accepted() {
        let acme = |changes: &[(&'static str, &'static str)]| {
            let all: Vec<_> = [("PAGESMITH_TLS_ACME", "true")].iter().chain(changes).copied().collect();
            read(&all).map(|config| config.tls)
        };
        let listen = ("PAGESMITH_TLS_LISTEN", "0.0.0.0:443");
        let accept = ("PAGESMITH_TLS_ACME_TERMS_ACCEPTED", "true");
        assert!(acme(&[listen]).unwrap_err().to_string().contains("tls.acme_terms_accepted"));
        assert!(acme(&[accept]).unwrap_err().to_string().contains("tls.listen"));
        let hosts = ("PAGESMITH_TLS_ACME_HOSTS", "Pages.example.com, www.example.com");
        let tls = acme(&[listen, accept, hosts]).unwrap();
        let acme = tls.acme.unwrap();
        assert_eq!(
            (acme.hosts.join(" "), tls.folder),
            ("pages.example.com www.example.com".to_owned(), None)
        );
        assert!(acme.directory.contains("letsencrypt.org") && acme.orders_per_hour == 60);
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
