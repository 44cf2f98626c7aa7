//! Assets: what pages may show, made, changed, put into the trash and removed from there.

pub mod descriptions;
pub mod shown;

use std::collections::BTreeSet;

use pagesmith_model::asset::{
    Asset, AssetData, AssetPatch, MOST_ASSETS, MOST_LEVELS, NewAsset, NewFields, YoutubeUrl,
};
use pagesmith_model::{AssetId, Error, FileId, Issue, IssueCode, Kind, Result, Timestamp};
use pagesmith_store::Tx;
use pagesmith_store::tables::site;
use pagesmith_store::tables::{assets as table, counters, files};
use serde_json::json;

use crate::context::TenantContext;
use crate::precondition::Precondition;
use crate::trash::{self, Trash};

/// How many assets are removed from the trash in a transaction.
const PURGED: i64 = 100;

const PARENT: &str = "parentAssetId";

impl Trash for Asset {
    const NOUN: &'static str = AssetId::NOUN;

    fn trashed_at(&mut self) -> &mut Option<Timestamp> {
        &mut self.trashed_at
    }
}

/// Makes an asset, unless the same request with its key has made it.
pub fn create(tx: &mut Tx<'_>, ctx: &TenantContext, new: &NewAsset) -> Result<Asset> {
    let fields = new.fields();
    let digest = new.digest()?;
    if let Some(key) = fields.idempotency_key
        && let Some((asset, known)) = table::by_key(tx, &ctx.tenant, key)?
    {
        if known == digest {
            return Ok(asset);
        }
        return Err(Error::conflict("This idempotencyKey was used for another asset."));
    }
    let mut issues = Vec::new();
    let data = check_data(tx, ctx, new, &mut issues)?;
    let parent_asset_id = match fields.parent_asset_id {
        Some(id) => check_parent(tx, ctx, None, id, &mut issues)?,
        None => None,
    };
    let (Some(data), true) = (data, issues.is_empty()) else { return Err(Error::invalid(issues)) };
    check_number(tx, ctx)?;
    let NewFields { asset_type, name, purpose, tags, is_hidden, .. } = fields;
    let asset = Asset {
        asset_id: AssetId::mint(ctx.uuid()?),
        asset_type,
        name: name.to_owned(),
        purpose: purpose.to_owned(),
        tags: distinct(tags),
        parent_asset_id,
        is_hidden,
        data,
        described: None,
        created_at: ctx.now,
        updated_at: ctx.now,
        trashed_at: None,
    };
    let shard = tx.shard();
    let mut changes = vec![
        table::insert(&ctx.tenant, &asset, fields.idempotency_key.map(|key| (key, &digest)))?,
        counters::add(&ctx.tenant, counters::ASSETS, shard, 1),
    ];
    changes.extend(descriptions::queue(tx, ctx, &asset));
    // As a change: who has used the key meanwhile counts as a race that is lost, and is found in the next attempt.
    tx.change(changes)?;
    Ok(asset)
}

fn check_number(tx: &mut Tx<'_>, ctx: &TenantContext) -> Result<()> {
    let counts = [counters::ASSETS, counters::TRASHED_ASSETS].map(|name| counters::count(&ctx.tenant, name));
    let counted = tx.batch(counts.into())?;
    let total: u64 = counted.iter().map(|rows| counters::total(rows)).sum::<Result<u64>>()?;
    if total < MOST_ASSETS {
        return Ok(());
    }
    let detail = format!("A tenant may have at most {MOST_ASSETS} assets, those in the trash included.");
    Err(Error::new(Kind::Conflict(Some(json!({ "limit": MOST_ASSETS }))), detail))
}

/// The tags, each once.
fn distinct(tags: &[String]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    tags.iter().filter(|tag| seen.insert(tag.as_str())).cloned().collect()
}

/// What the asset is to consist of, if it can.
fn check_data(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    new: &NewAsset,
    issues: &mut Vec<Issue>,
) -> Result<Option<AssetData>> {
    if let Some(text) = new.file_id() {
        let file = match FileId::parse(text) {
            Some(id) => files::find(tx, &ctx.tenant, &id)?,
            None => None,
        };
        let Some(file) = file else {
            issues.push(Issue::unknown_reference(&["fileId"], FileId::NOUN, text));
            return Ok(None);
        };
        if !file.content_type.starts_with("image/") {
            let message = format!("fileId: the file '{text}' is no picture but {}.", file.content_type);
            issues.push(Issue::body(IssueCode::InvalidValue, &["fileId"], message));
            return Ok(None);
        }
        return Ok(Some(AssetData::Picture(file.file_id)));
    }
    Ok(match new {
        NewAsset::Video(new) => {
            let video = YoutubeUrl::parse(&new.youtube_url);
            if video.is_none() {
                let message = "youtubeUrl: must be the address of a video at YouTube.";
                issues.push(Issue::body(IssueCode::InvalidFormat, &["youtubeUrl"], message));
            }
            video.map(AssetData::Video)
        }
        NewAsset::Component(new) => Some(AssetData::Component(new.body.clone(), new.props_schema.clone())),
        NewAsset::Image(_) | NewAsset::Logo(_) | NewAsset::Icon(_) => None,
    })
}

