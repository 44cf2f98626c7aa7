//! The operations on a tenant's site: its settings, and links to previews. Ours, beyond the contract.

use std::time::Duration;

use pagesmith_endpoint::endpoint;
use pagesmith_model::site::SiteSettings;
use pagesmith_model::{AudienceId, Error, PageId, Result, Timestamp, VersionId};
use pagesmith_operations::context::TenantContext;
use pagesmith_operations::site::{previews, settings};
use pagesmith_store::Tx;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::api::brands::fonts;
use crate::api::brands::rules::of_look;
use crate::extract::body::OptionalBody;
use crate::extract::{Body, Call, IdempotencyKey, IfMatch, Path};
use crate::hosts;
use crate::reply::{Reply, Single};

/// Returns the settings of the site.
///
/// A setting that was never made has its default.
#[endpoint]
pub(crate) async fn get_site(call: Call) -> Result<Single<SiteSettings>> {
    call.point_read(|tx, ctx| settings::find(tx, &ctx.tenant)).await.map(Single)
}

/// Replaces the settings of the site.
///
/// A field that is left out returns to its default, except for `homePageId`: without it the home page
/// stays. `brand` is the look of the tenant's default brand, which is created if there is none. An id that names no page fails with 400. Visitors see the change within a second. The change is
/// recorded in the audit.
#[endpoint]
pub(crate) async fn update_site(
    call: Call,
    if_match: IfMatch,
    Body(wanted): Body<SiteSettings>,
) -> Result<Reply<SiteSettings>> {
    let issues = of_look(&wanted.brand, "brand");
    if !issues.is_empty() {
        return Err(Error::invalid(issues));
    }
    let read = |tx: &mut Tx<'_>, ctx: &TenantContext| settings::find(tx, &ctx.tenant);
    let precondition = if_match.precondition(&call, read, Ok).await?;
    let fonts = fonts::read(&call, &wanted.brand, "brand").await?;
    call.change(move |tx, ctx| settings::replace(tx, ctx, (&wanted, fonts.clone()), &precondition)).await
}

/// A preview link to be created.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({ "expiresIn": 86400 }))]
pub(crate) struct CreatePreviewRequest {
    /// How long the link works, in seconds: from a minute to seven days, an hour if left out.
    #[serde(default)]
    #[schemars(with = "u32", range(min = 60, max = 604_800))]
    expires_in: Option<u32>,
}

/// A link that shows a version to everyone who has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
#[schemars(example = json!({
    "url": "https://acme.pages.example.com/preview/audience_01jpbz8n4xf5k9w2d7hq3mv6ta/version_01jpbz8n4xf5k9w2d7hq3mv6ta/1774085400-q8Zt3uJ1",
    "expiresAt": "2026-03-21T09:30:00.000Z",
}))]
pub(crate) struct PreviewLink {
    /// The link. It is a secret.
    url: String,
    /// When the link stops working.
    expires_at: Timestamp,
}

/// Creates a link that shows a version to everyone who has the link.
///
/// The version may have any status; as long as it has no content, the link shows "not published yet". The
/// link works for `expiresIn` seconds, is stored nowhere, and cannot be revoked earlier: treat it as a
/// secret. A preview is not indexed by search engines and runs no scripts of the page.
#[endpoint]
pub(crate) async fn create_audience_version_preview(
    call: Call,
    Path(page_id): Path<PageId>,
    Path(audience_id): Path<AudienceId>,
    Path(version_id): Path<VersionId>,
    key: IdempotencyKey,
    OptionalBody(wanted): OptionalBody<CreatePreviewRequest>,
) -> Result<Reply<PreviewLink, 201>> {
    let path_ids = (page_id, audience_id, version_id);
    let lasts = wanted.expires_in.map_or(previews::USUAL, |seconds| Duration::from_secs(seconds.into()));
    let state = call.state.clone();
    let domain = hosts::fallback_domain(&state.settings, call.tenant_slug());
    call.change_once(key, move |tx, ctx| {
        let (path, expires_at) = previews::grant(tx, ctx, &path_ids, lasts)?;
        Ok(PreviewLink { url: hosts::url(&state.settings, &domain, &path), expires_at })
    })
    .await
}
