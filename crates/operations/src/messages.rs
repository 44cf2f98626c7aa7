//! Messages: an owner says what should be different about an audience's page, and the editor changes its draft.
//!
//! A message is kept and waits; a worker carries the messages of an audience out one after the other ([`runs`]), on the draft that
//! [`draft`] finds or makes. Invariants: a message is answered once, in the transaction that changes the draft; the conversation of an archived
//! audience stays readable.

use pagesmith_model::audience::Audience;
use pagesmith_model::json::JsonText;
use pagesmith_model::message::{
    ChangeStatus, Conversation, FieldChange, Interruption, Message, MessageState, NewMessage, Role,
};
use pagesmith_model::{AudienceId, ConversationId, Error, Kind, MessageId, PageId, Result, RunId, VersionId};
use pagesmith_store::tables::messages::runs::Run;
use pagesmith_store::tables::messages::{self, conversations};
use pagesmith_store::tables::pending_work::{self, WorkKind};
use pagesmith_store::{Extent, Query, Tx, Wakeup};
use serde::Serialize;
use serde_json::json;

use crate::context::TenantContext;
use crate::messages::so_far::SoFar;
use crate::parent_pages::{find_with_parent, require_open_page};
use crate::versions::require_open_audience;

pub mod by_hand;
mod change;
pub mod draft;
mod earlier;
pub mod history;
pub mod restoring;
pub mod runs;
pub mod so_far;
pub mod usage;

use change::MadeChanges;
pub use change::{BlockChange, StoredChange};

/// How many bytes of messages an answer shows.
const SHOWN: usize = 4 * 1024 * 1024;
/// How many messages an answer shows.
const SHOWN_MESSAGES: usize = 10_000;
/// How many messages of an audience may wait.
const MOST_WAITING: i64 = 1_000;
/// How many changes are looked through to find the last one.
pub(crate) const CHANGED: Extent = Extent { items: 1_000, bytes: SHOWN };

/// What is answered to a message that was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accepted {
    /// The caller's name of the message, or the one that it was given.
    pub client_message_id: String,
    /// The version that is worked on.
    pub version_id: VersionId,
}

/// Sends a message.
pub fn send(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    page_id: &PageId,
    audience_id: &AudienceId,
    new: &NewMessage,
) -> Result<Accepted> {
    let (parent, mut audience) = find_with_parent(tx, ctx, page_id, audience_id)?;
    let selection = new.selected_element.as_ref().map(JsonText::of).transpose()?;
    if let Some(name) = &new.client_message_id
        && let Some(sent) = messages::find_named(tx, &ctx.tenant, audience_id, name)?
    {
        if sent.content != new.message || sent.selection != selection {
            return Err(Error::conflict("Another message was sent under this clientMessageId."));
        }
        let version_id = sent.version_id.ok_or_else(|| Error::internal("a message about no version"))?;
        return Ok(Accepted { client_message_id: name.clone(), version_id });
    }
    require_open_page(parent.archived_at)?;
    require_open_audience(audience.archived_at)?;
    if messages::count_waiting(tx, &ctx.tenant, audience_id)? >= MOST_WAITING {
        let details = json!({ "limit": MOST_WAITING });
        return Err(Error::new(Kind::Conflict(Some(details)), "Too many messages wait already."));
    }
    let version_id = draft::find_or_make(tx, ctx, &mut audience)?;
    let mut conversation = open(tx, ctx, audience_id)?;
    let message_id = MessageId::mint(ctx.uuid()?);
    let name = new.client_message_id.clone().unwrap_or_else(|| message_id.to_string());
    conversation.last_number += 1;
    let message = Message {
        number: conversation.last_number,
        message_id,
        role: Role::User,
        actor: Some(ctx.actor().clone()),
        content: new.message.clone(),
        client_message_id: Some(name.clone()),
        selection,
        state: MessageState::Waiting,
        version_id: Some(version_id.clone()),
        changes: None,
        reasons: None,
        usage: None,
        has_snapshot: false,
        created_at: ctx.now,
    };
    let mut changes = begin_run(tx, ctx, page_id, audience_id)?;
    changes.push(conversations::put(&ctx.tenant, audience_id, &conversation));
    changes.push(messages::insert(&ctx.tenant, audience_id, &message, None));
    tx.batch(changes)?;
    Ok(Accepted { client_message_id: name, version_id })
}

/// The statements that begin a run, unless there is one.
fn begin_run(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    page_id: &PageId,
    audience_id: &AudienceId,
) -> Result<Vec<Query>> {
    wake(tx);
    let run = Run {
        tenant: ctx.tenant.clone(),
        audience_id: audience_id.clone(),
        page_id: page_id.clone(),
        run_id: RunId::mint(ctx.uuid()?),
        processed: 0,
        tries: 0,
        so_far: None,
        request_id: ctx.request_id().cloned(),
    };
    Ok(vec![pending_work::add(&ctx.tenant, WorkKind::Messages), messages::runs::insert(&run, ctx.now)])
}

