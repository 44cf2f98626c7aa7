//! Logos and icons of brands that are assets: where they are when a page shows them.
//!
//! They are looked up when a page is drawn, by few statements, and none if a look names no asset. An asset in the trash is not shown, as in
//! the content of pages ([`crate::assets::shown`]). Whatever takes a picture away or brings it back raises the revision of the tenant's site.

use std::collections::HashMap;

use pagesmith_model::brand::Look;
use pagesmith_model::file::File;
use pagesmith_model::{AssetId, FileId, Issue, Result, TenantId};
use pagesmith_store::Tx;
use pagesmith_store::tables::{assets, files};

use crate::context::TenantContext;
use crate::files::shown::OwnPicture;
use crate::files::{addresses, shown};

/// How wide a form of a logo is at least, in pixels: twice the width in which pages show it at most.
const LOGO: u32 = 320;
/// How wide a form of an icon is at least.
const ICON: u32 = 64;

/// The lasting paths of a look's pictures that are assets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LookPictures {
    /// That of the logo.
    pub logo: Option<String>,
    /// That of the icon.
    pub icon: Option<String>,
}

impl LookPictures {
    /// Those of a look, as far as they are there.
    pub fn find(tx: &mut Tx<'_>, tenant: &TenantId, look: &Look) -> Result<LookPictures> {
        let files = files_of(tx, tenant, look)?;
        if files.is_empty() {
            return Ok(LookPictures::default());
        }
        let own = shown::of_files(tx, tenant, files.values().cloned().collect())?;
        let path = |asset: Option<&str>, width: u32| {
            let file = files.get(asset?)?;
            let picture = own.iter().find(|own| own.file.file_id == file.file_id);
            Some(picture.map_or_else(|| addresses::lasting(file), |own| path_of(own, width)))
        };
        Ok(LookPictures {
            logo: path(look.logo.as_ref().and_then(|logo| logo.asset_id.as_deref()), LOGO),
            icon: path(look.icon_asset_id.as_deref(), ICON),
        })
    }
}

/// The lasting path of the narrowest form that is so wide, if there is one, else of the widest. A picture that moves is shown as it is.
fn path_of(own: &OwnPicture, width: u32) -> String {
    let variants = &own.picture.variants;
    let fitting = variants.iter().find(|variant| variant.width >= width).or(variants.last());
    match fitting.filter(|_| !own.picture.is_animated) {
        Some(variant) => addresses::of_variant(&own.file.file_id, variant),
        None => addresses::lasting(&own.file),
    }
}

/// The files of the assets that a look names and that are pictures and not in the trash, by the assets.
fn files_of(tx: &mut Tx<'_>, tenant: &TenantId, look: &Look) -> Result<HashMap<String, File>> {
    let ids: Vec<AssetId> = look.asset_ids().filter_map(AssetId::parse).collect();
    let of_assets = assets::files_of(tx, tenant, &ids)?;
    let file_ids: Vec<FileId> = of_assets.iter().map(|(_, file_id)| file_id.clone()).collect();
    if file_ids.is_empty() {
        return Ok(HashMap::new());
    }
    let found = files::find_many(tx, tenant, &file_ids)?;
    let file_of = |id: &FileId| found.iter().find(|file| file.file_id == *id).cloned();
    let pairs = of_assets.into_iter().filter_map(|(id, file)| Some((id.into_string(), file_of(&file)?)));
    Ok(pairs.collect())
}

/// An issue for each asset that a look names, which is in this field of the body, and that is not there or is no picture.
pub(crate) fn missing(tx: &mut Tx<'_>, ctx: &TenantContext, look: &Look, field: &str) -> Result<Vec<Issue>> {
    let there = files_of(tx, &ctx.tenant, look)?;
    let logo = look.logo.as_ref().and_then(|logo| logo.asset_id.as_deref());
    let named: [(&[&str], Option<&str>); 2] =
        [(&[field, "logo", "assetId"], logo), (&[field, "iconAssetId"], look.icon_asset_id.as_deref())];
    let unknown = named.into_iter().filter_map(|(path, id)| Some((path, id?)));
    let unknown = unknown.filter(|(_, id)| !there.contains_key(*id));
    Ok(unknown.map(|(path, id)| Issue::unknown_reference(path, AssetId::NOUN, id)).collect())
}
