//! Where the bytes of files are on a tenant's site: for an hour behind a signature, or for good behind a digest that nobody guesses.
//!
//! The first kind is for whoever manages files, in a browser that has no key. The second is for pages: what is there never changes, so
//! that a browser keeps it.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use pagesmith_model::file::File;
use pagesmith_model::picture::Variant;
use pagesmith_model::{FileId, Result, TenantId, Timestamp};
use subtle::ConstantTimeEq;

use crate::context::{Context, TenantContext};

/// How long a signed address works.
pub const SIGNED: Duration = Duration::from_hours(1);
/// The path below which files are; no page's slug is this word.
const FOLDER: &str = "/files/";
/// What signatures of addresses are made for.
const PURPOSE: &str = "file";
const PREVIEW_PURPOSE: &str = "file preview";
/// What is behind the time in the signed address of a small form.
const PREVIEW: &str = "p";
/// What is behind the width in the address of a variant.
const WIDE: &str = "w";
/// The same for one as AVIF.
const WIDE_AVIF: &str = "a";
/// How many bytes of the digest are in a lasting address.
const DIGEST: usize = 16;

/// What a path below the folder of files turned out to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileAddress {
    /// A lasting address; it leads to the file if its digest is [`digest_of`] the file.
    Lasting(FileId, String),
    /// The lasting address of a variant: the file, the variant's width, and its digest if it is right.
    Variant(FileId, u32, String),
    /// The same of a variant as AVIF.
    Avif(FileId, u32, String),
    /// A signed address that works.
    Signed(FileId),
    /// A signed address of a small form that works.
    SignedPreview(FileId),
    /// One that has worked.
    Expired,
    /// Nothing of ours.
    Forged,
}

/// The lasting address of a file.
pub fn lasting(file: &File) -> String {
    format!("{FOLDER}{}-{}", digits(&file.file_id), digest_of(file))
}

/// The part of a lasting address that only who has seen it knows.
pub fn digest_of(file: &File) -> String {
    URL_SAFE_NO_PAD.encode(&file.sha256[..DIGEST])
}

/// The lasting address of a variant of a picture.
pub fn of_variant(id: &FileId, variant: &Variant) -> String {
    let digest = digest_of_variant(variant);
    let mark = if variant.is_avif() { WIDE_AVIF } else { WIDE };
    format!("{FOLDER}{}/{}{mark}-{digest}", digits(id), variant.width)
}

/// The part of a variant's address that only who has seen it knows.
pub fn digest_of_variant(variant: &Variant) -> String {
    URL_SAFE_NO_PAD.encode(&variant.sha256[..DIGEST])
}

/// The ids of files whose lasting addresses are in a text, whatever is around them, with the addresses.
pub fn lasting_in(text: &str) -> Vec<(FileId, &str)> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices(FOLDER) {
        let rest = &text[at + FOLDER.len()..];
        let end =
            rest.find(|character: char| !(character.is_ascii_alphanumeric() || "-_".contains(character)));
        let end = end.unwrap_or(rest.len());
        if let Some((name, _)) = rest[..end].split_once('-')
            && let Some(id) = file_id(name)
        {
            found.push((id, &text[at..at + FOLDER.len() + end]));
        }
    }
    found
}

fn file_id(digits: &str) -> Option<FileId> {
    FileId::parse(&format!("{}_{digits}", FileId::PREFIX))
}

/// A signed address of a file.
pub fn signed(ctx: &TenantContext, id: &FileId) -> Result<String> {
    signed_for(ctx, PURPOSE, "", id)
}

/// A signed address of a small form of a picture, or of the file where there is none.
pub fn signed_preview(ctx: &TenantContext, id: &FileId) -> Result<String> {
    signed_for(ctx, PREVIEW_PURPOSE, PREVIEW, id)
}

