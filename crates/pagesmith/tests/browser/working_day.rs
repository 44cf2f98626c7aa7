//! Everything without a program: from the link of the first user to visits, persons, webhooks and users, in a real browser with script,
//! once with the pointer and once with the keyboard alone. On each engine.

mod provider;
mod worker;

use std::time::Duration;

use pagesmith_console::screens::{Row, rows};
use pagesmith_model::user::Role;
use pagesmith_operations::users::first_user;
use pagesmith_testkit::samples::owned::Owned;
use pagesmith_testkit::{Receiver, TestApp, authenticator};
use pagesmith_worker::person_imports;
use serde_json::{Value, json};

use crate::driver::{Browser, Key};
use crate::measured::{LEAVE, as_a_person, visit};
use crate::more_screens::address;
use crate::scene;
use provider::Provider;
use worker::{Hand, Worker};

/// A marketer's own text.
const PROSE: &str = "Hearth bakes for offices in Leeds. We deliver breakfast for 10 to 200 people before 8. Since 2014 we have served \
     340 companies. \"The only meeting everybody is on time for\", says Priya Nair, office manager at Dunn Law. How early do I have \
     to order? By noon the day before.";
const PASSWORD: &str = "correct horse battery";
/// How many persons are imported, and how many of them get a page of their own.
const PERSONS: usize = 1_000;
const CHOSEN: usize = 10;

#[tokio::test]
async fn a_working_day_with_the_pointer() {
    work(Hand::Pointer).await;
}

#[tokio::test]
async fn a_working_day_with_the_keyboard_alone() {
    work(Hand::Keyboard).await;
}

async fn work(hand: Hand) {
    let provider = Provider::start().await;
    let (app, _) = scene::served_at_its_address(vec![provider.settings()]).await;
    provider.set_clock(&app);
    let base = app.state.settings.base_url.clone();
    let owner = Worker::start(&base, hand).await;
    sign_up(&app, &owner).await;
    let page = make_a_page(&app, &owner).await;
    see_a_visit(&owner, &page).await;
    import_persons(&app, &owner).await;
    give_ten_a_page(&app, &owner, &page).await;
    deliver_twice(&app, &owner).await;
    sign_in_with_an_app(&app, &owner).await;
    let viewer = invite_a_viewer(&app, &owner, &provider).await;
    assert_eq!(owner.browser.complaints().await, Vec::<String>::new());
    change_nothing(&app, &viewer, &page).await;
}

/// The first user, by the link that the server prints.
async fn sign_up(app: &TestApp, owner: &Worker) {
    let context = app.platform.context();
    let token = app.store.write(move |tx| first_user::set_up_link(tx, &context)).await.unwrap().unwrap();
    owner.open(&format!("/console/setup?token={token}")).await;
    for (name, value) in [("name", "Olga Owner"), ("email", "olga@acme.example"), ("password", PASSWORD)] {
        owner.fill(&format!("form#sign-in input[name={name}]"), value).await;
    }
    owner.press("form#sign-in [type=submit]").await;
    owner.is_at("/console/t/acme").await;
    owner.is_accessible("the start").await;
}

/// A page of pasted prose: watched while it is written, changed by saying so, published. The path of its screen.
async fn make_a_page(app: &TestApp, owner: &Worker) -> String {
    if owner.hand == Hand::Keyboard {
        for key in ["g", "p"] {
            owner.browser.press(key).await;
        }
        owner.is_at("/console/t/acme/pages").await;
        owner.browser.press("c").await;
    } else {
        owner.open("/console/t/acme/pages").await;
        owner.press("main a[href$='/pages/new']").await;
    }
    owner.is_at("/pages/new").await;
    owner.fill("textarea[name=pageContext]", PROSE).await;
    owner.fill("form#page input[name=name]", "Office breakfast").await;
    owner.fill("textarea[name=supplementaryContext]", "Office managers of law firms.").await;
    owner.press("form#page [type=submit]").await;
    owner.is_at("/audiences/audience_").await;
    owner.reads("The page was created").await;
    // The screen follows by itself.
    app.write_versions().await;
    owner.sees(".preview iframe").await;

    owner.fill("form#say textarea", "remove the questions").await;
    owner.press("form#say [type=submit]").await;
    owner
        .browser
        .arrives(
            "document.querySelector('form#say textarea')?.value === '' && document.readyState === 'complete'",
        )
        .await;
    app.carry_messages_out().await;
    owner.sees("form[action$='/revert']").await;
    owner.is_accessible("an audience").await;
    match owner.hand {
        Hand::Pointer => move_blocks(&owner.browser).await,
        Hand::Keyboard => move_a_block_by_keys(owner).await,
    }
    owner.press("form[action$='/publish'] button").await;
    owner.sees("a[target=_blank][href]").await;
    owner.path().await.split("/audiences/").next().unwrap().to_owned()
}

