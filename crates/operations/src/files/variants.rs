//! The variants of pictures: made by a worker under a lease, recorded with what is known of the picture, and gone with it.
//!
//! A variant's bytes are a content like those of files, and count like them: against the tenant's quota, once if several have the same
//! ones. Those as AVIF are made where the server is set so, and are left out where the quota has no room for them. So what removes the bytes of
//! deleted files removes theirs ([`super::sweep`]). A worker stores them under ids of their own before its transaction
//! names them; those that the tenant has already, and those of a worker whose lease has ended, are surplus. Invariant: while a picture
//! has variants, a file has its content.

pub use pagesmith_store::tables::files::pictures::LEASES;

use std::time::Duration;

use pagesmith_model::file::File;
use pagesmith_model::picture::{Picture, READ, Variant};
use pagesmith_model::{FileContentId, LeaseId, Result, TenantId, Timestamp};
use pagesmith_store::tables::files::contents;
use pagesmith_store::tables::files::pictures::{self as table, Waiting};
use pagesmith_store::tables::files::{self as files, variants};
use pagesmith_store::tables::pending_work::{self, WorkKind};
use pagesmith_store::tables::{counters, site};
use pagesmith_store::{Query, Tx, Wakeup};

use super::signed;
use crate::context::{Context, TenantContext};

/// How long a lease lasts: longer than making variants may take.
pub const LEASE: Duration = Duration::from_secs(120);
/// How long a picture rests after a try that failed for a reason that may pass.
const RETRY_DELAY: Duration = Duration::from_secs(5);
/// How often a picture is tried.
const MOST_TRIES: i64 = 4;
/// What a tenant is told whose quota has no room for variants.
const NO_ROOM: &str = "The tenant's quota of files has no room for the variants.";
/// What is said of a picture that was tried too often.
pub const GIVEN_UP: &str = "Making variants was given up, because workers were lost over the picture.";

/// Queues a new file if it is a picture; to travel with the change that adds it.
pub(super) fn queue(tx: &mut Tx<'_>, ctx: &TenantContext, file: &File) -> Vec<Query> {
    if !READ.contains(&file.content_type.as_str()) {
        return vec![];
    }
    tx.wake_after_commit(Wakeup::Pictures);
    vec![
        table::queue(&ctx.tenant, &file.content_id, &file.content_type, ctx.now, ctx.request_id()),
        pending_work::add(&ctx.tenant, WorkKind::Pictures),
    ]
}

/// How many pictures one transaction queues that nobody has queued, and how many it forgets.
const AT_ONCE: i64 = 64;

/// Whether there is something to [`queue_others`].
pub fn has_unqueued(tx: &mut Tx<'_>, ctx: &TenantContext) -> Result<bool> {
    Ok(!table::unqueued(tx, &ctx.tenant, &READ, 1)?.is_empty())
}

/// Queues pictures that nobody has queued: those that an older server took in; whether there may be more.
pub fn queue_others(tx: &mut Tx<'_>, ctx: &TenantContext) -> Result<bool> {
    let unqueued = table::unqueued(tx, &ctx.tenant, &READ, AT_ONCE)?;
    let queue = |(id, media_type): &(FileContentId, String)| {
        table::queue(&ctx.tenant, id, media_type, ctx.now, ctx.request_id())
    };
    let mut changes: Vec<Query> = unqueued.iter().map(queue).collect();
    if !changes.is_empty() {
        changes.push(pending_work::add(&ctx.tenant, WorkKind::Pictures));
        tx.wake_after_commit(Wakeup::Pictures);
        tx.change(changes)?;
    }
    Ok(i64::try_from(unqueued.len()).unwrap_or_default() == AT_ONCE)
}

/// A picture that a worker may work on as long as its lease lasts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claimed {
    /// The picture.
    pub of: Waiting,
    /// The worker's lease.
    pub lease: LeaseId,
}

impl Claimed {
    /// Whether workers were lost over it so often that it is not tried any more.
    pub fn is_hopeless(&self) -> bool {
        self.of.tries >= MOST_TRIES
    }
}

/// Whether a picture of a tenant is due.
pub fn is_due(tx: &mut Tx<'_>, tenant: &TenantId, now: Timestamp) -> Result<bool> {
    Ok(table::due_since(tx, tenant)?.is_some_and(|due_at| due_at <= now))
}

/// Gives a worker a picture of a tenant.
pub fn claim(tx: &mut Tx<'_>, ctx: &Context, tenant: &TenantId) -> Result<Vec<Claimed>> {
    let mut claimed = Vec::new();
    for of in table::due(tx, tenant, ctx.now, 1)? {
        let lease = LeaseId::mint(ctx.uuid()?);
        tx.run(table::lease(tenant, &of.content_id, &lease, ctx.now.plus(LEASE)))?;
        claimed.push(Claimed { of, lease });
    }
    Ok(claimed)
}

/// What became of a try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VariantsOutcome {
    /// The variants are stored and durable.
    Made(Box<Picture>),
    /// There are none.
    Failed {
        /// Why.
        problem: String,
        /// Whether another try may help.
        may_pass: bool,
    },
}

