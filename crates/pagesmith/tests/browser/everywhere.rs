//! A page of each type, at every width, by day and by night.

use pagesmith_model::content::Component;
use pagesmith_testkit::contents;
use serde_json::Value;

use crate::driver::{Browser, Scheme, WIDTHS};
use crate::scene::Scene;
use crate::{briefs, checks};

async fn looked_at(name: &str, page: Value, audience: Value, person: Option<Value>) {
    is_sound_everywhere(name, &Scene::of(&page, &audience, person.as_ref()).await).await;
}

async fn is_sound_everywhere(name: &str, scene: &Scene) {
    let browser = Browser::start().await;
    for width in WIDTHS {
        for scheme in [Scheme::Light, Scheme::Dark] {
            browser.wear(width, scheme).await;
            browser.open(&scene.url).await;
            checks::is_sound(&browser, &format!("{name} at {width}, {scheme:?}")).await;
        }
        browser.open(&scene.url).await;
        checks::is_walked_with_the_keyboard(&browser, &format!("{name} at {width}")).await;
    }
}

#[tokio::test]
async fn an_inbound_page() {
    looked_at("inbound", briefs::inbound(), briefs::segment(), None).await;
}

#[tokio::test]
async fn an_outbound_page() {
    looked_at("outbound", briefs::outbound(), briefs::of_person(), Some(briefs::person())).await;
}

#[tokio::test]
async fn a_page_after_a_call() {
    looked_at("call follow-up", briefs::after_a_call(), briefs::of_person(), Some(briefs::person())).await;
}

#[tokio::test]
async fn a_sales_deck() {
    looked_at("sales deck", briefs::deck(), briefs::of_person(), Some(briefs::person())).await;
}

#[tokio::test]
async fn a_custom_page() {
    looked_at("custom", briefs::custom(), briefs::segment(), None).await;
}

#[tokio::test]
async fn a_page_that_is_read_from_right_to_left() {
    looked_at("right to left", briefs::arabic(), serde_json::json!({}), None).await;
}

#[tokio::test]
async fn a_page_of_words_that_are_too_long() {
    looked_at("long words", briefs::long_words(), serde_json::json!({}), None).await;
}

#[tokio::test]
async fn a_page_with_every_component() {
    let content = contents::everything();
    let blocks = content["blocks"].as_array().unwrap();
    let missing = Component::TAGS.iter().find(|tag| !blocks.iter().any(|block| block["type"] == **tag));
    assert_eq!(missing, None);
    is_sound_everywhere("every component", &Scene::saying(&briefs::inbound(), &content).await).await;
}

#[tokio::test]
async fn components_that_are_read_from_right_to_left() {
    let scene = Scene::saying(&briefs::arabic(), &contents::right_to_left()).await;
    is_sound_everywhere("components from right to left", &scene).await;
}

#[tokio::test]
async fn components_with_words_that_are_too_long() {
    let scene = Scene::saying(&briefs::inbound(), &contents::long_words()).await;
    is_sound_everywhere("long words in components", &scene).await;
}

/// One browser for all of them: what takes long is axe.
#[tokio::test]
async fn axe_finds_nothing() {
    let pages = [
        ("inbound", briefs::inbound(), briefs::segment(), None),
        ("outbound", briefs::outbound(), briefs::of_person(), Some(briefs::person())),
        ("call follow-up", briefs::after_a_call(), briefs::of_person(), Some(briefs::person())),
        ("sales deck", briefs::deck(), briefs::of_person(), Some(briefs::person())),
        ("custom", briefs::custom(), briefs::segment(), None),
        ("right to left", briefs::arabic(), serde_json::json!({}), None),
    ];
    let browser = Browser::start().await;
    let mut scenes =
        vec![("every component", Scene::saying(&briefs::inbound(), &contents::everything()).await)];
    for (name, page, audience, person) in pages {
        scenes.push((name, Scene::of(&page, &audience, person.as_ref()).await));
    }
    for (name, scene) in scenes {
        for (width, scheme) in [(360, Scheme::Dark), (1440, Scheme::Light)] {
            browser.wear(width, scheme).await;
            browser.open(&scene.url).await;
            checks::is_accessible(&browser, &format!("{name} at {width}, {scheme:?}")).await;
        }
    }
}
