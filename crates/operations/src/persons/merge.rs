//! Merging a person into another one, and taking that back.
//!
//! The person that is merged away is deleted, and everything of it that can moves: log, audiences of its own, submissions, visits. For 30 days the merge can
//! be taken back, which gives back what has moved, and nothing that came later; then a task forgets how it was, and keeps who was merged into whom: erasing and
//! handing out the person that stays is also about those who were merged into it. A person into whom somebody was merged
//! within that time is not merged away itself: taking one merge back would not know of the other. Merging raises no event: the contract has none for it.

use std::time::Duration;

use pagesmith_model::audit::Action;
use pagesmith_model::error::Kind;
use pagesmith_model::json::JsonText;
use pagesmith_model::person::Person;
use pagesmith_model::person::merge::{Collision, MergedFields, Moving, NewPersonMerge, merged};
use pagesmith_model::{Error, PersonId, Result, TenantId, Timestamp};
use pagesmith_store::Tx;
use pagesmith_store::tables::logs::tallies::{self, Tallied};
use pagesmith_store::tables::persons::merges::{self as table, Merge};
use pagesmith_store::tables::site;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::context::TenantContext;
use crate::precondition::Precondition;
use crate::{audiences, audit, persons};

/// How long a merge can be taken back.
pub const REVERSIBLE: Duration = Duration::from_hours(24 * 30);
/// How many rows may move, since they move in one transaction.
pub const MOST_MOVED: u64 = 100_000;
/// How many persons may be merged into one within the time.
pub const MOST_MERGES: i64 = 100;
/// How many collisions are told.
const MOST_TOLD: i64 = 100;
/// How many merges a round of [`forget_old`] looks at.
const FORGOTTEN: i64 = 20;

/// The result of a merge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The remaining person before the merge.
    pub this: Person,
    /// The person that is merged away, as it was.
    pub other: Person,
    /// The person that stays, as it will be.
    pub merged: Person,
    /// What moves.
    pub moving: Moving,
    /// What cannot move.
    pub collisions: Vec<Collision>,
}

/// The fields of the person that stays, as they are kept.
#[derive(Debug, Serialize, Deserialize)]
struct SurvivorFields {
    before: MergedFields,
    after: MergedFields,
}

/// Finds out what a merge comes to.
pub fn plan(tx: &mut Tx<'_>, ctx: &TenantContext, this: &PersonId, new: &NewPersonMerge) -> Result<Plan> {
    let this = persons::find(tx, ctx, this)?;
    let other = persons::named(tx, ctx, "otherPersonId", &new.other_person_id)?;
    if other.person_id == this.person_id {
        return Err(refused("same_person", "A person cannot be merged into itself."));
    }
    let since = ctx.now.minus(REVERSIBLE);
    if !table::into_since(tx, &ctx.tenant, &other.person_id, since, 1)?.is_empty() {
        let detail = "The other person cannot be merged away: somebody was merged into it within the last 30 days. Swap the two persons, or take that merge back first.";
        return Err(refused("has_merges", detail));
    }
    if table::into_since(tx, &ctx.tenant, &this.person_id, since, MOST_MERGES)?.len() as i64 >= MOST_MERGES {
        let detail = format!("At most {MOST_MERGES} persons can be merged into one within 30 days.");
        return Err(refused("too_many", &detail));
    }
    let moving = table::moving(tx, &ctx.tenant, &other.person_id, &this.person_id)?;
    if moving.rows() > MOST_MOVED {
        let detail = format!(
            "More than {MOST_MOVED} entries, pages, submissions and visits would move. Merge the other way round."
        );
        return Err(refused("too_many", &detail));
    }
    let collisions = table::collisions(tx, &ctx.tenant, &other.person_id, &this.person_id, MOST_TOLD)?;
    let merged = merged(&this, &other, &new.fields);
    Ok(Plan { this, other, merged, moving, collisions })
}

fn refused(reason: &str, detail: &str) -> Error {
    Error::new(Kind::Conflict(Some(json!({ "reason": reason }))), detail)
}

/// Merges a person into another one.
pub fn merge(tx: &mut Tx<'_>, ctx: &TenantContext, this: &PersonId, new: &NewPersonMerge) -> Result<Plan> {
    let mut plan = plan(tx, ctx, this, new)?;
    let (tenant, other_id) = (&ctx.tenant, plan.other.person_id.clone());
    // First, since it frees the identifiers.
    persons::delete(tx, ctx, &other_id, &Precondition::Unconditional)?;
    plan.merged = persons::change(tx, ctx, &plan.this, plan.merged)?;
    let merged = &plan.merged;
    tx.batch(table::move_into(tenant, &other_id, this, merged.account_id.as_ref(), ctx.now))?;
    audiences::follow_person(tx, ctx, merged)?;
    let kept = SurvivorFields { before: MergedFields::of(&plan.this), after: MergedFields::of(merged) };
    let mut changes = vec![table::insert(
        tenant,
        &Merge {
            person_id: other_id.clone(),
            into_id: this.clone(),
            fields: JsonText::of(&kept)?,
            actor: ctx.actor().clone(),
            merged_at: ctx.now,
            ended_at: None,
        },
    )];
    changes.extend(seen_anew(ctx, [(&plan.other, None), (&plan.this, Some(merged))]));
    tx.batch(changes)?;
    note(tx, ctx, Action::PersonMerged, &other_id)?;
    Ok(plan)
}

