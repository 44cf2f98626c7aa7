//! A visitor fills in a form and sends it from where it stands, in a real browser.

use serde_json::json;

use crate::briefs;
use crate::driver::{Browser, Scheme};
use crate::measured::as_a_person;
use crate::scene;

/// Sends the open form; done when it has been answered.
pub const SEND: &str = "const done = arguments[0];
    const dialog = document.querySelector('dialog[open]');
    new MutationObserver(() => {
        const told = dialog.querySelector('.fault, [role=status]');
        if (told) done(told.textContent);
    }).observe(dialog, { childList: true, subtree: true });
    const form = dialog.querySelector('form');
    form.noValidate = true;
    form.querySelectorAll('.fault').forEach((old) => old.remove());
    form.requestSubmit()";

/// The script that sends forms from where they stand is there. Before that browsers send them.
pub const SENDS_FORMS: &str = "document.documentElement.dataset.forms";

#[tokio::test]
async fn a_form_is_filled_in_and_sent() {
    let (app, _) = scene::served().await;
    let made = scene::make(&app, &briefs::inbound(), &json!({})).await;
    let page = made.audience.split("/audiences/").next().unwrap();
    let browser = Browser::start().await;
    as_a_person(&browser).await;
    browser.wear(390, Scheme::Light).await;
    browser.open(&format!("{}?utm_source=fair", made.url)).await;
    browser.ask("document.querySelector('main [data-dialog]').focus()").await;
    browser.press("Enter").await;
    browser.arrives(SENDS_FORMS).await;
    let fill = |key: &str, value: &str| {
        format!("document.querySelector('dialog[open] [name={key}]').value = {}", json!(value))
    };
    browser.ask(&fill("name", "Ada Lovelace")).await;
    browser.ask(&fill("email", "ada")).await;
    let told = browser.ask_later(SEND).await;
    assert_eq!(told, "Please enter an e-mail address, such as name@example.com.");
    let focus = "return [document.activeElement.name, document.activeElement.getAttribute('aria-invalid')]";
    assert_eq!(browser.ask(focus).await, json!(["email", "true"]));
    browser.ask(&fill("email", "ada@example.com")).await;
    let told = browser.ask_later(SEND).await;
    assert_eq!(told, "We have received your message and will get back to you.");
    // What was refused is told by the browser as well.
    let complaints = browser.complaints().await;
    assert!(complaints.iter().all(|complaint| complaint.contains("422")), "{complaints:?}");

    let client = app.client();
    let sent = client.get("/v0/form_submissions").await.expect(200).json()["items"][0].clone();
    assert_eq!(sent["input"], json!({ "name": "Ada Lovelace", "email": "ada@example.com" }));
    assert_eq!(
        (&sent["status"], &sent["utmParameters"]),
        (&json!("accepted"), &json!({ "utm_source": "fair" }))
    );
    let sessions = client.get(&format!("{page}/audience_sessions")).await.expect(200).json();
    let session = &sessions["items"][0];
    assert_eq!(
        (&session["hasFormSubmit"], &session["formSubmissionEmail"]),
        (&json!(true), &sent["input"]["email"])
    );
    assert_eq!(session["audienceSessionId"], sent["audienceSessionId"]);
}
