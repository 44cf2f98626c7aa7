//! `webhook_subscriptions`: who is told of events, with the sealed secrets that deliveries are signed with.
//!
//! A deleted subscription is found by nothing here but the sweep. How its receiver fares is written by workers, and seldom:
//! only when a run of failures begins, lasts or ends.

use pagesmith_model::webhook::{Health, Selection, Stopped, Subscription};
use pagesmith_model::{Error, Result, SubscriptionId, TenantId, Timestamp};

use crate::extent::{Extent, ListPart};
use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

fn subscription(row: &Row) -> Result<Subscription> {
    let broken = || Error::internal("a broken subscription");
    let (events, stopped): (Option<String>, Option<String>) = (row.take("events")?, row.take("stopped")?);
    Ok(Subscription {
        subscription_id: row.take("subscription_id")?,
        url: row.take("url")?,
        selection: Selection::from_stored(events.as_deref()).ok_or_else(broken)?,
        active: row.take("active")?,
        stopped: stopped.map(|text| Stopped::parse(&text).ok_or_else(broken)).transpose()?,
        health: health(row)?,
        created_at: row.take("created_at")?,
        updated_at: row.take("updated_at")?,
    })
}

fn health(row: &Row) -> Result<Health> {
    Ok(Health { failing_since: row.take("failing_since")?, failed_at: row.take("failed_at")? })
}

