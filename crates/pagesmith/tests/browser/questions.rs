//! A visitor asks a page something and reads the answer below the field, in a real browser.

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

#[tokio::test]
async fn a_question_is_answered_below_the_field() {
    let (app, _) = scene::served().await;
    let made = scene::make(&app, &briefs::inbound(), &json!({})).await;
    let client = app.client();
    let settings = json!({ "isShown": true, "perVisitor": 20, "perPage": 2000, "perTenant": 10000 });
    let settings = Some(settings.to_string().into_bytes());
    client.send("PUT", "/v0/question_settings", settings).await.expect(200);
    let browser = Browser::start().await;
    as_a_person(&browser).await;
    browser.wear(390, Scheme::Light).await;
    browser.open(&made.url).await;
    browser.ask("document.querySelector('#ps-ask-question').focus()").await;
    browser.arrives(ANSWERS_BELOW).await;
    let told = browser.ask_later(ASK).await;
    assert!(told.as_str().unwrap().contains("We have not published an answer to this."), "{told}");
    assert_eq!(browser.complaints().await, Vec::<String>::new());
    let page = made.audience.split("/audiences/").next().unwrap();
    let listed = client.get(&format!("{page}/unanswered_questions")).await.expect(200).json();
    assert_eq!(listed["items"][0]["question"], "Is there a submarine in Timbuktu?");
    let sessions = client.get(&format!("{page}/audience_sessions")).await.expect(200).json();
    assert_eq!(sessions["items"][0]["questionsAskedCount"], 1);
}
