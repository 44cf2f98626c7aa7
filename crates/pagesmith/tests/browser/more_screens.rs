//! Screens of the console that no address alone leads to: answers to forms, opened dialogs and menus, problems, what guests see; and every screen
//! of a tenant that has nothing yet, or as somebody sees it who may not change anything. On each of them axe finds nothing, nothing is
//! wider than the window, and the keyboard reaches everything.

use pagesmith_console::screens::{Row, rows};
use pagesmith_model::user::Role;
use pagesmith_operations::users;
use pagesmith_operations::users::{invitations, links};
use pagesmith_testkit::TestApp;
use pagesmith_testkit::samples::owned::Owned;
use serde_json::{Value, json};

use crate::checks;
use crate::driver::{Browser, Scheme};
use crate::every_screen::{LOOKS, NO_SCREENS};
use crate::following::owner;
use crate::scene;

const PASSWORD: &str = "correct horse battery";

/// Looks at what the browser shows, on a phone and on a desk.
async fn look(browser: &Browser, what: &str) {
    for (width, scheme) in LOOKS {
        browser.wear(width, scheme).await;
        look_once(browser, &format!("{what} at {width}")).await;
    }
}

async fn look_once(browser: &Browser, what: &str) {
    browser.settled().await;
    checks::fits(browser, what).await;
    checks::is_accessible(browser, what).await;
    checks::is_walked_with_the_keyboard(browser, what).await;
    // A refusal is an error for the browser's console.
    let mut complaints = browser.complaints().await;
    complaints.retain(|complaint| !complaint.contains("the server responded with a status of 4"));
    assert!(complaints.is_empty(), "{what}: {complaints:#?}");
}

/// Opens an address and waits for what script does with it.
pub async fn open(browser: &Browser, url: &str) {
    browser.open(url).await;
    browser.arrives("document.readyState === 'complete' && Boolean(customElements.get('live-part'))").await;
}

/// Enters values into the form that a selector finds, sends it, and waits for the answer.
async fn send(browser: &Browser, form: &str, values: Value) {
    let fill = format!(
        "{{ window.before = true;
        const form = document.querySelector({});
        for (const [name, value] of Object.entries({values})) form.elements[name].value = value;
        form.requestSubmit() }}",
        json!(form)
    );
    browser.evaluated(&fill).await;
    browser.arrives("!window.before && document.readyState === 'complete'").await;
}

/// Whether a row is a screen.
pub fn is_screen(row: &Row) -> bool {
    row.method == "GET" && !NO_SCREENS.iter().any(|end| row.path.ends_with(end))
}

/// The address of a row with what is owned.
pub fn address(root: &str, row: &Row, owned: &Owned) -> String {
    let is_of_links = row.path.starts_with("/links/blocks/");
    let path = row.path.replace("{from_id}", "{version_id}").replace("{to_id}", "{other_version_id}");
    let path = path.replace("{block_id}", if is_of_links { "{page_link_block_id}" } else { "top" });
    format!("{root}{}", owned.fill(&path))
}

/// One of everything, with two versions of a content that differ.
pub async fn owned(app: &TestApp) -> Owned {
    let client = app.client();
    let owned = Owned::make(&client, 0).await;
    app.write_versions().await;
    for (version, title) in [("{version_id}", "Forecasts for teams"), ("{other_version_id}", "Plans")] {
        let content = json!({ "blocks": [
            { "type": "hero", "blockId": "top", "title": title },
            { "type": "text", "blockId": "why", "title": "Why", "markdown": "Plans are guesses." },
        ] });
        let path = "/v0/pages/{page_id}/audiences/{audience_id}/versions/{version_id}/content"
            .replace("{version_id}", version);
        // What is published already is changed by another version.
        client.send("PUT", &owned.fill(&path), Some(content.to_string().into_bytes())).await;
    }
    owned
}

/// A browser in which somebody with a role is signed in.
async fn with_role(app: &TestApp, base: &str, role: Role) -> Browser {
    let browser = Browser::start().await;
    browser.wear(1440, Scheme::Light).await;
    open(&browser, &invitation(app, base, role).await).await;
    let email = format!("{role}@acme.example");
    send(&browser, "form#sign-in", json!({ "name": "Vera", "email": email, "password": PASSWORD })).await;
    browser.arrives("location.pathname.includes('/console/t/')").await;
    browser
}

/// The address of an invitation.
async fn invitation(app: &TestApp, base: &str, role: Role) -> String {
    let context = app.platform.context().of(app.tenant.clone());
    let invite = move |tx: &mut pagesmith_store::Tx<'_>| invitations::create(tx, &context, role, None);
    let (_, token) = app.store.write(invite).await.unwrap();
    format!("{base}/console/invitation?token={token}")
}

