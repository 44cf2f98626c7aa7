//! The logos of a page's widgets that name a file or an asset instead of an address: their addresses, as long as the picture is there.
//!
//! An asset in the trash is not shown. Whatever takes a picture away or brings it back raises the revision of the tenant's site.

use std::collections::{BTreeMap, BTreeSet};

use pagesmith_model::file::File;
use pagesmith_model::json::JsonText;
use pagesmith_model::page::widget::{ActionCardWidget, Image};
use pagesmith_model::{AssetId, FileId, Result, TenantId};
use pagesmith_store::Tx;
use pagesmith_store::tables::{assets, files};

use super::addresses;

/// How many pictures of a page are looked up by an id; further ones are left out.
const MOST: usize = 200;

/// The lasting paths of pictures, by the ids that name them: those of files and of assets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Logos(BTreeMap<String, String>);

impl Logos {
    /// Those that widgets name; and the files.
    pub(crate) fn find(tx: &mut Tx<'_>, tenant: &TenantId, widgets: &JsonText) -> Result<(Logos, Vec<File>)> {
        let named = |prefix: &str| widgets.as_str().contains(&format!("Id\":\"{prefix}_"));
        if !named(FileId::PREFIX) && !named(AssetId::PREFIX) {
            return Ok((Logos::default(), vec![]));
        }
        let mut widgets: Vec<ActionCardWidget> = widgets.read()?;
        let (mut file_ids, mut asset_ids) = (BTreeSet::new(), BTreeSet::new());
        for image in images(&mut widgets).filter(|image| image.url.is_none()).take(MOST) {
            file_ids.extend(image.file_id.as_deref().and_then(FileId::parse));
            asset_ids.extend(image.asset_id.as_deref().and_then(AssetId::parse));
        }
        let of_assets = assets::files_of(tx, tenant, &asset_ids.into_iter().collect::<Vec<_>>())?;
        file_ids.extend(of_assets.iter().map(|(_, file_id)| file_id.clone()));
        if file_ids.is_empty() {
            return Ok((Logos::default(), vec![]));
        }
        let mut found = files::find_many(tx, tenant, &file_ids.into_iter().collect::<Vec<_>>())?;
        found.retain(|file| file.content_type.starts_with("image/"));
        let mut paths: BTreeMap<String, String> =
            found.iter().map(|file| (file.file_id.to_string(), addresses::lasting(file))).collect();
        for (asset_id, file_id) in of_assets {
            if let Some(path) = paths.get(file_id.as_str()).cloned() {
                paths.insert(asset_id.into_string(), path);
            }
        }
        Ok((Logos(paths), found))
    }

    /// Says where those are that have no address of their own; `address` makes addresses of paths.
    pub(crate) fn fill(&self, widgets: &mut [ActionCardWidget], address: impl Fn(&str) -> String) {
        if self.0.is_empty() {
            return;
        }
        for image in images(widgets).filter(|image| image.url.is_none()) {
            let ids = [&image.file_id, &image.asset_id];
            let path = ids.into_iter().flatten().find_map(|id| self.0.get(id.as_str()));
            image.url = path.map(|path| address(path));
        }
    }
}

fn images(widgets: &mut [ActionCardWidget]) -> impl Iterator<Item = &mut Image> {
    let logos = widgets.iter_mut().filter_map(|widget| match widget {
        ActionCardWidget::Marquee(marquee) => Some(&mut marquee.logos),
        ActionCardWidget::Video(_) | ActionCardWidget::Other(_) => None,
    });
    logos.flatten().map(|logo| &mut logo.image)
}
