//! Fonts of brands that are files of the tenant: what is known of each when a brand is given it, and who reads them.
//!
//! A file is read once, outside every transaction, when a look is set that names it. What was read is kept with the brand: a file's bytes
//! never change, and a file that a brand names is not deleted. What this is not: a reader. That is given as [`FontReading`], since it
//! starts a process.

use std::collections::BTreeSet;
use std::future::Future;
use std::pin::Pin;

use pagesmith_model::brand::Look;
use pagesmith_model::brand::font::{BrandFont, FontFacts};
use pagesmith_model::file::File;
use pagesmith_model::{FileId, Issue, Result};
use pagesmith_store::Tx;
use pagesmith_store::tables::files;

use crate::context::TenantContext;
use crate::files::addresses;

/// A font when it has been read, or why it was not: a sentence for whoever named it.
pub type Reading<'a> = Pin<Box<dyn Future<Output = Result<FontFacts, String>> + Send + 'a>>;

/// Who reads fonts.
pub trait FontReading: Send + Sync {
    /// Reads the bytes of a font.
    fn read(&self, bytes: Vec<u8>) -> Reading<'_>;
}

/// A file of a font, as it was read.
pub fn font(file: &File, facts: FontFacts) -> BrandFont {
    BrandFont { file_id: file.file_id.to_string(), path: addresses::lasting(file), facts }
}

/// The files of a look's fonts, as far as they are there.
pub fn files_of(tx: &mut Tx<'_>, ctx: &TenantContext, look: &Look) -> Result<Vec<File>> {
    let named: BTreeSet<FileId> = look.font_files().filter_map(|font| FileId::parse(&font.file_id)).collect();
    if named.is_empty() {
        return Ok(vec![]);
    }
    files::find_many(tx, &ctx.tenant, &named.into_iter().collect::<Vec<_>>())
}

/// An issue for each place in a look, which is in this field of the body, that names a file which is not there.
pub(crate) fn missing(tx: &mut Tx<'_>, ctx: &TenantContext, look: &Look, field: &str) -> Result<Vec<Issue>> {
    let there: BTreeSet<String> =
        files_of(tx, ctx, look)?.into_iter().map(|file| file.file_id.into_string()).collect();
    let places = places(look).into_iter().filter(|(_, _, id)| !there.contains(*id));
    let issue = |(list, at, id): (&str, usize, &str)| {
        Issue::unknown_reference(&[field, list, &at.to_string(), "fileId"], FileId::NOUN, id)
    };
    Ok(places.map(issue).collect())
}

/// Where a look names which files: the list, the place in it and the id.
pub fn places(look: &Look) -> Vec<(&'static str, usize, &str)> {
    let lists = [("headingFontFiles", &look.heading_font_files), ("bodyFontFiles", &look.body_font_files)];
    let named = lists.into_iter().flat_map(|(list, files)| {
        files.iter().enumerate().map(move |(at, font)| (list, at, font.file_id.as_str()))
    });
    named.collect()
}
