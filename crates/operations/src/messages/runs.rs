//! Messages are carried out: a worker claims the run of an audience under a lease and takes its messages one after the other.
//!
//! What a message asks for is found out outside every transaction. It is kept only while the lease is valid, the message waits, and the draft
//! is as it was read: so nothing is done twice, and no other change of the draft is lost.

pub use pagesmith_store::tables::messages::runs::LEASES;

use std::time::Duration;

use pagesmith_editor::{Document, EarlierChange, Reply};
use pagesmith_model::asset::Asset;
use pagesmith_model::audience::Audience;
use pagesmith_model::brief::MOST_LOGS;
use pagesmith_model::json::JsonText;
use pagesmith_model::message::{ChangeStatus, Message, MessageState, Role, SelectedElement};
use pagesmith_model::version::life::Siblings;
use pagesmith_model::version::{Life, Version};
use pagesmith_model::{Error, LeaseId, Result, TenantId, Timestamp, VersionId};
use pagesmith_store::tables::messages::runs::{self, Run};
use pagesmith_store::tables::versions::generations::QueuedVersion;
use pagesmith_store::tables::{audiences, messages, pages};
use pagesmith_store::{Extent, Tx};

use crate::context::{Context, TenantContext};
use crate::messages::draft::{self, Target};
use crate::messages::earlier::{self, Earlier};
use crate::messages::so_far::{self, SoFar};
use crate::messages::usage::{self, Attempt};
use crate::messages::{MadeChanges, answer, by_sender, history, open};
use crate::versions::briefing::{self, Material};
use crate::versions::{self, is_generating};

/// How long a lease lasts unless it is renewed.
pub const LEASE: Duration = Duration::from_secs(30);
/// How long messages wait before somebody looks again whether the page is written.
const WRITTEN_LATER: Duration = Duration::from_millis(500);
/// How much of what was said before a model is told.
const TOLD: Extent = Extent { items: 6, bytes: 512 * 1024 };
/// How many earlier changes a message can take back.
const MOST_TAKEN_BACK: usize = 20;
/// How many workers may be lost over a message.
const MOST_LOST: i64 = 3;

/// A run that a worker may carry on as long as its lease lasts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claimed {
    /// What it is.
    pub of: Run,
    /// The worker's lease.
    pub lease: LeaseId,
}

/// Whether a run of a tenant is due.
pub fn is_due(tx: &mut Tx<'_>, tenant: &TenantId, now: Timestamp) -> Result<bool> {
    Ok(runs::due_since(tx, tenant)?.is_some_and(|due_at| due_at <= now))
}

/// Gives a worker up to `limit` runs of a tenant.
pub fn claim(tx: &mut Tx<'_>, ctx: &Context, (tenant, limit): (&TenantId, usize)) -> Result<Vec<Claimed>> {
    let mut claimed: Vec<Claimed> = Vec::new();
    for of in runs::due(tx, tenant, ctx.now, i64::try_from(limit).unwrap_or(i64::MAX))? {
        let lease = LeaseId::mint(ctx.uuid()?);
        tx.run(runs::lease(&of, &lease, ctx.now.plus(LEASE)))?;
        claimed.push(Claimed { of, lease });
    }
    Ok(claimed)
}

/// A message with all that is known for carrying it out.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    /// The message.
    pub message: Message,
    /// What was selected.
    pub selection: Option<SelectedElement>,
    /// The draft.
    pub version: Version,
    /// What the draft says.
    pub document: Document,
    /// What versions are written from.
    pub material: Material,
    /// The tenant's pictures that have words in common with the message, the best first.
    pub pictures: Vec<Asset>,
    /// What earlier messages have changed and can be taken back, the newest first.
    pub earlier: Vec<EarlierChange>,
}

/// What a worker does next.
#[derive(Debug, Clone, PartialEq)]
pub enum Next {
    /// It carries this message out.
    Turn(Box<Turn>),
    /// Nothing: the run is over, waits, or is not the worker's any more.
    Nothing,
}

