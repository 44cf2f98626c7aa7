//! `[tls]`: whether this server speaks TLS itself, where, as whom, and who issues the certificates.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use pagesmith_model::certificate::challenge::ChallengeChoice;
use pagesmith_model::tenant_domain::HostName;

use super::{ConfigError, Settings};

/// TLS of the server's own.
#[derive(Debug, Clone)]
pub struct Tls {
    /// The address to speak it on; nothing: a proxy does it.
    pub listen: Option<SocketAddr>,
    /// The folder of certificates, if there is one.
    pub folder: Option<PathBuf>,
    /// How certificates are ordered, if they are.
    pub acme: Option<Acme>,
    /// For how long browsers ask for a site by TLS alone.
    pub strict_transport: Duration,
}

/// How certificates are ordered.
#[derive(Debug, Clone)]
pub struct Acme {
    /// The authority's directory.
    pub directory: String,
    /// The address that the authority may write to; empty: none.
    pub contact: String,
    /// Names that want a certificate beside the host of the API.
    pub hosts: Vec<String>,
    /// What the authority may look at.
    pub challenge: ChallengeChoice,
    /// The file with more authorities to trust when the directory is called.
    pub roots: Option<PathBuf>,
    /// How many orders may be begun in an hour.
    pub orders_per_hour: u64,
}

impl Tls {
    /// Reads the section.
    pub fn read(settings: &Settings) -> Result<Tls, ConfigError> {
        let listen = settings.optional("tls.listen")?.map(|text| {
            let expected = "an address and a port such as 0.0.0.0:443, or empty";
            text.parse().map_err(|_| settings.refuse("tls.listen", expected))
        });
        let listen: Option<SocketAddr> = listen.transpose()?;
        let folder = settings.path("tls.certificates")?;
        let acme = Acme::read(settings)?;
        if listen.is_some() && folder.is_none() && acme.is_none() {
            let expected = "empty, unless tls.certificates is a folder or tls.acme is true";
            return Err(settings.refuse("tls.listen", expected));
        }
        if listen.is_none() && folder.is_some() {
            return Err(settings.refuse("tls.certificates", "empty, unless tls.listen is an address"));
        }
        if listen.is_none() && acme.is_some() {
            return Err(settings.refuse("tls.acme", "false, unless tls.listen is an address"));
        }
        let days = settings.number("tls.strict_transport_days", 0..=730)?;
        Ok(Tls { listen, folder, acme, strict_transport: Duration::from_hours(24 * days) })
    }
}

impl Acme {
    fn read(settings: &Settings) -> Result<Option<Acme>, ConfigError> {
        let is_wanted = settings.flag("tls.acme")?;
        let is_accepted = settings.flag("tls.acme_terms_accepted")?;
        let directory = settings.text("tls.acme_directory")?.to_owned();
        if !directory.starts_with("https://") || directory.parse::<http::Uri>().is_err() {
            return Err(settings.refuse("tls.acme_directory", "an address that begins with https://"));
        }
        let contact = settings.text("tls.acme_contact")?.to_owned();
        if !contact.is_empty() && !is_mail_address(&contact) {
            let expected = "an e-mail address such as ops@example.com, or empty";
            return Err(settings.refuse("tls.acme_contact", expected));
        }
        let hosts = settings.text("tls.acme_hosts")?.split(',').map(str::trim);
        let hosts: Vec<String> = hosts.filter(|host| !host.is_empty()).map(str::to_ascii_lowercase).collect();
        // No wildcards: authorities want DNS-01 for them.
        if !hosts.iter().all(|host| HostName::parse(host).is_ok_and(|name| name.as_str() == host)) {
            let expected = "host names with commas between them, such as www.example.com, or empty";
            return Err(settings.refuse("tls.acme_hosts", expected));
        }
        let challenge = settings.parse("tls.acme_challenge", "auto, http-01 or tls-alpn-01")?;
        let roots = settings.path("tls.acme_roots")?;
        let orders_per_hour = settings.number("tls.acme_orders_per_hour", 1..=10_000)?;
        if is_wanted && !is_accepted {
            let expected = "true: with tls.acme you agree to the terms of the certificate authority";
            return Err(settings.refuse("tls.acme_terms_accepted", expected));
        }
        Ok(is_wanted.then_some(Acme { directory, contact, hosts, challenge, roots, orders_per_hour }))
    }
}

fn is_mail_address(text: &str) -> bool {
    let parts = text.split_once('@').filter(|_| !text.contains([' ', ',', '?']));
    parts.is_some_and(|(name, host)| !name.is_empty() && host.contains('.'))
}
