//! `assets`: pictures, videos and components of tenants, with their folded texts for searches.

use pagesmith_model::asset::{Asset, AssetData, AssetType, YoutubeUrl};
use pagesmith_model::json::JsonText;
use pagesmith_model::text::Query as Words;
use pagesmith_model::{AssetId, Error, FileId, Result, TenantId, Timestamp, fields, text};

use crate::extent::{Extent, ListPart};
use crate::row::Row;
use crate::sql::Query;
use crate::tables::ranked_search::{self, Fields, RankedSearch};
use crate::tables::{counters, listed};
use crate::tx::Tx;
use crate::value::Value;
use crate::{sql, values};

pub mod descriptions;

/// The columns of an asset, each behind an alias such as `n.`, which [`asset`] reads.
macro_rules! asset_columns {
    ($alias:literal) => {
        $crate::sql::columns!($alias => asset_id, asset_type, name, purpose, tags, parent_asset_id, is_hidden, file_id,
            video_url, component, props_schema, described, created_at, updated_at, trashed_at)
    };
}

fn asset(row: &Row) -> Result<Asset> {
    let (asset_type, tags): (String, JsonText) = (row.take("asset_type")?, row.take("tags")?);
    let asset_type =
        AssetType::parse(&asset_type).ok_or_else(|| Error::internal("an asset of an unknown type"))?;
    let broken = || Error::internal("an asset without what it consists of");
    let data = match asset_type {
        AssetType::Image | AssetType::Logo | AssetType::Icon => {
            AssetData::Picture(row.take::<Option<FileId>>("file_id")?.ok_or_else(broken)?)
        }
        AssetType::Video => {
            let url: Option<String> = row.take("video_url")?;
            AssetData::Video(url.as_deref().and_then(YoutubeUrl::parse).ok_or_else(broken)?)
        }
        AssetType::CustomComponent => {
            let component: Option<String> = row.take("component")?;
            AssetData::Component(component.ok_or_else(broken)?, row.take("props_schema")?)
        }
    };
    Ok(Asset {
        asset_id: row.take("asset_id")?,
        asset_type,
        name: row.take("name")?,
        purpose: row.take("purpose")?,
        tags: tags.read()?,
        parent_asset_id: row.take("parent_asset_id")?,
        is_hidden: row.take("is_hidden")?,
        data,
        described: row.take("described")?,
        created_at: row.take("created_at")?,
        updated_at: row.take("updated_at")?,
        trashed_at: row.take("trashed_at")?,
    })
}

/// The name as searches read it, then the other texts.
fn folded(asset: &Asset) -> [String; 4] {
    let (folded, word_form) = ranked_search::folded(&asset.name);
    let other = [asset.purpose.as_str()].into_iter().chain(asset.tags.iter().map(String::as_str));
    let other = fields::join(other.chain(asset.described.as_deref()));
    let other_words = text::word_form(&other);
    [folded, word_form, other, other_words]
}

/// The columns of what an asset consists of: file, video, component and schema.
type Consists<'a> = (Option<&'a FileId>, Option<&'a str>, Option<&'a str>, Option<JsonText>);

fn consists(asset: &Asset) -> Consists<'_> {
    match &asset.data {
        AssetData::Picture(file_id) => (Some(file_id), None, None, None),
        AssetData::Video(url) => (None, Some(url.as_str()), None, None),
        AssetData::Component(body, props) => (None, None, Some(body), props.clone()),
    }
}

/// Adds an asset, with its key and the digest of its request if it has a key.
pub fn insert(tenant: &TenantId, asset: &Asset, key: Option<(&str, &[u8; 32])>) -> Result<Query> {
    let [folded, word_form, other_folded, other_word_form] = folded(asset);
    let (file_id, video_url, component, props_schema) = consists(asset);
    let insert = sql!(
        "INSERT INTO assets
            (tenant_id, asset_id, asset_type, name, folded, word_form, purpose, tags, other_folded, other_word_form,
             parent_asset_id, is_hidden, file_id, video_url, component, props_schema, idempotency_key, request_digest,
             created_at, updated_at, trashed_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)"
    );
    Ok(insert.with(values![
        tenant,
        &asset.asset_id,
        asset.asset_type.as_str(),
        &asset.name,
        folded,
        word_form,
        &asset.purpose,
        &JsonText::of(&asset.tags)?,
        other_folded,
        other_word_form,
        &asset.parent_asset_id,
        asset.is_hidden,
        file_id.map(FileId::as_str),
        video_url,
        component,
        &props_schema,
        key.map(|(key, _)| key),
        key.map(|(_, digest)| digest.to_vec()),
        asset.created_at,
        asset.updated_at,
        asset.trashed_at,
    ]))
}

