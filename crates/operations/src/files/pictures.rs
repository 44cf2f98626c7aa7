//! The pictures that metadata names. They are looked up when the metadata is shown, all of them by three statements; one that is not
//! there, or is no picture, is left out.
//!
//! A file's id never comes back, so that what was found changes only when its variants are made and when the file is deleted, both of
//! which raise the revision of the tenant's site.

use std::collections::{BTreeSet, HashMap};

use pagesmith_model::json::JsonText;
use pagesmith_model::page::metadata::Metadata;
use pagesmith_model::{FileId, Result, TenantId};
use pagesmith_store::Tx;
use pagesmith_store::tables::files;

use super::{addresses, shown};

/// What the name of every field ends with that names a picture. Metadata without it is not read.
const FIELD: &str = "ImageFileId\"";

/// The files that some metadata names, each once.
pub fn named_by<'a>(metadata: impl IntoIterator<Item = &'a JsonText>) -> Result<Vec<FileId>> {
    let mut named = BTreeSet::new();
    for kept in metadata.into_iter().filter(|kept| kept.as_str().contains(FIELD)) {
        let metadata: Metadata = kept.read()?;
        let ids = [metadata.og_image_file_id, metadata.twitter_image_file_id];
        named.extend(ids.into_iter().flatten().filter_map(|id| FileId::parse(&id)));
    }
    Ok(named.into_iter().collect())
}

/// Pictures of a tenant, with their lasting paths on its site.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pictures(HashMap<String, String>);

impl Pictures {
    /// Those of these files that are there and are pictures.
    pub fn find(tx: &mut Tx<'_>, tenant: &TenantId, ids: &[FileId]) -> Result<Pictures> {
        if ids.is_empty() {
            return Ok(Pictures::default());
        }
        let mut found = files::find_many(tx, tenant, ids)?;
        found.retain(|file| file.content_type.starts_with("image/"));
        let paths = found.iter().map(|file| (file.file_id.as_str().to_owned(), addresses::lasting(file)));
        let mut paths: HashMap<String, String> = paths.collect();
        // Others are shown a form without metadata, as soon as there is one.
        for own in shown::of_files(tx, tenant, found)? {
            paths.insert(own.file.file_id.as_str().to_owned(), own.path_elsewhere());
        }
        Ok(Pictures(paths))
    }

    /// Says in the metadata where its pictures are; `address` makes addresses of paths.
    pub fn fill(&self, metadata: &mut Metadata, address: impl Fn(&str) -> String) {
        let of = |id: &Option<String>| self.0.get(id.as_deref()?).map(|path| address(path));
        metadata.og_image_url = of(&metadata.og_image_file_id);
        metadata.twitter_image_url = of(&metadata.twitter_image_file_id);
    }

    /// The same for metadata as it is kept.
    pub fn filled(&self, kept: JsonText, address: impl Fn(&str) -> String) -> Result<JsonText> {
        if self.0.is_empty() || !kept.as_str().contains(FIELD) {
            return Ok(kept);
        }
        let mut metadata: Metadata = kept.read()?;
        self.fill(&mut metadata, address);
        JsonText::of(&metadata)
    }
}
