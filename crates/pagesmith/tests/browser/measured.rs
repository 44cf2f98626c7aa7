//! What the script of measurement reports of a visit, in a real browser; and that a browser which a program drives is not counted.

use pagesmith_testkit::TestApp;
use serde_json::{Value, json};

use crate::briefs;
use crate::driver::{Browser, Scheme};
use crate::scene;

/// What makes the browser look as if a person sat before it.
const PERSON: &str = "Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false })";
pub const USER_AGENT: &str =
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";
/// Reports that were refused, and why, kept for the test.
const REPORTS: &str = "window.reports = [];
    navigator.sendBeacon = (url, body) => {
        const report = fetch(url, { method: 'POST', body, keepalive: true });
        window.reports.push(report.then((answer) => answer.headers.get('x-pagesmith-dropped') ?? 'counted'));
        return true;
    }";
/// The page goes into the background, as when somebody leaves it.
pub const LEAVE: &str = "const done = arguments[0];
    document.dispatchEvent(new Event('visibilitychange'));
    Promise.all(window.reports).then(done)";

/// Makes the browser look as if a person sat before it.
pub async fn as_a_person(browser: &Browser) {
    browser.protocol("Page.addScriptToEvaluateOnNewDocument", json!({ "source": PERSON })).await;
    browser.protocol("Network.setUserAgentOverride", json!({ "userAgent": USER_AGENT })).await;
}

/// Opens a page as somebody does who comes from a newsletter.
pub async fn visit(browser: &Browser, url: &str) {
    browser.wear(1024, Scheme::Light).await;
    browser.protocol("Page.addScriptToEvaluateOnNewDocument", json!({ "source": REPORTS })).await;
    browser.protocol("Emulation.setFocusEmulationEnabled", json!({ "enabled": true })).await;
    let query = "utm_source=Newsletter&utm_medium=email&utm_campaign=Spring%20%26%20summer";
    browser.open(&format!("{url}?{query}")).await;
}

async fn sessions(app: &TestApp, page: &str) -> Vec<Value> {
    let found = app.client().get(&format!("{page}/audience_sessions")).await.expect(200).json();
    found["items"].as_array().unwrap().clone()
}

#[tokio::test]
async fn a_visit_is_reported_with_what_the_visitor_did() {
    let (app, _) = scene::served().await;
    let made = scene::make(&app, &briefs::inbound(), &json!({})).await;
    let page = made.audience.split("/audiences/").next().unwrap();
    let browser = Browser::start().await;
    as_a_person(&browser).await;
    visit(&browser, &made.url).await;
    browser.ask("scrollTo(0, document.documentElement.scrollHeight)").await;
    browser.settled().await;
    // A form opens; the keyboard makes it a click that a person made.
    browser.ask("document.querySelector('main [data-dialog]').focus()").await;
    browser.press("Enter").await;
    assert_eq!(browser.ask_later(LEAVE).await, json!(["counted"]));
    // A second time there is nothing new to say.
    let sent = browser.ask_later(LEAVE).await;
    assert!(sent.as_array().unwrap().iter().all(|answer| answer == "counted"), "{sent}");

    let session = sessions(&app, page).await.remove(0);
    assert_eq!(
        [&session["utmSource"], &session["utmMedium"], &session["utmCampaign"]],
        [&json!("Newsletter"), &json!("email"), &json!("Spring & summer")]
    );
    assert_eq!(
        (&session["totalClicksCount"], &session["maxScrollDepthPercentage"]),
        (&json!(1), &json!(100))
    );
    assert_eq!(session["computationStatus"], "pending");
    assert!(made.url.starts_with(session["pageUrl"].as_str().unwrap()), "{session:#}");
    assert_eq!(sessions(&app, page).await.len(), 1);
    assert_eq!(browser.complaints().await, Vec::<String>::new());
    let kept = "return [document.cookie, localStorage.length, sessionStorage.length]";
    assert_eq!(browser.ask(kept).await, json!(["", 0, 0]), "nothing is stored without consent");
}

#[tokio::test]
async fn a_browser_that_a_program_drives_is_not_counted() {
    let (app, _) = scene::served().await;
    let made = scene::make(&app, &briefs::inbound(), &json!({})).await;
    let page = made.audience.split("/audiences/").next().unwrap();
    let browser = Browser::start().await;
    browser.protocol("Network.setUserAgentOverride", json!({ "userAgent": USER_AGENT })).await;
    visit(&browser, &made.url).await;
    assert_eq!(browser.ask_later(LEAVE).await, json!(["automated"]));
    assert_eq!(sessions(&app, page).await, Vec::<Value>::new());
    let other = Browser::start().await;
    other.protocol("Page.addScriptToEvaluateOnNewDocument", json!({ "source": PERSON })).await;
    let robot = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
    other.protocol("Network.setUserAgentOverride", json!({ "userAgent": robot })).await;
    visit(&other, &made.url).await;
    assert_eq!(other.ask_later(LEAVE).await, json!(["crawler"]));
    assert_eq!(sessions(&app, page).await, Vec::<Value>::new());
}

#[tokio::test]
async fn as_many_choices_are_reported_as_are_taken_each_once() {
    let (app, _) = scene::served().await;
    let made = scene::make(&app, &briefs::inbound(), &json!({})).await;
    let browser = Browser::start().await;
    as_a_person(&browser).await;
    visit(&browser, &made.url).await;
    let choose = "let body;
        navigator.sendBeacon = (url, sent) => (body = JSON.parse(sent));
        for (let at = 0; at < 40; at++) for (const choice of [at, 0]) {
            const input = document.createElement('input');
            input.id = `ps-choice-${choice}-0`;
            document.body.append(input);
            input.dispatchEvent(new Event('change', { bubbles: true }));
        }
        document.dispatchEvent(new Event('visibilitychange'));
        return body.q";
    let expected: Vec<String> = (0..32).map(|at| format!("{at}-0")).collect();
    assert_eq!(browser.ask(choose).await, json!(expected));
}
