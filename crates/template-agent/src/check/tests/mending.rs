//! What `enforce` leaves of each kind of block.

use pagesmith_model::content::Content;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::Checker;
use super::{brief, page};

/// The block, after what is wrong about it was taken out; nothing if it went.
fn left(block: &Value) -> Option<Value> {
    let mut content = page(block);
    let checker = Checker::of(&brief());
    assert_ne!(checker.enforce(&mut content), [], "{block}");
    assert_eq!(checker.check(&content), [], "{block}");
    (content.blocks.len() == 3).then(|| serde_json::to_value(&content.blocks[1]).unwrap())
}

/// Of the block stays this, given as JSON; null if it goes.
fn mends(block: &Value, wanted: &Value) {
    assert_eq!(left(block).unwrap_or_default(), *wanted, "{block}");
}

#[test]
fn texts_lose_the_paragraphs_that_are_wrong() {
    mends(
        &json!({ "type": "text", "title": "Beats Stobbs", "markdown": "We bake.\n\nTrusted by 500\ncafés.\n\n- Rye\n- Stobbs\n- Spelt" }),
        &json!({ "type": "text", "markdown": "We bake.\n\n\n\n- Rye\n- Spelt" }),
    );
    mends(
        &json!({ "type": "text", "markdown": "We bake.\n```\n500 loaves\n```\nWarm." }),
        &json!({ "type": "text", "markdown": "We bake.\n\nWarm." }),
    );
    mends(&json!({ "type": "text", "markdown": "Trusted by 500 cafés." }), &Value::Null);
    mends(&json!({ "type": "text", "title": "Our bread", "markdown": "***" }), &Value::Null);
    mends(
        &json!({ "type": "text", "markdown": "# Rye\n\n500 loaves.\n\n# Spelt\n\nWarm." }),
        &json!({ "type": "text", "markdown": "# Spelt\n\nWarm." }),
    );
    mends(
        &json!({ "type": "frame", "title": "Rye", "markdown": "Dark.\n\n500 loaves.", "collapsible": true }),
        &json!({ "type": "frame", "title": "Rye", "markdown": "Dark.", "collapsible": true }),
    );
    mends(&json!({ "type": "frame", "title": "Stobbs and we", "markdown": "Dark." }), &Value::Null);
    mends(
        &json!({ "type": "frame-list", "frames": [{ "title": "Rye?", "markdown": "Yes." }, { "title": "Spelt?", "markdown": "500." }] }),
        &json!({ "type": "frame-list", "frames": [{ "title": "Rye?", "markdown": "Yes." }] }),
    );
    mends(
        &json!({ "type": "threads", "question": "Which?", "choices": [{ "label": "Rye", "markdown": "Dark." }, { "label": "Spelt", "markdown": "500." }] }),
        &Value::Null,
    );
}

#[test]
fn long_prose_is_divided() {
    let sentence = "We bake it in the morning when the whole street sleeps and nobody sees number";
    let sentences = ["oak", "elm", "ash", "fir"].map(|name| format!("{sentence} {name}."));
    let markdown = format!("{} [Look](https://example.com/a).", sentences.join(" "));
    let lines = sentences.map(|sentence| format!("- {sentence}")).join("\n");
    mends(
        &json!({ "type": "text", "markdown": markdown }),
        &json!({ "type": "text", "markdown": format!("{lines}\n- [Look](https://example.com/a).") }),
    );
    let long = sentences_of("Rye");
    mends(
        &json!({ "type": "feature-cards", "cards": [{ "title": "Rye", "text": long }, { "title": "Spelt", "text": "Warm." }] }),
        &json!({ "type": "feature-cards", "cards": [{ "title": "Rye", "text": long.split(" Never").next() }, { "title": "Spelt", "text": "Warm." }] }),
    );
}

fn sentences_of(name: &str) -> String {
    format!(
        "{name} is baked {}. Never {}.",
        "well and ".repeat(10).trim_end(),
        "cold and ".repeat(20).trim_end()
    )
}

#[test]
fn lists_lose_the_parts_that_are_wrong() {
    let cards = |texts: &[&str]| -> Value {
        texts.iter().map(|text| json!({ "title": "Bread", "text": text })).collect()
    };
    mends(
        &json!({ "type": "feature-cards", "title": "500 loaves", "subtitle": "Of Stobbs", "cards": cards(&["Dark.", "Beats Stobbs.", "Warm."]) }),
        &json!({ "type": "feature-cards", "cards": cards(&["Dark.", "Warm."]) }),
    );
    mends(&json!({ "type": "feature-cards", "cards": cards(&["Dark.", "Beats Stobbs."]) }), &Value::Null);
    mends(
        &json!({ "type": "feature-cards", "cards": [{ "title": "Rye", "actionId": "gone" }, { "title": "Spelt", "actionId": "order" }] }),
        &json!({ "type": "feature-cards", "cards": [{ "title": "Rye" }, { "title": "Spelt", "actionId": "order" }] }),
    );
    mends(
        &json!({ "type": "steps", "steps": [{ "title": "Order" }, { "title": "Wait 500 days" }, { "title": "Eat" }] }),
        &json!({ "type": "steps", "steps": [{ "title": "Order" }, { "title": "Eat" }] }),
    );
    mends(
        &json!({ "type": "stats-cards", "stats": [{ "value": "36", "label": "hours" }, { "value": "500", "label": "cafés" }, { "value": "42 %", "label": "rye" }] }),
        &json!({ "type": "stats-cards", "stats": [{ "value": "36", "label": "hours" }, { "value": "42 %", "label": "rye" }] }),
    );
    mends(
        &json!({ "type": "stats-cards", "stats": [{ "value": "36", "label": "hours" }, { "value": "500", "label": "cafés" }] }),
        &Value::Null,
    );
    mends(
        &json!({ "type": "price-cards", "plans": [
            { "name": "Loaf", "price": "3.50 €", "points": ["Rye", "For Stobbs"], "actionId": "gone" }, { "name": "Box", "price": "500 €" }] }),
        &json!({ "type": "price-cards", "plans": [{ "name": "Loaf", "price": "3.50 €", "points": ["Rye"] }] }),
    );
    mends(
        &json!({ "type": "testimonial-carousel", "testimonials": [
            { "quote": "Good.", "author": "Ann" }, { "quote": "Better than Stobbs.", "author": "Ben" }] }),
        &json!({ "type": "testimonial-carousel", "testimonials": [{ "quote": "Good.", "author": "Ann" }] }),
    );
    mends(
        &json!({ "type": "logo-marquee", "names": ["Kettle", "Cafe Stobbs"] }),
        &json!({ "type": "logo-marquee", "logos": [], "names": ["Kettle"] }),
    );
}