/// The asset that another one may belong to: it is there, not in the trash, and not below the other one.
fn check_parent(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    child: Option<&AssetId>,
    text: &str,
    issues: &mut Vec<Issue>,
) -> Result<Option<AssetId>> {
    let found = match AssetId::parse(text) {
        Some(id) => table::find(tx, &ctx.tenant, &id)?.filter(|asset| asset.trashed_at.is_none()),
        None => None,
    };
    let Some(parent) = found else {
        issues.push(Issue::unknown_reference(&[PARENT], AssetId::NOUN, text));
        return Ok(None);
    };
    let (id, mut above) = (parent.asset_id.clone(), Some(parent));
    for _ in 1..MOST_LEVELS {
        let Some(asset) = above else { return Ok(Some(id)) };
        if child == Some(&asset.asset_id) {
            let message = format!("{PARENT}: the asset '{text}' belongs to this one.");
            issues.push(Issue::body(IssueCode::InvalidValue, &[PARENT], message));
            return Ok(None);
        }
        above = match &asset.parent_asset_id {
            Some(parent) => table::find(tx, &ctx.tenant, parent)?,
            None => return Ok(Some(id)),
        };
    }
    let message = format!("{PARENT}: assets may belong to each other in at most {MOST_LEVELS} levels.");
    issues.push(Issue::body(IssueCode::TooDeep, &[PARENT], message));
    Ok(None)
}

/// The asset, in the trash or not.
pub fn find(tx: &mut Tx<'_>, ctx: &TenantContext, id: &AssetId) -> Result<Asset> {
    trash::any(table::find(tx, &ctx.tenant, id)?)
}

/// Changes the given fields of an asset that is not in the trash.
pub fn update(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    id: &AssetId,
    patch: &AssetPatch,
    precondition: &Precondition<Asset>,
) -> Result<Asset> {
    let before = trash::active(table::find(tx, &ctx.tenant, id)?)?;
    precondition.check(&before)?;
    let (mut asset, mut issues) = (before.clone(), Vec::new());
    if let Some(name) = &patch.name {
        asset.name.clone_from(name);
    }
    if let Some(purpose) = &patch.purpose {
        asset.purpose.clone_from(purpose);
    }
    if let Some(tags) = &patch.tags {
        asset.tags = distinct(tags);
    }
    if let Some(hidden) = patch.hidden {
        asset.is_hidden = hidden;
    }
    if let Some(parent) = &patch.parent_asset_id {
        asset.parent_asset_id = match parent {
            Some(parent) => check_parent(tx, ctx, Some(id), parent, &mut issues)?,
            None => None,
        };
    }
    if !issues.is_empty() {
        return Err(Error::invalid(issues));
    }
    if let Some(picture) = patch.asset_type {
        if !asset.asset_type.is_picture() {
            let detail = format!("The asset is a {} and cannot become a picture.", asset.asset_type.as_str());
            let details = json!({ "assetType": asset.asset_type });
            return Err(Error::new(Kind::Conflict(Some(details)), detail));
        }
        asset.asset_type = picture.into();
    }
    if asset == before {
        return Ok(before);
    }
    asset.updated_at = ctx.now;
    tx.change(vec![table::update(&ctx.tenant, &asset)?])?;
    Ok(asset)
}

/// Puts an asset into the trash; again changes nothing.
pub fn delete(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    id: &AssetId,
    precondition: &Precondition<Asset>,
) -> Result<()> {
    let found = table::find(tx, &ctx.tenant, id)?;
    let Some(asset) = trash::put(found, ctx.now, precondition)? else { return Ok(()) };
    move_asset(tx, ctx, &asset, 1)
}

/// Takes an asset out of the trash; one that is not there stays as it is.
pub fn restore(tx: &mut Tx<'_>, ctx: &TenantContext, id: &AssetId) -> Result<()> {
    let Some(asset) = trash::restore(table::find(tx, &ctx.tenant, id)?)? else { return Ok(()) };
    move_asset(tx, ctx, &asset, -1)
}

/// Stores an asset that was moved, `into` the trash or out of it.
fn move_asset(tx: &mut Tx<'_>, ctx: &TenantContext, asset: &Asset, into: i64) -> Result<()> {
    let shard = tx.shard();
    tx.change(vec![
        table::update(&ctx.tenant, asset)?,
        counters::add(&ctx.tenant, counters::ASSETS, shard, -into),
        counters::add(&ctx.tenant, counters::TRASHED_ASSETS, shard, into),
        // Pages may show it, see [`shown`].
        site::touch(&ctx.tenant, ctx.now),
    ])
}

/// Whether there is something to [`purge`].
pub fn has_old_trash(tx: &mut Tx<'_>, ctx: &TenantContext) -> Result<bool> {
    Ok(!table::trashed_before(tx, &ctx.tenant, trash::ends_before(ctx.now), 1)?.is_empty())
}

/// Removes some assets whose time in the trash is over; whether there may be more.
pub fn purge(tx: &mut Tx<'_>, ctx: &TenantContext) -> Result<bool> {
    let tenant = &ctx.tenant;
    let over = table::trashed_before(tx, tenant, trash::ends_before(ctx.now), PURGED)?;
    let mut changes = Vec::with_capacity(3 * over.len() + 1);
    for id in &over {
        changes.push(table::orphan_children(tenant, id));
        changes.push(table::remove(tenant, id));
        changes.push(table::descriptions::remove(tenant, id));
    }
    if let Ok(removed @ 1..) = i64::try_from(over.len()) {
        let shard = tx.shard();
        changes.push(counters::add(tenant, counters::TRASHED_ASSETS, shard, -removed));
    }
    tx.change(changes)?;
    Ok(i64::try_from(over.len()) == Ok(PURGED))
}
