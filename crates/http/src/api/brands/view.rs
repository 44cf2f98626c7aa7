//! A brand as answers show it.

use pagesmith_model::brand::font::{BrandFont, FontStyle};
use pagesmith_model::brand::{Brand, LegalLink, Look, Voice};
use pagesmith_model::example::example;
use pagesmith_model::{BrandId, Timestamp};
use pagesmith_render::Tokens;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::collection::CollectionItem;
use crate::theme::theme_without_pictures;

/// A brand: how pages look and speak.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Brand", deny_unknown_fields)]
#[schemars(example = json!({
    "brandId": "brand_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "name": "Acme",
    "siteName": null,
    "isDefault": true,
    "look": example::<Look>(),
    "fonts": [example::<FontView>()],
    "palette": { "light": example::<Scheme>(), "dark": example::<Scheme>() },
    "voice": example::<Voice>(),
    "legalLinks": [example::<LegalLink>()],
    "createdAt": "2026-03-20T09:30:00.000Z",
    "updatedAt": "2026-03-21T14:05:12.480Z",
}))]
pub(crate) struct BrandView {
    /// Id of the brand.
    brand_id: BrandId,
    /// Name of the brand.
    name: String,
    /// Name of the site on pages of the brand. Null to use the settings of the site.
    site_name: Option<String>,
    /// Whether pages that name no brand have this one.
    is_default: bool,
    /// Look of the pages, as it was given.
    look: Look,
    /// What the files of fonts say that the look names, each file once.
    fonts: Vec<FontView>,
    /// Colours that follow from the look.
    palette: Palette,
    /// How the pages speak.
    voice: Voice,
    /// Links in the last line of the pages, in order.
    legal_links: Vec<LegalLink>,
    /// When the brand was created.
    created_at: Timestamp,
    /// When the brand was last changed.
    updated_at: Timestamp,
}

/// What the file of a font says.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "BrandFont", deny_unknown_fields)]
#[schemars(example = json!({
    "fileId": "file_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "family": "Inter",
    "minWeight": 100,
    "maxWeight": 900,
    "style": "normal",
}))]
pub(crate) struct FontView {
    /// Id of the file.
    file_id: String,
    /// Name of the family.
    family: String,
    /// Lightest weight that the font has.
    min_weight: u16,
    /// Boldest weight that it has; the same unless it is variable.
    max_weight: u16,
    /// Whether its letters are upright: `normal` or `italic`.
    style: FontStyle,
}

impl From<BrandFont> for FontView {
    fn from(BrandFont { file_id, facts, .. }: BrandFont) -> FontView {
        let (family, style) = (facts.family, facts.style);
        FontView { file_id, family, min_weight: facts.min_weight, max_weight: facts.max_weight, style }
    }
}

/// Colours of a brand's pages. Every text has a contrast of at least 4.5 with its background.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "BrandPalette", deny_unknown_fields)]
#[schemars(example = json!({ "light": example::<Scheme>(), "dark": example::<Scheme>() }))]
pub(crate) struct Palette {
    /// Colours in light mode.
    light: Scheme,
    /// Colours in dark mode.
    dark: Scheme,
}

/// Colours in one mode.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "BrandScheme", deny_unknown_fields)]
#[schemars(example = json!({
    "background": "#ffffff",
    "text": "#15181c",
    "accent": "#2b55b8",
    "textOnAccent": "#ffffff",
    "link": "#2b55b8",
    "primary": "#14213d",
    "textOnPrimary": "#ffffff",
}))]
pub(crate) struct Scheme {
    /// Colour behind the page.
    background: String,
    /// Colour of texts.
    text: String,
    /// Colour of buttons.
    accent: String,
    /// Colour of the text of buttons.
    text_on_accent: String,
    /// Colour of links.
    link: String,
    /// Colour of large areas.
    primary: String,
    /// Colour of texts on large areas.
    text_on_primary: String,
}

impl Palette {
    /// Those that follow from a look.
    pub(crate) fn of(look: &Look) -> Palette {
        let [light, dark] = theme_without_pictures(look, &[]).tokens();
        Palette { light: light.into(), dark: dark.into() }
    }
}

impl From<Tokens> for Scheme {
    fn from(tokens: Tokens) -> Scheme {
        Scheme {
            background: tokens.ground.to_string(),
            text: tokens.ink.to_string(),
            accent: tokens.accent.to_string(),
            text_on_accent: tokens.on_accent.to_string(),
            link: tokens.link.to_string(),
            primary: tokens.panel.to_string(),
            text_on_primary: tokens.on_panel.to_string(),
        }
    }
}

impl From<Brand> for BrandView {
    fn from(brand: Brand) -> BrandView {
        BrandView {
            palette: Palette::of(&brand.look),
            brand_id: brand.brand_id,
            name: brand.name,
            site_name: brand.site_name,
            is_default: brand.is_default,
            look: brand.look,
            fonts: brand.fonts.into_iter().map(FontView::from).collect(),
            voice: brand.voice,
            legal_links: brand.legal_links,
            created_at: brand.created_at,
            updated_at: brand.updated_at,
        }
    }
}

impl CollectionItem for BrandView {
    const COLLECTION: &str = "A part of the list of brands.";
}
