//! Somebody without a program: from the link of the first user to a published page, in a real browser with script.

use pagesmith_operations::users::first_user;
use serde_json::json;

use crate::checks;
use crate::driver::{Browser, Scheme};
use crate::scene;

/// Sends the form of this id.
fn send(form: &str) -> String {
    format!("document.querySelector('form#{form}').requestSubmit()")
}

/// Waits until the screen that was sent to is there.
const ARRIVED: &str =
    "return [location.pathname, document.readyState, document.querySelector('h1').textContent]";

/// Waits until an element is there; the screen brings it by itself.
fn appears(selector: &str) -> String {
    format!(
        "const done = arguments[0];
        const look = () => document.querySelector('{selector}') ? done(true) : setTimeout(look, 50);
        look()"
    )
}

/// The list of blocks was drawn again, and works as before: a block is moved where it stands, and why it is not moved is said.
async fn blocks_are_moved(browser: &Browser) {
    let rows = "[...document.querySelectorAll('block-order .block')]";
    assert_eq!(browser.ask(&format!("return {rows}.every((row) => row.draggable)")).await, json!(true));
    let order = format!("return {rows}.map((row) => row.dataset.block)");
    let before = browser.ask(&order).await;
    let second = before[1].as_str().unwrap();
    let press = |act: &str| {
        format!("document.querySelector('[data-block=\"{second}\"] [data-act=\"{act}\"]').click();")
    };
    let first = format!("block-order li:first-child[data-block=\"{second}\"]");
    assert_eq!(browser.ask_later(&format!("{}{}", press("↑"), appears(&first))).await, json!(true));
    assert_eq!(browser.ask(&format!("return {rows}.every((row) => row.draggable)")).await, json!(true));
    // What the row says of its place does not hold any more.
    let wrong =
        format!("document.querySelector('[data-block=\"{second}\"] [name=after]').value = 'elsewhere';");
    let told = appears("#toasts .failed");
    assert_eq!(browser.ask_later(&format!("{wrong}{}{told}", press("↓"))).await, json!(true));
    let told = browser.ask("return document.querySelector('#toasts .failed p').textContent").await;
    assert!(told.as_str().unwrap().contains("something else stands there"), "{told}");
    // The refusal is all that the browser notes.
    let complaints = browser.complaints().await;
    assert!(complaints.len() == 1 && complaints[0].contains("/move - "), "{complaints:?}");
}

#[tokio::test]
async fn a_page_is_made_followed_changed_and_published() {
    let (app, _) = scene::served_at_its_address().await;
    let base = app.state.settings.base_url.clone();
    let context = app.platform.context();
    let token = app.store.write(move |tx| first_user::set_up_link(tx, &context)).await.unwrap().unwrap();
    let browser = Browser::start().await;
    browser.wear(1440, Scheme::Light).await;
    browser.open(&format!("{base}/console/setup?token={token}")).await;
    browser
        .ask(
            "const form = document.querySelector('form#sign-in');
             form.elements.name.value = 'Olga Owner'; form.elements.email.value = 'olga@acme.example';
             form.elements.password.value = 'correct horse battery'",
        )
        .await;
    browser.ask(&send("sign-in")).await;
    browser.settled().await;
    assert_eq!(browser.ask(ARRIVED).await[0], "/console/t/acme");

    browser.open(&format!("{base}/console/t/acme/pages/new?example=1")).await;
    browser.ask(&send("page")).await;
    browser.settled().await;
    let arrived = browser.ask(ARRIVED).await;
    assert!(arrived[0].as_str().unwrap().contains("/audiences/audience_"), "{arrived}");
    // The screen follows the writing by itself.
    app.write_versions().await;
    assert_eq!(browser.ask_later(&appears("form[action$=\"/publish\"]")).await, json!(true));
    assert_eq!(browser.ask_later(&appears(".preview iframe")).await, json!(true));

    browser.ask("document.querySelector('form#say textarea').value = 'remove the questions'").await;
    browser.ask(&send("say")).await;
    browser.settled().await;
    app.carry_messages_out().await;
    assert_eq!(browser.ask_later(&appears("form[action$=\"/revert\"]")).await, json!(true));
    blocks_are_moved(&browser).await;
    browser.ask("document.querySelector('form[action$=\"/publish\"]').requestSubmit()").await;
    browser.settled().await;
    let link = browser.ask("return document.querySelector('a[target=_blank]').href").await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
    checks::is_accessible(&browser, "an audience in the console").await;

    browser.open(link.as_str().unwrap()).await;
    let shown = browser.ask("return document.querySelector('main').innerText").await;
    assert!(shown.as_str().unwrap().contains("340"), "{shown}");
}
