//! The listening side: connections in, requests to the router, and a clean end.
//!
//! Heads must arrive within a time, so that slow and half-open clients cost little; idle connections are closed after the same
//! time. When the end is asked for, nothing new is accepted, what runs is finished, and what takes too long is
//! cut off.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::front::App;

/// How connections are treated.
#[derive(Debug, Clone)]
pub struct ServeOptions {
    /// How many may be open; further ones wait to be accepted.
    pub max_connections: usize,
    /// How long a request's head may take, and how long a connection may idle.
    pub header_timeout: Duration,
    /// How long running requests may take once the end is asked for.
    pub shutdown_timeout: Duration,
}

/// The largest head of a request, in bytes.
const MAX_HEAD: usize = 32 * 1024;

/// Serves connections until `shutdown` resolves and what ran then has ended.
pub async fn serve(
    listener: TcpListener,
    app: App,
    options: ServeOptions,
    shutdown: impl Future<Output = ()>,
) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(options.header_timeout).max_buf_size(MAX_HEAD);
    let service = TowerToHyperService::new(app);
    let places = Arc::new(Semaphore::new(options.max_connections));
    let graceful = GracefulShutdown::new();
    tokio::pin!(shutdown);
    loop {
        let place = tokio::select! {
            place = Arc::clone(&places).acquire_owned() => place,
            () = &mut shutdown => break,
        };
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut shutdown => break,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                // Mostly a lack of file descriptors, which passes when connections end.
                tracing::warn!(%error, "a connection was not accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "a connection keeps its delay");
        }
        let connection = graceful.watch(http.serve_connection(TokioIo::new(stream), service.clone()));
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended early");
            }
            drop(place);
        });
    }
    drop(listener);
    if tokio::time::timeout(options.shutdown_timeout, graceful.shutdown()).await.is_err() {
        tracing::warn!("requests were cut off at the end of the shutdown time");
    }
}
