//! What pages are set in: fonts that are files of the site, before fonts that a visitor's system has.
//!
//! A page is readable before its fonts are there, in a font of the system that is stretched until it takes the same room, so that nothing
//! moves when they arrive. Invariant: nothing in what is written can end its declaration.

use std::fmt::Write as _;

/// The fonts that a default page is set in: what the visitor's system has.
const SYSTEM: &str = "Inter,-apple-system,\"Segoe UI\",Roboto,\"Helvetica Neue\",Arial,sans-serif";
/// What measures are parts of.
const WHOLE: u32 = 10_000;

/// What a font is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Texts.
    Text,
    /// Headings.
    Heading,
}

impl Role {
    /// What the files of its font are called in the style, all together.
    fn family(self) -> &'static str {
        match self {
            Role::Text => "ps-text",
            Role::Heading => "ps-head",
        }
    }

    /// The weight that most of it has.
    fn weight(self) -> u16 {
        match self {
            Role::Text => 400,
            Role::Heading => 700,
        }
    }
}

/// A font that stands for another one until that is there.
struct StandIn {
    /// Names under which systems have it, or one whose letters are as wide.
    names: &'static str,
    /// How wide its letters are on average, in ten-thousandths of its size: as `pagesmith-fonts` measures it, of Arimo and Gelasio, which
    /// were drawn to be as wide as Arial and Georgia.
    width: u32,
}

const SANS: StandIn =
    StandIn { names: "local(Arial),local(ArialMT),local(\"Liberation Sans\"),local(Arimo)", width: 4_403 };
const SERIF: StandIn = StandIn { names: "local(Georgia),local(Gelasio)", width: 4_382 };

/// How large a font is. Lengths are ten-thousandths of its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FontMeasures {
    /// How far a line reaches above its base.
    pub ascent: u16,
    /// How far it reaches below.
    pub descent: u16,
    /// What lies between two lines beside that.
    pub line_gap: u16,
    /// How wide a letter is on average, in the weight of texts; 0 if that is not known.
    pub width: u16,
    /// The same in the weight of headings.
    pub bold_width: u16,
    /// Whether the letters have serifs.
    pub is_serif: bool,
}

/// A file of a font on the page's own site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FontFace {
    path: String,
    min_weight: u16,
    max_weight: u16,
    is_italic: bool,
    measures: FontMeasures,
}

impl FontFace {
    /// The file at a path of the site, for texts of these weights, from the lightest to the boldest; `None` if a style cannot say so.
    pub fn new(
        path: &str,
        (min_weight, max_weight): (u16, u16),
        is_italic: bool,
        measures: FontMeasures,
    ) -> Option<FontFace> {
        let plain = |char: char| char.is_ascii_alphanumeric() || matches!(char, '/' | '-' | '_');
        // Two slashes would begin with a host.
        let is_path = path.starts_with('/') && !path.starts_with("//") && path.chars().all(plain);
        let are_weights = 1 <= min_weight && min_weight <= max_weight && max_weight <= 1000;
        let path = path.to_owned();
        (is_path && are_weights).then_some(FontFace { path, min_weight, max_weight, is_italic, measures })
    }

    fn write(&self, family: &str, css: &mut String) {
        let FontFace { path, min_weight, max_weight, is_italic, .. } = self;
        let _ = write!(css, "@font-face{{font-family:{family};src:url({path})format(\"woff2\");");
        let _ = write!(css, "font-weight:{min_weight}");
        if max_weight != min_weight {
            let _ = write!(css, " {max_weight}");
        }
        css.push_str(if *is_italic { ";font-style:italic" } else { "" });
        css.push_str(";font-display:swap}");
    }

    /// How far its weights are from one.
    fn distance(&self, weight: u16) -> u16 {
        weight.abs_diff(weight.clamp(self.min_weight, self.max_weight))
    }
}

