//! The operations on messages: an owner changes an audience's page by saying what should be different.

use pagesmith_endpoint::endpoint;
use pagesmith_model::content::Component;
use pagesmith_model::message::edit::DraftEdit;
use pagesmith_model::message::{Interruption, NewMessage};
use pagesmith_model::{AudienceId, ChangeId, Issue, IssueCode, Issues, MessageId, PageId, Result};
use pagesmith_operations::messages::{self, by_hand};
use serde_json::Value;

use crate::api::messages::view::{AcceptedView, ActiveRunView, ConversationView, EditedView, RestoredView};
use crate::extract::body::{EmptyObject, OptionalBody};
use crate::extract::query::{self, FromQuery, Parameter, Parameters};
use crate::extract::{Body, Call, Findings, IdempotencyKey, Path, Query};
use crate::json::Document;
use crate::reply::{DONE, Reply, Single, Success};

pub(crate) mod progress;
pub(crate) mod view;

/// What is told of messages beyond the contract.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Included {
    /// What they changed in blocks.
    block_changes: bool,
    /// What they used of models.
    usage: bool,
    /// Who made them.
    actor: bool,
}

impl FromQuery for Included {
    const PARAMETERS: &'static [Parameter] = &[Parameter {
        name: "include",
        description: "`blockChanges`: each message includes its changes to blocks, and the reasons of its changes to fields. `usage`: each message includes what it used of a model. `actor`: each message includes who made it.",
        example: "blockChanges,usage,actor",
    }];

    fn read(parameters: &Parameters, findings: &mut Findings) -> Included {
        let mut included = Included::default();
        for name in parameters.one("include", findings).iter().flat_map(|text| text.split(',')) {
            match name.trim() {
                "blockChanges" => included.block_changes = true,
                "usage" => included.usage = true,
                "actor" => included.actor = true,
                name => {
                    let message = format!("include: '{name}' cannot be included.");
                    findings.issues.add(Issue::query(IssueCode::InvalidValue, "include", message));
                }
            }
        }
        included
    }
}

/// The message before which messages are wanted.
pub(crate) struct Before(Option<MessageId>);

impl FromQuery for Before {
    const PARAMETERS: &'static [Parameter] = &[Parameter {
        name: "before",
        description: "Id of a message: only messages before it are returned. Left out, the newest ones are.",
        example: "message_01jpbz8n4xf5k9w2d7hq3mv6ta",
    }];

    fn read(parameters: &Parameters, findings: &mut Findings) -> Before {
        parameters.one("before", findings);
        Before(query::one(parameters, "before", "the id of a message", MessageId::parse, findings))
    }
}

/// Returns the conversation about an audience's page.
///
/// The messages are the newest ones, up to 4 MB, oldest first. With `before`, they are those before that message: a
/// long conversation is read from its end, until no messages are returned. `context` has the fields as they will be when
/// the draft goes live, and `pendingChanges` the changes of fields that are not live yet. With
/// `include=blockChanges`, each message has a field `blockChanges` with its changes to blocks, and a field `fieldReasons`
/// with the reasons of its changes to fields; with `include=usage`, a field `usage` with the tokens and the cost of the
/// model calls; with `include=actor`, a field `actor` with who made it. Several can be requested, separated by commas.
/// The conversation of an archived audience stays readable.
#[endpoint]
pub(crate) async fn get_audience_messages(
    call: Call,
    Path(page_id): Path<PageId>,
    Path(audience_id): Path<AudienceId>,
    Query(included): Query<Included>,
    Query(Before(before)): Query<Before>,
) -> Result<Single<ConversationView>> {
    let shown = call.read(move |tx, ctx| messages::show(tx, ctx, (&page_id, &audience_id), before.as_ref()));
    let shown = shown.await?;
    Ok(Single(ConversationView::of(shown, included)))
}

/// Sends a message that asks for a change of the page.
///
/// The message is processed in the background, after those that were sent before it. It changes a draft: the
/// newest one that is newer than the published version, else a copy of the published version. `versionId` is that
/// draft at the time the message is accepted. If it goes live or a newer draft is made before the message is processed, another
/// version is changed: the progress of messages tells which as `versionId` once the message is answered, and the history of
/// that version names the message that changed it. While the first version is generated, messages wait. With
/// `selectedElement`, only that block is changed. The same `clientMessageId` again returns the first answer and
/// sends nothing; with another message it fails with 409. Fails with 409 if the page or the audience is archived,
/// or if 1,000 messages wait.
#[endpoint]
pub(crate) async fn send_audience_message(
    call: Call,
    Path(page_id): Path<PageId>,
    Path(audience_id): Path<AudienceId>,
    key: IdempotencyKey,
    Body(new): Body<NewMessage>,
) -> Result<Reply<AcceptedView, 202>> {
    call.change_once(key, move |tx, ctx| {
        let accepted = messages::send(tx, ctx, &page_id, &audience_id, &new)?;
        Ok(AcceptedView::of(accepted, audience_id.clone()))
    })
    .await
}

