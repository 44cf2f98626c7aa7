//! What a tenant decides about its site, and which page is at its root.
//!
//! The look of its pages is that of the tenant's default brand and is with the brands. The first page that has something to show becomes the home page and stays it until another one is named or it is deleted.

use pagesmith_model::audit::Action;
use pagesmith_model::brand::Look;
use pagesmith_model::brand::font::BrandFont;
use pagesmith_model::json::JsonText;
use pagesmith_model::site::SiteSettings;
use pagesmith_model::{Error, Issue, PageId, Result, TenantId};
use pagesmith_store::Tx;
use pagesmith_store::tables::site::{self as table, StoredSite};
use pagesmith_store::tables::{self, pages};

use crate::context::TenantContext;
use crate::precondition::Precondition;
use crate::{audit, brands};

/// What a tenant decided; the defaults where it decided nothing.
pub fn find(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<SiteSettings> {
    with_fonts(tx, tenant).map(|(settings, _)| settings)
}

/// The same, with the fonts that its look names.
pub fn with_fonts(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<(SiteSettings, Vec<BrandFont>)> {
    let settings = without_brand(tx, tenant)?;
    let brand = tables::brands::default(tx, tenant)?;
    let (brand, fonts) = brand.map(|brand| (brand.look, brand.fonts)).unwrap_or_default();
    Ok((SiteSettings { brand, ..settings }, fonts))
}

/// The same with the default look, for what has a brand of its own.
pub(crate) fn without_brand(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<SiteSettings> {
    let Some(StoredSite { settings, home_page_id, person_page_access }) = table::find(tx, tenant)? else {
        return Ok(SiteSettings::default());
    };
    let settings: SiteSettings = serde_json::from_str(settings.as_str()).map_err(Error::internal)?;
    Ok(SiteSettings {
        home_page_id: home_page_id.map(PageId::into_string),
        person_page_access: person_page_access.unwrap_or_default(),
        brand: Look::default(),
        ..settings
    })
}

/// Replaces all of it, but for the home page where none is named. Its look names these fonts.
pub fn replace(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    (wanted, fonts): (&SiteSettings, Vec<BrandFont>),
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
    let bare = SiteSettings { home_page_id: None, brand: Look::default(), ..settings.clone() };
    let person_page_access = Some(settings.person_page_access);
    let stored = StoredSite { settings: JsonText::of(&bare)?, home_page_id, person_page_access };
    if settings.person_page_access != before.person_page_access {
        audit::record(tx, ctx, Some(&ctx.tenant), Action::AccessUpdated, ctx.tenant.as_str())?;
    }
    brands::set_default_look(tx, ctx, &settings.brand, fonts)?;
    tx.run(table::save(&ctx.tenant, &stored, ctx.now))?;
    audit::record(tx, ctx, Some(&ctx.tenant), Action::SiteUpdated, ctx.tenant.as_str())?;
    Ok(settings)
}

/// The page of that id, which must not be deleted.
fn existing(tx: &mut Tx<'_>, ctx: &TenantContext, id: &str) -> Result<PageId> {
    let page = match PageId::parse(id) {
        Some(page_id) => pages::parent_page(tx, &ctx.tenant, &page_id)?,
        None => None,
    };
    let unknown = || Error::invalid(vec![Issue::unknown_reference(&["homePageId"], PageId::NOUN, id)]);
    page.map(|page| page.page_id).ok_or_else(unknown)
}
