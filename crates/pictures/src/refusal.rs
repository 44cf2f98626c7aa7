//! Why a picture has no variants, in words for whoever uploaded it.

use serde::{Deserialize, Serialize};

/// Why a picture has no variants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Refusal {
    /// Its bytes are not what they should be.
    Broken,
    /// It is no picture of a kind that is read.
    Unknown,
    /// A side is too long.
    LongSide,
    /// It has too many pixels.
    ManyPixels,
    /// It has, or would have, too many bytes.
    ManyBytes,
}

impl Refusal {
    /// The reason.
    pub fn reason(self) -> &'static str {
        match self {
            Refusal::Broken => "The picture could not be understood.",
            Refusal::Unknown => "The file is no JPEG, PNG, WebP, GIF or SVG.",
            Refusal::LongSide => "The picture is wider or higher than 16,383 pixels.",
            Refusal::ManyPixels => "The picture has more than 50 million pixels.",
            Refusal::ManyBytes => "The picture has too many bytes.",
        }
    }
}
