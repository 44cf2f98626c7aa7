//! Pictures for the web: from the bytes of an upload to variants that pages show.
//!
//! Nothing here opens a file, calls anybody or asks for the time. Pictures are other people's. [`read`] bounds what a picture may unpack to
//! before it is unpacked, but decoders may panic, take more memory than they say or be slow over a hostile file: it is called in a
//! process that has limits, `pagesmith read-picture`, whose answer is an [`Answer`].
//!
//! Invariants: a variant is turned as its original says it is to be seen, has the colours of sRGB, and holds nothing but pixels, so that no
//! place, time, camera or name of the original gets to visitors; none is wider than its original. What is left of a drawing (SVG) runs and
//! fetches nothing.

mod answer;
mod colour;
mod decode;
mod drawing;
mod encode;
mod pixels;
mod refusal;
mod variants;

use serde::{Deserialize, Serialize};

pub use answer::Answer;
pub use refusal::Refusal;
pub use variants::WIDTHS;

/// The largest original, in bytes.
pub const LARGEST: usize = 64 * 1024 * 1024;
/// The longest side of an original, in pixels; also the longest of a variant that WebP knows.
pub const LONGEST_SIDE: u32 = 16_383;
/// How many pixels an original may have.
pub const MOST_PIXELS: u64 = 50_000_000;
/// How many bytes a picture may take when it is unpacked.
const MOST_UNPACKED: u64 = 256 * 1024 * 1024;
/// How many bytes the variants of a picture may have in all.
pub const MOST_VARIANTS: usize = 24 * 1024 * 1024;

/// How a picture is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// JPEG, PNG, WebP or GIF, as the bytes tell.
    Raster,
    /// SVG.
    Drawing,
}

impl Kind {
    /// Every kind.
    const ALL: [Kind; 2] = [Kind::Raster, Kind::Drawing];

    /// The kind of a file of this media type; nothing if such pictures have no variants.
    pub fn of(media_type: &str) -> Option<Kind> {
        match media_type {
            "image/jpeg" | "image/png" | "image/webp" | "image/gif" => Some(Kind::Raster),
            "image/svg+xml" => Some(Kind::Drawing),
            _ => None,
        }
    }

    /// The name of the kind.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Raster => "raster",
            Kind::Drawing => "drawing",
        }
    }

    /// The kind of this name.
    pub fn parse(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

/// What a variant's bytes are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// WebP, lossy.
    WebP,
    /// JPEG.
    Jpeg,
    /// AVIF.
    Avif,
    /// SVG.
    Svg,
}

impl Format {
    /// The media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Format::WebP => "image/webp",
            Format::Jpeg => "image/jpeg",
            Format::Avif => "image/avif",
            Format::Svg => "image/svg+xml",
        }
    }
}

/// A form of a picture that pages show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variant {
    /// Its width in pixels.
    pub width: u32,
    /// Its height in pixels.
    pub height: u32,
    /// What its bytes are.
    pub format: Format,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// What is known of a picture, and its variants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// The width as it is seen; 0 of a drawing that tells none.
    pub width: u32,
    /// The height as it is seen; 0 of a drawing that tells none.
    pub height: u32,
    /// Whether it moves, and its variants are its first frame.
    pub is_animated: bool,
    /// The colour that most of it has: red, green and blue. Nothing if one can see through it.
    pub colour: Option<[u8; 3]>,
    /// The picture in very few pixels, as WebP. Empty if one can see through it.
    pub placeholder: Vec<u8>,
    /// Its variants, from the narrowest; at least one.
    pub variants: Vec<Variant>,
}

/// Reads a picture and makes its variants.
pub fn read(kind: Kind, bytes: &[u8]) -> Result<Picture, Refusal> {
    bounded(bytes, || match kind {
        Kind::Raster => variants::of(decode::decode(bytes)?, encode::smallest),
        Kind::Drawing => drawing::read(bytes),
    })
}

/// Reads a picture that is no drawing and makes its variants as AVIF, which takes many times as long.
pub fn read_as_avif(bytes: &[u8]) -> Result<Picture, Refusal> {
    bounded(bytes, || variants::of(decode::decode(bytes)?, encode::avif))
}

fn bounded(bytes: &[u8], read: impl FnOnce() -> Result<Picture, Refusal>) -> Result<Picture, Refusal> {
    if bytes.len() > LARGEST {
        return Err(Refusal::ManyBytes);
    }
    let picture = read()?;
    let bytes: usize = picture.variants.iter().map(|variant| variant.bytes.len()).sum();
    if bytes > MOST_VARIANTS { Err(Refusal::ManyBytes) } else { Ok(picture) }
}
