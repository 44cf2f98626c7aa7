//! The console's place in the server: what it has of it, and how a request gets there.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use axum::body::{Body, Bytes, HttpBody};
use axum::http::{Request, Response};
use futures_util::FutureExt;
use pagesmith_console::{Console, Installation, RequestInfo};
use pagesmith_operations::users::Hasher;
use tower::BoxError;
use tracing::Instrument;

use crate::arrival;
use crate::exchange::Exchange;
use crate::hosts::site_address;
use crate::pipeline;
use crate::secure;
use crate::state::AppState;

/// What the console has of the server.
pub(crate) fn installation(state: &AppState) -> Installation {
    let settings = state.settings.clone();
    let (of_ready, of_examination, of_backups) = (state.clone(), state.clone(), state.clone());
    Installation {
        store: state.store.clone(),
        platform: Arc::clone(&state.platform),
        keys: Arc::clone(&state.keys),
        // A hash takes a core for a while; the other cores are for everybody else.
        hasher: Hasher::new(
            state.settings.password_cost.clone(),
            std::thread::available_parallelism().map_or(1, |cores| cores.get() / 2),
        ),
        limits: state.settings.user_sessions,
        base_url: state.settings.base_url.clone(),
        site_origin: Box::new(move |slug| site_address(&settings, slug, "")),
        ready: Box::new(move || {
            let state = of_ready.clone();
            Box::pin(async move { state.readiness.check(&state.store, state.platform.clock()).await })
        }),
        examination: Box::new(move || of_examination.examination.get().map(Arc::clone)),
        backups: Box::new(move || of_backups.backups.get().map(Arc::clone)),
        ending: state.ending.subscribe(),
    }
}

/// Serves a request to the console.
pub(crate) fn serve<B>(
    state: &AppState,
    console: &Console,
    request: Request<B>,
) -> impl Future<Output = Result<Response<Body>, Infallible>> + Send + use<B>
where
    B: HttpBody<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    let exchange = Exchange::begin(state, &request, "console");
    let (span, strict) = (exchange.span(), secure::strict_transport(state, &request));
    let (state, console) = (state.clone(), console.clone());
    // A request that came over no connection is one of the process's own, or of a test.
    let address = arrival::client(request.extensions()).unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    let info = RequestInfo { address, request_id: exchange.id.as_str().to_owned() };
    async move {
        let serving = console.serve(request.map(Body::new), &info).instrument(span);
        let answered = pipeline::within(state.settings.request_timeout, serving.map(Ok)).await;
        Ok(exchange.end_with(&state, answered.map(|response| strict.on(response))))
    }
}
