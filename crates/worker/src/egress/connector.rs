//! From an address to a connection: the name is resolved, everything it leads to is judged, and only then is anything dialled.

use std::future::Future;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use std::time::Duration;

use http::Uri;
use pagesmith_model::network::{Networks, is_odd_number, is_open_port};
use rustls::RootCertStore;
use rustls::pki_types::ServerName;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tower_service::Service;

use super::net::Net;
use super::wire::Wire;
use super::{Failure, Options, Proxy, race, tls};

/// Makes the connections of one gateway.
#[derive(Clone)]
pub(super) struct Connector {
    inner: Arc<Inner>,
}

struct Inner {
    allowed: Networks,
    time_limit: Duration,
    net: Arc<dyn Net>,
    proxy: Option<Proxy>,
    /// Whom is believed; those whom the system believes unless that is said.
    roots: Option<Arc<RootCertStore>>,
    /// Made for the first call that needs it: the system's certificates take a third of a mebibyte.
    tls: OnceLock<Result<TlsConnector, Failure>>,
    /// Whether what comes before the head of an answer is counted.
    is_metered: bool,
}

/// Where a request wants to go.
pub(super) struct Target {
    is_secure: bool,
    host: String,
    port: u16,
}

impl Target {
    pub(super) fn of(uri: &Uri) -> Result<Target, Failure> {
        let is_secure = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            _ => return Err(Failure::Address("it is neither http nor https")),
        };
        let authority = uri.authority().ok_or(Failure::Address("it has no host"))?;
        if authority.as_str().contains('@') {
            return Err(Failure::Address("it holds a user's name"));
        }
        let host = authority.host().trim_start_matches('[').trim_end_matches(']').to_ascii_lowercase();
        if host.is_empty() || host.parse::<IpAddr>().is_err() && is_odd_number(&host) {
            return Err(Failure::Address("its host is a number in an unusual form"));
        }
        let text = authority.as_str();
        let rest = &text[text.rfind(']').unwrap_or_default()..];
        let port = match (rest.rsplit_once(':'), authority.port_u16()) {
            (None, _) => {
                if is_secure {
                    443
                } else {
                    80
                }
            }
            (Some(_), Some(port)) => port,
            (Some(_), None) => return Err(Failure::Address("its port is none")),
        };
        if !is_open_port(port) {
            return Err(Failure::Address("its port is not one that is called"));
        }
        Ok(Target { is_secure, host, port })
    }

    /// Whether the host is a name of the machine itself.
    fn is_local(&self) -> bool {
        let host = self.host.trim_end_matches('.');
        host == "localhost" || host.ends_with(".localhost")
    }

    fn literal(&self) -> Option<IpAddr> {
        self.host.parse().ok()
    }
}

impl Connector {
    /// Connections that end where more comes before the head of an answer than any head has.
    pub(super) fn new(options: &Options) -> Connector {
        Connector::with(options, true)
    }

    /// Connections to a server that the operator has chosen and that answers with large bodies: these may come before anybody has seen their head.
    pub(super) fn unmetered(options: &Options) -> Connector {
        Connector::with(options, false)
    }

    fn with(options: &Options, is_metered: bool) -> Connector {
        let inner = Inner {
            allowed: options.allowed.clone(),
            time_limit: options.connect,
            net: Arc::clone(&options.net),
            proxy: options.proxy.clone(),
            roots: options.roots.clone(),
            tls: OnceLock::new(),
            is_metered,
        };
        Connector { inner: Arc::new(inner) }
    }
}

impl Inner {
    /// The addresses, if all of them may be called. Only the machine's own name may have some that may not: an operator who allows one family's
    /// address of the machine need not know that its name has two.
    fn judged(&self, target: &Target, mut addresses: Vec<IpAddr>) -> Result<Vec<IpAddr>, Failure> {
        let reserved = addresses.iter().find_map(|address| self.allowed.refusal(*address));
        let Some(what) = reserved else { return Ok(addresses) };
        addresses.retain(|address| self.allowed.refusal(*address).is_none());
        if target.is_local() && !addresses.is_empty() { Ok(addresses) } else { Err(Failure::Reserved(what)) }
    }

    async fn connect(&self, uri: &Uri) -> Result<Wire, Failure> {
        let target = Target::of(uri)?;
        let addresses = match target.literal() {
            Some(address) => vec![address],
            None => self.net.resolve(&target.host).await.map_err(|error| unresolved(&error))?,
        };
        if addresses.is_empty() {
            return Err(Failure::Name);
        }
        let addresses = self.judged(&target, addresses)?;
        let net = self.net.as_ref();
        let stream = match &self.proxy {
            Some(proxy) => proxy.dial(net, &addresses, target.port).await?,
            None => race::dial(net, &addresses, target.port).await.map_err(|_| Failure::Refused)?,
        };
        if !target.is_secure {
            return Ok(Wire::new(stream, false, self.is_metered));
        }
        let name = ServerName::try_from(target.host).map_err(|_| Failure::Address("its host is no name"))?;
        let tls = self.tls.get_or_init(|| tls::connector(self.roots.clone()));
        let secured = tls.as_ref().map_err(Clone::clone)?.connect(name, stream).await;
        let secured = secured.map_err(|error| tls::failure(&error))?;
        let is_second = secured.get_ref().1.alpn_protocol() == Some(b"h2");
        Ok(Wire::new(Box::new(secured), is_second, self.is_metered))
    }
}

/// Why a name has no address.
fn unresolved(error: &io::Error) -> Failure {
    if error.kind() == io::ErrorKind::NotFound { Failure::Name } else { Failure::Unresolved }
}

impl Service<Uri> for Connector {
    type Response = Wire;
    type Error = Failure;
    type Future = Pin<Box<dyn Future<Output = Result<Wire, Failure>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Failure>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let inner = Arc::clone(&self.inner);
        Box::pin(async move {
            timeout(inner.time_limit, inner.connect(&uri)).await.unwrap_or(Err(Failure::Unconnected))
        })
    }
}
