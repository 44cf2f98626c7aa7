//! The palette offers all that can be done on the screen at hand: every screen is opened, and its buttons are looked for there.

use std::collections::BTreeSet;

use pagesmith_console::screens::{operator, rows};
use pagesmith_model::user::Role;
use pagesmith_operations::users::invitations;
use pagesmith_testkit::TestApp;
use pagesmith_worker::person_imports;
use serde_json::{Value, json};

use crate::driver::{Browser, Key};
use crate::every_screen::NO_SCREENS;
use crate::following::owner;
use crate::more_screens::{address, is_screen, open, owned};
use crate::scene;

/// The names of the buttons of a screen, of the links that look like buttons, and of what opens a form; as they are read.
const BUTTONS: &str = "return [...document.querySelectorAll('main button, main a.button, main summary')]
    .filter((one) => one.checkVisibility() && !one.disabled && !one.classList.contains('unseen'))
    .filter((one) => one.localName !== 'summary' || one.parentElement.querySelector('form'))
    .map((one) => (one.getAttribute('aria-label') || one.textContent).trim().replace(/\\s+/g, ' ').slice(0, 80)).filter(Boolean)";
/// The names of the actions that the palette offers.
const OFFERED: &str = "return [...document.querySelectorAll('#palette-results [id^=palette-here-] .cut')].map((one) => one.textContent)";

/// Opens the palette, which shows all that can be done.
async fn call_up(browser: &Browser) {
    browser.chord(&[Key::Control], Key::Letter('k')).await;
    browser.arrives("document.querySelector('#palette[open] #palette-results:not([aria-busy])')").await;
}

/// A name without what tells it from equal ones.
fn plain(name: &str) -> &str {
    let name = name.split(" · ").next().unwrap();
    match name.rsplit_once(" (") {
        Some((name, number)) if number.trim_end_matches(')').parse::<u32>().is_ok() => name,
        _ => name,
    }
}

/// Looks for every button of the screen that is shown among the actions of the palette; their names.
async fn offers_its_buttons(browser: &Browser, what: &str) -> Vec<String> {
    let buttons = browser.list(BUTTONS).await;
    call_up(browser).await;
    let offered = browser.list(OFFERED).await;
    let told: BTreeSet<&String> = offered.iter().collect();
    assert_eq!(told.len(), offered.len(), "{what} offers two that are called the same: {offered:?}");
    let mut plain: Vec<&str> = offered.iter().map(|name| plain(name)).collect();
    let missed: Vec<&String> = buttons
        .iter()
        .filter(|button| {
            let place = plain.iter().position(|name| name == button);
            place.map(|place| plain.remove(place)).is_none()
        })
        .collect();
    assert!(missed.is_empty(), "{what} offers no {missed:?}: {offered:?}");
    browser.press("Escape").await;
    browser.arrives("!document.querySelector('#palette').open").await;
    offered
}

async fn post(app: &TestApp, path: &str, body: &Value) -> Value {
    let answer = app.client().post(path, body).await;
    assert!(answer.status.is_success(), "{path}: {}", answer.text());
    answer.json()
}

/// An audience with all that can happen to one, below the tenant's root: changes of a conversation that goes on, two versions, one with a schedule,
/// and a third one that is being written.
async fn busy(app: &TestApp, audience: &str) {
    let api = format!("/v0{audience}");
    app.write_versions().await;
    post(app, &format!("{api}/messages"), &json!({ "message": "remove the questions" })).await;
    app.carry_messages_out().await;
    post(app, &format!("{api}/versions"), &json!({})).await;
    app.write_versions().await;
    let versions = app.client().get(&format!("{api}/versions")).await.expect(200).json();
    let newest = format!("{api}/versions/{}", versions["items"][0]["versionId"].as_str().unwrap());
    let times = json!({ "publishAt": "2027-01-04T07:00:00Z" }).to_string().into_bytes();
    app.client().send("PUT", &format!("{newest}/schedule"), Some(times)).await.expect(200);
    post(app, &format!("{api}/messages"), &json!({ "message": "make the headline shorter" })).await;
    post(app, &format!("{api}/versions"), &json!({})).await;
}

