//! How pages look: one small set of tokens, of which a brand overrides a few.
//!
//! A brand names a few colours, fonts, a roundness, spacing, a logo and an icon. The other colours follow from these, in a light and a
//! dark palette, so that no brand can make a page that is hard to read. What a brand names is validated here, once.
//! Invariant: every text reaches a contrast of 4.5 on every ground that it is on; nothing in a theme can end a declaration.

use std::fmt::Write as _;

use pagesmith_model::content::address;

use crate::colour::Colour;
use crate::fonts::{Fonts, Role};

/// The least contrast of a text, by WCAG AA.
const READABLE: f64 = 4.5;

/// Behind a page by day.
pub const LIGHT_GROUND: Colour = Colour::WHITE;
/// Behind a page by night.
pub(crate) const DARK_GROUND: Colour = Colour::rgb(0x0e, 0x10, 0x12);

/// A picture that stands for the brand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logo {
    url: String,
    /// What it says.
    pub alt_text: String,
}

impl Logo {
    /// A logo at an absolute http or https address; `None` if it is none.
    pub fn new(url: &str, alt_text: &str) -> Option<Logo> {
        address::is_fetched(url).then(|| Logo { url: url.to_owned(), alt_text: alt_text.to_owned() })
    }

    /// Where it is.
    pub fn url(&self) -> &str {
        &self.url
    }
}

/// How much space is between the parts of a page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Space {
    /// About two thirds of the regular space.
    Little,
    /// As the style sheet has it.
    #[default]
    Regular,
    /// About one and a half times the regular space.
    Much,
}

impl Space {
    /// The rules that change the style sheet's own, which follow them and are less specific.
    fn css(self) -> &'static str {
        match self {
            Space::Little => {
                ":root main>section{padding-block:clamp(2rem,4vw,3.5rem)}:root main>.hero{padding-top:clamp(2.25rem,5vw,4.5rem)}"
            }
            Space::Regular => "",
            Space::Much => {
                ":root main>section{padding-block:clamp(4.5rem,9vw,8rem)}:root main>.hero{padding-top:clamp(5rem,11vw,10rem)}"
            }
        }
    }
}

/// What a brand overrides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Theme {
    /// The colour of buttons and links.
    pub accent: Colour,
    /// The colour of large areas; the accent if there is none.
    pub primary: Option<Colour>,
    /// Behind the page by day; a dark one also by night.
    pub ground: Option<Colour>,
    /// The texts on that ground.
    pub ink: Option<Colour>,
    /// What headings are set in.
    pub heading_fonts: Fonts,
    /// What everything else is set in.
    pub body_fonts: Fonts,
    /// How round corners are, in pixels; 0 for none.
    pub radius: u8,
    /// How much space there is.
    pub space: Space,
    /// Stands in the header in place of the site's name.
    pub logo: Option<Logo>,
    /// The icon of the browser's tab; drawn from the accent and the site's name if there is none.
    pub icon: Option<Logo>,
}

impl Default for Theme {
    fn default() -> Theme {
        Theme {
            accent: Colour::rgb(0x0f, 0x62, 0x4c),
            primary: None,
            ground: None,
            ink: None,
            heading_fonts: Fonts::default(),
            body_fonts: Fonts::default(),
            radius: 14,
            space: Space::Regular,
            logo: None,
            icon: None,
        }
    }
}

/// The colours of one scheme.
#[derive(Debug, Clone, Copy)]
struct Palette {
    /// Behind the page.
    pub ground: Colour,
    /// Behind cards.
    pub raised: Colour,
    /// Behind small marks, and the hero's glow.
    pub tint: Colour,
    /// Texts.
    pub ink: Colour,
    /// Texts that matter less.
    pub soft: Colour,
    /// Thin lines.
    pub line: Colour,
    /// Behind the main button.
    pub accent: Colour,
    /// The main button's text.
    pub on_accent: Colour,
    /// The accent where it is a text or has to be seen: links, focus, borders of buttons.
    pub link: Colour,
    /// Behind the call to action.
    pub panel: Colour,
    /// Texts that matter less, on the panel; others are white there.
    pub panel_soft: Colour,
}

/// What the palette of one scheme is derived from, besides the brand's colours.
#[derive(Debug, Clone, Copy)]
struct Base {
    ground: Colour,
    raised: Colour,
    ink: Colour,
    /// The least contrast of the ink.
    ink_contrast: f64,
    soft: Colour,
    line: Colour,
    /// Black or white: what a text is moved towards that could not be read. It can be read on the ground.
    end: Colour,
}

impl Base {
    const LIGHT: Base = Base {
        ground: LIGHT_GROUND,
        raised: Colour::rgb(0xf7, 0xf7, 0xf5),
        ink: Colour::rgb(0x15, 0x18, 0x1c),
        ink_contrast: 12.0,
        soft: Colour::rgb(0x54, 0x5b, 0x64),
        line: Colour::rgb(0xe4, 0xe5, 0xe2),
        end: Colour::BLACK,
    };
    const DARK: Base = Base {
        ground: DARK_GROUND,
        raised: Colour::rgb(0x17, 0x1a, 0x1d),
        ink: Colour::rgb(0xee, 0xf0, 0xf1),
        ink_contrast: READABLE,
        soft: Colour::rgb(0xa6, 0xad, 0xb4),
        line: Colour::rgb(0x2b, 0x2f, 0x34),
        end: Colour::WHITE,
    };

