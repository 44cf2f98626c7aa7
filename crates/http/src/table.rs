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

use crate::description::{Operation, Schemas};
use crate::extract::{Extract, Findings, Incoming};
use crate::offload::INLINE_BODY;
use crate::reply::{AnswerContext, IntoAnswer};

/// Who may call a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Everyone. These routes are not part of the API's description.
    Everyone,
    /// Callers whose key has the scope, and users of the console whose role does.
    Key(Scope),
    /// The same, for what shows persons: users whose role hides personal data are refused.
    Persons(Scope),
    /// The same, for what shows a person where the path names something of one: an audience, or a file about persons.
    /// Such users are refused there.
    OfPersons(Scope),
    /// The same, for what is the owners' to decide: other users are refused.
    Owners(Scope),
}

impl From<Scope> for Access {
    fn from(scope: Scope) -> Access {
        Access::Key(scope)
    }
}

/// What an answer will be.
pub(crate) type Answering = Pin<Box<dyn Future<Output = Result<Response<Body>>> + Send>>;
type Serve = Arc<dyn Fn(Incoming) -> Answering + Send + Sync>;

/// Routes that belong together: a tag of the API's description.
pub struct Group {
    /// The tag's name.
    pub name: &'static str,
    /// A paragraph about what the routes have in common.
    pub description: &'static str,
    /// Its routes, in the order of the list.
    pub routes: Vec<Route>,
}

/// One operation of the product.
#[derive(Clone)]
pub struct Route {
    /// The HTTP method.
    pub method: &'static str,
    /// The path, with parameters in braces.
    pub path: &'static str,
    /// The operation's one name: in the description, the log, the metrics.
    pub operation: &'static str,
    /// The handler's doc comment: a paragraph that is the summary, then the description.
    pub doc: &'static str,
    /// Who may call it.
    pub access: Access,
    pub(crate) takes_body: bool,
    pub(crate) takes_stream: bool,
    pub(crate) describe: fn(&mut Operation, &mut Schemas),
    pub(crate) serve: Serve,
}

impl Route {
    /// A route that `handler` serves. `row!` calls it.
    pub(crate) fn new<H: Handler<Args>, Args>(
        (method, path): (&'static str, &'static str),
        handler: H,
        (operation, doc): (&'static str, &'static str),
        access: impl Into<Access>,
    ) -> Route {
        let serve: Serve = Arc::new(move |incoming| handler.serve(incoming));
        let (access, describe) = (access.into(), H::describe);
        let (takes_body, takes_stream) = (H::TAKES_BODY, H::TAKES_STREAM);
        Route { method, path, operation, doc, access, takes_body, takes_stream, describe, serve }
    }
}

/// A row of the route table: method, path, handler, and who may call it. The handler's `#[endpoint]` knows the rest.
macro_rules! row {
    ($method:ident $path:literal, $module:ident::$handler:ident, $access:expr) => {
        $crate::table::Route::new(
            (stringify!($method), $path),
            $module::$handler,
            ($module::$handler::OPERATION, $module::$handler::DOC),
            $access,
        )
    };
}

pub(crate) use row;

/// An async function of extractors.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no handler",
    note = "its arguments are extractors, the last one may be a body; its result is a `Result` of a reply type",
    note = "what a list has is a `CollectionItem`, and what is shown a `JsonSchema`"
)]
pub(crate) trait Handler<Args>: Clone + Send + Sync + 'static {
    const TAKES_BODY: bool;
    const TAKES_STREAM: bool;

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
            const TAKES_BODY: bool = $($arg::TAKES_BODY ||)* false;
            const TAKES_STREAM: bool = $($arg::TAKES_STREAM ||)* false;

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
                    run($($arg),*).await?.into_answer(&AnswerContext { headers: &headers, share })
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
handler! { A B C D E F G }
