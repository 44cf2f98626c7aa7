//! What a tenant decides about its site, and which page stands at its root.
//!
//! The first page that has something to show becomes the home page and stays it until another one is named or it is deleted.

use pagesmith_model::audit::Action;
use pagesmith_model::json::JsonText;
use pagesmith_model::site::SiteSettings;
use pagesmith_model::{Error, Issue, IssueCode, PageId, Result, TenantId};
use pagesmith_store::Tx;
use pagesmith_store::tables::tenants::sites::StoredSite;
use pagesmith_store::tables::{pages, tenants};

use crate::audit;
use crate::context::TenantContext;
use crate::precondition::Precondition;

/// What a tenant decided; the defaults where it decided nothing.
pub fn find(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<SiteSettings> {
    let Some(StoredSite { settings, home_page_id, person_page_access }) = tenants::sites::find(tx, tenant)?
    else {
        return Ok(SiteSettings::default());
    };
    let settings: SiteSettings = serde_json::from_str(settings.as_str()).map_err(Error::internal)?;
    Ok(SiteSettings {
        home_page_id: home_page_id.map(PageId::into_string),
        person_page_access: person_page_access.unwrap_or_default(),
        ..settings
    })
}

/// Replaces all of it, but for the home page where none is named.
pub fn replace(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    wanted: &SiteSettings,
    precondition: &Precondition<SiteSettings>,
) -> Result<SiteSettings> {
    let before = find(tx, &ctx.tenant)?;
    precondition.check(&before)?;
    let named = wanted.home_page_id.as_ref().or(before.home_page_id.as_ref()).cloned();
    let settings = SiteSettings { home_page_id: named, ..wanted.clone() };
    if settings == before {
        return Ok(settings);
    }
    let home_page_id = settings.home_page_id.as_deref().map(|id| existing(tx, ctx, id)).transpose()?;
    let bare = SiteSettings { home_page_id: None, ..settings.clone() };
    let person_page_access = Some(settings.person_page_access);
    let stored = StoredSite { settings: JsonText::of(&bare)?, home_page_id, person_page_access };
    if settings.person_page_access != before.person_page_access {
        audit::record(tx, ctx, Some(&ctx.tenant), Action::AccessUpdated, ctx.tenant.as_str())?;
    }
    let before = before.home_page_id.as_deref().and_then(PageId::parse);
    tx.run(tenants::sites::save(&ctx.tenant, &stored, before.as_ref(), ctx.now))?;
    audit::record(tx, ctx, Some(&ctx.tenant), Action::SiteUpdated, ctx.tenant.as_str())?;
    Ok(settings)
}

/// The page of that id, which must not be deleted.
fn existing(tx: &mut Tx<'_>, ctx: &TenantContext, id: &str) -> Result<PageId> {
    let page = match PageId::parse(id) {
        Some(page_id) => pages::parent_page(tx, &ctx.tenant, &page_id)?,
        None => None,
    };
    page.map(|page| page.page_id).ok_or_else(|| {
        let message = format!("homePageId: there is no page '{id}'.");
        Error::invalid(vec![Issue::body(IssueCode::UnknownReference, &["homePageId"], message)])
    })
}
