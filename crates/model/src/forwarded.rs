//! Where a request comes from that went through proxies: `Forwarded` (RFC 7239) and `X-Forwarded-For`, read strictly.
//!
//! Every proxy appends the address that it was spoken to from, so the lists are believed from their right end, as far as the
//! proxies are trusted ones. What a client wrote into them stands further left and is never reached. What this is not: a list of the trusted
//! networks, or anything about hosts and schemes.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use crate::network::{Networks, canonical};

mod grammar;

pub use grammar::{Node, forwarded, x_forwarded_for};

/// The header in which the trusted proxies write.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ProxyHeader {
    /// Whichever is there. Both together count only if they agree, since one of them may be the client's.
    #[default]
    Either,
    /// `Forwarded`.
    Forwarded,
    /// `X-Forwarded-For`.
    XForwardedFor,
}

/// Not the name of such a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownHeader;

impl FromStr for ProxyHeader {
    type Err = UnknownHeader;

    fn from_str(text: &str) -> Result<ProxyHeader, UnknownHeader> {
        match text.trim().to_ascii_lowercase().as_str() {
            "either" => Ok(ProxyHeader::Either),
            "forwarded" => Ok(ProxyHeader::Forwarded),
            "x-forwarded-for" => Ok(ProxyHeader::XForwardedFor),
            _ => Err(UnknownHeader),
        }
    }
}

/// The lines of the two headers, in the order in which they came.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lines<'a> {
    /// Of `Forwarded`.
    pub forwarded: Vec<&'a [u8]>,
    /// Of `X-Forwarded-For`.
    pub x_forwarded_for: Vec<&'a [u8]>,
}

/// The client's address: the right-most that is not a trusted proxy's.
///
/// Where the list ends, is not valid or names no address, it is the last proxy that is known.
pub fn client(peer: IpAddr, trusted: &Networks, header: ProxyHeader, lines: &Lines<'_>) -> IpAddr {
    let peer = canonical(peer);
    if !trusted.hold(peer) {
        return peer;
    }
    let by_forwarded = || walk(peer, trusted, &lines.forwarded, forwarded);
    let by_x_forwarded_for = || walk(peer, trusted, &lines.x_forwarded_for, x_forwarded_for);
    match header {
        ProxyHeader::Forwarded => by_forwarded(),
        ProxyHeader::XForwardedFor => by_x_forwarded_for(),
        ProxyHeader::Either if lines.forwarded.is_empty() => by_x_forwarded_for(),
        ProxyHeader::Either if lines.x_forwarded_for.is_empty() => by_forwarded(),
        ProxyHeader::Either => {
            let client = by_forwarded();
            if client == by_x_forwarded_for() { client } else { peer }
        }
    }
}

fn walk(
    peer: IpAddr,
    trusted: &Networks,
    lines: &[&[u8]],
    read: impl Fn(&[u8]) -> Option<Vec<Node>>,
) -> IpAddr {
    let mut known = peer;
    for line in lines.iter().rev() {
        let Some(nodes) = read(line) else { return known };
        for node in nodes.into_iter().rev() {
            let Node::Address(address) = node else { return known };
            known = canonical(address);
            if !trusted.hold(known) {
                return known;
            }
        }
    }
    known
}

/// An address with perhaps a port: `192.0.2.1`, `192.0.2.1:80`, `[2001:db8::1]`, `[2001:db8::1]:80`; alone also `2001:db8::1` if `bare`.
fn address(text: &str, bare: bool) -> Option<IpAddr> {
    if let Some(rest) = text.strip_prefix('[') {
        let (inner, port) = rest.split_once(']')?;
        let is_whole = port.is_empty() || port.strip_prefix(':').is_some_and(is_port);
        return inner.parse::<Ipv6Addr>().ok().filter(|_| is_whole).map(IpAddr::V6);
    }
    if bare && let Ok(address) = text.parse::<Ipv6Addr>() {
        return Some(IpAddr::V6(address));
    }
    let (host, port) = text.split_once(':').map_or((text, None), |(host, port)| (host, Some(port)));
    host.parse::<Ipv4Addr>().ok().filter(|_| port.is_none_or(is_port)).map(IpAddr::V4)
}

/// A port, or what stands for one that is not to be known.
fn is_port(text: &str) -> bool {
    let is_number = (1..=5).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number || is_obfuscated(text)
}

fn is_obfuscated(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    text.strip_prefix('_').is_some_and(|rest| !rest.is_empty() && rest.bytes().all(allowed))
}

#[cfg(test)]
mod tests;
