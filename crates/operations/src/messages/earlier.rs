//! The changes of earlier messages that can be taken back, and the page as it was before one of them.
//!
//! A change of context has the page generated again, as a new version. Taking it back brings the former page back as well: its operations have
//! no inverse on the new one.

use pagesmith_editor::{Document, EarlierChange};
use pagesmith_model::Result;
use pagesmith_model::audience::Audience;
use pagesmith_model::json::JsonText;
use pagesmith_model::message::{ChangeStatus, Field, Message, Reasons};
use pagesmith_model::version::Version;
use pagesmith_store::Tx;
use pagesmith_store::tables::messages;

use crate::context::TenantContext;
use crate::messages::draft::{self, Snapshot, Values};
use crate::messages::{CHANGED, StoredChange};

/// The changes of a message that the draft has.
pub(crate) struct Earlier {
    /// The number of the message.
    pub(crate) number: i64,
    /// All its changes.
    pub(crate) changes: Vec<StoredChange>,
    /// Those that were not taken back.
    pub(crate) change: EarlierChange,
}

/// The newest messages with changes that were not taken back, the newest first.
pub(crate) fn find(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    (audience, draft): (&Audience, &Version),
    most: usize,
) -> Result<Vec<Earlier>> {
    let mut found = Vec::new();
    // Most messages take nothing back, and the changes of a conversation can be megabytes.
    if most == 0 {
        return Ok(found);
    }
    for message in messages::with_changes(tx, &ctx.tenant, &audience.audience_id, CHANGED)? {
        if found.len() == most {
            break;
        }
        let changes = StoredChange::read(message.changes.as_ref())?;
        let not_reverted: Vec<&StoredChange> = not_reverted(&changes).collect();
        if not_reverted.is_empty() {
            continue;
        }
        let operations = not_reverted.iter().map(|change| change.operation()).collect();
        let before = match new_context(&not_reverted) {
            Some(context) => page_before(tx, ctx, (audience, draft), (&message, &changes, context))?,
            None => None,
        };
        let reasons: Option<Reasons> = message.reasons.as_ref().map(JsonText::read).transpose()?;
        let reasons = reasons.unwrap_or_default();
        let reason = not_reverted.iter().find_map(|change| change.reason(&reasons));
        let change = EarlierChange { reason, operations, before: before.map(Box::new) };
        found.push(Earlier { number: message.number, changes, change });
    }
    Ok(found)
}

fn not_reverted(changes: &[StoredChange]) -> impl DoubleEndedIterator<Item = &StoredChange> {
    changes.iter().filter(|change| change.status() != ChangeStatus::Reverted)
}

/// Whether a message has changed the context, and it was not taken back.
pub(crate) fn changes_context(changes: &[StoredChange]) -> bool {
    new_context(&not_reverted(changes).collect::<Vec<_>>()).is_some()
}

fn new_context<'c>(changes: &[&'c StoredChange]) -> Option<&'c Option<String>> {
    let mut fields = changes.iter().filter_map(|change| change.field());
    fields.find(|change| change.field == Field::SupplementaryContext).map(|change| &change.new_value)
}

/// The page before a message that has changed the context, if the draft was generated because of it and the message still has its snapshot.
fn page_before(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    (audience, draft): (&Audience, &Version),
    (message, changes, context): (&Message, &[StoredChange], &Option<String>),
) -> Result<Option<Document>> {
    let is_of_draft = message.version_id.as_ref() == Some(&draft.version_id);
    let fields = draft::fields(tx, ctx, &draft.version_id)?;
    if is_of_draft || fields.get(&Field::SupplementaryContext) != Some(context) {
        return Ok(None);
    }
    let Some(snapshot) = messages::snapshot(tx, &ctx.tenant, &audience.audience_id, message.number)? else {
        return Ok(None);
    };
    let snapshot: Snapshot = snapshot.read()?;
    let mut page = Values::of(audience)?.with(&snapshot.fields).with_content(snapshot.content);
    let mut inverses = not_reverted(changes).rev().map(|change| change.operation().inverse());
    Ok(inverses.all(|operation| operation.apply(&mut page).is_ok()).then_some(page))
}