/// What counts entries and shows pages of persons does so anew: each as it was, and as it is now if that is somewhere else.
fn seen_anew(ctx: &TenantContext, persons: [(&Person, Option<&Person>); 2]) -> Vec<pagesmith_store::Query> {
    let tenant = &ctx.tenant;
    let mut accounts = std::collections::BTreeSet::new();
    let mut changes = vec![site::touch(tenant, ctx.now)];
    for (before, after) in persons {
        changes.push(tallies::forget(tenant, &Tallied::Person(&before.person_id)));
        accounts
            .extend([Some(before), after].into_iter().flatten().filter_map(|one| one.account_id.as_ref()));
    }
    changes.extend(accounts.into_iter().map(|id| tallies::forget(tenant, &Tallied::PersonsOf(id))));
    changes
}

fn note(tx: &mut Tx<'_>, ctx: &TenantContext, action: Action, person_id: &PersonId) -> Result<()> {
    let subject = audit::subject_of(ctx, person_id)?;
    audit::record(tx, ctx, Some(&ctx.tenant), action, &subject).map(drop)
}

/// Takes a merge back: the person that was merged away is there again, with everything that has moved. Fields that were changed since stay. A person
/// that is not merged away is left as it is.
pub fn unmerge(tx: &mut Tx<'_>, ctx: &TenantContext, person_id: &PersonId) -> Result<()> {
    let tenant = &ctx.tenant;
    let Some(merge) = table::find(tx, tenant, person_id)?.filter(|merge| !is_past(merge, ctx.now)) else {
        return persons::find(tx, ctx, person_id).map(drop);
    };
    let into = persons::find(tx, ctx, &merge.into_id).map_err(|error| match error.kind() {
        Kind::NotFound => {
            refused("deleted", "The person into whom it was merged is deleted. Restore that one first.")
        }
        _ => error,
    })?;
    let kept: SurvivorFields = merge.fields.read()?;
    let set_back = kept.before.set_back(&kept.after, into.clone());
    persons::the_one(persons::owners(tx, ctx, &set_back.identifiers)?, Some(&into.person_id))?;
    let now = persons::change(tx, ctx, &into, set_back)?;
    tx.run(table::remove(tenant, person_id))?;
    persons::restore(tx, ctx, person_id)?;
    let person = persons::find(tx, ctx, person_id)?;
    tx.batch(table::move_back(tenant, person_id, &into.person_id, person.account_id.as_ref(), ctx.now))?;
    audiences::follow_person(tx, ctx, &person)?;
    tx.batch(seen_anew(ctx, [(&person, None), (&into, Some(&now))]))?;
    note(tx, ctx, Action::PersonUnmerged, person_id)
}

fn is_past(merge: &Merge, now: Timestamp) -> bool {
    merge.merged_at <= now.minus(REVERSIBLE)
}

/// The merges into a person that can be undone.
pub fn of_person(tx: &mut Tx<'_>, ctx: &TenantContext, person_id: &PersonId) -> Result<Vec<Merge>> {
    persons::find(tx, ctx, person_id)?;
    table::into_since(tx, &ctx.tenant, person_id, ctx.now.minus(REVERSIBLE), MOST_MERGES)
}

/// All who were merged into a person, at first hand or by way of others, whether that can be taken back or not. Each comes before those who were merged into
/// it.
pub(crate) fn merged_into(tx: &mut Tx<'_>, tenant: &TenantId, person_id: &PersonId) -> Result<Vec<Merge>> {
    let (mut found, mut left) = (Vec::new(), vec![person_id.clone()]);
    while let Some(person_id) = left.pop() {
        let merges = merged_at_first_hand(tx, tenant, &person_id)?;
        left.extend(merges.iter().map(|merge| merge.person_id.clone()));
        found.extend(merges);
    }
    Ok(found)
}

/// Those of them who were merged into the person itself.
pub(crate) fn merged_at_first_hand(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    person_id: &PersonId,
) -> Result<Vec<Merge>> {
    table::into(tx, tenant, person_id)
}

/// Refuses what must not be done to a person that is merged away, until the merge has ended.
pub(crate) fn require_none(tx: &mut Tx<'_>, ctx: &TenantContext, person_id: &PersonId) -> Result<()> {
    match table::find(tx, &ctx.tenant, person_id)? {
        Some(merge) if merge.ended_at.is_none() => {
            let details = json!({ "reason": "merged", "intoPersonId": merge.into_id });
            let detail = format!("The person was merged into {}. Take the merge back first.", merge.into_id);
            Err(Error::new(Kind::Conflict(Some(details)), detail))
        }
        _ => Ok(()),
    }
}

/// Forgets how it was before merges that cannot be taken back any more, some of them; whether there may be more.
pub fn forget_old(tx: &mut Tx<'_>, ctx: &TenantContext) -> Result<bool> {
    let (tenant, now) = (&ctx.tenant, ctx.now);
    let old = table::before(tx, tenant, now.minus(REVERSIBLE), FORGOTTEN)?;
    for merge in &old {
        let mut changes = table::forget_moves(tenant, &merge.person_id, &merge.into_id);
        changes.push(table::end(tenant, &merge.person_id, now));
        tx.batch(changes)?;
    }
    Ok(i64::try_from(old.len()) == Ok(FORGOTTEN))
}

/// Whether there is something to [`forget_old`].
pub fn has_old(tx: &mut Tx<'_>, ctx: &TenantContext) -> Result<bool> {
    Ok(!table::before(tx, &ctx.tenant, ctx.now.minus(REVERSIBLE), 1)?.is_empty())
}