#[tokio::test]
async fn axe_finds_nothing_where_there_is_nothing_yet() {
    let (app, base) = scene::served_at_its_address(vec![]).await;
    let (browser, _) = owner(&app, &base).await;
    // The page of the helper goes into the trash, and leaves every list empty.
    let pages = app.client().get("/v0/pages").await.expect(200).json();
    let page = pages["items"][0]["pageId"].as_str().unwrap();
    app.client().delete(&format!("/v0/pages/{page}")).await.expect(200);
    for row in rows().iter().filter(|row| is_screen(row) && !row.path.contains('{')) {
        open(&browser, &format!("{base}/console/t/acme{}", row.path)).await;
        look(&browser, &format!("{} of nothing", row.path)).await;
    }
}

#[tokio::test]
async fn axe_finds_nothing_on_what_viewers_and_analysts_see() {
    let (app, base) = scene::served_at_its_address(vec![]).await;
    owner(&app, &base).await;
    let owned = owned(&app).await;
    let root = format!("{base}/console/t/acme");
    for (role, (width, scheme)) in [(Role::Viewer, LOOKS[1]), (Role::Analyst, LOOKS[0])] {
        let browser = with_role(&app, &base, role).await;
        browser.wear(width, scheme).await;
        for row in rows().iter().filter(|row| is_screen(row) && role.allows(row.needs)) {
            open(&browser, &address(&root, row, &owned)).await;
            look_once(&browser, &format!("{} of a {role}", row.path)).await;
        }
        for refused in ["/settings/keys", "/pages/page_01jpbz8n4xf5k9w2d7hq3mv6ta", "/nowhere"] {
            open(&browser, &format!("{root}{refused}")).await;
            look(&browser, &format!("{refused} refused to a {role}")).await;
        }
    }
}

#[tokio::test]
async fn axe_finds_nothing_in_dialogs_menus_and_forms_with_errors() {
    let (app, base) = scene::served_at_its_address(vec![]).await;
    let (browser, _) = owner(&app, &base).await;
    let owned = owned(&app).await;
    let root = format!("{base}/console/t/acme");
    open(&browser, &root).await;
    for (menu, shown) in [("?", "#keys[open]"), ("Ctrl+K", "#palette[open] [role=option]")] {
        if menu == "?" {
            browser.press("?").await;
        } else {
            browser.chord(&[crate::driver::Key::Control], crate::driver::Key::Letter('k')).await;
            browser.protocol("Input.insertText", json!({ "text": "new" })).await;
        }
        browser.arrives(&format!("document.querySelector('{shown}')")).await;
        look(&browser, &format!("the dialog of {menu}")).await;
        browser.press("Escape").await;
        browser.arrives("!document.querySelector('dialog[open]')").await;
    }
    let (mut dialogs, mut refused) = (0, 0);
    for row in rows().iter().filter(|row| is_screen(row)) {
        let url = address(&root, row, &owned);
        open(&browser, &url).await;
        let links =
            "[...document.querySelectorAll('a[data-dialog-open]')].filter((link) => link.checkVisibility())";
        let count = browser.ask(&format!("return {links}.length")).await.as_u64().unwrap().min(4);
        for at in 0..count {
            browser.wear(LOOKS[dialogs % 2].0, LOOKS[dialogs % 2].1).await;
            browser.evaluated(&format!("{links}[{at}].focus()")).await;
            browser.press("Enter").await;
            browser.arrives("document.querySelector('dialog[open] .question')").await;
            look_once(&browser, &format!("dialog {at} on {}", row.path)).await;
            browser.press("Escape").await;
            browser.arrives("!document.querySelector('dialog[open]')").await;
            let back = browser.evaluated("document.activeElement.matches('[data-dialog-open]')").await;
            assert_eq!(back, true, "the focus is not back on {}", row.path);
            dialogs += 1;
        }
        // Every form of a screen is sent without a text in it, once it is shown anew.
        let forms = "[...document.querySelectorAll('main form.form[id]')].filter((form) => form.method === 'post').map((form) => form.id)";
        for form in browser.list(&format!("return {forms}")).await {
            open(&browser, &url).await;
            let empty = format!(
                "for (const field of document.querySelectorAll('form[id=\"{form}\"] :is(input:not([type=hidden], [type=radio], [type=checkbox], [type=file]), textarea)'))
                    field.value = ''"
            );
            browser.evaluated(&empty).await;
            send(&browser, &format!("form[id=\"{form}\"]"), json!({})).await;
            if browser.evaluated("Boolean(document.querySelector('.summary, .toast.failed'))").await == true {
                refused += 1;
                browser.wear(LOOKS[refused % 2].0, LOOKS[refused % 2].1).await;
                look_once(&browser, &format!("{form} on {} with errors", row.path)).await;
            }
        }
    }
    assert!(dialogs > 12 && refused > 20, "{dialogs} {refused}");
}

