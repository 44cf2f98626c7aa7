//! Links by which somebody without a key or a user sees the figures of a page: listed, made, ended. Ours, beyond the contract.

use std::time::Duration;

use pagesmith_endpoint::endpoint;
use pagesmith_model::bounds::NameUpTo;
use pagesmith_model::example::example;
use pagesmith_model::visit::share::VisitShare;
use pagesmith_model::{PageId, Result, Timestamp, VisitShareId};
use pagesmith_operations::visits::shares::{self, NewShare};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::extract::{Body, Call, IdempotencyKey, Path};
use crate::reply::{DONE, Reply, Single, Success};

const DAY: Duration = Duration::from_hours(24);

/// A link to the figures of a page, without its address.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "VisitShare", deny_unknown_fields)]
#[schemars(example = json!({
    "visitShareId": "visitshare_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "name": "The board",
    "hasPassword": true,
    "createdAt": "2026-03-20T09:30:00.000Z",
    "expiresAt": "2026-04-19T09:30:00.000Z",
}))]
pub(crate) struct VisitShareView {
    /// Id of the link. It opens nothing.
    visit_share_id: VisitShareId,
    /// Name of the link: whom it is for.
    name: String,
    /// Whether the link asks for a password.
    has_password: bool,
    /// When the link was created.
    created_at: Timestamp,
    /// When the link ends.
    expires_at: Timestamp,
}

impl From<VisitShare> for VisitShareView {
    fn from(share: VisitShare) -> VisitShareView {
        VisitShareView {
            visit_share_id: share.visit_share_id,
            name: share.name,
            has_password: share.password_hash.is_some(),
            created_at: share.created_at,
            expires_at: share.expires_at,
        }
    }
}

/// The links to the figures of a page.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "VisitShares", deny_unknown_fields)]
#[schemars(example = json!({ "items": [example::<VisitShareView>()] }))]
pub(crate) struct VisitSharesView {
    /// Those that have not ended, newest first.
    items: Vec<VisitShareView>,
}

/// A link to the figures of a page, with its address.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "IssuedVisitShare", deny_unknown_fields)]
#[schemars(example = json!({
    "visitShare": example::<VisitShareView>(),
    "url": "https://pages.example.com/console/shared/acme/…",
}))]
pub(crate) struct IssuedVisitShareView {
    /// The link.
    visit_share: VisitShareView,
    /// The address that shows the figures. It is shown only here.
    url: String,
}

/// A link to the figures of a page that is to be created.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "CreateVisitShareRequest")]
#[schemars(example = json!({ "name": "The board", "expiresInDays": 30 }))]
pub(crate) struct CreateVisitShareRequest {
    /// Name of the link: whom it is for.
    #[schemars(with = "NameUpTo<100>")]
    name: String,
    /// After how many days the link ends.
    #[schemars(range(min = 1, max = 366))]
    expires_in_days: u32,
    /// The password that the link asks for. Left out or null, it asks for none.
    #[serde(default)]
    #[schemars(length(min = 8, max = 200))]
    password: Option<String>,
}

/// Lists the links to the figures of a page, newest first.
///
/// Links that have ended are not listed.
#[endpoint]
pub(crate) async fn list_visit_shares(
    call: Call,
    Path(page_id): Path<PageId>,
) -> Result<Single<VisitSharesView>> {
    let found = call.read(move |tx, ctx| shares::list(tx, ctx, &page_id)).await?;
    Ok(Single(VisitSharesView { items: found.into_iter().map(VisitShareView::from).collect() }))
}

/// Creates a link to the figures of a page.
///
/// Whoever has the link sees the figures of this page in the console, without names and without signing in, until it ends. `url` is shown only
/// in this answer. A page has at most 20 links that have not ended; one more fails with 409. The change is recorded in the audit.
#[endpoint]
pub(crate) async fn create_visit_share(
    call: Call,
    Path(page_id): Path<PageId>,
    key: IdempotencyKey,
    Body(new): Body<CreateVisitShareRequest>,
) -> Result<Reply<IssuedVisitShareView, 201>> {
    let CreateVisitShareRequest { name, expires_in_days, password } = new;
    let new = NewShare { name, open_for: DAY * expires_in_days, password };
    let new = new.prepare(&call.ctx, &call.state.hasher).await?;
    let key = key.of_secret(&call.ctx)?;
    let console = call.state.settings.console_url().to_owned();
    let slug = call.tenant_slug().to_owned();
    call.change_once(key, move |tx, ctx| {
        let (share, token) = shares::create(tx, ctx, &page_id, &new)?;
        let url = pagesmith_console::shared_address(&console, &slug, &token);
        Ok(IssuedVisitShareView { visit_share: VisitShareView::from(share), url })
    })
    .await
}

/// Ends a link to the figures of a page.
///
/// The link shows nothing from then on. This cannot be undone. The change is recorded in the audit.
#[endpoint]
pub(crate) async fn delete_visit_share(
    call: Call,
    Path(page_id): Path<PageId>,
    Path(share): Path<VisitShareId>,
) -> Result<Reply<Success>> {
    call.change(move |tx, ctx| shares::end(tx, ctx, &page_id, &share).map(|()| DONE)).await
}
