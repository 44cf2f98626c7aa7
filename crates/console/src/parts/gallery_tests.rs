//! What holds for every screen, shown on the gallery.

use std::collections::BTreeSet;

use proptest::prelude::*;
use scraper::{ElementRef, Html, Selector};

use super::chart::{Chart, Form, Series, chart};
use super::gallery;
use super::layout::Scheme;
use crate::words::Words;

fn words() -> Words {
    Words::choose(None, None)
}

fn all(html: &Html, selector: &str) -> Vec<String> {
    html.select(&Selector::parse(selector).unwrap()).map(|element| element.html()).collect()
}

fn everywhere(look: impl Fn(&str, &Html, &str)) {
    for (tag, _) in Words::languages() {
        for (name, drawn) in gallery::screens(Words::of(tag).unwrap(), Scheme::System) {
            let text = drawn.into_string();
            look(name, &Html::parse_document(&text), &text);
        }
    }
}

#[test]
fn nothing_is_drawn_that_the_policy_forbids() {
    everywhere(|name, html, text| {
        for element in html.select(&Selector::parse("*").unwrap()) {
            let forbidden = element.value().attrs().find(|(attribute, value)| {
                *attribute == "style"
                    || attribute.starts_with("on")
                    || attribute.starts_with("hx-on")
                    || value.trim_start().starts_with("javascript:")
                    || value.starts_with("js:")
            });
            assert_eq!(forbidden, None, "{name}: {}", element.html());
        }
        assert_eq!(all(html, "style"), Vec::<String>::new(), "{name}");
        let scripts = all(html, "script:not([src])");
        assert!(scripts.is_empty(), "{name}: {scripts:?}");
        assert!(!text.contains("<script>alert"), "{name}");
    });
}

#[test]
fn ids_are_unique_and_lead_somewhere() {
    everywhere(|name, html, _| {
        let mut ids = BTreeSet::new();
        for element in html.select(&Selector::parse("[id]").unwrap()) {
            let id = element.attr("id").unwrap();
            assert!(!id.is_empty() && !id.contains(char::is_whitespace), "{name}: id {id:?}");
            assert!(ids.insert(id), "{name}: id {id} twice");
        }
        for attribute in [
            "for",
            "aria-labelledby",
            "aria-describedby",
            "aria-controls",
            "form",
            "popovertarget",
            "data-select-all",
        ] {
            for element in html.select(&Selector::parse(&format!("[{attribute}]")).unwrap()) {
                for id in element.attr(attribute).unwrap().split(' ') {
                    assert!(ids.contains(id), "{name}: {attribute} leads to {id}, which is nowhere");
                }
            }
        }
    });
}

#[test]
fn every_control_has_a_name_and_every_screen_one_heading() {
    everywhere(|name, html, _| {
        let labelled: BTreeSet<&str> = html
            .select(&Selector::parse("label[for]").unwrap())
            .filter_map(|label| label.attr("for"))
            .collect();
        for control in html.select(&Selector::parse("input:not([type=hidden]), select, textarea").unwrap()) {
            let within_label =
                control.ancestors().filter_map(ElementRef::wrap).any(|above| above.value().name() == "label");
            let is_named = control.attr("aria-label").is_some_and(|label| !label.is_empty())
                || control.attr("id").is_some_and(|id| labelled.contains(id))
                || within_label;
            assert!(is_named, "{name}: {}", control.html());
        }
        for element in html.select(&Selector::parse("a, button, summary").unwrap()) {
            let says = element.attr("aria-label").map_or_else(|| element.text().collect(), str::to_owned);
            assert!(!says.trim().is_empty(), "{name}: {}", element.html());
        }
        assert_eq!(all(html, "h1").len(), 1, "{name}");
        assert_eq!(all(html, "main").len(), 1, "{name}");
        assert_eq!(all(html, "a.skip[href='#main']").len(), 1, "{name}");
    });
}

#[test]
fn the_present_area_is_marked_and_only_it() {
    let screens = gallery::screens(words(), Scheme::Dark);
    for (name, current) in [("table", "page"), ("form", "true")] {
        let (_, drawn) = screens.iter().find(|(known, _)| *known == name).unwrap();
        let html = Html::parse_document(&drawn.clone().into_string());
        let marked: Vec<_> = html
            .select(&Selector::parse(".areas [aria-current]").unwrap())
            .map(|link| (link.attr("href").unwrap(), link.attr("aria-current").unwrap()))
            .collect();
        assert_eq!(marked, [("/console/pages", current)]);
        assert_eq!(all(&html, "html[data-scheme=dark]").len(), 1);
    }
}

#[test]
fn screens_are_drawn_as_before() {
    for (name, drawn) in gallery::screens(words(), Scheme::System) {
        insta::assert_snapshot!(name, broken(&drawn.into_string()));
    }
    insta::assert_snapshot!("palette-results", broken(&gallery::palette_results(words()).into_string()));
}

/// The same markup with a line for every element, so that a difference can be read. Addresses of assets hold no digest.
fn broken(html: &str) -> String {
    let lines = html.replace("><", ">\n<");
    crate::assets::all().iter().fold(lines, |text, asset| text.replace(&asset.file, asset.name))
}

/// What SVG takes for a number here: digits with at most one fraction.
fn is_number(text: &str) -> bool {
    !text.is_empty()
        && text.parse::<f64>().is_ok_and(f64::is_finite)
        && text.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

proptest! {
    #[test]
    fn a_chart_has_numbers_within_its_view(
        values in proptest::collection::vec(proptest::collection::vec(prop_oneof![any::<u64>(), 0..100_u64, Just(0), Just(u64::MAX)], 0..40), 0..6),
        places in 0..40_usize, is_line in any::<bool>(),
    ) {
        let series = values.into_iter().map(|values| Series { name: "Visits", values }).collect();
        let labels = (0..places).map(|place| format!("place {place}")).collect();
        let form = if is_line { Form::Line } else { Form::Bar };
        let text = chart(words(), &Chart { id: "c", title: "Visits", form, places: "Day", labels, series }).into_string();
        let html = Html::parse_fragment(&text);
        for element in html.select(&Selector::parse("svg *").unwrap()) {
            let (mut right, mut below) = (0.0, 0.0);
            for (name, value) in element.value().attrs() {
                if ["x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "width", "height"].contains(&name) {
                    prop_assert!(is_number(value), "{name}={value}");
                    let value: f64 = value.parse().unwrap();
                    if ["x", "cx", "x2", "width"].contains(&name) { right += value; }
                    if ["y", "cy", "y2", "height"].contains(&name) { below += value; }
                }
                if name == "points" {
                    for point in value.split(' ') {
                        let (x, y) = point.split_once(',').unwrap();
                        prop_assert!(is_number(x) && is_number(y), "{point}");
                        prop_assert!(x.parse::<f64>().unwrap() <= 730.0 && y.parse::<f64>().unwrap() <= 246.0);
                    }
                }
            }
            prop_assert!(right <= 730.0 && below <= 246.0, "{}", element.html());
        }
    }
}
