//! The operations on webhook subscriptions.

use std::time::Duration;

use pagesmith_endpoint::endpoint;
use pagesmith_model::webhook::{MOST_SUBSCRIPTIONS, NewSubscription, SubscriptionPatch};
use pagesmith_model::{Result, SubscriptionId};
use pagesmith_operations::webhooks::subscriptions as operations;
use pagesmith_store::tables::webhooks::subscriptions as table;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::api::webhooks::view::{SubscriptionView, SubscriptionWithSecret};
use crate::collection::Collection;
use crate::extract::body::OptionalBody;
use crate::extract::{Body, Call, IdempotencyKey, IfMatch, Paging, Path};
use crate::reply::{DONE, Reply, Single, Success};

/// How a signing secret is replaced.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "RotateWebhookSecretRequest")]
#[schemars(example = json!({ "overlapSeconds": 3600 }))]
pub(crate) struct Overlap {
    /// For how many seconds the old secret still signs beside the new one, up to seven days.
    #[serde(default = "a_day")]
    #[schemars(range(min = 0, max = 604_800))]
    pub(crate) overlap_seconds: u64,
}

fn a_day() -> u64 {
    86_400
}

/// Lists the webhook subscriptions, newest first.
///
/// Unlike other collections, the answer has all of them unless `limit` is given. Signing secrets are not
/// shown.
#[endpoint]
pub(crate) async fn list_webhook_subscriptions(
    call: Call,
    paging: Paging,
) -> Result<Reply<Collection<SubscriptionView>>> {
    // A client that does not page must not miss any.
    let list = paging.or_all(MOST_SUBSCRIPTIONS).keyset(&call, "webhook_subscriptions", &[])?;
    let found = list.read(&call, move |tx, ctx, after, extent| table::list(tx, &ctx.tenant, after, extent));
    list.answer(&call, found.await?, |of| of.subscription_id.clone(), SubscriptionView::from).await
}

/// Creates a webhook subscription.
///
/// The answer contains `signingSecret`, with which every delivery is signed. No other answer shows it:
/// store it. Events that happen from now on are delivered; earlier ones are not. The URL must lead to a
/// public address. A tenant may have 50 subscriptions; one more fails with 409.
#[endpoint]
pub(crate) async fn create_webhook_subscription(
    call: Call,
    key: IdempotencyKey,
    Body(new): Body<NewSubscription>,
) -> Result<Reply<SubscriptionWithSecret, 201>> {
    let networks = call.state.settings.allowed_networks.clone();
    call.change_once(key, move |tx, ctx| {
        let (made, secret) = operations::create(tx, ctx, &new, &networks)?;
        Ok(SubscriptionWithSecret::new(made, &secret))
    })
    .await
}

/// Returns a webhook subscription.
///
/// The signing secret is not shown; `rotateWebhookSecret` replaces one that was lost. Why the service
/// itself deactivated a subscription is answered by `getWebhookSubscriptionStats`.
#[endpoint]
pub(crate) async fn get_webhook_subscription(
    call: Call,
    Path(subscription_id): Path<SubscriptionId>,
) -> Result<Single<SubscriptionView>> {
    let found = call.single_read(move |tx, ctx| operations::find(tx, ctx, &subscription_id)).await?;
    Ok(Single(SubscriptionView::from(found)))
}

/// Changes the given fields of a webhook subscription.
///
/// While `active` is false, deliveries that wait are paused and events that happen are not delivered. When
/// it is true again, the paused deliveries go on. Setting it to true also reactivates a subscription that
/// the service has deactivated; that fails with 409 if its signing secret is lost and has to be replaced
/// first. `events` `null` selects all types.
#[endpoint]
pub(crate) async fn update_webhook_subscription(
    call: Call,
    Path(subscription_id): Path<SubscriptionId>,
    if_match: IfMatch,
    Body(patch): Body<SubscriptionPatch>,
) -> Result<Reply<SubscriptionView>> {
    let precondition = if_match.of(&call, &subscription_id, operations::find, SubscriptionView::from).await?;
    let networks = call.state.settings.allowed_networks.clone();
    call.change(move |tx, ctx| {
        operations::update(tx, ctx, &subscription_id, &patch, &networks, &precondition)
            .map(SubscriptionView::from)
    })
    .await
}

/// Deletes a webhook subscription.
///
/// Nothing is delivered to it from then on, including what was waiting. Its deliveries are removed with it.
/// It cannot be restored.
#[endpoint]
pub(crate) async fn delete_webhook_subscription(
    call: Call,
    Path(subscription_id): Path<SubscriptionId>,
    if_match: IfMatch,
) -> Result<Reply<Success>> {
    let precondition = if_match.of(&call, &subscription_id, operations::find, SubscriptionView::from).await?;
    call.change(move |tx, ctx| operations::delete(tx, ctx, &subscription_id, &precondition).map(|()| DONE))
        .await
}

/// Replaces the signing secret of a webhook subscription.
///
/// The answer contains the new `signingSecret`; no other answer shows it. For `overlapSeconds` the header
/// `webhook-signature` carries a signature with the old secret beside the new one.
/// `X-Webhook-Signature-256` is made with the new secret at once. The change is recorded in the audit.
#[endpoint]
pub(crate) async fn rotate_webhook_secret(
    call: Call,
    Path(subscription_id): Path<SubscriptionId>,
    key: IdempotencyKey,
    OptionalBody(Overlap { overlap_seconds }): OptionalBody<Overlap>,
) -> Result<Reply<SubscriptionWithSecret>> {
    let overlap = Duration::from_secs(overlap_seconds);
    call.change_once(key, move |tx, ctx| {
        let secret = operations::rotate_secret(tx, ctx, &subscription_id, overlap)?;
        Ok(SubscriptionWithSecret::new(operations::find(tx, ctx, &subscription_id)?, &secret))
    })
    .await
}
