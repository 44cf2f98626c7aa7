//! pebble, an ACME server for tests: a process of its own, which asks the test's name server and looks at a port of the test's.

use std::fs;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use bytes::Bytes;
use pagesmith_worker::egress::{Egress, Options, roots_of_pem};
use rcgen::{CertificateParams, KeyPair};
use rustls::pki_types::CertificateDer;
use serde_json::json;
use tempfile::TempDir;

/// How long a test waits for it.
pub const TIME_LIMIT: Duration = Duration::from_secs(60);
/// How often it is started: a port that is free may be taken before it binds it.
const STARTS: usize = 5;

/// The server; it ends with this.
pub struct Pebble {
    process: Child,
    _folder: TempDir,
    management: String,
    /// Where it answers, and with which certificate.
    pub address: SocketAddr,
    pub certificate: CertificateDer<'static>,
    /// Its directory.
    pub directory: String,
    /// The way to it, which trusts its certificate.
    pub gateway: Egress,
}

#[expect(clippy::disallowed_methods, reason = "the test command says where the program is")]
fn program() -> Option<String> {
    std::env::var("PAGESMITH_TEST_PEBBLE").ok()
}

fn free_port() -> u16 {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port()
}

/// A way outwards that trusts these certificates.
pub fn gateway(roots: Option<&str>) -> Egress {
    let roots = roots.map(|pem| roots_of_pem(pem.as_bytes()).unwrap());
    Egress::new(&Options { roots, ..Options::new("127.0.0.0/8".parse().unwrap()) })
}

impl Pebble {
    /// A server that looks at these ports, by HTTP and by TLS; nothing where the test command has found none.
    pub async fn start(names: SocketAddr, looked_at: [u16; 2]) -> Option<Pebble> {
        Pebble::start_with(names, looked_at, false).await
    }

    /// A server that looks nowhere and believes every name.
    pub async fn start_believing(names: SocketAddr) -> Option<Pebble> {
        Pebble::start_with(names, [1, 1], true).await
    }

    async fn start_with(names: SocketAddr, looked_at: [u16; 2], believes: bool) -> Option<Pebble> {
        let program = program()?;
        for _ in 0..STARTS {
            // Somebody else may have taken a port before pebble binds it: it ends then, and is given others.
            let ports = [free_port(), free_port()];
            if let Some(pebble) = Pebble::start_at(ports, &program, names, looked_at, believes).await {
                return Some(pebble);
            }
        }
        panic!("pebble ended at each of {STARTS} starts");
    }

    /// The same at its own two ports; nothing if it ended before it answered.
    async fn start_at(
        [port, management]: [u16; 2],
        program: &str,
        names: SocketAddr,
        [http_port, tls_port]: [u16; 2],
        believes: bool,
    ) -> Option<Pebble> {
        let folder = tempfile::tempdir().unwrap();
        let key = KeyPair::generate().unwrap();
        let own = CertificateParams::new(vec!["127.0.0.1".to_owned()]).unwrap().self_signed(&key).unwrap();
        let file = |name: &str| folder.path().join(name);
        fs::write(file("cert.pem"), own.pem()).unwrap();
        fs::write(file("key.pem"), key.serialize_pem()).unwrap();
        let config = json!({ "pebble": {
            "listenAddress": format!("127.0.0.1:{port}"),
            "managementListenAddress": format!("127.0.0.1:{management}"),
            "certificate": file("cert.pem"),
            "privateKey": file("key.pem"),
            "httpPort": http_port,
            "tlsPort": tls_port,
        } });
        fs::write(file("config.json"), config.to_string()).unwrap();
        let mut command = Command::new(program);
        command.arg("-config").arg(file("config.json")).args(["-dnsserver", &names.to_string(), "-strict"]);
        // By default it refuses one request in twenty at random, sleeps and keeps authorizations: the test is to say what happens.
        command
            .env("PEBBLE_VA_NOSLEEP", "1")
            .env("PEBBLE_VA_ALWAYS_VALID", if believes { "1" } else { "0" })
            .env("PEBBLE_AUTHZREUSE", "0")
            .env("PEBBLE_WFE_NONCEREJECT", "0");
        let process = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let mut pebble = Pebble {
            process,
            _folder: folder,
            address: SocketAddr::from((Ipv4Addr::LOCALHOST, port)),
            certificate: own.der().clone(),
            management: format!("https://127.0.0.1:{management}"),
            directory: format!("https://127.0.0.1:{port}/dir"),
            gateway: gateway(Some(&own.pem())),
        };
        let begun = Instant::now();
        while pebble.get(&pebble.directory).await.is_none() || pebble.root_if_there().await.is_none() {
            if pebble.process.try_wait().unwrap().is_some() {
                return None;
            }
            assert!(begun.elapsed() < TIME_LIMIT, "pebble does not answer");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Some(pebble)
    }

    async fn get(&self, url: &str) -> Option<Bytes> {
        let request = http::Request::get(url).body(Bytes::new()).unwrap();
        let answer = self.gateway.exchange(request, 100_000).await.ok()?;
        answer.status().is_success().then(|| answer.into_body())
    }

    /// Its root certificate, in PEM form.
    pub async fn root(&self) -> Bytes {
        self.root_if_there().await.unwrap()
    }

    async fn root_if_there(&self) -> Option<Bytes> {
        self.get(&format!("{}/roots/0", self.management)).await
    }
}

impl Drop for Pebble {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}
