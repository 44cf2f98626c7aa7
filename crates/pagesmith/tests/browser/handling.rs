//! What a visitor does with a page: forms, texts to copy, choices, videos, consent.

use serde_json::json;

use crate::briefs;
use crate::driver::{Browser, Scheme};
use crate::scene::Scene;

async fn opened(page: &serde_json::Value) -> (Scene, Browser) {
    let (scene, browser) = (Scene::plain(page).await, Browser::start().await);
    browser.wear(1440, Scheme::Light).await;
    browser.open(&scene.url).await;
    (scene, browser)
}

#[tokio::test]
async fn a_form_opens_and_closes_and_gives_the_focus_back() {
    let (_scene, browser) = opened(&briefs::inbound()).await;
    let open = "return document.querySelectorAll('dialog[open]').length";
    browser.ask("document.querySelector('main [data-dialog]').focus()").await;
    browser.press("Enter").await;
    assert_eq!(browser.ask(open).await, 1);
    let inside = "return Boolean(document.activeElement.closest('dialog[open]'))";
    assert_eq!(browser.ask(inside).await, true, "the focus is outside of the dialog");
    let words = browser.ask("return document.querySelector('dialog[open]').textContent").await;
    assert!(words.as_str().unwrap().contains("We answer within a day."), "{words}");
    browser.press("Escape").await;
    assert_eq!(browser.ask(open).await, 0);
    let back = "return document.activeElement.matches('main [data-dialog]')";
    assert_eq!(browser.ask(back).await, true, "the focus did not come back");
    browser.press("Enter").await;
    browser.ask("document.querySelector('dialog[open] [data-close]').click()").await;
    assert_eq!(browser.ask(open).await, 0);
    assert_eq!(browser.ask(back).await, true, "the focus did not come back");
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test]
async fn a_text_is_copied() {
    let mut page = briefs::inbound();
    page["headerActionId"] = json!("code");
    let (scene, browser) = opened(&page).await;
    let origin = scene.url.splitn(4, '/').take(3).collect::<Vec<_>>().join("/");
    let rights =
        json!({ "origin": origin, "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"] });
    browser.protocol("Browser.grantPermissions", rights).await;
    browser.ask("document.querySelector('[data-copy]').focus()").await;
    browser.press("Enter").await;
    let read = "const done = arguments[0]; setTimeout(() => navigator.clipboard.readText().then(done, (no) => done(String(no))))";
    assert_eq!(browser.ask_later(read).await, "FIRST-MONTH");
    let said = browser.ask("return document.querySelector('.copy [role=status]').textContent").await;
    assert_eq!(said, "Copied");
}

#[tokio::test]
async fn a_text_that_may_not_be_copied_is_shown() {
    let mut page = briefs::inbound();
    page["headerActionId"] = json!("code");
    let (_scene, browser) = opened(&page).await;
    browser.ask("navigator.clipboard.writeText = () => Promise.reject(new Error('no'))").await;
    browser.ask("document.querySelector('[data-copy]').click()").await;
    browser.settled().await;
    assert_eq!(browser.ask("return String(getSelection())").await, "FIRST-MONTH");
}

#[tokio::test]
async fn a_menu_opens_and_escape_closes_it() {
    let (_scene, browser) = opened(&briefs::inbound()).await;
    browser.ask("document.querySelector('header summary').focus()").await;
    browser.press("Enter").await;
    let open = "return document.querySelector('header details').open";
    assert_eq!(browser.ask(open).await, true);
    browser.press("Tab").await;
    assert_eq!(browser.ask("return document.activeElement.textContent").await, "Guides");
    browser.press("Escape").await;
    assert_eq!(browser.ask(open).await, false);
    assert_eq!(browser.ask("return document.activeElement.localName").await, "summary");
}

#[tokio::test]
async fn a_choice_shows_its_answer() {
    let (_scene, browser) = opened(&briefs::inbound()).await;
    browser.ask("document.querySelector('.choice input').focus()").await;
    browser.press(" ").await;
    let shown = "return [...document.querySelectorAll('.answer')].filter((node) => node.checkVisibility()).map((node) => node.textContent.trim())";
    let shown = browser.list(shown).await;
    assert_eq!(shown.len(), 1);
    assert!(shown[0].starts_with("Start today"), "{shown:?}");
}

#[tokio::test]
async fn scripts_wait_until_the_visitor_agrees() {
    let (scene, browser) = opened(&briefs::custom()).await;
    let counted = "return window.counted ?? 0";
    assert_eq!(browser.ask(counted).await, 0);
    assert_eq!(browser.ask("return document.querySelector('[data-consent]').checkVisibility()").await, true);
    browser.ask("document.querySelector('[data-choose=granted]').click()").await;
    browser.settled().await;
    assert_eq!(browser.ask(counted).await, 1);
    let keeps_id = "return /(^|; )page-visitor=[0-9a-f]{32}(;|$)/.test(document.cookie)";
    assert_eq!(browser.ask(keeps_id).await, true);
    browser.open(&scene.url).await;
    assert_eq!(browser.ask(counted).await, 1, "the choice was forgotten");
    browser.ask("document.querySelector('[data-change]').click()").await;
    browser.ask("document.querySelector('[data-choose=denied]').click()").await;
    browser.settled().await;
    assert_eq!(browser.ask("return document.cookie.includes('page-visitor')").await, false);
    assert_eq!(browser.ask("return localStorage.getItem('page-visitor')").await, serde_json::Value::Null);
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}
