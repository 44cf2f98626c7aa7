//! A visitor comes to a page of the example, reads, asks and sends a form; its owner sees just that. A browser that a program drives is
//! dropped, with the reason.

use serde_json::{Value, json};

use crate::driver::{Browser, Scheme};
use crate::forms::{SEND, SENDS_FORMS};
use crate::measured::{LEAVE, USER_AGENT, as_a_person, visit};
use crate::questions::ANSWERS_BELOW;
use crate::server::Demo;

/// Asks how the sensors speak; done when it has been answered below the field.
const ASK: &str = "const done = arguments[0];
    const section = document.querySelector('#ps-ask');
    const status = section.querySelector('[role=status]');
    new MutationObserver(() => done(status.innerText)).observe(status, { childList: true });
    const form = section.querySelector('form');
    form.q.value = 'Do the sensors need our network?';
    form.requestSubmit()";

/// Fills the open form in.
const FILL: &str = "const form = document.querySelector('dialog[open] form');
    form.name.value = 'Ada Lovelace'; form.email.value = 'ada@analytical.example';
    form.rooms.value = '12'; form.agree.checked = true";

/// The path of the audience of a link, by the name that the example gives it.
async fn audience(demo: &Demo, name: &str) -> (String, String) {
    let pages = demo.call("/v0/pages", None).await;
    let page = pages["items"].as_array().unwrap().iter().find(|page| page["name"] == "Cold rooms").unwrap();
    let page = format!("/v0/pages/{}", page["pageId"].as_str().unwrap());
    let audiences = demo.call(&format!("{page}/audiences"), None).await;
    let named = |audience: &&Value| audience["customName"] == name || audience["name"] == name;
    let audience = audiences["items"].as_array().unwrap().iter().find(named).unwrap();
    (page.clone(), audience["audienceId"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn a_visit_to_the_example_is_told_with_exactly_what_was_done() {
    let (demo, browser) = (Demo::start(), Browser::start().await);
    let (page, audience) = audience(&demo, "Food producers").await;
    let of_audience = format!("{page}/audience_sessions?audienceId={audience}");
    let before = demo.call(&of_audience, None).await["totalCount"].as_u64().unwrap();
    as_a_person(&browser).await;
    visit(&browser, &demo.links[0]).await;
    browser.ask("scrollTo(0, document.documentElement.scrollHeight)").await;
    browser.settled().await;
    browser.ask("document.querySelector('#ps-ask-question').focus()").await;
    browser.arrives(ANSWERS_BELOW).await;
    let told = browser.ask_later(ASK).await;
    assert!(told.as_str().unwrap().contains("They speak to the gateway by radio"), "{told}");
    let source = browser.ask("return document.querySelector('#ps-ask [role=status] a')?.hash ?? ''").await;
    assert!(source.as_str().unwrap().len() > 1, "no link to where it stands");
    browser.ask("document.querySelector('main [data-dialog]').focus()").await;
    browser.press("Enter").await;
    browser.arrives(SENDS_FORMS).await;
    browser.ask(FILL).await;
    assert_eq!(browser.ask_later(SEND).await, "Thank you. An engineer calls you within a working day.");
    browser.ask_later(LEAVE).await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());

    let sessions = demo.call(&of_audience, None).await;
    assert_eq!(sessions["totalCount"].as_u64().unwrap(), before + 1);
    let session = &sessions["items"][0];
    assert_eq!(
        [&session["utmSource"], &session["utmMedium"], &session["utmCampaign"]],
        [&json!("Newsletter"), &json!("email"), &json!("Spring & summer")]
    );
    assert_eq!(
        [&session["maxScrollDepthPercentage"], &session["questionsAskedCount"], &session["hasFormSubmit"]],
        [&json!(100), &json!(1), &json!(true)]
    );
    assert_eq!(session["formSubmissionEmail"], "ada@analytical.example");
    let path =
        format!("/v0/audience_sessions/{}/interactions", session["audienceSessionId"].as_str().unwrap());
    let asked = demo.call(&path, None).await["interactions"].as_array().unwrap().clone();
    assert_eq!(asked.len(), 1, "{asked:?}");
    assert!(asked[0].to_string().contains("Do the sensors need our network?"), "{asked:?}");
    assert!(!asked[0]["groundingChunkIds"].as_array().unwrap().is_empty(), "{asked:?}");

    let robot = Browser::start().await;
    robot.protocol("Network.setUserAgentOverride", json!({ "userAgent": USER_AGENT })).await;
    robot.wear(1024, Scheme::Light).await;
    visit(&robot, &demo.links[0]).await;
    assert_eq!(robot.ask_later(LEAVE).await, json!(["automated"]));
    assert_eq!(demo.call(&of_audience, None).await["totalCount"].as_u64().unwrap(), before + 1);
}
