//! `[tls]`: whether this server speaks TLS itself, where, and as whom.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use super::{ConfigError, Settings};

/// TLS of the server's own.
#[derive(Debug, Clone)]
pub struct Tls {
    /// The address to speak it on, and the folder of the certificates; nothing: a proxy does it.
    pub listener: Option<(SocketAddr, PathBuf)>,
    /// For how long browsers ask for a site by TLS alone.
    pub strict_transport: Duration,
}

impl Tls {
    /// Reads the section.
    pub fn read(settings: &Settings) -> Result<Tls, ConfigError> {
        let listen = settings.optional("tls.listen")?.map(|text| {
            let expected = "an address and a port such as 0.0.0.0:443, or empty";
            text.parse().map_err(|_| settings.refuse("tls.listen", expected))
        });
        let listener = match (listen.transpose()?, settings.path("tls.certificates")?) {
            (Some(listen), Some(folder)) => Some((listen, folder)),
            (Some(_), None) => {
                return Err(settings.refuse("tls.listen", "empty, unless tls.certificates is a folder"));
            }
            (None, Some(_)) => {
                return Err(settings.refuse("tls.certificates", "empty, unless tls.listen is an address"));
            }
            (None, None) => None,
        };
        let days = settings.number("tls.strict_transport_days", 0..=730)?;
        Ok(Tls { listener, strict_transport: Duration::from_hours(24 * days) })
    }
}
