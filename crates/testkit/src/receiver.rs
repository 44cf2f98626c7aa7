//! A receiver of webhooks on a port of the machine: it keeps what it is sent and answers what the test says.

use std::collections::VecDeque;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard};

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};
use bytes::Bytes;
use http_body_util::BodyExt;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::{Notify, Semaphore};
use tokio::task::JoinHandle;

/// A request that arrived.
#[derive(Debug, Clone)]
pub struct Arrived {
    /// Path and query.
    pub path: String,
    /// The headers.
    pub headers: HeaderMap,
    /// The body's bytes.
    pub body: Bytes,
}

impl Arrived {
    /// A header, which must be there.
    pub fn header(&self, name: &str) -> &str {
        self.headers[name].to_str().unwrap()
    }

    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The type of the event.
    pub fn kind(&self) -> String {
        self.json()["payload"]["type"].as_str().unwrap().to_owned()
    }
}

/// What is answered to one request.
#[derive(Debug, Clone)]
pub struct Script {
    /// The status.
    pub status: u16,
    /// Headers.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: String,
    /// What has to give a permit first.
    pub gate: Option<Arc<Semaphore>>,
}

impl Script {
    /// An answer without a body.
    pub fn status(status: u16) -> Script {
        Script { status, headers: vec![], body: String::new(), gate: None }
    }

    /// The same, as soon as there is a permit for it.
    #[must_use]
    pub fn after(mut self, gate: &Arc<Semaphore>) -> Script {
        self.gate = Some(Arc::clone(gate));
        self
    }

    /// The same with a header.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: &str) -> Script {
        self.headers.push((name, value.to_owned()));
        self
    }
}

#[derive(Default)]
struct Shared {
    arrived: Mutex<Vec<Arrived>>,
    /// What comes next; then 204 for ever.
    script: Mutex<VecDeque<Script>>,
    changed: Notify,
}

/// A running receiver; it ends with this.
pub struct Receiver {
    address: SocketAddr,
    shared: Arc<Shared>,
    task: JoinHandle<()>,
}

impl Receiver {
    /// A receiver that answers 204.
    pub async fn start() -> Receiver {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::<Shared>::default();
        let router = Router::new().fallback(receive).with_state(Arc::clone(&shared));
        let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Receiver { address, shared, task }
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("http://{}/hook?from=pagesmith", self.address)
    }

    /// Lets it answer these next.
    pub fn answer(&self, script: impl IntoIterator<Item = Script>) {
        self.shared.script.lock().unwrap().extend(script);
    }

    /// Everything that arrived, in order.
    pub fn arrived(&self) -> Vec<Arrived> {
        self.lock().clone()
    }

    /// Waits until that many have arrived.
    pub async fn wait_for(&self, count: usize) -> Vec<Arrived> {
        loop {
            let changed = self.shared.changed.notified();
            tokio::pin!(changed);
            // From here on nothing is missed.
            changed.as_mut().enable();
            if self.lock().len() >= count {
                return self.arrived();
            }
            changed.await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arrived>> {
        self.shared.arrived.lock().unwrap()
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn receive(State(shared): State<Arc<Shared>>, request: Request) -> Response<Body> {
    let (head, body) = request.into_parts();
    let body = body.collect().await.map(http_body_util::Collected::to_bytes).unwrap_or_default();
    let arrived = Arrived { path: head.uri.to_string(), headers: head.headers, body };
    shared.arrived.lock().unwrap().push(arrived);
    shared.changed.notify_waiters();
    let script = shared.script.lock().unwrap().pop_front().unwrap_or(Script::status(204));
    if let Some(gate) = script.gate {
        gate.acquire().await.unwrap().forget();
    }
    let mut response = Response::new(Body::from(script.body));
    *response.status_mut() = StatusCode::from_u16(script.status).unwrap();
    for (name, value) in script.headers {
        response.headers_mut().insert(HeaderName::from_static(name), HeaderValue::try_from(value).unwrap());
    }
    response
}
