//! The assets that a page's content names, and where they are when it is shown: all of them by two statements.
//!
//! What an asset shows never changes, so that what was found changes only when it comes into the trash or out of it, which raises the
//! revision of the tenant's site. An asset in the trash is not shown: whoever put it there wants it gone, and it comes back with it.

use std::collections::HashMap;

use pagesmith_model::asset::AssetData;
use pagesmith_model::content::{Content, Resolved};
use pagesmith_model::json::JsonText;
use pagesmith_model::{AssetId, FileId, Issue, Result, TenantId};
use pagesmith_store::Tx;
use pagesmith_store::tables::{assets, files};

use crate::files::addresses;

/// What every content has that names assets; others are not read.
const FIELD: &str = "\"assetId\"";

/// The pictures of assets with their lasting paths on the tenant's site.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShownAssets(HashMap<String, String>);

impl ShownAssets {
    /// Those that a content names, as far as they are there.
    pub fn of(tx: &mut Tx<'_>, tenant: &TenantId, kept: &JsonText) -> Result<ShownAssets> {
        if !kept.as_str().contains(FIELD) {
            return Ok(ShownAssets::default());
        }
        let content: Content = kept.read()?;
        let ids: Vec<AssetId> = content.asset_ids().into_iter().filter_map(AssetId::parse).collect();
        let of_files = pictures(tx, tenant, &ids)?;
        let file_ids: Vec<FileId> = of_files.iter().map(|(_, file_id)| file_id.clone()).collect();
        if file_ids.is_empty() {
            return Ok(ShownAssets::default());
        }
        let found = files::find_many(tx, tenant, &file_ids)?;
        let paths: HashMap<&FileId, String> =
            found.iter().map(|file| (&file.file_id, addresses::lasting(file))).collect();
        let shown =
            of_files.iter().filter_map(|(id, file)| Some((id.as_str().to_owned(), paths.get(file)?.clone())));
        Ok(ShownAssets(shown.collect()))
    }

    /// Puts the addresses into a content; `address` makes them of paths.
    pub fn fill(&self, content: &mut Content, address: impl Fn(&str) -> String) {
        content.resolve(&|id| Some(Resolved { url: address(self.0.get(id)?), size: None }));
    }
}

/// The files of those assets that are pictures and not in the trash.
fn pictures(tx: &mut Tx<'_>, tenant: &TenantId, ids: &[AssetId]) -> Result<Vec<(AssetId, FileId)>> {
    if ids.is_empty() {
        return Ok(vec![]);
    }
    let found = assets::find_many(tx, tenant, ids)?;
    let picture = |asset: pagesmith_model::asset::Asset| match asset.data {
        AssetData::Picture(file_id) => Some((asset.asset_id, file_id)),
        AssetData::Video(_) | AssetData::Component(..) => None,
    };
    Ok(found.into_iter().filter_map(picture).collect())
}

/// An issue for each asset that a content names and the tenant does not have, or that is no picture.
pub(crate) fn issues(tx: &mut Tx<'_>, tenant: &TenantId, content: &Content) -> Result<Vec<Issue>> {
    let named = content.assets();
    let ids: Vec<AssetId> = content.asset_ids().into_iter().filter_map(AssetId::parse).collect();
    let known = pictures(tx, tenant, &ids)?;
    let is_known = |id: &str| known.iter().any(|(known, _)| known.as_str() == id);
    let unknown = named.iter().filter(|(_, id)| !is_known(id));
    let issue = |(path, id): &(Vec<String>, &str)| {
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        Issue::unknown_reference(&path, AssetId::NOUN, id)
    };
    Ok(unknown.map(issue).collect())
}
