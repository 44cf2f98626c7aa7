//! Schedules: a version goes live at a time, and stops at a time.
//!
//! A worker carries out what is due, one version in one transaction, which also takes what was done out of the schedule: so nothing is done
//! twice, however many servers look at the same row, and nothing is lost with a server. Invariants: nothing is done early; a version whose
//! end has come is not shown any more, also where its audience was archived meanwhile; a schedule ends.

use std::time::Duration;

use pagesmith_model::actor::Actor;
use pagesmith_model::version::VersionStatus;
use pagesmith_model::version::history::{Details, VersionAction};
use pagesmith_model::version::life::Command;
use pagesmith_model::version::schedule::{Due, Times};
use pagesmith_model::{Error, Kind, RequestId, Result, TenantId, Timestamp, VersionId};
use pagesmith_store::Tx;
use pagesmith_store::tables;
use pagesmith_store::tables::versions::schedules;
pub use pagesmith_store::tables::versions::schedules::Schedule;
use serde_json::json;

use crate::context::{Context, TenantContext};
use crate::parent_pages::{find_with_parent, require_open_page};
use crate::precondition::Precondition;
use crate::publishing;
use crate::versions::{self, VersionPath, history, require_open_audience};

/// How many tenants are looked at in one round.
const TENANTS: i64 = 256;
/// How many versions of a tenant in one round.
const VERSIONS: i64 = 16;
/// How long what failed rests.
const LATER: Duration = Duration::from_secs(10);

/// Gives a version a schedule, in the place of the one that it may have.
pub fn set(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    path: &VersionPath,
    times: Times,
    precondition: &Precondition<Schedule>,
) -> Result<Schedule> {
    let (parent, audience) = find_with_parent(tx, ctx, &path.0, &path.1)?;
    let version = versions::found(tx, ctx, path)?;
    let times = times.checked(ctx.now)?;
    let before = schedules::find(tx, &ctx.tenant, &path.2)?;
    precondition.check(before.as_ref())?;
    require_open_page(parent.archived_at)?;
    require_open_audience(audience.archived_at)?;
    let status = version.life.status;
    let will_be_live = status == VersionStatus::Published || version.life.publish_when_ready;
    if (times.publish_at.is_some() && status == VersionStatus::Published)
        || (times.publish_at.is_none() && !will_be_live)
    {
        let details = json!({ "status": status.as_str() });
        let detail = match times.publish_at {
            Some(_) => "The version is published already: only unpublishAt can be scheduled.",
            None => "Only a version that is or will be live can be taken offline: publishAt is missing.",
        };
        return Err(Error::new(Kind::Conflict(Some(details)), detail));
    }
    let schedule = Schedule {
        version_id: path.2.clone(),
        audience_id: path.1.clone(),
        page_id: path.0.clone(),
        times,
        actor: ctx.actor().clone(),
        request_id: ctx.request_id().cloned(),
        created_at: before.map_or(ctx.now, |before| before.created_at),
        updated_at: ctx.now,
    };
    let due_at = times.next().ok_or_else(|| Error::internal("a schedule without a time"))?;
    let details =
        Details { publish_at: times.publish_at, unpublish_at: times.unpublish_at, ..Details::default() };
    let mut changes = vec![schedules::put(&ctx.tenant, &schedule, due_at)];
    changes.extend(history::note(ctx, (&path.1, &path.2), VersionAction::Scheduled, &details)?);
    tx.batch(changes)?;
    Ok(schedule)
}

/// The schedule of a version; 404 if nothing is left to be done.
pub fn find(tx: &mut Tx<'_>, ctx: &TenantContext, path: &VersionPath) -> Result<Schedule> {
    versions::find(tx, ctx, path)?;
    schedules::find(tx, &ctx.tenant, &path.2)?.ok_or_else(|| Error::not_found("schedule"))
}

/// Removes the schedule of a version; again changes nothing.
pub fn remove(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    path: &VersionPath,
    precondition: &Precondition<Schedule>,
) -> Result<()> {
    versions::find(tx, ctx, path)?;
    let before = schedules::find(tx, &ctx.tenant, &path.2)?;
    precondition.check(before.as_ref())?;
    if before.is_none() {
        return Ok(());
    }
    let mut changes = vec![schedules::remove(&ctx.tenant, &path.2)];
    changes.extend(history::note(ctx, (&path.1, &path.2), VersionAction::Unscheduled, &Details::default())?);
    tx.batch(changes)?;
    Ok(())
}

