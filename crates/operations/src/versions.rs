//! Versions: made, called off and published, and what each of that sets off in their audience.
//!
//! How a version may live is said by `model::version::life`; `carry_out` does in the database what it says, all in one
//! transaction, so that its promises hold at every commit.

use pagesmith_model::audience::{Audience, AudienceLife};
use pagesmith_model::json::JsonText;
use pagesmith_model::version::history::VersionAction;
use pagesmith_model::version::life::{Command, Effect, Moved, Siblings, VersionEvent};
use pagesmith_model::version::{Life, Version, VersionStatus};
use pagesmith_model::webhook::EventType;
use pagesmith_model::webhook::payload::VersionPayload;
use pagesmith_model::{AudienceId, Error, Kind, PageId, Result, Timestamp, VersionId};
use pagesmith_store::tables::audiences::{self, publishing::PublishContext};
use pagesmith_store::tables::pages::tallies::Change;
use pagesmith_store::tables::pending_work::{self, WorkKind};
use pagesmith_store::tables::versions::history::{Added, LastEntries};
use pagesmith_store::tables::{operation_keys, pages, site, versions};
use pagesmith_store::{Extent, ListPart, Query, Tx, Wakeup};
use serde_json::json;

use crate::context::TenantContext;
use crate::outbox::{self, Recipients};
use crate::parent_pages::{find_with_parent, require_open_page};
use crate::tenants::months::{self, Happening};

pub mod briefing;
pub mod content;
pub mod generations;
pub mod history;

/// The ids in the path of a version: page, audience, version.
pub type VersionPath = (PageId, AudienceId, VersionId);

/// A version of an audience that has not been kept yet.
pub(crate) fn new(audience: &Audience, version_id: VersionId, life: Life) -> Version {
    Version {
        version_id,
        audience_id: audience.audience_id.clone(),
        page_id: audience.page_id.clone(),
        supplementary_context: audience.supplementary_context.clone(),
        life,
    }
}

/// Keeps a new version, with further statements of the same change.
pub(crate) fn begin(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    version: &Version,
    effects: &[Effect],
    mut further: Vec<Query>,
) -> Result<()> {
    let ids = (&version.audience_id, &version.version_id);
    let (noted, added) = history::note_all(ctx, ids, &[VersionAction::Created], None, Some(&[None, None]))?;
    further.extend(noted);
    further.push(versions::insert(&ctx.tenant, version, &added));
    further.push(months::count(&ctx.tenant, Happening::Version, ctx.now, tx.shard(), 1));
    if version.life.status.is_generating() {
        further.extend(queue(tx, ctx, version));
    }
    for effect in effects {
        if let Effect::Emit(event) = effect {
            further.extend(emit(tx, ctx, version, *event, false)?);
        }
    }
    tx.change(further)
}

/// The statements that emit an event of a version.
fn emit(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    version: &Version,
    event: VersionEvent,
    is_listed: bool,
) -> Result<Vec<Query>> {
    let (page_id, version_id) = (version.page_id.as_str(), version.version_id.as_str());
    let payload = VersionPayload::new(event, page_id, version_id, ctx.now);
    let recipients = Recipients::Subscribed { is_listed };
    let event = outbox::Event { kind: EventType::of(event), payload, recipients };
    Ok(outbox::emit(tx, ctx, &event)?.1)
}

/// Makes a further version of an audience; it stays a draft until it is published.
pub fn create(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    page_id: &PageId,
    audience_id: &AudienceId,
) -> Result<Version> {
    let (parent, mut audience) = find_with_parent(tx, ctx, page_id, audience_id)?;
    require_open_page(parent.archived_at)?;
    require_open_audience(audience.archived_at)?;
    let siblings = Siblings { published: None, is_generating: is_generating(tx, ctx, audience_id)? };
    let moved = Life::begin(audience.last_number + 1, false, siblings, ctx.now);
    let version = new(&audience, VersionId::mint(ctx.uuid()?), moved.life);
    audience.last_number = version.life.number;
    audience.latest_version_id = version.version_id.clone();
    audience.updated_at = ctx.now;
    let update = vec![audiences::update(&ctx.tenant, &audience)];
    begin(tx, ctx, &version, &moved.effects, update)?;
    Ok(version)
}

