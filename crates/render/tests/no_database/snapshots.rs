//! Pages and components to the letter.

use pagesmith_model::content::Component;
use serde_json::json;

use crate::sample::Sample;

/// One tag to a line, our style and scripts left out.
fn spread(html: &str) -> String {
    let mut text = html.replace("><", ">\n<");
    for element in ["style", "script"] {
        let (open, close) = (format!("<{element}>"), format!("</{element}>"));
        let mut from = 0;
        while let Some(start) = text[from..].find(&open).map(|at| from + at + open.len()) {
            let Some(end) = text[start..].find(&close).map(|at| start + at) else { break };
            text.replace_range(start..end, "…");
            from = start;
        }
    }
    text
}

fn main_of(html: &str) -> &str {
    let start = html.find("<main").unwrap();
    &html[start..html.find("</main>").unwrap()]
}

#[test]
fn every_component_is_drawn_as_it_was() {
    let blocks = Sample::named("everything").content.blocks;
    assert_eq!(blocks.len(), Component::TAGS.len());
    for (block, tag) in blocks.into_iter().zip(Component::TAGS) {
        let mut sample = Sample::named("everything");
        sample.content.blocks = vec![block];
        (sample.widgets, sample.header_action_id) = (Vec::new(), None);
        insta::assert_snapshot!(*tag, spread(main_of(&sample.draw().html)));
    }
}

/// A page with this block alone.
fn drawn(block: &serde_json::Value) -> String {
    let mut sample = Sample::named("everything");
    sample.content.blocks = vec![serde_json::from_value(block.clone()).unwrap()];
    (sample.widgets, sample.header_action_id) = (Vec::new(), None);
    spread(main_of(&sample.draw().html))
}

#[test]
fn an_opening_has_a_figure_where_it_has_no_picture() {
    let hero = json!({ "type": "hero", "title": "T", "figure": { "value": "34 %", "label": "less time" } });
    insta::assert_snapshot!("hero-with-figure", drawn(&hero));
    insta::assert_snapshot!("hero-of-text", drawn(&json!({ "type": "hero", "title": "T" })));
}

#[test]
fn what_stands_alone_has_room_and_what_is_long_stands_below_each_other() {
    let quote = json!({ "quote": "Good.", "author": "Ann" });
    let alone = json!({ "type": "testimonial-carousel", "testimonials": [quote] });
    insta::assert_snapshot!("testimonial-alone", drawn(&alone));
    let step = json!({ "title": "Step" });
    let steps = json!({ "type": "steps", "steps": [step, step, step, step, step] });
    insta::assert_snapshot!("steps-in-a-column", drawn(&steps));
    let plan = json!({ "type": "price-cards", "title": "T", "plans": [{ "name": "Team" }] });
    insta::assert_snapshot!("plan-alone", drawn(&plan));
}

#[test]
fn names_are_a_row_of_text_where_there_is_no_logo() {
    let names = json!({ "type": "logo-marquee", "names": ["First", " ", "Second"] });
    insta::assert_snapshot!("logo-marquee-of-names", drawn(&names));
}

#[test]
fn widgets_follow_the_content() {
    let mut sample = Sample::named("everything");
    sample.content.blocks.clear();
    insta::assert_snapshot!("widgets", spread(main_of(&sample.draw().html)));
}

#[test]
fn a_whole_page_is_drawn_as_it_was() {
    let mut sample = Sample::named("everything");
    sample.content.blocks.truncate(2);
    sample.widgets.clear();
    insta::assert_snapshot!("page", spread(&sample.draw().html));
}

#[test]
fn notices_wear_the_same_look() {
    use pagesmith_render::{Language, Notice, Theme, notice};
    let language = Language::of(Some("de"));
    let drawn = notice(Notice::NotPublished, "Example & Co", &Theme::default(), &language);
    insta::assert_snapshot!("notice", spread(&drawn.html));
    assert!(!drawn.content_security_policy.contains("unsafe"));
}