/// The list of blocks was drawn again, and works as before: a block is moved where it stands, and why it is not moved is said.
async fn move_blocks(browser: &Browser) {
    let rows = "[...document.querySelectorAll('block-order .block')]";
    let are_movable = format!("{rows}.length > 1 && {rows}.every((row) => row.draggable)");
    browser.arrives(&are_movable).await;
    let second = browser.evaluated(&format!("{rows}[1].dataset.block")).await;
    let row = format!("[data-block=\"{}\"]", second.as_str().unwrap());
    let press = |act: &str| format!("document.querySelector('{row} [data-act=\"{act}\"]').click()");
    browser.evaluated(&press("↑")).await;
    browser.arrives(&format!("document.querySelector('block-order li:first-child{row}')")).await;
    browser.arrives(&are_movable).await;
    browser.arrives("!document.querySelector('block-order').isBusy").await;
    // What the row says of its place does not hold any more.
    let wrong = format!("document.querySelector('{row} [name=after]').value = 'elsewhere'; {}", press("↓"));
    browser.evaluated(&wrong).await;
    browser.arrives("document.querySelector('#toasts .failed p')?.textContent.includes('Something else stands there')").await;
    // The refusal is all that the browser notes.
    let complaints = browser.complaints().await;
    assert!(complaints.len() == 1 && complaints[0].contains("/move - "), "{complaints:?}");
}

/// A block is moved up and down by the keys that the screen names, and keeps the focus.
async fn move_a_block_by_keys(owner: &Worker) {
    let rows = "[...document.querySelectorAll('block-order .block')]";
    owner.browser.arrives(&format!("{rows}.length > 1")).await;
    let second = owner.browser.evaluated(&format!("{rows}[1].dataset.block")).await;
    let row = format!("[data-block=\"{}\"]", second.as_str().unwrap());
    owner.reach(&format!("{row} a")).await;
    for (key, place) in [(Key::Up, 1), (Key::Down, 2)] {
        owner.browser.chord(&[Key::Alt], key).await;
        owner.sees(&format!("block-order li:nth-child({place}){row}")).await;
        owner.browser.arrives(&format!("document.activeElement.closest('{row}')")).await;
    }
}

/// Somebody opens the page elsewhere, and the owner sees it at once.
async fn see_a_visit(owner: &Worker, page: &str) {
    let link = owner.browser.evaluated("document.querySelector('a[target=_blank][href]').href").await;
    owner.go_to_area("/console/t/acme/visits", "v").await;
    owner.follow(&page.replace("/pages/", "/visits/")).await;
    owner.sees("live-part#now").await;
    let before = owner.text_of("#now").await;
    let visitor = Browser::start().await;
    as_a_person(&visitor).await;
    visit(&visitor, link.as_str().unwrap()).await;
    let shown = visitor.ask("return document.querySelector('main').innerText").await;
    assert!(shown.as_str().unwrap().contains("340"), "{shown}");
    assert_eq!(visitor.ask_later(LEAVE).await, json!(["counted"]));
    let changed = format!("document.querySelector('#now').textContent !== {}", json!(before));
    owner.browser.arrives(&changed).await;
    assert!(owner.text_of("#now").await.contains('1'), "{before}");
    owner.is_accessible("visits").await;
}

