//! Why a file is no font of a brand, in words for whoever named it.

use serde::{Deserialize, Serialize};

/// Why a file is no font of a brand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Refusal {
    /// It is no WOFF2 file.
    Unknown,
    /// Its bytes are not what they should be.
    Broken,
    /// It is a collection of fonts.
    Several,
    /// It has, or unpacks to, too many bytes.
    ManyBytes,
}

impl Refusal {
    /// The reason.
    pub fn reason(self) -> &'static str {
        match self {
            Refusal::Unknown => "The file is no WOFF2 font.",
            Refusal::Broken => "The font could not be understood.",
            Refusal::Several => "The file holds several fonts.",
            Refusal::ManyBytes => "The font has more than 1 MiB, or unpacks to more than 16 MiB.",
        }
    }
}
