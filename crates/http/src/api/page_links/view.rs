//! A page link as answers show it.

use std::sync::Arc;

use pagesmith_model::example::example;
use pagesmith_model::page_link::{PageLink, PageLinkTarget, PageRoutingTarget};
use pagesmith_model::{PageLinkId, TenantDomainId, Timestamp};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::collection::CollectionItem;
use crate::extract::Call;
use crate::hosts;
use crate::state::AppState;

/// A path on the tenant's site that leads to a page or elsewhere.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PageLink", deny_unknown_fields)]
#[schemars(example = json!({
    "pageLinkId": "pagelink_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "tenantDomainId": null,
    "path": "/spring",
    "url": "https://acme.pages.example/spring",
    "domain": "acme.pages.example",
    "hostname": "acme.pages.example",
    "target": example::<PageRoutingTarget>(),
    "createdAt": "2026-03-20T09:30:00.000Z",
    "updatedAt": "2026-03-21T14:05:12.480Z",
    "deletedAt": null,
}))]
pub(crate) struct PageLinkView {
    /// Id of the link.
    page_link_id: PageLinkId,
    /// Domain of the tenant on which the link is. Null for the fallback domain.
    tenant_domain_id: Option<TenantDomainId>,
    /// Path of the link, percent-encoded as in `url`.
    path: String,
    /// Address of the link.
    #[schemars(with = "pagesmith_model::page::Url")]
    url: String,
    /// Domain of the link.
    domain: String,
    /// Host name in `url`.
    hostname: String,
    /// Where the link leads. Null while the page of the target is deleted.
    target: Option<PageLinkTarget>,
    /// When the link was created.
    created_at: Timestamp,
    /// When the link was last changed.
    updated_at: Timestamp,
    /// Always null: a deleted link is not shown.
    deleted_at: Option<Timestamp>,
}

impl CollectionItem for PageLinkView {
    const COLLECTION: &str = "A part of the list of page links.";
}

/// What a view of a link needs beside the link.
#[derive(Clone)]
pub(crate) struct ViewContext {
    state: AppState,
    fallback_domain: Arc<str>,
}

impl ViewContext {
    pub(crate) fn of(call: &Call) -> ViewContext {
        let domain = hosts::fallback_domain(&call.state.settings, call.tenant_slug());
        ViewContext { state: call.state.clone(), fallback_domain: domain.into() }
    }

    /// The domain of a link.
    fn domain<'a>(&'a self, link: &'a PageLink) -> &'a str {
        link.domain.as_ref().map_or(&self.fallback_domain, |(_, name)| name)
    }

    /// The address of a link.
    pub(crate) fn url(&self, link: &PageLink) -> String {
        hosts::url(&self.state.settings, self.domain(link), link.path.as_str())
    }

    /// The link as answers show it.
    pub(crate) fn view(&self, link: PageLink) -> PageLinkView {
        let domain = self.domain(&link).to_owned();
        PageLinkView {
            url: self.url(&link),
            page_link_id: link.page_link_id,
            tenant_domain_id: link.domain.map(|(id, _)| id),
            path: link.path.to_string(),
            hostname: domain.clone(),
            domain,
            target: Some(link.target).filter(|_| !link.is_target_deleted),
            created_at: link.created_at,
            updated_at: link.updated_at,
            deleted_at: None,
        }
    }
}
