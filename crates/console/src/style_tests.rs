//! What holds for the style sheet and the script: readable colours, nothing from elsewhere, nothing that the policy forbids.

use std::collections::{BTreeMap, BTreeSet};

use scraper::{Html, Selector};

use crate::parts::gallery;
use crate::parts::layout::Scheme;
use crate::words::Words;

const STYLE: &str = include_str!("static/console.css");
const SCRIPT: &str = concat!(include_str!("static/console.js"), include_str!("static/palette.js"));

/// The colours that a token has in light and in dark.
fn colours() -> BTreeMap<&'static str, [[f64; 3]; 2]> {
    let mut colours = BTreeMap::new();
    for line in STYLE.lines() {
        let Some((name, rest)) = line.trim().split_once(": light-dark(#") else { continue };
        let (light, dark) = rest.trim_end_matches(");").split_once(", #").unwrap();
        colours.insert(name, [light, dark].map(colour));
    }
    colours
}

fn colour(digits: &str) -> [f64; 3] {
    [0, 2, 4].map(|at| {
        let part = f64::from(u8::from_str_radix(&digits[at..at + 2], 16).unwrap()) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    })
}

/// The contrast of two colours as WCAG 2 counts it.
fn contrast(a: [f64; 3], b: [f64; 3]) -> f64 {
    let luminance = |[red, green, blue]: [f64; 3]| 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn texts_and_edges_can_be_seen_in_light_and_dark() {
    const GROUNDS: [&str; 4] = ["--ground", "--surface", "--raised", "--hover"];
    let colours = colours();
    let check = |front: &str, back: &str, least: f64| {
        for (scheme, at) in [("light", 0), ("dark", 1)] {
            let found = contrast(colours[front][at], colours[back][at]);
            assert!(found >= least, "{front} on {back} in {scheme}: {found:.2}, at least {least}");
        }
    };
    for ground in GROUNDS {
        check("--text", ground, 7.0);
        check("--muted", ground, 4.5);
        check("--accent", ground, 4.5);
        check("--bad", ground, 4.5);
        // What tells a control or a line of a chart from its ground.
        for edge in ["--edge", "--series-1", "--series-2", "--series-3", "--series-4"] {
            check(edge, ground, 3.0);
        }
    }
    for (text, ground) in [
        ("--on-accent", "--accent"),
        ("--on-danger", "--danger"),
        ("--accent", "--accent-soft"),
        ("--text", "--accent-soft"),
        ("--muted", "--accent-soft"),
        ("--good", "--good-soft"),
        ("--warning", "--warning-soft"),
        ("--bad", "--bad-soft"),
        ("--text", "--bad-soft"),
    ] {
        check(text, ground, 4.5);
    }
}

#[test]
fn every_token_that_is_used_is_there() {
    let defined: BTreeSet<&str> = STYLE
        .split(['{', ';', '\n'])
        .filter_map(|part| part.trim().split_once(':'))
        .map(|(name, _)| name.trim())
        .filter(|name| name.starts_with("--"))
        .collect();
    for used in STYLE.split("var(").skip(1) {
        let name = used.split([')', ',']).next().unwrap();
        assert!(defined.contains(name), "{name} is used and not defined");
    }
}

#[test]
fn every_class_that_is_drawn_has_a_style() {
    // These only say what an element is: for scripts, or for a difference that needs no style of its own.
    const PLAIN: [&str; 4] = ["plain", "places", "grid", "done"];
    let mut unknown = BTreeSet::new();
    for (_, drawn) in gallery::screens(Words::choose(None, None), Scheme::System) {
        let html = Html::parse_document(&drawn.into_string());
        for element in html.select(&Selector::parse("[class]").unwrap()) {
            let classes = element.value().classes().filter(|class| !PLAIN.contains(class));
            unknown.extend(classes.filter(|class| !STYLE.contains(&format!(".{class}"))).map(str::to_owned));
        }
    }
    assert!(unknown.is_empty(), "{unknown:?}");
}

#[test]
fn nothing_comes_from_elsewhere_and_nothing_is_evaluated() {
    for forbidden in ["@import", "url(", "http:", "https:", "expression("] {
        assert!(!STYLE.contains(forbidden), "the style has {forbidden}");
    }
    for forbidden in [
        "eval(",
        "Function(",
        "innerHTML",
        "outerHTML =",
        "insertAdjacentHTML",
        "document.write",
        ".style",
        "http:",
        "https:",
    ] {
        assert!(!SCRIPT.contains(forbidden), "the script has {forbidden}");
    }
}
