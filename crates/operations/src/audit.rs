//! The audit: what operators, and keys in their place, changed or took out, noted in the transaction of the change.
//!
//! An entry names what it is about by its id, by a digest where the id itself must not stay. Invariant: nothing that is audited is
//! done without its entry, and no entry is changed or removed.

use pagesmith_model::audit::Action;
use pagesmith_model::hexadecimal::hexadecimal;
use pagesmith_model::{AuditEntryId, PersonId, Result, TenantId};
use pagesmith_store::tables::audit::{self as table, AuditEntry};
use pagesmith_store::{Query, Tx};

use crate::context::{Context, TenantContext};

/// Notes what was done to a tenant's `subject`, or to one of the server's own where no tenant is given.
pub fn record(
    tx: &mut Tx<'_>,
    ctx: &Context,
    tenant: Option<&TenantId>,
    action: Action,
    subject: &str,
) -> Result<AuditEntryId> {
    let (audit_entry_id, queries) = entry(tx, ctx, tenant, action, subject)?;
    tx.batch(queries)?;
    Ok(audit_entry_id)
}

/// The same as queries, to travel with others.
pub(crate) fn entry(
    tx: &Tx<'_>,
    ctx: &Context,
    tenant: Option<&TenantId>,
    action: Action,
    subject: &str,
) -> Result<(AuditEntryId, Vec<Query>)> {
    let entry = AuditEntry {
        audit_entry_id: AuditEntryId::mint(ctx.uuid()?),
        tenant: tenant.cloned(),
        action: action.as_str().to_owned(),
        subject: subject.to_owned(),
        actor: Some(ctx.actor().clone()),
        request_id: ctx.request_id().cloned(),
        created_at: ctx.now,
    };
    let queries = table::insert(&entry, tx.shard());
    Ok((entry.audit_entry_id, queries))
}

/// What entries about a person name.
pub fn subject_of(ctx: &TenantContext, person_id: &PersonId) -> Result<String> {
    digest_of(ctx, "erased person", person_id.as_str())
}

/// What an entry names in the place of an id that must not stay: whoever has the id and the server's keys can tell that this was
/// the one, and nobody can tell the id.
pub(crate) fn digest_of(ctx: &TenantContext, purpose: &str, id: &str) -> Result<String> {
    let digest = ctx.keyed_digest(purpose, &[ctx.tenant.as_str(), id])?;
    Ok(hexadecimal(&digest))
}
