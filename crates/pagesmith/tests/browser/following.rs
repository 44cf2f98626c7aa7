//! What script makes of screens that follow something: what they listen to, what stays open, and in which zone times are entered.

use pagesmith_operations::users::first_user;
use pagesmith_testkit::TestApp;
use pagesmith_testkit::fixtures::page;
use serde_json::{Value, json};

use crate::driver::{Browser, Key, Scheme};
use crate::scene;

/// Keys as WebDriver names them.
const ENTER: char = '\u{E007}';
const ARROW_DOWN: char = '\u{E015}';

/// A browser in which the owner is signed in, and an audience whose first version waits: its path below the tenant's root and the API's alike.
pub async fn owner(app: &TestApp, base: &str) -> (Browser, String) {
    let context = app.platform.context();
    let token = app.store.write(move |tx| first_user::set_up_link(tx, &context)).await.unwrap().unwrap();
    let browser = Browser::start().await;
    browser.wear(1440, Scheme::Light).await;
    browser.open(&format!("{base}/console/setup?token={token}")).await;
    let fill = "const form = document.querySelector('form#sign-in');
        form.elements.name.value = 'Olga Owner'; form.elements.email.value = 'olga@acme.example';
        form.elements.password.value = 'correct horse battery'; form.requestSubmit()";
    browser.ask(fill).await;
    browser.arrives("location.pathname.includes('/console/t/')").await;
    let id = |made: &Value, name: &str| made[name].as_str().unwrap().to_owned();
    let made = app.client().post("/v0/pages", &page("Spring launch")).await.expect(201).json();
    let page = format!("/pages/{}", id(&made, "pageId"));
    let body = json!({ "publishBehavior": "draft" });
    let made = app.client().post(&format!("/v0{page}/audiences"), &body).await.expect(201).json();
    (browser, format!("{page}/audiences/{}", id(&made, "audienceId")))
}

#[tokio::test]
async fn a_part_listens_to_what_happens_next_and_keeps_what_is_open() {
    let (app, base) = scene::served_at_its_address(vec![]).await;
    let (browser, audience) = owner(&app, &base).await;
    browser.open(&format!("{base}/console/t/acme{audience}?device=phone&scheme=dark")).await;
    browser.arrives("document.readyState === 'complete'").await;
    let witness = "window.heard = []; const Own = EventSource;
        window.EventSource = class extends Own { constructor(url) { super(url); heard.push(url) } }";
    browser.ask(witness).await;
    app.write_versions().await;
    browser.arrives("document.querySelector('.preview.phone iframe.dark')").await;
    browser.arrives(&format!("heard.some((url) => url.includes('{audience}/events?since='))")).await;
    let about = "document.querySelector('live-part details:has(form#context)')";
    browser.ask(&format!("{about}.open = true")).await;
    let say = json!({ "message": "remove the questions" });
    app.client().post(&format!("/v0{audience}/messages"), &say).await.expect(202);
    app.carry_messages_out().await;
    browser.arrives("document.querySelector('.messages')?.innerText.includes('remove the questions')").await;
    browser.arrives(&format!("{about}.open")).await;
}

#[tokio::test]
async fn a_time_is_entered_in_the_zone_of_the_browser() {
    let (app, base) = scene::served_at_its_address(vec![]).await;
    let (browser, audience) = owner(&app, &base).await;
    app.write_versions().await;
    browser.protocol("Emulation.setTimezoneOverride", json!({ "timezoneId": "Europe/Berlin" })).await;
    browser.open(&format!("{base}/console/t/acme{audience}/versions")).await;
    browser.arrives("document.querySelector('input[name=zone]')?.value === 'Europe/Berlin'").await;
    browser
        .arrives(
            "document.querySelector('.version .help:has(+ input)').textContent.includes('Europe/Berlin')",
        )
        .await;
    let send = "const form = document.querySelector('input[name=zone]').form;
        form.elements.publishAt.value = '2027-01-04T08:00'; form.requestSubmit()";
    browser.ask(send).await;
    browser.arrives("document.body.innerText.includes('will be published:')").await;
    let versions = app.client().get(&format!("/v0{audience}/versions")).await.expect(200).json();
    let version = versions["items"][0]["versionId"].as_str().unwrap();
    let schedule =
        app.client().get(&format!("/v0{audience}/versions/{version}/schedule")).await.expect(200).json();
    assert_eq!(schedule["publishAt"], "2027-01-04T07:00:00.000Z");
    // What is set is shown as it is kept, and the form says so.
    browser.arrives("document.querySelector('input[name=publishAt]').value === '2027-01-04T07:00'").await;
    assert_eq!(browser.evaluated("document.querySelector('input[name=zone]').value").await, "UTC");
}

