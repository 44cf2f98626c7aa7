//! Our own style and scripts: read once, freed of what only people read, and named by their hashes.

use std::sync::LazyLock;

use crate::csp::hash_of;

/// A text of ours as it is served.
#[derive(Debug)]
pub(crate) struct Asset {
    pub text: String,
    pub hash: String,
}

impl Asset {
    fn of(text: String) -> Asset {
        Asset { hash: hash_of(&text), text }
    }
}

/// How every page looks.
pub(crate) static STYLE: LazyLock<Asset> =
    LazyLock::new(|| Asset::of(tighten(&squeeze(include_str!("static/page.css")))));
/// How forms look.
pub(crate) static FORM_STYLE: LazyLock<Asset> =
    LazyLock::new(|| Asset::of(tighten(&squeeze(include_str!("static/form.css")))));
/// What makes a page handier where there is script.
pub(crate) static SCRIPT: LazyLock<Asset> =
    LazyLock::new(|| Asset::of(tighten_script(&squeeze(include_str!("static/page.js")))));
/// What reports how far a page view has come.
pub(crate) static MEASURE: LazyLock<Asset> =
    LazyLock::new(|| Asset::of(tighten_script(&squeeze(include_str!("static/measure.js")))));
/// What tells the console which block of a preview was clicked.
pub(crate) static PREVIEW: LazyLock<Asset> =
    LazyLock::new(|| Asset::of(squeeze(include_str!("static/preview.js"))));
/// What sends forms from where they stand.
pub(crate) static FORM: LazyLock<Asset> =
    LazyLock::new(|| Asset::of(squeeze(include_str!("static/form.js"))));
/// How the field for questions looks.
pub(crate) static ASK_STYLE: LazyLock<Asset> =
    LazyLock::new(|| Asset::of(tighten(&squeeze(include_str!("static/ask.css")))));
/// What loads the script of that field when it is used.
pub(crate) static ASK_START: LazyLock<Asset> =
    LazyLock::new(|| Asset::of(tighten_script(&squeeze(include_str!("static/ask_start.js")))));
/// What answers questions where they are asked.
pub(crate) static ASK: LazyLock<Asset> = LazyLock::new(|| Asset::of(squeeze(include_str!("static/ask.js"))));
/// What asks for consent and sets a page's own scripts free.
pub(crate) static LOADER: LazyLock<Asset> =
    LazyLock::new(|| Asset::of(squeeze(include_str!("static/loader.js"))));

/// Drops indentation, empty lines, and comments that have a line of their own. Line ends stay: scripts need some of them.
fn squeeze(source: &str) -> String {
    let mut text = String::with_capacity(source.len());
    for line in source.lines().map(str::trim) {
        let is_comment = line.starts_with("//") || line.starts_with("/*") && line.ends_with("*/");
        if !line.is_empty() && !is_comment {
            text.push_str(line);
            text.push('\n');
        }
    }
    text
}

/// Drops what our scripts are spaced with, and line ends that no statement needs. It does not look for texts within them: none may mean
/// something by such a space.
fn tighten_script(script: &str) -> String {
    const OPERATORS: [&str; 19] = [
        "===", "==", "!==", "=", "=>", "||=", "||", "&&", "+", "-", "*", "/", "+=", "?", ":", ">", "<", "<=",
        ">=",
    ];
    let spaced = OPERATORS
        .iter()
        .fold(script.to_owned(), |text, operator| text.replace(&format!(" {operator} "), operator));
    let ends = [
        (", ", ","),
        ("; ", ";"),
        (": ", ":"),
        ("{ ", "{"),
        (" }", "}"),
        (" {", "{"),
        (") ", ")"),
        ("{\n", "{"),
        ("\n}", "}"),
        (",\n", ","),
        ("(\n", "("),
    ];
    without_parentheses(&ends.into_iter().fold(spaced, |text, (wide, tight)| text.replace(wide, tight)))
}

/// `(name)=>` is `name=>`.
fn without_parentheses(script: &str) -> String {
    let mut parts = script.split(")=>");
    let mut tight = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let name = tight.rsplit_once('(').map_or("", |(_, name)| name);
        let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphabetic());
        if is_name {
            tight.remove(tight.len() - name.len() - 1);
        } else {
            tight.push(')');
        }
        tight.push_str("=>");
        tight.push_str(part);
    }
    tight
}

