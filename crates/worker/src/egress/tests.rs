//! The gateway with a network of the test's own, on the test's own time: connections are pipes in memory, names mean what the test says,
//! and waiting costs nothing.

mod guard;
mod hostile;
mod names;
mod proxied;
mod secure;
mod streaming;

use std::collections::{BTreeMap, VecDeque};
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};

use pagesmith_model::network::Networks;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};

use super::*;

type Host = Box<dyn Fn(SocketAddr, DuplexStream) + Send + Sync>;

/// A network in memory.
struct Fake {
    /// What each name leads to, one answer after the other; the last one stays.
    names: Mutex<BTreeMap<String, VecDeque<Vec<IpAddr>>>>,
    /// Where connections went.
    dialled: Mutex<Vec<String>>,
    /// Who answers there.
    host: Host,
}

impl Net for Fake {
    fn resolve<'a>(&'a self, name: &'a str) -> Resolving<'a> {
        Box::pin(async move {
            if name == "endless.example" {
                std::future::pending::<()>().await;
            }
            let mut names = self.names.lock().unwrap();
            let answers =
                names.get_mut(name).ok_or_else(|| std::io::Error::from(std::io::ErrorKind::NotFound))?;
            Ok(if answers.len() > 1 { answers.pop_front().unwrap() } else { answers[0].clone() })
        })
    }

    fn dial(&self, address: SocketAddr) -> Dialling<'_> {
        self.dialled.lock().unwrap().push(address.to_string());
        Box::pin(async move {
            if address.ip().to_string() == "9.9.9.9" {
                std::future::pending::<()>().await;
            }
            let (ours, theirs) = tokio::io::duplex(64 * 1024);
            (self.host)(address, theirs);
            Ok(Box::new(ours) as Box<dyn Duplex>)
        })
    }
}

/// A gateway and the network behind it.
pub(crate) struct Scene {
    pub(crate) egress: Egress,
    net: Arc<Fake>,
}

impl Scene {
    /// Where every name is `public.example`'s, and `host` answers everywhere.
    pub(crate) fn new(host: impl Fn(SocketAddr, DuplexStream) + Send + Sync + 'static) -> Scene {
        Scene::with("", None, host)
    }

    fn with(
        allowed: &str,
        roots: Option<Arc<RootCertStore>>,
        host: impl Fn(SocketAddr, DuplexStream) + Send + Sync + 'static,
    ) -> Scene {
        let allowed: Networks = allowed.parse().unwrap();
        Scene::of(Options { roots, ..Options::new(allowed) }, host)
    }

    /// Where everything goes through a proxy, which is `host`.
    fn through(
        proxy: &str,
        roots: Option<Arc<RootCertStore>>,
        host: impl Fn(SocketAddr, DuplexStream) + Send + Sync + 'static,
    ) -> Scene {
        let proxy = Some(proxy.parse().unwrap());
        Scene::of(Options { proxy, roots, ..Options::new(Networks::default()) }, host)
    }

    fn of(options: Options, host: impl Fn(SocketAddr, DuplexStream) + Send + Sync + 'static) -> Scene {
        let net = Arc::new(Fake { names: Mutex::default(), dialled: Mutex::default(), host: Box::new(host) });
        let options = Options { net: net.clone() as Arc<dyn Net>, ..options };
        let scene = Scene { egress: Egress::new(&options), net };
        scene.name("public.example", &[&["93.184.216.34"]]);
        scene
    }

    /// Lets a name lead to these addresses, one answer after the other.
    pub(crate) fn name(&self, name: &str, answers: &[&[&str]]) {
        let answers = answers.iter().map(|ips| ips.iter().map(|ip| ip.parse().unwrap()).collect());
        self.net.names.lock().unwrap().insert(name.to_owned(), answers.collect());
    }

    async fn send(&self, url: &str) -> Result<Answer, Failure> {
        let outgoing =
            Outgoing { url: url.to_owned(), headers: HeaderMap::new(), body: Bytes::from_static(b"{}") };
        self.egress.send(outgoing, 4096).await
    }

    fn dialled(&self) -> Vec<String> {
        self.net.dialled.lock().unwrap().clone()
    }
}

/// Reads one request, which has a body of two bytes.
async fn request_of(stream: &mut DuplexStream) -> Option<String> {
    let mut seen = Vec::new();
    while !seen.ends_with(b"\r\n\r\n{}") {
        let mut bytes = [0; 1024];
        match stream.read(&mut bytes).await.unwrap_or(0) {
            0 => return None,
            count => seen.extend_from_slice(&bytes[..count]),
        }
    }
    Some(String::from_utf8(seen).unwrap())
}

/// Answers every request on every connection with the same bytes.
fn answering(bytes: &'static [u8]) -> impl Fn(SocketAddr, DuplexStream) + Send + Sync + 'static {
    move |_, mut stream| {
        tokio::spawn(async move {
            while request_of(&mut stream).await.is_some() {
                if stream.write_all(bytes).await.is_err() {
                    return;
                }
            }
        });
    }
}

const FINE: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
