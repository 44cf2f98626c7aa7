//! What was used of models, by versions and by tenants in a month.
//!
//! It is noted in the transaction that keeps a version or ends a try. Invariant: a try counts once, whether its worker was still wanted or
//! not, and however often the worker says its last word.

use pagesmith_model::agent::{AgentKind, Used, month_of};
use pagesmith_model::{LeaseId, Result, TenantId};
use pagesmith_store::Tx;
use pagesmith_store::tables::agent::usages::{self as table, Month};
use pagesmith_store::tables::versions;
use pagesmith_store::tables::versions::generations::QueuedVersion;
use pagesmith_store::tables::versions::writings::Writing;

use crate::context::TenantContext;

/// How many months are told of.
const MONTHS: i64 = 36;

/// What a try came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    /// Who wrote last.
    pub kind: AgentKind,
    /// The model that did.
    pub model: Option<String>,
    /// What was used.
    pub used: Used,
    /// What went wrong.
    pub problem: Option<String>,
}

/// Notes what a try under a lease came to, unless that was done; of an erased version only the tenant's month learns.
pub fn record(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    (of, lease): (&QueuedVersion, &LeaseId),
    tally: &Tally,
) -> Result<()> {
    let tenant = &ctx.tenant;
    let before = versions::writings::find(tx, tenant, &of.version_id)?;
    if before.is_some_and(|before| before.lease == *lease) {
        return Ok(());
    }
    let mut changes = Vec::new();
    if versions::find(tx, tenant, &of.audience_id, &of.version_id)?.is_some() {
        let last = Writing {
            lease: lease.clone(),
            kind: tally.kind,
            model: tally.model.clone(),
            used: tally.used,
            problem: tally.problem.clone(),
        };
        changes.push(versions::writings::add(tenant, &of.version_id, &last, ctx.now));
    }
    if tally.used != Used::default() {
        changes.push(table::add(tenant, &month_of(ctx.now), &tally.used, ctx.now));
    }
    if !changes.is_empty() {
        tx.batch(changes)?;
    }
    Ok(())
}

/// Counts what was used beside versions and messages, if anything was.
pub fn count(tx: &mut Tx<'_>, ctx: &TenantContext, used: &Used) -> Result<()> {
    if *used == Used::default() {
        return Ok(());
    }
    tx.run(table::add(&ctx.tenant, &month_of(ctx.now), used, ctx.now)).map(drop)
}

/// What a tenant has used lately, newest month first.
pub fn of_tenant(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<Vec<Month>> {
    table::list(tx, tenant, MONTHS)
}