#[tokio::test]
async fn lists_show_what_changes_in_them() {
    let (app, base) = scene::served_at_its_address(vec![]).await;
    let (browser, audience) = owner(&app, &base).await;
    let root = format!("{base}/console/t/acme");
    let shows = |text: &str| format!("document.querySelector('table.rows')?.innerText.includes('{text}')");
    browser.open(&format!("{root}/pages")).await;
    browser.arrives(&shows("Spring launch")).await;
    browser.ask("window.same = true").await;
    app.write_versions().await;
    let versions = app.client().get(&format!("/v0{audience}/versions")).await.expect(200).json();
    let version = versions["items"][0]["versionId"].as_str().unwrap();
    let publish = format!("/v0{audience}/versions/{version}/publish");
    app.client().post(&publish, &json!({})).await.expect(200);
    browser.arrives(&shows("Published")).await;
    app.client().post("/v0/pages", &page("Autumn sale")).await.expect(201);
    browser.arrives(&shows("Autumn sale")).await;
    assert_eq!(browser.evaluated("window.same").await, true, "the screen was not loaded again");

    browser.open(&format!("{root}/persons/imports")).await;
    browser.ask("window.same = true").await;
    let file =
        app.client().upload("contacts.csv", b"Name,E-mail\nAda,ada@example.com\n").await.expect(201).json();
    let body = json!({ "fileId": file["fileId"] });
    app.client().post("/v0/person_imports", &body).await.expect(201);
    browser.arrives(&shows("contacts.csv")).await;
    assert_eq!(browser.evaluated("window.same").await, true, "the screen was not loaded again");
}

#[tokio::test]
async fn the_palette_does_what_can_be_done_on_the_screen() {
    let (app, base) = scene::served_at_its_address(vec![]).await;
    let (browser, audience) = owner(&app, &base).await;
    let page = audience.split("/audiences").next().unwrap();
    browser.open(&format!("{base}/console/t/acme{page}")).await;
    browser.arrives("document.readyState === 'complete'").await;
    browser.chord(&[Key::Control], Key::Letter('k')).await;
    browser.arrives("document.querySelector('#palette[open]')").await;
    browser.protocol("Input.insertText", json!({ "text": "arch" })).await;
    let first = "[...document.querySelectorAll('#palette-results [role=option]')][0]";
    browser.arrives(&format!("{first}?.textContent === 'ArchiveOn this screen'")).await;
    browser.arrives("document.querySelector('#palette-note').textContent === '2 results'").await;
    browser.press("Enter").await;
    browser.arrives("!document.querySelector('#palette').open").await;
    browser.arrives("document.querySelector('dialog[open] .question')").await;
}

#[tokio::test]
async fn an_element_of_the_preview_is_chosen_by_keyboard() {
    let (app, base) = scene::served_at_its_address(vec![]).await;
    let (browser, audience) = owner(&app, &base).await;
    app.write_versions().await;
    let versions = app.client().get(&format!("/v0{audience}/versions")).await.expect(200).json();
    let content =
        format!("/v0{audience}/versions/{}/content", versions["items"][0]["versionId"].as_str().unwrap());
    let blocks = json!({ "blocks": [
        { "type": "hero", "blockId": "top", "title": "Anvils" },
        { "type": "text", "blockId": "why", "title": "Why they last", "markdown": "They are cast." },
        { "type": "text", "blockId": "how", "title": "How they are made", "markdown": "With fire." },
    ] });
    app.client().send("PUT", &content, Some(blocks.to_string().into_bytes())).await.expect(200);
    browser.open(&format!("{base}/console/t/acme{audience}")).await;
    browser.arrives("document.querySelector('.preview iframe')").await;
    browser.settled().await;
    // Tab stops at every block.
    let stops =
        "return [...document.querySelectorAll('main > section')].filter((one) => one.tabIndex === 0).length";
    let blocks = browser.ask("return document.querySelectorAll('[data-block]').length").await;
    assert!(blocks.as_u64() > Some(2), "{blocks}");
    assert_eq!(browser.within_frame(stops).await, blocks);
    browser.within_frame("document.querySelectorAll('main > section')[1].focus()").await;
    browser.press_within_frame(ARROW_DOWN).await;
    let element = "const text = document.activeElement.textContent.trim().slice(0, 500);
        return [document.activeElement.localName, text, document.activeElement.closest('main > section').textContent.trim().slice(0, 500)]";
    let chosen = browser.within_frame(element).await;
    assert!(chosen[0] != "section" && chosen[1] != chosen[2] && chosen[1] != "", "{chosen}");
    browser.press_within_frame(ENTER).await;
    let led = format!(
        "location.pathname.includes('/blocks/') && new URLSearchParams(location.search).get('element') === {}",
        chosen[1]
    );
    browser.arrives(&led).await;
    // It is what the message is about that is said there.
    browser.arrives("document.querySelector('form#say [name=element]')").await;
    let message = "const form = document.querySelector('form#say');
        form.elements.message.value = 'Change this to \"Chosen by keyboard\"'; form.requestSubmit()";
    browser.ask(message).await;
    browser.arrives("document.querySelector('.messages')?.innerText.includes('Chosen by keyboard')").await;
    let before = app.client().get(&content).await.expect(200).json();
    app.carry_messages_out().await;
    let after = app.client().get(&content).await.expect(200).json();
    let titles = |content: &Value| {
        let blocks = content["blocks"].as_array().unwrap().iter();
        blocks.map(|block| block["title"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    let (before, after) = (titles(&before), titles(&after));
    let changed: Vec<usize> = (0..before.len()).filter(|at| before[*at] != after[*at]).collect();
    assert_eq!((changed.len(), before.len()), (1, after.len()), "{before:?} {after:?}");
    assert_eq!(
        (json!(before[changed[0]]), after[changed[0]].as_str()),
        (chosen[1].clone(), "Chosen by keyboard")
    );
}