/// Records what became of a try; false if the picture was no longer the worker's. Of variants whose bytes the tenant has already, those are
/// taken. Pages show the variants from then on.
pub fn finish(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    claimed: &Claimed,
    outcome: &VariantsOutcome,
    quota: u64,
) -> Result<bool> {
    let (tenant, id) = (&ctx.tenant, &claimed.of.content_id);
    if !table::is_held(tx, tenant, id, &claimed.lease)? || !files::is_shared(tx, tenant, id, None)? {
        return Ok(false);
    }
    let made = match outcome {
        VariantsOutcome::Made(made) => made,
        VariantsOutcome::Failed { problem, may_pass } => {
            let again = (*may_pass && claimed.of.tries + 1 < MOST_TRIES).then(|| ctx.now.plus(RETRY_DELAY));
            tx.change(vec![table::fail(tenant, id, problem, again)])?;
            return Ok(true);
        }
    };
    let (_, used) = files::usage(tx, tenant)?;
    let has_room = |added: u64| used.saturating_add(added) <= quota;
    let (mut changes, mut added) = take(tx, tenant, id, &made.variants)?;
    if !has_room(added) {
        tx.change(vec![table::fail(tenant, id, NO_ROOM, None)])?;
        return Ok(true);
    }
    let (avifs, added_by_avifs) = take(tx, tenant, id, &made.avifs)?;
    if has_room(added + added_by_avifs) && !has_avifs(tx, tenant, id)? {
        changes.extend(avifs);
        added += added_by_avifs;
    }
    changes.push(table::finish(tenant, id, made));
    let shard = tx.shard();
    changes.push(counters::add(tenant, counters::FILE_BYTES, shard, signed(added)));
    changes.push(site::touch(tenant, ctx.now));
    tx.change(changes)?;
    Ok(true)
}

/// What names these variants as those of a content, and how many bytes that adds.
fn take(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    id: &FileContentId,
    made: &[Variant],
) -> Result<(Vec<Query>, u64)> {
    let (mut changes, mut added) = (Vec::new(), 0);
    for variant in made {
        let mut variant = variant.clone();
        match contents::of_digest(tx, tenant, &variant.sha256)? {
            // Nothing is smaller than the original: it is used by its file already.
            Some(content) if content.content_id == *id => variant.content_id = content.content_id,
            Some(content) => {
                added += if content.file_count == 0 { content.size } else { 0 };
                variant.content_id = content.content_id;
                let count = content.file_count + 1;
                changes.push(contents::count_files(tenant, &variant.content_id, count, None));
            }
            None => {
                added += variant.size;
                changes.push(contents::insert(tenant, &variant.content_id, variant.size, &variant.sha256));
            }
        }
        changes.push(variants::insert(tenant, id, &variant));
    }
    Ok((changes, added))
}

/// Whether a picture has variants as AVIF already: an older server has deleted it, which left them, and it has come again.
fn has_avifs(tx: &mut Tx<'_>, tenant: &TenantId, id: &FileContentId) -> Result<bool> {
    let known = variants::of_contents(tx, tenant, std::slice::from_ref(id))?;
    Ok(known.iter().any(|(_, variant)| variant.is_avif()))
}

/// Lets another worker take a picture at once.
pub fn hand_back(tx: &mut Tx<'_>, claimed: &Claimed) -> Result<()> {
    tx.run(table::hand_back(&claimed.of.tenant, &claimed.of.content_id, &claimed.lease))?;
    Ok(())
}

/// What forgets a picture whose last file goes and counts its variants as used no more, to travel with the change that removes the file;
/// and how many bytes that frees.
pub(super) fn forget(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    id: &FileContentId,
    now: Timestamp,
) -> Result<(Vec<Query>, u64)> {
    let (mut changes, mut freed) = (vec![table::remove(tenant, id)], 0);
    changes.extend(variants::remove(tenant, id));
    for (_, variant) in variants::of_contents(tx, tenant, std::slice::from_ref(id))? {
        if variant.content_id == *id {
            continue;
        }
        let Some(content) = contents::find(tx, tenant, &variant.content_id)? else { continue };
        let count = content.file_count.saturating_sub(1);
        let unused_since = (count == 0).then_some(now);
        freed += if count == 0 { content.size } else { 0 };
        changes.push(contents::count_files(tenant, &content.content_id, count, unused_since));
    }
    Ok((changes, freed))
}

/// Whether there is something to [`forget_others`].
pub fn has_others(tx: &mut Tx<'_>, ctx: &TenantContext) -> Result<bool> {
    Ok(!without_file(tx, &ctx.tenant, 1)?.is_empty())
}

/// Some pictures that no file has any more; of those that a server deleted which knows no AVIF, only the variants as AVIF are left.
fn without_file(tx: &mut Tx<'_>, tenant: &TenantId, most: i64) -> Result<Vec<FileContentId>> {
    let left = table::without_file(tx, tenant, most)?;
    if left.is_empty() { variants::avifs_without_file(tx, tenant, most) } else { Ok(left) }
}

/// Forgets some pictures that no file has any more: those that an older server deleted; whether there may be more.
pub fn forget_others(tx: &mut Tx<'_>, ctx: &TenantContext) -> Result<bool> {
    let (tenant, now) = (&ctx.tenant, ctx.now);
    let left = without_file(tx, tenant, AT_ONCE)?;
    for id in &left {
        let (mut changes, freed) = forget(tx, tenant, id, now)?;
        let shard = tx.shard();
        changes.push(counters::add(tenant, counters::FILE_BYTES, shard, -signed(freed)));
        tx.change(changes)?;
    }
    Ok(i64::try_from(left.len()).unwrap_or_default() == AT_ONCE)
}
