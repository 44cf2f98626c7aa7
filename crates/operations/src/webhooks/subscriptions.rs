//! Subscriptions to events: made, changed, deleted, and given other secrets.
//!
//! Secrets are kept sealed under the server's key, bound to their row. A subscription that is inactive keeps what waits for it, and is not told
//! of what happens meanwhile; a deleted one is told nothing from the commit on.

use std::time::Duration;

use pagesmith_model::audit::Action;
use pagesmith_model::network::Networks;
use pagesmith_model::webhook::{
    self, Health, MOST_SUBSCRIPTIONS, NewSubscription, Secret, Secrets, Selection, Subscription,
    SubscriptionPatch,
};
use pagesmith_model::{Error, Kind, Result, SubscriptionId, TenantId};
use pagesmith_store::tables::webhooks::subscriptions as table;
use pagesmith_store::{Tx, Wakeup};
use serde_json::json;

use crate::audit;
use crate::context::TenantContext;
use crate::precondition::Precondition;

/// What sealed secrets are tied to: moved to another row, they do not open.
pub fn bound_to(tenant: &TenantId, subscription_id: &SubscriptionId) -> String {
    format!("webhook_subscriptions {tenant} {subscription_id}")
}

/// Makes a subscription; its secret is shown only here.
pub fn create(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    new: &NewSubscription,
    networks: &Networks,
) -> Result<(Subscription, Secret)> {
    let url = webhook::accept_url(&new.url, networks)?;
    let most = u64::try_from(MOST_SUBSCRIPTIONS).unwrap_or(u64::MAX);
    if table::count(tx, &ctx.tenant)? >= most {
        let details = json!({ "limit": MOST_SUBSCRIPTIONS });
        let detail = format!("A tenant may have at most {MOST_SUBSCRIPTIONS} webhook subscriptions.");
        return Err(Error::new(Kind::Conflict(Some(details)), detail));
    }
    let subscription = Subscription {
        subscription_id: SubscriptionId::mint(ctx.uuid()?),
        url,
        selection: Selection::of(new.events.as_ref().map(|events| events.0.as_slice())),
        active: new.active,
        stopped: None,
        health: Health::default(),
        created_at: ctx.now,
        updated_at: ctx.now,
    };
    let secret = Secret::new(ctx.random()?);
    let sealed = seal(ctx, &subscription.subscription_id, &Secrets::new(secret.clone()))?;
    tx.run(table::insert(&ctx.tenant, &subscription, &sealed))?;
    Ok((subscription, secret))
}

fn seal(ctx: &TenantContext, subscription_id: &SubscriptionId, secrets: &Secrets) -> Result<Vec<u8>> {
    let keys = ctx.secret()?;
    secrets.seal(&keys, ctx.random()?, &bound_to(&ctx.tenant, subscription_id))
}

/// The subscription.
pub fn find(tx: &mut Tx<'_>, ctx: &TenantContext, subscription_id: &SubscriptionId) -> Result<Subscription> {
    Ok(find_sealed(tx, ctx, subscription_id)?.0)
}

fn find_sealed(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    subscription_id: &SubscriptionId,
) -> Result<(Subscription, Vec<u8>)> {
    table::find(tx, &ctx.tenant, subscription_id)?.ok_or_else(|| Error::not_found(SubscriptionId::NOUN))
}

/// The secrets; nothing if they were sealed under a key that is not here.
fn open(ctx: &TenantContext, subscription_id: &SubscriptionId, sealed: &[u8]) -> Result<Option<Secrets>> {
    Ok(Secrets::open(&*ctx.secret()?, &bound_to(&ctx.tenant, subscription_id), sealed))
}

/// Changes what is given.
pub fn update(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    subscription_id: &SubscriptionId,
    patch: &SubscriptionPatch,
    networks: &Networks,
    precondition: &Precondition<Subscription>,
) -> Result<Subscription> {
    let (before, sealed) = find_sealed(tx, ctx, subscription_id)?;
    precondition.check(&before)?;
    let mut after = before.clone();
    if let Some(url) = &patch.url {
        after.url = webhook::accept_url(url, networks)?;
    }
    if let Some(events) = &patch.events {
        after.selection = Selection::of(events.as_ref().map(|events| events.0.as_slice()));
    }
    if let Some(active) = patch.active {
        after.active = active;
        after.stopped = None;
    }
    if after == before {
        return Ok(before);
    }
    if after.active && !before.active && open(ctx, subscription_id, &sealed)?.is_none() {
        return Err(Error::conflict(
            "The signing secret of this subscription was lost with a key of the server. Give it another one (rotate_secret) before it is activated.",
        ));
    }
    if after.active && !before.active || after.url != before.url {
        // What failed before says nothing about what comes.
        after.health = Health::default();
        // What waits may go on.
        tx.wake_after_commit(Wakeup::Deliveries);
    }
    after.updated_at = ctx.now;
    tx.run(table::update(&ctx.tenant, &after))?;
    Ok(after)
}

/// Deletes a subscription; nothing more is delivered to it, also not what waits.
pub fn delete(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    subscription_id: &SubscriptionId,
    precondition: &Precondition<Subscription>,
) -> Result<()> {
    precondition.check(&find(tx, ctx, subscription_id)?)?;
    tx.run(table::remove(&ctx.tenant, subscription_id, ctx.now))?;
    Ok(())
}

/// Gives a subscription another secret; the one before signs beside it for a while, unless it is lost. The new one is shown only here.
pub fn rotate_secret(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    subscription_id: &SubscriptionId,
    overlap: Duration,
) -> Result<Secret> {
    let (_, sealed) = find_sealed(tx, ctx, subscription_id)?;
    let secret = Secret::new(ctx.random()?);
    let secrets = match open(ctx, subscription_id, &sealed)? {
        Some(before) => before.rotated(secret.clone(), ctx.now.plus(overlap), ctx.now),
        None => Secrets::new(secret.clone()),
    };
    // What waits for a secret that opens may go on.
    tx.wake_after_commit(Wakeup::Deliveries);
    let sealed = seal(ctx, subscription_id, &secrets)?;
    tx.run(table::update_secrets(&ctx.tenant, subscription_id, &sealed))?;
    let subject = subscription_id.as_str();
    audit::record(tx, ctx, Some(&ctx.tenant), Action::WebhookSecretRotated, subject)?;
    Ok(secret)
}
