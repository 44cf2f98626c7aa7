//! What a PostgreSQL address says, with the parameters that libpq has and the driver's own parser lacks.
//!
//! `sslmode`, `sslrootcert` and `target_session_attrs` are read here, as libpq reads them; everything else is left to the driver.
//! Invariant: no error contains a value of the address other than those of these three parameters, so none contains a password.

use std::borrow::Cow;
use std::path::PathBuf;

use percent_encoding::percent_decode_str;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode, SslNegotiation, TargetSessionAttrs};

/// What a PostgreSQL address says.
#[derive(Debug, Clone)]
pub(crate) struct PostgresAddress {
    /// A configuration for each host, in the order of the address; there is at least one.
    pub hosts: Vec<Config>,
    /// How connections are protected.
    pub encryption: Encryption,
}

/// How connections are protected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Encryption {
    /// `disable`: not at all.
    Off,
    /// `prefer`: by TLS if that works; the certificate is not verified.
    IfOffered,
    /// `require`: by TLS; the certificate is not verified.
    Unverified,
    /// `verify-ca`: by TLS; an authority of the file vouches for the certificate, whatever name it is for.
    Authority(PathBuf),
    /// `verify-full`: by TLS; an authority vouches for the certificate, and it is for the host's name.
    Name(Authorities),
}

/// Whose word on a certificate is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Authorities {
    /// Those that the system trusts.
    System,
    /// The certificates of a PEM file.
    File(PathBuf),
}

/// The parameters that are read here.
#[derive(Default)]
struct Own {
    mode: Option<String>,
    authorities: Option<String>,
    session: Option<String>,
}

impl PostgresAddress {
    /// Reads an address; the error is a clause that completes "the address … cannot be used: …".
    pub(crate) fn parse(text: &str) -> Result<PostgresAddress, String> {
        let (given, own) = separate(text)?;
        let config: Config = given.parse().map_err(|error: tokio_postgres::Error| {
            std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string)
        })?;
        let encryption = own.encryption()?;
        if config.get_ssl_negotiation() == SslNegotiation::Direct
            && matches!(encryption, Encryption::Off | Encryption::IfOffered)
        {
            return Err("sslnegotiation=direct needs sslmode=require, verify-ca or verify-full".to_owned());
        }
        let count = config.get_hosts().len().max(config.get_hostaddrs().len());
        let fits = |length: usize| length == 0 || length == count;
        if count == 0 {
            return Err("it names no host".to_owned());
        }
        if !fits(config.get_hosts().len()) || !fits(config.get_hostaddrs().len()) {
            return Err("it has not as many values of hostaddr as of host".to_owned());
        }
        if !fits(config.get_ports().len()) && config.get_ports().len() != 1 {
            return Err("it has neither one port nor one for each host".to_owned());
        }
        let session = own.session(count)?;
        let hosts = (0..count).map(|at| single(&config, at, &encryption, session)).collect();
        Ok(PostgresAddress { hosts, encryption })
    }
}

impl Own {
    fn encryption(&self) -> Result<Encryption, String> {
        let authorities = self.authorities.as_deref().filter(|name| !name.is_empty());
        let is_system = authorities == Some("system");
        let mode = match self.mode.as_deref() {
            None if is_system => "verify-full",
            None => "prefer",
            Some(mode) => mode,
        };
        if is_system && mode != "verify-full" {
            return Err(format!(
                "sslmode={mode} is too weak for sslrootcert=system, with which anybody can get a certificate: use sslmode=verify-full"
            ));
        }
        match (mode, authorities) {
            ("disable", _) => Ok(Encryption::Off),
            ("prefer", _) => Ok(Encryption::IfOffered),
            ("require", None) => Ok(Encryption::Unverified),
            // As in libpq: whoever names authorities wants them to be asked.
            ("require" | "verify-ca", Some(file)) => Ok(Encryption::Authority(PathBuf::from(file))),
            ("verify-ca", None) => Err(
                "sslmode=verify-ca needs sslrootcert=FILE with the certificates of your own authority; the system's authorities give certificates to anybody, so use sslmode=verify-full with them"
                    .to_owned(),
            ),
            ("verify-full", Some(file)) if !is_system => {
                Ok(Encryption::Name(Authorities::File(PathBuf::from(file))))
            }
            ("verify-full", _) => Ok(Encryption::Name(Authorities::System)),
            (other, _) => Err(format!(
                "sslmode={other} is not one of disable, prefer, require, verify-ca and verify-full"
            )),
        }
    }

