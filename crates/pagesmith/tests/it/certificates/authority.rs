//! An authority in front of pebble, which passes everything on and has what pebble has not: renewal information (ARI), names of its own for CAA
//! records, and limits.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, Response, StatusCode, header};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use pagesmith_model::Timestamp;
use pagesmith_worker::egress::Egress;
use rcgen::{CertificateParams, KeyPair};
use rustls::pki_types::{PrivateKeyDer, ServerName};
use rustls::{ClientConfig, RootCertStore, ServerConfig};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_rustls::server::TlsStream;
use tokio_rustls::{TlsAcceptor, TlsConnector};

use super::pebble::{self, Pebble};

/// The name that it goes by in CAA records.
pub const IDENTITY: &str = "authority.example";

/// What it says, and what it was told.
#[derive(Default)]
pub struct AuthorityState {
    /// When certificates are to be renewed, if it says so.
    pub window: Option<(Timestamp, Timestamp)>,
    /// The certificates of which it was asked that.
    pub asked: Vec<String>,
    /// What orders said.
    pub orders: Vec<Value>,
    /// The path at which it says that it is asked too often, and for how many seconds it wants to be left alone.
    pub limited: Option<(&'static str, u32)>,
    /// How often it was asked there meanwhile.
    pub refused: usize,
}

/// The authority; it ends with this.
pub struct Authority {
    /// Its directory.
    pub directory: String,
    /// Its certificate in PEM form.
    pub pem: String,
    /// The way to it, which trusts this certificate.
    pub gateway: Egress,
    /// What it says, and what it was told.
    pub told: Arc<Mutex<AuthorityState>>,
    serving: JoinHandle<()>,
}

/// Connections by TLS.
struct Secured(TcpListener, TlsAcceptor);

impl axum::serve::Listener for Secured {
    type Io = TlsStream<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, SocketAddr) {
        loop {
            let Ok((socket, from)) = self.0.accept().await else { continue };
            if let Ok(socket) = self.1.accept(socket).await {
                return (socket, from);
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.0.local_addr()
    }
}

#[derive(Clone)]
struct Front {
    told: Arc<Mutex<AuthorityState>>,
    host: String,
    pebble: SocketAddr,
    connector: TlsConnector,
}

impl Authority {
    /// One in front of this pebble.
    pub async fn start(behind: &Pebble) -> Authority {
        let key = KeyPair::generate().unwrap();
        let own = CertificateParams::new(vec!["127.0.0.1".to_owned()]).unwrap().self_signed(&key).unwrap();
        let provider = || Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider()).with_safe_default_protocol_versions();
        let key = PrivateKeyDer::Pkcs8(key.serialize_der().into());
        let config =
            config.unwrap().with_no_client_auth().with_single_cert(vec![own.der().clone()], key).unwrap();
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let host = listener.local_addr().unwrap().to_string();
        let mut roots = RootCertStore::empty();
        roots.add(behind.certificate.clone()).unwrap();
        let client = ClientConfig::builder_with_provider(provider()).with_safe_default_protocol_versions();
        let client = client.unwrap().with_root_certificates(roots).with_no_client_auth();
        let told = Arc::<Mutex<AuthorityState>>::default();
        let front = Front {
            told: Arc::clone(&told),
            host: host.clone(),
            pebble: behind.address,
            connector: TlsConnector::from(Arc::new(client)),
        };
        let router = Router::new().fallback(answer).with_state(front);
        let listener = Secured(listener, TlsAcceptor::from(Arc::new(config)));
        let serving = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        let pem = own.pem();
        let gateway = pebble::gateway(Some(&pem));
        Authority { directory: format!("https://{host}/dir"), pem, gateway, told, serving }
    }
}

impl Drop for Authority {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn answer(State(front): State<Front>, request: Request) -> Response<Body> {
    let path = request.uri().path().to_owned();
    if let Some(certificate) = path.strip_prefix("/renewal-info/") {
        let mut told = front.told.lock().unwrap();
        told.asked.push(certificate.to_owned());
        let (status, body) = match told.window {
            Some((start, end)) => {
                let window = json!({ "start": start.to_string(), "end": end.to_string() });
                (200, json!({ "suggestedWindow": window }))
            }
            None => (404, json!({ "type": "urn:ietf:params:acme:error:malformed", "status": 404 })),
        };
        let response = Response::builder().status(status).header(header::RETRY_AFTER, "21600");
        return response.body(Body::from(body.to_string())).unwrap();
    }
    if let Some(refusal) = refusal(&mut front.told.lock().unwrap(), &path) {
        return refusal;
    }
    front.forward(request, &path).await
}

/// That it is asked too often, if it is.
fn refusal(told: &mut AuthorityState, path: &str) -> Option<Response<Body>> {
    let (_, seconds) = told.limited.filter(|(limited, _)| *limited == path)?;
    told.refused += 1;
    let detail = "Too many requests of this kind.";
    let problem =
        json!({ "type": "urn:ietf:params:acme:error:rateLimited", "status": 429, "detail": detail });
    let response = Response::builder().status(429).header(header::RETRY_AFTER, seconds);
    let response = response.header(header::CONTENT_TYPE, "application/problem+json");
    Some(response.body(Body::from(problem.to_string())).unwrap())
}

impl Front {
    /// Passes a request on under the host that it came for: signatures name it.
    async fn forward(&self, request: Request, path: &str) -> Response<Body> {
        let (head, body) = request.into_parts();
        let body = to_bytes(body, 1 << 20).await.unwrap();
        if path == "/order-plz" {
            let signed: Value = serde_json::from_slice(&body).unwrap();
            let payload = URL_SAFE_NO_PAD.decode(signed["payload"].as_str().unwrap()).unwrap();
            self.told.lock().unwrap().orders.push(serde_json::from_slice(&payload).unwrap());
        }
        // By HTTP/1.0 an answer ends with its connection.
        let mut sent = format!("{} {path} HTTP/1.0\r\nhost: {}\r\n", head.method, self.host);
        for name in [header::CONTENT_TYPE, header::USER_AGENT] {
            if let Some(value) = head.headers.get(&name) {
                sent.push_str(&format!("{name}: {}\r\n", value.to_str().unwrap()));
            }
        }
        sent.push_str(&format!("content-length: {}\r\n\r\n", body.len()));
        let socket = TcpStream::connect(self.pebble).await.unwrap();
        let name = ServerName::from(self.pebble.ip());
        let mut socket = self.connector.connect(name, socket).await.unwrap();
        socket.write_all(&[sent.as_bytes(), &body].concat()).await.unwrap();
        let mut answer = Vec::new();
        drop(socket.read_to_end(&mut answer).await);
        let (mut response, body) = read(&answer);
        let body = if path == "/dir" { self.directory(&body) } else { body };
        *response.body_mut() = Body::from(body);
        response
    }

    fn directory(&self, body: &[u8]) -> Bytes {
        let mut directory: Value = serde_json::from_slice(body).unwrap();
        directory["renewalInfo"] = format!("https://{}/renewal-info", self.host).into();
        directory["meta"]["caaIdentities"] = json!([IDENTITY]);
        directory.to_string().into()
    }
}

/// An answer as it came.
fn read(answer: &[u8]) -> (Response<Body>, Bytes) {
    let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap();
    let head = std::str::from_utf8(&answer[..end]).unwrap();
    let mut lines = head.lines();
    let status = lines.next().unwrap().split(' ').nth(1).unwrap();
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::from_bytes(status.as_bytes()).unwrap();
    for line in lines {
        let (name, value) = line.split_once(": ").unwrap();
        let name = HeaderName::from_bytes(name.as_bytes()).unwrap();
        if name != header::CONTENT_LENGTH && name != header::CONNECTION {
            response.headers_mut().append(name, HeaderValue::from_str(value).unwrap());
        }
    }
    (response, Bytes::copy_from_slice(&answer[end + 4..]))
}
