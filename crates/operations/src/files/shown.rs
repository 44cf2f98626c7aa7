//! The tenant's own pictures on a page: those whose lasting addresses are in what the page is drawn from, with their variants.
//!
//! They are looked up when the page is drawn, by few statements, and none if no address of a file is there. Where variants are still to be
//! made, the page shows the original; the revision of the tenant's site rises when they are.

use std::collections::{BTreeSet, HashMap};

use pagesmith_model::file::File;
use pagesmith_model::picture::Picture;
use pagesmith_model::{FileContentId, FileId, Result, TenantId};
use pagesmith_store::Tx;
use pagesmith_store::tables::files::{self, pictures, variants};

use super::addresses;

/// How many pictures of a page are looked up; the rest is shown as it is.
const MOST: usize = 200;

/// How wide the form is at least that is shown elsewhere, such as on social networks, if there is one.
const ELSEWHERE: u32 = 1_200;

/// A picture of the tenant's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnPicture {
    /// The file.
    pub file: File,
    /// What is known of it, with its variants.
    pub picture: Picture,
}

impl OwnPicture {
    /// The lasting path of the form that is shown elsewhere; that of the file itself if it moves.
    pub fn path_elsewhere(&self) -> String {
        let variants = &self.picture.variants;
        let fitting = variants.iter().find(|variant| variant.width >= ELSEWHERE).or(variants.last());
        match fitting.filter(|_| !self.picture.is_animated) {
            Some(variant) => addresses::of_variant(&self.file.file_id, variant),
            None => addresses::lasting(&self.file),
        }
    }
}

/// Those whose lasting addresses are in these texts.
pub fn named_in<'a>(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    texts: impl IntoIterator<Item = &'a str>,
) -> Result<Vec<OwnPicture>> {
    let named = texts.into_iter().flat_map(addresses::lasting_in);
    let named: BTreeSet<FileId> = named.map(|(id, _)| id).take(MOST).collect();
    if named.is_empty() {
        return Ok(vec![]);
    }
    let files = files::find_many(tx, tenant, &named.into_iter().collect::<Vec<_>>())?;
    of_files(tx, tenant, files)
}

/// Those of these files that are pictures whose variants are made.
pub fn of_files(tx: &mut Tx<'_>, tenant: &TenantId, files: Vec<File>) -> Result<Vec<OwnPicture>> {
    let contents: BTreeSet<FileContentId> = files.iter().map(|file| file.content_id.clone()).collect();
    let contents: Vec<FileContentId> = contents.into_iter().collect();
    let mut known: HashMap<FileContentId, Picture> =
        pictures::known(tx, tenant, &contents)?.into_iter().collect();
    if files.is_empty() || known.is_empty() {
        return Ok(vec![]);
    }
    for (of, variant) in variants::of_contents(tx, tenant, &contents)? {
        if let Some(picture) = known.get_mut(&of) {
            if variant.is_avif() { &mut picture.avifs } else { &mut picture.variants }.push(variant);
        }
    }
    let own = |file: File| Some(OwnPicture { picture: known.get(&file.content_id)?.clone(), file });
    Ok(files.into_iter().filter_map(own).collect())
}