/// Font families, the wanted one first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fonts {
    /// Those of the visitor's system, as a style names them.
    names: String,
    /// The files that are before these.
    faces: Vec<FontFace>,
}

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
        (css.len() <= 1000).then_some(Fonts { names: css, faces: vec![] })
    }

    /// The same fonts behind those files.
    #[must_use]
    pub fn behind(self, faces: Vec<FontFace>) -> Fonts {
        Fonts { faces, ..self }
    }

    /// Whether any is a file.
    pub(crate) fn has_faces(&self) -> bool {
        !self.faces.is_empty()
    }

    /// The value of `font-family`.
    pub(crate) fn families(&self, role: Role) -> String {
        let (names, family) = (&self.names, role.family());
        if self.has_faces() { format!("{family},{family}-like,{names}") } else { names.clone() }
    }

    /// Says which files the families are, and what stands for them until they are there.
    pub(crate) fn write_faces(&self, role: Role, css: &mut String) {
        let family = role.family();
        for face in &self.faces {
            face.write(family, css);
        }
        if let Some(face) = self.main(role) {
            write_stand_in(&face.measures, role, css);
        }
    }

    /// The path of the file that most of it is set in.
    pub(crate) fn face_for(&self, role: Role) -> Option<&str> {
        self.main(role).map(|face| face.path.as_str())
    }

    fn main(&self, role: Role) -> Option<&FontFace> {
        self.faces.iter().min_by_key(|face| (face.is_italic, face.distance(role.weight())))
    }
}

impl Default for Fonts {
    fn default() -> Fonts {
        Fonts { names: SYSTEM.to_owned(), faces: vec![] }
    }
}

/// Writes the font that stands for one of these measures: as wide, and in lines that are as high.
fn write_stand_in(measures: &FontMeasures, role: Role, css: &mut String) {
    let FontMeasures { ascent, descent, line_gap, width, bold_width, is_serif } = *measures;
    let StandIn { names, width: usual } = if is_serif { SERIF } else { SANS };
    let width = u32::from(if role == Role::Heading { bold_width } else { width });
    // A font without Latin letters is not compared. Neither is one that no system has a match for.
    let stretched = width * WHOLE / usual;
    let adjust = if (WHOLE / 3..=WHOLE * 3).contains(&stretched) { stretched } else { WHOLE };
    let _ = write!(css, "@font-face{{font-family:{}-like;src:{names};size-adjust:", role.family());
    write_share(adjust, css);
    // Shares of the stretched size.
    let lines = [("ascent-override", ascent), ("descent-override", descent), ("line-gap-override", line_gap)];
    for (name, length) in lines {
        let _ = write!(css, ";{name}:");
        write_share(u32::from(length) * WHOLE / adjust, css);
    }
    css.push('}');
}

