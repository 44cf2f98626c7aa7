//! The front of the server, where requests to the sites of tenants and those to the API part.
//!
//! The `Host` header decides. A page that is in memory and known to be right is answered here and now, since visitors are many: without the
//! API's table of routes, and without anything to wait for. All else goes its own way, to `site.rs` or to `pipeline.rs`.

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::{Request, Response};
use axum::routing::future::RouteFuture;
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Either};
use pagesmith_console::Console;
use tower::{BoxError, Service};
use tracing::Instrument;

use crate::arrival::{self, Arrival};
use crate::challenge;
use crate::console;
use crate::error::Refusal;
use crate::exchange::Exchange;
use crate::head::Refused;
use crate::hosts::Target;
use crate::pipeline;
use crate::secure;
use crate::site;
use crate::state::AppState;

/// The service for all requests to a server; cheap to clone.
#[derive(Clone)]
pub struct App {
    state: AppState,
    api: Router,
    console: Console,
}

/// The service for all requests to this server.
pub fn app(state: AppState) -> App {
    let api = pipeline::api(&state);
    let console = Console::new(api.clone(), console::installation(&state));
    App { api, console, state }
}

type Answered = Result<Response<Body>, Infallible>;
/// An answer that is there, one of a site, or one of the API.
pub(crate) type Answering =
    Either<Ready<Answered>, Either<BoxFuture<'static, Answered>, RouteFuture<Infallible>>>;

impl App {
    pub(crate) fn state(&self) -> &AppState {
        &self.state
    }

    /// Answers what stands in for a request whose head was refused.
    pub(crate) fn refuse<B>(&self, refused: Refused, arrival: Arrival, stand_in: &Request<B>) -> Answering {
        let mut exchange = Exchange::begin(&self.state, stand_in, arrival, "none");
        if let Some(id) = refused.request_id {
            exchange.id = id;
        }
        let refusal = Refusal::from(refused.fault);
        Either::Left(ready(Ok(exchange.end_with(&self.state, Err(refusal)))))
    }

    /// Answers a request that is not looked at.
    pub(crate) fn turn_away<B>(&self, refusal: Refusal, arrival: Arrival, request: &Request<B>) -> Answering {
        let exchange = Exchange::begin(&self.state, request, arrival, "none");
        Either::Left(ready(Ok(exchange.end_with(&self.state, Err(refusal)))))
    }

    /// Answers a request that came that way.
    pub(crate) fn take<B>(&self, request: Request<B>, mut arrival: Arrival) -> Answering
    where
        B: HttpBody<Data = Bytes> + Send + 'static,
        B::Error: Into<BoxError>,
    {
        match arrival::admit(&self.state, request.headers(), &mut arrival) {
            Ok(None) => self.answer(request, arrival),
            Ok(Some(permit)) => {
                let answering = self.answer(request, arrival);
                let kept =
                    answering.map(|answered| answered.map(|response| arrival::until_sent(permit, response)));
                Either::Right(Either::Left(kept.boxed()))
            }
            Err(refusal) => self.turn_away(refusal, arrival, &request),
        }
    }

    fn answer<B>(&self, mut request: Request<B>, arrival: Arrival) -> Answering
    where
        B: HttpBody<Data = Bytes> + Send + 'static,
        B::Error: Into<BoxError>,
    {
        let state = &self.state;
        if let Some((name, token)) = challenge::asked(state, &request) {
            let exchange = Exchange::begin(state, &request, arrival, "acme_challenge");
            let (span, state) = (exchange.span(), state.clone());
            let answering = async move {
                let serving = challenge::answer(&state, name, token).instrument(span);
                let answered = pipeline::within(state.settings.request_timeout, serving).await;
                Ok(exchange.end_with(&state, answered))
            };
            return Either::Right(Either::Left(answering.boxed()));
        }
        if let Some(response) = secure::redirect(state, &request, arrival) {
            let exchange = Exchange::begin(state, &request, arrival, "none");
            return Either::Left(ready(Ok(exchange.end(state, response))));
        }
        let site = match Target::of(state, &request, arrival) {
            Target::Console if !Console::takes(request.uri().path()) => {
                return Either::Left(ready(Ok(console::elsewhere(state, &request, arrival))));
            }
            Target::Api if state.settings.console.is_some() || !Console::takes(request.uri().path()) => {
                arrival.mark(&mut request);
                return Either::Right(Either::Right(self.api.clone().call(request)));
            }
            Target::Api | Target::Console => {
                let serving = console::serve(state, &self.console, request, arrival);
                return Either::Right(Either::Left(serving.boxed()));
            }
            Target::Site(site) => Some(site),
            Target::Unknown => None,
        };
        let strict = secure::strict_transport(state, arrival);
        let mut exchange = Exchange::begin(state, &request, arrival, "site");
        exchange.site_of = site.as_ref().map(|site| Arc::clone(&site.tenant));
        let span = exchange.span();
        if site::takes(&request)
            && let Some(mut site) = site
        {
            site.request_id = Some(exchange.id.clone());
            let state = state.clone();
            arrival.mark(&mut request);
            let (head, body) = request.into_parts();
            let time_limit = site::time_limit(&state, &head);
            let answering = async move {
                let serving = site::take(&state, &site, &head, body).instrument(span);
                let serving = serving.map(|response| Ok(strict.on(response)));
                let answered = pipeline::within(time_limit, serving).await;
                Ok(exchange.end_with(&state, answered))
            };
            return Either::Right(Either::Left(answering.boxed()));
        }
        let from_memory = |site| span.in_scope(|| site::from_memory(state, site, &request, arrival));
        if let Some((response, about)) = site.as_ref().and_then(from_memory) {
            exchange.ids = about;
            return Either::Left(ready(Ok(exchange.end(state, strict.on(response)))));
        }
        let state = state.clone();
        arrival.mark(&mut request);
        let (head, _) = request.into_parts();
        let answering = async move {
            let serving = site::serve(&state, site.as_ref(), &head);
            let serving = serving.map(|response| Ok(strict.on(response))).instrument(span);
            let answered = pipeline::within(state.settings.request_timeout, serving).await;
            Ok(exchange.end_with(&state, answered))
        };
        Either::Right(Either::Left(answering.boxed()))
    }
}

impl<B> Service<Request<B>> for App
where
    B: HttpBody<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Answering;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        // Neither way is ever full.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Answering {
        let arrival = Arrival::of(request.extensions());
        self.take(request, arrival)
    }
}