fn signed_for(ctx: &TenantContext, purpose: &str, mark: &str, id: &FileId) -> Result<String> {
    let seconds = ctx.now.plus(SIGNED).as_micros().div_euclid(1_000_000);
    let signatures = sign(ctx, purpose, &ctx.tenant, id, seconds)?;
    let signature = signatures.first().map_or("", String::as_str);
    Ok(format!("{FOLDER}{}/{seconds}{mark}-{signature}", digits(id)))
}

/// The signatures of the server's keys, that of the one that signs first.
fn sign(ctx: &Context, purpose: &str, tenant: &TenantId, id: &FileId, seconds: i64) -> Result<Vec<String>> {
    let digests = ctx.secret()?.digests(purpose, &[tenant.as_str(), id.as_str(), &seconds.to_string()]);
    Ok(digests.iter().map(|digest| URL_SAFE_NO_PAD.encode(digest)).collect())
}

fn digits(id: &FileId) -> &str {
    id.as_str().rsplit('_').next().unwrap_or_default()
}

/// Reads a path; `None` if it is not below the folder of files.
pub fn read_path(ctx: &Context, tenant: &TenantId, path: &str) -> Result<Option<FileAddress>> {
    let Some(rest) = path.strip_prefix(FOLDER) else { return Ok(None) };
    let Some((name, end)) = rest.split_once('/') else {
        let lasting =
            rest.split_once('-').and_then(|(name, digest)| Some((file_id(name)?, digest.to_owned())));
        return Ok(Some(
            lasting.map_or(FileAddress::Forged, |(id, digest)| FileAddress::Lasting(id, digest)),
        ));
    };
    let (Some(id), Some((first, signature))) = (file_id(name), end.split_once('-')) else {
        return Ok(Some(FileAddress::Forged));
    };
    if let Some(address) = variant_at(&id, first, signature) {
        return Ok(Some(address));
    }
    let (seconds, purpose) = match first.strip_suffix(PREVIEW) {
        Some(seconds) => (seconds, PREVIEW_PURPOSE),
        None => (first, PURPOSE),
    };
    let Ok(number) = seconds.parse::<i64>() else { return Ok(Some(FileAddress::Forged)) };
    let ours = sign(ctx, purpose, tenant, &id, number)?;
    // The number is signed in the one way in which we write it.
    let is_signed = ours.iter().any(|ours| bool::from(ours.as_bytes().ct_eq(signature.as_bytes())));
    Ok(Some(match is_signed && number.to_string() == seconds {
        false => FileAddress::Forged,
        true if instant(number) <= ctx.now => FileAddress::Expired,
        true if purpose == PREVIEW_PURPOSE => FileAddress::SignedPreview(id),
        true => FileAddress::Signed(id),
    }))
}

/// The address of a variant; `None` if what is before the digest is no width.
fn variant_at(id: &FileId, before: &str, digest: &str) -> Option<FileAddress> {
    let (width, form): (_, fn(FileId, u32, String) -> FileAddress) =
        match (before.strip_suffix(WIDE), before.strip_suffix(WIDE_AVIF)) {
            (Some(width), _) => (width, FileAddress::Variant),
            (None, Some(width)) => (width, FileAddress::Avif),
            (None, None) => return None,
        };
    // One address has one spelling.
    let number = width.parse::<u32>().ok().filter(|number| number.to_string() == width);
    Some(number.map_or(FileAddress::Forged, |width| form(id.clone(), width, digest.to_owned())))
}

fn instant(seconds: i64) -> Timestamp {
    Timestamp::from_micros(seconds.saturating_mul(1_000_000))
}

#[cfg(test)]
mod tests {
    use pagesmith_model::FileContentId;
    use pagesmith_model::file::FileName;
    use pagesmith_model::id::Uuid7Source;
    use pagesmith_model::picture::AVIF;
    use pagesmith_model::seal::SecretKey;
    use proptest::prelude::*;

    use super::*;
    use crate::platform::{Clock, Platform, Random};

    const NOW: i64 = 1_772_366_400;