/// A thousand persons, out of a file.
async fn import_persons(app: &TestApp, owner: &Worker) {
    let rows: String = (1..=PERSONS)
        .map(|number| {
            format!("Person {number:04};p{number:04}@company-{}.example;Night shifts\n", number % 50)
        })
        .collect();
    owner.go("/console/t/acme/persons/imports/new", "import persons").await;
    let _kept = owner.choose_file("persons.csv", &format!("Name;E-Mail;Concern\n{rows}")).await;
    owner.press("form#import [type=submit]").await;
    owner.press("form#columns [type=submit]").await;
    owner.sees("live-part#import").await;
    owner.browser.arrives("!document.querySelector('form#columns')").await;
    person_imports::drain(&app.tools()).await.unwrap();
    owner.press("form[action$='/start'] button").await;
    owner.browser.arrives("!document.querySelector('form[action$=\"/start\"]')").await;
    person_imports::drain(&app.tools()).await.unwrap();
    owner.reads("Imported").await;
    let persons = app.client().get("/v0/persons").await.expect(200).json();
    assert_eq!(persons["totalCount"], PERSONS);
    owner.is_accessible("an import").await;
}

/// Ten of them get a page of their own each, which are published together.
async fn give_ten_a_page(app: &TestApp, owner: &Worker, page: &str) {
    owner.go(page, "office breakfast").await;
    owner.follow(&format!("{page}/audiences/new")).await;
    owner.follow(&format!("{page}/audiences/new/persons")).await;
    select(owner, CHOSEN).await;
    owner.is_accessible("the choice of persons").await;
    owner.press("form.bulk button[value=draft]").await;
    owner.reads("The audiences are being written.").await;
    app.write_versions().await;
    owner.go(page, "office breakfast").await;
    select(owner, CHOSEN + 1).await;
    owner.press("form.bulk button[value=publish]").await;
    owner.browser.arrives("location.search.includes('done=published')").await;
    let api = page.replace("/console/t/acme", "/v0");
    let audiences = app.client().get(&format!("{api}/audiences?limit=100")).await.expect(200).json();
    let published = audiences["items"].as_array().unwrap().iter().filter(|one| one["status"] == "published");
    assert_eq!(published.count(), CHOSEN + 1, "{audiences}");
}

/// Selects the first rows of a table.
async fn select(owner: &Worker, count: usize) {
    owner.sees("tbody input[name=id]").await;
    let ids = owner
        .browser
        .list("return [...document.querySelectorAll('tbody input[name=id]')].map((box) => box.id)")
        .await;
    assert!(ids.len() >= count, "{ids:?}");
    for id in &ids[..count] {
        owner.tick(&format!("input[id='{id}']")).await;
    }
}

/// An event is delivered to a webhook, and sent again.
async fn deliver_twice(app: &TestApp, owner: &Worker) {
    let receiver = Receiver::start().await;
    owner.go("/console/t/acme/webhooks/new", "new webhook").await;
    owner.fill("form#webhook input[name=url]", &receiver.url()).await;
    owner.press("form#webhook [type=submit]").await;
    owner.reads("whsec_").await;
    owner.press("main a.button.primary").await;
    owner.press("form[action$='/test'] button").await;
    owner.browser.arrives("location.search.includes('done=')").await;
    app.deliver().await;
    assert_eq!(receiver.wait_for(1).await.len(), 1);
    let here = owner.path().await;
    owner.go_to_area("/console/t/acme/webhooks", "w").await;
    owner.follow(&here).await;
    owner.reads("Delivered").await;
    owner.press("tbody a.row-link").await;
    owner.is_at("/deliveries/").await;
    owner.reads("\"page.version.published\"").await;
    owner.is_accessible("a delivery").await;
    owner.press("form[action$='/resend'] button").await;
    owner.browser.arrives("location.search.includes('done=')").await;
    app.deliver().await;
    let arrived = receiver.wait_for(2).await;
    assert_eq!(arrived[0].body, arrived[1].body);
}

/// An authenticator app is added, and asked for at the next sign-in.
async fn sign_in_with_an_app(app: &TestApp, owner: &Worker) {
    owner.go("/console/t/acme/account", "your account").await;
    owner.press("form[action$='/account/app'] button").await;
    owner.sees("form#app input[name=code]").await;
    let secret = owner.text_of("main code").await;
    owner.fill("form#app input[name=code]", &authenticator::code(&secret, app.state.now())).await;
    owner.press("form#app [type=submit]").await;
    owner.browser.arrives("!document.querySelector('form#app') && document.readyState === 'complete'").await;
    // A code is taken once.
    app.advance(Duration::from_secs(30));
    let again = Worker::start(&owner.base, owner.hand).await;
    again.open("/console/sign-in").await;
    again.fill("form#sign-in input[name=email]", "olga@acme.example").await;
    again.fill("form#sign-in input[name=password]", PASSWORD).await;
    again.press("form#sign-in [type=submit]").await;
    again.fill("input[name=code]", &authenticator::code(&secret, app.state.now())).await;
    again.press("form#sign-in [type=submit]").await;
    again.is_at("/console/t/acme").await;
}

