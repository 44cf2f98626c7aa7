//! Brands: how a tenant's pages look and how they speak.
//!
//! A page names its brand; without one it has the tenant's default brand, which is the same that `/v0/site` calls `brand`.
//! These are wishes in the form in which they are sent, kept and answered; what of them can be drawn is for `render` to say.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::bounds::NameUpTo;
use crate::example::example;
use crate::id::BrandId;
use crate::json::given;
use crate::time::Timestamp;

pub mod font;
mod look;

pub use look::{BrandLogo, Look, Spacing};

use font::BrandFont;

/// The most brands of a tenant.
pub const MOST_BRANDS: u64 = 200;

/// The name of a default brand that is made because `/v0/site` is given one.
pub const DEFAULT_NAME: &str = "Default";

/// The most links of a brand that are in the last line of its pages.
const MOST_LEGAL_LINKS: u32 = 10;
/// The most words of either list of a voice.
const MOST_WORDS: u32 = 50;

/// The schema of a list of at most so many items.
struct UpTo<T, const MOST: u32>(std::marker::PhantomData<T>);

impl<T: JsonSchema, const MOST: u32> JsonSchema for UpTo<T, MOST> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("ListOfUpTo{MOST}{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "array", "items": generator.subschema_for::<T>(), "maxItems": MOST })
    }
}

/// How pages of a brand speak. The page agent takes it up in the versions that it writes from then on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({ "wordsToUse": ["night shift", "uptime"], "wordsToAvoid": ["cheap"] }))]
pub struct Voice {
    /// Words that pages of the brand like to use: what says them comes first.
    #[serde(default)]
    #[schemars(with = "UpTo<NameUpTo<100>, MOST_WORDS>")]
    pub words_to_use: Vec<String>,
    /// Words that pages of the brand do not use: what needs them is left out.
    #[serde(default)]
    #[schemars(with = "UpTo<NameUpTo<100>, MOST_WORDS>")]
    pub words_to_avoid: Vec<String>,
}

/// A link that every page of a brand has in its last line, such as that to an imprint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = json!({ "text": "Imprint", "url": "https://example.com/imprint" }))]
pub struct LegalLink {
    /// Text of the link.
    #[schemars(with = "NameUpTo<100>")]
    pub text: String,
    /// Address that the link leads to: an absolute URL, or a path of the site.
    #[schemars(length(min = 1, max = 2048))]
    pub url: String,
}

/// A brand to be created.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "CreateBrandRequest")]
#[schemars(example = json!({ "name": "Acme", "look": example::<Look>(), "voice": example::<Voice>() }))]
pub struct NewBrand {
    /// Name of the brand.
    #[schemars(with = "NameUpTo<200>")]
    pub name: String,
    /// Name of the site on pages of the brand. Left out or null, the settings of the site apply.
    #[serde(default)]
    #[schemars(with = "Option<NameUpTo<200>>")]
    pub site_name: Option<String>,
    /// Whether pages that name no brand have this one. Only one brand is the default: the one before it stops being it.
    #[serde(default)]
    pub is_default: bool,
    /// Look of the pages.
    #[serde(default)]
    pub look: Look,
    /// How the pages speak.
    #[serde(default)]
    pub voice: Voice,
    /// Links in the last line of the pages, in order.
    #[serde(default)]
    #[schemars(with = "UpTo<LegalLink, MOST_LEGAL_LINKS>")]
    pub legal_links: Vec<LegalLink>,
}

/// Changes of a brand. `look`, `voice` and `legalLinks` are replaced whole.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "UpdateBrandRequest")]
#[schemars(example = json!({ "legalLinks": [example::<LegalLink>()] }))]
pub struct BrandPatch {
    /// Name of the brand.
    #[serde(default)]
    #[schemars(with = "NameUpTo<200>")]
    pub name: Option<String>,
    /// Name of the site on pages of the brand. `null` to use the settings of the site.
    #[serde(default, deserialize_with = "given")]
    #[schemars(with = "Option<NameUpTo<200>>")]
    pub site_name: Option<Option<String>>,
    /// Whether pages that name no brand have this one.
    #[serde(default)]
    #[schemars(with = "bool")]
    pub is_default: Option<bool>,
    /// Look of the pages.
    #[serde(default)]
    #[schemars(with = "Look")]
    pub look: Option<Look>,
    /// How the pages speak.
    #[serde(default)]
    #[schemars(with = "Voice")]
    pub voice: Option<Voice>,
    /// Links in the last line of the pages, in order.
    #[serde(default)]
    #[schemars(with = "UpTo<LegalLink, MOST_LEGAL_LINKS>")]
    pub legal_links: Option<Vec<LegalLink>>,
}

/// A brand as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Brand {
    /// Its id.
    pub brand_id: BrandId,
    /// Its name.
    pub name: String,
    /// What its pages call the site.
    pub site_name: Option<String>,
    /// Whether pages that name no brand have it.
    pub is_default: bool,
    /// How its pages look.
    pub look: Look,
    /// The files of its fonts, as they were read.
    pub fonts: Vec<BrandFont>,
    /// How they speak.
    pub voice: Voice,
    /// What is in their last line.
    pub legal_links: Vec<LegalLink>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}
