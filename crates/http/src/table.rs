//! From a row of the route table to what serves it: the mechanism behind [`crate::routes`].
//!
//! A handler is an async function whose arguments say what it takes ([`Extract`]) and whose result says what it
//! answers ([`IntoAnswer`]). From these types come the decoding, the documentation and the access check, so
//! that a route cannot be documented in one way and behave in another.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use axum::body::Body;
use axum::http::Response;
use pagesmith_model::Result;
use pagesmith_model::key::Scope;

use crate::extract::{Extract, Findings, Incoming};
use crate::openapi::{Operation, Schemas};
use crate::reply::IntoAnswer;

/// Who may call a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// Everyone; these routes are not part of the API's description.
    Everyone,
    /// Callers whose key has the scope.
    Key(Scope),
}

/// What an answer will be.
pub(crate) type Answering = Pin<Box<dyn Future<Output = Result<Response<Body>>> + Send>>;
type Serve = Arc<dyn Fn(Incoming) -> Answering + Send + Sync>;

/// One operation of the product.
#[derive(Clone)]
pub struct Route {
    /// The HTTP method.
    pub method: &'static str,
    /// The path, with parameters in braces.
    pub path: &'static str,
    /// The operation's one name: in the description, the log, the metrics.
    pub operation: &'static str,
    /// The group that it belongs to.
    pub group: &'static str,
    /// Who may call it.
    pub audience: Audience,
    /// What it does, in one sentence.
    pub summary: &'static str,
    pub(crate) describe: fn(&mut Operation, &mut Schemas),
    pub(crate) serve: Serve,
}

/// The routes, in the order of the list.
#[derive(Default)]
pub(crate) struct Table {
    group: &'static str,
    routes: Vec<Route>,
}

/// Callers with this scope.
pub(crate) fn may(scope: Scope) -> Audience {
    Audience::Key(scope)
}

macro_rules! methods {
    ($($name:ident $method:literal)*) => {$(
        pub(crate) fn $name<H, Args>(
            self,
            path: &'static str,
            operation: &'static str,
            handler: H,
            audience: Audience,
            summary: &'static str,
        ) -> Table
        where
            H: Handler<Args>,
        {
            self.add($method, path, operation, handler, audience, summary)
        }
    )*};
}

impl Table {
    methods! { get "GET" post "POST" put "PUT" patch "PATCH" delete "DELETE" }

    /// Begins a group.
    pub(crate) fn group(mut self, name: &'static str) -> Table {
        self.group = name;
        self
    }

    fn add<H: Handler<Args>, Args>(
        mut self,
        method: &'static str,
        path: &'static str,
        operation: &'static str,
        handler: H,
        audience: Audience,
        summary: &'static str,
    ) -> Table {
        let serve: Serve = Arc::new(move |incoming| handler.serve(incoming));
        let (group, describe) = (self.group, H::describe);
        self.routes.push(Route { method, path, operation, group, audience, summary, describe, serve });
        self
    }

    pub(crate) fn into_routes(self) -> Vec<Route> {
        self.routes
    }
}

/// An async function of extractors.
pub(crate) trait Handler<Args>: Clone + Send + Sync + 'static {
    fn describe(operation: &mut Operation, schemas: &mut Schemas);
    fn serve(&self, incoming: Incoming) -> Answering;
}

macro_rules! handler {
    ($($arg:ident)*) => {
        impl<Run, Fut, R, $($arg,)*> Handler<($($arg,)*)> for Run
        where
            Run: Fn($($arg),*) -> Fut + Clone + Send + Sync + 'static,
            Fut: Future<Output = Result<R>> + Send + 'static,
            R: IntoAnswer + 'static,
            $($arg: Extract + 'static,)*
        {
            fn describe(operation: &mut Operation, schemas: &mut Schemas) {
                $($arg::describe(operation, schemas);)*
                R::describe(operation, schemas);
            }

            #[expect(non_snake_case, reason = "the arguments are named like their types")]
            fn serve(&self, incoming: Incoming) -> Answering {
                let mut findings = Findings::default();
                $(let $arg = $arg::extract(&incoming, &mut findings);)*
                let run = self.clone();
                Box::pin(async move {
                    findings.verdict()?;
                    let ($(Some($arg),)*) = ($($arg,)*) else {
                        return Err(pagesmith_model::Error::internal("an extractor gave up without a reason"));
                    };
                    run($($arg),*).await?.into_answer(&incoming.parts.headers)
                })
            }
        }
    };
}

handler! { A }
handler! { A B }
handler! { A B C }
handler! { A B C D }
handler! { A B C D E }
handler! { A B C D E F }