    /// The base of a brand's own ground and ink. An ink that cannot be read on the ground is moved until it can.
    fn of_brand(ground: Colour, ink: Option<Colour>) -> Base {
        let ink = ink.filter(|ink| is_readable(*ink, ground));
        let end = match ink {
            Some(ink) if ink.is_darker_than(ground) => Colour::BLACK,
            Some(_) => Colour::WHITE,
            None => ground.ink(),
        };
        let usual = if end == Colour::BLACK { Base::LIGHT } else { Base::DARK };
        let ink = ink.unwrap_or(usual.ink);
        Base {
            ground,
            raised: towards(ground, ink, 0.035, end),
            ink,
            ink_contrast: READABLE,
            soft: ink.mix(ground, 0.3),
            line: ground.mix(ink, 0.12),
            end,
        }
    }
}

/// Whether a text of one colour can be read on the other, by WCAG AA.
pub fn is_readable(ink: Colour, ground: Colour) -> bool {
    ink.contrast(ground) >= READABLE
}

/// The colour nearest to `ink`, darker or brighter, that can be read on `ground`.
pub fn nearest_readable(ink: Colour, ground: Colour) -> Colour {
    let [black, white] =
        [Colour::BLACK, Colour::WHITE].map(|end| (end, ink.until_in(u8::MAX, READABLE, &[ground], end)));
    let fits = |(_, colour): &(Colour, Colour)| is_readable(*colour, ground);
    let distance = |(_, colour): &(Colour, Colour)| colour.distance(ink);
    [black, white].into_iter().filter(fits).min_by_key(distance).map_or(ground.ink(), |(_, colour)| colour)
}

/// The ground with up to `share` of another colour in it: as much as leaves `end` readable.
fn towards(ground: Colour, other: Colour, share: f64, end: Colour) -> Colour {
    let steps = (0..=8).rev().map(|step| ground.mix(other, share * f64::from(step) / 8.0));
    steps.into_iter().find(|colour| is_readable(end, *colour)).unwrap_or(ground)
}

impl Palette {
    fn of(base: &Base, brand: Colour, primary: Option<Colour>) -> Palette {
        let Base { ground, raised, end, .. } = *base;
        let is_dark = end == Colour::WHITE;
        let tint = if is_dark {
            towards(ground, brand.mix(Colour::WHITE, 0.15), 0.2, end)
        } else {
            towards(ground, brand, 0.09, end)
        };
        let grounds = [ground, raised, tint];
        // A dark accent is lost on a dark page.
        let accent = if is_dark { brand.lift(3.0, &[ground, raised]) } else { brand };
        let area = primary.unwrap_or_else(|| brand.mix(Colour::BLACK, 0.25));
        let area = if is_dark { ground.mix(primary.unwrap_or(brand), 0.5) } else { area };
        let panel = area.until(9.0, &[Colour::WHITE], Colour::BLACK);
        Palette {
            ground,
            raised,
            tint,
            ink: base.ink.until(base.ink_contrast, &grounds, end),
            soft: base.soft.until(READABLE, &grounds, end),
            line: base.line,
            accent,
            on_accent: accent.ink(),
            link: if is_dark {
                brand.lift(READABLE + 1.0, &grounds)
            } else {
                brand.until(READABLE, &grounds, Colour::BLACK)
            },
            panel,
            panel_soft: Colour::WHITE.mix(panel, 0.22),
        }
    }

    fn write(&self, css: &mut String) {
        let tokens = [
            ("ground", self.ground),
            ("raised", self.raised),
            ("tint", self.tint),
            ("ink", self.ink),
            ("soft", self.soft),
            ("line", self.line),
            ("accent", self.accent),
            ("on-accent", self.on_accent),
            ("link", self.link),
            ("panel", self.panel),
            ("panel-soft", self.panel_soft),
        ];
        for (name, colour) in tokens {
            let _ = write!(css, "--{name}:{colour};");
        }
    }
}

/// The colours of one scheme that a brand's owner wants to see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tokens {
    /// Behind the page.
    pub ground: Colour,
    /// Texts.
    pub ink: Colour,
    /// Behind the main button.
    pub accent: Colour,
    /// The main button's text.
    pub on_accent: Colour,
    /// Links.
    pub link: Colour,
    /// Large areas.
    pub panel: Colour,
    /// Texts on large areas.
    pub on_panel: Colour,
}

impl Theme {
    /// The colours by day, and those by night.
    pub fn tokens(&self) -> [Tokens; 2] {
        self.palettes().map(|palette| Tokens {
            ground: palette.ground,
            ink: palette.ink,
            accent: palette.accent,
            on_accent: palette.on_accent,
            link: palette.link,
            panel: palette.panel,
            on_panel: Colour::WHITE,
        })
    }

