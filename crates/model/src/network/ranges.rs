//! The ranges of addresses that are not the public internet's.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{Ipv4Net, Ipv6Net};

const fn v4(a: u8, b: u8, c: u8, d: u8, bits: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), bits)
}

const fn v6(head: [u16; 3], bits: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(head[0], head[1], head[2], 0, 0, 0, 0, 0), bits)
}

/// Reserved ranges of IPv4, with what they are for.
const OLD: &[(Ipv4Net, &str)] = &[
    (v4(0, 0, 0, 0, 8), "this network"),
    (v4(10, 0, 0, 0, 8), "private networks"),
    (v4(100, 64, 0, 0, 10), "networks shared by a carrier's customers"),
    (v4(127, 0, 0, 0, 8), "the machine itself"),
    (v4(168, 63, 129, 16, 32), "a cloud's own service"),
    (v4(169, 254, 0, 0, 16), "neighbours on the link"),
    (v4(172, 16, 0, 0, 12), "private networks"),
    (v4(192, 0, 0, 0, 24), "protocols"),
    (v4(192, 0, 2, 0, 24), "documentation"),
    (v4(192, 31, 196, 0, 24), "name servers of private addresses"),
    (v4(192, 52, 193, 0, 24), "multicast tunnels"),
    (v4(192, 88, 99, 0, 24), "6to4 relays"),
    (v4(192, 168, 0, 0, 16), "private networks"),
    (v4(192, 175, 48, 0, 24), "name servers of private addresses"),
    (v4(198, 18, 0, 0, 15), "benchmarks"),
    (v4(198, 51, 100, 0, 24), "documentation"),
    (v4(203, 0, 113, 0, 24), "documentation"),
    (v4(224, 0, 0, 0, 4), "groups"),
    (v4(240, 0, 0, 0, 4), "the future and broadcasts"),
];

/// What is given out to the public of IPv6; everything else is reserved.
const PUBLIC: Ipv6Net = v6([0x2000, 0, 0], 3);

/// IPv4 addresses for networks that have only IPv6: as public as the address within.
const TRANSLATED: Ipv6Net = v6([0x64, 0xff9b, 0], 96);

/// Reserved ranges within the public part of IPv6.
const NEW: &[(Ipv6Net, &str)] = &[
    // Teredo, benchmarks, ORCHID and others.
    (v6([0x2001, 0, 0], 23), "protocols and tunnels"),
    (v6([0x2001, 0xdb8, 0], 32), "documentation"),
    (v6([0x2002, 0, 0], 16), "6to4 tunnels"),
    (v6([0x2620, 0x4f, 0x8000], 48), "name servers of private addresses"),
    (v6([0x3ffe, 0, 0], 16), "a test that has ended"),
    (v6([0x3fff, 0, 0], 20), "documentation"),
];

/// Parts of the rest of IPv6 that deserve a word of their own.
const REST: &[(Ipv6Net, &str)] = &[
    (v6([0, 0, 0], 96), "the machine itself and old forms of IPv4"),
    (v6([0x64, 0xff9b, 1], 48), "a network's own translation of IPv4"),
    (v6([0xfc00, 0, 0], 7), "private networks"),
    (v6([0xfe80, 0, 0], 10), "neighbours on the link"),
    (v6([0xfec0, 0, 0], 10), "private networks"),
    (v6([0xff00, 0, 0], 8), "groups"),
];

/// What an address is reserved for; nothing if it is the public internet's.
pub fn reserved(address: IpAddr) -> Option<&'static str> {
    match address.to_canonical() {
        IpAddr::V4(address) => reserved_v4(address),
        IpAddr::V6(address) => reserved_v6(address),
    }
}

fn reserved_v4(address: Ipv4Addr) -> Option<&'static str> {
    OLD.iter().find(|(range, _)| range.contains(&address)).map(|(_, what)| *what)
}

