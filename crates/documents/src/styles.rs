//! What style sheets tell of a brand: the colours of pages, texts, buttons and links, fonts, and how round corners are.
//!
//! Selectors are looked at, not matched against a page: what is set for `body` or for buttons is what most sites show. The sheets are cut
//! into their parts by the browsers' own rules; time and memory grow with their size only, since what is nested deeper than `DEEPEST` is
//! left out.

use std::collections::HashMap;

use cssparser::color::parse_named_color;
use cssparser::{ParseError, Parser, Token};

/// How deep rules may be nested.
const DEEPEST: usize = 8;
/// How many variables are kept.
const MOST_VARIABLES: usize = 5_000;
/// How often a variable may name another one.
const MOST_STEPS: usize = 5;
/// How many characters of a value are looked at.
const LONGEST_VALUE: usize = 500;

/// Red, green and blue.
pub type Rgb = [u8; 3];

/// What style sheets tell.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Styles {
    /// Behind the page.
    pub background: Option<Rgb>,
    /// The texts.
    pub text: Option<Rgb>,
    /// Buttons, or what a variable calls the colour of the brand.
    pub accent: Option<Rgb>,
    /// The head or the foot of the page.
    pub primary: Option<Rgb>,
    /// The fonts of headings, in order, without what is no name.
    pub heading_fonts: Vec<String>,
    /// The fonts of everything else.
    pub body_fonts: Vec<String>,
    /// The corners of buttons, in pixels.
    pub corner_radius: Option<u8>,
}

/// Reads style sheets, those that count more at the end.
pub fn read(css: &str) -> Styles {
    let mut sheet = Sheet::default();
    sheet.rules(&mut Parser::new(css), 0);
    sheet.styles()
}

/// What a rule is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum For {
    Page,
    Heading,
    Button,
    Link,
    Band,
}

/// What is known of the sheets so far: the last value of each property.
#[derive(Default)]
struct Sheet {
    variables: HashMap<String, String>,
    values: HashMap<(For, &'static str), String>,
}

impl Sheet {
    /// The rules of a sheet, or of a block of a rule with conditions.
    fn rules(&mut self, parser: &mut Parser<'_>, depth: usize) {
        let mut begin = parser.position();
        while let Ok(token) = parser.next().cloned() {
            match token {
                Token::Semicolon | Token::CDO | Token::CDC => begin = parser.position(),
                Token::CurlyBracketBlock => {
                    let prelude = parser.slice_from(begin).trim_end_matches('{').trim().to_ascii_lowercase();
                    let block = parser.parse_nested_block(|block| {
                        self.block(&prelude, block, depth);
                        Ok::<(), ParseError<()>>(())
                    });
                    drop(block);
                    begin = parser.position();
                }
                _ => {}
            }
        }
    }

    fn block(&mut self, prelude: &str, block: &mut Parser<'_>, depth: usize) {
        if let Some(rule) = prelude.strip_prefix('@') {
            let is_usual = ["media", "supports", "layer", "container", "scope"]
                .iter()
                .any(|name| rule.starts_with(name));
            let is_other =
                ["dark", "print", "forced-colors", "prefers-contrast"].iter().any(|word| rule.contains(word));
            if is_usual && !is_other && depth < DEEPEST {
                self.rules(block, depth + 1);
            }
            return;
        }
        let subjects: Vec<For> = prelude.split(',').filter_map(subject).collect();
        let is_root = prelude.split(',').any(|selector| {
            matches!(selector.trim(), ":root" | "html" | "body" | ":host" | "*")
                || selector.trim().starts_with(":root")
        }) && !prelude.contains("dark");
        if subjects.is_empty() && !is_root {
            return;
        }
        self.declarations(block, &subjects, is_root);
    }

    fn declarations(&mut self, block: &mut Parser<'_>, subjects: &[For], is_root: bool) {
        while let Ok(token) = block.next().cloned() {
            let Token::Ident(name) = token else { continue };
            if block.expect_colon().is_err() {
                continue;
            }
            let begin = block.position();
            let mut end = begin;
            loop {
                match block.next() {
                    Ok(Token::CurlyBracketBlock) => break,
                    // A function that comes last was passed over by this step.
                    Err(_) | Ok(Token::Semicolon) => {
                        end = block.position();
                        break;
                    }
                    Ok(_) => end = block.position(),
                }
            }
            let value = block.slice(begin..end).trim_end_matches(';').trim();
            let value: String = value.chars().take(LONGEST_VALUE).collect();
            self.declare(&name.to_ascii_lowercase(), value, subjects, is_root);
        }
    }

