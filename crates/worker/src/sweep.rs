//! What has expired is removed, a little at a time, so that no writer waits long: of each tenant in transactions of its own, since on a
//! cluster one of several tenants would be a commit of several nodes.

use std::collections::BTreeMap;

use pagesmith_model::{Kind, Result, TenantId};
use pagesmith_operations::context::TenantContext;
use pagesmith_operations::persons::merge;
use pagesmith_operations::subject_requests;
use pagesmith_operations::versions::history;
use pagesmith_operations::{
    assets, audiences, idempotency, pending_work, person_imports as imports, users, webhooks,
};
use pagesmith_store::Tx;
use pagesmith_store::tables::idempotency::RecordKey;
use pagesmith_store::tables::persons::erasures;
use pagesmith_store::tables::users::invitations;
use pagesmith_store::tables::webhooks::subscriptions;

use crate::tools::{Left, Tools};
use tenants as tenant_sweep;

pub(crate) mod files;
pub(crate) mod tenants;

/// Forgets answers that are older than a day.
pub(crate) async fn idempotency(tools: Tools) -> Result<Left> {
    let now = tools.platform.clock().now();
    let among_all = move |tx: &mut Tx<'_>| idempotency::expired(tx, now);
    let of_one = move |tx: &mut Tx<'_>, tenant: &TenantId| idempotency::expired_of(tx, tenant, now);
    let mut expired = tenant_sweep::find(&tools, among_all, of_one).await?;
    let found = expired.len();
    // Two sweeps that meet wait for each other in the same order.
    expired.sort_unstable();
    let mut of: BTreeMap<TenantId, Vec<RecordKey>> = BTreeMap::new();
    for key in expired {
        of.entry(key.tenant.clone()).or_default().push(key);
    }
    let tenants = of.keys().cloned().collect();
    let sweep = |tools: Tools, tenant: TenantId| {
        let keys = of.get(&tenant).cloned().unwrap_or_default();
        async move {
            tools.store.claim(move |tx| idempotency::forget(tx, &keys, now)).await?;
            Ok(Left::Nothing)
        }
    };
    tenant_sweep::sweep_these(&tools, tenants, sweep).await?;
    Ok(if idempotency::is_behind(found) { Left::More } else { Left::Nothing })
}

/// Counts audiences off their pages that a command has erased.
pub(crate) async fn erased_audiences(tools: Tools) -> Result<Left> {
    use audiences::erase::{debtors, owes, settle};
    let step = |tx: &mut Tx<'_>, ctx: &TenantContext| Ok(settle(tx, &ctx.tenant)? > 0);
    let settle_of = |tools, tenant| tenant_sweep::steps(tools, tenant, step);
    tenant_sweep::sweep_found(&tools, debtors, owes, settle_of).await
}

/// Tenants of one round.
const TENANTS: i64 = 256;

/// Forgets events and deliveries that are old, of every tenant.
pub(crate) async fn webhooks(tools: Tools) -> Result<Left> {
    let is_due = |tx: &mut Tx<'_>, ctx: &TenantContext| Ok(webhooks::sweep::next(tx, ctx)?.is_some());
    tenant_sweep::sweep_due(&tools, is_due, events_of).await
}

/// Forgets deliveries of subscriptions that are no more, and what else is old of their tenants.
pub(crate) async fn deleted_subscriptions(tools: Tools) -> Result<Left> {
    let among_all = |tx: &mut Tx<'_>| subscriptions::tenants_with_deleted(tx, TENANTS);
    tenant_sweep::sweep_found(&tools, among_all, subscriptions::has_deleted, events_of).await
}

async fn events_of(tools: Tools, tenant: TenantId) -> Result<Left> {
    for _ in 0..tenant_sweep::STEPS {
        let ctx = tools.context().of(tenant.clone());
        let Some(work) = tools.store.read(move |tx| webhooks::sweep::next(tx, &ctx)).await? else {
            return Ok(Left::Nothing);
        };
        let of = tenant.clone();
        tools.store.claim(move |tx| webhooks::sweep::clear(tx, &of, &work)).await?;
    }
    Ok(Left::More)
}