    /// The palette by day, and that by night.
    fn palettes(&self) -> [Palette; 2] {
        let by_day = match (self.ground, self.ink) {
            (None, None) => Base::LIGHT,
            (ground, ink) => Base::of_brand(ground.unwrap_or(LIGHT_GROUND), ink),
        };
        let by_night = if by_day.end == Colour::WHITE { by_day } else { Base::DARK };
        [by_day, by_night].map(|base| Palette::of(&base, self.accent, self.primary))
    }

    /// The tokens as a style sheet.
    pub(crate) fn css(&self) -> String {
        let mut css = String::with_capacity(1024);
        let [light, dark] = self.palettes();
        css.push_str(":root{color-scheme:light dark;");
        light.write(&mut css);
        let (radius, body) = (self.radius, self.body_fonts.families(Role::Text));
        // Headings in the fonts of texts need no faces of their own.
        let has_own_heading = self.heading_fonts != self.body_fonts;
        let head = if has_own_heading {
            self.heading_fonts.families(Role::Heading)
        } else {
            "var(--body)".to_owned()
        };
        let _ = write!(css, "--radius:{radius}px;--body:{body};--head:{head}}}");
        css.push_str("@media screen and (prefers-color-scheme:dark){:root{");
        dark.write(&mut css);
        css.push_str("}}");
        css.push_str(self.space.css());
        self.body_fonts.write_faces(Role::Text, &mut css);
        if has_own_heading {
            self.heading_fonts.write_faces(Role::Heading, &mut css);
        }
        css
    }

    /// Whether pages download fonts from their own site.
    pub(crate) fn has_faces(&self) -> bool {
        self.body_fonts.has_faces() || self.heading_fonts.has_faces()
    }

    /// Where the font is that a visitor sees first: that of headings, else that of texts.
    pub(crate) fn first_face(&self) -> Option<&str> {
        self.heading_fonts.face_for(Role::Heading).or_else(|| self.body_fonts.face_for(Role::Text))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pairs(palette: &Palette) -> Vec<(&'static str, Colour, Colour)> {
        let mut pairs = Vec::new();
        for ground in [palette.ground, palette.raised, palette.tint] {
            pairs.push(("ink", palette.ink, ground));
            pairs.push(("soft", palette.soft, ground));
            pairs.push(("link", palette.link, ground));
        }
        pairs.push(("on accent", palette.on_accent, palette.accent));
        pairs.push(("on panel", Colour::WHITE, palette.panel));
        pairs.push(("soft on panel", palette.panel_soft, palette.panel));
        // The closing band is a tenth lighter at its top.
        let lit = palette.panel.mix(Colour::WHITE, 0.1);
        pairs.push(("on the lit panel", Colour::WHITE, lit));
        pairs.push(("soft on the lit panel", palette.panel_soft, lit));
        pairs
    }

    fn colour() -> impl Strategy<Value = Colour> {
        any::<(u8, u8, u8)>().prop_map(|(red, green, blue)| Colour::rgb(red, green, blue))
    }

    proptest! {
        #[test]
        fn every_text_is_readable_whatever_the_colours(
            accent in colour(),
            primary in proptest::option::of(colour()),
            ground in proptest::option::of(colour()),
            ink in proptest::option::of(colour()),
        ) {
            let theme = Theme { accent, primary, ground, ink, ..Theme::default() };
            for (scheme, palette) in ["light", "dark"].into_iter().zip(theme.palettes()) {
                for (text, colour, ground) in pairs(&palette) {
                    let ratio = colour.contrast(ground);
                    prop_assert!(ratio >= READABLE, "{scheme}: {text} {colour} on {ground}: {ratio}");
                }
            }
        }

        #[test]
        fn the_nearest_colour_is_readable_and_a_readable_one_is_nearest_to_itself(ink in colour(), ground in colour()) {
            let nearest = nearest_readable(ink, ground);
            prop_assert!(is_readable(nearest, ground), "{nearest} on {ground}");
            prop_assert_eq!(nearest == ink, is_readable(ink, ground));
        }
    }

    #[test]
    fn a_brand_s_own_ground_and_ink_are_used_and_a_dark_ground_also_by_night() {
        let colour = |text| Colour::parse(text).unwrap();
        let of = |ground, ink| Theme { ground: Some(colour(ground)), ink, ..Theme::default() }.palettes();
        let [day, night] = of("#fdf6e3", Some(colour("#3b2f2f")));
        assert_eq!((day.ground, day.ink, night.ground), (colour("#fdf6e3"), colour("#3b2f2f"), DARK_GROUND));
        let [day, night] = of("#101820", None);
        assert_eq!((day.ground, night.ground), (colour("#101820"), colour("#101820")));
        // What cannot be read is not used.
        let [day, _] = of("#ffffff", Some(colour("#eeeeee")));
        assert_eq!(day.ink, Base::LIGHT.ink);
    }

    #[test]
    fn a_logo_is_fetched_from_somewhere() {
        assert!(Logo::new("https://example.com/l.svg", "L").is_some());
        assert!(Logo::new("javascript:alert(1)", "L").is_none());
    }
}