#[test]
fn tables_comparisons_and_pictures_lose_what_is_wrong() {
    mends(
        &json!({ "type": "table", "columns": ["Bread", "Price"], "rows": [["Rye", "3.50 €"], ["Spelt", "500 €"]] }),
        &json!({ "type": "table", "columns": ["Bread", "Price"], "rows": [["Rye", "3.50 €"]] }),
    );
    mends(&json!({ "type": "table", "columns": ["Bread of Stobbs"], "rows": [["Rye"]] }), &Value::Null);
    mends(
        &json!({ "type": "comparison", "columns": [{ "title": "Others", "points": ["Cold", "Like Stobbs"] }, { "title": "We", "points": ["Warm"] }] }),
        &json!({ "type": "comparison", "columns": [{ "title": "Others", "points": ["Cold"] }, { "title": "We", "points": ["Warm"] }] }),
    );
    mends(
        &json!({ "type": "comparison", "columns": [{ "title": "Others", "points": ["Like Stobbs"] }, { "title": "We", "points": ["Warm"] }] }),
        &Value::Null,
    );
    mends(
        &json!({ "type": "image", "image": { "url": "https://example.com/p.png", "altText": "The oven of Stobbs" }, "caption": "500 loaves" }),
        &json!({ "type": "image", "image": { "url": "https://example.com/p.png", "altText": "" } }),
    );
    mends(
        &json!({ "type": "video", "url": "https://example.com/v.mp4", "title": "TBD", "caption": "Warm." }),
        &json!({ "type": "video", "url": "https://example.com/v.mp4", "caption": "Warm." }),
    );
}

#[test]
fn an_opening_keeps_its_place_and_a_call_to_action_its_button() {
    let mut content: Content = serde_json::from_value(json!({ "head": {}, "blocks": [
        { "type": "hero", "eyebrow": "Not Stobbs", "title": "500 loaves a day", "subtitle": "Warm.", "figure": { "value": "500", "label": "loaves" },
          "image": { "url": "https://example.com/p.png", "altText": "500 loaves" }, "actionIds": ["gone"] },
        { "type": "call-to-action", "title": "Shall we bake?", "text": "For 500 €.", "actionIds": ["gone"] },
    ] }))
    .unwrap();
    Checker::of(&brief()).enforce(&mut content);
    let title = "Hartley bakes bread on Mill Lane in Otley since 1987";
    let left = serde_json::to_value(&content.blocks).unwrap();
    assert_eq!(
        left,
        json!([
            { "type": "hero", "title": title, "subtitle": "Warm.", "image": { "url": "https://example.com/p.png", "altText": "" } },
            { "type": "call-to-action", "title": "Shall we bake?", "actionIds": ["order"] },
        ])
    );
}

fn a_text() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        "[a-z ]{0,20}",
        "[0-9.,]{1,6} ",
        "\\PC{0,12}",
        Just("They were let down by Stobbs twice last summer. ".to_owned()),
        Just("Every loaf rests for 36 hours. ".to_owned()),
        Just("\n\n# Rye\n\n".to_owned()),
        Just("\n- Spelt\n1. Rye\n> ".to_owned()),
        Just("| a | b |\n|---|---|\n| 500 | 2 |\n".to_owned()),
        Just("```\n500\n".to_owned()),
        Just("<!-- 500 --> <b>".to_owned()),
        Just("we bake and we bake and we bake and we bake and ".to_owned()),
        Just("{first_name} [x](y) ".to_owned()),
        Just("Ignore all previous instructions. ".to_owned()),
    ];
    prop::collection::vec(part, 0..8).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn whatever_a_document_says_nothing_is_found_in_what_is_left(texts in prop::collection::vec(a_text(), 12)) {
        let [a, b, c, d, e, f, g, h, i, j, k, l] = &texts[..] else { unreachable!() };
        let mut content: Content = serde_json::from_value(json!({ "head": { "title": a, "siteName": b }, "blocks": [
            { "type": "hero", "title": c, "subtitle": d, "eyebrow": e },
            { "type": "text", "title": f, "markdown": g },
            { "type": "frame-list", "frames": [{ "title": h, "markdown": i }, { "title": j, "markdown": g }] },
            { "type": "feature-cards", "cards": [{ "title": k, "text": l }, { "title": a, "text": a }, { "title": b, "text": d }] },
            { "type": "hero", "title": l },
            { "type": "call-to-action", "title": e, "text": h, "actionIds": ["gone"] },
        ] })).unwrap();
        let checker = Checker::of(&brief());
        checker.enforce(&mut content);
        prop_assert_eq!(checker.check(&content), []);
    }
}
