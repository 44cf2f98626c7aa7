//! How pages look: one small set of tokens, of which a brand overrides a few.
//!
//! A brand names an accent, fonts, a roundness, a logo and an icon. The other colours follow from the accent, in a light and a dark
//! palette, so that no brand can make a page that is hard to read. What a brand names is validated here, once.
//! Invariant: every text reaches a contrast of 4.5 on every ground that it stands on; nothing in a theme can end a declaration.

use std::fmt::Write as _;

use pagesmith_model::content::address;

use crate::colour::Colour;

/// The least contrast of a text, by WCAG AA.
const READABLE: f64 = 4.5;

/// Behind a page by day.
pub(crate) const LIGHT_GROUND: Colour = Colour::WHITE;
/// Behind a page by night.
pub(crate) const DARK_GROUND: Colour = Colour::rgb(0x0e, 0x10, 0x12);

/// The fonts that a default page is set in: what the visitor's system has.
const SYSTEM: &str = "Inter,-apple-system,\"Segoe UI\",Roboto,\"Helvetica Neue\",Arial,sans-serif";

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

/// Font families, the wanted one first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fonts(String);

impl Fonts {
    /// The families of a text such as `Georgia, "Times New Roman", serif`; `None` if it could be read as anything but a list of names.
    pub fn parse(text: &str) -> Option<Fonts> {
        let mut css = String::new();
        for name in text.split(',') {
            let name = name.trim();
            let bare = name.trim_matches(['"', '\'']);
            let plain = |char: char| char.is_alphanumeric() || matches!(char, ' ' | '-' | '_');
            if bare.is_empty() || bare.len() > 100 || !bare.chars().all(plain) {
                return None;
            }
            // A word alone may be a keyword, such as `serif`, which quotes would turn into a name.
            let is_word = bare.chars().all(|char| char.is_ascii_alphabetic() || char == '-');
            let separator = if css.is_empty() { "" } else { "," };
            let quote = if is_word { "" } else { "\"" };
            let _ = write!(css, "{separator}{quote}{bare}{quote}");
        }
        (css.len() <= 1000).then_some(Fonts(css))
    }
}

impl Default for Fonts {
    fn default() -> Fonts {
        Fonts(SYSTEM.to_owned())
    }
}

/// What a brand overrides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Theme {
    /// The one colour that stands out.
    pub accent: Colour,
    /// What headings are set in.
    pub heading_fonts: Fonts,
    /// What everything else is set in.
    pub body_fonts: Fonts,
    /// How round corners are, in pixels; 0 for none.
    pub radius: u8,
    /// Stands in the header in place of the site's name.
    pub logo: Option<Logo>,
    /// The icon of the browser's tab; drawn from the accent and the site's name if there is none.
    pub icon: Option<Logo>,
}

impl Default for Theme {
    fn default() -> Theme {
        Theme {
            accent: Colour::rgb(0x0f, 0x62, 0x4c),
            heading_fonts: Fonts::default(),
            body_fonts: Fonts::default(),
            radius: 14,
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

impl Palette {
    fn light(brand: Colour) -> Palette {
        let ground = LIGHT_GROUND;
        let raised = Colour::rgb(0xf7, 0xf7, 0xf5);
        let tint = ground.mix(brand, 0.09);
        let grounds = [ground, raised, tint];
        let panel = brand.mix(Colour::BLACK, 0.25).until(9.0, &[Colour::WHITE], Colour::BLACK);
        Palette {
            ground,
            raised,
            tint,
            ink: Colour::rgb(0x15, 0x18, 0x1c).until(12.0, &grounds, Colour::BLACK),
            soft: Colour::rgb(0x54, 0x5b, 0x64).until(READABLE, &grounds, Colour::BLACK),
            line: Colour::rgb(0xe4, 0xe5, 0xe2),
            accent: brand,
            on_accent: brand.ink(),
            link: brand.until(READABLE, &grounds, Colour::BLACK),
            panel,
            panel_soft: Colour::WHITE.mix(panel, 0.22),
        }
    }

    fn dark(brand: Colour) -> Palette {
        let ground = DARK_GROUND;
        let raised = Colour::rgb(0x17, 0x1a, 0x1d);
        let tint = ground.mix(brand.mix(Colour::WHITE, 0.15), 0.2);
        let grounds = [ground, raised, tint];
        // A dark accent is lost on a dark page.
        let accent = brand.lift(3.0, &[ground, raised]);
        let panel = ground.mix(brand, 0.5).until(9.0, &[Colour::WHITE], Colour::BLACK);
        Palette {
            ground,
            raised,
            tint,
            ink: Colour::rgb(0xee, 0xf0, 0xf1).until(READABLE, &grounds, Colour::WHITE),
            soft: Colour::rgb(0xa6, 0xad, 0xb4).until(READABLE, &grounds, Colour::WHITE),
            line: Colour::rgb(0x2b, 0x2f, 0x34),
            accent,
            on_accent: accent.ink(),
            link: brand.lift(READABLE + 1.0, &grounds),
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

impl Theme {
    fn light(&self) -> Palette {
        Palette::light(self.accent)
    }

    fn dark(&self) -> Palette {
        Palette::dark(self.accent)
    }

    /// The tokens as a style sheet.
    pub(crate) fn css(&self) -> String {
        let mut css = String::with_capacity(1024);
        css.push_str(":root{color-scheme:light dark;");
        self.light().write(&mut css);
        let (radius, head, body) = (self.radius, &self.heading_fonts.0, &self.body_fonts.0);
        let _ = write!(
            css,
            "--radius:{radius}px;--body:{body};--head:{}}}",
            if head == body { "var(--body)" } else { head }
        );
        css.push_str("@media screen and (prefers-color-scheme:dark){:root{");
        self.dark().write(&mut css);
        css.push_str("}}");
        css
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

    proptest! {
        #[test]
        fn every_text_is_readable_whatever_the_accent(parts in any::<(u8, u8, u8)>()) {
            let theme = Theme { accent: Colour::rgb(parts.0, parts.1, parts.2), ..Theme::default() };
            for (scheme, palette) in [("light", theme.light()), ("dark", theme.dark())] {
                for (text, colour, ground) in pairs(&palette) {
                    let ratio = colour.contrast(ground);
                    prop_assert!(ratio >= READABLE, "{scheme}: {text} {colour} on {ground}: {ratio}");
                }
            }
        }

        #[test]
        fn no_name_of_a_font_ends_its_declaration(text in "[a-z\"',;{}()<>/\\\\ -]{0,20}") {
            if let Some(fonts) = Fonts::parse(&text) {
                prop_assert!(!fonts.0.contains([';', '{', '}', '(', '<', '\\', '\'']), "{}", fonts.0);
                prop_assert_eq!(fonts.0.matches('"').count() % 2, 0);
            }
        }
    }

    #[test]
    fn fonts_are_names_and_nothing_else() {
        assert_eq!(
            Fonts::parse("Georgia, 'Times New Roman' ,serif").unwrap().0,
            "Georgia,\"Times New Roman\",serif"
        );
        for bad in ["", "a,", "a;b", "url(x)", "a}body{", "expression(1)", "</style>", "a\nb"] {
            assert_eq!(Fonts::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_logo_is_fetched_from_somewhere() {
        assert!(Logo::new("https://example.com/l.svg", "L").is_some());
        assert!(Logo::new("javascript:alert(1)", "L").is_none());
    }
}