/// Ten-thousandths as a percentage.
fn write_share(share: u32, css: &mut String) {
    let (whole, rest) = (share / 100, share % 100);
    let _ = match (rest, rest % 10) {
        (0, _) => write!(css, "{whole}%"),
        (_, 0) => write!(css, "{whole}.{}%", rest / 10),
        _ => write!(css, "{whole}.{rest:02}%"),
    };
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MEASURES: FontMeasures = FontMeasures {
        ascent: 9_500,
        descent: 2_500,
        line_gap: 0,
        width: 4_403,
        bold_width: 8_806,
        is_serif: false,
    };

    fn face(path: &str, weights: (u16, u16), is_italic: bool) -> FontFace {
        FontFace::new(path, weights, is_italic, MEASURES).unwrap()
    }

    fn faces(role: Role, fonts: &Fonts) -> String {
        let mut css = String::new();
        fonts.write_faces(role, &mut css);
        css
    }

    #[test]
    fn fonts_are_names_and_nothing_else() {
        let fonts = Fonts::parse("Georgia, 'Times New Roman' ,serif").unwrap();
        assert_eq!(fonts.families(Role::Text), "Georgia,\"Times New Roman\",serif");
        assert_eq!(faces(Role::Text, &fonts), "");
        for bad in ["", "a,", "a;b", "url(x)", "a}body{", "expression(1)", "</style>", "a\nb"] {
            assert_eq!(Fonts::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn files_stand_before_names_with_what_takes_the_same_room() {
        let fonts = Fonts::parse("Georgia").unwrap().behind(vec![face("/files/a-b", (100, 900), false)]);
        assert_eq!(fonts.families(Role::Text), "ps-text,ps-text-like,Georgia");
        assert_eq!(
            faces(Role::Text, &fonts),
            "@font-face{font-family:ps-text;src:url(/files/a-b)format(\"woff2\");font-weight:100 900;font-display:swap}\
             @font-face{font-family:ps-text-like;src:local(Arial),local(ArialMT),local(\"Liberation Sans\"),local(Arimo);\
             size-adjust:100%;ascent-override:95%;descent-override:25%;line-gap-override:0%}"
        );
        // In headings, letters are twice as wide: so is what stands for them, in lines that are as high.
        let heading = faces(Role::Heading, &fonts);
        assert!(
            heading.contains("size-adjust:200%;ascent-override:47.5%;descent-override:12.5%;"),
            "{heading}"
        );
    }

    #[test]
    fn a_serif_font_is_stood_for_by_one_and_an_unknown_width_by_no_other() {
        let measures = FontMeasures { is_serif: true, width: 0, ascent: 10_009, line_gap: 1_230, ..MEASURES };
        let serif = FontFace::new("/a", (700, 700), true, measures).unwrap();
        let css = faces(Role::Text, &Fonts::default().behind(vec![serif]));
        assert!(css.contains("font-weight:700;font-style:italic;font-display:swap}"), "{css}");
        let expected = "src:local(Georgia),local(Gelasio);size-adjust:100%;ascent-override:100.09%;\
                        descent-override:25%;line-gap-override:12.3%}";
        assert!(css.ends_with(expected), "{css}");
    }

    #[test]
    fn most_of_a_part_is_set_in_the_upright_file_of_the_nearest_weight() {
        let light = || face("/light", (300, 300), false);
        let fonts = |faces| Fonts::default().behind(faces);
        let all = fonts(vec![face("/slanted", (400, 700), true), light(), face("/bold", (600, 900), false)]);
        assert_eq!(all.face_for(Role::Text), Some("/light"));
        assert_eq!(all.face_for(Role::Heading), Some("/bold"));
        assert_eq!(fonts(vec![light()]).face_for(Role::Heading), Some("/light"));
        assert_eq!(fonts(vec![]).face_for(Role::Heading), None);
    }

    #[test]
    fn a_file_is_on_the_site_itself_and_has_weights() {
        for bad in ["", "a", "//host/a", "https://a/b", "/a)b", "/a b", "/a\"", "/a;", "/ä", "/../\\a"] {
            assert_eq!(FontFace::new(bad, (400, 400), false, MEASURES), None, "{bad}");
        }
        for bad in [(0, 400), (700, 400), (400, 1001)] {
            assert_eq!(FontFace::new("/a", bad, false, MEASURES), None, "{bad:?}");
        }
    }

    proptest! {
        #[test]
        fn no_name_of_a_font_ends_its_declaration(text in "[a-z\"',;{}()<>/\\\\ -]{0,20}") {
            if let Some(Fonts { names, .. }) = Fonts::parse(&text) {
                prop_assert!(!names.contains([';', '{', '}', '(', '<', '\\', '\'']), "{}", names);
                prop_assert_eq!(names.matches('"').count() % 2, 0);
            }
        }

        #[test]
        fn what_stands_for_a_font_has_lines_as_high_whatever_it_measures(
            (ascent, descent, line_gap) in (0_u16..=50_000, 0_u16..=50_000, 0_u16..=50_000),
            (width, bold_width, is_serif) in (0_u16..=50_000, 0_u16..=50_000, any::<bool>()),
        ) {
            let measures = FontMeasures { ascent, descent, line_gap, width, bold_width, is_serif };
            let mut css = String::new();
            write_stand_in(&measures, Role::Heading, &mut css);
            let share = |name: &str| -> f64 {
                let (_, rest) = css.split_once(&format!("{name}:")).unwrap();
                rest.split_once('%').unwrap().0.parse().unwrap()
            };
            for (name, length) in [("ascent-override", ascent), ("descent-override", descent)] {
                let shown = share(name) * share("size-adjust") / 100.0;
                prop_assert!((shown - f64::from(length) / 100.0).abs() < 0.05, "{}", css);
            }
            prop_assert!((33.0..=300.0).contains(&share("size-adjust")), "{}", css);
        }
    }
}
