//! The outbound gateway: everything that Pagesmith sends to an address that somebody gave it goes through here.
//!
//! Names are resolved by us, every address that a name has is judged, and the connection goes to an address that was judged: no name can
//! mean one thing to the guard and another to the connection. A name of which one address is reserved is refused as a whole: an honest one
//! has no such address. Redirects are answers like any other. A proxy is used only if the operator has set one ([`Proxy`]), whatever the environment says.
//!
//! Each [`Egress`] keeps connections of its own, which live in the runtime that made them: whoever has a runtime makes one.

mod answer;
mod connector;
mod failure;
mod fetch;
mod gateway;
mod net;
mod objects;
mod proxy;
mod race;
mod records;
mod resolver;
mod tls;
mod wire;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, Request, Response, Uri, Version, header};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::Incoming;
use hyper_util::client::legacy::Client;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use pagesmith_model::network::Networks;
use rustls::RootCertStore;
use tokio::time::timeout;
use tracing::field::Empty;
use tracing::{Instrument, Span};

pub use answer::{Again, Answer};
pub use failure::Failure;
pub use fetch::Fetched;
pub use net::{Dialling, Duplex, Net, Resolving, System};
pub use objects::Objects;
pub use proxy::{NoProxy, Proxy};
pub use records::Records;
pub use tls::roots_of_pem;

use connector::{Connector, Target};
use wire::Meter;

/// The largest head of an answer, in bytes.
const LARGEST_HEAD: usize = 16 * 1024;
/// How many connections to one host wait for more to do. Deliveries are sent to one receiver so many at a time: if fewer connections were kept, each
/// full round would have to make some anew.
pub(crate) const IDLE_PER_HOST: usize = 64;
/// For how long they do.
const IDLE: Duration = Duration::from_secs(20);
/// How much of a body of HTTP/2 is on its way before it is read.
const WINDOW: u32 = 64 * 1024;
/// When a silent connection of HTTP/2 is asked whether it is still there.
const PING: Duration = Duration::from_secs(5);

/// The options of a gateway.
#[derive(Clone)]
pub struct Options {
    /// Reserved networks that may be spoken to all the same.
    pub allowed: Networks,
    /// From the name to a connection that is ready, TLS included.
    pub connect: Duration,
    /// Everything, from the call to the last byte that is read; for a stream, to its head and to each piece after it.
    pub total: Duration,
    /// How long a model at least takes that cannot be reached, whatever the cause, so that its owner does not learn the cause from the time.
    pub unreachable_takes: Duration,
    /// Who resolves names and makes connections.
    pub net: Arc<dyn Net>,
    /// What every connection goes through, if anything.
    pub proxy: Option<Proxy>,
    /// Whose certificates are believed; nothing: those that the system trusts.
    pub roots: Option<Arc<RootCertStore>>,
}

impl Options {
    /// What deliveries are sent with, with a resolver of its own.
    pub fn new(allowed: Networks) -> Options {
        Options {
            allowed,
            connect: Duration::from_secs(5),
            total: Duration::from_secs(15),
            unreachable_takes: Duration::from_secs(6),
            net: Arc::new(System::default()),
            proxy: None,
            roots: None,
        }
    }
}

/// What is sent.
#[derive(Debug, Clone)]
pub struct Outgoing {
    /// The address.
    pub url: String,
    /// The headers; host and length are added.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
}

/// An outbound gateway; cheap to clone.
#[derive(Clone)]
pub struct Egress {
    client: Client<Connector, Full<Bytes>>,
    total: Duration,
    unreachable_takes: Duration,
}

/// How long the headers of an answer ask to wait.
pub fn pause_asked(headers: &HeaderMap) -> Option<Duration> {
    Again::pause(headers)
}

impl Egress {
    /// A gateway with connections of its own.
    pub fn new(options: &Options) -> Egress {
        let connector = Connector::new(options);
        let client = Client::builder(TokioExecutor::new())
            .timer(TokioTimer::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE)
            .pool_max_idle_per_host(IDLE_PER_HOST)
            .http1_max_buf_size(LARGEST_HEAD)
            .http2_max_header_list_size(16 * 1024)
            .http2_initial_stream_window_size(WINDOW)
            .http2_initial_connection_window_size(WINDOW * 4)
            .http2_keep_alive_interval(PING)
            .http2_keep_alive_timeout(PING)
            .build(connector);
        Egress { client, total: options.total, unreachable_takes: options.unreachable_takes }
    }

    /// Sends a POST and reads its answer, of the body no more than `limit` bytes.
    pub async fn send(&self, outgoing: Outgoing, limit: usize) -> Result<Answer, Failure> {
        self.call(Method::POST, outgoing, limit).await
    }

    /// The same with a GET.
    pub async fn ask(&self, outgoing: Outgoing, limit: usize) -> Result<Answer, Failure> {
        self.call(Method::GET, outgoing, limit).await
    }

    /// Sends any request and reads its whole answer; more than `limit` bytes of it are a failure.
    pub async fn exchange(&self, request: Request<Bytes>, limit: usize) -> Result<Response<Bytes>, Failure> {
        let (head, body) = request.into_parts();
        let span = call_span("exchange");
        let all = async {
            let url = head.uri.to_string();
            let outgoing = Outgoing { url, headers: head.headers, body };
            let (head, body) = self.open(head.method, outgoing).await?.into_parts();
            Span::current().record("status", head.status.as_u16());
            let body = Limited::new(body, limit).collect().await.map_err(|error| {
                if error.is::<LengthLimitError>() { Failure::Nonsense } else { Failure::Broken }
            })?;
            Ok(Response::from_parts(head, body.to_bytes()))
        };
        timeout(self.total, all.instrument(span)).await.unwrap_or(Err(Failure::TimedOut))
    }

    async fn call(&self, method: Method, outgoing: Outgoing, limit: usize) -> Result<Answer, Failure> {
        let all = async {
            let response = self.open(method, outgoing).await?;
            answer::read(response, limit).await
        };
        timeout(self.total, all).await.unwrap_or(Err(Failure::TimedOut))
    }

    /// Sends a request and waits for the head of its answer.
    async fn open(&self, method: Method, outgoing: Outgoing) -> Result<Response<Incoming>, Failure> {
        let response =
            self.client.request(request(method, outgoing)?).await.map_err(|error| Failure::of(&error))?;
        if let Some(meter) = response.extensions().get::<Meter>() {
            meter.head_is_over();
        }
        Ok(response)
    }
}

/// What a trace shows of a call that has no span of its own. Whoever is called is told nothing of it.
pub(crate) fn call_span(what: &'static str) -> Span {
    tracing::info_span!(target: "span", "call", otel.kind = "client", what, status = Empty)
}

fn request(method: Method, outgoing: Outgoing) -> Result<Request<Full<Bytes>>, Failure> {
    let uri: Uri = outgoing.url.parse().map_err(|_| Failure::Address("it is not an address"))?;
    // The client would refuse some addresses as well, but not say why.
    Target::of(&uri)?;
    let mut request = Request::new(Full::new(outgoing.body));
    *request.method_mut() = method;
    *request.uri_mut() = uri;
    *request.version_mut() = Version::HTTP_11;
    *request.headers_mut() = outgoing.headers;
    request.headers_mut().entry(header::USER_AGENT).or_insert(HeaderValue::from_static("Pagesmith"));
    Ok(request)
}

#[cfg(test)]
pub(crate) mod tests;
