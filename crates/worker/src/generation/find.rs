//! Which versions are to be taken back, and for which tenants something is due: of all at once, or of one tenant after the other while a
//! part of the database is away.

use std::sync::Arc;

use pagesmith_model::{Result, TenantId, Timestamp};
use pagesmith_operations::agent;
use pagesmith_operations::versions::generations;
use pagesmith_store::Tx;
use pagesmith_store::tables::versions::generations::QueuedVersion;

use super::capacity::Free;
use super::{LastTenants, attempt};
use crate::outage;
use crate::tools::Tools;

/// The work that is due.
#[derive(Default)]
pub(super) struct PendingWork {
    /// Versions whose workers are lost.
    pub(super) expired: Vec<QueuedVersion>,
    /// Tenants for whom the template has something to write.
    pub(super) template: Vec<TenantId>,
    /// Tenants for whom a model has, unless it is to be left alone.
    pub(super) models: Vec<TenantId>,
}

/// The work that is due, for up to as many tenants as there is free capacity.
pub(super) async fn work(tools: &Tools, turns: &mut LastTenants, free: Free) -> Result<PendingWork> {
    let now = tools.platform.clock().now();
    if tools.outage.is_on(now) {
        return one_by_one(tools, turns, free, now).await;
    }
    let result = among_all(tools, turns.clone(), free, now).await;
    if tools.outage.after_all(&result, now) {
        return one_by_one(tools, turns, free, now).await;
    }
    result
}

async fn among_all(tools: &Tools, turns: LastTenants, free: Free, now: Timestamp) -> Result<PendingWork> {
    let writer = writers(tools, now);
    let look = move |tx: &mut Tx<'_>| {
        let expired = generations::expired(tx, now)?;
        let mut has_models = false;
        let template = generations::due_tenants(tx, now, &turns.template, free.template, |tx, tenant| {
            let is_template = writer(tx, tenant)? == Some(Writer::Template);
            has_models |= !is_template;
            Ok(is_template)
        })?;
        // Mostly everybody has been seen by then.
        if template.len() < free.template && !has_models {
            return Ok(PendingWork { expired, template, models: vec![] });
        }
        let models = generations::due_tenants(tx, now, &turns.models, free.models, |tx, tenant| {
            Ok(writer(tx, tenant)? == Some(Writer::Model))
        })?;
        Ok(PendingWork { expired, template, models })
    };
    tools.store.read(look).await
}

/// The work of the next tenants that can be reached, until there is some; what was lost of theirs is taken back.
async fn one_by_one(
    tools: &Tools,
    turns: &mut LastTenants,
    free: Free,
    now: Timestamp,
) -> Result<PendingWork> {
    let mut all = PendingWork::default();
    loop {
        let after = turns.one_by_one.clone();
        let round = tools.store.read(move |tx| outage::round(tx, &after)).await?;
        turns.one_by_one = round.last;
        for tenant in round.tenants {
            if !tools.outage.lets_try(&tenant, now) {
                continue;
            }
            let result = of_one(tools, &tenant, now).await;
            match tools.outage.after_one(&tenant, result, now)? {
                Some(Some(Writer::Template)) if all.template.len() < free.template => {
                    all.template.push(tenant);
                }
                Some(Some(Writer::Model)) if all.models.len() < free.models => all.models.push(tenant),
                _ => {}
            }
        }
        if turns.one_by_one.is_empty() || !all.template.is_empty() || !all.models.is_empty() {
            return Ok(all);
        }
    }
}

/// Who writes what is due.
#[derive(PartialEq, Eq)]
enum Writer {
    Template,
    Model,
}

/// Who writes for a tenant; nobody while its model is to be left alone.
fn writers(
    tools: &Tools,
    now: Timestamp,
) -> impl Fn(&mut Tx<'_>, &TenantId) -> Result<Option<Writer>> + use<> {
    let usual = Arc::clone(&tools.generation.models.usual);
    let cooldowns = Arc::clone(&tools.generation.models.cooldowns);
    move |tx, tenant| {
        Ok(match agent::model_owner(tx, tenant, &usual)? {
            None => Some(Writer::Template),
            Some(owner) => (!cooldowns.is_cooling_down(&owner, now)).then_some(Writer::Model),
        })
    }
}

/// Takes back what lost workers hold of a tenant; who writes what is due then, if something is.
async fn of_one(tools: &Tools, tenant: &TenantId, now: Timestamp) -> Result<Option<Writer>> {
    let of = tenant.clone();
    for lost in tools.store.read(move |tx| generations::expired_of(tx, &of, now)).await? {
        let ctx = attempt::context(tools, &lost);
        tools.store.write(move |tx| generations::take_back(tx, &ctx, &lost)).await?;
    }
    let (of, writer) = (tenant.clone(), writers(tools, now));
    let look =
        move |tx: &mut Tx<'_>| if generations::is_due(tx, &of, now)? { writer(tx, &of) } else { Ok(None) };
    tools.store.read(look).await
}
