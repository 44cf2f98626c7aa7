//! Fonts of a brand that are the tenant's own files: which files a look names, and what was found in them.
//!
//! What this is not: a reader of fonts. A file is read once, when a brand is given it; what pages need of it is kept with the brand.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::bounds::Text;
use crate::brand::BrandLogo;

/// The most files of the fonts of headings, and of those of everything else.
pub const MOST_FONT_FILES: u32 = 4;
/// The largest file of a font, in bytes.
pub const LARGEST_FONT: u64 = 1024 * 1024;

/// Whether letters of a font are upright.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum FontStyle {
    /// Upright.
    #[default]
    Normal,
    /// Slanted.
    Italic,
}

/// A file of a font.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({ "fileId": "file_01jpbz8n4xf5k9w2d7hq3mv6ta", "weight": 700 }))]
pub struct FontFile {
    /// Id of an uploaded file, a WOFF2 font of at most 1 MiB.
    #[schemars(with = "Text")]
    pub file_id: String,
    /// Weight of text that is set in it. Left out, it is what the file says; of a variable font, all weights that it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u16", range(min = 1, max = 1000))]
    pub weight: Option<u16>,
    /// Whether it is for upright or for italic text. Left out, it is what the file says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "FontStyle")]
    pub style: Option<FontStyle>,
}

/// What the file of a font says of itself. Lengths are ten-thousandths of the font's size.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FontFacts {
    /// The name of the family: letters, digits, spaces and hyphens.
    pub family: String,
    /// The lightest weight that it has.
    pub min_weight: u16,
    /// The boldest one; of a font that is not variable, the same.
    pub max_weight: u16,
    /// Whether its letters are upright.
    pub style: FontStyle,
    /// Whether they have serifs.
    pub is_serif: bool,
    /// How far a line reaches above its base.
    pub ascent: u16,
    /// How far it reaches below.
    pub descent: u16,
    /// What lies between two lines beside that.
    pub line_gap: u16,
    /// How wide a letter of a text is on average, in the weight that texts have; 0 if the font has no Latin letters.
    pub width: u16,
    /// The same in the weight that headings have.
    pub bold_width: u16,
}

/// A file of a font that a brand names, as it was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BrandFont {
    /// The file.
    pub file_id: String,
    /// Its lasting path on the tenant's site.
    pub path: String,
    /// What it says.
    pub facts: FontFacts,
}

/// What of a look is the tenant's own, and what is known of it. It is kept apart from the rest of the look, which servers read that know
/// nothing of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OwnLook {
    /// The files of the fonts of headings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub heading_font_files: Vec<FontFile>,
    /// The files of the fonts of everything else.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub body_font_files: Vec<FontFile>,
    /// A logo that is an asset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logo: Option<BrandLogo>,
    /// An icon that is an asset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub icon_asset_id: Option<String>,
    /// Every file of a font that is named, once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fonts: Vec<BrandFont>,
}
