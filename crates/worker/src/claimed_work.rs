//! Work that waits in a queue of the database: claimed under leases, a few at a time, and attempted outside every transaction.
//!
//! What this is not: leases and queues themselves, which are operations. Each kind of work says here how it is claimed and attempted;
//! when to look for more, how much to do at once and how to stop is the same for all. Invariant: what was claimed is attempted or left to
//! others before [`run`] returns.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use pagesmith_model::{Result, TenantId, Timestamp};
use pagesmith_operations::pending_work;
use pagesmith_store::tables::leases::Leases;
use pagesmith_store::tables::pending_work::WorkKind;
use pagesmith_store::{Tx, Wakeup};
use tokio::sync::watch;
use tokio::task::{self, JoinError, JoinSet};

use crate::outage;
use crate::tools::Tools;
use crate::turns::Turns;

/// How long a queue sleeps without a wake-up. [`wake_queues`](crate::wake_queues) finds what there is sooner; this is for what that does not.
pub(crate) const POLL: Duration = Duration::from_secs(5);

/// A kind of work.
pub(crate) trait ClaimedWork {
    /// A piece of it, with its lease.
    type Claimed: Send + 'static;
    /// What tells this process that there is some.
    const WAKEUP: Wakeup;
    /// How many pieces are attempted at the same time.
    const CONCURRENCY: usize;
    /// What a piece is called in the log.
    const NOUN: &'static str;

