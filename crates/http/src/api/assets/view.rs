//! An asset as answers show it.

use std::sync::Arc;

use pagesmith_model::asset::{Asset, AssetData};
use pagesmith_model::json::JsonText;
use pagesmith_model::{AssetId, FileId, Result, TenantId, Timestamp};
use pagesmith_operations::context::TenantContext;
use pagesmith_operations::files::addresses;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::collection::CollectionItem;
use crate::extract::Call;
use crate::hosts::site_address;
use crate::state::AppState;

/// A picture, a logo or an icon.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
#[schemars(example = json!({ "type": "image", "fileId": "file_01jpbz8n4xf5k9w2d7hq3mv6ta" }))]
pub(crate) struct ImageAssetData {
    /// Always `image`, also for logos and icons.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "image"))]
    kind: &'static str,
    /// Id of the file with the picture.
    file_id: FileId,
}

/// A video.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
#[schemars(example = json!({ "type": "video", "youtubeUrl": "https://www.youtube.com/watch?v=aqz-KE-bpKQ" }))]
pub(crate) struct VideoAssetData {
    /// Always `video`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "video"))]
    kind: &'static str,
    /// Address of the video at YouTube.
    youtube_url: String,
}

/// A component of the tenant's own.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
#[schemars(example = json!({ "type": "custom-component", "body": "<price-calculator></price-calculator>" }))]
pub(crate) struct CustomComponentAssetData {
    /// Always `custom-component`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "custom-component"))]
    kind: &'static str,
    /// Text of the component.
    #[schemars(length(max = 100_000))]
    body: String,
    /// JSON Schema of what the component takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
    props_schema: Option<JsonText>,
}

/// What an asset consists of.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub(crate) enum AssetDataView {
    /// A picture.
    Image(ImageAssetData),
    /// A video.
    Video(VideoAssetData),
    /// A component.
    CustomComponent(CustomComponentAssetData),
}

/// What becomes of an asset.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum LifecycleState {
    /// It can be used.
    Active,
    /// It is in the trash.
    Trashed,
    /// It is removed for good; no answer shows such an asset.
    #[expect(dead_code, reason = "the contract knows the state, and what is removed is not answered")]
    Deleted,
}

/// Something that pages may show, with what it is for.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Asset", deny_unknown_fields)]
#[schemars(example = json!({
    "assetId": "asset_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "tenantId": "tenant_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "name": "The workshop",
    "purpose": "Shows where we make anvils",
    "tags": ["workshop", "team"],
    "aiDescription": "The workshop: Shows where we make anvils",
    "parentAssetId": null,
    "hidden": false,
    "data": { "type": "image", "fileId": "file_01jpbz8n4xf5k9w2d7hq3mv6ta" },
    "createdAt": "2026-03-20T09:30:00.000Z",
    "updatedAt": "2026-03-21T14:05:12.480Z",
    "trashedAt": null,
    "deletedAt": null,
    "lifecycleState": "active",
    "downloadUrl": "https://acme.pages.example/files/01jpbz8n4xf5k9w2d7hq3mv6ta/1774002600-3q2-7wAb",
    "previewDownloadUrl": "https://acme.pages.example/files/01jpbz8n4xf5k9w2d7hq3mv6ta/1774002600p-9sX-3kQe",
}))]
pub(crate) struct AssetView {
    /// Id of the asset.
    asset_id: AssetId,
    /// Id of the tenant that the asset belongs to.
    tenant_id: TenantId,
    /// Name of the asset.
    name: String,
    /// What the asset is for, which the page agent goes by.
    purpose: String,
    /// Words to find the asset by.
    tags: Vec<String>,
    /// What the asset shows: as its name and purpose say and, for a picture where the tenant has a model, as the model sees it.
    ai_description: Option<String>,
    /// Id of the asset that this one is a version or a part of. Null if there is none.
    parent_asset_id: Option<AssetId>,
    /// Whether the page agent leaves the asset out.
    hidden: bool,
    /// What the asset consists of.
    data: AssetDataView,
    /// When the asset was created.
    created_at: Timestamp,
    /// When the asset was last changed.
    updated_at: Timestamp,
    /// When the asset was put into the trash. Null while it is not there.
    trashed_at: Option<Timestamp>,
    /// Always null: an asset that was removed for good is not shown.
    deleted_at: Option<Timestamp>,
    /// Whether the asset can be used or is in the trash.
    lifecycle_state: LifecycleState,
    /// Address of the file, which works for an hour and needs no key. Null for what is no file.
    download_url: Option<String>,
    /// The same for a small form of the picture, at most 320 pixels wide, without metadata; of the file itself until that is made.
    preview_download_url: Option<String>,
}

impl CollectionItem for AssetView {
    const COLLECTION: &str = "A part of the list of assets.";
}

/// What a view of an asset needs beside the asset.
#[derive(Clone)]
pub(crate) struct ViewContext {
    state: AppState,
    ctx: Arc<TenantContext>,
    slug: Arc<str>,
}

impl ViewContext {
    pub(crate) fn of(call: &Call) -> ViewContext {
        ViewContext { state: call.state.clone(), ctx: Arc::clone(&call.ctx), slug: call.tenant_slug().into() }
    }

    /// The asset as answers show it.
    pub(crate) fn view(&self, asset: Asset) -> Result<AssetView> {
        let address = |path: String| site_address(&self.state.settings, &self.slug, &path);
        let (url, preview_url) = match &asset.data {
            AssetData::Picture(file_id) => {
                let path = addresses::signed(&self.ctx, file_id)?;
                let preview_path = addresses::signed_preview(&self.ctx, file_id)?;
                (Some(address(path)), Some(address(preview_path)))
            }
            AssetData::Video(_) | AssetData::Component(..) => (None, None),
        };
        let mut view = self.lasting(asset)?;
        (view.download_url, view.preview_download_url) = (url, preview_url);
        Ok(view)
    }

    /// The same without the addresses, which are others in every answer.
    pub(crate) fn lasting(&self, asset: Asset) -> Result<AssetView> {
        Ok(AssetView {
            ai_description: Some(asset.description()),
            asset_id: asset.asset_id,
            tenant_id: self.ctx.tenant.clone(),
            name: asset.name,
            purpose: asset.purpose,
            tags: asset.tags,
            parent_asset_id: asset.parent_asset_id,
            hidden: asset.is_hidden,
            data: match asset.data {
                AssetData::Picture(file_id) => {
                    AssetDataView::Image(ImageAssetData { kind: "image", file_id })
                }
                AssetData::Video(url) => {
                    AssetDataView::Video(VideoAssetData { kind: "video", youtube_url: url.to_string() })
                }
                AssetData::Component(body, props_schema) => {
                    AssetDataView::CustomComponent(CustomComponentAssetData {
                        kind: "custom-component",
                        body,
                        props_schema,
                    })
                }
            },
            created_at: asset.created_at,
            updated_at: asset.updated_at,
            lifecycle_state: if asset.trashed_at.is_some() {
                LifecycleState::Trashed
            } else {
                LifecycleState::Active
            },
            trashed_at: asset.trashed_at,
            deleted_at: None,
            download_url: None,
            preview_download_url: None,
        })
    }
}