    /// Of several servers the one that writes is wanted. From the only one can at least be read while it does not write.
    fn session(&self, servers: usize) -> Result<TargetSessionAttrs, String> {
        match self.session.as_deref() {
            None if servers == 1 => Ok(TargetSessionAttrs::Any),
            None | Some("read-write" | "primary") => Ok(TargetSessionAttrs::ReadWrite),
            Some("any") => Ok(TargetSessionAttrs::Any),
            Some(other) => Err(format!(
                "target_session_attrs={other} is not one of read-write, primary and any: Pagesmith writes"
            )),
        }
    }
}

/// The address without our own parameters, and these.
fn separate(text: &str) -> Result<(Cow<'_, str>, Own), String> {
    // A question mark may be in a password, which the driver ends at the first `@`.
    let from = text.find('@').unwrap_or_default();
    let Some(at) = text[from..].find('?').map(|at| from + at) else {
        return Ok((Cow::Borrowed(text), Own::default()));
    };
    let mut own = Own::default();
    let mut rest = Vec::new();
    for pair in text[at + 1..].split('&') {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let place = match decoded(name)?.as_ref() {
            "sslmode" => &mut own.mode,
            "sslrootcert" => &mut own.authorities,
            "target_session_attrs" => &mut own.session,
            _ => {
                rest.push(pair);
                continue;
            }
        };
        *place = Some(decoded(value)?.into_owned());
    }
    let given =
        if rest.is_empty() { text[..at].to_owned() } else { format!("{}?{}", &text[..at], rest.join("&")) };
    Ok((Cow::Owned(given), own))
}

fn decoded(text: &str) -> Result<Cow<'_, str>, String> {
    percent_decode_str(text).decode_utf8().map_err(|_| "a parameter is not UTF-8".to_owned())
}

/// The configuration for one of several hosts.
fn single(all: &Config, at: usize, encryption: &Encryption, session: TargetSessionAttrs) -> Config {
    let mut one = Config::new();
    let (host, address) = (all.get_hosts().get(at), all.get_hostaddrs().get(at));
    match host {
        Some(Host::Tcp(name)) => one.host(name),
        Some(Host::Unix(folder)) => one.host_path(folder),
        // What TLS calls the server by.
        None => one.host(address.map(ToString::to_string).unwrap_or_default()),
    };
    if let Some(address) = address {
        one.hostaddr(*address);
    }
    if let Some(port) = all.get_ports().get(at).or_else(|| all.get_ports().first()) {
        one.port(*port);
    }
    if let Some(user) = all.get_user() {
        one.user(user);
    }
    if let Some(password) = all.get_password() {
        one.password(password);
    }
    if let Some(name) = all.get_dbname() {
        one.dbname(name);
    }
    if let Some(options) = all.get_options() {
        one.options(options);
    }
    if let Some(name) = all.get_application_name() {
        one.application_name(name);
    }
    if let Some(time) = all.get_connect_timeout() {
        one.connect_timeout(*time);
    }
    if let Some(time) = all.get_tcp_user_timeout() {
        one.tcp_user_timeout(*time);
    }
    if let Some(time) = all.get_keepalives_interval() {
        one.keepalives_interval(time);
    }
    if let Some(count) = all.get_keepalives_retries() {
        one.keepalives_retries(count);
    }
    one.keepalives(all.get_keepalives()).keepalives_idle(all.get_keepalives_idle());
    one.load_balance_hosts(all.get_load_balance_hosts()).channel_binding(all.get_channel_binding());
    one.ssl_negotiation(all.get_ssl_negotiation()).target_session_attrs(session);
    // As in libpq: what stays on this machine needs no TLS, and a socket has no name to prove.
    let is_socket = matches!(host, Some(Host::Unix(_))) && address.is_none();
    one.ssl_mode(match encryption {
        _ if is_socket => SslMode::Disable,
        Encryption::Off => SslMode::Disable,
        Encryption::IfOffered => SslMode::Prefer,
        _ => SslMode::Require,
    });
    one
}

#[cfg(test)]
mod tests;
