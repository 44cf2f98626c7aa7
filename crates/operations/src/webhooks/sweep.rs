//! Clearing away what is older than thirty days, and what deleted subscriptions leave behind.
//!
//! What is to be done is looked for in a read, and done in small steps, so that nobody who writes waits long. An event goes after its
//! deliveries: what still waits after so long a time goes with it. Only what is held back for a suspended tenant stays, and has all of its
//! attempts before it when the tenant is resumed.

use std::time::Duration;

use pagesmith_model::{EventId, Result, SubscriptionId, TenantId};
use pagesmith_store::Tx;
use pagesmith_store::tables::webhooks::deliveries;
use pagesmith_store::tables::{events, tenants, webhooks};

use crate::context::TenantContext;
use crate::webhooks::history::first_of;

/// How long events and their deliveries are kept.
pub const KEPT: Duration = Duration::from_hours(30 * 24);
/// How long nothing is too old after a suspension: longer than all attempts at a delivery take.
pub const SPARED: Duration = Duration::from_hours(5 * 24);
/// How many rows a step removes.
const STEP: i64 = 256;

/// Something to be cleared away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Work {
    /// These deliveries.
    Deliveries(SubscriptionId, Vec<EventId>),
    /// A deleted subscription without deliveries.
    Subscription(SubscriptionId),
    /// Events below this id.
    Events(EventId),
}

/// What is next to be cleared away of a tenant's.
pub fn next(tx: &mut Tx<'_>, ctx: &TenantContext) -> Result<Option<Work>> {
    let (tenant, now) = (&ctx.tenant, ctx.now);
    let before = first_of(now.minus(KEPT));
    // Nothing that was delivered is older than the oldest event, so most tenants need no look at their subscriptions' deliveries.
    let is_old = events::oldest(tx, tenant)?.is_some_and(|oldest| oldest < before) && !is_spared(tx, ctx)?;
    for (subscription_id, deleted_at) in webhooks::subscriptions::list_for_sweep(tx, tenant)? {
        if deleted_at.is_none() && !is_old {
            continue;
        }
        let of_time = deleted_at.is_none().then_some(&before);
        let old = deliveries::oldest(tx, tenant, &subscription_id, of_time, STEP)?;
        if !old.is_empty() {
            return Ok(Some(Work::Deliveries(subscription_id, old)));
        }
        if deleted_at.is_some() {
            return Ok(Some(Work::Subscription(subscription_id)));
        }
    }
    Ok(is_old.then_some(Work::Events(before)))
}

/// Whether a tenant is suspended, or was until lately.
fn is_spared(tx: &mut Tx<'_>, ctx: &TenantContext) -> Result<bool> {
    let tenant = tenants::find(tx, ctx.tenant.as_str())?;
    Ok(tenant.is_some_and(|tenant| {
        tenant.suspended_at.is_some() || tenant.resumed_at.is_some_and(|at| ctx.now.since(at) < SPARED)
    }))
}

/// Clears it away.
pub fn clear(tx: &mut Tx<'_>, tenant: &TenantId, work: &Work) -> Result<()> {
    match work {
        Work::Deliveries(subscription_id, events) => deliveries::remove(tx, tenant, subscription_id, events),
        Work::Subscription(subscription_id) => {
            tx.run(webhooks::subscriptions::erase(tenant, subscription_id)).map(drop)
        }
        Work::Events(before) => tx.run(events::remove_before(tenant, before, STEP)).map(drop),
    }
}