/// Wakes those who carry messages out; who is to do it is found out when it is claimed.
fn wake(tx: &mut Tx<'_>) {
    tx.wake_after_commit(Wakeup::Messages);
    tx.wake_after_commit(Wakeup::ModelMessages);
}

/// The conversation of an audience, new if nothing was said yet; to be kept by the caller.
fn open(tx: &mut Tx<'_>, ctx: &TenantContext, audience_id: &AudienceId) -> Result<Conversation> {
    if let Some(found) = conversations::find(tx, &ctx.tenant, audience_id)? {
        return Ok(Conversation { updated_at: ctx.now, ..found });
    }
    Ok(Conversation {
        conversation_id: ConversationId::mint(ctx.uuid()?),
        last_number: 0,
        published_message_id: None,
        created_at: ctx.now,
        updated_at: ctx.now,
    })
}

/// An answer of the editor, or what was done at an owner's request beside it; it is kept by the caller.
fn answer(
    ctx: &TenantContext,
    conversation: &mut Conversation,
    content: String,
    version_id: &VersionId,
) -> Result<Message> {
    conversation.last_number += 1;
    conversation.updated_at = ctx.now;
    Ok(Message {
        number: conversation.last_number,
        message_id: MessageId::mint(ctx.uuid()?),
        role: Role::Assistant,
        actor: Some(ctx.actor().clone()),
        content,
        client_message_id: None,
        selection: None,
        state: MessageState::Done,
        version_id: Some(version_id.clone()),
        changes: None,
        reasons: None,
        usage: None,
        has_snapshot: false,
        created_at: ctx.now,
    })
}

/// A context whose actor is the sender of a message. A worker changes the draft in the sender's name, and answers in its own.
fn by_sender(ctx: &TenantContext, message: &Message) -> TenantContext {
    message.actor.as_ref().map_or_else(|| ctx.clone(), |actor| ctx.by(actor.clone()))
}

/// A message with what it changed.
#[derive(Debug, Clone, PartialEq)]
pub struct MessageWithChanges {
    /// The message.
    pub message: Message,
    /// Its changes.
    pub changes: Vec<StoredChange>,
}

/// Everything that is shown of a conversation.
#[derive(Debug, Clone, PartialEq)]
pub struct ConversationWithMessages {
    /// The conversation; nothing if nothing was said yet.
    pub conversation: Option<Conversation>,
    /// The newest messages, or those before the one that was named; oldest first.
    pub messages: Vec<MessageWithChanges>,
    /// The audience.
    pub audience: Audience,
    /// The page's context.
    pub page_context: String,
    /// The fields as they are in the draft.
    pub fields: draft::Values,
    /// The changes of fields that are not live yet.
    pub pending: Vec<FieldChange>,
}

/// The conversation of an audience, with its newest messages or those before one.
pub fn show(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    (page_id, audience_id): (&PageId, &AudienceId),
    before: Option<&MessageId>,
) -> Result<ConversationWithMessages> {
    let (_, audience) = find_with_parent(tx, ctx, page_id, audience_id)?;
    let page = pagesmith_store::tables::pages::find(tx, &ctx.tenant, page_id)?;
    let page = page.ok_or_else(|| Error::not_found(PageId::NOUN))?;
    let conversation = conversations::find(tx, &ctx.tenant, audience_id)?;
    let number = match before {
        None => i64::MAX,
        Some(message_id) => {
            let found = messages::find(tx, &ctx.tenant, audience_id, message_id)?;
            found.ok_or_else(|| Error::not_found(MessageId::NOUN))?.number
        }
    };
    let extent = Extent { items: SHOWN_MESSAGES, bytes: SHOWN };
    let mut messages = Vec::new();
    for message in messages::before(tx, &ctx.tenant, audience_id, number, extent)? {
        let changes = StoredChange::read(message.changes.as_ref())?;
        messages.push(MessageWithChanges { message, changes });
    }
    messages.reverse();
    let present = draft::find(tx, ctx, &audience)?;
    let changed = match &present {
        Some(version) => draft::fields(tx, ctx, &version.version_id)?,
        None => draft::Fields::new(),
    };
    let fields = draft::Values::of(&audience)?.with(&changed);
    let draft = present.map(|version| version.version_id);
    let pending = pending(tx, ctx, audience_id, (draft.as_ref(), &changed))?;
    Ok(ConversationWithMessages {
        conversation,
        messages,
        audience,
        page_context: page.page_context.clone(),
        fields,
        pending,
    })
}

