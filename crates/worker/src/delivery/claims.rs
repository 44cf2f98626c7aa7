//! A claim on deliveries: of all tenants at once, or of one after the other while a part of the database is away.

use pagesmith_model::Result;
use pagesmith_operations::webhooks::deliveries::{self, Capacity, Claimed, Turn};

use crate::outage;
use crate::tools::Tools;

/// Claims what the worker can take.
pub(super) async fn claim(tools: &Tools, turn: Turn, capacity: &Capacity) -> Result<Claimed> {
    let ctx = tools.context();
    if tools.outage.is_on(ctx.now) {
        return one_by_one(tools, turn, capacity).await;
    }
    let (now, of, asked) = (ctx.now, turn.clone(), capacity.clone());
    let result = tools.store.claim(move |tx| deliveries::claim(tx, &ctx, &of, &asked)).await;
    if tools.outage.after_all(&result, now) {
        return one_by_one(tools, turn, capacity).await;
    }
    result
}

/// Claims of the next tenants what the worker can take, each in a transaction of its own; those whose rows cannot be reached are passed over.
async fn one_by_one(tools: &Tools, turn: Turn, capacity: &Capacity) -> Result<Claimed> {
    let round = tools.store.read(move |tx| outage::round(tx, &turn.tenant)).await?;
    let mut all = Claimed { turn: Turn { tenant: round.last }, ..Claimed::default() };
    all.is_more = !all.turn.tenant.is_empty();
    for tenant in round.tenants {
        let ctx = tools.context();
        let now = ctx.now;
        if !tools.outage.lets_try(&tenant, now) {
            continue;
        }
        let left = Capacity { free: capacity.free.saturating_sub(all.due.len()), ..capacity.clone() };
        let of = tenant.clone();
        let result = tools.store.claim(move |tx| deliveries::claim_of(tx, &ctx, &of, &left)).await;
        let Some(found) = tools.outage.after_one(&tenant, result, now)? else { continue };
        all.is_more |= found.is_more;
        all.next_at = all.next_at.into_iter().chain(found.next_at).min();
        all.due.extend(found.due);
        all.sealed.extend(found.sealed);
        if all.due.len() >= capacity.free {
            // Who comes next has the next turn.
            (all.turn, all.is_more) = (found.turn, true);
            break;
        }
    }
    Ok(all)
}