    fn scene() -> (TenantContext, File) {
        let platform = Platform::new(Clock::manual(instant(NOW)), Random::seeded(1));
        platform.keep_secret(SecretKey::new([7; 32]));
        let (ctx, ids) = (platform.context(), Uuid7Source::new());
        let file = File {
            file_id: FileId::mint(ids.next(ctx.now, 2)),
            content_id: FileContentId::mint(ids.next(ctx.now, 3)),
            name: FileName::of("a"),
            content_type: "image/png".to_owned(),
            size: 1,
            sha256: [9; 32],
            created_at: ctx.now,
        };
        (ctx.of(TenantId::mint(ids.next(ctx.now, 1))), file)
    }

    #[test]
    fn an_address_leads_to_its_file_in_its_tenant_and_time() {
        let (ctx, file) = scene();
        let read = |ctx: &TenantContext, path: &str| read_path(ctx, &ctx.tenant, path).unwrap();
        let address = FileAddress::Lasting(file.file_id.clone(), digest_of(&file));
        assert_eq!(read(&ctx, &lasting(&file)), Some(address));
        let path = signed(&ctx, &file.file_id).unwrap();
        assert_eq!(read(&ctx, &path), Some(FileAddress::Signed(file.file_id.clone())));
        let mut later = ctx.clone();
        later.tenant = TenantId::mint(Uuid7Source::new().next(ctx.now, 9));
        assert_eq!(read(&later, &path), Some(FileAddress::Forged));
        let preview = signed_preview(&ctx, &file.file_id).unwrap();
        assert_eq!(read(&ctx, &preview), Some(FileAddress::SignedPreview(file.file_id.clone())));
        // A signature for one is none for the other.
        assert_eq!(read(&ctx, &preview.replace("p-", "-")), Some(FileAddress::Forged));
        let variant = Variant {
            width: 640,
            height: 480,
            content_id: file.content_id.clone(),
            media_type: "image/webp".to_owned(),
            size: 1,
            sha256: [7; 32],
        };
        let wide = of_variant(&file.file_id, &variant);
        let address = FileAddress::Variant(file.file_id.clone(), 640, digest_of_variant(&variant));
        assert_eq!(read(&ctx, &wide), Some(address));
        assert_eq!(read(&ctx, &wide.replace("640w", "0640w")), Some(FileAddress::Forged));
        let avif = Variant { media_type: AVIF.to_owned(), ..variant };
        let address = FileAddress::Avif(file.file_id.clone(), 640, digest_of_variant(&avif));
        assert_eq!(read(&ctx, &of_variant(&file.file_id, &avif)), Some(address));
        assert_eq!(read(&ctx, &wide.replace("640w", "0640a")), Some(FileAddress::Forged));
        for other in ["/", "/spring", "/file/x", "/filesx"] {
            assert_eq!(read(&ctx, other), None);
        }
        for forged in [
            "/files/",
            "/files/x",
            "/files/a/b/c",
            "/files/x-y",
            &path.replace(&NOW.to_string()[..5], "19999"),
        ] {
            assert_eq!(read(&ctx, forged), Some(FileAddress::Forged), "{forged}");
        }
    }

    #[test]
    fn lasting_addresses_are_found_in_a_text() {
        let (_, file) = scene();
        let path = lasting(&file);
        let text = format!("{{\"url\":\"https://acme.example{path}\",\"b\":\"/files/x-y {path}?q\"}}/files/");
        let expected = vec![(file.file_id.clone(), path.as_str()); 2];
        assert_eq!(lasting_in(&text), expected);
    }

    proptest! {
        #[test]
        fn no_character_of_a_signed_address_can_be_changed(at in 0..200_usize, character in "[a-zA-Z0-9_-]") {
            let (ctx, file) = scene();
            let path = signed(&ctx, &file.file_id).unwrap();
            let at = FOLDER.len() + at % (path.len() - FOLDER.len());
            let changed = format!("{}{character}{}", &path[..at], &path[at + 1..]);
            let read = read_path(&ctx, &ctx.tenant, &changed).unwrap();
            prop_assert!(changed == path || !matches!(read, Some(FileAddress::Signed(_) | FileAddress::Expired)), "{read:?}");
        }
    }
}
