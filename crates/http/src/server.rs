//! The listening side: connections in, requests to the router, and a clean end.
//!
//! A connection costs little: heads must arrive within a time and a size, answers must be taken within a time, an idle connection is closed,
//! and one address has so many at most. When the end is asked for, nothing new is accepted, what runs is finished, and
//! what takes too long is cut off. For HTTP/1 `checked_io` is between the socket and hyper; for HTTP/2, which is spoken by TLS alone,
//! `streams` knows of each request whose turn it is.

mod checked_io;
mod connection;
mod connection_state;
mod framing;
mod http2;
mod stream_body;
mod streams;

use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use pagesmith_model::network;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::Instant;
use tokio_rustls::server::TlsStream;

use self::connection::Ending;
use crate::arrival::Arrival;
use crate::counts::{Counts, Permit};
use crate::front::App;
use crate::head::MAX_HEAD;
use crate::tls::{self, Acceptor};

/// How connections are treated.
#[derive(Debug, Clone)]
pub struct ServeOptions {
    /// How many may be open; further ones wait to be accepted.
    pub max_connections: usize,
    /// How long a request's head may take, and how long a connection may idle.
    pub header_timeout: Duration,
    /// How long a client may take nothing of an answer.
    pub write_timeout: Duration,
    /// How long running requests may take once the end is asked for.
    pub shutdown_timeout: Duration,
}

/// Where connections come in.
pub struct Listeners {
    /// For plain HTTP.
    pub plain: TcpListener,
    /// For HTTP over TLS, with who speaks it.
    pub tls: Option<(TcpListener, Acceptor)>,
    /// For plain HTTP to the console alone.
    pub console: Option<TcpListener>,
}

impl From<TcpListener> for Listeners {
    fn from(plain: TcpListener) -> Listeners {
        Listeners { plain, tls: None, console: None }
    }
}

/// A connection that was accepted.
struct Accepted {
    socket: TcpStream,
    peer: SocketAddr,
    /// Who speaks TLS on it.
    tls: Option<Acceptor>,
    /// Whether it is for the console alone.
    is_for_console: bool,
}

impl Listeners {
    async fn accept(&self) -> io::Result<Accepted> {
        let tls = self.tls.as_ref();
        tokio::select! {
            accepted = self.plain.accept() => {
                accepted.map(|(socket, peer)| Accepted { socket, peer, tls: None, is_for_console: false })
            }
            (accepted, tls) = optional(tls.map(async |(listener, acceptor)| (listener.accept().await, acceptor.clone()))) => {
                accepted.map(|(socket, peer)| Accepted { socket, peer, tls: Some(tls), is_for_console: false })
            }
            accepted = optional(self.console.as_ref().map(TcpListener::accept)) => {
                accepted.map(|(socket, peer)| Accepted { socket, peer, tls: None, is_for_console: true })
            }
        }
    }
}

/// What a future gives; nothing ever, if there is none.
async fn optional<F: Future>(future: Option<F>) -> F::Output {
    match future {
        Some(future) => future.await,
        None => std::future::pending().await,
    }
}

/// How often the log tells of connections that were refused.
const TELL: Duration = Duration::from_secs(1);

/// What connections are served with, by either version of HTTP.
struct Protocols {
    first: http1::Builder,
    second: http2::Builder<TokioExecutor>,
}

impl Protocols {
    fn new(options: &ServeOptions) -> Protocols {
        let mut first = http1::Builder::new();
        // Larger heads are refused before hyper sees them, except after a body without a known end.
        first
            .timer(TokioTimer::new())
            .header_read_timeout(options.header_timeout)
            .max_header_size(MAX_HEAD)
            .max_buf_size(MAX_HEAD);
        Protocols { first, second: http2::builder(options) }
    }
}

