//! What a model has said and done of a message until now, and what is kept of it if the message ends before the model does.
//!
//! It is in the row of the run, so that whoever ends the message has it: the owner on any server, or a worker after others were lost.

use pagesmith_editor::{Edit, Voice};
use pagesmith_model::audience::Audience;
use pagesmith_model::json::JsonText;
use pagesmith_model::message::{Message, MessageState};
use pagesmith_model::{Error, Result};
use pagesmith_store::tables::messages::{self, conversations};
use pagesmith_store::{Query, Tx};
use serde::{Deserialize, Serialize};

use crate::context::TenantContext;
use crate::messages::{MadeChanges, answer, by_sender, draft, history, open};

/// What a model has said and done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SoFar {
    /// The number of the message.
    pub number: i64,
    /// The draft that the operations are for.
    pub version_id: String,
    /// What has been said to the owner.
    pub text: String,
    /// The operations that are finished, which are not in the draft yet.
    pub edits: Vec<Edit>,
}

impl SoFar {
    /// What is noted in a run of this message.
    pub(crate) fn read(text: Option<&JsonText>, message: &Message) -> Result<Option<SoFar>> {
        let Some(text) = text else { return Ok(None) };
        let so_far: SoFar = serde_json::from_str(text.as_str()).map_err(Error::internal)?;
        Ok(Some(so_far).filter(|so_far| so_far.number == message.number))
    }
}

/// Ends a message before its answer: keeps the operations that are finished, and what was said as the answer. `shown` is what the owner has seen
/// of it, if that is known. The statements that are left are the caller's to run.
pub(crate) fn interrupt(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    audience: &Audience,
    message: &Message,
    so_far: Option<SoFar>,
    shown: Option<&str>,
) -> Result<Vec<Query>> {
    let audience_id = &audience.audience_id;
    let mut kept =
        vec![messages::set_state(&ctx.tenant, audience_id, message.number, MessageState::Interrupted)];
    let said = so_far.as_ref().map(|so_far| so_far.text.clone()).unwrap_or_default();
    let mut text = shown.filter(|text| !text.is_empty()).map_or(said, str::to_owned);
    let version = match &so_far {
        Some(so_far) if !so_far.edits.is_empty() && audience.archived_at.is_none() => {
            let draft = draft::find(tx, ctx, audience)?;
            draft.filter(|version| version.version_id.as_str() == so_far.version_id)
        }
        _ => None,
    };
    if let (Some(version), Some(mut so_far)) = (version, so_far) {
        let before = draft::document(tx, ctx, audience, &version.version_id)?;
        let mut after = before.clone();
        // What somebody else has changed meanwhile stays as it is.
        so_far.edits.retain(|edit| edit.operation.apply(&mut after).is_ok());
        if !so_far.edits.is_empty() {
            if text.trim().is_empty() {
                text = Voice::of(&message.content, &before).say("stopped", &[]);
            }
            draft::keep(tx, &by_sender(ctx, message), &version, &message.message_id, (&before, &after))?;
            let mut conversation = open(tx, ctx, audience_id)?;
            let mut said = answer(ctx, &mut conversation, text, &version.version_id)?;
            said.state = MessageState::Interrupted;
            MadeChanges::of(ctx, &so_far.edits)?.keep_in(&mut said)?;
            kept.extend(history::add(ctx, &version, &conversation, &said, Some(&after))?);
            return Ok(kept);
        }
    }
    if !text.is_empty() {
        let version_id = message.version_id.as_ref();
        let version_id = version_id.ok_or_else(|| Error::internal("a message about no version"))?;
        let mut conversation = open(tx, ctx, audience_id)?;
        let mut said = answer(ctx, &mut conversation, text, version_id)?;
        said.state = MessageState::Interrupted;
        kept.push(conversations::put(&ctx.tenant, audience_id, &conversation));
        kept.push(messages::insert(&ctx.tenant, audience_id, &said, None));
    }
    Ok(kept)
}
