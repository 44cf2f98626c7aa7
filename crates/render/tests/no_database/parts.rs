//! Actions, scripts, and what is around the content.

use pagesmith_render::FrameAncestors;
use serde_json::json;

use crate::page_tree::select;
use crate::sample::Sample;

#[test]
fn actions_that_cannot_be_done_are_left_out() {
    let html = Sample::named("everything").draw().html;
    let hero = select(&html, ".hero .actions > *").len();
    assert_eq!(hero, 2, "the third names nothing");
    assert_eq!(select(&html, ".card a[href='tel:+4912345']").len(), 1);
    for gone in ["Lost", "Bad", "No address", "javascript:", "Unknown", "file_1"] {
        assert!(!html.contains(gone), "{gone}");
    }
    assert_eq!(select(&html, "a[href='https://elsewhere.example.com/?a=1&b=2'][rel=noopener]").len(), 1);
    assert_eq!(select(&html, "a[href='https://pages.example.com/b']:not([rel])").len(), 1);
}

#[test]
fn a_form_is_reached_with_and_without_script() {
    let html = Sample::named("everything").draw().html;
    assert_eq!(select(&html, "header a[href='#ps-action-1'][data-dialog]").len(), 1);
    let dialogs = select(&html, "dialog#ps-action-1");
    assert_eq!(dialogs.len(), 1, "one dialog, however often its button stands");
    assert!(dialogs[0].contains("Say what you need."));
}

#[test]
fn a_text_to_copy_can_be_read() {
    let html = Sample::named("everything").draw().html;
    assert_eq!(select(&html, ".call .copy details code"), ["<code dir=\"auto\">CODE-1</code>"]);
}

#[test]
fn scripts_wait_until_the_visitor_agrees() {
    let mut sample = Sample::named("everything");
    let drawn = sample.draw();
    assert_eq!(select(&drawn.html, "html[data-held]").len(), 1);
    // What a template holds is no part of the tree, and that is why it does not run.
    let held = "<template data-scripts=\"head\"><script async=\"\" src=\"https://metrics.example.com/m.js\"></script>\
        <script data-code=\"window.ready = 1 &lt; 2\"></script></template>";
    assert!(drawn.html.contains(held));
    assert!(drawn.html.contains(
        "<template data-scripts=\"body-end\"><script data-code=\"window.end = true\"></script></template>"
    ));
    let choices = select(&drawn.html, "[data-consent] button");
    assert_eq!(choices.len(), 2);
    let alike = |choice: &str| {
        choice.replace("denied", "").replace("granted", "").replace("Accept", "").replace("Decline", "")
    };
    assert_eq!(alike(&choices[0]), alike(&choices[1]), "two choices of the same look");
    assert_eq!(select(&drawn.html, "footer button[data-change]").len(), 1);
    assert!(!drawn.html.contains("off()"));
    sample.needs_consent = false;
    let html = sample.draw().html;
    assert!(select(&html, "html[data-held], [data-consent], [data-change]").is_empty());
    assert_eq!(select(&html, "template[data-scripts]").len(), 2);
}

#[test]
fn a_page_without_scripts_asks_for_nothing_and_allows_nothing() {
    let mut sample = Sample::named("everything");
    let with = sample.draw().content_security_policy;
    sample.scripts.clear();
    let drawn = sample.draw();
    assert!(select(&drawn.html, "[data-consent], template").is_empty());
    assert_eq!(drawn.content_security_policy.split("sha256-").count() - 1, 4, "one script, three styles");
    assert_eq!(with.split("sha256-").count() - 1, 7, "the loader, and two scripts of its owner");
    assert!(
        with.contains("connect-src 'self' https: wss:") && !drawn.content_security_policy.contains("wss:")
    );
    assert!(!with.contains("unsafe"));
}

#[test]
fn a_page_may_be_framed_by_whom_it_says() {
    let sample = Sample::named("everything");
    assert!(sample.draw().content_security_policy.ends_with("frame-ancestors 'none'"));
    let head = sample.head();
    let origins = FrameAncestors::Origins(vec!["https://console.example.com".to_owned()]);
    let mut view = sample.view(&head);
    let (until, console) = ("2026-03-01T13:00:00.000Z", "https://api.example/x");
    let preview = pagesmith_render::Preview { number: 3, until, console };
    (view.frame_ancestors, view.preview) = (&origins, Some(preview));
    let drawn = pagesmith_render::page(&view);
    assert!(drawn.content_security_policy.ends_with("frame-ancestors https://console.example.com"));
    let strip: String = select(&drawn.html, "aside.preview").concat();
    assert!(strip.contains("Preview of version 3. This link works until 2026-03-01 13:00 UTC."), "{strip}");
    // Only a preview has the script that tells the console what was clicked, and it tells nobody else.
    assert_eq!(select(&drawn.html, "script[data-console='https://api.example'][data-blocks]").len(), 1);
}

#[test]
fn sections_of_a_page_stand_on_different_surfaces() {
    let html = Sample::named("sales_deck").draw().html;
    let shaded = select(&html, "main > section.shaded");
    assert!(shaded.len() >= 2, "{}", shaded.len());
    assert!(select(&html, "section.shaded + section.shaded, .hero + .shaded, .stats + .shaded").is_empty());
}

#[test]
fn a_plan_s_button_opens_the_form_that_its_action_names() {
    let mut sample = Sample::named("everything");
    let plans = json!({ "type": "price-cards", "plans": [{ "name": "Team", "actionId": "form" }] });
    sample.content.blocks = vec![serde_json::from_value(plans).unwrap()];
    sample.header_action_id = None;
    let html = sample.draw().html;
    assert_eq!(select(&html, ".prices a.button[href='#ps-action-1'][data-dialog]").len(), 1);
    assert_eq!(select(&html, "dialog#ps-action-1").len(), 1);
}

#[test]
fn instructions_that_were_not_understood_are_not_in_a_page() {
    let sample = Sample::named("everything");
    assert_eq!(sample.content.head.unapplied_instructions, ["Nobody sees this"]);
    assert!(!sample.draw().html.contains("Nobody sees this"));
}

#[test]
fn only_the_first_hero_s_picture_is_loaded_at_once() {
    let mut sample = Sample::named("everything");
    let hero = sample.content.blocks[0].clone();
    sample.content.blocks.push(hero);
    let html = sample.draw().html;
    assert_eq!(select(&html, "img[fetchpriority=high]:not([loading])").len(), 1);
    assert_eq!(select(&html, "main img:not([loading=lazy])").len(), 1);
}