    fn declare(&mut self, name: &str, value: String, subjects: &[For], is_root: bool) {
        if name.starts_with("--") {
            if is_root && self.variables.len() < MOST_VARIABLES {
                self.variables.insert(name.to_owned(), value);
            }
            return;
        }
        let property = match name {
            "background" | "background-color" => "background",
            "color" => "color",
            "font-family" => "fonts",
            "border-radius" => "radius",
            _ => return,
        };
        for subject in subjects {
            self.values.insert((*subject, property), value.clone());
        }
    }

    /// A value with its variables replaced.
    fn resolved(&self, value: &str) -> String {
        let mut value = value.to_owned();
        for _ in 0..MOST_STEPS {
            let Some(begin) = value.find("var(") else { break };
            let inner = &value[begin + 4..];
            let mut depth = 1;
            let end = inner.char_indices().find(|(_, char)| {
                depth += i32::from(*char == '(') - i32::from(*char == ')');
                depth == 0
            });
            let Some((end, _)) = end else { break };
            let (name, fallback) = inner[..end].split_once(',').unwrap_or((&inner[..end], ""));
            let named = self.variables.get(name.trim().to_ascii_lowercase().as_str());
            let put = named.map_or(fallback, String::as_str).trim().to_owned();
            value = format!("{}{put}{}", &value[..begin], &inner[end + 1..]);
            value = value.chars().take(LONGEST_VALUE).collect();
        }
        value
    }

    fn value(&self, of: For, property: &'static str) -> Option<String> {
        self.values.get(&(of, property)).map(|value| self.resolved(value))
    }

    fn colour(&self, of: For, property: &'static str) -> Option<Rgb> {
        first_colour(&self.value(of, property)?)
    }

    /// The colour that a variable of the page calls that of the brand.
    fn named(&self) -> Option<Rgb> {
        let names = ["brand", "primary", "accent"];
        let mut found: Vec<(usize, usize, &str, Rgb)> = Vec::new();
        for (name, value) in &self.variables {
            let words: Vec<&str> = name.split(['-', '_']).filter(|word| !word.is_empty()).collect();
            let Some(rank) = names.iter().position(|known| words.contains(known)) else { continue };
            let is_of_another = [
                "text",
                "contrast",
                "hover",
                "foreground",
                "on",
                "font",
                "bg",
                "background",
                "dark",
                "light",
            ]
            .iter()
            .any(|word| words.contains(word));
            let colour = first_colour(&self.resolved(value)).filter(|colour| is_colourful(*colour));
            if let Some(colour) = colour.filter(|_| !is_of_another) {
                found.push((rank, words.len(), name, colour));
            }
        }
        found.sort();
        found.first().map(|(_, _, _, colour)| *colour)
    }