/// Returns the run that processes messages, or null.
///
/// There is a run as long as messages of the audience wait or are processed.
#[endpoint]
pub(crate) async fn get_audience_active_run(
    call: Call,
    Path(page_id): Path<PageId>,
    Path(audience_id): Path<AudienceId>,
) -> Result<Single<Option<ActiveRunView>>> {
    let run = call.read(move |tx, ctx| messages::active_run(tx, ctx, &page_id, &audience_id)).await?;
    Ok(Single(run.map(ActiveRunView::from)))
}

/// Interrupts the message that is carried out, or would be next.
///
/// What was changed before is kept, and `partialText` as the answer; without `partialText`, what the tenant's
/// model had said by then. Operations that the model had finished are kept in the draft, and the call of the model is aborted
/// within two seconds. Messages behind it are carried out.
/// Fails with 409 if no message is carried out.
#[endpoint]
pub(crate) async fn interrupt_audience_message(
    call: Call,
    Path(page_id): Path<PageId>,
    Path(audience_id): Path<AudienceId>,
    key: IdempotencyKey,
    OptionalBody(interruption): OptionalBody<Interruption>,
) -> Result<Reply<Success>> {
    call.change_once(key, move |tx, ctx| {
        messages::interrupt(tx, ctx, &page_id, &audience_id, &interruption)?;
        Ok(DONE)
    })
    .await
}

/// Reverts one change of a message.
///
/// The change is reverted in the draft, unless the same place was changed again; then the request fails with
/// 409, and `details.found` is the present value. A message in the conversation records the reversal. A change
/// that is already reverted fails with 409.
#[endpoint]
pub(crate) async fn revert_audience_message_change(
    call: Call,
    Path(page_id): Path<PageId>,
    Path(audience_id): Path<AudienceId>,
    Path(message_id): Path<MessageId>,
    Path(change_id): Path<ChangeId>,
    key: IdempotencyKey,
    Body(EmptyObject {}): Body<EmptyObject>,
) -> Result<Reply<Success>> {
    call.change_once(key, move |tx, ctx| {
        let path = (&page_id, &audience_id);
        messages::history::revert(tx, ctx, path, &message_id, change_id.as_str())?;
        Ok(DONE)
    })
    .await
}

/// Restores the draft to its state after a message.
///
/// The message must have a snapshot (`hasSnapshot`), else the request fails with 409. Buttons of actions that
/// the page does not have any more are left out. Changes of later messages are reverted. A message in the
/// conversation records it. `messageId` in the answer is the message whose snapshot was restored.
#[endpoint]
pub(crate) async fn restore_audience_message_snapshot(
    call: Call,
    Path(page_id): Path<PageId>,
    Path(audience_id): Path<AudienceId>,
    Path(message_id): Path<MessageId>,
    key: IdempotencyKey,
    Body(EmptyObject {}): Body<EmptyObject>,
) -> Result<Reply<RestoredView>> {
    call.change_once(key, move |tx, ctx| {
        messages::history::restore(tx, ctx, (&page_id, &audience_id), &message_id)?;
        Ok(RestoredView { success: true, message_id: message_id.clone() })
    })
    .await
}

/// Reverts all changes of a message.
///
/// The changes that are not reverted yet are reverted in the draft, the last one first: all of them, or none. If the place of
/// one of them was changed again, the request fails with 409, and `details.found` is the present value. A message in the
/// conversation records the reversal. A message without such a change fails with 409.
#[endpoint]
pub(crate) async fn revert_audience_message(
    call: Call,
    Path(page_id): Path<PageId>,
    Path(audience_id): Path<AudienceId>,
    Path(message_id): Path<MessageId>,
    key: IdempotencyKey,
    Body(EmptyObject {}): Body<EmptyObject>,
) -> Result<Reply<Success>> {
    call.change_once(key, move |tx, ctx| {
        messages::history::revert_all(tx, ctx, (&page_id, &audience_id), &message_id)?;
        Ok(DONE)
    })
    .await
}

/// Edits the draft by hand.
///
/// The operations are of the kinds in `blockChanges`, and change the draft that messages change: the newest one that is
/// newer than the published version, else a copy of the published version. They are applied in order, all or none, at once
/// and without an editor. `from`, `after` and the block of a `remove` are preconditions: if the draft differs, the request
/// fails with 409, `details.operation` is the number of the operation and `details.found` the value in the draft. A block
/// that would break a rule is refused with 400, at the place of the operation. Only actions of the page and assets of the
/// tenant can be named.
///
/// The edit is a message of the conversation, with a snapshot: its changes can be taken back one by one or together, and
/// the draft restored to it. Fails with 409 if the page or the audience is archived, or if nothing is
/// written yet.
#[endpoint]
pub(crate) async fn edit_audience_draft(
    call: Call,
    Path(page_id): Path<PageId>,
    Path(audience_id): Path<AudienceId>,
    key: IdempotencyKey,
    Body(edit): Body<DraftEdit>,
) -> Result<Reply<EditedView>> {
    let validator = call.state.validators.of::<Component>();
    call.change_once(key, move |tx, ctx| {
        let broken = |block: &Value| {
            let mut issues = Issues::default();
            validator.check(&Document::from(block), &mut issues);
            issues.listed().to_vec()
        };
        by_hand::edit(tx, ctx, (&page_id, &audience_id), &edit, &broken).map(EditedView::of)
    })
    .await
}
