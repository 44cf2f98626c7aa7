//! A claim on deliveries: of all tenants at once, or of one after the other.
//!
//! One transaction for all is faster: for a tenant alone, finding it first would be a second transaction, with four more round trips. But on
//! a cluster one of several tenants would be a commit of several nodes. There, and while a part of the database is away, each tenant has one
//! of its own.

use pagesmith_model::{Result, TenantId};
use pagesmith_operations::webhooks::deliveries::{self, Capacity, Claimed, Turn};

use crate::outage;
use crate::tools::Tools;

/// Whether each tenant has transactions of its own.
pub(super) fn are_split(tools: &Tools) -> bool {
    tools.delivery.split_by_tenant || tools.store.is_cluster()
}

/// Claims what the worker can take.
pub(super) async fn claim(tools: &Tools, turn: Turn, capacity: &Capacity) -> Result<Claimed> {
    let ctx = tools.context();
    if tools.outage.is_on(ctx.now) {
        return one_by_one(tools, turn, capacity).await;
    }
    let (now, of, asked) = (ctx.now, turn.clone(), capacity.clone());
    if are_split(tools) {
        let found = tools.store.read(move |tx| deliveries::due_tenants(tx, &ctx, &of)).await;
        if tools.outage.after_all(&found, now) {
            return one_by_one(tools, turn, capacity).await;
        }
        let (tenants, claimed) = found?;
        return of_each(tools, tenants, claimed, capacity).await;
    }
    let result = tools.store.claim(move |tx| deliveries::claim(tx, &ctx, &of, &asked)).await;
    if tools.outage.after_all(&result, now) {
        return one_by_one(tools, turn, capacity).await;
    }
    result
}

/// Claims an equal share of each of these tenants.
async fn of_each(
    tools: &Tools,
    tenants: Vec<TenantId>,
    mut all: Claimed,
    capacity: &Capacity,
) -> Result<Claimed> {
    let of = tenants.len();
    for (at, tenant) in tenants.iter().enumerate() {
        let free = capacity.free.saturating_sub(all.due.len());
        if free == 0 {
            all.is_more = true;
            break;
        }
        add(tools, tenant, (free.div_ceil(of - at), capacity), &mut all).await?;
    }
    Ok(all)
}

/// Claims of the next tenants what the worker can take; those whose rows cannot be reached are passed over.
async fn one_by_one(tools: &Tools, turn: Turn, capacity: &Capacity) -> Result<Claimed> {
    let round = tools.store.read(move |tx| outage::round(tx, &turn.tenant)).await?;
    let mut all = Claimed { turn: Turn { tenant: round.last }, ..Claimed::default() };
    all.is_more = !all.turn.tenant.is_empty();
    for tenant in round.tenants {
        let free = capacity.free.saturating_sub(all.due.len());
        add(tools, &tenant, (free, capacity), &mut all).await?;
        if all.due.len() >= capacity.free {
            // Who comes next has the next turn.
            (all.turn, all.is_more) = (Turn { tenant: tenant.to_string() }, true);
            break;
        }
    }
    Ok(all)
}

/// Adds up to `free` deliveries of a tenant, claimed in a transaction of its own; none if its rows cannot be reached.
async fn add(
    tools: &Tools,
    tenant: &TenantId,
    (free, capacity): (usize, &Capacity),
    all: &mut Claimed,
) -> Result<()> {
    let ctx = tools.context();
    let now = ctx.now;
    if !tools.outage.lets_try(tenant, now) {
        return Ok(());
    }
    let (of, asked) = (tenant.clone(), Capacity { free, ..capacity.clone() });
    let result = tools.store.claim(move |tx| deliveries::claim_of(tx, &ctx, &of, &asked)).await;
    let found = match tools.outage.after_one(tenant, result, now) {
        Ok(Some(found)) => found,
        Ok(None) => return Ok(()),
        Err(error) if all.due.is_empty() => return Err(error),
        // What is claimed already is sent.
        Err(error) => {
            tracing::warn!(%tenant, %error, "no delivery of a tenant could be claimed");
            return Ok(());
        }
    };
    all.is_more |= found.is_more || found.due.len() >= free;
    all.next_at = all.next_at.into_iter().chain(found.next_at).min();
    all.due.extend(found.due);
    all.sealed.extend(found.sealed);
    Ok(())
}
