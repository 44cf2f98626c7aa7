//! A proxy that the operator has set: every connection goes through it by CONNECT, those of plain HTTP too.
//!
//! The name is resolved and judged here as it is without a proxy, and the proxy is told the address that was judged, so that it cannot mean another
//! one. TLS is spoken with the name itself, through the proxy. The proxy's own address is the operator's choice and not judged. What
//! this is not: a reader of the environment's `HTTP_PROXY`.

use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::Uri;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::Failure;
use super::net::{Duplex, Net};
use super::race;

/// The largest head of an answer to CONNECT, in bytes.
const LARGEST_HEAD: usize = 8 * 1024;
/// More addresses of one name are not tried through a proxy.
const MOST: usize = 4;

/// Where a proxy is, and what it wants to be told; never shown whole by `Debug`.
#[derive(Clone, PartialEq, Eq)]
pub struct Proxy {
    host: String,
    port: u16,
    /// The value of `Proxy-Authorization`.
    authorization: Option<String>,
}

/// Not the address of a proxy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoProxy;

impl fmt::Debug for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Proxy({}:{})", self.host, self.port)
    }
}

impl FromStr for Proxy {
    type Err = NoProxy;

    /// `http://host:port`, with `user:password@` before the host if the proxy asks for it; characters of theirs that mean something in an
    /// address are escaped as in any other.
    fn from_str(text: &str) -> Result<Proxy, NoProxy> {
        let rest = text.strip_prefix("http://").ok_or(NoProxy)?.trim_end_matches('/');
        let (user, address) = match rest.rsplit_once('@') {
            Some((user, address)) => (Some(user), address),
            None => (None, rest),
        };
        let uri: Uri = format!("http://{address}/").parse().map_err(|_| NoProxy)?;
        let authority = uri.authority().filter(|authority| authority.as_str() == address).ok_or(NoProxy)?;
        let host = authority.host().trim_start_matches('[').trim_end_matches(']').to_owned();
        let port = authority.port_u16().filter(|port| *port != 0).ok_or(NoProxy)?;
        let authorization = user.map(|user| {
            let plain: Vec<u8> = percent_encoding::percent_decode_str(user).collect();
            format!("Basic {}", STANDARD.encode(plain))
        });
        if host.is_empty() { Err(NoProxy) } else { Ok(Proxy { host, port, authorization }) }
    }
}

impl Proxy {
    /// A connection through the proxy to the first of these addresses that it reaches.
    pub(super) async fn dial(
        &self,
        net: &dyn Net,
        addresses: &[IpAddr],
        port: u16,
    ) -> Result<Box<dyn Duplex>, Failure> {
        for address in addresses.iter().take(MOST) {
            let target = SocketAddr::new(*address, port);
            match self.connect(net, target).await {
                Ok(stream) => return Ok(stream),
                Err(error) => {
                    tracing::debug!(%error, proxy = ?self, %target, "no connection through the proxy");
                }
            }
        }
        Err(Failure::Refused)
    }

    async fn connect(&self, net: &dyn Net, target: SocketAddr) -> io::Result<Box<dyn Duplex>> {
        let mut stream = self.reach(net).await.inspect_err(|error| {
            tracing::warn!(%error, proxy = ?self, "the proxy cannot be reached");
        })?;
        let mut head = format!("CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n");
        if let Some(authorization) = &self.authorization {
            head += &format!("Proxy-Authorization: {authorization}\r\n");
        }
        stream.write_all((head + "\r\n").as_bytes()).await?;
        stream.flush().await?;
        match status(&mut stream).await? {
            200..=299 => Ok(stream),
            407 => {
                tracing::warn!(proxy = ?self, "the proxy asks for another user or password");
                Err(io::Error::other("the proxy answers 407"))
            }
            status => Err(io::Error::other(format!("the proxy answers {status}"))),
        }
    }

    async fn reach(&self, net: &dyn Net) -> io::Result<Box<dyn Duplex>> {
        let addresses = match self.host.parse::<IpAddr>() {
            Ok(address) => vec![address],
            Err(_) => net.resolve(&self.host).await?,
        };
        race::dial(net, &addresses, self.port).await
    }
}

/// The status of an answer whose head is read to its end, and not a byte further: what follows is the other side's.
async fn status(stream: &mut Box<dyn Duplex>) -> io::Result<u16> {
    let mut head = Vec::with_capacity(128);
    while !head.ends_with(b"\r\n\r\n") {
        if head.len() >= LARGEST_HEAD {
            return Err(io::Error::other("the proxy's answer has no end"));
        }
        head.push(stream.read_u8().await?);
    }
    let digits = head.strip_prefix(b"HTTP/1.").and_then(|rest| rest.get(2..5));
    let status = digits.and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok());
    status.ok_or_else(|| io::Error::other("the proxy's answer is not HTTP"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxy_is_an_address_with_a_port() {
        let proxy = |text: &str| text.parse::<Proxy>();
        let plain = proxy("http://proxy.example:3128").unwrap();
        assert_eq!((plain.host.as_str(), plain.port, &plain.authorization), ("proxy.example", 3128, &None));
        assert_eq!(proxy("http://[::1]:8080/").unwrap().host, "::1");
        let known = proxy("http://us%20er:p@ss@10.0.0.1:1").unwrap();
        assert_eq!(known.authorization.as_deref(), Some("Basic dXMgZXI6cEBzcw=="));
        assert_eq!(format!("{known:?}"), "Proxy(10.0.0.1:1)");
        for wrong in [
            "",
            "proxy:3128",
            "http://",
            "http://proxy",
            "http://proxy:0",
            "http://:3128",
            "https://proxy:3128",
            "socks5://proxy:1080",
            "http://proxy:3128/path",
            "http://proxy:3128?x",
            "http://pro xy:3128",
        ] {
            assert_eq!(proxy(wrong), Err(NoProxy), "{wrong}");
        }
    }
}