#[tokio::test]
async fn every_button_of_every_screen_is_among_the_actions() {
    let (app, base) = scene::served_at_its_address(vec![]).await;
    let (browser, audience) = owner(&app, &base).await;
    let owned = owned(&app).await;
    let context = app.platform.context().of(app.tenant.clone());
    let invite =
        move |tx: &mut pagesmith_store::Tx<'_>| invitations::create(tx, &context, Role::Editor, None);
    app.store.write(invite).await.unwrap();
    let merge = json!({ "otherPersonId": owned.id("{other_person_id}"), "dryRun": false });
    post(&app, &owned.fill("/v0/persons/{person_id}/merge"), &merge).await;
    post(&app, &owned.fill("/v0/person_imports/{person_import_id}/check"), &json!({})).await;
    app.run_due_work().await;
    person_imports::drain(&app.tools()).await.unwrap();
    busy(&app, &audience).await;
    let root = format!("{base}/console/t/acme");
    let mut urls: Vec<String> =
        rows().iter().filter(|row| is_screen(row)).map(|row| address(&root, row, &owned)).collect();
    urls.extend(["", "/versions"].map(|end| format!("{root}{audience}{end}")));
    urls.push(format!("{root}{}?columns=change", owned.fill("/persons/imports/{person_import_id}")));
    for row in operator::rows() {
        if row.method == "GET" && !NO_SCREENS.iter().any(|end| row.path.ends_with(end)) {
            let path = row.path.replace("{tenant_id}", app.tenant.as_str());
            urls.push(format!("{base}/console/operator{path}"));
        }
    }
    let mut offered = BTreeSet::new();
    for url in &urls {
        open(&browser, url).await;
        offered.extend(offers_its_buttons(&browser, url).await.iter().map(|name| plain(name).to_owned()));
    }
    // What is done with selected rows is offered once there are some.
    open(&browser, &format!("{root}{}", audience.split("/audiences").next().unwrap())).await;
    browser.ask("document.querySelector('tbody input[name=id]').click()").await;
    let of_selected = offers_its_buttons(&browser, "selected audiences").await;
    assert!(of_selected.iter().any(|name| name == "Publish"), "{of_selected:?}");
    for name in [
        "Stop writing",
        "Stop",
        "Undo",
        "Back to this state",
        "Cancel the schedule",
        "Schedule",
        "Compare",
        "Import",
        "Change the columns",
        "Cancel",
        "Replace",
        "Revoke",
        "Remove from here",
        "Take the merge back",
        "End",
        "Add an app",
        "Back up now",
    ] {
        assert!(offered.contains(name), "no screen offers {name}: {offered:?}");
    }
}

#[tokio::test]
async fn actions_of_one_name_are_told_apart_and_the_list_scrolls() {
    let (app, base) = scene::served_at_its_address(vec![]).await;
    let (browser, audience) = owner(&app, &base).await;
    busy(&app, &audience).await;
    let screen = format!("{base}/console/t/acme{audience}");
    open(&browser, &format!("{screen}/versions")).await;
    call_up(&browser).await;
    browser.protocol("Input.insertText", json!({ "text": "schedule version 1" })).await;
    let first = "document.querySelector('#palette-results [aria-selected=true] .cut')?.textContent";
    browser.arrives(&format!("{first} === 'Schedule · Version 1'")).await;
    browser.press("Enter").await;
    // What opens a form leads into it.
    browser.arrives("document.activeElement.name === 'publishAt'").await;
    let of = "document.activeElement.closest('.version').querySelector('strong').textContent";
    assert_eq!(browser.evaluated(of).await, "Version 1");

    open(&browser, &screen).await;
    call_up(&browser).await;
    let offered = browser.list(OFFERED).await;
    assert!(offered.len() > 12, "{offered:?}");
    for _ in 0..12 {
        browser.press("ArrowDown").await;
    }
    browser.arrives(&format!("{first} === {}", json!(offered[12]))).await;
    let in_sight = "(() => { const list = document.querySelector('#palette-results').getBoundingClientRect(),
        one = document.querySelector('#palette-results [aria-selected=true]').getBoundingClientRect();
        return one.top >= list.top && one.bottom <= list.bottom })()";
    browser.arrives(in_sight).await;
}
