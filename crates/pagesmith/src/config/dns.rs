//! `[dns]`: whom this server asks for the records of tenants' domains, and where these have to lead.

use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use super::{ConfigError, Settings};

/// The port of name servers.
const PORT: u16 = 53;

/// Name servers, and the addresses of the sites.
#[derive(Debug, Clone)]
pub struct Dns {
    /// The name servers; without any, those of the system.
    pub servers: Vec<SocketAddr>,
    /// The addresses that tenants' domains may have in the place of a CNAME record; without any, those of their fallback domains.
    pub addresses: Vec<IpAddr>,
}

impl Dns {
    /// Reads the section.
    pub fn read(settings: &Settings) -> Result<Dns, ConfigError> {
        let server = |text: &str| {
            text.parse().or_else(|_| text.parse::<IpAddr>().map(|address| SocketAddr::new(address, PORT)))
        };
        let servers = list(settings.text("dns.servers")?, server).map_err(|_| {
            let expected = "addresses with commas between them, such as 10.1.0.53,127.0.0.1:5353, or empty";
            settings.refuse("dns.servers", expected)
        })?;
        let addresses = list(settings.text("dns.addresses")?, IpAddr::from_str).map_err(|_| {
            let expected = "addresses with commas between them, such as 203.0.113.7,2001:db8::7, or empty";
            settings.refuse("dns.addresses", expected)
        })?;
        Ok(Dns { servers, addresses })
    }
}

/// The parts of a text between commas.
fn list<T, E>(text: &str, parse: impl Fn(&str) -> Result<T, E>) -> Result<Vec<T>, E> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Environment;

    fn read(servers: &str, addresses: &str) -> Dns {
        let variables = [("PAGESMITH_DNS_SERVERS", servers), ("PAGESMITH_DNS_ADDRESSES", addresses)];
        Dns::read(&Settings::load(None, &Environment::of(&variables), &[]).unwrap()).unwrap()
    }

    #[test]
    fn servers_may_have_a_port() {
        let servers = read("10.1.0.53, 127.0.0.1:5353,2001:db8::53", "").servers;
        let texts: Vec<String> = servers.iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["10.1.0.53:53", "127.0.0.1:5353", "[2001:db8::53]:53"]);
        assert!(read("", "").servers.is_empty());
        assert_eq!(read("", "203.0.113.7,2001:db8::7").addresses.len(), 2);
    }
}