/// Takes the next message of a run.
pub fn next(tx: &mut Tx<'_>, ctx: &TenantContext, claimed: &Claimed) -> Result<Next> {
    let of = &claimed.of;
    if !runs::is_held(tx, of, &claimed.lease)? {
        return Ok(Next::Nothing);
    }
    let Some(message) = messages::next_waiting(tx, &ctx.tenant, &of.audience_id)? else {
        tx.run(runs::remove(&ctx.tenant, &of.audience_id))?;
        return Ok(Next::Nothing);
    };
    let page = pages::parent_page(tx, &ctx.tenant, &of.page_id)?.filter(|page| page.archived_at.is_none());
    let audience = audiences::find(tx, &ctx.tenant, &of.page_id, &of.audience_id)?;
    let audience = audience.filter(|audience| audience.archived_at.is_none());
    let (Some(_), Some(mut audience)) = (page, audience) else {
        // What was said stays in the conversation.
        let ended = vec![
            messages::interrupt_waiting(&ctx.tenant, &of.audience_id),
            runs::remove(&ctx.tenant, &of.audience_id),
        ];
        tx.batch(ended)?;
        return Ok(Next::Nothing);
    };
    if of.tries >= MOST_LOST {
        let so_far = SoFar::read(of.so_far.as_ref(), &message)?;
        let mut ended = so_far::interrupt(tx, ctx, &audience, &message, so_far, None)?;
        ended.push(runs::count(&ctx.tenant, &of.audience_id));
        ended.push(runs::release(&ctx.tenant, &of.audience_id, ctx.now));
        tx.batch(ended)?;
        return Ok(Next::Nothing);
    }
    let version = match draft::target(tx, &by_sender(ctx, &message), &mut audience)? {
        Target::Draft(version) => *version,
        Target::Waits(_) => {
            tx.run(runs::release(&ctx.tenant, &of.audience_id, ctx.now.plus(WRITTEN_LATER)))?;
            return Ok(Next::Nothing);
        }
        Target::Nothing(version_id) => {
            nothing_to_change(tx, ctx, claimed, &audience, &message, &version_id)?;
            return Ok(Next::Nothing);
        }
    };
    tx.run(runs::begin(of, &claimed.lease, ctx.now.plus(LEASE)))?;
    turn(tx, ctx, claimed, &audience, version, message)
}

fn turn(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    claimed: &Claimed,
    audience: &Audience,
    version: Version,
    message: Message,
) -> Result<Next> {
    let document = draft::document(tx, ctx, audience, &version.version_id)?;
    let queued = QueuedVersion {
        tenant: ctx.tenant.clone(),
        version_id: version.version_id.clone(),
        audience_id: claimed.of.audience_id.clone(),
        page_id: claimed.of.page_id.clone(),
        request_id: claimed.of.request_id.clone(),
    };
    let logs = i64::try_from(MOST_LOGS).unwrap_or(i64::MAX);
    let Some(material) = briefing::gather(tx, &queued, logs)? else { return Ok(Next::Nothing) };
    // Without any asset none is looked for again.
    let pictures = if material.assets.is_empty() {
        Vec::new()
    } else {
        briefing::offers::pictures(tx, &ctx.tenant, &message.content)?
    };
    let selection = message.selection.as_ref().map(|text| serde_json::from_str(text.as_str()));
    let selection = selection.transpose().map_err(Error::internal)?;
    let earlier = earlier::find(tx, ctx, (audience, &version), MOST_TAKEN_BACK)?;
    let earlier = earlier.into_iter().map(|earlier| earlier.change).collect();
    Ok(Next::Turn(Box::new(Turn { message, selection, version, document, material, pictures, earlier })))
}

/// What became of a worker's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnOutcome {
    /// It is kept.
    Kept,
    /// The message was interrupted, or is another worker's.
    Lost,
    /// The draft has changed since it was read: the message is to be taken again.
    Stale,
}

/// What was said before a message, oldest first.
pub fn said_before(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    claimed: &Claimed,
    turn: &Turn,
) -> Result<Vec<(Role, String)>> {
    let (audience_id, number) = (&claimed.of.audience_id, turn.message.number);
    let mut found = messages::before(tx, &ctx.tenant, audience_id, number, TOLD)?;
    found.reverse();
    Ok(found.into_iter().map(|message| (message.role, message.content)).collect())
}

