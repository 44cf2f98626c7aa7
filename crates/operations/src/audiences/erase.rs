//! The audiences of a person who is erased go for good, with everything that was written for the person.
//!
//! Of an audience's address remains what remains of a person's: a keyed digest, so that it never leads to someone else. Events
//! stay, since they hold nothing but ids.

use pagesmith_model::{PersonId, Result, TenantId};
use pagesmith_store::Tx;
use pagesmith_store::tables::pages::tallies::Change;
use pagesmith_store::tables::pages::tally_debts::Debt;
use pagesmith_store::tables::versions::generations;
use pagesmith_store::tables::{
    audiences, counters, messages, operation_keys, page_links, pages, persons, versions,
};

use crate::context::TenantContext;
use crate::retired_slugs::slug_digest;
use crate::visits;

/// How many debts are counted in one transaction.
const COUNTED: i64 = 100;

/// Erases every audience of a person. What it takes from the pages' tallies is counted by [`settle`].
pub(crate) fn erase_of(tx: &mut Tx<'_>, ctx: &TenantContext, person_id: &PersonId) -> Result<()> {
    let tenant = &ctx.tenant;
    for audience in audiences::all_of_person(tx, tenant, person_id)? {
        visits::erase::erase_of_audience(tx, ctx, &audience)?;
        let (page_id, audience_id) = (&audience.page_id, &audience.audience_id);
        let present = i64::from(audience.archived_at.is_none());
        let secret = audience.secret_slug.as_deref().map(|slug| slug_digest(ctx, slug)).transpose()?;
        let change = Change { listed: -1, present: -present, shown: -i64::from(audience.life().is_shown()) };
        let mut gone = vec![
            generations::remove_all(tenant, audience_id),
            versions::contents::remove_all(tenant, audience_id),
            versions::writings::remove_all(tenant, audience_id),
            versions::schedules::remove_all(tenant, audience_id),
            versions::history::remove_all(tenant, audience_id),
            versions::history::forget_growths(tenant, audience_id),
            operation_keys::remove_all(tenant, audience_id),
            messages::runs::remove(tenant, audience_id),
            messages::remove_all(tenant, audience_id),
            messages::conversations::remove(tenant, audience_id),
            messages::draft_heads::remove_all(tenant, audience_id),
            versions::remove_all(tenant, audience_id),
            audiences::names::remove(tenant, audience_id),
            audiences::remove(tenant, page_id, audience_id),
            persons::retire_slug(tenant, &slug_digest(ctx, &audience.slug)?),
            pages::tally_debts::insert(&Debt {
                tenant: tenant.clone(),
                audience_id: audience_id.clone(),
                page_id: page_id.clone(),
                change,
            }),
        ];
        let links = tx.run(page_links::remove_to(tenant, audience_id))?;
        if links > 0 {
            let fewer = -i64::try_from(links).unwrap_or(i64::MAX);
            gone.push(counters::add(tenant, counters::PAGE_LINKS, tx.shard(), fewer));
        }
        gone.extend(secret.map(|digest| persons::retire_slug(tenant, &digest)));
        tx.batch(gone)?;
    }
    Ok(())
}

/// The tenants of which erased audiences are still to be counted.
pub fn debtors(tx: &mut Tx<'_>) -> Result<Vec<TenantId>> {
    pages::tally_debts::tenants(tx)
}

/// Whether erased audiences of a tenant are still to be counted.
pub fn owes(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<bool> {
    Ok(!pages::tally_debts::list(tx, tenant, 1)?.is_empty())
}

/// Counts some erased audiences of a tenant off their pages; how many.
pub fn settle(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<usize> {
    let mut settled = 0;
    for debt in pages::tally_debts::list(tx, tenant, COUNTED)? {
        if tx.run(pages::tally_debts::remove(&debt))? > 0 {
            let add = pages::tallies::add(&debt.tenant, &debt.page_id, tx.shard(), debt.change);
            tx.batch(vec![add])?;
            settled += 1;
        }
    }
    Ok(settled)
}