/// Removes what has been in the trash for its time, of every tenant.
pub(crate) async fn trash(tools: Tools) -> Result<Left> {
    tenant_sweep::sweep(&tools, assets::has_old_trash, assets::purge).await
}

/// Cancels imports of persons that nobody has started, and forgets the reports of old ones, of every tenant.
pub(crate) async fn person_imports(tools: Tools) -> Result<Left> {
    tenant_sweep::sweep(&tools, imports::has_old, imports::sweep).await
}

/// Erases persons of whom that was asked, one after the other. One that cannot be erased does not keep the others waiting.
pub(crate) async fn asked_erasures(tools: Tools) -> Result<Left> {
    let mut failed = None;
    let among_all = |tx: &mut Tx<'_>| erasures::list(tx, TENANTS);
    let of_one = |tx: &mut Tx<'_>, tenant: &TenantId| erasures::list_of(tx, tenant, TENANTS);
    for asked in tenant_sweep::find(&tools, among_all, of_one).await? {
        let ctx = tools.platform.context().by(asked.actor).of(asked.tenant);
        match subject_requests::erase(&tools.store, &ctx, &asked.person_id).await {
            // Another server was at it as well.
            Err(error) if *error.kind() == Kind::NotFound => {}
            Err(error) => failed = Some(error),
            Ok(_) => {}
        }
    }
    failed.map_or(Ok(Left::Nothing), Err)
}

/// Forgets merges of persons that cannot be taken back any more, of every tenant.
pub(crate) async fn old_merges(tools: Tools) -> Result<Left> {
    tenant_sweep::sweep(&tools, merge::has_old, merge::forget_old).await
}

/// Removes the oldest entries of versions that were changed very often, of every tenant.
pub(crate) async fn long_histories(tools: Tools) -> Result<Left> {
    tenant_sweep::sweep(&tools, history::has_grown, history::shorten).await
}

/// Removes sessions, links and invitations of users that have expired, and wrong attempts to sign in that count no more.
pub(crate) async fn sign_ins(tools: Tools) -> Result<Left> {
    let now = tools.platform.clock().now();
    let among_all = move |tx: &mut Tx<'_>| invitations::tenants_with_expired(tx, now);
    let is_due = move |tx: &mut Tx<'_>, tenant: &TenantId| invitations::has_expired(tx, tenant, now);
    let sweep = |tools: Tools, tenant: TenantId| async move {
        tools.store.claim(move |tx| tx.run(invitations::remove_expired(&tenant, now))).await?;
        Ok(Left::Nothing)
    };
    let of_tenants = tenant_sweep::sweep_found(&tools, among_all, is_due, sweep).await;
    tools.store.claim(move |tx| users::sweep::sweep(tx, now)).await?;
    of_tenants
}

/// Empties what this process keeps of pages if somebody was erased.
pub(crate) async fn forget_erased(tools: Tools) -> Result<Left> {
    tools.erasures.look(&tools.store).await?;
    Ok(Left::Nothing)
}

/// Takes tenants whose work is done from the list of those that have some.
pub(crate) async fn pending_work(tools: Tools) -> Result<Left> {
    let now = tools.platform.clock().now();
    if !tools.outage.is_on(now) {
        let swept = listed_work(&tools).await;
        if !tools.outage.after_all(&swept, now) {
            return swept;
        }
    }
    tenant_sweep::sweep(&tools, pending_work::has_idle, pending_work::remove_idle).await
}

async fn listed_work(tools: &Tools) -> Result<Left> {
    let mut last = None;
    loop {
        let after = last.clone();
        let found = tools.store.read(move |tx| pending_work::idle(tx, after.as_ref())).await?;
        for entry in found.idle {
            tools.store.write(move |tx| pending_work::remove_if_idle(tx, &entry)).await?;
        }
        if found.last.is_none() {
            return Ok(Left::Nothing);
        }
        last = found.last;
    }
}