/// Tenants for which something is due.
pub fn due_tenants(tx: &mut Tx<'_>, now: Timestamp) -> Result<Vec<TenantId>> {
    let mut tenants: Vec<TenantId> = Vec::new();
    loop {
        let after = tenants.last().map_or("", |last| last.as_str()).to_owned();
        let some = schedules::due_tenants(tx, now, &after, TENANTS)?;
        if some.is_empty() {
            return Ok(tenants);
        }
        tenants.extend(some);
    }
}

/// A version for which something is due, and the request that has set it.
pub type DueVersion = (VersionId, Option<RequestId>);

/// The versions of a tenant for which something is due, and whether there may be more.
pub fn due(tx: &mut Tx<'_>, tenant: &TenantId, now: Timestamp) -> Result<(Vec<DueVersion>, bool)> {
    let found = schedules::due(tx, tenant, now, VERSIONS)?;
    let is_full = i64::try_from(found.len()).unwrap_or(i64::MAX) >= VERSIONS;
    Ok((found, is_full))
}

/// Does what is due for a version, unless somebody else has done it.
pub fn carry_out(tx: &mut Tx<'_>, ctx: &Context, tenant: &TenantId, version_id: &VersionId) -> Result<()> {
    let Some(schedule) = schedules::find_due(tx, tenant, version_id, ctx.now)? else { return Ok(()) };
    let ctx = ctx.clone().by(Actor::Schedule).caused_by(schedule.request_id.clone()).of(tenant.clone());
    let due = schedule.times.due(ctx.now);
    match due {
        Due::Nothing => {}
        Due::Publish => publish(tx, &ctx, &schedule)?,
        Due::Unpublish => unpublish(tx, &ctx, &schedule)?,
    }
    let left = Schedule { times: schedule.times.after(due), ..schedule };
    tx.run(match left.times.next() {
        Some(due_at) => schedules::put(tenant, &left, due_at),
        None => schedules::remove(tenant, version_id),
    })?;
    Ok(())
}

/// Has what failed for a reason of the server's looked at again later.
pub fn postpone(tx: &mut Tx<'_>, tenant: &TenantId, version_id: &VersionId, now: Timestamp) -> Result<()> {
    tx.run(schedules::postpone(tenant, version_id, now.plus(LATER)))?;
    Ok(())
}

/// Publishes a version as a caller does. What a caller is refused is noted in its history.
fn publish(tx: &mut Tx<'_>, ctx: &TenantContext, schedule: &Schedule) -> Result<()> {
    let path = (schedule.page_id.clone(), schedule.audience_id.clone(), schedule.version_id.clone());
    let published =
        versions::find_for_publish(tx, ctx, &path).and_then(|context| publishing::publish(tx, ctx, context));
    let Err(refused) = published else { return Ok(()) };
    let reason = match refused.kind() {
        Kind::NotFound => "The page is deleted.".to_owned(),
        Kind::Conflict(_) => refused.detail().to_owned(),
        _ => return Err(refused),
    };
    let details = Details { reason: Some(reason), ..Details::default() };
    let ids = (&schedule.audience_id, &schedule.version_id);
    let failed = history::note(ctx, ids, VersionAction::ScheduleFailed, &details)?;
    tx.batch(failed)?;
    Ok(())
}

/// Takes a version from its readers, also where its page or audience is archived or deleted: it must not come back with them.
fn unpublish(tx: &mut Tx<'_>, ctx: &TenantContext, schedule: &Schedule) -> Result<()> {
    let Schedule { page_id, audience_id, version_id, .. } = schedule;
    let audience = tables::audiences::find(tx, &ctx.tenant, page_id, audience_id)?;
    let version = tables::versions::find(tx, &ctx.tenant, audience_id, version_id)?;
    let Some((mut audience, version)) = audience.zip(version) else { return Ok(()) };
    let life = &version.life;
    if life.status == VersionStatus::Published || life.publish_when_ready {
        versions::carry_out(tx, ctx, &mut audience, version, Command::Unpublish)?;
    }
    Ok(())
}
