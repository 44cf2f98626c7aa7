//! HTTP/2 over real sockets: the API, a page and a large file on one connection, and HTTP/1.1 beside it.

use std::future::poll_fn;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::http::request::Builder;
use axum::http::{Request, response};
use bytes::Bytes;
use h2::client::{self, SendRequest};
use pagesmith_http::server::{Listeners, ServeOptions, serve};
use pagesmith_http::state::Tls;
use pagesmith_http::tls::Certificates;
use pagesmith_testkit::{TestApp, fixtures};
use rcgen::{CertificateParams, KeyPair};
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

const HOST: &str = "api.test";
const SITE: &str = "acme.localhost";

/// A server with a certificate, and where it speaks TLS.
async fn start() -> (TestApp, SocketAddr, CertificateDer<'static>) {
    let folder = tempfile::tempdir().unwrap();
    let key = KeyPair::generate().unwrap();
    let own = CertificateParams::new(vec![HOST.to_owned()]).unwrap().self_signed(&key).unwrap();
    std::fs::write(folder.path().join("own.pem"), own.pem()).unwrap();
    std::fs::write(folder.path().join("own.key"), key.serialize_pem()).unwrap();
    let certificates = Certificates::read(folder.path()).unwrap();
    let acceptor = certificates.acceptor().unwrap();
    let tls = Tls { certificates, port: None, strict_transport: Duration::ZERO };
    let app = TestApp::with(|plan| plan.settings.tls = Some(tls)).await;
    let [plain, secure] = [
        TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap(),
        TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap(),
    ];
    let address = secure.local_addr().unwrap();
    let options = ServeOptions {
        max_connections: 100,
        header_timeout: Duration::from_secs(60),
        write_timeout: Duration::from_secs(60),
        shutdown_timeout: Duration::from_secs(1),
    };
    let listeners = Listeners { plain, tls: Some((secure, acceptor)), console: None };
    let served = pagesmith_http::app(app.state.clone());
    tokio::spawn(serve(listeners, served, options, std::future::pending()));
    (app, address, own.der().clone())
}

async fn connect(
    address: SocketAddr,
    believed: CertificateDer<'static>,
    protocol: &str,
) -> TlsStream<TcpStream> {
    let mut roots = RootCertStore::empty();
    roots.add(believed).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let mut config = config.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = vec![protocol.as_bytes().to_vec()];
    let socket = TcpStream::connect(address).await.unwrap();
    let to = ServerName::try_from(HOST).unwrap();
    TlsConnector::from(Arc::new(config)).connect(to, socket).await.unwrap()
}

/// Sends a request with a body as the server takes it; the answer whole.
async fn call(client: &SendRequest<Bytes>, request: Builder, mut body: Bytes) -> (response::Parts, Vec<u8>) {
    let mut client = client.clone().ready().await.unwrap();
    let (answer, mut stream) = client.send_request(request.body(()).unwrap(), body.is_empty()).unwrap();
    while !body.is_empty() {
        stream.reserve_capacity(body.len());
        let room = poll_fn(|context| stream.poll_capacity(context)).await.unwrap().unwrap();
        let piece = body.split_to(room.min(body.len()));
        stream.send_data(piece, body.is_empty()).unwrap();
    }
    let (head, mut body) = answer.await.unwrap().into_parts();
    let mut got = Vec::new();
    while let Some(piece) = body.data().await {
        let piece = piece.unwrap();
        body.flow_control().release_capacity(piece.len()).unwrap();
        got.extend_from_slice(&piece);
    }
    (head, got)
}

#[tokio::test]
async fn the_api_pages_and_files_come_over_one_connection() {
    let (app, address, certificate) = start().await;
    let client = app.client();
    let page = crate::audiences::page(&client).await;
    crate::audiences::audience(&client, &page, &json!({})).await;
    app.write_versions().await;
    let link = client.get(&format!("{page}/link")).await.expect(200).json();
    let link = link["path"].as_str().unwrap().to_owned();
    let (second, connection) =
        client::handshake(connect(address, certificate.clone(), "h2").await).await.unwrap();
    tokio::spawn(connection);
    let api = |method: &str, path: &str| {
        let request = Request::builder().method(method).uri(format!("https://{HOST}{path}"));
        request.header("x-api-key", &app.key)
    };
    let made = fixtures::page("By HTTP/2").to_string();
    let created = api("POST", "/v0/pages").header("content-type", "application/json");
    let (head, body) = call(&second, created, made.into()).await;
    assert_eq!(head.status, 201, "{}", String::from_utf8_lossy(&body));
    let made: Value = serde_json::from_slice(&body).unwrap();
    let path = format!("/v0/pages/{}", made["pageId"].as_str().unwrap());
    let (head, body) = call(&second, api("GET", &path), Bytes::new()).await;
    assert!(head.status == 200 && head.headers.contains_key("ratelimit"));
    assert_eq!(serde_json::from_slice::<Value>(&body).unwrap()["pageId"], made["pageId"]);
    // More than both windows hold, each way.
    let sent: Vec<u8> = (0..3_000_000_u32).flat_map(|number| [number as u8]).collect();
    let upload = api("POST", "/v0/files?name=large").header("content-type", "application/octet-stream");
    let (head, body) = call(&second, upload, sent.clone().into()).await;
    assert_eq!(head.status, 201, "{}", String::from_utf8_lossy(&body));
    let file: Value = serde_json::from_slice(&body).unwrap();
    let content = format!("/v0/files/{}/content", file["fileId"].as_str().unwrap());
    let (head, body) = call(&second, api("GET", &content), Bytes::new()).await;
    assert!(head.status == 200 && body == sent);
    // The site of the tenant, many times at once, and by HTTP/1.1 the same.
    let visit = || Request::get(format!("https://{SITE}{link}"));
    let visits = futures_util::future::join_all((0..50).map(|_| call(&second, visit(), Bytes::new())));
    for (head, body) in visits.await {
        assert_eq!(head.status, 200);
        let html = String::from_utf8(body).unwrap();
        assert!(html.starts_with("<!DOCTYPE html>") && html.contains("</html>"), "{html}");
    }
    let mut first = connect(address, certificate, "http/1.1").await;
    let asked = format!("GET {link} HTTP/1.1\r\nhost: {SITE}\r\nconnection: close\r\n\r\n");
    first.write_all(asked.as_bytes()).await.unwrap();
    let mut answer = String::new();
    first.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains("<!DOCTYPE html>"));
}
