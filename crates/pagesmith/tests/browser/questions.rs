//! A visitor asks a page something and reads the answer below the field, in a real browser.

use std::sync::Arc;

use pagesmith_model::agent::{AgentKind, AgentSettings, ApiKey};
use pagesmith_testkit::TestApp;
use pagesmith_testkit::model_server::{Act, ModelServer, Reply};
use pagesmith_worker::answering::{ModelAnswers, TimeLimit};
use pagesmith_worker::egress::Egress;
use pagesmith_worker::generation::Models;
use serde_json::json;
use tokio::sync::Notify;

use crate::briefs;
use crate::driver::{Browser, Scheme};
use crate::measured::as_a_person;
use crate::scene::{self, Made};

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

/// A page with the field: the server, and the page.
async fn page_with_field(per_visitor: u32) -> (TestApp, Made) {
    let (app, _) = scene::served().await;
    let made = scene::make(&app, &briefs::inbound(), &json!({})).await;
    let settings = json!({ "isShown": true, "perVisitor": per_visitor, "perPage": 2000, "perTenant": 10000 });
    let settings = Some(settings.to_string().into_bytes());
    app.client().send("PUT", "/v0/question_settings", settings).await.expect(200);
    (app, made)
}

/// A browser that shows a page whose field is used.
async fn opened(made: &Made) -> Browser {
    let browser = Browser::start().await;
    as_a_person(&browser).await;
    browser.wear(390, Scheme::Light).await;
    browser.open(&made.url).await;
    browser.ask("document.querySelector('#ps-ask-question').focus()").await;
    browser.arrives(ANSWERS_BELOW).await;
    browser
}

/// A page whose field is used: the server, the page's address in the API, and the browser that shows it.
async fn asking(per_visitor: u32) -> (TestApp, String, Browser) {
    let (app, made) = page_with_field(per_visitor).await;
    let browser = opened(&made).await;
    let page = made.audience.split("/audiences/").next().unwrap().to_owned();
    (app, page, browser)
}

/// Has questions answered by this model.
fn answered_by(app: &TestApp, model: &ModelServer) {
    let settings = AgentSettings {
        kind: AgentKind::Anthropic,
        base_url: model.url(),
        model: "scribe-1".to_owned(),
        key: ApiKey::parse("sk-of-the-server-4711"),
        ..AgentSettings::default()
    };
    let models = Models::new(settings, Arc::new(Egress::new(&app.egress)));
    let time_limit = TimeLimit::ByHand(Arc::default());
    let answers = ModelAnswers::new(models, Arc::clone(&app.platform), time_limit);
    assert!(app.state.answering.set(Arc::new(answers)).is_ok());
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
async fn without_script_the_answer_is_a_page_that_leads_back_to_the_field() {
    let (_app, made) = page_with_field(20).await;
    let browser = Browser::start().await;
    as_a_person(&browser).await;
    browser.wear(390, Scheme::Light).await;
    browser.open(&made.url).await;
    for _ in 0..2 {
        // Sent as browsers do without script: no listener hears of it.
        browser
            .ask(
                "const form = document.querySelector('#ps-ask form');
                form.q.value = 'Is there a submarine in Timbuktu?';
                form.submit()",
            )
            .await;
        browser
            .arrives("document.querySelector('[data-answer]') && !document.querySelector('#ps-ask')")
            .await;
        let told = browser.ask("return document.querySelector('[data-answer]').innerText").await;
        assert!(told.as_str().unwrap().contains("We have not published an answer to this."), "{told}");
        assert_eq!(browser.complaints().await, Vec::<String>::new());
        browser.ask("document.querySelector('a[href$=\"#ps-ask\"]').click()").await;
        browser.arrives("document.querySelector('#ps-ask form') && document.readyState === 'complete'").await;
        assert_eq!(browser.ask("return location.hash").await, "#ps-ask");
    }
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

#[tokio::test]
async fn a_models_answer_grows_below_the_field_and_ends_with_its_source() {
    const SHOWN: &str = "document.querySelector('#ps-ask [role=status]')";
    let (app, made) = page_with_field(20).await;
    let content = json!({ "head": { "language": "en" }, "blocks": [
        { "type": "hero", "blockId": "top", "title": "Cargo bikes by the month", "subtitle": "For families and small shops." },
        { "type": "price-cards", "blockId": "plans", "title": "Plans", "plans": [
            { "name": "Hauler", "price": "89 pounds a month", "text": "The Hauler carries two children." }] },
    ] });
    scene::replace(&app, &made.audience, content.to_string().into_bytes()).await;
    let model = ModelServer::start().await;
    let gate = Arc::new(Notify::new());
    model.reply([Reply::Acts(vec![
        Act::Says("The Hauler costs 89 pounds a month. [1]\n"),
        Act::Waits(Arc::clone(&gate)),
        Act::Says("The Hauler carries two children. [1]"),
    ])]);
    answered_by(&app, &model);
    let browser = opened(&made).await;
    let ask = "window.stayed = true;
        const form = document.querySelector('#ps-ask form');
        form.q.value = 'What does the Hauler cost?';
        form.requestSubmit()";
    browser.ask(ask).await;

    // What is checked is shown while the model still writes.
    browser.arrives(&format!("{SHOWN}.innerText.includes('89 pounds')")).await;
    let told = browser.ask(&format!("return {SHOWN}.innerText.trim()")).await;
    assert_eq!(told, "The Hauler costs 89 pounds a month.");
    assert_eq!(browser.ask(&format!("return {SHOWN}.querySelector('a, [data-answer]')")).await, json!(null));
    gate.notify_one();
    browser.arrives(&format!("{SHOWN}.querySelector('[data-answer]')")).await;
    let told = browser.ask(&format!("return {SHOWN}.querySelector('p').innerText")).await;
    let told = told.as_str().unwrap();
    assert!(
        told.starts_with("The Hauler costs 89 pounds a month. The Hauler carries two children."),
        "{told}"
    );
    let source =
        format!("return [...{SHOWN}.querySelectorAll('cite a')].map((link) => link.getAttribute('href'))");
    assert_eq!(browser.list(&source).await, ["#plans"]);
    assert_eq!(browser.ask("return document.querySelectorAll('#plans').length").await, 1);

    assert_eq!(browser.ask("return window.stayed").await, true);
    assert_eq!(browser.complaints().await, Vec::<String>::new());
    assert_eq!(model.asked().len(), 1);
}