/// Whether a message is still the worker's to carry out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StillClaimed {
    /// It is.
    Yes,
    /// Its audience was archived, so that the run has to be looked at again.
    Archived,
    /// It was interrupted, or is another worker's.
    Lost,
}

/// Notes what a model has said and done so far, and renews the lease.
pub fn note(tx: &mut Tx<'_>, ctx: &TenantContext, claimed: &Claimed, so_far: &SoFar) -> Result<StillClaimed> {
    let of = &claimed.of;
    let until = ctx.now.plus(LEASE);
    if !runs::note(tx, of, &claimed.lease, &JsonText::of(so_far)?, until)? {
        return Ok(StillClaimed::Lost);
    }
    let page = pages::parent_page(tx, &ctx.tenant, &of.page_id)?.filter(|page| page.archived_at.is_none());
    let audience = audiences::find(tx, &ctx.tenant, &of.page_id, &of.audience_id)?;
    let audience = audience.filter(|audience| audience.archived_at.is_none());
    Ok(if page.is_some() && audience.is_some() { StillClaimed::Yes } else { StillClaimed::Archived })
}

/// Keeps what came of a message; what was used of a model counts in any case.
pub fn finish(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    claimed: &Claimed,
    turn: &Turn,
    reply: &Reply,
    attempt: Option<&Attempt>,
) -> Result<TurnOutcome> {
    give_up(tx, ctx, claimed, turn, attempt)?;
    keep(tx, ctx, claimed, turn, reply, attempt.is_some())
}

/// The answer of a model on a draft that somebody else has changed meanwhile, if all of it still applies: to ask again would cost as much again.
fn rebased(reply: &Reply, draft: &Document) -> Option<Reply> {
    let mut document = draft.clone();
    let applies = reply.edits.iter().all(|edit| edit.operation.apply(&mut document).is_ok());
    (applies && reply.took_back == 0).then(|| Reply { document, ..reply.clone() })
}

/// Notes what was used of a model for a message of which nothing is kept.
pub fn give_up(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    claimed: &Claimed,
    turn: &Turn,
    attempt: Option<&Attempt>,
) -> Result<()> {
    let Some(attempt) = attempt else { return Ok(()) };
    usage::record(tx, ctx, &claimed.of.audience_id, turn.message.number, attempt)
}

fn keep(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    claimed: &Claimed,
    turn: &Turn,
    reply: &Reply,
    by_model: bool,
) -> Result<TurnOutcome> {
    let of = &claimed.of;
    if !runs::is_held(tx, of, &claimed.lease)? {
        return Ok(TurnOutcome::Lost);
    }
    let waiting = messages::next_waiting(tx, &ctx.tenant, &of.audience_id)?;
    if waiting.is_none_or(|waiting| waiting.number != turn.message.number) {
        return Ok(TurnOutcome::Lost);
    }
    let audience = audiences::find(tx, &ctx.tenant, &of.page_id, &of.audience_id)?;
    let Some(mut audience) = audience.filter(|audience| audience.archived_at.is_none()) else {
        return Ok(TurnOutcome::Stale);
    };
    let draft = draft::find(tx, ctx, &audience)?;
    let Some(draft) = draft.filter(|version| version.version_id == turn.version.version_id) else {
        return Ok(TurnOutcome::Stale);
    };
    let before = draft::document(tx, ctx, &audience, &draft.version_id)?;
    let is_same = draft == turn.version && before == turn.document;
    let again = if is_same || !by_model { None } else { rebased(reply, &before) };
    if !is_same && again.is_none() {
        return Ok(TurnOutcome::Stale);
    }
    let mut document = again.as_ref().unwrap_or(reply).document.clone();
    if reply.took_back > 0 {
        let parent = pages::parent_page(tx, &ctx.tenant, &of.page_id)?;
        let parent = parent.ok_or_else(|| Error::internal("an audience without a page"))?;
        document.content = history::brought_back(&before.content, document.content, &parent)?;
    }
    let version = &draft;
    let by_sender = by_sender(ctx, &turn.message);
    draft::keep(tx, &by_sender, version, &turn.message.message_id, (&before, &document))?;
    let mut conversation = open(tx, ctx, &of.audience_id)?;
    let mut said = answer(ctx, &mut conversation, reply.text.clone(), &version.version_id)?;
    take_back(tx, ctx, (&audience, version), reply.took_back)?;
    MadeChanges::of(ctx, &reply.edits)?.keep_in(&mut said)?;
    let is_changed = reply.took_back > 0 || !reply.edits.is_empty();
    let after = is_changed.then_some(&document);
    let mut kept = history::add(ctx, version, &conversation, &said, after)?;
    kept.push(messages::set_state(&ctx.tenant, &of.audience_id, turn.message.number, MessageState::Done));
    kept.push(runs::count(&ctx.tenant, &of.audience_id));
    kept.push(runs::begin(of, &claimed.lease, ctx.now.plus(LEASE)));
    tx.batch(kept)?;
    if reply.writes_anew {
        write_anew(tx, &by_sender, &mut audience, version, document.context.clone())?;
    }
    Ok(TurnOutcome::Kept)
}

