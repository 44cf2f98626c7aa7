//! TLS over real sockets: which certificate a client gets, what plain HTTP is answered, and clients that do not speak TLS.

use std::net::{Ipv4Addr, SocketAddr};

use axum::http::Request;
use bytes::Bytes;
use http_body_util::{BodyExt, Empty};
use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use pagesmith_file_storage::Storage;
use pagesmith_operations::Platform;
use pagesmith_operations::access::KeyRing;
use pagesmith_operations::tenant_domains::check::NoNames;
use pagesmith_store::Store;
use rcgen::{CertificateParams, KeyPair};
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, RootCertStore};
use tempfile::TempDir;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsConnector;

use super::*;
use crate::server::{Listeners, ServeOptions, serve};
use crate::state::{Settings, Shared, Tls};

/// Writes a certificate for these names, and its key.
fn write(folder: &TempDir, file: &str, names: &[&str]) -> CertificateDer<'static> {
    let key = KeyPair::generate().unwrap();
    let names: Vec<String> = names.iter().map(ToString::to_string).collect();
    let certificate = CertificateParams::new(names).unwrap().self_signed(&key).unwrap();
    std::fs::write(folder.path().join(format!("{file}.pem")), certificate.pem()).unwrap();
    std::fs::write(folder.path().join(format!("{file}.key")), key.serialize_pem()).unwrap();
    certificate.der().clone()
}

struct Server {
    plain: SocketAddr,
    tls: SocketAddr,
    certificates: Arc<Certificates>,
    _folder: TempDir,
}

async fn start(folder: &TempDir) -> Server {
    let data = tempfile::tempdir().unwrap();
    let store = Store::open_inline(&data.path().join("test.db")).unwrap();
    let keys = Arc::new(KeyRing::new(store.clone()));
    let certificates = Certificates::read(folder.path()).unwrap();
    let [plain, tls] = [
        TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap(),
        TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap(),
    ];
    let addresses = [plain.local_addr().unwrap(), tls.local_addr().unwrap()];
    let settings = Settings {
        site_domain: "pages.example".to_owned(),
        tls: Some(Tls {
            certificates: Arc::clone(&certificates),
            port: Some(addresses[1].port()),
            strict_transport: Duration::from_hours(24),
        }),
        ..Settings::usual("https://api.example")
    };
    let (files, names) = (Storage::in_memory(), Arc::new(NoNames));
    let state = Shared::new(settings, store, files, Platform::system(), keys, names);
    let options = ServeOptions {
        max_connections: 10,
        header_timeout: Duration::from_secs(2),
        write_timeout: Duration::from_secs(5),
        shutdown_timeout: Duration::from_secs(1),
    };
    let listeners = Listeners { plain, tls: Some((tls, certificates.acceptor().unwrap())), console: None };
    tokio::spawn(serve(listeners, crate::app(state), options, std::future::pending()));
    Server { plain: addresses[0], tls: addresses[1], certificates, _folder: data }
}

/// What is answered to a request of this host.
async fn ask(mut socket: impl AsyncRead + AsyncWrite + Unpin, host: &str, path: &str) -> String {
    let request = format!("GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
    socket.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).await.unwrap();
    answer
}

impl Server {
    /// A connection to that name, for a client that believes one certificate.
    async fn connect(
        &self,
        believed: &CertificateDer<'static>,
        name: &'static str,
    ) -> io::Result<tokio_rustls::client::TlsStream<TcpStream>> {
        self.connect_for(believed, name, &[]).await
    }

    /// The same for one that speaks these protocols.
    async fn connect_for(
        &self,
        believed: &CertificateDer<'static>,
        name: &'static str,
        protocols: &[&str],
    ) -> io::Result<tokio_rustls::client::TlsStream<TcpStream>> {
        let mut roots = RootCertStore::empty();
        roots.add(believed.clone()).unwrap();
        let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
        config.alpn_protocols = protocols.iter().map(|name| name.as_bytes().to_vec()).collect();
        let socket = TcpStream::connect(self.tls).await.unwrap();
        let name = ServerName::try_from(name).unwrap();
        TlsConnector::from(Arc::new(config)).connect(name, socket).await
    }

    async fn plain(&self) -> TcpStream {
        TcpStream::connect(self.plain).await.unwrap()
    }
}

#[tokio::test]
async fn each_client_gets_the_certificate_of_the_name_that_it_asks_for() {
    let folder = tempfile::tempdir().unwrap();
    let api = write(&folder, "api", &["API.example"]);
    let sites = write(&folder, "sites", &["*.pages.example", "go.acme.example"]);
    let server = start(&folder).await;
    for (believed, name) in
        [(&api, "api.example"), (&sites, "acme.pages.example"), (&sites, "go.acme.example")]
    {
        let socket = server.connect(believed, name).await.unwrap();
        let answer = ask(socket, name, "/healthz").await;
        let status = if name == "acme.pages.example" { "404" } else { "200" };
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{name}: {answer}");
        // Browsers are told to come back by TLS where a site is.
        let told = answer.contains("strict-transport-security: max-age=86400");
        assert_eq!(told, name == "acme.pages.example", "{answer}");
    }
    for (believed, name) in [
        (&api, "acme.pages.example"),
        (&sites, "a.b.pages.example"),
        (&sites, "pages.example"),
        (&api, "unknown.example"),
    ] {
        assert!(server.connect(believed, name).await.is_err(), "{name}");
    }
}