/// The asset, in the trash or not.
pub fn find(tx: &mut Tx<'_>, tenant: &TenantId, id: &AssetId) -> Result<Option<Asset>> {
    let select = sql!("SELECT ", asset_columns!(""), " FROM assets WHERE tenant_id = $1 AND asset_id = $2");
    tx.maybe(select.with(values![tenant, id]))?.as_ref().map(asset).transpose()
}

/// The asset that was created with a key, and the digest of its request.
pub fn by_key(tx: &mut Tx<'_>, tenant: &TenantId, key: &str) -> Result<Option<(Asset, Vec<u8>)>> {
    let select = sql!(
        "SELECT ",
        asset_columns!(""),
        ", request_digest FROM assets WHERE tenant_id = $1 AND idempotency_key = $2"
    );
    let row = tx.maybe(select.with(values![tenant, key]))?;
    row.map(|row| Ok((asset(&row)?, row.get("request_digest")?))).transpose()
}

/// A filter of assets.
#[derive(Debug, Clone, Copy)]
pub struct AssetFilter {
    /// Those of this type; all types if there is none.
    pub asset_type: Option<AssetType>,
    /// Whether those in the trash, instead of the others.
    pub trashed: bool,
}

impl AssetFilter {
    /// Appends the conditions on the asset `n`.
    fn and(self, query: Query) -> Query {
        let query = if self.trashed {
            query.and(sql!("AND n.trashed_at IS NOT NULL"), values![])
        } else {
            query.and(sql!("AND n.trashed_at IS NULL"), values![])
        };
        match self.asset_type {
            Some(asset_type) => query.and(sql!("AND n.asset_type = $1"), values![asset_type.as_str()]),
            None => query,
        }
    }

    /// How many there are.
    fn count(self, tenant: &TenantId) -> Query {
        match (self.asset_type, self.trashed) {
            (None, false) => counters::count(tenant, counters::ASSETS),
            (None, true) => counters::count(tenant, counters::TRASHED_ASSETS),
            _ => self.and(
                sql!("SELECT COUNT(*) AS total FROM assets n WHERE n.tenant_id = $1").with(values![tenant]),
            ),
        }
    }
}

/// An asset that matches, behind how well it does: 0 is best.
pub type Match = (i64, Asset);

fn found(row: &Row) -> Result<Match> {
    Ok((row.get("rank")?, asset(row)?))
}

/// The assets that pass the filter, newest first, after a position; and how many there are in all.
pub fn list(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    filter: AssetFilter,
    after: Option<&AssetId>,
    extent: Extent,
) -> Result<(ListPart<Match>, u64)> {
    let select = sql!(
        "SELECT ",
        asset_columns!("n."),
        ", CAST(0 AS BIGINT) AS rank FROM assets n WHERE n.tenant_id = $1"
    );
    let mut select = filter.and(select.with(values![tenant]));
    if let Some(id) = after {
        select = select.and(sql!("AND n.asset_id < $1"), values![id]);
    }
    select = select.and(sql!("ORDER BY n.asset_id DESC LIMIT $1"), values![extent.rows()]);
    let mut answers = tx.batch(vec![select.within(extent.bytes), filter.count(tenant)])?;
    let total = counters::total(&answers.pop().unwrap_or_default())?;
    Ok((ListPart::read(&answers.pop().unwrap_or_default(), extent, found)?, total))
}

/// The name counts most, then purpose and tags.
const NAME_AND_OTHERS: Fields = Fields {
    exact: sql!("n.folded = $1 AND $1 <> ''"),
    prefix: sql!("substr(n.folded, 1, length($1)) = $1"),
    word_start: sql!("AND ({strpos}(n.word_form, $1) > 0 OR {strpos}(n.other_word_form, $1) > 0)"),
    holds: sql!("AND ({strpos}(n.folded, $1) > 0 OR {strpos}(n.other_folded, $1) > 0)"),
};

const SEARCH: RankedSearch<Match> = RankedSearch {
    columns: sql!("SELECT ", asset_columns!("a.")),
    ids: sql!("n.asset_id AS item_id,"),
    chosen: ranked_search::ITEM_ID,
    fields: NAME_AND_OTHERS,
    names: sql!("FROM assets n WHERE n.tenant_id = $1"),
    joins: sql!(") m JOIN assets a ON a.tenant_id = $1 AND a.asset_id = m.item_id WHERE m.tenant_id = $1"),
    narrowing: None,
    read: found,
};

