//! Restoring: what a version says becomes a new draft; the version itself stays as it is.

use pagesmith_model::content::Content;
use pagesmith_model::json::JsonText;
use pagesmith_model::page::action::Action;
use pagesmith_model::version::Version;
use pagesmith_model::version::history::{Details, VersionAction};
use pagesmith_model::{Error, Kind, Result};
use pagesmith_store::Tx;
use pagesmith_store::tables::versions::contents;
use serde_json::json;

use crate::context::TenantContext;
use crate::messages::draft;
use crate::messages::history::with_actions;
use crate::parent_pages::{find_with_parent, require_open_page};
use crate::versions::{self, VersionPath, history, require_open_audience};

/// Makes a draft with the content of a version, and with what that changes of the audience's fields if it is a draft itself, without buttons of actions that the page does not have any more.
pub fn restore(tx: &mut Tx<'_>, ctx: &TenantContext, path: &VersionPath) -> Result<Version> {
    let (parent, mut audience) = find_with_parent(tx, ctx, &path.0, &path.1)?;
    let source = versions::found(tx, ctx, path)?;
    require_open_page(parent.archived_at)?;
    require_open_audience(audience.archived_at)?;
    let Some(content) = contents::find(tx, &ctx.tenant, &path.2)? else {
        let details = json!({ "status": source.life.status.as_str() });
        return Err(Error::new(Kind::Conflict(Some(details)), "The version has no content."));
    };
    let content: Content = content.read()?;
    let actions: Vec<Action> = parent.actions.read()?;
    let content = with_actions(&content, &actions)?;
    let version = draft::copy(tx, ctx, &mut audience, &JsonText::of(&content)?)?;
    let fields = draft::fields(tx, ctx, &path.2)?;
    if !fields.is_empty() {
        draft::put_fields(tx, ctx, &version, &fields)?;
    }
    let details = Details { source_version_id: Some(path.2.to_string()), ..Details::default() };
    let restored = history::note(ctx, (&path.1, &version.version_id), VersionAction::Restored, &details)?;
    tx.batch(restored)?;
    Ok(version)
}
