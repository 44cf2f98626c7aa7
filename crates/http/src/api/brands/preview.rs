//! A look as its pages would be drawn, before it is saved: its colours, and how well each text can be read.

use pagesmith_endpoint::endpoint;
use pagesmith_model::Result;
use pagesmith_model::brand::Look;
use pagesmith_model::example::example;
use pagesmith_render::{Colour, LIGHT_GROUND, Tokens, is_readable, nearest_readable};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::view::Palette;
use crate::extract::{Body, Call};
use crate::reply::Reply;
use crate::theme::theme_without_pictures;

/// A look to preview.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "PreviewBrandRequest")]
#[schemars(example = json!({ "look": example::<Look>() }))]
pub(crate) struct LookToSee {
    /// Look of the pages. Only its colours count.
    look: Look,
}

/// A mode of pages.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum Mode {
    Light,
    Dark,
}

/// A text colour and its background.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, inline)]
pub(crate) struct Pair {
    /// Mode, `light` or `dark`.
    scheme: Mode,
    /// Name of the text's colour in the palette.
    text: &'static str,
    /// Name of the colour behind it.
    ground: &'static str,
    /// Contrast of the two, from 1 to 21.
    contrast: f64,
}

/// A colour that the look asks for, where it is a text.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields, inline)]
pub(crate) struct RequestedColor {
    /// Field of the look: `textColor`, or `accentColor` as the colour of links.
    field: &'static str,
    /// Colour that the look asks for.
    color: String,
    /// Colour behind it in light mode.
    on: String,
    /// Contrast of the two, from 1 to 21.
    contrast: f64,
    /// Whether that is 4.5 at least. A `textColor` that cannot be read is refused when the brand is saved; links are drawn in another colour.
    is_readable: bool,
    /// Nearest colour that can be read there; the same if this one can.
    nearest: String,
}

/// How pages of a look would be drawn.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "BrandPreview", deny_unknown_fields)]
#[schemars(example = json!({
    "palette": example::<Palette>(),
    "pairs": [{ "scheme": "light", "text": "text", "ground": "background", "contrast": 17.8 }],
    "requestedColors": [{
        "field": "textColor", "color": "#999999", "on": "#ffffff", "contrast": 2.85, "isReadable": false, "nearest": "#757575",
    }],
}))]
pub(crate) struct BrandPreview {
    /// Colours that follow from the look.
    palette: Palette,
    /// Every pair of text and background colours, in each mode.
    pairs: Vec<Pair>,
    /// Colours of texts that the look names.
    requested_colors: Vec<RequestedColor>,
}

impl BrandPreview {
    fn of(look: &Look) -> BrandPreview {
        let theme = theme_without_pictures(look, &[]);
        let [light, dark] = theme.tokens();
        let pairs = pairs(Mode::Light, light).into_iter().chain(pairs(Mode::Dark, dark)).collect();
        let on = theme.ground.unwrap_or(LIGHT_GROUND);
        let link = look.accent_color.as_ref().map(|_| theme.accent);
        let requested = [("textColor", theme.ink), ("accentColor", link)].into_iter();
        let requested_colors =
            requested.filter_map(|(field, colour)| Some(requested_color(field, colour?, on))).collect();
        BrandPreview { palette: Palette::of(look), pairs, requested_colors }
    }
}

fn pairs(scheme: Mode, tokens: Tokens) -> [Pair; 4] {
    let pair = |(text, ink): (&'static str, Colour), (ground, behind): (&'static str, Colour)| Pair {
        scheme,
        text,
        ground,
        contrast: ink.contrast(behind),
    };
    [
        pair(("text", tokens.ink), ("background", tokens.ground)),
        pair(("link", tokens.link), ("background", tokens.ground)),
        pair(("textOnAccent", tokens.on_accent), ("accent", tokens.accent)),
        pair(("textOnPrimary", tokens.on_panel), ("primary", tokens.panel)),
    ]
}

fn requested_color(field: &'static str, colour: Colour, on: Colour) -> RequestedColor {
    let is_readable = is_readable(colour, on);
    let nearest = if is_readable { colour } else { nearest_readable(colour, on) };
    RequestedColor {
        field,
        color: colour.to_string(),
        on: on.to_string(),
        contrast: colour.contrast(on),
        is_readable,
        nearest: nearest.to_string(),
    }
}

/// Shows how pages of a look would be drawn. Nothing is saved.
///
/// The response has the colours that follow from the look, and the contrast of every text with its background. A `textColor` with
/// too little contrast is refused when a brand is saved; here `requestedColors` lists it, with the nearest readable colour.
#[endpoint]
pub(crate) async fn preview_brand(
    _call: Call,
    Body(LookToSee { look }): Body<LookToSee>,
) -> Result<Reply<BrandPreview>> {
    Reply::of(&BrandPreview::of(&look))
}
