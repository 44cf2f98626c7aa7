//! The way to the S3 server that keeps files, where there is one.
//!
//! The operator has chosen its address, so that no network is refused; names, addresses, TLS and the proxy are as for everything else
//! that goes out. Connections live in the runtime that made this, whoever asks: requests and background tasks have runtimes of
//! their own and share the storage.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::{HeaderValue, Method, StatusCode, header};
use http_body_util::BodyExt;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use hyper_util::client::legacy::Client;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use md5::{Digest, Md5};
use object_store::client::{
    ClientOptions, HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpRequestBody,
    HttpResponse, HttpResponseBody, HttpService,
};
use pagesmith_model::network::Networks;
use tokio::runtime::Handle;
use tokio::task::JoinHandle;
use tokio::time::{Sleep, sleep, timeout};
use tracing::Instrument;

use super::connector::Connector;
use super::{Failure, IDLE, IDLE_PER_HOST, Net, Options, PING, call_span};

/// How much of a body is read or written at once.
const BUFFER: usize = 128 * 1024;
/// How much of a body of HTTP/2 is on its way before it is read.
const WINDOW: u32 = 1024 * 1024;

/// Speaks to an S3 server; cheap to clone.
#[derive(Clone)]
pub struct Objects {
    client: Client<Connector, HttpRequestBody>,
    time_limit: Duration,
    runtime: Handle,
}

impl std::fmt::Debug for Objects {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Objects")
    }
}

impl Objects {
    /// A way of its own, with connections in this runtime. The head of an answer may take `time_limit`, and so may each piece after it.
    pub fn new(options: &Options, net: Arc<dyn Net>, runtime: Handle) -> Objects {
        let time_limit = options.total;
        let connector = Connector::unmetered(&Options { allowed: Networks::all(), net, ..options.clone() });
        let client = Client::builder(TokioExecutor::new())
            .timer(TokioTimer::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE)
            .pool_max_idle_per_host(IDLE_PER_HOST)
            .http1_max_buf_size(BUFFER)
            .http2_initial_stream_window_size(WINDOW)
            .http2_initial_connection_window_size(WINDOW * 4)
            .http2_keep_alive_interval(PING)
            .http2_keep_alive_timeout(PING)
            .build(connector);
        Objects { client, time_limit, runtime }
    }
}

impl HttpConnector for Objects {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(self.clone()))
    }
}

#[async_trait]
impl HttpService for Objects {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let request = with_digest(request).await?;
        // The store repeats only what it takes for harmless, and forgets that this is: a second deletion finds nothing to delete.
        let is_deletion = request.method() == Method::DELETE;
        let http_error = |failure| match failure {
            Failure::TimedOut | Failure::Broken if is_deletion => {
                HttpError::new(HttpErrorKind::Request, failure)
            }
            failure => http_error(failure),
        };
        let client = self.client.clone();
        let span = call_span("object storage");
        let asking = async move { client.request(request).await }.instrument(span.clone());
        let mut asking = Asking(self.runtime.spawn(asking));
        let answer =
            timeout(self.time_limit, &mut asking.0).await.map_err(|_| http_error(Failure::TimedOut))?;
        let answer = answer.map_err(|_| http_error(Failure::Broken))?;
        let mut answer = answer.map_err(|error| http_error(Failure::of(&error)))?;
        span.record("status", answer.status().as_u16());
        // Some servers answer a part of an object as if it were the whole, and say only in this header that it is none.
        if answer.status() == StatusCode::OK && answer.headers().contains_key(header::CONTENT_RANGE) {
            *answer.status_mut() = StatusCode::PARTIAL_CONTENT;
        }
        let time_limit = self.time_limit;
        Ok(answer.map(|body| HttpResponseBody::new(TimedBody { body, time_limit, pause: None })))
    }
}

/// What is to be kept, with its MD5: not every server that checks signatures checks the SHA-256 that is signed, but all check this one.
async fn with_digest(request: HttpRequest) -> Result<HttpRequest, HttpError> {
    if request.method() != Method::PUT {
        return Ok(request);
    }
    let (mut head, body) = request.into_parts();
    let digest = Md5::digest(body.clone().collect().await?.to_bytes());
    if let Ok(value) = HeaderValue::from_str(&STANDARD.encode(digest)) {
        head.headers.insert("content-md5", value);
    }
    Ok(HttpRequest::from_parts(head, body))
}

/// A request on its way; given up, it ends.
struct Asking<T>(JoinHandle<T>);

impl<T> Drop for Asking<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// What the store makes of a failure: whether it asks again.
fn http_error(failure: Failure) -> HttpError {
    let kind = match failure {
        Failure::Name | Failure::Unresolved | Failure::Refused | Failure::Unconnected => {
            HttpErrorKind::Connect
        }
        Failure::TimedOut => HttpErrorKind::Timeout,
        Failure::Broken => HttpErrorKind::Interrupted,
        Failure::Address(_) | Failure::Reserved(_) | Failure::Tls(_) | Failure::Nonsense => {
            HttpErrorKind::Unknown
        }
    };
    HttpError::new(kind, failure)
}

/// A body each piece of which comes in time.
struct TimedBody {
    body: Incoming,
    time_limit: Duration,
    /// How long the next piece may still take, while it is waited for.
    pause: Option<Pin<Box<Sleep>>>,
}

impl Body for TimedBody {
    type Data = Bytes;
    type Error = HttpError;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, HttpError>>> {
        let this = self.get_mut();
        if let Poll::Ready(frame) = Pin::new(&mut this.body).poll_frame(context) {
            this.pause = None;
            return Poll::Ready(frame.map(|frame| frame.map_err(|error| http_error(Failure::of(&error)))));
        }
        let time_limit = this.time_limit;
        let pause = this.pause.get_or_insert_with(|| Box::pin(sleep(time_limit)));
        ready!(pause.as_mut().poll(context));
        this.pause = None;
        Poll::Ready(Some(Err(http_error(Failure::TimedOut))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