pub(crate) fn is_generating(tx: &mut Tx<'_>, ctx: &TenantContext, audience_id: &AudienceId) -> Result<bool> {
    for status in [VersionStatus::Queued, VersionStatus::Processing] {
        if versions::oldest(tx, &ctx.tenant, audience_id, status)?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Refuses a change of an archived audience.
pub(crate) fn require_open_audience(archived_at: Option<Timestamp>) -> Result<()> {
    if archived_at.is_none() {
        return Ok(());
    }
    Err(Error::new(Kind::Conflict(Some(json!({ "status": "archived" }))), "The audience is archived."))
}

/// Does something under a name of the caller's, unless it was done; what was answered.
pub fn once(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    resource: &str,
    key: Option<&str>,
    run: impl FnOnce(&mut Tx<'_>) -> Result<JsonText>,
) -> Result<JsonText> {
    let Some(key) = key else { return run(tx) };
    if let Some(answer) = operation_keys::find(tx, &ctx.tenant, resource, key)? {
        return Ok(answer);
    }
    let answer = run(tx)?;
    tx.run(operation_keys::insert(&ctx.tenant, resource, key, &answer, ctx.now))?;
    Ok(answer)
}

/// The same for publishing a version: a name under which another version of the audience was published is a conflict.
pub fn publish_once(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    (_, audience_id, version_id): &VersionPath,
    key: Option<&str>,
    run: impl FnOnce(&mut Tx<'_>) -> Result<JsonText>,
) -> Result<JsonText> {
    #[derive(serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Published {
        version_id: String,
    }
    let answer = once(tx, ctx, &operation_keys::publish(audience_id), key, run)?;
    let Published { version_id: published } = answer.read()?;
    if published == version_id.as_str() {
        return Ok(answer);
    }
    let details = json!({ "versionId": published });
    Err(Error::new(Kind::Conflict(Some(details)), "This operationKey was used to publish another version."))
}

/// The versions of an audience after a number, newest first, those with one of these statuses if there are any; and how many there are in all.
pub fn list(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    (page_id, audience_id): (&PageId, &AudienceId),
    statuses: &[VersionStatus],
    (after, extent): (Option<i64>, Extent),
) -> Result<(ListPart<Version>, u64)> {
    let found = audiences::find_whole(tx, &ctx.tenant, page_id, audience_id)?;
    let audience = found.ok_or_else(|| Error::not_found(AudienceId::NOUN))?.listed.audience;
    let (part, total) = versions::list(tx, &ctx.tenant, audience_id, statuses, after, extent)?;
    Ok((part, total.unwrap_or(u64::try_from(audience.last_number).unwrap_or_default())))
}

/// The version; 404 if its page is deleted or the path of ids leads to nothing.
pub fn find(tx: &mut Tx<'_>, ctx: &TenantContext, path: &VersionPath) -> Result<Version> {
    find_with_parent(tx, ctx, &path.0, &path.1)?;
    found(tx, ctx, path)
}

/// The version, where the audience above it was found already.
pub(crate) fn found(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    (_, audience_id, version_id): &VersionPath,
) -> Result<Version> {
    let version = versions::find(tx, &ctx.tenant, audience_id, version_id)?;
    version.ok_or_else(|| Error::not_found(VersionId::NOUN))
}

/// Calls a version off; what was written so far is kept.
pub fn cancel(tx: &mut Tx<'_>, ctx: &TenantContext, path: &VersionPath) -> Result<Version> {
    let (_, mut audience) = find_with_parent(tx, ctx, &path.0, &path.1)?;
    let version = found(tx, ctx, path)?;
    // First of all, so that this conflicts with a worker that takes the same version at this moment.
    let so_far = match version.life.status.is_generating() {
        true => versions::generations::remove(tx, &ctx.tenant, &version.version_id)?,
        false => None,
    };
    let command = Command::Cancel { kept: so_far.is_some() };
    keep(tx, ctx, &version.version_id, so_far)?;
    carry_out(tx, ctx, &mut audience, version, command)
}

/// Everything that publishing a version depends on, read by one statement; 404 if the path of ids leads to nothing.
pub fn find_for_publish(tx: &mut Tx<'_>, ctx: &TenantContext, path: &VersionPath) -> Result<PublishContext> {
    if let Some(found) = audiences::publishing::find(tx, &ctx.tenant, &path.0, &path.1, &path.2)? {
        return Ok(found);
    }
    // What of them is missing is asked only now.
    find_with_parent(tx, ctx, &path.0, &path.1)?;
    Err(Error::not_found(VersionId::NOUN))
}

/// Lets a version be live that was found in this transaction: at once if it is written, else when it is.
pub fn publish(tx: &mut Tx<'_>, ctx: &TenantContext, context: PublishContext) -> Result<Version> {
    let PublishContext { page_archived_at, mut audience, version, live, last_entries, .. } = context;
    let (has_home, is_listed) = (context.has_home, context.has_deliveries);
    require_open_page(page_archived_at)?;
    require_open_audience(audience.archived_at)?;
    let live = live.filter(|live| live.version_id != version.version_id);
    let state = AudienceState { live: live.as_ref(), has_home, is_listed, last_entries: Some(&last_entries) };
    move_on(tx, ctx, &mut audience, version, &state, Command::Publish)
}

/// Gives a version what was written of it, if anything was.
pub(crate) fn keep(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    version_id: &VersionId,
    content: Option<JsonText>,
) -> Result<()> {
    if let Some(content) = content {
        tx.batch(vec![versions::contents::insert(&ctx.tenant, version_id, &content, ctx.now)])?;
    }
    Ok(())
}

/// Carries a command and everything that it sets off out. A version that leaves the queue has been taken out of it before.
pub(crate) fn carry_out(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    audience: &mut Audience,
    version: Version,
    command: Command,
) -> Result<Version> {
    let live = live_sibling(tx, ctx, audience, &version, command)?;
    let state = AudienceState { live: live.as_ref(), has_home: false, is_listed: false, last_entries: None };
    let mut life = audience.life();
    let version = move_on(tx, ctx, &mut life, version, &state, command)?;
    if life.published_version_id != audience.published_version_id {
        audience.published_version_id = life.published_version_id;
        audience.updated_at = ctx.now;
    }
    Ok(version)
}

/// What is known of a version's audience and site.
struct AudienceState<'a> {
    /// The audience's live version, if that is another one.
    live: Option<&'a Version>,
    /// Whether the site surely has a home page.
    has_home: bool,
    /// Whether the tenant surely is in the list of those with deliveries.
    is_listed: bool,
    /// Where the histories of the version and of the live one end, if that was read.
    last_entries: Option<&'a LastEntries>,
}

/// The same where the audience's state is already known.
fn move_on(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    audience: &mut AudienceLife,
    version: Version,
    &AudienceState { live, has_home, is_listed, last_entries }: &AudienceState<'_>,
    command: Command,
) -> Result<Version> {
    let tenant = &ctx.tenant;
    let siblings = Siblings {
        published: live.map(|live| live.life.number),
        is_generating: command == Command::Publish
            && version.life.status == VersionStatus::Cancelled
            && is_generating(tx, ctx, &version.audience_id)?,
    };
    let Moved { life, effects } = version.life.after(command, siblings, ctx.now)?;
    let before = version.life.clone();
    let version = Version { life, ..version };
    let replaced = if effects.contains(&Effect::ReplaceLive) { Some(replaced(live, ctx)?) } else { None };
    let (ids, actions) = ((&version.audience_id, &version.version_id), done(&version, command, &before));
    let replaced_id = replaced.as_ref().map(|(_, replaced)| &replaced.version_id);
    let (mut changes, added) = history::note_all(ctx, ids, &actions, replaced_id, last_entries)?;
    if let Some((live, replaced)) = &replaced {
        changes.extend(versions::update_both(tenant, (&before, &version), (live, replaced), &added));
    } else if version.life != before || added.count > 0 {
        changes.push(versions::update(tenant, &before, &version, &added));
    }
    if version.life.status.is_generating() && !before.status.is_generating() {
        changes.extend(queue(tx, ctx, &version));
    }
    let was_shown = audience.is_shown();
    for effect in effects {
        match effect {
            Effect::Emit(event) => {
                changes.extend(emit(tx, ctx, &version, event, is_listed)?);
            }
            // Done together with the version's own change.
            Effect::ReplaceLive => {}
            // Most audiences have one version: what is asked of the others costs nothing there.
            Effect::OvertakeOlder if version.life.number == 1 => {}
            Effect::PassTurn if audience.last_number == 1 => {}
            Effect::OvertakeOlder => {
                let number = version.life.number;
                changes.push(versions::mark_obsolete(tenant, &version.audience_id, number, ctx.now));
            }
            Effect::PassTurn => changes.extend(pass_turn(tx, ctx, &version.audience_id)?),
        }
    }
    if version.life.status == VersionStatus::Published && before.status != VersionStatus::Published {
        audience.published_version_id = Some(version.version_id.clone());
        changes.push(audiences::update_published(tenant, &version, true, ctx.now));
        if !has_home && !audience.is_own {
            changes.push(site::settle(tenant, &version.page_id, ctx.now));
        }
    }
    if version.life.status != VersionStatus::Published && before.status == VersionStatus::Published {
        audience.published_version_id = None;
        changes.push(audiences::update_published(tenant, &version, false, ctx.now));
    }
    if audience.is_shown() != was_shown {
        let shown = i64::from(audience.is_shown()) - i64::from(was_shown);
        let change = Change { shown, ..Change::default() };
        changes.push(pages::tallies::add(tenant, &version.page_id, tx.shard(), change));
    }
    tx.change(changes)?;
    Ok(version)
}

/// The life of the live version, and that version as it is once another one is live.
fn replaced<'a>(live: Option<&'a Version>, ctx: &TenantContext) -> Result<(&'a Life, Version)> {
    let live = live.ok_or_else(|| Error::internal("no version is live that could be replaced"))?;
    let moved = live.life.after(Command::Replace, Siblings::default(), ctx.now)?;
    Ok((&live.life, Version { life: moved.life, ..live.clone() }))
}

/// What a command has done with a version, as its history tells it.
fn done(version: &Version, command: Command, before: &Life) -> Vec<VersionAction> {
    let (is, was) = (version.life.status, before.status);
    let mut actions = Vec::new();
    match command {
        Command::Finish => actions.push(VersionAction::Generated),
        Command::Edit => actions.push(VersionAction::Edited),
        Command::Unpublish if was == VersionStatus::Published => actions.push(VersionAction::Unpublished),
        Command::Fail { .. } if is == VersionStatus::Cancelled => actions.push(VersionAction::Failed),
        Command::Cancel { .. } | Command::Abandon { .. } => actions.push(VersionAction::Cancelled),
        Command::Publish if is.is_unfinished() && version.life != *before => {
            actions.push(VersionAction::PublishRequested);
        }
        _ => {}
    }
    if is == VersionStatus::Published && was != is {
        actions.push(VersionAction::Published);
    }
    actions
}

/// The live version, where a command must know of it.
fn live_sibling(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    audience: &Audience,
    version: &Version,
    command: Command,
) -> Result<Option<Version>> {
    match &audience.published_version_id {
        Some(live)
            if *live != version.version_id && matches!(command, Command::Publish | Command::Finish) =>
        {
            versions::find(tx, &ctx.tenant, &audience.audience_id, live)
        }
        _ => Ok(None),
    }
}

/// Queues the version that has waited longest for its turn.
fn pass_turn(tx: &mut Tx<'_>, ctx: &TenantContext, audience_id: &AudienceId) -> Result<Vec<Query>> {
    let next = versions::oldest(tx, &ctx.tenant, audience_id, VersionStatus::Pending)?;
    let Some(next) = next else { return Ok(vec![]) };
    let moved = next.life.after(Command::TakeTurn, Siblings::default(), ctx.now)?;
    let before = next.life;
    let next = Version { life: moved.life, ..next };
    let mut changes = vec![versions::update(&ctx.tenant, &before, &next, &Added::default())];
    changes.extend(queue(tx, ctx, &next));
    Ok(changes)
}

/// Puts a version into the queue of those to be written.
fn queue(tx: &mut Tx<'_>, ctx: &TenantContext, version: &Version) -> [Query; 2] {
    tx.wake_after_commit(Wakeup::Generations);
    [
        pending_work::add(&ctx.tenant, WorkKind::Generations),
        versions::generations::insert(&ctx.tenant, version, ctx.now, ctx.request_id()),
    ]
}
