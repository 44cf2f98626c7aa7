//! `brands`: how the pages of tenants look and speak.
//!
//! What of a look is the tenant's own is in a column of its own, `own_look`: older servers read the rest.
//! Invariant: a tenant has at most one default brand; a second one violates `brands_tenant_id_default_key`.

use pagesmith_model::brand::font::OwnLook;
use pagesmith_model::brand::{Brand, Look};
use pagesmith_model::json::JsonText;
use pagesmith_model::text::Query as Words;
use pagesmith_model::{BrandId, FileId, Result, TenantId, Timestamp};

use crate::extent::{Extent, ListPart};
use crate::row::Row;
use crate::sql::Query;
use crate::tables::counters;
use crate::tables::ranked_search::{self, RankedSearch};
use crate::tx::Tx;
use crate::{sql, values};

/// The columns of a brand, each behind an alias such as `b.`, which [`brand`] reads.
macro_rules! brand_columns {
    ($alias:literal) => {
        $crate::sql::columns!(
            $alias => brand_id, name, site_name, is_default, look, own_look, voice, legal_links, created_at, updated_at
        )
    };
}

fn brand(row: &Row) -> Result<Brand> {
    let (look, voice, legal_links): (JsonText, JsonText, JsonText) =
        (row.take("look")?, row.take("voice")?, row.take("legal_links")?);
    let own: Option<JsonText> = row.take("own_look")?;
    let mut own: OwnLook = own.map(|own| own.read()).transpose()?.unwrap_or_default();
    let fonts = std::mem::take(&mut own.fonts);
    Ok(Brand {
        brand_id: row.take("brand_id")?,
        name: row.take("name")?,
        site_name: row.take("site_name")?,
        is_default: row.take("is_default")?,
        look: Look::of_parts(look.read()?, own),
        fonts,
        voice: voice.read()?,
        legal_links: legal_links.read()?,
        created_at: row.take("created_at")?,
        updated_at: row.take("updated_at")?,
    })
}

/// The columns of a look.
fn look_columns(brand: &Brand) -> Result<(JsonText, Option<JsonText>)> {
    let (rest, own) = brand.look.clone().into_parts();
    let own = OwnLook { fonts: brand.fonts.clone(), ..own };
    let has_own = own != OwnLook::default();
    Ok((JsonText::of(&rest)?, has_own.then(|| JsonText::of(&own)).transpose()?))
}

/// Adds a brand.
pub fn insert(tenant: &TenantId, brand: &Brand) -> Result<Query> {
    let (folded, word_form) = ranked_search::folded(&brand.name);
    let (look, own_look) = look_columns(brand)?;
    Ok(sql!(
        "INSERT INTO brands
            (tenant_id, brand_id, name, folded, word_form, site_name, is_default, look, voice, legal_links,
             created_at, updated_at, own_look)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)"
    )
    .with(values![
        tenant,
        &brand.brand_id,
        &brand.name,
        folded,
        word_form,
        &brand.site_name,
        brand.is_default,
        &look,
        &JsonText::of(&brand.voice)?,
        &JsonText::of(&brand.legal_links)?,
        brand.created_at,
        brand.updated_at,
        &own_look,
    ]))
}

/// The brand.
pub fn find(tx: &mut Tx<'_>, tenant: &TenantId, brand_id: &BrandId) -> Result<Option<Brand>> {
    let select = sql!("SELECT ", brand_columns!(""), " FROM brands WHERE tenant_id = $1 AND brand_id = $2");
    tx.maybe(select.with(values![tenant, brand_id]))?.as_ref().map(brand).transpose()
}

