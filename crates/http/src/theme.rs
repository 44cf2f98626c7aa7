//! From the look of a brand, as it is kept, to what pages are drawn with.

use pagesmith_model::brand::{Look, Spacing};
use pagesmith_render::{Colour, Fonts, Logo, Space, Theme};

/// How pages of this look are drawn; what it wishes and cannot be drawn is left out.
pub(crate) fn theme_of(look: &Look) -> Theme {
    let usual = Theme::default();
    let fonts = |named: Option<&String>| named.and_then(|fonts| Fonts::parse(fonts));
    let colour = |named: Option<&String>| named.and_then(|colour| Colour::parse(colour));
    let body_fonts = fonts(look.body_fonts.as_ref()).unwrap_or(usual.body_fonts);
    let accent = colour(look.accent_color.as_ref());
    let primary = colour(look.primary_color.as_ref());
    Theme {
        accent: accent.or(primary).unwrap_or(usual.accent),
        primary,
        ground: colour(look.background_color.as_ref()),
        ink: colour(look.text_color.as_ref()),
        heading_fonts: fonts(look.heading_fonts.as_ref()).unwrap_or_else(|| body_fonts.clone()),
        body_fonts,
        radius: look.corner_radius.unwrap_or(usual.radius),
        space: match look.spacing {
            Some(Spacing::Compact) => Space::Little,
            None | Some(Spacing::Regular) => Space::Regular,
            Some(Spacing::Roomy) => Space::Much,
        },
        logo: look
            .logo
            .as_ref()
            .and_then(|logo| Logo::new(&logo.url, logo.alt_text.as_deref().unwrap_or_default())),
        icon: look.icon_url.as_deref().and_then(|url| Logo::new(url, "")),
    }
}
