//! Changes taken back, and the draft brought back to where it was after a message. Both are messages of the conversation.

use std::collections::HashSet;

use pagesmith_editor::Document;
use pagesmith_editor::operation::Refusal;
use pagesmith_model::audience::Audience;
use pagesmith_model::content::{Component, Content};
use pagesmith_model::json::JsonText;
use pagesmith_model::message::{ChangeStatus, Conversation, FieldChange, Message};
use pagesmith_model::page::action::Action;
use pagesmith_model::version::Version;
use pagesmith_model::{AudienceId, ChangeId, Error, Kind, MessageId, PageId, Result};
use pagesmith_store::tables::messages::{self, conversations};
use pagesmith_store::tables::pages::ParentPage;
use pagesmith_store::{Query, Tx};
use serde_json::{Value, json};

use crate::context::TenantContext;
use crate::messages::draft::{self, Fields, Snapshot, Values};
use crate::messages::earlier;
use crate::messages::{CHANGED, MadeChanges, StoredChange, answer, open};
use crate::parent_pages::{find_with_parent, require_open_page};
use crate::versions::require_open_audience;

/// How many messages keep their snapshots.
const SNAPSHOTS: i64 = 200;

/// Takes one change back, if what it made is still there.
pub fn revert(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    (page_id, audience_id): (&PageId, &AudienceId),
    message_id: &MessageId,
    change_id: &str,
) -> Result<()> {
    let (parent, audience) = find_with_parent(tx, ctx, page_id, audience_id)?;
    let message = found(tx, ctx, audience_id, message_id)?;
    let changes = StoredChange::read(message.changes.as_ref())?;
    let place = changes.iter().position(|change| change.id() == change_id);
    let place = place.ok_or_else(|| Error::not_found(ChangeId::NOUN))?;
    require_open_page(parent.archived_at)?;
    require_open_audience(audience.archived_at)?;
    if changes[place].status() == ChangeStatus::Reverted {
        let details = json!({ "status": "reverted" });
        return Err(Error::new(Kind::Conflict(Some(details)), "The change was taken back already."));
    }
    take_back(tx, ctx, (&parent, audience), (&message, changes), &[place], "One change was taken back.")
}

/// Takes back all that a message changed and that was not taken back yet, the last change first: all of it, or nothing.
pub fn revert_all(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    (page_id, audience_id): (&PageId, &AudienceId),
    message_id: &MessageId,
) -> Result<()> {
    let (parent, audience) = find_with_parent(tx, ctx, page_id, audience_id)?;
    let message = found(tx, ctx, audience_id, message_id)?;
    let changes = StoredChange::read(message.changes.as_ref())?;
    require_open_page(parent.archived_at)?;
    require_open_audience(audience.archived_at)?;
    let is_left = |place: &usize| changes[*place].status() != ChangeStatus::Reverted;
    let places: Vec<usize> = (0..changes.len()).rev().filter(is_left).collect();
    if places.is_empty() {
        let details = json!({ "status": "reverted" });
        return Err(Error::new(Kind::Conflict(Some(details)), "The message has no change to take back."));
    }
    let told = "What an earlier message had changed was taken back.";
    take_back(tx, ctx, (&parent, audience), (&message, changes), &places, told)
}

/// Takes these changes of a message back, in this order, and tells that. What comes back does so without buttons of actions that the page
/// does not have any more.
fn take_back(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    (parent, mut audience): (&ParentPage, Audience),
    (message, mut changes): (&Message, Vec<StoredChange>),
    places: &[usize],
    told: &str,
) -> Result<()> {
    let version = draft::require(tx, ctx, &mut audience)?;
    let before = draft::document(tx, ctx, &audience, &version.version_id)?;
    let mut after = match before_message(tx, ctx, (&audience, &version), (message, &changes), places)? {
        Some(page) => page,
        None => without(&before, &changes, places)?,
    };
    places.iter().for_each(|place| changes[*place].set_status(ChangeStatus::Reverted));
    after.content = brought_back(&before.content, after.content, parent)?;
    let changes = JsonText::of(&changes)?;
    draft::keep(tx, ctx, &version, &message.message_id, (&before, &after))?;
    tx.run(messages::set_changes(&ctx.tenant, &version.audience_id, message.number, &changes))?;
    say(tx, ctx, &version, told, &after, &MadeChanges::default())
}

/// The page without these changes.
fn without(page: &Document, changes: &[StoredChange], places: &[usize]) -> Result<Document> {
    let mut page = page.clone();
    for place in places {
        let inverse = changes[*place].operation().inverse();
        inverse.apply(&mut page).map_err(|refusal| conflict(&refusal))?;
    }
    Ok(page)
}

