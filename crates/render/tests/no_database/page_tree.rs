//! What holds for the tree of every page, whatever it was drawn from.

use std::collections::HashSet;

use pagesmith_model::content::address;
use pagesmith_render::Rendered;
use scraper::{ElementRef, Html, Selector};

use crate::sample::Sample;

/// Elements that no page of ours has, but for the last two, which its owner's scripts may hold.
const NEVER: [&str; 10] =
    ["base", "form", "object", "embed", "applet", "frame", "frameset", "plaintext", "iframe", "marquee"];

/// Everything that must hold for a page, in words.
pub fn faults(drawn: &Rendered) -> Vec<String> {
    let tree = Html::parse_document(&drawn.html);
    let mut faults = Vec::new();
    let all: Vec<ElementRef<'_>> = tree.root_element().descendent_elements().collect();
    let mut ids = HashSet::new();
    for element in &all {
        if let Some(id) = element.value().id()
            && !ids.insert(id)
        {
            faults.push(format!("the id {id} stands twice"));
        }
    }
    for element in &all {
        let name = element.value().name();
        let is_held = element
            .ancestors()
            .filter_map(ElementRef::wrap)
            .any(|above| above.value().name() == "noscript" || above.value().attr("data-scripts").is_some());
        // The page's own forms, which lead to its own site.
        let is_own_form = name == "form" && element.attr("action") == Some("/.pagesmith/f");
        if NEVER.contains(&name) && !is_held && !is_own_form {
            faults.push(format!("an element {name}"));
        }
        if name == "script" && !is_held && !is_ours(element, drawn) {
            faults.push(format!("a script: {}", element.html()));
        }
        if name == "style" && !is_held && !drawn.content_security_policy.contains(&hash_of(element)) {
            faults.push("a style that the policy does not name".to_owned());
        }
        for (attribute, value) in element.value().attrs() {
            let is_bad = match attribute {
                "href" | "src" => {
                    !leads_somewhere(name, value) || value.starts_with("#ps-") && !ids.contains(&value[1..])
                }
                "aria-labelledby" | "aria-describedby" | "aria-controls" | "for" => !ids.contains(value),
                "action" => !is_own_form,
                "style" | "srcdoc" | "http-equiv" | "formaction" => true,
                _ => attribute.starts_with("on"),
            };
            if is_bad {
                faults.push(format!("{name} has {attribute}={value}"));
            }
        }
        if name == "img" && !is_held {
            let is_sized = element.attr("width").is_some() && element.attr("height").is_some();
            if element.attr("alt").is_none() || !is_sized && element.attr("class") != Some("unsized") {
                faults.push(format!("a picture moves the page or says nothing: {}", element.html()));
            }
        }
    }
    faults.extend(outline_faults(&all));
    faults
}

fn outline_faults(all: &[ElementRef<'_>]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut before = 0;
    let mut firsts = 0;
    for element in all {
        let [b'h', rank @ b'1'..=b'6'] = element.value().name().as_bytes() else { continue };
        // A dialog and a banner are read by themselves.
        let is_apart = element
            .ancestors()
            .filter_map(ElementRef::wrap)
            .any(|above| above.value().name() == "dialog" || above.value().attr("data-consent").is_some());
        let level = usize::from(rank - b'0');
        if is_apart {
            continue;
        }
        firsts += usize::from(level == 1);
        if level > before + 1 {
            faults.push(format!("a heading of level {level} follows one of level {before}"));
        }
        before = level;
    }
    if firsts != 1 {
        faults.push(format!("{firsts} first headings"));
    }
    faults
}

fn leads_somewhere(name: &str, value: &str) -> bool {
    if name == "link" && value.starts_with("data:image/svg+xml,") {
        return true;
    }
    if name == "a" { address::is_linked(value) } else { address::is_fetched(value) }
}

fn is_ours(script: &ElementRef<'_>, drawn: &Rendered) -> bool {
    script.attr("type") == Some("application/ld+json")
        || script.attr("src").is_none() && drawn.content_security_policy.contains(&hash_of(script))
}

fn hash_of(element: &ElementRef<'_>) -> String {
    use base64::Engine as _;
    use sha2::{Digest, Sha256};
    let text: String = element.text().collect();
    format!("'sha256-{}'", base64::engine::general_purpose::STANDARD.encode(Sha256::digest(text)))
}

/// The elements of a page that a selector names, as HTML.
pub fn select(html: &str, selector: &str) -> Vec<String> {
    let tree = Html::parse_document(html);
    tree.select(&Selector::parse(selector).unwrap()).map(|element| element.html()).collect()
}

#[test]
fn every_sample_is_without_fault() {
    for name in ["everything", "outbound", "call_followup", "sales_deck"] {
        assert_eq!(faults(&Sample::named(name).draw()), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn faults_are_found() {
    let bad = "<!doctype html><h1>a</h1><h3 id=x>b</h3><p id=x onclick=y style=z>c</p><script>d</script>\
        <a href='javascript:e'>f</a><a href='#ps-gone'>g</a><img src='https://h.example/'><form></form><h1>i</h1>";
    let drawn = Rendered { html: bad.to_owned(), content_security_policy: String::new() };
    assert_eq!(faults(&drawn).len(), 10, "{:#?}", faults(&drawn));
}

#[test]
fn a_page_without_a_hero_still_has_a_first_heading() {
    let mut sample = Sample::named("everything");
    sample.content.blocks.remove(0);
    let drawn = sample.draw();
    assert_eq!(faults(&drawn), Vec::<String>::new());
    assert_eq!(select(&drawn.html, "h1"), ["<h1 class=\"hidden\" dir=\"auto\">Everything</h1>"]);
}

#[test]
fn an_empty_document_is_a_page() {
    let mut sample = Sample::named("everything");
    sample.content.blocks.clear();
    assert_eq!(faults(&sample.draw()), Vec::<String>::new());
}
