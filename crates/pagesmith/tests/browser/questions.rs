//! A visitor asks a page something and reads the answer below the field, in a real browser.

use pagesmith_testkit::TestApp;
use serde_json::json;

use crate::briefs;
use crate::driver::{Browser, Scheme};
use crate::measured::as_a_person;
use crate::scene;

/// Asks something; done when it has been answered below the field.
const ASK: &str = "const done = arguments[0];
    const section = document.querySelector('#ps-ask');
    const status = section.querySelector('[role=status]');
    new MutationObserver(() => done(status.innerText)).observe(status, { childList: true });
    const form = section.querySelector('form');
    form.q.value = 'Is there a submarine in Timbuktu?';
    form.requestSubmit()";

/// The script that answers below the field is there. Before that an answer is a page of its own.
pub const ANSWERS_BELOW: &str = "document.documentElement.dataset.asks";

/// Whether the field is closed.
const CLOSED: &str = "return document.querySelector('#ps-ask form').hidden";

/// A page whose field is used: the server, the page's address in the API, and the browser that shows it.
async fn asking(per_visitor: u32) -> (TestApp, String, Browser) {
    let (app, _) = scene::served().await;
    let made = scene::make(&app, &briefs::inbound(), &json!({})).await;
    let settings = json!({ "isShown": true, "perVisitor": per_visitor, "perPage": 2000, "perTenant": 10000 });
    let settings = Some(settings.to_string().into_bytes());
    app.client().send("PUT", "/v0/question_settings", settings).await.expect(200);
    let browser = Browser::start().await;
    as_a_person(&browser).await;
    browser.wear(390, Scheme::Light).await;
    browser.open(&made.url).await;
    browser.ask("document.querySelector('#ps-ask-question').focus()").await;
    browser.arrives(ANSWERS_BELOW).await;
    let page = made.audience.split("/audiences/").next().unwrap().to_owned();
    (app, page, browser)
}

#[tokio::test]
async fn a_question_is_answered_below_the_field() {
    let (app, page, browser) = asking(20).await;
    let client = app.client();
    let told = browser.ask_later(ASK).await;
    assert!(told.as_str().unwrap().contains("We have not published an answer to this."), "{told}");
    assert_eq!(browser.complaints().await, Vec::<String>::new());
    let listed = client.get(&format!("{page}/unanswered_questions")).await.expect(200).json();
    assert_eq!(listed["items"][0]["question"], "Is there a submarine in Timbuktu?");
    let sessions = client.get(&format!("{page}/audience_sessions")).await.expect(200).json();
    assert_eq!(sessions["items"][0]["questionsAskedCount"], 1);
}

#[tokio::test]
async fn the_field_closes_with_a_friendly_word() {
    let (_app, _, browser) = asking(1).await;
    browser.ask_later(ASK).await;
    assert_eq!(browser.ask(CLOSED).await, false);
    let told = browser.ask_later(ASK).await;
    assert!(told.as_str().unwrap().contains("Please come back later."), "{told}");
    assert_eq!(browser.ask(CLOSED).await, true);
}
