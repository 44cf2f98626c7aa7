//! What a version says: read, and given by hand while the version is a draft or called off.
//!
//! A published version's content never changes. Invariant: what is kept fits the page as it was when it was kept.

use std::collections::HashSet;

use pagesmith_model::content::{Content, ContentHead};
use pagesmith_model::json::JsonText;
use pagesmith_model::page::action::Action;
use pagesmith_model::version::life::Command;
use pagesmith_model::{BlockId, Error, Issue, Result, VersionId};
use pagesmith_store::Tx;
use pagesmith_store::tables;
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::assets::shown;
use crate::context::{Context, TenantContext};
use crate::parent_pages::find_with_parent;
use crate::precondition::Precondition;
use crate::versions::{self, VersionPath};

/// The content of a version.
pub fn find(tx: &mut Tx<'_>, ctx: &TenantContext, path: &VersionPath) -> Result<JsonText> {
    versions::find(tx, ctx, path)?;
    of(tx, ctx, &path.2)?.ok_or_else(|| Error::not_found("content"))
}

fn of(tx: &mut Tx<'_>, ctx: &TenantContext, version_id: &VersionId) -> Result<Option<JsonText>> {
    tables::versions::contents::find(tx, &ctx.tenant, version_id)
}

/// What came of writing a version.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct SavedContent {
    /// How many blocks it has.
    pub blocks: u64,
    /// The instructions that the page agent did not understand, and the sentences that it kept back.
    pub unapplied_instructions: Vec<String>,
}

/// What came of writing a version; nothing while it has no content.
pub fn outcome(tx: &mut Tx<'_>, ctx: &TenantContext, version_id: &VersionId) -> Result<SavedContent> {
    #[derive(Deserialize)]
    struct Counted {
        #[serde(default)]
        head: ContentHead,
        blocks: Vec<IgnoredAny>,
    }
    let Some(content) = of(tx, ctx, version_id)? else { return Ok(SavedContent::default()) };
    let counted: Counted = serde_json::from_str(content.as_str()).map_err(Error::internal)?;
    Ok(SavedContent {
        blocks: u64::try_from(counted.blocks.len()).map_err(Error::internal)?,
        unapplied_instructions: counted.head.unapplied_instructions,
    })
}

/// Gives a version its content.
pub fn update(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    path: &VersionPath,
    content: &Content,
    precondition: &Precondition<JsonText>,
) -> Result<JsonText> {
    let (parent, mut audience) = find_with_parent(tx, ctx, &path.0, &path.1)?;
    let version = versions::found(tx, ctx, path)?;
    let unknown = shown::issues(tx, &ctx.tenant, content)?;
    let content = checked_with(ctx, content, &action_ids(&parent.actions)?, unknown)?;
    precondition.check(of(tx, ctx, &path.2)?.as_ref())?;
    versions::carry_out(tx, ctx, &mut audience, version, Command::Edit)?;
    versions::keep(tx, ctx, &path.2, Some(content.clone()))?;
    Ok(content)
}

/// The ids of a page's actions.
pub(crate) fn action_ids(actions: &JsonText) -> Result<HashSet<String>> {
    let actions: Vec<Action> = serde_json::from_str(actions.as_str()).map_err(Error::internal)?;
    Ok(actions.iter().map(|action| action.id().to_owned()).collect())
}

/// The content with an id for every block, unless it breaks a rule.
pub(crate) fn checked(ctx: &Context, content: &Content, actions: &HashSet<String>) -> Result<JsonText> {
    checked_with(ctx, content, actions, Vec::new())
}

fn checked_with(
    ctx: &Context,
    content: &Content,
    actions: &HashSet<String>,
    others: Vec<Issue>,
) -> Result<JsonText> {
    let mut issues = content.issues(&|id| actions.contains(id));
    issues.extend(others);
    if !issues.is_empty() {
        return Err(Error::invalid(issues));
    }
    let mut content = content.clone();
    content.fill_ids(&mut || ctx.uuid().map(BlockId::mint))?;
    JsonText::of(&content)
}
