//! What is told of a page, and which of several sayings wins.

use pagesmith_model::content::Content;
use pagesmith_model::page::metadata::Metadata;
use pagesmith_render::{Defaults, Head};
use serde_json::{Value, json};

use crate::page_tree::select;
use crate::sample::Sample;

fn metadata(value: Value) -> Metadata {
    serde_json::from_value(value).unwrap()
}

fn content(head: &Value) -> Content {
    serde_json::from_value(json!({ "head": head, "blocks": [
        { "type": "hero", "title": "Hero", "subtitle": "From the hero",
          "image": { "url": "https://images.example.com/h.png", "altText": "A hero" } },
    ] }))
    .unwrap()
}

const DEFAULTS: Defaults<'static> = Defaults {
    page_name: "Name",
    site_name: "Site",
    url: Some("https://pages.example.com/a"),
    is_personal: false,
};

#[test]
fn the_audience_goes_before_the_page_and_the_page_before_the_content() {
    let (page, audience) =
        (metadata(json!({ "title": "Page", "description": "P" })), metadata(json!({ "title": "Audience" })));
    let content = content(&json!({ "title": "Content", "description": "C", "language": "pt-BR" }));
    let head = Head::resolve(Some(&page), Some(&audience), &content, &DEFAULTS);
    assert_eq!((head.title.as_str(), head.description.as_deref()), ("Audience", Some("P")));
    let head = Head::resolve(Some(&page), None, &content, &DEFAULTS);
    assert_eq!(head.title, "Page");
    let head = Head::resolve(None, None, &content, &DEFAULTS);
    assert_eq!((head.title.as_str(), head.description.as_deref()), ("Content", Some("C")));
    assert_eq!(head.language.tag(), "pt-BR");
}

#[test]
fn what_nobody_says_is_told_from_the_content() {
    let head = Head::resolve(Some(&metadata(json!({ "title": " " }))), None, &content(&json!({})), &DEFAULTS);
    assert_eq!((head.title.as_str(), head.description.as_deref()), ("Name", Some("From the hero")));
    assert_eq!(head.canonical.as_deref(), Some("https://pages.example.com/a"));
    assert_eq!(head.og.image.as_deref(), Some("https://images.example.com/h.png"));
    assert_eq!(head.twitter.image_alt.as_deref(), Some("A hero"));
    assert!(head.is_indexable());
}

#[test]
fn a_personal_page_is_kept_from_search_engines_unless_it_is_asked_for() {
    let defaults = Defaults { is_personal: true, ..DEFAULTS };
    let head = Head::resolve(None, None, &content(&json!({})), &defaults);
    assert_eq!(head.robots, ["noindex"]);
    let asked = metadata(json!({ "robots": ["index", "max-snippet:50"] }));
    let head = Head::resolve(Some(&asked), None, &content(&json!({})), &defaults);
    assert_eq!(head.robots, ["index", "max-snippet:50"]);
    assert!(head.is_indexable());
}

#[test]
fn addresses_that_cannot_be_fetched_are_left_out() {
    let bad = metadata(
        json!({ "canonicalUrl": "javascript:alert(1)", "ogImageUrl": "data:x", "themeColor": "red;}" }),
    );
    let head =
        Head::resolve(Some(&bad), None, &content(&json!({})), &Defaults { url: Some("/a"), ..DEFAULTS });
    assert_eq!((head.canonical, head.theme_color), (None, None));
    assert_eq!(head.og.image.as_deref(), Some("https://images.example.com/h.png"));
}

#[test]
fn linked_data_is_json_and_ends_where_it_ends() {
    let mut sample = Sample::named("everything");
    sample.content.head.title = Some("</script><script>alert(1)</script> & \u{2028} \"q\"".to_owned());
    let html = sample.draw().html;
    let data = select(&html, "script[type='application/ld+json']");
    assert_eq!(data.len(), 1);
    let text =
        data[0].trim_start_matches("<script type=\"application/ld+json\">").trim_end_matches("</script>");
    let value: Value = serde_json::from_str(text).unwrap();
    assert_eq!(value["name"], sample.content.head.title.unwrap());
    assert_eq!(value["@type"], "WebPage");
}
