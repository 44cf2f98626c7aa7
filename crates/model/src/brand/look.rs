//! The look of a brand's pages: colours, fonts, roundness, space and pictures, as they are wished for.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::UpTo;
use super::font::{FontFile, MOST_FONT_FILES, OwnLook};
use crate::bounds::Text;
use crate::example::example;

/// The schema of a colour.
struct Hex;

impl JsonSchema for Hex {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Colour".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^#[0-9A-Fa-f]{6}$" })
    }
}

/// Logo of the brand: the address of a picture, or an asset. One of `url` and `assetId` is required.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({ "url": "https://example.com/logo.svg", "altText": "Acme" }))]
pub struct BrandLogo {
    /// Address of the picture: an absolute http or https URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 2048))]
    pub url: Option<String>,
    /// Id of an asset that is a picture. While the asset is in the trash, pages show the name of the site.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Text")]
    pub asset_id: Option<String>,
    /// Description for visitors who do not see the picture. The name of the site is used if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(max = 200))]
    pub alt_text: Option<String>,
}

/// How much space is between the parts of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Spacing {
    /// Little.
    Compact,
    /// As much as by default.
    Regular,
    /// Much.
    Roomy,
}

/// Look of pages. What is left out has the default look.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({
    "primaryColor": "#14213d",
    "accentColor": "#2b55b8",
    "headingFonts": "Inter, Helvetica",
    "bodyFonts": "Inter, Helvetica",
    "cornerRadius": 8,
    "spacing": "roomy",
    "logo": example::<BrandLogo>(),
    "iconUrl": "https://example.com/icon.png",
}))]
pub struct Look {
    /// Colour of large areas, such as the band at the end of a page. Left out, it is the accent colour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Hex")]
    pub primary_color: Option<String>,
    /// Colour of buttons and links. Colours that are not given follow from it, in light and in dark mode.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Hex")]
    pub accent_color: Option<String>,
    /// Colour behind the text in light mode. A dark one is used in dark mode as well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Hex")]
    pub background_color: Option<String>,
    /// Colour of the text on `backgroundColor`. Their contrast must be at least 4.5.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Hex")]
    pub text_color: Option<String>,
    /// Fonts of headings, by name and separated by commas. None is downloaded. They are the fallback fonts of
    /// `headingFontFiles`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 500))]
    pub heading_fonts: Option<String>,
    /// Fonts of everything else, by name and separated by commas. None is downloaded. They are the fallback fonts of
    /// `bodyFontFiles`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 500))]
    pub body_fonts: Option<String>,
    /// Files of the font of headings, which pages download from their own site. Without these and `headingFonts`, headings have the fonts
    /// of everything else.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "UpTo<FontFile, MOST_FONT_FILES>")]
    pub heading_font_files: Vec<FontFile>,
    /// Files of the font of everything else, which pages download from their own site.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "UpTo<FontFile, MOST_FONT_FILES>")]
    pub body_font_files: Vec<FontFile>,
    /// Radius of corners, in pixels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u8", range(min = 0, max = 40))]
    pub corner_radius: Option<u8>,
    /// Space between the parts of a page: `compact`, `regular` or `roomy`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Spacing")]
    pub spacing: Option<Spacing>,
    /// Logo that is shown in the header instead of the site's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "BrandLogo")]
    pub logo: Option<BrandLogo>,
    /// Icon of the browser's tab: an absolute http or https URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 2048))]
    pub icon_url: Option<String>,
    /// Icon of the browser's tab: id of an asset that is a picture, instead of `iconUrl`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Text")]
    pub icon_asset_id: Option<String>,
}

impl Look {
    /// The files of its fonts, those of headings first.
    pub fn font_files(&self) -> impl Iterator<Item = &FontFile> {
        self.heading_font_files.iter().chain(&self.body_font_files)
    }

    /// The assets that it names.
    pub fn asset_ids(&self) -> impl Iterator<Item = &str> {
        let logo = self.logo.as_ref().and_then(|logo| logo.asset_id.as_deref());
        logo.into_iter().chain(self.icon_asset_id.as_deref())
    }

    /// What of it is the tenant's own, and the rest.
    pub fn into_parts(mut self) -> (Look, OwnLook) {
        let own = OwnLook {
            heading_font_files: std::mem::take(&mut self.heading_font_files),
            body_font_files: std::mem::take(&mut self.body_font_files),
            logo: self.logo.take_if(|logo| logo.asset_id.is_some()),
            icon_asset_id: self.icon_asset_id.take(),
            fonts: vec![],
        };
        (self, own)
    }

    /// The look of these parts. What a server has set that knows no own parts wins over these.
    pub fn of_parts(rest: Look, own: OwnLook) -> Look {
        Look {
            heading_font_files: own.heading_font_files,
            body_font_files: own.body_font_files,
            icon_asset_id: own.icon_asset_id.filter(|_| rest.icon_url.is_none()),
            logo: rest.logo.or(own.logo),
            ..rest
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_look_is_the_same_when_its_own_parts_were_kept_apart() {
        let font = |id: &str| FontFile { file_id: id.to_owned(), weight: Some(700), style: None };
        let look = Look {
            corner_radius: Some(3),
            heading_font_files: vec![font("a")],
            body_font_files: vec![font("b"), font("a")],
            logo: Some(BrandLogo { asset_id: Some("c".to_owned()), ..BrandLogo::default() }),
            icon_asset_id: Some("d".to_owned()),
            ..Look::default()
        };
        let (rest, own) = look.clone().into_parts();
        assert_eq!(rest, Look { corner_radius: Some(3), ..Look::default() });
        assert_eq!(Look::of_parts(rest, own.clone()), look);
        // A server that knows no own parts has given the brand another logo and icon.
        let logo =
            Some(BrandLogo { url: Some("https://example.com/l.svg".to_owned()), ..BrandLogo::default() });
        let icon_url = Some("https://example.com/i.png".to_owned());
        let rest = Look { logo: logo.clone(), icon_url: icon_url.clone(), ..Look::default() };
        let expected = Look { logo, icon_url, icon_asset_id: None, corner_radius: None, ..look };
        assert_eq!(Look::of_parts(rest, own), expected);
    }
}