fn reserved_v6(address: Ipv6Addr) -> Option<&'static str> {
    if TRANSLATED.contains(&address) {
        let [.., a, b, c, d] = address.octets();
        return reserved_v4(Ipv4Addr::new(a, b, c, d));
    }
    let within = if PUBLIC.contains(&address) { NEW } else { REST };
    let named = within.iter().find(|(range, _)| range.contains(&address)).map(|(_, what)| *what);
    named.or_else(|| (!PUBLIC.contains(&address)).then_some("the future"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn is_reserved(address: impl Into<IpAddr>) -> bool {
        reserved(address.into()).is_some()
    }

    #[test]
    fn the_first_and_the_last_of_every_range_are_reserved_and_their_neighbours_are_judged_alone() {
        for (range, what) in OLD {
            assert!(is_reserved(range.network()) && is_reserved(range.broadcast()), "{range}: {what}");
            let before = u32::from(range.network()).checked_sub(1).map(Ipv4Addr::from);
            let after = u32::from(range.broadcast()).checked_add(1).map(Ipv4Addr::from);
            for neighbour in before.into_iter().chain(after) {
                let elsewhere = OLD.iter().any(|(other, _)| other != range && other.contains(&neighbour));
                assert_eq!(is_reserved(neighbour), elsewhere, "{neighbour} beside {range}");
            }
        }
        for (range, what) in NEW {
            assert!(is_reserved(range.network()) && is_reserved(range.broadcast()), "{range}: {what}");
            let before = Ipv6Addr::from(u128::from(range.network()) - 1);
            let after = Ipv6Addr::from(u128::from(range.broadcast()) + 1);
            for neighbour in [before, after] {
                let elsewhere = NEW.iter().any(|(other, _)| other != range && other.contains(&neighbour));
                assert_eq!(is_reserved(neighbour), elsewhere, "{neighbour} beside {range}");
            }
        }
        for (range, what) in REST {
            assert!(is_reserved(range.network()) && is_reserved(range.broadcast()), "{range}: {what}");
        }
        assert!(!is_reserved(PUBLIC.network()) && !is_reserved(PUBLIC.broadcast()));
        let outside = [u128::from(PUBLIC.network()) - 1, u128::from(PUBLIC.broadcast()) + 1];
        assert!(outside.into_iter().all(|bits| is_reserved(Ipv6Addr::from(bits))));
    }

    #[test]
    fn where_secrets_are_kept_is_reserved() {
        for address in [
            "169.254.169.254",
            "169.254.170.2",
            "100.100.100.200",
            "192.0.0.192",
            "168.63.129.16",
            "255.255.255.255",
            "fd00:ec2::254",
            "::",
            "::1",
            "::ffff:169.254.169.254",
            "::169.254.169.254",
            "64:ff9b::a9fe:a9fe",
            "64:ff9b:1::1",
            "2002:a9fe:a9fe::1",
            "2001:0:4136:e378:8000:63bf:3fff:fdd2",
            "fe80::1",
            "ff02::1",
            "5f00::1",
            "100::1",
            "4000::1",
        ] {
            assert!(is_reserved(address.parse::<IpAddr>().unwrap()), "{address}");
        }
    }

    #[test]
    fn the_public_internet_is_not() {
        for address in
            ["1.1.1.1", "93.184.216.34", "2606:4700::1111", "2a00::1", "64:ff9b::101:101", "::ffff:8.8.8.8"]
        {
            assert!(!is_reserved(address.parse::<IpAddr>().unwrap()), "{address}");
        }
    }

    proptest! {
        #[test]
        fn an_ipv4_address_within_an_ipv6_one_is_never_more_public(bits: u32) {
            let old = Ipv4Addr::from(bits);
            let [a, b, c, d] = old.octets().map(u16::from);
            let (high, low) = (a << 8 | b, c << 8 | d);
            prop_assert_eq!(is_reserved(old.to_ipv6_mapped()), is_reserved(old));
            prop_assert_eq!(is_reserved(Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, high, low)), is_reserved(old));
            prop_assert!(is_reserved(Ipv6Addr::new(0, 0, 0, 0, 0, 0, high, low)));
            prop_assert!(is_reserved(Ipv6Addr::new(0x64, 0xff9b, 1, 0, 0, 0, high, low)));
            prop_assert!(is_reserved(Ipv6Addr::new(0x2002, high, low, 0, 0, 0, 0, 1)));
            prop_assert!(is_reserved(Ipv6Addr::new(0x2001, 0, high, low, 0, 0, 0, 1)));
        }

        #[test]
        fn every_address_of_a_range_is_reserved(which in 0..OLD.len(), bits: u32) {
            let (range, _) = OLD[which];
            let inside = u32::from(range.network()) | (bits & u32::from(range.hostmask()));
            prop_assert!(is_reserved(Ipv4Addr::from(inside)));
        }

        #[test]
        fn nothing_outside_the_public_part_of_ipv6_is_open(bits: u128) {
            let address = Ipv6Addr::from(bits);
            let is_public = PUBLIC.contains(&address);
            prop_assert!(is_public || is_reserved(address) || TRANSLATED.contains(&address) || address.to_ipv4_mapped().is_some());
        }
    }
}