    /// Claims up to `limit` pieces; tenants have their turns.
    fn claim(
        tools: &Tools,
        turns: &mut Turns,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<Self::Claimed>>> + Send;

    /// Whose a piece is.
    fn tenant(claimed: &Self::Claimed) -> &TenantId;

    /// Attempts a piece; if `stop` turns true, it is left to others.
    fn attempt(
        tools: Tools,
        claimed: Self::Claimed,
        stop: watch::Receiver<bool>,
    ) -> impl Future<Output = ()> + Send + 'static;
}

/// Ends the leases of lost workers, and finds up to `limit` tenants with work of a kind that is due and that may have more done, behind the one
/// who had the last turn in the order of their ids and then from the first. While a part of the database is away, tenants are looked at one by
/// one.
pub(crate) async fn due_tenants<F>(
    tools: &Tools,
    (kind, leases): (WorkKind, &'static Leases),
    (turns, limit): (&mut Turns, usize),
    is_due: F,
) -> Result<Vec<TenantId>>
where
    F: Fn(&mut Tx<'_>, &TenantId) -> Result<bool> + Clone + Send + 'static,
{
    let now = tools.platform.clock().now();
    let full: Arc<[TenantId]> = turns.full().into();
    let is_due = move |tx: &mut Tx<'_>, tenant: &TenantId| Ok(!full.contains(tenant) && is_due(tx, tenant)?);
    let last = &mut turns.last;
    if !tools.outage.is_on(now) {
        let (after, look) = (last.clone(), is_due.clone());
        let due = move |tx: &mut Tx<'_>| pending_work::due_tenants(tx, kind, &after, limit, &look);
        let among_all = async {
            // Both in one read, since mostly nothing is due and no lease has expired.
            let first = due.clone();
            let both = move |tx: &mut Tx<'_>| Ok((leases.tenants_with_expired(tx, now)?, first(tx)?));
            let (expired, tenants) = tools.store.read(both).await?;
            if expired.is_empty() {
                return Ok(tenants);
            }
            end_expired(tools, leases, expired, now).await;
            tools.store.read(due).await
        };
        let found = among_all.await;
        if !tools.outage.after_all(&found, now) {
            let tenants = found?;
            // If that is every tenant, the next round begins with the second: what all of them share is then given to each in turn.
            let behind = if tenants.len() < limit { tenants.first() } else { tenants.last() };
            if let Some(behind) = behind {
                behind.as_str().clone_into(last);
            }
            return Ok(tenants);
        }
    }
    let mut due = Vec::new();
    loop {
        let after = last.clone();
        let round = tools.store.read(move |tx| outage::round(tx, &after)).await?;
        *last = round.last;
        for tenant in round.tenants {
            if !tools.outage.lets_try(&tenant, now) {
                continue;
            }
            let (of, look) = (tenant.clone(), is_due.clone());
            let of_one = tools.store.claim(move |tx| {
                tx.run(leases.end_expired(&of, now))?;
                look(tx, &of)
            });
            if tools.outage.after_one(&tenant, of_one.await, now)? != Some(true) {
                continue;
            }
            due.push(tenant.clone());
            if due.len() >= limit {
                // Who comes next has the next turn.
                tenant.as_str().clone_into(last);
                return Ok(due);
            }
        }
        if last.is_empty() || !due.is_empty() {
            return Ok(due);
        }
    }
}

/// Claims up to `limit` pieces of these tenants, an equal share of each and no more than each may have, each in a transaction of its own: on a
/// cluster one of several tenants would be a commit of several nodes. `claim` is given what is claimed already.
pub(crate) async fn claim_each<C, F, R>(
    tools: &Tools,
    tenants: Vec<TenantId>,
    (turns, limit): (&Turns, usize),
    mut claim: F,
) -> Result<Vec<C>>
where
    F: FnMut(TenantId, usize, &[C]) -> R,
    R: Future<Output = Result<Vec<C>>>,
{
    let (now, of) = (tools.platform.clock().now(), tenants.len());
    let mut claimed = Vec::new();
    for (at, tenant) in tenants.into_iter().enumerate() {
        let share = limit.saturating_sub(claimed.len()).div_ceil(of - at).min(turns.left(&tenant));
        let result = claim(tenant.clone(), share, &claimed).await;
        match tools.outage.after_one(&tenant, result, now) {
            Ok(found) => claimed.extend(found.unwrap_or_default()),
            Err(error) if claimed.is_empty() => return Err(error),
            // What is claimed already is carried out.
            Err(error) => tracing::warn!(%tenant, %error, "nothing could be claimed of a tenant"),
        }
    }
    Ok(claimed)
}

/// Ends the leases of workers that these tenants have lost.
async fn end_expired(tools: &Tools, leases: &'static Leases, tenants: Vec<TenantId>, now: Timestamp) {
    for tenant in tenants {
        let of = tenant.clone();
        if let Err(error) = tools.store.claim(move |tx| tx.run(leases.end_expired(&of, now))).await {
            tracing::warn!(%tenant, %error, "the leases of lost workers could not be ended");
        }
    }
}

/// Does the work until `stop` turns true.
pub(crate) async fn run<W: ClaimedWork>(tools: Tools, mut stop: watch::Receiver<bool>) {
    let mut running = JoinSet::new();
    let mut turns = Turns::of(W::CONCURRENCY);
    // Of which tenant what is running is, also where it panics.
    let mut tenants = HashMap::new();
    loop {
        while let Some(ended) = running.try_join_next_with_id() {
            end(&mut turns, &mut tenants, ended);
        }
        let free = W::CONCURRENCY - running.len();
        if free > 0 {
            match W::claim(&tools, &mut turns, free).await {
                Ok(claimed) => {
                    for claimed in claimed {
                        let tenant = W::tenant(&claimed).clone();
                        turns.begin(&tenant);
                        let task = running.spawn(W::attempt(tools.clone(), claimed, stop.clone()));
                        tenants.insert(task.id(), tenant);
                    }
                }
                Err(error) => tracing::warn!(%error, "no {} could be claimed", W::NOUN),
            }
        }
        let is_free = running.len() < W::CONCURRENCY;
        tokio::select! {
            biased;
            _ = stop.wait_for(|stop| *stop) => break,
            Some(ended) = running.join_next_with_id() => end(&mut turns, &mut tenants, ended),
            () = tools.store.wait_for(W::WAKEUP), if is_free => {}
            () = tokio::time::sleep(POLL) => {}
        }
    }
    while running.join_next().await.is_some() {}
}

/// Notes that something has ended.
fn end(
    turns: &mut Turns,
    tenants: &mut HashMap<task::Id, TenantId>,
    ended: std::result::Result<(task::Id, ()), JoinError>,
) {
    let id = ended.map_or_else(|error| error.id(), |(id, ())| id);
    if let Some(tenant) = tenants.remove(&id) {
        turns.end(&tenant);
    }
}

/// Does everything that is due, in rounds; how a test steps it.
pub(crate) async fn drain<W: ClaimedWork>(tools: &Tools) -> Result<()> {
    let (_running, stop) = watch::channel(false);
    let mut turns = Turns::default();
    loop {
        let claimed = W::claim(tools, &mut turns, W::CONCURRENCY).await?;
        if claimed.is_empty() {
            return Ok(());
        }
        join_all(claimed.into_iter().map(|claimed| W::attempt(tools.clone(), claimed, stop.clone()))).await;
    }
}
