//! The draft that a conversation works on, and what it says.
//!
//! It is the newest version with content that is newer than the live one and a draft or called off, else a copy of the live one. What a draft
//! changes of its audience's fields is kept beside its content. Invariant: until the draft goes live, the audience stays as it is.

use std::collections::BTreeMap;

use pagesmith_editor::operation::Operation;
use pagesmith_editor::{Document, Head};
use pagesmith_model::audience::Audience;
use pagesmith_model::content::Content;
use pagesmith_model::json::JsonText;
use pagesmith_model::message::Field;
use pagesmith_model::page::metadata::Metadata;
use pagesmith_model::version::history::{Details, VersionAction};
use pagesmith_model::version::{Life, Version, VersionStatus};
use pagesmith_model::{AudienceId, Error, Kind, MessageId, PageId, Result, VersionId};
use pagesmith_store::tables::messages::draft_heads;
use pagesmith_store::tables::{self, audiences};
use pagesmith_store::{Extent, ListPart, Tx};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::context::TenantContext;
use crate::messages::change::setting;
use crate::parent_pages::find_with_parent;
use crate::versions;

/// How many versions are read at once to find the draft.
const LOOKED_AT: usize = 100;

/// What a draft changes of the fields.
pub type Fields = BTreeMap<Field, Option<String>>;

/// The four fields as they would be if a draft went live.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Values {
    /// Notes about the audience.
    pub context: Option<String>,
    /// The audience's title.
    pub title: Option<String>,
    /// The audience's description.
    pub description: Option<String>,
    /// The audience's keywords.
    pub keywords: Option<String>,
}

impl Values {
    /// Those of an audience without a draft.
    pub(crate) fn of(audience: &Audience) -> Result<Values> {
        let own = head_of(audience.metadata_override.as_ref())?;
        let context = audience.supplementary_context.clone();
        Ok(Values { context, title: own.title, description: own.description, keywords: own.keywords })
    }

    /// Those of a draft as an editor sees it.
    pub(crate) fn in_document(document: &Document) -> Values {
        let Head { title, description, keywords } = document.head.clone();
        Values { context: document.context.clone(), title, description, keywords }
    }

    /// A draft with this content, as an editor sees it.
    pub(crate) fn with_content(self, content: Content) -> Document {
        let head = Head { title: self.title, description: self.description, keywords: self.keywords };
        Document { content, head, context: self.context }
    }

    fn each(&self) -> [(Field, &Option<String>); 4] {
        [
            (Field::SupplementaryContext, &self.context),
            (Field::MetaTitle, &self.title),
            (Field::MetaDescription, &self.description),
            (Field::MetaKeywords, &self.keywords),
        ]
    }

    /// All four, as what a draft would change.
    pub(crate) fn fields(&self) -> Fields {
        self.each().into_iter().map(|(field, value)| (field, value.clone())).collect()
    }

    /// The changes among these that make a difference.
    pub(crate) fn changed_by(&self, fields: &Fields) -> Fields {
        let own = self.fields();
        let differs = |(field, value): &(&Field, &Option<String>)| own.get(field) != Some(value);
        fields.iter().filter(differs).map(|(field, value)| (*field, value.clone())).collect()
    }

    /// The operation that gives a field another value.
    pub(crate) fn operation(&self, field: Field, to: Option<String>) -> Operation {
        setting(field, self.fields().remove(&field).flatten(), to)
    }

    /// The same with what a draft changes.
    pub(crate) fn with(mut self, fields: &Fields) -> Values {
        for (field, value) in fields {
            let slot = match field {
                Field::SupplementaryContext => &mut self.context,
                Field::MetaTitle => &mut self.title,
                Field::MetaDescription => &mut self.description,
                Field::MetaKeywords => &mut self.keywords,
            };
            slot.clone_from(value);
        }
        self
    }
}

/// The draft as it was after a message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Snapshot {
    pub(crate) content: Content,
    /// All four fields. An older snapshot has those alone that the draft changed.
    pub(crate) fields: Fields,
}