/// Serves connections until `shutdown` resolves and what ran then has ended.
pub async fn serve(
    listeners: impl Into<Listeners>,
    app: App,
    options: ServeOptions,
    shutdown: impl Future<Output = ()>,
) {
    let listeners = listeners.into();
    let protocols = Arc::new(Protocols::new(&options));
    let permits = Arc::new(Semaphore::new(options.max_connections));
    let (stop, stopping) = watch::channel(false);
    let mut admission = Admission { app: app.clone(), addresses: Counts::default(), refused: 0, told: None };
    tokio::pin!(shutdown);
    loop {
        let slot = tokio::select! {
            slot = Arc::clone(&permits).acquire_owned() => slot,
            () = &mut shutdown => break,
        };
        let accepted = tokio::select! {
            accepted = listeners.accept() => accepted,
            () = &mut shutdown => break,
        };
        let accepted = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Mostly a lack of file descriptors, which passes when connections end.
                tracing::warn!(%error, "a connection was not accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let Ok(permit) = admission.admit(accepted.peer.ip()) else { continue };
        if let Err(error) = accepted.socket.set_nodelay(true) {
            tracing::debug!(%error, "TCP_NODELAY could not be set");
        }
        let (protocols, app, stopping) = (Arc::clone(&protocols), app.clone(), stopping.clone());
        let options = options.clone();
        tokio::spawn(async move {
            attend(&protocols, app, accepted, &options, stopping).await;
            drop((slot, permit));
        });
    }
    drop(listeners);
    stop.send_replace(true);
    let all = permits.acquire_many(u32::try_from(options.max_connections).unwrap_or(u32::MAX));
    if tokio::time::timeout(options.shutdown_timeout, all).await.is_err() {
        tracing::warn!("requests were cut off at the end of the shutdown time");
    }
}

async fn attend(
    Protocols { first, second }: &Protocols,
    app: App,
    Accepted { mut socket, peer, tls, is_for_console }: Accepted,
    options: &ServeOptions,
    stopping: watch::Receiver<bool>,
) {
    let state = Arc::clone(app.state());
    let arrival = Arrival::over_connection(peer.ip(), tls.is_some(), is_for_console);
    state.metrics.connections.open.inc();
    let ending = match tls {
        None => connection::serve(first, app, &mut socket, arrival, options.write_timeout, stopping).await,
        // On the heap: a connection in the clear need not have room for it.
        Some(acceptor) => {
            let shaken = handshake(&acceptor, &app, &mut socket, options, stopping.clone());
            match Box::pin(shaken).await {
                None => Ending::Closed,
                Some(socket) if tls::is_second(&socket) => {
                    Box::pin(http2::serve(second, app, socket, arrival, options, stopping)).await
                }
                Some(socket) => {
                    let serving =
                        connection::serve(first, app, socket, arrival, options.write_timeout, stopping);
                    Box::pin(serving).await
                }
            }
        }
    };
    state.metrics.connections.open.dec();
    let reason = match ending {
        Ending::Closed => return,
        Ending::Stalled => "write_timeout",
        Ending::CutOff => "shutdown",
        Ending::Flooded => "given_up_requests",
    };
    state.metrics.connections.cut_off(reason);
    // Nobody takes what lies there: the system need not keep it.
    if let Err(error) = socket.set_zero_linger() {
        tracing::debug!(%error, "what a client did not take is kept for a while");
    }
}

/// The connection once TLS is spoken on it; nothing if the client does not do its part within the time for a head, or is an authority that has
/// seen what it wanted.
async fn handshake<'a>(
    acceptor: &Acceptor,
    app: &App,
    socket: &'a mut TcpStream,
    options: &ServeOptions,
    mut stopping: watch::Receiver<bool>,
) -> Option<TlsStream<&'a mut TcpStream>> {
    let shaken = tokio::select! {
        shaken = tokio::time::timeout(options.header_timeout, acceptor.accept(socket, &app.state().store)) => shaken,
        _ = stopping.wait_for(|stops| *stops) => return None,
    };
    match shaken {
        Ok(Ok(socket)) => socket,
        Ok(Err(error)) => {
            tracing::debug!(%error, "a client does not speak TLS as it should");
            None
        }
        Err(_) => {
            tracing::debug!("a client took too long to begin with TLS");
            None
        }
    }
}

/// Who may have one more connection.
struct Admission {
    app: App,
    addresses: Counts<IpAddr>,
    /// How many were refused since the log told of it.
    refused: u64,
    told: Option<Instant>,
}

/// An address has all connections that it may have.
struct Full;

impl Admission {
    /// A permit for a connection from this address; the proxies of the operator have any number.
    fn admit(&mut self, peer: IpAddr) -> Result<Option<Permit<IpAddr>>, Full> {
        let state = self.app.state();
        if state.settings.trusted_proxies.hold(peer) {
            return Ok(None);
        }
        if let Some(permit) =
            self.addresses.take(network::origin(peer), state.settings.connections_per_address)
        {
            return Ok(Some(permit));
        }
        state.metrics.connections.cut_off("address");
        self.refused += 1;
        if self.told.is_none_or(|told| told.elapsed() >= TELL) {
            let limit = state.settings.connections_per_address;
            tracing::warn!(address = %peer, limit, refused = self.refused, "an address has too many connections");
            (self.refused, self.told) = (0, Some(Instant::now()));
        }
        Err(Full)
    }
}

#[cfg(test)]
mod tests;
