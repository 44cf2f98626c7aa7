//! The assets that a page may show: those whose name, purpose and tags have most words in common with the page.
//!
//! What this is not: the choice of what it does show, which is the page agent's. Invariant: no two of them have the same bytes.

use std::collections::{HashMap, HashSet};

use pagesmith_model::asset::{Asset, AssetData, AssetType};
use pagesmith_model::brief::MOST_OFFERED;
use pagesmith_model::{FileId, Result, TenantId, text};
use pagesmith_store::Tx;
use pagesmith_store::tables::{assets, files};

/// How many assets are looked at, the newest first.
const LOOKED_AT: i64 = 500;
/// How many places logos have among those that are offered.
const LOGOS: usize = 8;
/// A word of so many characters says something.
const LEAST_CHARACTERS: usize = 4;
/// How much of a text is looked at, in bytes.
const MOST_BYTES: usize = 20_000;

/// The assets for a page that is called and about this, the best first.
pub(super) fn of(tx: &mut Tx<'_>, tenant: &TenantId, about: &[&str]) -> Result<Vec<Asset>> {
    let all = assets::offered(tx, tenant, LOOKED_AT)?;
    if all.is_empty() {
        return Ok(all);
    }
    let words: HashSet<String> = about.iter().flat_map(|text| words(text)).collect();
    let shared = |asset: &Asset| words_of(asset).filter(|word| words.contains(word)).count();
    let (mut logos, mut others): (Vec<Asset>, Vec<Asset>) =
        all.into_iter().partition(|asset| asset.asset_type == AssetType::Logo);
    for some in [&mut logos, &mut others] {
        some.sort_by_cached_key(|asset| std::cmp::Reverse(shared(asset)));
    }
    // Twice as many as are offered, since some may be the same picture.
    others.truncate(2 * (MOST_OFFERED - LOGOS));
    logos.truncate(2 * LOGOS);
    let contents = contents(tx, tenant, logos.iter().chain(&others))?;
    let mut seen = HashSet::new();
    let mut is_new = |asset: &Asset| is_new(asset, &contents, &mut seen);
    logos.retain(&mut is_new);
    others.retain(is_new);
    logos.truncate(LOGOS);
    others.truncate(MOST_OFFERED - LOGOS);
    others.append(&mut logos);
    Ok(others)
}

/// The pictures that have a word in common with a message, the best first.
pub(crate) fn pictures(tx: &mut Tx<'_>, tenant: &TenantId, message: &str) -> Result<Vec<Asset>> {
    let words: HashSet<String> = words(message).into_iter().collect();
    if words.is_empty() {
        return Ok(Vec::new());
    }
    let mut found: Vec<(usize, Asset)> = Vec::new();
    for asset in assets::offered(tx, tenant, LOOKED_AT)? {
        let shared = words_of(&asset).filter(|word| is_among(word, &words)).count();
        if shared > 0 && matches!(asset.data, AssetData::Picture(_)) {
            found.push((shared, asset));
        }
    }
    found.sort_by_key(|(shared, _)| std::cmp::Reverse(*shared));
    found.truncate(MOST_OFFERED);
    let mut found: Vec<Asset> = found.into_iter().map(|(_, asset)| asset).collect();
    let contents = contents(tx, tenant, found.iter())?;
    let mut seen = HashSet::new();
    found.retain(|asset| is_new(asset, &contents, &mut seen));
    Ok(found)
}

/// The words that tell what an asset is.
fn words_of(asset: &Asset) -> impl Iterator<Item = String> {
    asset.tags.iter().chain([&asset.name, &asset.purpose]).flat_map(|text| words(text))
}

/// Whether what an asset shows was not seen yet.
fn is_new(asset: &Asset, contents: &HashMap<FileId, String>, seen: &mut HashSet<String>) -> bool {
    match &asset.data {
        AssetData::Picture(file_id) => {
            contents.get(file_id).is_some_and(|content| seen.insert(content.clone()))
        }
        AssetData::Video(url) => seen.insert(url.as_str().to_owned()),
        AssetData::Component(..) => false,
    }
}

/// Whether a word is one of these, or the beginning of one; so `team` finds `teams`.
fn is_among(word: &str, words: &HashSet<String>) -> bool {
    words.iter().any(|other| other.starts_with(word) || word.starts_with(other.as_str()))
}

/// The contents of the files of these assets, which tell equal pictures.
fn contents<'a>(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    assets: impl Iterator<Item = &'a Asset>,
) -> Result<HashMap<FileId, String>> {
    let ids: Vec<FileId> = assets
        .filter_map(|asset| match &asset.data {
            AssetData::Picture(file_id) => Some(file_id.clone()),
            AssetData::Video(_) | AssetData::Component(..) => None,
        })
        .collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let found = files::find_many(tx, tenant, &ids)?;
    Ok(found.into_iter().map(|file| (file.file_id, file.content_id.into_string())).collect())
}

/// The words of a text that say something.
fn words(of: &str) -> Vec<String> {
    let mut words = text::words(&text::fold(&of[..of.floor_char_boundary(MOST_BYTES)]));
    words.retain(|word| word.chars().count() >= LEAST_CHARACTERS || !word.is_ascii());
    words
}
