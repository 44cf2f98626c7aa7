//! Brands: created, changed and deleted. At most one of a tenant is its default, which pages without a brand of their own have.
//!
//! Whatever changes how pages look raises the revision of the tenant's site, so that pages in memory are drawn anew.

use pagesmith_model::brand::font::BrandFont;
use pagesmith_model::brand::{Brand, BrandPatch, DEFAULT_NAME, Look, MOST_BRANDS, NewBrand, Voice};
use pagesmith_model::{BrandId, Error, Kind, Result};
use pagesmith_store::Tx;
use pagesmith_store::tables::brands;
use pagesmith_store::tables::site;
use serde_json::json;

use crate::context::TenantContext;
use crate::precondition::Precondition;

pub mod fonts;
pub mod pictures;
pub mod websites;

/// Creates a brand, whose look names these fonts.
pub fn create(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    new: &NewBrand,
    read_fonts: Vec<BrandFont>,
) -> Result<Brand> {
    check_look(tx, ctx, &new.look, "look")?;
    create_checked(tx, ctx, new, read_fonts)
}

/// Fails if a look names a file or an asset that is not there.
fn check_look(tx: &mut Tx<'_>, ctx: &TenantContext, look: &Look, field: &str) -> Result<()> {
    let mut issues = fonts::missing(tx, ctx, look, field)?;
    issues.extend(pictures::missing(tx, ctx, look, field)?);
    if issues.is_empty() { Ok(()) } else { Err(Error::invalid(issues)) }
}

fn create_checked(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    new: &NewBrand,
    fonts: Vec<BrandFont>,
) -> Result<Brand> {
    if brands::count(tx, &ctx.tenant)? >= MOST_BRANDS {
        let detail = format!("A tenant may have at most {MOST_BRANDS} brands.");
        return Err(Error::new(Kind::Conflict(Some(json!({ "limit": MOST_BRANDS }))), detail));
    }
    let brand = Brand {
        brand_id: BrandId::mint(ctx.uuid()?),
        name: new.name.clone(),
        site_name: new.site_name.clone(),
        is_default: new.is_default,
        look: new.look.clone(),
        fonts,
        voice: new.voice.clone(),
        legal_links: new.legal_links.clone(),
        created_at: ctx.now,
        updated_at: ctx.now,
    };
    let mut changes = vec![brands::insert(&ctx.tenant, &brand)?];
    if brand.is_default {
        replace_default(tx, ctx)?;
        changes.push(site::touch(&ctx.tenant, ctx.now));
    }
    tx.change(changes)?;
    Ok(brand)
}

/// The brand.
pub fn find(tx: &mut Tx<'_>, ctx: &TenantContext, brand_id: &BrandId) -> Result<Brand> {
    brands::find(tx, &ctx.tenant, brand_id)?.ok_or_else(|| Error::not_found(BrandId::NOUN))
}

/// Changes the given fields; a look among them names these fonts. Pages of the brand show the change at once.
pub fn update(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    brand_id: &BrandId,
    (patch, read_fonts): (&BrandPatch, Vec<BrandFont>),
    precondition: &Precondition<Brand>,
) -> Result<Brand> {
    let before = find(tx, ctx, brand_id)?;
    precondition.check(&before)?;
    if let Some(look) = patch.look.as_ref().filter(|look| **look != before.look) {
        check_look(tx, ctx, look, "look")?;
    }
    let kept = before.clone();
    let brand = Brand {
        name: patch.name.clone().unwrap_or(kept.name),
        site_name: patch.site_name.clone().unwrap_or(kept.site_name),
        is_default: patch.is_default.unwrap_or(kept.is_default),
        fonts: if patch.look.is_some() { read_fonts } else { kept.fonts },
        look: patch.look.clone().unwrap_or(kept.look),
        voice: patch.voice.clone().unwrap_or(kept.voice),
        legal_links: patch.legal_links.clone().unwrap_or(kept.legal_links),
        ..kept
    };
    change(tx, ctx, &before, brand)
}

/// Gives the default brand another look; makes a default brand if there is none and a look is wanted.
///
/// The look names these fonts.
pub(crate) fn set_default_look(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    look: &Look,
    fonts: Vec<BrandFont>,
) -> Result<()> {
    let before = brands::default(tx, &ctx.tenant)?;
    if before.as_ref().is_none_or(|before| before.look != *look) {
        check_look(tx, ctx, look, "brand")?;
    }
    match before {
        Some(before) => {
            let brand = Brand { look: look.clone(), fonts, ..before.clone() };
            change(tx, ctx, &before, brand)?;
        }
        None if *look == Look::default() => {}
        None => {
            let new = NewBrand {
                name: DEFAULT_NAME.to_owned(),
                site_name: None,
                is_default: true,
                look: look.clone(),
                voice: Voice::default(),
                legal_links: vec![],
            };
            create_checked(tx, ctx, &new, fonts)?;
        }
    }
    Ok(())
}

fn change(tx: &mut Tx<'_>, ctx: &TenantContext, before: &Brand, brand: Brand) -> Result<Brand> {
    if brand == *before {
        return Ok(brand);
    }
    let brand = Brand { updated_at: ctx.now, ..brand };
    if brand.is_default && !before.is_default {
        replace_default(tx, ctx)?;
    }
    tx.change(vec![brands::update(&ctx.tenant, &brand)?, site::touch(&ctx.tenant, ctx.now)])?;
    Ok(brand)
}

/// Leaves the tenant without a default brand, before another one is made it: as a statement of its own, since PostgreSQL carries out
/// changes that are sent together as one, in which both would be the default.
fn replace_default(tx: &mut Tx<'_>, ctx: &TenantContext) -> Result<()> {
    tx.run(brands::unset_default(&ctx.tenant, ctx.now)).map(drop)
}

/// Deletes a brand. Pages that name it have the default brand from then on.
pub fn delete(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    brand_id: &BrandId,
    precondition: &Precondition<Brand>,
) -> Result<()> {
    let brand = find(tx, ctx, brand_id)?;
    precondition.check(&brand)?;
    tx.change(vec![brands::remove(&ctx.tenant, brand_id), site::touch(&ctx.tenant, ctx.now)])
}
