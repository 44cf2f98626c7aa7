//! The operations on assets.

use pagesmith_endpoint::endpoint;
use pagesmith_model::asset::{Asset, AssetPatch, AssetType, NewAsset, NewVideo};
use pagesmith_model::example::example;
use pagesmith_model::{AssetId, Result, text};
use pagesmith_operations::assets;
use pagesmith_operations::context::TenantContext;
use pagesmith_operations::precondition::Precondition;
use pagesmith_store::tables::assets::{AssetFilter, Match};
use pagesmith_store::{Tx, tables};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::api::assets::view::{AssetView, ViewContext};
use crate::collection::Collection;
use crate::extract::query::{self, FromQuery, Parameter, Parameters, Search};
use crate::extract::{Body, Call, Findings, IdempotencyKey, IfMatch, Paging, Path, Query};
use crate::reply::{DONE, Reply, Success, Tagged};

pub(crate) mod view;

/// An asset to be created.
#[derive(Deserialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline, example = example::<NewVideo>())]
pub(crate) struct CreateAsset(NewAsset);

/// Which assets are listed.
pub(crate) struct OfType(Option<AssetType>);

impl FromQuery for OfType {
    const PARAMETERS: &'static [Parameter] = &[Parameter {
        name: "assetType",
        description: "Type of the assets, `image`, `logo`, `icon`, `video` or `custom-component`: only these are listed. Left out, all are.",
        example: "image",
    }];

    fn schema(_name: &str) -> Value {
        json!({ "type": "string", "enum": AssetType::ALL })
    }

    fn read(parameters: &Parameters, findings: &mut Findings) -> OfType {
        parameters.one("assetType", findings);
        let what = "image, logo, icon, video or custom-component";
        OfType(query::one(parameters, "assetType", what, AssetType::parse, findings))
    }
}

/// Lists the assets of the tenant, newest first.
///
/// Hidden assets are listed as well, those in the trash are not.
#[endpoint]
pub(crate) async fn list_assets(
    call: Call,
    paging: Paging,
    Query(OfType(asset_type)): Query<OfType>,
) -> Result<Reply<Collection<AssetView>>> {
    find_assets(call, paging, "assets", AssetFilter { asset_type, trashed: false }, text::Query::default())
        .await
}

/// Searches the assets, best match first.
///
/// Every word of `query` must occur in the name, the purpose, a tag or what a model has said of the picture. Matches of the name rank first. Without words the assets are listed, newest first.
#[endpoint]
pub(crate) async fn search_assets(
    call: Call,
    paging: Paging,
    Query(OfType(asset_type)): Query<OfType>,
    Query(Search(words)): Query<Search>,
) -> Result<Reply<Collection<AssetView>>> {
    find_assets(call, paging, "assets/search", AssetFilter { asset_type, trashed: false }, words).await
}

/// Lists or searches the assets in the trash.
///
/// With `query` they are searched as all assets are, without it they are listed, newest first. Thirty days after an asset was put into the trash
/// it is removed for good.
#[endpoint]
pub(crate) async fn list_trashed_assets(
    call: Call,
    paging: Paging,
    Query(OfType(asset_type)): Query<OfType>,
    Query(Search(words)): Query<Search>,
) -> Result<Reply<Collection<AssetView>>> {
    find_assets(call, paging, "assets/trash", AssetFilter { asset_type, trashed: true }, words).await
}

async fn find_assets(
    call: Call,
    paging: Paging,
    collection: &str,
    filter: AssetFilter,
    words: text::Query,
) -> Result<Reply<Collection<AssetView>>> {
    let filters =
        [("query", words.phrase.as_str()), ("type", filter.asset_type.map_or("", AssetType::as_str))];
    let list = paging.ranked(&call, collection, &filters)?;
    let found = list.list_or_search(&call, words, move |tx, ctx, (words, after), extent| {
        tables::assets::search(tx, &ctx.tenant, words, filter, after, extent)
    });
    let (position, views) = (|(rank, asset): &Match| (*rank, asset.asset_id.clone()), ViewContext::of(&call));
    list.try_answer(&call, found.await?, position, move |(_, asset)| views.view(asset)).await
}

/// Creates an asset.
///
/// A picture, a logo and an icon are files of the tenant with a picture in them, a video is one at YouTube. `fileId` and `parentAssetId` that name nothing fail with
/// 400, and so does an address that leads to no video. The same `idempotencyKey` with another asset fails with 409.
#[endpoint]
pub(crate) async fn create_asset(
    call: Call,
    key: IdempotencyKey,
    Body(CreateAsset(new)): Body<CreateAsset>,
) -> Result<Reply<AssetView, 201>> {
    let views = ViewContext::of(&call);
    call.change_once(key, move |tx, ctx| views.view(assets::create(tx, ctx, &new)?)).await
}

/// Returns an asset.
///
/// An asset in the trash is returned as well; `lifecycleState` shows whether it is there. `downloadUrl` and `previewDownloadUrl`
/// work without a key for an hour, and do not change the `ETag`.
#[endpoint]
pub(crate) async fn get_asset(call: Call, Path(id): Path<AssetId>) -> Result<Tagged<AssetView>> {
    let views = ViewContext::of(&call);
    let asset = call.point_read(move |tx, ctx| assets::find(tx, ctx, &id)).await?;
    Tagged::of(&views.view(asset.clone())?, &views.lasting(asset)?)
}

/// What `If-Match` demands of an asset.
async fn precondition(call: &Call, id: &AssetId, if_match: &IfMatch) -> Result<Precondition<Asset>> {
    let (id, views) = (id.clone(), ViewContext::of(call));
    let read = move |tx: &mut Tx<'_>, ctx: &TenantContext| assets::find(tx, ctx, &id);
    if_match.precondition(call, read, move |asset| views.lasting(asset)).await
}

/// Changes the given fields of an asset.
///
/// The file cannot be replaced: create another asset for another picture. An asset in the trash is not changed: that fails with 409. So does another `assetType` for what is no picture.
#[endpoint]
pub(crate) async fn update_asset(
    call: Call,
    Path(id): Path<AssetId>,
    if_match: IfMatch,
    Body(patch): Body<AssetPatch>,
) -> Result<Reply<AssetView>> {
    let precondition = precondition(&call, &id, &if_match).await?;
    let views = ViewContext::of(&call);
    call.change(move |tx, ctx| views.view(assets::update(tx, ctx, &id, &patch, &precondition)?)).await
}

/// Puts an asset into the trash.
///
/// It can be restored for thirty days, and is then removed for good. Its file stays. Assets that belong to it stay too, and belong to nothing once it is removed.
/// An asset that is in the trash already stays there.
#[endpoint]
pub(crate) async fn delete_asset(
    call: Call,
    Path(id): Path<AssetId>,
    if_match: IfMatch,
) -> Result<Reply<Success>> {
    let precondition = precondition(&call, &id, &if_match).await?;
    call.change(move |tx, ctx| assets::delete(tx, ctx, &id, &precondition).map(|()| DONE)).await
}

/// Takes an asset out of the trash.
///
/// An asset that is not in the trash is left unchanged.
#[endpoint]
pub(crate) async fn restore_asset(
    call: Call,
    Path(id): Path<AssetId>,
    key: IdempotencyKey,
) -> Result<Reply<Success>> {
    call.change_once(key, move |tx, ctx| assets::restore(tx, ctx, &id).map(|()| DONE)).await
}