/// The default brand, if the tenant has one.
pub fn default(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<Option<Brand>> {
    let select = sql!("SELECT ", brand_columns!(""), " FROM brands WHERE tenant_id = $1 AND is_default");
    tx.maybe(select.with(values![tenant]))?.as_ref().map(brand).transpose()
}

/// The brand that a page has which names this one, whatever text that is: the named one, else the default.
pub fn of_page(tx: &mut Tx<'_>, tenant: &TenantId, named: &str) -> Result<Option<Brand>> {
    let select = sql!(
        "SELECT ",
        brand_columns!(""),
        " FROM brands WHERE tenant_id = $1 AND (brand_id = $2 OR is_default)
          ORDER BY CASE WHEN brand_id = $2 THEN 0 ELSE 1 END LIMIT 1"
    );
    tx.maybe(select.with(values![tenant, named]))?.as_ref().map(brand).transpose()
}

/// Some of the brands whose fonts a file is one of.
pub fn of_file(tx: &mut Tx<'_>, tenant: &TenantId, file_id: &FileId, most: i64) -> Result<Vec<BrandId>> {
    let select = sql!(
        "SELECT brand_id FROM brands
         WHERE tenant_id = $1 AND REPLACE(own_look, $2, '') <> own_look ORDER BY brand_id LIMIT $3"
    );
    let named = format!("\"{file_id}\"");
    tx.all(select.with(values![tenant, named, most]))?.iter().map(|row| row.get("brand_id")).collect()
}

/// How many brands a tenant has.
pub fn count(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<u64> {
    let select = sql!("SELECT COUNT(*) AS total FROM brands WHERE tenant_id = $1");
    counters::total(&tx.all(select.with(values![tenant]))?)
}

/// The brands after one, newest first; and how many there are in all.
pub fn list(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    after: Option<&BrandId>,
    extent: Extent,
) -> Result<(ListPart<Brand>, u64)> {
    let select = sql!("SELECT ", brand_columns!(""), " FROM brands WHERE tenant_id = $1");
    let mut select = select.with(values![tenant]);
    if let Some(brand_id) = after {
        select = select.and(sql!("AND brand_id < $1"), values![brand_id]);
    }
    select = select.and(sql!("ORDER BY brand_id DESC LIMIT $1"), values![extent.rows()]);
    let rows = tx.all(select.within(extent.bytes))?;
    Ok((ListPart::read(&rows, extent, brand)?, count(tx, tenant)?))
}

/// A brand that matches, behind how well it does: 0 is best.
pub type Match = (i64, Brand);

const SEARCH: RankedSearch<Match> = RankedSearch {
    columns: sql!("SELECT ", brand_columns!("b.")),
    ids: sql!("n.brand_id AS item_id,"),
    chosen: ranked_search::ITEM_ID,
    fields: ranked_search::NAME,
    names: sql!("FROM brands n WHERE n.tenant_id = $1"),
    joins: sql!(") m JOIN brands b ON b.tenant_id = $1 AND b.brand_id = m.item_id WHERE m.tenant_id = $1"),
    narrowing: None,
    read: |row| Ok((row.get("rank")?, brand(row)?)),
};

/// The brands whose names hold every word, best first and newest first within a rank, after a rank and a brand; and
/// how many match in all.
pub fn search(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    words: &Words,
    after: Option<&(i64, BrandId)>,
    extent: Extent,
) -> Result<(ListPart<Match>, u64)> {
    SEARCH.run(tx, tenant, words, after, extent)
}

/// Replaces what may change of a brand.
pub fn update(tenant: &TenantId, brand: &Brand) -> Result<Query> {
    let (folded, word_form) = ranked_search::folded(&brand.name);
    let (look, own_look) = look_columns(brand)?;
    Ok(sql!(
        "UPDATE brands SET name = $3, folded = $4, word_form = $5, site_name = $6, is_default = $7, look = $8,
                voice = $9, legal_links = $10, updated_at = $11, own_look = $12
         WHERE tenant_id = $1 AND brand_id = $2"
    )
    .with(values![
        tenant,
        &brand.brand_id,
        &brand.name,
        folded,
        word_form,
        &brand.site_name,
        brand.is_default,
        &look,
        &JsonText::of(&brand.voice)?,
        &JsonText::of(&brand.legal_links)?,
        brand.updated_at,
        &own_look,
    ]))
}

/// Leaves a tenant without a default brand.
pub fn unset_default(tenant: &TenantId, now: Timestamp) -> Query {
    sql!("UPDATE brands SET is_default = FALSE, updated_at = $2 WHERE tenant_id = $1 AND is_default")
        .with(values![tenant, now])
}

/// Removes a brand.
pub fn remove(tenant: &TenantId, brand_id: &BrandId) -> Query {
    sql!("DELETE FROM brands WHERE tenant_id = $1 AND brand_id = $2").with(values![tenant, brand_id])
}