/// Notes that the changes of so many messages were taken back.
fn take_back(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    (audience, version): (&Audience, &Version),
    count: usize,
) -> Result<()> {
    let mut noted = Vec::new();
    for Earlier { number, mut changes, .. } in earlier::find(tx, ctx, (audience, version), count)? {
        changes.iter_mut().for_each(|change| change.set_status(ChangeStatus::Reverted));
        let changes = JsonText::of(&changes)?;
        noted.push(messages::set_changes(&ctx.tenant, &audience.audience_id, number, &changes));
    }
    tx.batch(noted)?;
    Ok(())
}

/// Queues a version for other readers; it changes the fields that the draft changes.
fn write_anew(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    audience: &mut Audience,
    draft: &Version,
    context: Option<String>,
) -> Result<()> {
    let siblings =
        Siblings { published: None, is_generating: is_generating(tx, ctx, &audience.audience_id)? };
    let moved = Life::begin(audience.last_number + 1, false, siblings, ctx.now);
    let mut version = versions::new(audience, VersionId::mint(ctx.uuid()?), moved.life);
    version.supplementary_context = context;
    audience.last_number = version.life.number;
    audience.latest_version_id = version.version_id.clone();
    audience.updated_at = ctx.now;
    let update = vec![audiences::update(&ctx.tenant, audience)];
    versions::begin(tx, ctx, &version, &moved.effects, update)?;
    let fields = draft::fields(tx, ctx, &draft.version_id)?;
    draft::put_fields(tx, ctx, &version, &fields)
}

/// Answers a message about a page that nobody has written.
fn nothing_to_change(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    claimed: &Claimed,
    audience: &Audience,
    message: &Message,
    version_id: &VersionId,
) -> Result<()> {
    let mut conversation = open(tx, ctx, &audience.audience_id)?;
    let text = "There is no page yet that could be changed.".to_owned();
    let said = answer(ctx, &mut conversation, text, version_id)?;
    let kept = vec![
        messages::conversations::put(&ctx.tenant, &audience.audience_id, &conversation),
        messages::insert(&ctx.tenant, &audience.audience_id, &said, None),
        messages::set_state(&ctx.tenant, &audience.audience_id, message.number, MessageState::Done),
        runs::count(&ctx.tenant, &audience.audience_id),
        runs::hand_back(&claimed.of, &claimed.lease),
    ];
    tx.batch(kept)?;
    Ok(())
}

/// Has every message of a tenant that is being carried out begun anew, from what is known now.
pub fn begin_anew(tx: &mut Tx<'_>, ctx: &TenantContext) -> Result<()> {
    tx.run(runs::release_all(&ctx.tenant))?;
    Ok(())
}

/// Leaves a run to other workers.
pub fn hand_back(tx: &mut Tx<'_>, claimed: &Claimed) -> Result<()> {
    tx.run(runs::hand_back(&claimed.of, &claimed.lease))?;
    Ok(())
}