#[tokio::test]
async fn axe_finds_nothing_on_answers_to_forms() {
    let (app, base) = scene::served_at_its_address(vec![]).await;
    let (browser, _) = owner(&app, &base).await;
    let owned = owned(&app).await;
    let root = format!("{base}/console/t/acme");
    let at = |path: &str| format!("{root}{}", owned.fill(path));

    open(&browser, &at("/webhooks/new")).await;
    send(&browser, "form#webhook", json!({ "url": "https://hooks.acme.example/in" })).await;
    shows(&browser, "whsec_").await;
    look(&browser, "a secret that is shown once").await;
    open(&browser, &at("/settings/keys/new")).await;
    send(&browser, "form#key", json!({ "name": "Import", "scope": "read" })).await;
    shows(&browser, "KEY=").await;
    look(&browser, "a new key").await;
    open(&browser, &at("/brands/website")).await;
    send(&browser, "form#website", json!({ "url": "https://example.com/" })).await;
    browser.arrives("document.querySelector('form#brand')").await;
    look(&browser, "a brand that is proposed").await;
    open(&browser, &at("/settings/agent")).await;
    send(&browser, "form#try", json!({})).await;
    look(&browser, "the agent that is tried").await;

    open(&browser, &at("/pages/{page_id}/audiences/new/persons")).await;
    browser
        .evaluated(
            "{ const box = document.querySelector('tbody input[name=id]');
             box.value = 'person_01jpbz8n4xf5k9w2d7hq3mv6ta'; box.click() }",
        )
        .await;
    browser
        .evaluated("window.before = true; document.querySelector('form.bulk button[value=draft]').click()")
        .await;
    browser.arrives("!window.before && document.readyState === 'complete'").await;
    browser.arrives("document.querySelector('main tbody th[scope=row]')").await;
    look(&browser, "what was not done of many").await;

    open(&browser, &at("/persons/{person_id}/merge?other={other_person_id}")).await;
    browser.arrives("document.querySelector('form#merge')").await;
    look(&browser, "what a merge would do").await;
    send(&browser, "form#merge", json!({})).await;
    look(&browser, "persons that were merged").await;
    open(&browser, &at("/pages/{page_id}/audiences/{audience_id}/compare/{version_id}/{other_version_id}"))
        .await;
    browser.arrives("document.querySelector('main ins, main del')").await;
    look(&browser, "versions that differ").await;
    problems_and_guests(&app, &browser, &base, &owned).await;
}

async fn shows(browser: &Browser, text: &str) {
    browser.arrives(&format!("document.body.innerText.includes({})", json!(text))).await;
}

/// What is shown to those who have a link, and where there is nothing to show.
async fn problems_and_guests(app: &TestApp, browser: &Browser, base: &str, owned: &Owned) {
    let root = format!("{base}/console/t/acme");
    open(browser, &format!("{root}/settings")).await;
    send(browser, "form#invite", json!({ "email": "eda@acme.example", "role": "editor" })).await;
    shows(browser, "invitation?token=").await;
    look(browser, "the link of an invitation").await;
    open(browser, &invitation(app, base, Role::Viewer).await).await;
    look(browser, "an invitation of somebody who is signed in").await;
    open(browser, &format!("{root}{}", owned.fill("/visits/{page_id}/shares"))).await;
    let share = json!({ "name": "The board", "expiresInDays": "30", "password": PASSWORD });
    send(browser, "form#share", share).await;
    shows(browser, "/console/shared/").await;
    look(browser, "the link to figures").await;
    let link = "return [...document.querySelectorAll('main code')].map((code) => code.textContent).find((text) => text.includes('/shared/'))";
    let link = browser.ask(link).await.as_str().unwrap().to_owned();

    let guest = Browser::start().await;
    open(&guest, &link).await;
    look(&guest, "figures that ask for a password").await;
    send(&guest, "form#shared", json!({ "password": "wrong" })).await;
    look(&guest, "figures after a wrong password").await;
    send(&guest, "form#shared", json!({ "password": PASSWORD })).await;
    guest.arrives("document.querySelector('main.public')").await;
    look(&guest, "figures of a guest").await;
    open(&guest, &format!("{link}x")).await;
    look(&guest, "figures that are not there").await;
    open(&guest, &invitation(app, base, Role::Editor).await).await;
    look(&guest, "an invitation").await;
    send(&guest, "form#sign-in", json!({})).await;
    look(&guest, "an invitation with errors").await;
    let context = app.platform.context();
    let link = move |tx: &mut pagesmith_store::Tx<'_>| {
        let user = users::find_by_name(tx, "olga@acme.example")?;
        links::password_link(tx, &context, &user.user_id)
    };
    let token = app.store.write(link).await.unwrap();
    open(&guest, &format!("{base}/console/password?token={token}")).await;
    look(&guest, "a password to set").await;
    send(&guest, "form#sign-in", json!({ "password": "short" })).await;
    look(&guest, "a password that is refused").await;
    for bad in ["/console/setup?token=none", "/console/invitation?token=none", "/console/sign-in"] {
        open(&guest, &format!("{base}{bad}")).await;
        look(&guest, bad).await;
    }
    send(&guest, "form#sign-in", json!({ "email": "olga@acme.example", "password": "wrong" })).await;
    look(&guest, "signing in with a wrong password").await;
}
