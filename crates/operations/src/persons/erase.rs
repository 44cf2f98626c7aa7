//! Erasing a person for good, as data protection asks for.
//!
//! The person, its log and its own audiences go from every table, its id with them. What stays: the keyed digest of its slug, so that its address
//! never becomes someone else's, and an audit entry with the keyed digest of the id: whoever has the id and the server's key can tell
//! that this was the one, and nobody can tell the id. Answers that are kept for repeated requests are sealed and cannot
//! be searched; all of the tenant's that are about persons, accounts or audiences go.

use pagesmith_model::audit::Action;
use pagesmith_model::{AuditEntryId, Error, PersonId, Result};
use pagesmith_store::tables::logs::tallies::{self, Tallied};
use pagesmith_store::tables::{counters, forms, idempotency, logs, persons, revisions, site};
use pagesmith_store::{Tx, overwrite_deleted};

use crate::context::TenantContext;
use crate::files::of_submissions;
use crate::retired_slugs::slug_digest;
use crate::{accounts, audiences, audit, visits};

/// Erases a person, deleted or not; the entry that says so.
pub fn erase(tx: &mut Tx<'_>, ctx: &TenantContext, person_id: &PersonId) -> Result<AuditEntryId> {
    overwrite_deleted(tx)?;
    let tenant = &ctx.tenant;
    let person = persons::find(tx, tenant, person_id)?.ok_or_else(|| Error::not_found(PersonId::NOUN))?;
    let shard = tx.shard();
    pagesmith_person_index::erase(tx, tenant, person_id)?;
    visits::erase::erase_of_person(tx, ctx, person_id)?;
    audiences::erase::erase_of(tx, ctx, person_id)?;
    of_submissions::remove_of_person(tx, ctx, person_id)?;
    tx.run(revisions::raise(revisions::ERASED))?;
    let subject = audit::subject_of(ctx, person_id)?;
    let (audit_entry_id, noted) = audit::entry(tx, ctx, Some(tenant), Action::PersonErased, &subject)?;
    let mut gone = vec![
        // What others' pages showed of the person is drawn anew at once.
        site::touch(tenant, ctx.now),
        persons::retire_slug(tenant, &slug_digest(ctx, &person.slug)?),
        logs::persons::remove_all(tenant, person_id),
        forms::submissions::remove_of_person(tenant, person_id),
        tallies::forget(tenant, &Tallied::Person(person_id)),
        persons::merges::remove(tenant, person_id),
        persons::erasures::remove(tenant, person_id),
        persons::remove(tenant, person_id),
        idempotency::remove_about_persons(tenant),
    ];
    gone.extend(noted);
    if let Some(account_id) = &person.account_id {
        gone.push(tallies::forget(tenant, &Tallied::PersonsOf(account_id)));
    }
    if person.deleted_at.is_none() {
        gone.push(counters::add(tenant, counters::PERSONS, shard, -1));
    }
    tx.batch(gone)?;
    if let Some(account_id) = &person.account_id
        && person.deleted_at.is_none()
    {
        accounts::left(tx, ctx, account_id, person_id.as_str())?;
    }
    Ok(audit_entry_id)
}
