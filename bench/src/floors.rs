//! Floor (a): what axum alone allows. A handler that returns the same bytes to everyone.
//!
//! It has no key, no limit, no log and no database; its answer has the size of the measured one. The
//! service is compared with it where it reads.

use std::net::Ipv4Addr;
use std::path::Path;

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;
use tokio::net::TcpListener;

use crate::Result;

pub mod b;
pub mod logs;
mod writer;

/// Serves the content of `body_file` on `port` until the process is killed.
pub fn constant(port: u16, body_file: &Path) -> Result<()> {
    // Leaked once, so that answering copies nothing: the process holds it until its end anyway.
    let body: &'static [u8] = Vec::leak(std::fs::read(body_file)?);
    let kind = if body.starts_with(b"<") { "text/html" } else { "application/json" };
    let answer = move || async move { ([(CONTENT_TYPE, kind)], body) };
    let routes = Router::new().route("/v0/pages", get(answer)).route("/v0/pages/{page_id}", get(answer));
    listen(port, routes.route("/{page}", get(answer)))
}

/// Serves a floor's routes, and `/readyz`, on the default runtime: as many threads as cores.
pub fn listen(port: u16, routes: Router) -> Result<()> {
    let routes = routes.route("/readyz", get(|| async { "ready" }));
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(async {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        // Without this, small answers to one connection wait for the other side's acknowledgement.
        let listener = axum::serve::ListenerExt::tap_io(listener, |stream| {
            let _ = stream.set_nodelay(true);
        });
        axum::serve(listener, routes).await?;
        Ok(())
    })
}
