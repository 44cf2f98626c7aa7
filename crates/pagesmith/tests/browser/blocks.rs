//! The blocks of a draft in a real browser: selected by a click in the preview, moved by keys and by dragging, changed, taken back.

use pagesmith_operations::users::first_user;
use pagesmith_testkit::TestApp;
use serde_json::{Value, json};

use crate::checks;
use crate::driver::{Browser, Key, Scheme};
use crate::scene;

/// The blocks in the order in which the list shows them.
const ORDER: &str =
    "return [...document.querySelectorAll('block-order .block')].map((row) => row.dataset.block)";

/// That the list shows this order.
fn is_order(order: &[&str]) -> String {
    let wanted = json!(order).to_string();
    format!("JSON.stringify((() => {{ {ORDER} }})()) === {}", json!(wanted))
}

/// Waits a moment of the browser's.
const MOMENT: &str = "setTimeout(arguments[0], 100)";

/// A draft of three blocks, and its owner signed in: the version's path, and the address of its audience's screen.
async fn desk() -> (TestApp, Browser, String, String) {
    let (app, _) = scene::served_at_its_address(vec![]).await;
    let base = app.state.settings.base_url.clone();
    let client = app.client();
    let body = json!({ "name": "Spring", "pageContext": "Ledgerly makes forecasts.", "brandId": "", "actions": [],
        "actionCardWidgets": [], "scripts": [] });
    let made = scene::make(&app, &body, &json!({ "publishBehavior": "draft" })).await;
    let listed = client.get(&format!("{}/versions", made.audience)).await.expect(200).json();
    let version = format!("{}/versions/{}", made.audience, listed["items"][0]["versionId"].as_str().unwrap());
    let content = json!({ "blocks": [
        { "type": "hero", "blockId": "top", "title": "Forecasts for teams" },
        { "type": "text", "blockId": "why", "title": "Why", "markdown": "Plans are guesses." },
        { "type": "frame-list", "blockId": "faq", "title": "Questions", "frames": [{ "title": "Q", "markdown": "A" }] },
    ] });
    client
        .send("PUT", &format!("{version}/content"), Some(content.to_string().into_bytes()))
        .await
        .expect(200);

    let context = app.platform.context();
    let token = app.store.write(move |tx| first_user::set_up_link(tx, &context)).await.unwrap().unwrap();
    let browser = Browser::start().await;
    browser.wear(1440, Scheme::Light).await;
    browser.open(&format!("{base}/console/setup?token={token}")).await;
    browser
        .ask(
            "const form = document.querySelector('form#sign-in');
             form.elements.name.value = 'Olga Owner'; form.elements.email.value = 'olga@acme.example';
             form.elements.password.value = 'correct horse battery'; form.requestSubmit()",
        )
        .await;
    browser.settled().await;
    let screen = format!("{base}/console/t/acme{}", made.audience.strip_prefix("/v0").unwrap());
    (app, browser, version, screen)
}

#[tokio::test]
async fn a_block_is_selected_in_the_preview_moved_and_changed() {
    let (app, browser, version, screen) = desk().await;
    browser.open(&screen).await;
    assert_eq!(browser.ask(ORDER).await, json!(["top", "why", "faq"]));
    checks::is_accessible(&browser, "the blocks of an audience").await;

    // By keys, the focus stays at the block.
    browser.ask("document.querySelector('[data-block=faq] a').focus()").await;
    browser.chord(&[Key::Alt], Key::Up).await;
    browser.arrives(&is_order(&["top", "faq", "why"])).await;
    browser.ask_later(MOMENT).await;
    let focused = browser.ask("return document.activeElement.closest('[data-block]')?.dataset.block").await;
    assert_eq!(focused, "faq");
    // By dragging.
    browser
        .ask(
            "const dataTransfer = new DataTransfer(), row = (id) => document.querySelector(`block-order [data-block=${id}]`);
             const send = (id, kind) => row(id).dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer }));
             send('why', 'dragstart'); send('top', 'dragover'); send('top', 'drop'); send('why', 'dragend')",
        )
        .await;
    browser.arrives(&is_order(&["why", "top", "faq"])).await;
    // Taken back by the button of the list.
    browser.ask("document.querySelector('[data-key=z]').form.requestSubmit()").await;
    browser.arrives(&is_order(&["top", "faq", "why"])).await;

    // A click in the preview opens the form of the block that was clicked.
    let mut path = Value::Null;
    'clicks: for _ in 0..100 {
        let place = browser
            .ask("const box = document.querySelector('.preview iframe').getBoundingClientRect(); return [box.x + box.width / 2, box.y + 140]")
            .await;
        let number = |at: usize| place[at].to_string().parse::<f64>().unwrap().round() as i64;
        browser.click_at(number(0), number(1)).await;
        // The preview may not listen yet; once it does, the click leads away from this screen.
        for _ in 0..50 {
            path = browser.evaluated("location.pathname").await;
            if path.to_string().contains("/blocks/") {
                break 'clicks;
            }
        }
    }
    assert!(path.as_str().unwrap().ends_with("/blocks/top"), "{path}");
    browser.arrives("document.readyState === 'complete'").await;
    browser.settled().await;
    checks::is_accessible(&browser, "the form of a block").await;
    // Nobody else selects anything, nor anything that is not there.
    browser
        .ask(
            "postMessage({ selected: 'why' }, '*');
             dispatchEvent(new MessageEvent('message', { data: { selected: 'why' }, origin: 'https://evil.example',
               source: document.querySelector('.preview iframe').contentWindow }))",
        )
        .await;
    browser.ask_later(MOMENT).await;
    assert_eq!(browser.ask("return location.pathname").await, path);
    browser
        .ask(
            "const form = document.querySelector('form#block'); form.elements.title.value = 'Forecasts';
             form.requestSubmit()",
        )
        .await;
    browser.arrives("!location.pathname.includes('/blocks/') && document.readyState === 'complete'").await;
    browser.arrives(&is_order(&["top", "faq", "why"])).await;
    let shown = browser.ask("return document.querySelector('[data-block=top]').innerText").await;
    assert!(shown.as_str().unwrap().contains("Forecasts") && !shown.to_string().contains("teams"), "{shown}");
    let stored = app.client().get(&format!("{version}/content")).await.expect(200).json();
    assert_eq!(stored["blocks"][0]["title"], Value::from("Forecasts"));
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}