/// The page before a message, if the draft was generated because of it, nothing was changed since, and all that it changed is taken back.
fn before_message(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    draft: (&Audience, &Version),
    (message, changes): (&Message, &[StoredChange]),
    places: &[usize],
) -> Result<Option<Document>> {
    let not_reverted = changes.iter().filter(|change| change.status() != ChangeStatus::Reverted).count();
    if !earlier::changes_context(changes) {
        return Ok(None);
    }
    let newest = earlier::find(tx, ctx, draft, 1)?.pop();
    let newest = newest.filter(|newest| newest.number == message.number && not_reverted == places.len());
    Ok(newest.and_then(|newest| newest.change.before).map(|page| *page))
}

/// What is in the place where something was to be taken back.
fn conflict(refusal: &Refusal) -> Error {
    let found = match refusal {
        Refusal::Conflict(found) => found.clone().unwrap_or(Value::Null),
        Refusal::Invalid | Refusal::Same => Value::Null,
    };
    let detail = "Something else stands there by now, so the change was not taken back.";
    Error::new(Kind::Conflict(Some(json!({ "found": found }))), detail)
}

/// Restores the draft to its state after a message.
pub fn restore(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    (page_id, audience_id): (&PageId, &AudienceId),
    message_id: &MessageId,
) -> Result<()> {
    let (parent, mut audience) = find_with_parent(tx, ctx, page_id, audience_id)?;
    let message = found(tx, ctx, audience_id, message_id)?;
    require_open_page(parent.archived_at)?;
    require_open_audience(audience.archived_at)?;
    let snapshot = messages::snapshot(tx, &ctx.tenant, audience_id, message.number)?;
    let snapshot = snapshot.ok_or_else(|| Error::conflict("Of this message no snapshot is kept."))?;
    let snapshot: Snapshot = serde_json::from_str(snapshot.as_str()).map_err(Error::internal)?;
    let version = draft::require(tx, ctx, &mut audience)?;
    let before = draft::document(tx, ctx, &audience, &version.version_id)?;
    let content = with_actions(&snapshot.content, &parent.actions.read::<Vec<Action>>()?)?;
    let own = Values::of(&audience)?;
    let fields = own.changed_by(&snapshot.fields);
    let after = own.clone().with(&fields).with_content(content);
    draft::keep(tx, ctx, &version, message_id, (&before, &after))?;
    draft::put_fields(tx, ctx, &version, &fields)?;
    let restored = Document { content: snapshot.content, ..after.clone() };
    let noted = note_restored(tx, ctx, audience_id, message.number, restored)?;
    let told = "The draft is again as it was after an earlier message.";
    let made = unnoted(ctx, (&own, fields), &noted, told)?;
    say(tx, ctx, &version, told, &after, &made)
}

/// The changes of fields that a restored draft has and no message notes: what was live at the time of the snapshot, and is not any more.
fn unnoted(
    ctx: &TenantContext,
    (own, fields): (&Values, Fields),
    noted: &[FieldChange],
    reason: &str,
) -> Result<MadeChanges> {
    let mut made = MadeChanges::default();
    for (field, value) in fields {
        if !noted.iter().any(|change| change.field == field && change.new_value == value) {
            made.add(ctx, &own.operation(field, value), reason)?;
        }
    }
    Ok(made)
}

/// Notes which changes the draft has after a restore: none of later messages, and of earlier ones those that can be undone in it, tried from
/// the newest on. Published ones stay published. Returns the changes of fields among them.
fn note_restored(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    audience_id: &AudienceId,
    number: i64,
    mut page: Document,
) -> Result<Vec<FieldChange>> {
    let mut later = Vec::new();
    let mut earlier = Vec::new();
    for message in messages::with_changes(tx, &ctx.tenant, audience_id, CHANGED)? {
        let changes = StoredChange::read(message.changes.as_ref())?;
        if message.number > number { &mut later } else { &mut earlier }.push((message.number, changes));
    }
    let mut changed = HashSet::new();
    for (number, changes) in &mut later {
        for change in changes.iter_mut().filter(|change| change.status() == ChangeStatus::Applied) {
            change.set_status(ChangeStatus::Reverted);
            changed.insert(*number);
        }
    }
    let newest_first = earlier.iter().flat_map(|(_, changes)| changes.iter().rev());
    let mut are_in: Vec<bool> =
        newest_first.map(|change| change.operation().inverse().apply(&mut page).is_ok()).collect();
    // The page is now as it was before all of them. What is noted as applied, could be done from there and is not found was taken back
    // before the message.
    for (number, changes) in earlier.iter_mut().rev() {
        for change in changes {
            let is_in = are_in.pop().unwrap_or_default();
            let is_applied = change.status() == ChangeStatus::Applied;
            let is_possible = (is_in || is_applied) && change.operation().apply(&mut page).is_ok();
            let status = match change.status() {
                ChangeStatus::Reverted if is_in => ChangeStatus::Applied,
                ChangeStatus::Applied if !is_in && is_possible => ChangeStatus::Reverted,
                _ => continue,
            };
            change.set_status(status);
            changed.insert(*number);
        }
    }
    let mut updates = Vec::new();
    for (number, changes) in later.iter().chain(&earlier).filter(|(number, _)| changed.contains(number)) {
        let changes = JsonText::of(changes)?;
        updates.push(messages::set_changes(&ctx.tenant, audience_id, *number, &changes));
    }
    tx.batch(updates)?;
    let applied = earlier.iter().flat_map(|(_, changes)| changes).filter_map(StoredChange::field);
    Ok(applied.filter(|change| change.status == ChangeStatus::Applied).cloned().collect())
}

