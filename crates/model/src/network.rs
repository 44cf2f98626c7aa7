//! Networks: which addresses of the internet are nobody's to be called by a stranger's wish.
//!
//! A webhook's address is chosen by whoever may write to a tenant, and the server that calls it is inside somebody's network.
//! So every address is refused that is not the public internet's: private and shared networks, the machine itself, neighbours on the
//! link, groups, documentation, tunnels that carry another address within them, and where clouds keep their secrets. What this
//! is not: a firewall, or anything that asks a name server.
//!
//! A range counts by the special-purpose registries of IANA. Of IPv6 only what is given out to the public is taken at all.

mod many;
mod ports;
mod ranges;

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

pub use many::{ManyNetworks, NoNetwork};
pub use ports::is_open_port;
pub use ranges::reserved;

/// An address as a connection to it goes: an IPv4 address in the clothes of IPv6 is an IPv4 address.
pub fn canonical(address: IpAddr) -> IpAddr {
    address.to_canonical()
}

/// What a client is counted by: its address, or the network of 64 bits that an IPv6 address lies in, since whoever has one has all
/// of them.
pub fn origin(address: IpAddr) -> IpAddr {
    match canonical(address) {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from(u128::from(address) & !u128::from(u64::MAX))),
        address => address,
    }
}

/// Whether a host looks like a number, but is no IPv4 address as everybody writes it: `2130706433`, `0x7f.1`, `0177.0.0.1`, `127.1`.
/// Name resolvers of many systems read such things as addresses.
pub fn is_odd_number(host: &str) -> bool {
    let last = host.strip_suffix('.').unwrap_or(host).rsplit('.').next().unwrap_or_default();
    let hex = last.strip_prefix("0x").or_else(|| last.strip_prefix("0X"));
    let is_number = match hex {
        Some(digits) => digits.bytes().all(|byte| byte.is_ascii_hexdigit()),
        None => !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit()),
    };
    is_number && host.parse::<Ipv4Addr>().is_err()
}

/// Networks that an operator allows although they are reserved.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Networks(Vec<IpNet>);

impl Networks {
    /// Every network, for addresses that the operator has chosen.
    pub fn all() -> Networks {
        Networks(vec![IpNet::V4(Ipv4Net::default()), IpNet::V6(Ipv6Net::default())])
    }

    /// Whether an address lies in one of them.
    pub fn hold(&self, address: IpAddr) -> bool {
        let address = canonical(address);
        self.0.iter().any(|network| network.contains(&address))
    }

    /// What an address is reserved for, unless it is public or in one of these networks.
    pub fn refusal(&self, address: IpAddr) -> Option<&'static str> {
        reserved(address).filter(|_| !self.hold(address))
    }
}

/// Not a list of networks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoNetworks;

impl FromStr for Networks {
    type Err = NoNetworks;

    /// CIDRs with commas between them; a lone address is a network of one. Nothing is no network.
    fn from_str(text: &str) -> Result<Networks, NoNetworks> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        let networks = parts.map(|part| match part.parse::<IpAddr>() {
            Ok(address) => Ok(IpNet::from(address)),
            Err(_) => part.parse::<IpNet>().map(|network| network.trunc()).map_err(|_| NoNetworks),
        });
        Ok(Networks(networks.collect::<Result<_, _>>()?))
    }
}

impl fmt::Display for Networks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&texts.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_are_cidrs_or_addresses_with_commas_between() {
        let networks: Networks = " 127.0.0.1/8, 10.1.2.3 ,fd00::/8".parse().unwrap();
        assert_eq!(networks.to_string(), "127.0.0.0/8,10.1.2.3/32,fd00::/8");
        for inside in ["127.9.9.9", "10.1.2.3", "fdff::1", "::ffff:127.0.0.1"] {
            assert!(networks.hold(inside.parse().unwrap()), "{inside}");
            assert_eq!(networks.refusal(inside.parse().unwrap()), None);
        }
        for outside in ["10.1.2.4", "fe80::1", "::1", "::127.0.0.1", "64:ff9b::7f00:1"] {
            assert!(networks.refusal(outside.parse().unwrap()).is_some(), "{outside}");
        }
        assert_eq!("".parse(), Ok(Networks::default()));
        for wrong in ["10.0.0.0/33", "localhost", "10.0.0.0-10.0.0.9", "127.1", "*"] {
            assert_eq!(wrong.parse::<Networks>(), Err(NoNetworks), "{wrong}");
        }
    }

    #[test]
    fn numbers_that_only_resolvers_take_for_addresses_are_odd() {
        for odd in [
            "2130706433",
            "0x7f000001",
            "0x7f.1",
            "0X7F.0.0.1",
            "0177.0.0.1",
            "127.1",
            "127.0.0.1.",
            "1.2.3.4.5",
            "0x",
            "256.1.1.1",
        ] {
            assert!(is_odd_number(odd), "{odd}");
        }
        for plain in ["127.0.0.1", "example.com", "1.example", "7f.example.", "0xample", "a1", "x.0a"] {
            assert!(!is_odd_number(plain), "{plain}");
        }
    }
}