/// The fields that an editor knows of stored metadata.
pub fn head_of(metadata: Option<&JsonText>) -> Result<Head> {
    let Some(text) = metadata else { return Ok(Head::default()) };
    let metadata: Metadata = serde_json::from_str(text.as_str()).map_err(Error::internal)?;
    let some = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
    let keywords = some(metadata.keywords.map(|all| all.join(", ")));
    Ok(Head { title: some(metadata.title), description: some(metadata.description), keywords })
}

/// The draft of an audience, if there is one.
pub fn find(tx: &mut Tx<'_>, ctx: &TenantContext, audience: &Audience) -> Result<Option<Version>> {
    // Where nothing is live, what is newer than the version that was live last.
    let nothing_is_live = audience.published_version_id.is_none();
    let is_newer = |version: &Version| match version.life.status {
        VersionStatus::Published => false,
        VersionStatus::Archived => !nothing_is_live,
        _ => true,
    };
    let is_draft = |version: &Version| {
        version.life.has_content
            && matches!(version.life.status, VersionStatus::Draft | VersionStatus::Cancelled)
    };
    let mut after = None;
    loop {
        let part = newest(tx, ctx, audience, after)?;
        after = part.items.last().map(|version| version.life.number);
        for version in part.items {
            if !is_newer(&version) {
                return Ok(None);
            }
            if is_draft(&version) {
                return Ok(Some(version));
            }
        }
        if !part.more {
            return Ok(None);
        }
    }
}

/// The newest versions of an audience that are older than the one of a number.
fn newest(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    audience: &Audience,
    after: Option<i64>,
) -> Result<ListPart<Version>> {
    let extent = Extent::of_items(LOOKED_AT);
    Ok(tables::versions::list(tx, &ctx.tenant, &audience.audience_id, &[], after, extent)?.0)
}

/// What a conversation can work on.
pub(crate) enum Target {
    /// This draft, which may have been made for it.
    Draft(Box<Version>),
    /// What this version will say once it is written.
    Waits(VersionId),
    /// Nothing: nothing was ever written.
    Nothing(VersionId),
}

/// Finds the draft, or makes one of the live version.
pub(crate) fn target(tx: &mut Tx<'_>, ctx: &TenantContext, audience: &mut Audience) -> Result<Target> {
    let latest = audience.latest_version_id.clone();
    let newest = newest(tx, ctx, audience, None)?.items;
    let unfinished = newest.iter().find(|version| version.life.status.is_unfinished());
    if let Some(draft) = find(tx, ctx, audience)? {
        // One that is written anew for a message is waited for.
        if let Some(version) = unfinished.filter(|version| version.life.number > draft.life.number)
            && draft_heads::find(tx, &ctx.tenant, &version.version_id)?.is_some()
        {
            return Ok(Target::Waits(version.version_id.clone()));
        }
        return Ok(Target::Draft(Box::new(draft)));
    }
    if let Some(version) = unfinished
        && (audience.published_version_id.is_none()
            || draft_heads::find(tx, &ctx.tenant, &version.version_id)?.is_some())
    {
        return Ok(Target::Waits(version.version_id.clone()));
    }
    // What was taken from its readers can be worked on as well.
    let was_live = |version: &&Version| version.life.status == VersionStatus::Archived;
    let live = audience.published_version_id.clone();
    let live = live.or_else(|| newest.iter().find(was_live).map(|version| version.version_id.clone()));
    let Some(live) = live else { return Ok(Target::Nothing(latest)) };
    let content = tables::versions::contents::find(tx, &ctx.tenant, &live)?;
    let Some(content) = content else { return Ok(Target::Nothing(latest)) };
    copy(tx, ctx, audience, &content).map(|version| Target::Draft(Box::new(version)))
}

/// Makes a draft with this content.
pub(crate) fn copy(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    audience: &mut Audience,
    content: &JsonText,
) -> Result<Version> {
    let moved = Life::copied(audience.last_number + 1, ctx.now);
    let version = versions::new(audience, VersionId::mint(ctx.uuid()?), moved.life);
    audience.last_number = version.life.number;
    audience.latest_version_id = version.version_id.clone();
    audience.updated_at = ctx.now;
    versions::begin(tx, ctx, &version, &moved.effects, vec![audiences::update(&ctx.tenant, audience)])?;
    versions::keep(tx, ctx, &version.version_id, Some(content.clone()))?;
    Ok(version)
}

