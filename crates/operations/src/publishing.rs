//! What becomes of a conversation when a version goes live: what its draft changed is written to the audience, and is saved.

use pagesmith_model::audience::AudiencePatch;
use pagesmith_model::json::JsonText;
use pagesmith_model::message::{ChangeStatus, Field};
use pagesmith_model::page::metadata::Metadata;
use pagesmith_model::version::{Version, VersionStatus};
use pagesmith_model::{AudienceId, Error, Result};
use pagesmith_store::Tx;
use pagesmith_store::tables::audiences::publishing::PublishContext;
use pagesmith_store::tables::messages::{conversations, draft_heads};
use pagesmith_store::tables::{self, messages};

use crate::audiences;
use crate::context::TenantContext;
use crate::messages::draft::{self, Fields};
use crate::messages::{CHANGED, StoredChange};
use crate::precondition::Precondition;
use crate::versions;
use crate::versions::generations::{self, Claimed, GenerationOutcome};

pub mod schedules;

/// Lets a version be live; what its draft changed is written to the audience in the same transaction.
pub fn publish(tx: &mut Tx<'_>, ctx: &TenantContext, context: PublishContext) -> Result<Version> {
    let was_live = context.version.life.status == VersionStatus::Published;
    let has_conversation = context.has_conversation;
    let version = versions::publish(tx, ctx, context)?;
    if has_conversation && !was_live && version.life.status == VersionStatus::Published {
        went_live(tx, ctx, &version)?;
    }
    Ok(version)
}

/// Keeps what a worker has written; the same where that goes live at once.
pub fn finish(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    claimed: &Claimed,
    content: &JsonText,
) -> Result<GenerationOutcome> {
    let outcome = generations::finish(tx, ctx, claimed, content)?;
    let of = &claimed.of;
    if outcome == GenerationOutcome::Kept && conversations::find(tx, &ctx.tenant, &of.audience_id)?.is_some()
    {
        let version = tables::versions::find(tx, &ctx.tenant, &of.audience_id, &of.version_id)?;
        if let Some(version) = version.filter(|version| version.life.status == VersionStatus::Published) {
            went_live(tx, ctx, &version)?;
        }
    }
    Ok(outcome)
}

/// Notes that a version has gone live.
fn went_live(tx: &mut Tx<'_>, ctx: &TenantContext, version: &Version) -> Result<()> {
    let audience_id = &version.audience_id;
    let Some(mut conversation) = conversations::find(tx, &ctx.tenant, audience_id)? else { return Ok(()) };
    let fields = draft::fields(tx, ctx, &version.version_id)?;
    if !fields.is_empty() {
        write_fields(tx, ctx, version, &fields)?;
        tx.run(draft_heads::remove(&ctx.tenant, &version.version_id))?;
    }
    save_changes(tx, ctx, version, &fields)?;
    let last = messages::last_of_version(tx, &ctx.tenant, audience_id, version.version_id.as_str())?;
    if last.is_some() {
        conversation.published_message_id = last;
        conversation.updated_at = ctx.now;
        tx.run(conversations::put(&ctx.tenant, audience_id, &conversation))?;
    }
    Ok(())
}

/// Writes what a draft changed to the audience.
fn write_fields(tx: &mut Tx<'_>, ctx: &TenantContext, version: &Version, fields: &Fields) -> Result<()> {
    let (page_id, audience_id) = (&version.page_id, &version.audience_id);
    if let Some(context) = fields.get(&Field::SupplementaryContext) {
        let patch =
            AudiencePatch { supplementary_context: Some(context.clone()), ..AudiencePatch::default() };
        audiences::update(tx, ctx, (page_id, audience_id), &patch, &Precondition::Unconditional)?;
    }
    let found = tables::audiences::find(tx, &ctx.tenant, page_id, audience_id)?;
    let mut audience = found.ok_or_else(|| Error::not_found(AudienceId::NOUN))?;
    let own = with_fields(audience.metadata_override.as_ref(), fields)?;
    if own != audience.metadata_override {
        audience.metadata_override = own;
        audience.updated_at = ctx.now;
        tx.batch(vec![tables::audiences::update(&ctx.tenant, &audience)])?;
    }
    Ok(())
}

/// Metadata with the fields that a draft changed.
fn with_fields(own: Option<&JsonText>, fields: &Fields) -> Result<Option<JsonText>> {
    let mut metadata: Metadata = own.map_or(Ok(Metadata::default()), |text| {
        serde_json::from_str(text.as_str()).map_err(Error::internal)
    })?;
    for (field, value) in fields {
        match field {
            Field::SupplementaryContext => {}
            Field::MetaTitle => metadata.title.clone_from(value),
            Field::MetaDescription => metadata.description.clone_from(value),
            Field::MetaKeywords => {
                let all = value.as_ref().map(|text| text.split(',').map(|one| one.trim().to_owned()));
                metadata.keywords = all.map(|all| all.filter(|one| !one.is_empty()).collect());
            }
        }
    }
    if own.is_none() && metadata == Metadata::default() {
        return Ok(None);
    }
    JsonText::of(&metadata).map(Some)
}

/// Notes which changes have gone live: those of the version's blocks, and those of fields with the value that is live now.
fn save_changes(tx: &mut Tx<'_>, ctx: &TenantContext, version: &Version, fields: &Fields) -> Result<()> {
    let mut updates = Vec::new();
    for message in messages::with_changes(tx, &ctx.tenant, &version.audience_id, CHANGED)? {
        let mut changes = StoredChange::read(message.changes.as_ref())?;
        let is_of_version = message.version_id.as_ref() == Some(&version.version_id);
        let mut is_changed = false;
        for change in &mut changes {
            let is_live = match change.field() {
                None => is_of_version,
                Some(change) => is_of_version || fields.get(&change.field) == Some(&change.new_value),
            };
            if is_live && change.status() == ChangeStatus::Applied {
                change.set_status(ChangeStatus::Saved);
                is_changed = true;
            }
        }
        if is_changed {
            let changes = JsonText::of(&changes)?;
            updates.push(messages::set_changes(&ctx.tenant, &version.audience_id, message.number, &changes));
        }
    }
    tx.batch(updates)?;
    Ok(())
}
