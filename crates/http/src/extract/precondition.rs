//! `If-Match`: a change only of what the caller has seen.

use axum::http::{HeaderMap, header};
use pagesmith_model::{Error, Kind, Result};
use serde::Serialize;

use crate::description::{Operation, Schemas};
use crate::extract::{Extract, Findings, Incoming};
use crate::reply::{Comparison, etag, json, names_tag};

/// The tags that the resource may have for the change to happen; any if the header is not there.
pub struct IfMatch(Option<HeaderMap>);

impl IfMatch {
    /// Refuses a resource whose answer has another tag; to be asked inside the transaction.
    pub fn check(&self, resource: &impl Serialize) -> Result<()> {
        self.check_some(Some(resource))
    }

    /// The same of a resource that may not be there yet: then no tag names it.
    pub fn check_some(&self, resource: Option<&impl Serialize>) -> Result<()> {
        let Some(headers) = &self.0 else { return Ok(()) };
        if let Some(resource) = resource {
            let tag = etag(&json(resource)?);
            if names_tag(headers, header::IF_MATCH.as_str(), &tag, Comparison::Strong) {
                return Ok(());
            }
        }
        let detail = "The resource has changed since the state that If-Match names.";
        Err(Error::new(Kind::PreconditionFailed, detail))
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
