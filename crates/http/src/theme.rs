//! From the look of a brand, as it is kept, to what pages are drawn with.

use pagesmith_model::brand::font::{BrandFont, FontFile, FontStyle};
use pagesmith_model::brand::{Look, Spacing};
use pagesmith_operations::brands::pictures::LookPictures;
use pagesmith_render::{Colour, FontFace, FontMeasures, Fonts, Logo, Space, Theme};

/// How pages of this look are drawn, with these fonts and pictures of the tenant; what it wishes and cannot be drawn is left out. `address`
/// makes addresses of paths of the site.
pub(crate) fn theme_with(
    look: &Look,
    fonts: &[BrandFont],
    pictures: &LookPictures,
    address: impl Fn(&str) -> String,
) -> Theme {
    let usual = Theme::default();
    let named = |named: Option<&String>| named.and_then(|fonts| Fonts::parse(fonts));
    let colour = |named: Option<&String>| named.and_then(|colour| Colour::parse(colour));
    let body_fonts = with_faces(named(look.body_fonts.as_ref()), &look.body_font_files, fonts);
    let heading_fonts = with_faces(named(look.heading_fonts.as_ref()), &look.heading_font_files, fonts);
    let body_fonts = body_fonts.unwrap_or(usual.body_fonts);
    let accent = colour(look.accent_color.as_ref());
    let primary = colour(look.primary_color.as_ref());
    Theme {
        accent: accent.or(primary).unwrap_or(usual.accent),
        primary,
        ground: colour(look.background_color.as_ref()),
        ink: colour(look.text_color.as_ref()),
        heading_fonts: heading_fonts.unwrap_or_else(|| body_fonts.clone()),
        body_fonts,
        radius: look.corner_radius.unwrap_or(usual.radius),
        space: match look.spacing {
            Some(Spacing::Compact) => Space::Little,
            None | Some(Spacing::Regular) => Space::Regular,
            Some(Spacing::Roomy) => Space::Much,
        },
        logo: look.logo.as_ref().and_then(|logo| {
            let own = pictures.logo.as_deref().map(&address);
            Logo::new(own.as_ref().or(logo.url.as_ref())?, logo.alt_text.as_deref().unwrap_or_default())
        }),
        icon: pictures
            .icon
            .as_deref()
            .map(address)
            .or_else(|| look.icon_url.clone())
            .and_then(|url| Logo::new(&url, "")),
    }
}

/// The same without pictures of the tenant: for pages that show neither logo nor icon, and for the colours alone.
pub(crate) fn theme_without_pictures(look: &Look, fonts: &[BrandFont]) -> Theme {
    theme_with(look, fonts, &LookPictures::default(), str::to_owned)
}

/// The fonts of a part of the page: files that are known, before fonts that are named. `None` if there are neither.
fn with_faces(named: Option<Fonts>, files: &[FontFile], fonts: &[BrandFont]) -> Option<Fonts> {
    let faces: Vec<FontFace> = files.iter().filter_map(|file| face(file, fonts)).collect();
    if faces.is_empty() { named } else { Some(named.unwrap_or_default().behind(faces)) }
}

fn face(file: &FontFile, fonts: &[BrandFont]) -> Option<FontFace> {
    let BrandFont { path, facts, .. } = fonts.iter().find(|font| font.file_id == file.file_id)?;
    let (min_weight, max_weight) =
        file.weight.map_or((facts.min_weight, facts.max_weight), |weight| (weight, weight));
    let measures = FontMeasures {
        ascent: facts.ascent,
        descent: facts.descent,
        line_gap: facts.line_gap,
        width: facts.width,
        bold_width: facts.bold_width,
        is_serif: facts.is_serif,
    };
    let is_italic = file.style.unwrap_or(facts.style) == FontStyle::Italic;
    FontFace::new(path, (min_weight, max_weight), is_italic, measures)
}
