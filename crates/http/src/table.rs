//! From a row of the route table to what serves it: the mechanism behind [`crate::routes`].
//!
//! A handler is an async function whose arguments say what it takes ([`Extract`]) and whose result says what it
//! answers ([`IntoAnswer`]). From these types come the decoding, the documentation and the access check, so
//! that a route cannot be documented in one way and behave in another.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderMap, Response};
use pagesmith_model::key::Scope;
use pagesmith_model::{Error, Result};

use crate::extract::{Extract, Findings, Incoming};
use crate::offload::INLINE_BODY;
use crate::openapi::{Operation, Schemas};
use crate::reply::{Asked, IntoAnswer};

/// Who may call a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
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
    pub access: Access,
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
pub(crate) fn may(scope: Scope) -> Access {
    Access::Key(scope)
}

macro_rules! methods {
    ($($name:ident $method:literal)*) => {$(
        pub(crate) fn $name<H, Args>(
            self,
            path: &'static str,
            operation: &'static str,
            handler: H,
            access: Access,
            summary: &'static str,
        ) -> Table
        where
            H: Handler<Args>,
        {
            self.add($method, path, operation, handler, access, summary)
        }
    )*};
}

impl Table {
    methods! { get "GET" post "POST" put "PUT" patch "PATCH" delete "DELETE" }

    /// The routes of another list, behind those of this one.
    pub(crate) fn append(self, list: fn(Table) -> Table) -> Table {
        list(self)
    }

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
        access: Access,
        summary: &'static str,
    ) -> Table {
        let serve: Serve = Arc::new(move |incoming| handler.serve(incoming));
        let (group, describe) = (self.group, H::describe);
        self.routes.push(Route { method, path, operation, group, access, summary, describe, serve });
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

/// What `extract` makes of a request, and the request's headers. A large body is read where nobody else waits for the thread.
async fn extracted<T: Send + 'static>(
    incoming: Incoming,
    extract: impl FnOnce(&Incoming) -> Result<T> + Send + 'static,
) -> Result<(HeaderMap, T)> {
    let made = if incoming.body.len() <= INLINE_BODY {
        let made = extract(&incoming)?;
        (incoming.parts.headers, made)
    } else {
        let offload = Arc::clone(&incoming.state.offload);
        let tenant = incoming.caller.as_ref().map(|caller| caller.tenant.tenant_id.clone());
        let work = move || extract(&incoming).map(|made| (made, incoming.parts.headers));
        let (made, headers) = offload.run(tenant.as_ref(), work).await??;
        (headers, made)
    };
    Ok(made)
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
                let run = self.clone();
                Box::pin(async move {
                    let share = incoming.share();
                    let (headers, ($($arg,)*)) = extracted(incoming, |incoming| {
                        let mut findings = Findings::default();
                        $(let $arg = $arg::extract(incoming, &mut findings);)*
                        findings.verdict()?;
                        let ($(Some($arg),)*) = ($($arg,)*) else {
                            return Err(Error::internal("an extractor gave up without a reason"));
                        };
                        Ok(($($arg,)*))
                    })
                    .await?;
                    run($($arg),*).await?.into_answer(&Asked { headers: &headers, share })
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