/// The version that a message is about.
pub(crate) fn find_or_make(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    audience: &mut Audience,
) -> Result<VersionId> {
    Ok(match target(tx, ctx, audience)? {
        Target::Draft(version) => version.version_id,
        Target::Waits(version_id) | Target::Nothing(version_id) => version_id,
    })
}

/// The draft, or a conflict if there is nothing to work on.
pub(crate) fn require(tx: &mut Tx<'_>, ctx: &TenantContext, audience: &mut Audience) -> Result<Version> {
    match target(tx, ctx, audience)? {
        Target::Draft(version) => Ok(*version),
        Target::Waits(_) | Target::Nothing(_) => {
            let details = json!({ "status": "processing" });
            Err(Error::new(Kind::Conflict(Some(details)), "The page is not written yet."))
        }
    }
}

/// What a draft changes of the fields.
pub(crate) fn fields(tx: &mut Tx<'_>, ctx: &TenantContext, version_id: &VersionId) -> Result<Fields> {
    let text = draft_heads::find(tx, &ctx.tenant, version_id)?;
    text.map_or(Ok(Fields::new()), |text| serde_json::from_str(text.as_str()).map_err(Error::internal))
}

/// The four fields as a draft has them.
pub fn values(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    audience: &Audience,
    version_id: &VersionId,
) -> Result<Values> {
    Ok(Values::of(audience)?.with(&fields(tx, ctx, version_id)?))
}

/// The four fields as two versions of an audience have them: a draft its own, any other version those of the audience.
pub fn fields_of_two(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    (page_id, audience_id): (&PageId, &AudienceId),
    versions: [&VersionId; 2],
) -> Result<[Fields; 2]> {
    let (_, audience) = find_with_parent(tx, ctx, page_id, audience_id)?;
    let [first, second] = versions;
    Ok([values(tx, ctx, &audience, first)?.fields(), values(tx, ctx, &audience, second)?.fields()])
}

/// A draft as an editor sees it.
pub(crate) fn document(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    audience: &Audience,
    version_id: &VersionId,
) -> Result<Document> {
    let content = tables::versions::contents::find(tx, &ctx.tenant, version_id)?;
    let content = content.ok_or_else(|| Error::internal("a draft without content"))?;
    let content: Content = serde_json::from_str(content.as_str()).map_err(Error::internal)?;
    Ok(values(tx, ctx, audience, version_id)?.with_content(content))
}

/// Keeps a draft that was changed for a message: its content, and the fields that differ from before.
pub(crate) fn keep(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    version: &Version,
    message_id: &MessageId,
    (before, after): (&Document, &Document),
) -> Result<()> {
    keep_as(tx, ctx, version, (VersionAction::EditedByMessage, message_id), (before, after))
}

/// The same for what the history calls otherwise; the message tells of it.
pub(crate) fn keep_as(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    version: &Version,
    (action, message_id): (VersionAction, &MessageId),
    (before, after): (&Document, &Document),
) -> Result<()> {
    if before != after {
        let details = Details { message_id: Some(message_id.to_string()), ..Details::default() };
        let ids = (&version.audience_id, &version.version_id);
        tx.batch(versions::history::note(ctx, ids, action, &details)?)?;
    }
    if before.content != after.content {
        let content = JsonText::of(&after.content)?;
        versions::keep(tx, ctx, &version.version_id, Some(content))?;
    }
    let changed = Values::in_document(before).changed_by(&Values::in_document(after).fields());
    if changed.is_empty() {
        return Ok(());
    }
    let mut fields = fields(tx, ctx, &version.version_id)?;
    fields.extend(changed);
    put_fields(tx, ctx, version, &fields)
}

/// Keeps what a draft changes of the fields.
pub(crate) fn put_fields(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    version: &Version,
    fields: &Fields,
) -> Result<()> {
    tx.run(draft_heads::put(&ctx.tenant, &version.audience_id, &version.version_id, &JsonText::of(fields)?))?;
    Ok(())
}