/// Drops what a style sheet is spaced with. A space before a colon means something, one after it does not.
fn tighten(css: &str) -> String {
    let spaced = [
        ("\n", ""),
        (": ", ":"),
        ("; ", ";"),
        (", ", ","),
        (" { ", "{"),
        (" {", "{"),
        (" }", "}"),
        (" > ", ">"),
        (" ~ ", "~"),
        (" !", "!"),
        ("@media (", "@media("),
    ];
    let css = spaced.into_iter().fold(css.to_owned(), |css, (wide, tight)| css.replace(wide, tight));
    // A plus between selectors needs no space, one in a calculation does.
    let rules = css.split_inclusive('}').map(|rule| match rule.rsplit_once('{') {
        Some((selector, declarations)) => format!("{}{{{declarations}", selector.replace(" + ", "+")),
        None => rule.to_owned(),
    });
    rules.collect()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;
    use crate::fonts::{FontFace, FontMeasures, Fonts};
    use crate::theme::Theme;

    #[test]
    fn what_every_visitor_loads_is_small() {
        let style = STYLE.text.len() + Theme::default().css().len();
        assert!(style <= 15 * 1024, "{style} bytes of style");
        // A brand whose fonts are as many files as it may have.
        let measures = FontMeasures {
            ascent: 9_501,
            descent: 2_501,
            line_gap: 101,
            width: 4_801,
            bold_width: 5_203,
            is_serif: false,
        };
        let path = "/files/01jpbz8n4xf5k9w2d7hq3mv6ta-AAAAAAAAAAAAAAAAAAAAAA";
        let face = |weight| FontFace::new(path, (weight, weight + 100), true, measures);
        let fonts = |first: u16| Fonts::default().behind((first..first + 4).filter_map(face).collect());
        let theme = Theme { heading_fonts: fonts(100), body_fonts: fonts(200), ..Theme::default() };
        let fonts = theme.css().len() - Theme::default().css().len();
        assert!(fonts <= 2_304, "{fonts} bytes of style for fonts");
        let script = SCRIPT.text.len() + LOADER.text.len();
        assert!(script <= 5 * 1024, "{script} bytes of script");
        let packed = |scripts: &[&Asset]| {
            let mut packer = GzEncoder::new(Vec::new(), Compression::best());
            scripts.iter().for_each(|script| packer.write_all(script.text.as_bytes()).unwrap());
            packer.finish().unwrap().len()
        };
        // With the field for questions, 1.8 KB.
        let all = packed(&[&SCRIPT, &ASK_START, &MEASURE]);
        assert!(all <= 1_843, "{all} bytes of script, packed");
    }

    #[test]
    fn a_single_parameter_needs_no_parentheses() {
        for (script, tight) in [
            ("const f = (one) => one\n", "const f=one=>one\n"),
            ("f((a, b) => a)\n", "f((a,b)=>a)\n"),
            ("f(async (a) => (b) => a)\n", "f(async a=>b=>a)\n"),
            ("f(() => 1, ({ a }) => a)\n", "f(()=>1,({a})=>a)\n"),
        ] {
            assert_eq!(tighten_script(script), tight);
        }
    }

    #[test]
    fn nothing_of_ours_ends_the_element_that_it_stands_in() {
        for asset in [&STYLE, &SCRIPT, &MEASURE, &LOADER, &ASK_STYLE, &ASK_START, &PREVIEW] {
            assert!(!asset.text.contains("</") && !asset.text.contains("<!--"));
        }
    }

    #[test]
    fn only_what_people_read_is_dropped() {
        assert_eq!(
            tighten("a :is(b, c) > d + e {\nf: calc(1px + 2px); g: h }\n@media (i) {\nj + k { l: m }\n}\n"),
            "a :is(b,c)>d+e{f:calc(1px + 2px);g:h}@media(i){j+k{l:m}}"
        );
        assert_eq!(squeeze("/* a */\n\n  b {\n    c: d; /* e */\n  }\n// f\n"), "b {\nc: d; /* e */\n}\n");
    }
}