    fn styles(&self) -> Styles {
        let colourful = |colour: Option<Rgb>| colour.filter(|colour| is_colourful(*colour));
        let accent = colourful(self.colour(For::Button, "background"))
            .or_else(|| self.named())
            .or_else(|| colourful(self.colour(For::Link, "color")));
        let fonts = |of: For| self.value(of, "fonts").map(|value| names(&value)).unwrap_or_default();
        Styles {
            background: self.colour(For::Page, "background"),
            text: self.colour(For::Page, "color"),
            accent,
            primary: colourful(self.colour(For::Band, "background")),
            heading_fonts: fonts(For::Heading),
            body_fonts: fonts(For::Page),
            corner_radius: self.value(For::Button, "radius").and_then(|value| pixels(&value)),
        }
    }
}

/// What a selector is for, if it is for one of the usual parts of a page and not for a state of it.
fn subject(selector: &str) -> Option<For> {
    let selector = selector.trim();
    if selector.contains(['>', '+', '~', '(', ' ']) || selector.contains("::") {
        return None;
    }
    if matches!(selector, "a" | "a:link" | ":link") {
        return Some(For::Link);
    }
    if selector.contains(':') && selector != ":root" {
        return None;
    }
    let is_button = |name: &str| {
        let name = name.trim_start_matches(['.', '#']);
        [
            "btn",
            "button",
            "btn-primary",
            "button-primary",
            "button--primary",
            "btn--primary",
            "cta",
            "wp-block-button__link",
        ]
        .contains(&name)
    };
    match selector {
        "html" | "body" | ":root" => Some(For::Page),
        "h1" | "h2" | "h1.title" => Some(For::Heading),
        "header" | "footer" | ".header" | ".footer" | ".site-header" | ".site-footer" | ".navbar" => {
            Some(For::Band)
        }
        _ if is_button(selector) => Some(For::Button),
        _ => None,
    }
}

/// Whether a colour is more than a grey.
fn is_colourful(colour: Rgb) -> bool {
    let (most, least) = (colour.iter().max(), colour.iter().min());
    most.zip(least).is_some_and(|(most, least)| most - least >= 32)
}

/// The colour that a text writes, such as that of a `meta`.
pub fn colour(text: &str) -> Option<Rgb> {
    first_colour(text)
}

/// The first opaque colour of a value.
fn first_colour(value: &str) -> Option<Rgb> {
    let mut parser = Parser::new(value);
    loop {
        match parser.next().ok()?.clone() {
            Token::Hash(digits) | Token::IDHash(digits) => return of_digits(&digits),
            Token::Ident(name) => {
                if let Ok((red, green, blue)) = parse_named_color(&name) {
                    return Some([red, green, blue]);
                }
            }
            Token::Function(name) => {
                let is_rgb = name.eq_ignore_ascii_case("rgb") || name.eq_ignore_ascii_case("rgba");
                let is_hsl = name.eq_ignore_ascii_case("hsl") || name.eq_ignore_ascii_case("hsla");
                let parts = parser.parse_nested_block(|block| Ok::<_, ParseError<()>>(numbers(block)));
                let parts = parts.unwrap_or_default();
                if is_rgb || is_hsl {
                    return if is_rgb { of_rgb(&parts) } else { of_hsl(&parts) };
                }
            }
            _ => {}
        }
    }
}

/// Numbers of a function; a share of the whole is marked.
fn numbers(block: &mut Parser<'_>) -> Vec<(f32, bool)> {
    let mut found = Vec::new();
    while let Ok(token) = block.next() {
        match token {
            Token::Number { value, .. } => found.push((*value, false)),
            Token::Percentage { unit_value, .. } => found.push((*unit_value, true)),
            Token::Dimension { value, unit, .. } if unit.eq_ignore_ascii_case("deg") => {
                found.push((*value, false));
            }
            Token::Comma | Token::Delim('/') => {}
            // What is computed is not known here.
            _ => return Vec::new(),
        }
    }
    found
}

fn is_opaque(parts: &[(f32, bool)]) -> bool {
    parts.get(3).is_none_or(|(share, _)| *share >= 0.9)
}

fn byte(value: f32) -> u8 {
    // Between the two bounds there is only a byte.
    value.round().clamp(0.0, 255.0) as u8
}

fn of_rgb(parts: &[(f32, bool)]) -> Option<Rgb> {
    let [red, green, blue] = parts.get(..3)?.try_into().ok().filter(|_| is_opaque(parts))?;
    Some(
        [red, green, blue]
            .map(|(value, is_share): (f32, bool)| byte(if is_share { value * 255.0 } else { value })),
    )
}

fn of_hsl(parts: &[(f32, bool)]) -> Option<Rgb> {
    let [(hue, _), (saturation, true), (lightness, true), ..] = parts else { return None };
    let (hue, saturation, lightness) = (*hue, *saturation, *lightness);
    let chroma = (1.0 - (2.0_f32 * lightness - 1.0).abs()) * saturation;
    let sector = hue.rem_euclid(360.0) / 60.0;
    let second = chroma * (1.0 - (sector.rem_euclid(2.0) - 1.0).abs());
    let (red, green, blue) = match sector {
        sector if sector < 1.0 => (chroma, second, 0.0),
        sector if sector < 2.0 => (second, chroma, 0.0),
        sector if sector < 3.0 => (0.0, chroma, second),
        sector if sector < 4.0 => (0.0, second, chroma),
        sector if sector < 5.0 => (second, 0.0, chroma),
        _ => (chroma, 0.0, second),
    };
    let base = lightness - chroma / 2.0;
    is_opaque(parts).then(|| [red, green, blue].map(|part| byte((part + base) * 255.0)))
}

fn of_digits(digits: &str) -> Option<Rgb> {
    let digit = |at: usize| {
        let char = char::from(*digits.as_bytes().get(at)?);
        u8::try_from(char.to_digit(16)?).ok()
    };
    let part = |at: usize| match digits.len() {
        3 | 4 => Some(digit(at)? * 17),
        6 | 8 => Some(digit(at * 2)? * 16 + digit(at * 2 + 1)?),
        _ => None,
    };
    let alpha = if matches!(digits.len(), 4 | 8) { part(3)? } else { 255 };
    (alpha >= 230).then_some([part(0)?, part(1)?, part(2)?])
}

/// The names of fonts in a value, without those that every system means something else by.
fn names(value: &str) -> Vec<String> {
    let generic = [
        "serif",
        "sans-serif",
        "monospace",
        "system-ui",
        "ui-sans-serif",
        "ui-serif",
        "inherit",
        "initial",
        "unset",
        "-apple-system",
        "blinkmacsystemfont",
        "cursive",
        "fantasy",
        "emoji",
        "math",
    ];
    let name = |part: &str| part.trim().trim_matches(['"', '\'']).trim().to_owned();
    let is_name = |name: &String| {
        let is_plain = name.chars().all(|char| char.is_alphanumeric() || matches!(char, ' ' | '-' | '_'));
        !name.is_empty()
            && name.len() <= 60
            && is_plain
            && !generic.contains(&name.to_ascii_lowercase().as_str())
    };
    value.replace("!important", "").split(',').map(name).filter(is_name).take(4).collect()
}

/// How many pixels a length is.
fn pixels(value: &str) -> Option<u8> {
    let mut parser = Parser::new(value);
    let length = match parser.next().ok()? {
        Token::Number { value, .. } if *value == 0.0 => 0.0,
        Token::Dimension { value, unit, .. } if unit.eq_ignore_ascii_case("px") => *value,
        Token::Dimension { value, unit, .. }
            if unit.eq_ignore_ascii_case("rem") || unit.eq_ignore_ascii_case("em") =>
        {
            *value * 16.0
        }
        _ => return None,
    };
    Some(byte(length.min(40.0)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn sheets_tell_colours_fonts_and_corners() {
        let styles = read(
            "@charset 'utf-8'; @import url(x.css);
            :root { --brand: rgb(138 51 36); --ink: #3b2f2f; --paper: hsl(45, 86%, 94%) }
            /* body { color: red } */
            body, html { background: var(--paper) url(a.png); color: var(--ink); font-family: 'Inter', system-ui, sans-serif }
            h1, h2 { font-family: Georgia, serif }
            @media (prefers-color-scheme: dark) { body { background: #000; color: #fff } }
            @media (min-width: 1px) { .btn { background-color: var(--brand); border-radius: .5rem } }
            .btn:hover { background: blue } header { background: #14213d } a { color: green }",
        );
        let expected = Styles {
            background: Some([253, 246, 227]),
            text: Some([0x3b, 0x2f, 0x2f]),
            accent: Some([138, 51, 36]),
            primary: Some([0x14, 0x21, 0x3d]),
            heading_fonts: vec!["Georgia".to_owned()],
            body_fonts: vec!["Inter".to_owned()],
            corner_radius: Some(8),
        };
        assert_eq!(styles, expected);
    }

    #[test]
    fn a_colour_is_that_of_buttons_else_of_a_variable_else_of_links() {
        let accent = |css: &str| read(css).accent;
        assert_eq!(
            accent("button{background:#06c} :root{--primary:#c00} a{color:#0a0}"),
            Some([0, 0x66, 0xcc])
        );
        assert_eq!(
            accent("button{background:#eee} :root{--color-primary:#c00} a{color:#0a0}"),
            Some([0xcc, 0, 0])
        );
        assert_eq!(accent(":root{--primary-hover:#c00} a{color:#0a0}"), Some([0, 0xaa, 0]));
        assert_eq!(accent("a{color:var(--missing, rebeccapurple)}"), Some([0x66, 0x33, 0x99]));
        assert_eq!(accent("a{color:transparent} .btn{background:rgba(200,0,0,.2)}"), None);
        assert_eq!(accent(":root{--a:var(--b);--b:var(--a)} a{color:var(--a)}"), None);
    }

    #[test]
    fn broken_and_hostile_sheets_cost_little() {
        let deep = format!("{}a{{color:red}}", "@media screen{".repeat(200));
        assert_eq!(read(&deep).accent, None);
        for css in
            ["{", "}", "a{", "a{color", "a{color:", "a{color:#12", "<!-- a{color:red} -->", "a{color:url("]
        {
            let _ = read(css);
        }
        let growing = format!(":root{{--a:{0};--b:{0}}}a{{color:var(--a)}}", "var(--b) ".repeat(2_000));
        assert_eq!(read(&growing).accent, None);
    }

    proptest! {
        #[test]
        fn any_text_has_styles(css in "([a-z.#:@]{1,6}|[{};:,()\"'/*]|--[a-z]|var\\(|#[0-9a-f]{0,8}|\\PC){0,80}") {
            let _ = read(&css);
        }
    }
}
