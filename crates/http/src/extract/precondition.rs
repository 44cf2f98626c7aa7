//! `If-Match`: a change only of the state that the caller has seen.

use axum::http::{HeaderMap, header};
use pagesmith_model::{Kind, Result};
use pagesmith_operations::context::TenantContext;
use pagesmith_operations::precondition::Precondition;
use pagesmith_store::Tx;
use serde::Serialize;

use crate::description::{Operation, Schemas};
use crate::extract::{Call, Extract, Findings, Incoming};
use crate::reply::{Comparison, etag, json, names_tag};

/// The tags that the resource may have for the change to happen; any if the header is not there.
pub struct IfMatch(Option<HeaderMap>);

impl IfMatch {
    /// The precondition of a change. `read` reads the resource, as for the answer that carries its tag, and `view` makes
    /// that answer. Both happen before the change and outside of its transaction, and only if the header has tags.
    pub(crate) async fn precondition<T, V: Serialize>(
        &self,
        call: &Call,
        read: impl Fn(&mut Tx<'_>, &TenantContext) -> Result<T> + Send + 'static,
        view: impl FnOnce(T) -> Result<V>,
    ) -> Result<Precondition<T>>
    where
        T: Clone + Send + 'static,
    {
        let Some(headers) = &self.0 else { return Ok(Precondition::Unconditional) };
        let names = |tag: &str| names_tag(headers, &header::IF_MATCH, tag, Comparison::Strong);
        if names("*") {
            return Ok(Precondition::Exists);
        }
        let state = match call.read(read).await {
            Ok(state) => state,
            // No tag names what is not there. The change answers whether that is a 404, a 412 or nothing to do.
            Err(error) if *error.kind() == Kind::NotFound => return Ok(Precondition::Failed),
            Err(error) => return Err(error),
        };
        let tag = etag(&json(&view(state.clone())?)?);
        Ok(if names(&tag) { Precondition::Unchanged(state) } else { Precondition::Failed })
    }

    /// The same for a resource that an operation finds by its id.
    pub(crate) async fn of<I, T, V: Serialize>(
        &self,
        call: &Call,
        id: &I,
        find: fn(&mut Tx<'_>, &TenantContext, &I) -> Result<T>,
        view: impl FnOnce(T) -> V,
    ) -> Result<Precondition<T>>
    where
        I: Clone + Send + 'static,
        T: Clone + Send + 'static,
    {
        let id = id.clone();
        self.precondition(call, move |tx, ctx| find(tx, ctx, &id), |found| Ok(view(found))).await
    }
}

impl Extract for IfMatch {
    fn describe(operation: &mut Operation, _: &mut Schemas) {
        operation.takes_header(
            "If-Match",
            "`ETag` of the state to change. If the resource is in another state, nothing is changed and the answer is 412.",
            "\"Zq8x1vN3bT0kq2mW5yLr9g\"",
        );
        operation.fails_with(412);
    }

    fn extract(request: &Incoming, _: &mut Findings) -> Option<IfMatch> {
        let headers = &request.parts.headers;
        let tags = headers.get_all(header::IF_MATCH).iter();
        let tags: HeaderMap = tags.map(|value| (header::IF_MATCH, value.clone())).collect();
        Some(IfMatch((!tags.is_empty()).then_some(tags)))
    }
}
