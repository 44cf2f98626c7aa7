//! The assets that a page's content names, and where they are when it is shown: all of them by two statements.
//!
//! What an asset shows never changes, so that what was found changes only when it comes into the trash or out of it, which raises the
//! revision of the tenant's site. An asset in the trash is not shown: whoever put it there wants it gone, and it comes back with it.

use std::collections::HashMap;

use pagesmith_model::content::{Content, Resolved};
use pagesmith_model::file::File;
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
    /// Those that a content names, as far as they are there; and their files.
    pub fn of(tx: &mut Tx<'_>, tenant: &TenantId, kept: &JsonText) -> Result<(ShownAssets, Vec<File>)> {
        if !kept.as_str().contains(FIELD) {
            return Ok((ShownAssets::default(), vec![]));
        }
        let content: Content = kept.read()?;
        let ids: Vec<AssetId> = content.asset_ids().into_iter().filter_map(AssetId::parse).collect();
        let of_files = assets::files_of(tx, tenant, &ids)?;
        let file_ids: Vec<FileId> = of_files.iter().map(|(_, file_id)| file_id.clone()).collect();
        if file_ids.is_empty() {
            return Ok((ShownAssets::default(), vec![]));
        }
        let found = files::find_many(tx, tenant, &file_ids)?;
        let paths: HashMap<&FileId, String> =
            found.iter().map(|file| (&file.file_id, addresses::lasting(file))).collect();
        let shown =
            of_files.iter().filter_map(|(id, file)| Some((id.as_str().to_owned(), paths.get(file)?.clone())));
        let shown = ShownAssets(shown.collect());
        Ok((shown, found))
    }

    /// Puts the addresses into a content; `address` makes them of paths.
    pub fn fill(&self, content: &mut Content, address: impl Fn(&str) -> String) {
        content.resolve(&|id| Some(Resolved { url: address(self.0.get(id)?), size: None }));
    }
}

/// An issue for each asset that a content names and the tenant does not have, or that is no picture.
pub(crate) fn issues(tx: &mut Tx<'_>, tenant: &TenantId, content: &Content) -> Result<Vec<Issue>> {
    let named = content.assets();
    let ids: Vec<AssetId> = content.asset_ids().into_iter().filter_map(AssetId::parse).collect();
    let known = assets::files_of(tx, tenant, &ids)?;
    let is_known = |id: &str| known.iter().any(|(known, _)| known.as_str() == id);
    let unknown = named.iter().filter(|(_, id)| !is_known(id));
    let issue = |(path, id): &(Vec<String>, &str)| {
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        Issue::unknown_reference(&path, AssetId::NOUN, id)
    };
    Ok(unknown.map(issue).collect())
}
