//! One connection of HTTP/1, from its first byte to its last.
//!
//! While the server runs it lasts as long as the client keeps to the time limits. When the server stops, an idle connection ends at once, a
//! request that runs is finished, and a client that does not do its part (take an answer, or send the rest of a body) is waited for
//! no longer than [`LAST_WAIT`].

use std::convert::Infallible;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::Service;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

use super::checked_io::CheckedIo;
use super::connection_state::ConnectionState;
use crate::arrival::Arrival;
use crate::front::{Answering, App};

/// How long a client may take to do its part once the server stops.
pub(super) const LAST_WAIT: Duration = Duration::from_secs(2);
/// How often that is looked at.
pub(super) const LOOK: Duration = Duration::from_millis(100);
/// How long the rest of what was not read is taken from a client, so that the answer is not lost with it.
const LINGER: Duration = Duration::from_secs(1);
/// How much of it is.
const LINGER_BYTES: usize = 1024 * 1024;

/// How a connection ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// By one of the two sides, as usual.
    Closed,
    /// The client took nothing for too long.
    Stalled,
    /// The server stopped, and the client did not do its part.
    CutOff,
    /// The client gave up too many requests.
    Flooded,
}

/// Hands the requests of one connection on.
#[derive(Clone)]
struct Requests {
    app: App,
    arrival: Arrival,
    shared: Arc<ConnectionState>,
}

impl Service<Request<Incoming>> for Requests {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Answering;

    fn call(&self, request: Request<Incoming>) -> Answering {
        if let Some(refused) = self.shared.take_refused() {
            return self.app.refuse(refused, self.arrival, &request);
        }
        self.app.take(request, self.arrival)
    }
}

/// Serves a connection until it ends.
pub(crate) async fn serve<S>(
    http: &http1::Builder,
    app: App,
    socket: S,
    arrival: Arrival,
    write_timeout: Duration,
    stopping: watch::Receiver<bool>,
) -> Ending
where
    S: AsyncRead + AsyncWrite + Unpin + Send,
{
    let shared = Arc::new(ConnectionState::default());
    let mut io = CheckedIo::new(socket, Arc::clone(&shared), write_timeout);
    let requests = Requests { app, arrival, shared: Arc::clone(&shared) };
    let mut ended = exchange(http, &mut io, requests.clone(), stopping.clone()).await;
    if matches!(&ended, Some(Err(error)) if error.is_timeout()) && io.time_out() {
        // Hyper gives a head up without a word. It is asked once more, to answer what stands in for that head.
        ended = Box::pin(exchange(http, &mut io, requests, stopping.clone())).await;
    }
    match ended {
        None => return Ending::CutOff,
        Some(Err(error)) => {
            tracing::debug!(%error, "a connection ended early");
            return if shared.is_stalled() { Ending::Stalled } else { Ending::Closed };
        }
        Some(Ok(())) => {}
    }
    // Closed now, it would take an answer back that is still on its way.
    if io.has_unread() && !*stopping.borrow() {
        drop(timeout(LINGER, drain(io.socket())).await);
    }
    Ending::Closed
}

/// Has hyper read requests and send answers until one side ends that; nothing if the server stops and the client does not do its part.
async fn exchange<S>(
    http: &http1::Builder,
    io: &mut CheckedIo<S>,
    requests: Requests,
    stopping: watch::Receiver<bool>,
) -> Option<hyper::Result<()>>
where
    S: AsyncRead + AsyncWrite + Unpin + Send,
{
    let shared = Arc::clone(&requests.shared);
    let mut connection = pin!(http.serve_connection(TokioIo::new(io), requests));
    tokio::select! {
        ended = connection.as_mut() => Some(ended),
        () = stopped(stopping) => {
            connection.as_mut().graceful_shutdown();
            tokio::select! {
                ended = connection => Some(ended),
                () = idles(&shared) => None,
            }
        }
    }
}

/// Returns when the server stops.
pub(super) async fn stopped(mut stopping: watch::Receiver<bool>) {
    // Without a sender nobody is left who could serve.
    drop(stopping.wait_for(|stops| *stops).await.map(|stops| *stops));
}

/// Returns when it has been the client's turn for [`LAST_WAIT`] without anything coming of it.
async fn idles(shared: &ConnectionState) {
    let mut looks = interval(LOOK);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let (mut known, mut since) = (shared.waiting(), Instant::now());
    while known.is_none() || since.elapsed() < LAST_WAIT {
        looks.tick().await;
        let now = shared.waiting();
        if now != known {
            (known, since) = (now, Instant::now());
        }
    }
}

async fn drain(socket: &mut (impl AsyncRead + Unpin)) {
    // Not in the future itself: each connection has one, and few get here.
    let mut bytes = vec![0; 4096];
    let mut left = LINGER_BYTES;
    while left > 0 {
        match socket.read(&mut bytes).await {
            Ok(count @ 1..) => left = left.saturating_sub(count),
            _ => return,
        }
    }
}
