//! Thousands of networks, in which an address is looked up in a few steps: those of data centres.

use std::net::IpAddr;

use ipnet::IpNet;

use crate::network::canonical;

/// Networks. Each is kept as its first and its last address, in order, and those that touch are one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ManyNetworks {
    four: Vec<(u128, u128)>,
    six: Vec<(u128, u128)>,
}

/// A line that is no network, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoNetwork {
    /// The line.
    pub line: usize,
}

impl ManyNetworks {
    /// Reads a CIDR or an address a line. Blank lines count nothing, nor does what is behind a `#`.
    pub fn read(text: &str) -> Result<ManyNetworks, NoNetwork> {
        let mut networks = ManyNetworks::default();
        for (at, line) in text.lines().enumerate() {
            let network = line.split('#').next().unwrap_or_default().trim();
            if network.is_empty() {
                continue;
            }
            let network = match network.parse::<IpAddr>() {
                Ok(address) => IpNet::from(canonical(address)),
                Err(_) => network.parse::<IpNet>().map_err(|_| NoNetwork { line: at + 1 })?,
            };
            let range = (number(network.network()), number(network.broadcast()));
            if network.addr().is_ipv4() { networks.four.push(range) } else { networks.six.push(range) }
        }
        for ranges in [&mut networks.four, &mut networks.six] {
            ranges.sort_unstable();
            ranges.dedup_by(|next, one| {
                let touches = next.0 <= one.1.saturating_add(1);
                if touches {
                    one.1 = one.1.max(next.1);
                }
                touches
            });
        }
        Ok(networks)
    }

    /// Whether an address lies in one of them.
    pub fn hold(&self, address: IpAddr) -> bool {
        let address = canonical(address);
        let (ranges, address) = (if address.is_ipv4() { &self.four } else { &self.six }, number(address));
        let behind = ranges.partition_point(|(first, _)| *first <= address);
        behind > 0 && address <= ranges[behind - 1].1
    }
}

fn number(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(address) => u128::from(u32::from(address)),
        IpAddr::V6(address) => u128::from(address),
    }
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, Ipv6Addr};

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_file_has_a_network_a_line() {
        let text = "# Example cloud\n203.0.113.0/25\n203.0.113.128/25 # its second half\n\n2001:db8::/32\r\n198.51.100.7\n";
        let networks = ManyNetworks::read(text).unwrap();
        assert_eq!((networks.four.len(), networks.six.len()), (2, 1));
        for inside in ["203.0.113.0", "203.0.113.255", "::ffff:203.0.113.9", "2001:db8::1", "198.51.100.7"] {
            assert!(networks.hold(inside.parse().unwrap()), "{inside}");
        }
        for outside in ["203.0.112.255", "203.0.114.0", "198.51.100.8", "2001:db9::", "::", "0.0.0.0"] {
            assert!(!networks.hold(outside.parse().unwrap()), "{outside}");
        }
        assert_eq!(ManyNetworks::read("203.0.113.0/24\nacme\n"), Err(NoNetwork { line: 2 }));
        assert_eq!(ManyNetworks::read("203.0.113.0/33"), Err(NoNetwork { line: 1 }));
    }

    proptest! {
        #[test]
        fn an_address_is_held_if_a_network_holds_it(
            four in prop::collection::vec((any::<u32>(), 0_u8..=32), 0..12),
            six in prop::collection::vec((any::<u128>(), 0_u8..=128), 0..12),
            address in any::<(u32, u128)>(), near in any::<prop::sample::Index>(), step in -2_i64..3,
        ) {
            let mut all: Vec<IpNet> = Vec::new();
            all.extend(four.into_iter().map(|(bits, length)| IpNet::new(Ipv4Addr::from(bits).into(), length).unwrap()));
            all.extend(six.into_iter().map(|(bits, length)| IpNet::new(Ipv6Addr::from(bits).into(), length).unwrap()));
            let text: Vec<String> = all.iter().map(ToString::to_string).collect();
            let networks = ManyNetworks::read(&text.join("\n")).unwrap();
            let mut asked = vec![IpAddr::from(Ipv4Addr::from(address.0)), IpAddr::from(Ipv6Addr::from(address.1))];
            if !all.is_empty() {
                let network = near.get(&all);
                for edge in [network.network(), network.broadcast()] {
                    asked.push(match edge {
                        IpAddr::V4(edge) => IpAddr::from(Ipv4Addr::from(u32::from(edge).wrapping_add_signed(step as i32))),
                        IpAddr::V6(edge) => IpAddr::from(Ipv6Addr::from(u128::from(edge).wrapping_add_signed(step.into()))),
                    });
                }
            }
            for address in asked.into_iter().map(canonical) {
                prop_assert_eq!(networks.hold(address), all.iter().any(|network| network.contains(&address)), "{}", address);
            }
        }
    }
}