/// The changes of fields that will go live with the draft, oldest first.
fn pending(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    audience_id: &AudienceId,
    (draft, changed): (Option<&VersionId>, &draft::Fields),
) -> Result<Vec<FieldChange>> {
    let mut found = Vec::new();
    if changed.is_empty() {
        return Ok(found);
    }
    for message in messages::with_changes(tx, &ctx.tenant, audience_id, CHANGED)?.into_iter().rev() {
        // A change of an older draft, which another one has taken the place of, will not go live with it, unless it was taken along.
        let is_of_draft = message.version_id.as_ref() == draft;
        let is_pending = |change: &&FieldChange| {
            let value = changed.get(&change.field);
            change.status == ChangeStatus::Applied
                && value.is_some_and(|value| is_of_draft || *value == change.new_value)
        };
        let changes = StoredChange::read(message.changes.as_ref())?;
        found.extend(changes.iter().filter_map(StoredChange::field).filter(is_pending).cloned());
    }
    Ok(found)
}

/// A run that is under way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ActiveRun {
    /// How many messages it has carried out.
    pub processed: i64,
    /// Its id.
    pub run_id: RunId,
}

/// The run of an audience, if one is under way.
pub fn active_run(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    page_id: &PageId,
    audience_id: &AudienceId,
) -> Result<Option<ActiveRun>> {
    find_with_parent(tx, ctx, page_id, audience_id)?;
    let run = messages::runs::find(tx, &ctx.tenant, audience_id)?;
    Ok(run.map(|run| ActiveRun { processed: run.processed, run_id: run.run_id }))
}

/// Progress of the messages of an audience.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// The run, if one is under way.
    pub run: Option<ActiveRun>,
    /// How many messages wait, with the one that is carried out.
    pub waiting: i64,
    /// The newest message, of whomever.
    pub last_message_id: Option<MessageId>,
    /// The version that it is about.
    pub version_id: Option<VersionId>,
    /// What a model has said so far of the answer to the message at hand.
    pub partial_text: Option<String>,
    /// How many operations it has finished.
    pub operations: usize,
}

/// Progress of the messages of an audience.
pub fn progress(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    page_id: &PageId,
    audience_id: &AudienceId,
) -> Result<Progress> {
    find_with_parent(tx, ctx, page_id, audience_id)?;
    let run = messages::runs::find(tx, &ctx.tenant, audience_id)?;
    let at_hand = match &run {
        Some(Run { so_far: Some(_), .. }) => messages::next_waiting(tx, &ctx.tenant, audience_id)?,
        _ => None,
    };
    let so_far = match (&run, &at_hand) {
        (Some(run), Some(message)) => SoFar::read(run.so_far.as_ref(), message)?,
        _ => None,
    };
    let (partial_text, operations) =
        so_far.map_or((None, 0), |so_far| (Some(so_far.text), so_far.edits.len()));
    let run = run.map(|run| ActiveRun { processed: run.processed, run_id: run.run_id });
    let waiting = messages::count_waiting(tx, &ctx.tenant, audience_id)?;
    let last = messages::newest(tx, &ctx.tenant, audience_id, Extent::of_items(1))?.items.pop();
    let (last_message_id, version_id) =
        last.map_or((None, None), |last| (Some(last.message_id), last.version_id));
    Ok(Progress { run, waiting, last_message_id, version_id, partial_text, operations })
}

/// Ends the message that is being carried out, or would be next; the others wait on. What a model has finished of it is kept. 409 if there is
/// none.
pub fn interrupt(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    page_id: &PageId,
    audience_id: &AudienceId,
    interruption: &Interruption,
) -> Result<()> {
    let (parent, mut audience) = find_with_parent(tx, ctx, page_id, audience_id)?;
    audience.archived_at = audience.archived_at.or(parent.archived_at);
    let run = messages::runs::find(tx, &ctx.tenant, audience_id)?;
    let waiting = messages::next_waiting(tx, &ctx.tenant, audience_id)?;
    let (Some(run), Some(waiting)) = (run, waiting) else {
        return Err(Error::conflict("No message is being carried out."));
    };
    let so_far = SoFar::read(run.so_far.as_ref(), &waiting)?;
    let shown = interruption.partial_text.as_deref();
    let mut changes = so_far::interrupt(tx, ctx, &audience, &waiting, so_far, shown)?;
    // Whoever has it keeps nothing any more.
    match messages::count_waiting(tx, &ctx.tenant, audience_id)? {
        1 => changes.push(messages::runs::remove(&ctx.tenant, audience_id)),
        _ => {
            changes.push(messages::runs::release(&ctx.tenant, audience_id, ctx.now));
            wake(tx);
        }
    }
    tx.batch(changes)?;
    Ok(())
}