#[tokio::test]
async fn files_that_have_changed_count_and_broken_ones_do_not() {
    let folder = tempfile::tempdir().unwrap();
    let old = write(&folder, "api", &["api.example"]);
    let server = start(&folder).await;
    assert!(!server.certificates.read_again().unwrap());
    let new = write(&folder, "api", &["api.example", "www.example"]);
    assert!(server.certificates.read_again().unwrap());
    assert!(server.connect(&new, "www.example").await.is_ok());
    assert!(server.connect(&old, "api.example").await.is_err());
    let other = tempfile::tempdir().unwrap();
    write(&other, "api", &["api.example"]);
    std::fs::copy(other.path().join("api.key"), folder.path().join("api.key")).unwrap();
    let error = server.certificates.read_again().unwrap_err().to_string();
    assert!(error.contains("api.pem") && error.contains("another certificate's"), "{error}");
    for (file, content) in [("api.key", "no key"), ("api.pem", "no certificate")] {
        std::fs::write(folder.path().join(file), content).unwrap();
        assert!(server.certificates.read_again().unwrap_err().to_string().contains("api.pem"));
    }
    std::fs::remove_file(folder.path().join("api.key")).unwrap();
    assert!(server.certificates.read_again().unwrap_err().to_string().contains("api.key"));
    assert!(server.connect(&new, "api.example").await.is_ok());
    let nothing = tempfile::tempdir().unwrap();
    assert!(Certificates::read(nothing.path()).is_err());
}

#[tokio::test]
async fn plain_http_is_sent_on_where_there_is_a_certificate() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder, "sites", &["*.pages.example"]);
    let server = start(&folder).await;
    let answer = ask(server.plain().await, "acme.pages.example:80", "/spring?a=b").await;
    let place = format!("location: https://acme.pages.example:{}/spring?a=b\r\n", server.tls.port());
    assert!(answer.starts_with("HTTP/1.1 308 ") && answer.contains(&place), "{answer}");
    let answer = ask(server.plain().await, "api.example", "/healthz").await;
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    // Those who ask whether the server is well ask it by its address or any name.
    let answer = ask(server.plain().await, "acme.pages.example", "/healthz").await;
    assert!(answer.starts_with("HTTP/1.1 404 "), "{answer}");
}

#[tokio::test]
async fn who_does_not_speak_tls_is_dropped_in_time_and_holds_nobody_up() {
    let folder = tempfile::tempdir().unwrap();
    let api = write(&folder, "api", &["api.example"]);
    let server = start(&folder).await;
    let mut silent = Vec::new();
    for _ in 0..9 {
        silent.push(TcpStream::connect(server.tls).await.unwrap());
    }
    let socket = server.connect(&api, "api.example").await.unwrap();
    assert!(ask(socket, "api.example", "/healthz").await.starts_with("HTTP/1.1 200 "));
    for mut socket in silent {
        assert_eq!(socket.read(&mut [0; 16]).await.unwrap_or(0), 0);
    }
    let mut plain = TcpStream::connect(server.tls).await.unwrap();
    plain.write_all(b"GET / HTTP/1.1\r\nhost: api.example\r\n\r\n").await.unwrap();
    let mut answer = Vec::new();
    drop(plain.read_to_end(&mut answer).await);
    assert!(!answer.starts_with(b"HTTP"));
}

#[tokio::test]
async fn a_client_gets_the_protocol_that_it_prefers_of_those_that_are_spoken() {
    let folder = tempfile::tempdir().unwrap();
    let api = write(&folder, "api", &["api.example", "*.pages.example"]);
    let server = start(&folder).await;
    let socket = server.connect_for(&api, "api.example", &["h2", "http/1.1"]).await.unwrap();
    assert_eq!(socket.get_ref().1.alpn_protocol(), Some(&b"h2"[..]));
    let (mut client, connection) =
        http2::handshake::<_, _, Empty<Bytes>>(TokioExecutor::new(), TokioIo::new(socket)).await.unwrap();
    tokio::spawn(connection);
    for (host, path, status, told) in [
        ("api.example", "/healthz", 200, false),
        ("api.example", "/v0/pages", 401, false),
        ("acme.pages.example", "/spring", 404, true),
    ] {
        let request = Request::get(format!("https://{host}{path}")).body(Empty::new()).unwrap();
        let answer = client.send_request(request).await.unwrap();
        assert_eq!(answer.status(), status, "{host}{path}");
        assert!(answer.headers().contains_key("x-request-id"));
        assert_eq!(answer.headers().contains_key("strict-transport-security"), told, "{host}{path}");
        assert!(!answer.into_body().collect().await.unwrap().to_bytes().is_empty());
    }
    for protocols in [&["http/1.1"][..], &[]] {
        let socket = server.connect_for(&api, "api.example", protocols).await.unwrap();
        assert!(ask(socket, "api.example", "/healthz").await.starts_with("HTTP/1.1 200 "));
    }
    // Authorities are not answered where no certificates are ordered.
    for protocol in ["acme-tls/1", "spdy/3"] {
        assert!(server.connect_for(&api, "api.example", &[protocol]).await.is_err(), "{protocol}");
    }
}
