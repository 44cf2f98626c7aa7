//! The hook that enriches submissions. Ours, beyond the contract.

use std::time::Duration;

use pagesmith_endpoint::endpoint;
use pagesmith_model::form::enrichment::{Hook, NewHook};
use pagesmith_model::webhook::Secret;
use pagesmith_model::{Result, Timestamp};
use pagesmith_operations::forms::hooks;
use pagesmith_store::tables;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::api::webhooks::subscriptions::Overlap;
use crate::extract::body::OptionalBody;
use crate::extract::{Body, Call, IdempotencyKey};
use crate::reply::{DONE, Reply, Single, Success};

/// The hook that enriches submissions with data about the sender.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "EnrichmentHook", deny_unknown_fields)]
#[schemars(example = json!({
    "url": "https://example.com/enrich",
    "active": true,
    "createdAt": "2026-03-20T09:30:00.000Z",
    "updatedAt": "2026-03-21T14:05:12.480Z",
}))]
pub(crate) struct HookView {
    /// URL that is called. Null if there is no hook.
    url: Option<String>,
    /// Whether the hook is called.
    active: bool,
    /// When the hook was set. Null if there is none.
    created_at: Option<Timestamp>,
    /// When it was last changed. Null if there is none.
    updated_at: Option<Timestamp>,
}

impl From<Option<Hook>> for HookView {
    fn from(hook: Option<Hook>) -> HookView {
        HookView {
            active: hook.as_ref().is_some_and(|hook| hook.active),
            created_at: hook.as_ref().map(|hook| hook.created_at),
            updated_at: hook.as_ref().map(|hook| hook.updated_at),
            url: hook.map(|hook| hook.url),
        }
    }
}

/// The hook after it was set.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "EnrichmentHookSet", deny_unknown_fields)]
#[schemars(example = json!({
    "url": "https://example.com/enrich",
    "active": true,
    "signingSecret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=",
    "createdAt": "2026-03-20T09:30:00.000Z",
    "updatedAt": "2026-03-20T09:30:00.000Z",
}))]
pub(crate) struct HookSet {
    /// URL that is called.
    url: String,
    /// Whether the hook is called.
    active: bool,
    /// Secret that calls are signed with. Null if the hook has one already: store it when it is shown.
    signing_secret: Option<String>,
    /// When the hook was set.
    created_at: Timestamp,
    /// When it was last changed.
    updated_at: Timestamp,
}

/// The secret after it was replaced.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "EnrichmentHookSecret", deny_unknown_fields)]
#[schemars(example = json!({ "signingSecret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=" }))]
pub(crate) struct HookSecret {
    /// Secret that calls are signed with. Null if there is no hook.
    signing_secret: Option<String>,
}

impl HookSecret {
    fn of(secret: Option<&Secret>) -> HookSecret {
        HookSecret { signing_secret: secret.map(|secret| secret.expose().to_owned()) }
    }
}

/// Returns the hook that enriches submissions.
///
/// Where there is none, `url` is null. The signing secret is not shown; `rotateEnrichmentHookSecret` replaces one that was lost.
#[endpoint]
pub(crate) async fn get_enrichment_hook(call: Call) -> Result<Single<HookView>> {
    Ok(Single(HookView::from(call.point_read(|tx, ctx| tables::forms::hooks::find(tx, &ctx.tenant)).await?)))
}

/// Sets the hook that enriches submissions.
///
/// Each submission that is accepted from now on is posted to it as JSON with `submissionId`, `formId`, `person`, `input` and
/// `callbackUrl`, signed like a webhook. The hook answers 200 with `{"enrichedData": {…}}`, 204 if it has no data, or 202 and
/// calls back within ten minutes: one POST of the same JSON, or of `{"error": "…"}`, to `callbackUrl`. 429, 5xx and connections
/// that fail are tried six times over three hours. The data is stored with the submission and fills only empty fields of the
/// person; then `form.enriched` or `form.enrichment_failed` is sent, once. The first answer shows `signingSecret`.
#[endpoint]
pub(crate) async fn set_enrichment_hook(call: Call, Body(new): Body<NewHook>) -> Result<Reply<HookSet>> {
    let networks = call.state.settings.allowed_networks.clone();
    call.change(move |tx, ctx| {
        let (hook, secret) = hooks::set(tx, ctx, &new, &networks)?;
        let signing_secret = secret.map(|secret| secret.expose().to_owned());
        let Hook { url, active, created_at, updated_at, .. } = hook;
        Ok(HookSet { url, active, signing_secret, created_at, updated_at })
    })
    .await
}

/// Removes the hook that enriches submissions.
///
/// What waits for it fails with `form.enrichment_failed`. Removing it again changes nothing.
#[endpoint]
pub(crate) async fn delete_enrichment_hook(call: Call) -> Result<Reply<Success>> {
    call.change(move |tx, ctx| hooks::remove(tx, ctx).map(|()| DONE)).await
}

/// Replaces the signing secret of the enrichment hook.
///
/// The answer contains the new `signingSecret`; no other answer shows it. For `overlapSeconds` the old secret signs beside it.
/// Without a hook it is null.
#[endpoint]
pub(crate) async fn rotate_enrichment_hook_secret(
    call: Call,
    key: IdempotencyKey,
    OptionalBody(Overlap { overlap_seconds }): OptionalBody<Overlap>,
) -> Result<Reply<HookSecret>> {
    let overlap = Duration::from_secs(overlap_seconds);
    call.change_once(key, move |tx, ctx| {
        hooks::rotate_secret(tx, ctx, overlap).map(|secret| HookSecret::of(secret.as_ref()))
    })
    .await
}