/// Somebody is invited as a viewer, and comes by way of the identity provider.
async fn invite_a_viewer(app: &TestApp, owner: &Worker, provider: &Provider) -> Worker {
    owner.go_to_area("/console/t/acme/settings", ",").await;
    owner.fill("form#invite input[name=email]", "jane@acme.example").await;
    owner.choose("role", "viewer").await;
    owner.press("form#invite [type=submit]").await;
    owner.reads("invitation?token=").await;
    let viewer = Worker::start(&owner.base, owner.hand).await;
    viewer.open("/console/sign-in").await;
    provider.sign_in(app, &viewer).await;
    viewer
}

/// A viewer tries every screen and everything that can be done on one.
async fn change_nothing(app: &TestApp, viewer: &Worker, page: &str) {
    let owned = Owned::make(&app.client(), 0).await;
    let before = everything(app, page, &owned).await;
    let (tried, shown) = (addresses(&owned), viewer.browser.evaluated("document.body.innerText").await);
    assert!(shown.as_str().unwrap().contains("Jane Doe"), "{shown}");
    for (method, path, is_allowed) in &tried {
        let ask = format!(
            "const done = arguments[0];
             fetch({}, {{ method: '{method}', redirect: 'manual', body: '{method}' === 'POST' ? new URLSearchParams() : undefined }})
                 .then(async (answer) => done([answer.status, await answer.text()]))",
            json!(path)
        );
        let answer = viewer.browser.ask_later(&ask).await;
        let status = answer[0].as_u64().unwrap();
        if !is_allowed {
            assert_eq!(status, 403, "{method} {path}");
            continue;
        }
        // A redirect is none of the script's business.
        assert!(matches!(status, 0 | 200), "{method} {path}: {status}");
        if status == 200 && *method == "GET" && !path.contains("/account") {
            let screen = answer[1].as_str().unwrap();
            let main = screen.split("<main").nth(1).unwrap_or_default();
            assert!(!main.contains("method=\"post\""), "{method} {path}: {main}");
        }
    }
    assert!(tried.len() > 150, "{}", tried.len());
    assert_eq!(everything(app, page, &owned).await, before);
}

/// What the tenant has, as the API tells it, with every detail of what is owned.
async fn everything(app: &TestApp, page: &str, owned: &Owned) -> Vec<String> {
    let page = page.replace("/console/t/acme", "/v0");
    let audiences = format!("{page}/audiences");
    let lists = [
        "pages",
        "persons",
        "accounts",
        "topics",
        "files",
        "assets",
        "brands",
        "forms",
        "page_links",
        "tenant_domains",
    ];
    let more = [
        "webhook_subscriptions",
        "person_imports",
        "keys",
        "agent",
        "site",
        "visit_settings",
        "events?live=true",
    ];
    let mut paths: Vec<String> = lists.iter().chain(&more).map(|name| format!("/v0/{name}")).collect();
    paths.extend([page, audiences]);
    let mut found = Vec::new();
    for path in &paths {
        found.push(app.client().get(path).await.expect(200).text());
    }
    found.extend(owned.everything(&app.client()).await.iter().map(Value::to_string));
    found
}

/// Every screen with ids that exist, and whether a viewer is allowed there.
fn addresses(owned: &Owned) -> Vec<(&'static str, String, bool)> {
    let rows = rows();
    let is_tried = |row: &&Row| {
        // A stream of events does not end.
        !(row.path.ends_with("/events") || row.path.starts_with("/account") && row.method == "POST")
    };
    let tried = rows.iter().filter(is_tried);
    tried
        .map(|row| (row.method, address("/console/t/acme", row, owned), Role::Viewer.allows(row.needs)))
        .collect()
}
