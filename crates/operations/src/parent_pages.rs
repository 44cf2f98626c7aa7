//! The pages that audiences belong to: what every change below a page asks first.

use pagesmith_model::audience::Audience;
use pagesmith_model::{AudienceId, Error, Kind, PageId, Result, Timestamp};
use pagesmith_store::Tx;
use pagesmith_store::tables::audiences;
use pagesmith_store::tables::pages::{self, ParentPage};
use serde_json::json;

use crate::context::TenantContext;

/// The page that audiences belong to, unless it is deleted.
pub fn parent_page(tx: &mut Tx<'_>, ctx: &TenantContext, page_id: &PageId) -> Result<ParentPage> {
    pages::parent_page(tx, &ctx.tenant, page_id)?.ok_or_else(|| Error::not_found(PageId::NOUN))
}

/// Refuses an addition to an archived page.
pub(crate) fn require_open_page(page_archived_at: Option<Timestamp>) -> Result<()> {
    if page_archived_at.is_none() {
        return Ok(());
    }
    Err(Error::new(Kind::Conflict(Some(json!({ "status": "archived" }))), "The page is archived."))
}

/// The audience and its page; 404 if either is missing or the page is deleted.
pub(crate) fn find_with_parent(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    page_id: &PageId,
    audience_id: &AudienceId,
) -> Result<(ParentPage, Audience)> {
    let parent = parent_page(tx, ctx, page_id)?;
    let audience = audiences::find(tx, &ctx.tenant, page_id, audience_id)?;
    Ok((parent, audience.ok_or_else(|| Error::not_found(AudienceId::NOUN))?))
}