/// The assets that pass the filter and whose name, purpose or tags hold every word, best first and newest first within a rank, after a position; and how many match
/// in all. Without words as [`list`].
pub fn search(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    words: &Words,
    filter: AssetFilter,
    after: Option<&(i64, AssetId)>,
    extent: Extent,
) -> Result<(ListPart<Match>, u64)> {
    if words.is_blank() {
        return list(tx, tenant, filter, after.map(|(_, asset_id)| asset_id), extent);
    }
    SEARCH.run_where(tx, tenant, words, after, extent, |query| filter.and(query))
}

/// The newest assets that pages may show: neither hidden nor in the trash, and no components.
pub fn offered(tx: &mut Tx<'_>, tenant: &TenantId, most: i64) -> Result<Vec<Asset>> {
    let select = sql!(
        "SELECT ",
        asset_columns!(""),
        " FROM assets WHERE tenant_id = $1 AND trashed_at IS NULL AND is_hidden = FALSE AND component IS NULL
          ORDER BY asset_id DESC LIMIT $2"
    );
    tx.all(select.with(values![tenant, most]))?.iter().map(asset).collect()
}

/// Some of the assets whose picture is a file, those in the trash included.
pub fn of_file(tx: &mut Tx<'_>, tenant: &TenantId, file_id: &FileId, most: i64) -> Result<Vec<AssetId>> {
    let select =
        sql!("SELECT asset_id FROM assets WHERE tenant_id = $1 AND file_id = $2 ORDER BY asset_id LIMIT $3");
    tx.all(select.with(values![tenant, file_id, most]))?.iter().map(|row| row.get("asset_id")).collect()
}

/// The files of those of these assets that are pictures and not in the trash, each behind its asset.
pub fn files_of(tx: &mut Tx<'_>, tenant: &TenantId, ids: &[AssetId]) -> Result<Vec<(AssetId, FileId)>> {
    if ids.is_empty() {
        return Ok(vec![]);
    }
    let select = sql!(
        "SELECT asset_id, file_id FROM assets
         WHERE tenant_id = $1 AND file_id IS NOT NULL AND trashed_at IS NULL AND asset_id IN ("
    );
    let select = listed(select.with(values![tenant]), ids.iter().map(Value::from)).and(sql!(")"), vec![]);
    let read = |row: &Row| Ok((row.take("asset_id")?, row.take("file_id")?));
    tx.all(select)?.iter().map(read).collect()
}

/// Replaces what may change of an asset.
pub fn update(tenant: &TenantId, asset: &Asset) -> Result<Query> {
    let [folded, word_form, other_folded, other_word_form] = folded(asset);
    let update = sql!(
        "UPDATE assets SET asset_type = $3, name = $4, folded = $5, word_form = $6, purpose = $7, tags = $8,
            other_folded = $9, other_word_form = $10, parent_asset_id = $11, is_hidden = $12, updated_at = $13,
            trashed_at = $14
         WHERE tenant_id = $1 AND asset_id = $2"
    );
    Ok(update.with(values![
        tenant,
        &asset.asset_id,
        asset.asset_type.as_str(),
        &asset.name,
        folded,
        word_form,
        &asset.purpose,
        &JsonText::of(&asset.tags)?,
        other_folded,
        other_word_form,
        &asset.parent_asset_id,
        asset.is_hidden,
        asset.updated_at,
        asset.trashed_at,
    ]))
}

/// Replaces what a model has said of an asset's picture.
pub fn set_description(tenant: &TenantId, asset: &Asset) -> Query {
    let [_, _, other_folded, other_word_form] = folded(asset);
    sql!(
        "UPDATE assets SET described = $3, other_folded = $4, other_word_form = $5, updated_at = $6
         WHERE tenant_id = $1 AND asset_id = $2"
    )
    .with(values![
        tenant,
        &asset.asset_id,
        &asset.described,
        other_folded,
        other_word_form,
        asset.updated_at,
    ])
}

/// Some of the assets that are in the trash since an instant.
pub fn trashed_before(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    before: Timestamp,
    most: i64,
) -> Result<Vec<AssetId>> {
    let select = sql!(
        "SELECT asset_id FROM assets
         WHERE tenant_id = $1 AND trashed_at IS NOT NULL AND trashed_at <= $2
         ORDER BY asset_id LIMIT $3"
    );
    tx.all(select.with(values![tenant, before, most]))?.iter().map(|row| row.get("asset_id")).collect()
}

/// Takes the children of an asset from it.
pub fn orphan_children(tenant: &TenantId, id: &AssetId) -> Query {
    sql!("UPDATE assets SET parent_asset_id = NULL WHERE tenant_id = $1 AND parent_asset_id = $2")
        .with(values![tenant, id])
}

/// Removes an asset.
pub fn remove(tenant: &TenantId, id: &AssetId) -> Query {
    sql!("DELETE FROM assets WHERE tenant_id = $1 AND asset_id = $2").with(values![tenant, id])
}
