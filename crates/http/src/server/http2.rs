//! One connection of HTTP/2, within the limits that a connection of HTTP/1.1 has.
//!
//! A connection on which nothing is asked ends after the time for a head; so does one whose client takes nothing of an answer for the write
//! time-out, after other answers were given that time to end. The requests in flight of an address are counted, since a connection is no
//! bound for them: one more than the connections that it may have is answered 429. A client that gives up requests again and again, each
//! of which costs work, loses the connection. When the server stops, what runs is finished, and a client that does not do its
//! part is waited for no longer than [`LAST_WAIT`]. What this is not: TLS, or the choice of this protocol.

use std::convert::Infallible;
use std::pin::pin;
use std::sync::Arc;

use axum::body::Body;
use axum::http::{Request, Response};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use hyper::body::Incoming;
pub(crate) use hyper::server::conn::http2::Builder;
use hyper::service::Service;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

use super::ServeOptions;
use super::connection::{Ending, LAST_WAIT, LOOK, stopped};
use super::stream_body::{Offered, Received};
use super::streams::{Reason, STREAMS, Streams};
use crate::arrival::{self, Arrival};
use crate::front::{Answering, App};
use crate::head::{self, MAX_HEAD};

/// How many requests may lie there that were given up before they were looked at.
const GIVEN_UP_UNSEEN: usize = 20;
/// How many errors in the use of streams a connection may have.
const ERRORS: usize = 100;
/// How many bytes of one body, and of all bodies of a connection, may come before they are read.
const STREAM_WINDOW: u32 = 128 * 1024;
const CONNECTION_WINDOW: u32 = 256 * 1024;
/// How much of an answer the library takes before the client does.
const SEND_BUFFER: usize = 64 * 1024;
/// The largest list of headers that is read; of what is larger than a head may be and smaller than this, the refusal has a body.
const MAX_HEADER_LIST: u32 = 2 * MAX_HEAD as u32;

/// What every connection of HTTP/2 is served with.
pub(crate) fn builder(options: &ServeOptions) -> Builder<TokioExecutor> {
    let mut http = Builder::new(TokioExecutor::new());
    http.timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS)
        .max_pending_accept_reset_streams(GIVEN_UP_UNSEEN)
        .max_local_error_reset_streams(ERRORS)
        .max_header_list_size(MAX_HEADER_LIST)
        .initial_stream_window_size(STREAM_WINDOW)
        .initial_connection_window_size(CONNECTION_WINDOW)
        .max_send_buf_size(SEND_BUFFER)
        // A stream of events that says nothing does not show by itself that its client is gone.
        .keep_alive_interval(options.write_timeout)
        .keep_alive_timeout(options.write_timeout);
    http
}

/// Hands the requests of one connection on.
struct Requests {
    app: App,
    arrival: Arrival,
    streams: Arc<Streams>,
}

impl Service<Request<Incoming>> for Requests {
    type Response = Response<Offered>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response<Offered>, Infallible>>;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        let (permit, crowded) = match arrival::admit_stream(self.app.state(), self.arrival) {
            Ok(permit) => (permit, None),
            Err(refusal) => (None, Some(refusal)),
        };
        let stream = self.streams.open(permit);
        let body_of = Arc::clone(&stream);
        let mut request = request.map(|body| Received { body, stream: body_of });
        head::join_cookies(request.headers_mut());
        let answering: Answering = match (crowded, head::judge_parsed(&request)) {
            (Some(refusal), _) => self.app.turn_away(refusal, self.arrival, &request),
            (None, Err(fault)) => self.app.refuse(fault.into(), self.arrival, &request),
            (None, Ok(())) => self.app.take(request, self.arrival),
        };
        let offer = move |response: Response<Body>| response.map(|body| Offered::new(body, stream));
        answering.map(|answered| answered.map(offer)).boxed()
    }
}

/// Serves a connection to its end.
pub(crate) async fn serve<S>(
    http: &Builder<TokioExecutor>,
    app: App,
    socket: S,
    arrival: Arrival,
    options: &ServeOptions,
    stopping: watch::Receiver<bool>,
) -> Ending
where
    S: AsyncRead + AsyncWrite + Unpin + Send,
{
    let streams = Streams::new();
    let requests = Requests { app, arrival, streams: Arc::clone(&streams) };
    let mut connection = pin!(http.serve_connection(TokioIo::new(socket), requests));
    let reason = tokio::select! {
        ended = connection.as_mut() => return of_itself(ended),
        reason = streams.reason(options.header_timeout, options.write_timeout) => Some(reason),
        () = stopped(stopping) => None,
    };
    let cut_off = match reason {
        Some(Reason::Flooded) => return Ending::Flooded,
        Some(Reason::Idle) => Ending::Closed,
        Some(Reason::Stalled) => Ending::Stalled,
        None => Ending::CutOff,
    };
    connection.as_mut().graceful_shutdown();
    let ebbing = async {
        let ebbed = ebbs(&streams);
        if reason == Some(Reason::Stalled) {
            drop(timeout(options.write_timeout, ebbed).await);
        } else {
            ebbed.await;
        }
    };
    tokio::select! {
        ended = connection => of_itself(ended),
        () = ebbing => if streams.is_empty() { Ending::Closed } else { cut_off },
    }
}

fn of_itself(ended: hyper::Result<()>) -> Ending {
    let Err(error) = ended else { return Ending::Closed };
    tracing::debug!(%error, "a connection ended early");
    if error.is_timeout() { Ending::Stalled } else { Ending::Closed }
}

/// Returns when everything that is open has waited for the client for [`LAST_WAIT`] from now on.
async fn ebbs(streams: &Streams) {
    let from = Instant::now();
    let mut looks = interval(LOOK);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while !streams.all_wait(from, LAST_WAIT) {
        looks.tick().await;
    }
}

#[cfg(test)]
mod tests;
