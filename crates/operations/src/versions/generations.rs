//! Versions being written: claimed by a worker under a lease, and finished, failed or handed back by it.
//!
//! A worker whose lease has ended changes nothing any more, so that what is written counts once. A version is taken in turn:
//! tenants one after the other, and of each what has waited longest.

use std::time::Duration;

use pagesmith_model::audience::Audience;
use pagesmith_model::content::Content;
use pagesmith_model::json::JsonText;
use pagesmith_model::page::action::Action;
use pagesmith_model::version::Version;
use pagesmith_model::version::life::{Command, Siblings};
use pagesmith_model::{Error, LeaseId, Result, TenantId, Timestamp};
use pagesmith_store::Tx;
use pagesmith_store::tables::pending_work::WorkKind;
use pagesmith_store::tables::versions::generations::{self, ProgressNote, QueuedVersion};
use pagesmith_store::tables::{self, audiences};

use crate::context::{Context, TenantContext};
use crate::pending_work;
use crate::versions;
use crate::versions::content::checked;

/// How long a lease lasts unless it is renewed.
pub const LEASE: Duration = Duration::from_secs(30);
/// How many ended leases one round takes back at most.
const TAKEN_BACK: i64 = 100;

/// A version that a worker may write as long as its lease lasts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claimed {
    /// What it is.
    pub of: QueuedVersion,
    /// The worker's lease.
    pub lease: LeaseId,
}

/// Up to `limit` tenants that are not suspended, are wanted and for which something is due, behind `after` in the order of their ids and
/// then from the first.
pub fn due_tenants(
    tx: &mut Tx<'_>,
    now: Timestamp,
    after: &str,
    limit: usize,
    mut is_wanted: impl FnMut(&mut Tx<'_>, &TenantId) -> Result<bool>,
) -> Result<Vec<TenantId>> {
    pending_work::due_tenants(tx, WorkKind::Generations, after, limit, |tx, tenant| {
        Ok(is_due(tx, tenant, now)? && is_wanted(tx, tenant)?)
    })
}

/// Gives a worker up to `limit` versions of these tenants, an equal share of each.
pub fn claim(tx: &mut Tx<'_>, ctx: &Context, tenants: &[TenantId], limit: usize) -> Result<Vec<Claimed>> {
    let mut claimed = Vec::new();
    for (at, tenant) in tenants.iter().enumerate() {
        let left = (limit - claimed.len()).div_ceil(tenants.len() - at);
        let share = i64::try_from(left).unwrap_or(i64::MAX);
        if share == 0 {
            break;
        }
        for waiting in generations::due(tx, tenant, ctx.now, share)? {
            let lease = LeaseId::mint(ctx.uuid()?);
            let version = tables::versions::find(tx, tenant, &waiting.audience_id, &waiting.version_id)?;
            let version = version.ok_or_else(|| Error::internal("a generation of no version"))?;
            let moved = version.life.after(Command::Claim, Siblings::default(), ctx.now)?;
            let version = Version { life: moved.life, ..version };
            tx.batch(vec![
                generations::lease(tenant, &version.version_id, &lease, (ctx.now, ctx.now.plus(LEASE))),
                tables::versions::start(tenant, &version),
            ])?;
            claimed.push(Claimed { of: waiting, lease });
        }
    }
    Ok(claimed)
}

/// Renews a worker's lease and notes how far it is; false if the version is no longer the worker's to write.
pub fn renew(tx: &mut Tx<'_>, claimed: &Claimed, note: &ProgressNote, now: Timestamp) -> Result<bool> {
    let of = &claimed.of;
    let renew = generations::renew(&of.tenant, &of.version_id, &claimed.lease, note, (now, LEASE));
    Ok(tx.run(renew)? > 0)
}

/// Whether the version is still the worker's to write.
pub fn is_held(tx: &mut Tx<'_>, claimed: &Claimed) -> Result<bool> {
    generations::is_held(tx, &claimed.of.tenant, &claimed.of.version_id, &claimed.lease)
}

/// What became of a worker's word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GenerationOutcome {
    /// It counts.
    Kept,
    /// The version was no longer the worker's.
    Lost,
}

/// A document as it is kept, with an id for every block; one that does not fit the actions it was written for is refused.
pub fn ready(ctx: &Context, content: &Content, actions: &[Action]) -> Result<JsonText> {
    checked(ctx, content, &actions.iter().map(|action| action.id().to_owned()).collect())
}

/// Keeps what a worker has written: what [`ready`] made of it.
pub fn finish(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    claimed: &Claimed,
    content: &JsonText,
) -> Result<GenerationOutcome> {
    let Some((mut audience, version)) = held(tx, ctx, claimed)? else { return Ok(GenerationOutcome::Lost) };
    generations::remove(tx, &ctx.tenant, &version.version_id)?;
    versions::keep(tx, ctx, &version.version_id, Some(content.clone()))?;
    versions::carry_out(tx, ctx, &mut audience, version, Command::Finish)?;
    Ok(GenerationOutcome::Kept)
}