/// Adds a subscription.
pub fn insert(tenant: &TenantId, subscription: &Subscription, secrets: &[u8]) -> Query {
    sql!(
        "INSERT INTO webhook_subscriptions
            (tenant_id, subscription_id, url, events, event_bits, active, secrets, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
    )
    .with(values![
        tenant,
        &subscription.subscription_id,
        &subscription.url,
        &subscription.selection.to_stored(),
        subscription.selection.bits(),
        subscription.active,
        secrets,
        subscription.created_at,
        subscription.updated_at,
    ])
}

/// The subscription with its sealed secrets.
pub fn find(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    subscription_id: &SubscriptionId,
) -> Result<Option<(Subscription, Vec<u8>)>> {
    let select = sql!(
        "SELECT subscription_id, url, events, active, stopped, secrets, failing_since, failed_at, created_at,
                updated_at
         FROM webhook_subscriptions WHERE tenant_id = $1 AND subscription_id = $2 AND deleted_at IS NULL"
    );
    let found = tx.maybe(select.with(values![tenant, subscription_id]))?;
    found.map(|row| Ok((subscription(&row)?, row.take("secrets")?))).transpose()
}

/// The subscriptions of a tenant, newest first, after a position; and how many there are in all.
pub fn list(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    after: Option<&SubscriptionId>,
    extent: Extent,
) -> Result<(ListPart<Subscription>, u64)> {
    let select = sql!(
        "SELECT subscription_id, url, events, active, stopped, failing_since, failed_at, created_at, updated_at
         FROM webhook_subscriptions WHERE tenant_id = $1 AND deleted_at IS NULL"
    );
    let mut select = select.with(values![tenant]);
    if let Some(after) = after {
        select = select.and(sql!("AND subscription_id < $1"), values![after]);
    }
    let select = select.and(sql!("ORDER BY subscription_id DESC LIMIT $1"), values![extent.rows()]);
    let found = ListPart::read(&tx.all(select.within(extent.bytes))?, extent, subscription)?;
    Ok((found, count(tx, tenant)?))
}

/// How many a tenant has.
pub fn count(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<u64> {
    let select = sql!(
        "SELECT COUNT(*) AS total FROM webhook_subscriptions WHERE tenant_id = $1 AND deleted_at IS NULL"
    );
    tx.one(select.with(values![tenant]))?.get("total")
}

/// Replaces everything that its owner or the service may change.
pub fn update(tenant: &TenantId, subscription: &Subscription) -> Query {
    sql!(
        "UPDATE webhook_subscriptions SET
            url = $3, events = $4, event_bits = $5, active = $6, stopped = $7, failing_since = $8, failed_at = $9,
            updated_at = $10
         WHERE tenant_id = $1 AND subscription_id = $2"
    ).with(values![
        tenant,
        &subscription.subscription_id,
        &subscription.url,
        &subscription.selection.to_stored(),
        subscription.selection.bits(),
        subscription.active,
        subscription.stopped.map(Stopped::as_str),
        subscription.health.failing_since,
        subscription.health.failed_at,
        subscription.updated_at,
    ])
}

/// Replaces the sealed secrets.
pub fn update_secrets(tenant: &TenantId, subscription_id: &SubscriptionId, secrets: &[u8]) -> Query {
    sql!("UPDATE webhook_subscriptions SET secrets = $3 WHERE tenant_id = $1 AND subscription_id = $2")
        .with(values![tenant, subscription_id, secrets])
}

/// A subscription among those of all tenants.
type SubscriptionKey = (TenantId, SubscriptionId);

/// Subscriptions of all tenants with their sealed secrets, deleted ones included, in the order of their keys, behind one of them.
pub fn list_sealed(
    tx: &mut Tx<'_>,
    after: Option<&SubscriptionKey>,
    limit: i64,
) -> Result<Vec<(SubscriptionKey, Vec<u8>)>> {
    // across tenants: the server's key seals everyone's
    let select = sql!(
        "SELECT tenant_id, subscription_id, secrets FROM webhook_subscriptions
         WHERE (tenant_id, subscription_id) > ($1, $2) ORDER BY tenant_id, subscription_id LIMIT $3"
    );
    let (tenant, id) = after.map_or(("", ""), |(tenant, id)| (tenant.as_str(), id.as_str()));
    let rows = tx.all(select.with(values![tenant, id, limit]))?;
    rows.iter()
        .map(|row| Ok(((row.take("tenant_id")?, row.take("subscription_id")?), row.take("secrets")?)))
        .collect()
}

/// Marks a subscription as deleted; false if there is none.
pub fn remove(tenant: &TenantId, subscription_id: &SubscriptionId, now: Timestamp) -> Query {
    sql!(
        "UPDATE webhook_subscriptions SET deleted_at = $3
         WHERE tenant_id = $1 AND subscription_id = $2 AND deleted_at IS NULL"
    )
    .with(values![tenant, subscription_id, now])
}

/// How the receiver fares; nothing if the subscription is deleted. Held against other workers until the transaction ends.
pub fn find_health(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    subscription_id: &SubscriptionId,
) -> Result<Option<Health>> {
    let select = sql!(
        "SELECT failing_since, failed_at FROM webhook_subscriptions
         WHERE tenant_id = $1 AND subscription_id = $2 AND deleted_at IS NULL {for_update}"
    );
    let found = tx.maybe(select.with(values![tenant, subscription_id]))?;
    found.map(|row| health(&row)).transpose()
}

/// Notes how the receiver fares.
pub fn update_health(tenant: &TenantId, subscription_id: &SubscriptionId, health: Health) -> Query {
    let values = values![tenant, subscription_id, health.failing_since, health.failed_at];
    sql!(
        "UPDATE webhook_subscriptions SET failing_since = $3, failed_at = $4
         WHERE tenant_id = $1 AND subscription_id = $2"
    )
    .with(values)
}

/// Takes a time in which nothing was sent out of the runs of failures of a tenant's subscriptions, as if it had not passed.
pub fn skip_time(tenant: &TenantId, from: Timestamp, to: Timestamp) -> Query {
    let skipped = i64::try_from(to.since(from).as_micros()).unwrap_or(i64::MAX);
    sql!(
        "UPDATE webhook_subscriptions SET
            failing_since = CASE WHEN failing_since < $2 THEN failing_since + $4 ELSE $3 END,
            failed_at = CASE WHEN failed_at < $2 THEN failed_at + $4 ELSE $3 END
         WHERE tenant_id = $1 AND failing_since IS NOT NULL"
    )
    .with(values![tenant, from, to, skipped])
}

/// Ends a run of failures, if there is one; a query, to travel with others.
pub fn recover(tenant: &TenantId, subscription_id: &SubscriptionId) -> Query {
    sql!(
        "UPDATE webhook_subscriptions SET failing_since = NULL, failed_at = NULL
         WHERE tenant_id = $1 AND subscription_id = $2 AND failing_since IS NOT NULL"
    )
    .with(values![tenant, subscription_id])
}

/// Deactivates a subscription that its receiver does not want, or cannot take, any more.
pub fn stop(tenant: &TenantId, subscription_id: &SubscriptionId, why: Stopped, now: Timestamp) -> Query {
    sql!(
        "UPDATE webhook_subscriptions SET active = $3, stopped = $4, updated_at = $5
         WHERE tenant_id = $1 AND subscription_id = $2 AND active = $6"
    )
    .with(values![tenant, subscription_id, false, why.as_str(), now, true])
}

/// Up to `limit` tenants with deleted subscriptions.
pub fn tenants_with_deleted(tx: &mut Tx<'_>, limit: i64) -> Result<Vec<TenantId>> {
    // across tenants: a sweep for all of them
    let select = sql!(
        "SELECT DISTINCT tenant_id FROM webhook_subscriptions WHERE deleted_at IS NOT NULL ORDER BY tenant_id LIMIT $1"
    );
    tx.all(select.with(values![limit]))?.iter().map(|row| row.take("tenant_id")).collect()
}

/// Whether a tenant has deleted ones.
pub fn has_deleted(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<bool> {
    let select = sql!(
        "SELECT subscription_id FROM webhook_subscriptions WHERE tenant_id = $1 AND deleted_at IS NOT NULL LIMIT 1"
    );
    Ok(tx.maybe(select.with(values![tenant]))?.is_some())
}

/// Every subscription of a tenant with when it was deleted; for the sweep.
pub fn list_for_sweep(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
) -> Result<Vec<(SubscriptionId, Option<Timestamp>)>> {
    let select = sql!(
        "SELECT subscription_id, deleted_at FROM webhook_subscriptions WHERE tenant_id = $1
         ORDER BY subscription_id"
    );
    let rows = tx.all(select.with(values![tenant]))?;
    rows.iter().map(|row| Ok((row.take("subscription_id")?, row.take("deleted_at")?))).collect()
}

/// Removes a subscription for good.
pub fn erase(tenant: &TenantId, subscription_id: &SubscriptionId) -> Query {
    sql!("DELETE FROM webhook_subscriptions WHERE tenant_id = $1 AND subscription_id = $2")
        .with(values![tenant, subscription_id])
}