/// The content without buttons whose actions the page does not have any more.
pub(crate) fn with_actions(content: &Content, actions: &[Action]) -> Result<Content> {
    let blocks = content.blocks.iter().map(|block| block_with_actions(block, actions));
    Ok(Content { blocks: blocks.collect::<Result<_>>()?, ..content.clone() })
}

/// The content after something was taken back, without such buttons in the blocks that differ from before.
pub(crate) fn brought_back(before: &Content, mut content: Content, parent: &ParentPage) -> Result<Content> {
    let actions: Vec<Action> = parent.actions.read()?;
    for block in content.blocks.iter_mut().filter(|block| !before.blocks.contains(block)) {
        *block = block_with_actions(block, &actions)?;
    }
    Ok(content)
}

fn block_with_actions(block: &Component, actions: &[Action]) -> Result<Component> {
    let mut value = serde_json::to_value(block).map_err(Error::internal)?;
    without_gone(&mut value, &actions.iter().map(Action::id).collect());
    serde_json::from_value(value).map_err(Error::internal)
}

fn without_gone(value: &mut Value, actions: &HashSet<&str>) {
    match value {
        Value::Object(fields) => {
            if fields.get("actionId").and_then(Value::as_str).is_some_and(|id| !actions.contains(id)) {
                fields.remove("actionId");
            }
            if let Some(Value::Array(ids)) = fields.get_mut("actionIds") {
                ids.retain(|id| id.as_str().is_some_and(|id| actions.contains(id)));
            }
            fields.values_mut().for_each(|field| without_gone(field, actions));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| without_gone(item, actions)),
        _ => {}
    }
}

fn found(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    audience_id: &AudienceId,
    message_id: &MessageId,
) -> Result<Message> {
    let message = messages::find(tx, &ctx.tenant, audience_id, message_id)?;
    message.ok_or_else(|| Error::not_found(MessageId::NOUN))
}

/// Adds a message about what was done, with the draft as it is now.
fn say(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    version: &Version,
    text: &str,
    after: &Document,
    made: &MadeChanges,
) -> Result<()> {
    let mut conversation = open(tx, ctx, &version.audience_id)?;
    let mut message = answer(ctx, &mut conversation, text.to_owned(), &version.version_id)?;
    made.keep_in(&mut message)?;
    tx.batch(add(ctx, version, &conversation, &message, Some(after))?)?;
    Ok(())
}

/// The statements that add an answer, with a snapshot if the draft was changed.
pub(crate) fn add(
    ctx: &TenantContext,
    version: &Version,
    conversation: &Conversation,
    message: &Message,
    after: Option<&Document>,
) -> Result<Vec<Query>> {
    let audience_id = &version.audience_id;
    let snapshot = after.map(|after| {
        let fields = Values::in_document(after).fields();
        JsonText::of(&Snapshot { content: after.content.clone(), fields })
    });
    let snapshot = snapshot.transpose()?;
    // The conversation first: two who add a message at once meet at its row, and one of them begins anew with the next number.
    let mut added = vec![
        conversations::put(&ctx.tenant, audience_id, conversation),
        messages::insert(&ctx.tenant, audience_id, message, snapshot.as_ref()),
    ];
    if snapshot.is_some() && message.number > SNAPSHOTS {
        added.push(messages::drop_snapshots(&ctx.tenant, audience_id, message.number - SNAPSHOTS));
    }
    Ok(added)
}