/// Notes that a worker could not write a version; `again` says from when on another try may help, if one may.
pub fn fail(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    claimed: &Claimed,
    again: Option<Timestamp>,
) -> Result<GenerationOutcome> {
    let Some((audience, version)) = held(tx, ctx, claimed)? else { return Ok(GenerationOutcome::Lost) };
    end_try(tx, ctx, audience, version, again)?;
    Ok(GenerationOutcome::Kept)
}

/// Lets another worker take a version at once; it costs no try.
pub fn hand_back(tx: &mut Tx<'_>, ctx: &TenantContext, claimed: &Claimed) -> Result<GenerationOutcome> {
    let Some((mut audience, version)) = held(tx, ctx, claimed)? else { return Ok(GenerationOutcome::Lost) };
    tx.run(generations::release(&ctx.tenant, &version.version_id, ctx.now))?;
    versions::carry_out(tx, ctx, &mut audience, version, Command::HandBack)?;
    Ok(GenerationOutcome::Kept)
}

/// What an operator is told of the queue.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Depth {
    /// How many versions could be written now, at most [`DEPTH`].
    pub waiting: u64,
    /// For how long the one that waits longest has waited, since it was queued or its last try failed.
    pub oldest: Duration,
}

/// How far the queue is counted: the number is for an operator, who need not know more.
pub const DEPTH: i64 = 10_000;

/// How much waits to be written. What is held back for a suspended tenant does not count.
pub fn depth(tx: &mut Tx<'_>, now: Timestamp) -> Result<Depth> {
    let (waiting, since) = generations::depth(tx, now, DEPTH)?;
    Ok(Depth { waiting, oldest: since.map_or(Duration::ZERO, |since| now.since(since)) })
}

/// Has everything of a tenant that is being written begun anew, from what is known now; it costs no try.
pub fn begin_anew(tx: &mut Tx<'_>, ctx: &TenantContext) -> Result<()> {
    for of in generations::leased(tx, &ctx.tenant)? {
        let (mut audience, version) = whole(tx, ctx, &of)?;
        tx.run(generations::release(&ctx.tenant, &version.version_id, ctx.now))?;
        versions::carry_out(tx, ctx, &mut audience, version, Command::HandBack)?;
    }
    Ok(())
}

/// The versions whose leases have ended.
pub fn expired(tx: &mut Tx<'_>, now: Timestamp) -> Result<Vec<QueuedVersion>> {
    generations::expired(tx, now, TAKEN_BACK)
}

/// Those of one tenant, without a look at another's.
pub fn expired_of(tx: &mut Tx<'_>, tenant: &TenantId, now: Timestamp) -> Result<Vec<QueuedVersion>> {
    let mut expired = Vec::new();
    for of in generations::leased(tx, tenant)? {
        if generations::is_expired(tx, tenant, &of.version_id, now)? {
            expired.push(of);
        }
    }
    Ok(expired)
}

/// Whether a tenant that is not suspended has something due.
pub fn is_due(tx: &mut Tx<'_>, tenant: &TenantId, now: Timestamp) -> Result<bool> {
    Ok(generations::due_since(tx, tenant)?.is_some_and(|due_at| due_at <= now))
}

/// Takes a version back from a worker whose lease has ended, unless it has been renewed.
pub fn take_back(tx: &mut Tx<'_>, ctx: &TenantContext, of: &QueuedVersion) -> Result<()> {
    if !generations::is_expired(tx, &ctx.tenant, &of.version_id, ctx.now)? {
        return Ok(());
    }
    let (audience, version) = whole(tx, ctx, of)?;
    end_try(tx, ctx, audience, version, Some(ctx.now))
}

/// Ends a try: the version waits again, or was tried often enough.
fn end_try(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    mut audience: Audience,
    version: Version,
    again: Option<Timestamp>,
) -> Result<()> {
    let command = |kept| Command::Fail { again: again.is_some(), kept };
    let moved = version.life.after(command(false), Siblings::default(), ctx.now)?;
    if moved.life.status.is_generating() {
        tx.run(generations::release(&ctx.tenant, &version.version_id, again.unwrap_or(ctx.now)))?;
        versions::carry_out(tx, ctx, &mut audience, version, command(false))?;
        return Ok(());
    }
    let so_far = generations::remove(tx, &ctx.tenant, &version.version_id)?;
    let kept = so_far.is_some();
    versions::keep(tx, ctx, &version.version_id, so_far)?;
    versions::carry_out(tx, ctx, &mut audience, version, command(kept))?;
    Ok(())
}

/// What a worker holds; nothing if it is no longer the worker's.
fn held(tx: &mut Tx<'_>, ctx: &TenantContext, claimed: &Claimed) -> Result<Option<(Audience, Version)>> {
    if !is_held(tx, claimed)? {
        return Ok(None);
    }
    whole(tx, ctx, &claimed.of).map(Some)
}

fn whole(tx: &mut Tx<'_>, ctx: &TenantContext, of: &QueuedVersion) -> Result<(Audience, Version)> {
    let audience = audiences::find(tx, &ctx.tenant, &of.page_id, &of.audience_id)?;
    let version = tables::versions::find(tx, &ctx.tenant, &of.audience_id, &of.version_id)?;
    audience.zip(version).ok_or_else(|| Error::internal("a generation of no version"))
}
