//! Forms that are larger, or have more fields, than anybody enters.

use futures_util::FutureExt;
use futures_util::future::select_all;
use pagesmith_model::user::Role;
use pagesmith_testkit::{TestApp, fixtures};
use serde_json::json;

use super::browser::{Browser, fields};

/// What the console says of a form that is too large.
const SAYS: &str = "More was entered than a form may hold.";

/// The paths of forms that need no session.
const OPEN: [&str; 7] = [
    "/console/sign-in",
    "/console/sign-out",
    "/console/code",
    "/console/setup",
    "/console/password",
    "/console/invitation",
    "/console/shared/acme/token",
];

/// So many fields without a value.
fn many(count: usize) -> Vec<(String, String)> {
    (0..count).map(|number| (format!("f{number}"), String::new())).collect()
}

#[tokio::test]
async fn whoever_is_not_signed_in_may_send_little() {
    let app = TestApp::start().await;
    let mut browser = Browser::new(&app);
    for path in OPEN {
        for fields in [vec![("email".to_owned(), "x".repeat(16 * 1024))], many(51)] {
            let refused = browser.send_fields(path, &fields).await.expect(413).text();
            assert!(refused.contains(SAYS), "{path}: {refused}");
        }
        let taken = browser.send_fields(path, &many(50)).await;
        assert_ne!(taken.status, 413, "{path}");
    }
    // The longest password fits, whatever it is made of.
    let password = "\u{1f40e}".repeat(256);
    let sent = [("email", "olga@acme.example"), ("password", password.as_str())];
    assert_ne!(browser.send("/console/sign-in", &sent).await.status, 413);
}

#[tokio::test]
async fn a_form_has_an_end_for_users_too() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let path = "/console/t/acme/persons/new";
    for fields in [vec![("name".to_owned(), "x".repeat(1024 * 1024))], many(10_001)] {
        let refused = browser.send_fields(path, &fields).await.expect(413).text();
        assert!(refused.contains(SAYS), "{refused}");
    }
    let mut most = many(9_999);
    most.push(("name".to_owned(), "Ada".to_owned()));
    browser.send_fields(path, &most).await.expect(303);
}

#[tokio::test]
async fn the_form_of_as_many_actions_as_a_page_may_have_can_be_sent() {
    let app = TestApp::start().await;
    let client = app.client();
    let action = |number: usize| {
        json!({ "actionId": format!("a{number}"), "purpose": "Read", "buttonTitle": format!("Read {number}"),
            "actionType": "open-url", "url": "https://acme.example/" })
    };
    let mut page = fixtures::page("Many");
    page["actions"] = (0..1_000).map(action).collect();
    page["headerActionId"] = json!("a0");
    let page = client.post("/v0/pages", &page).await.expect(201).json();
    let id = page["pageId"].as_str().unwrap();
    let mut browser = Browser::owner(&app).await;
    let path = format!("/console/t/acme/pages/{id}/edit/actions");
    let screen = browser.open(&path).await.expect(200).text();
    let mut sent = fields(&screen, "page");
    let last = sent.iter_mut().find(|(name, _)| name == "actions.999.buttonTitle").unwrap();
    last.1 = "The last".to_owned();
    browser.send_fields(&path, &sent).await.expect(303);
    let read = client.get(&format!("/v0/pages/{id}")).await.expect(200).json();
    assert_eq!(read["actions"][999]["buttonTitle"], "The last");
    assert_eq!(read["actions"].as_array().unwrap()[..999], page["actions"].as_array().unwrap()[..999]);
}

#[tokio::test]
async fn a_large_form_is_not_read_on_the_thread_that_serves_others() {
    let app = TestApp::start().await;
    let mut owner = Browser::owner(&app).await;
    let (mut editor, mut stranger) = (Browser::with_role(&app, Role::Editor).await, Browser::new(&app));
    // As long as nobody has a place elsewhere, a large form waits, and this one thread goes on serving.
    let taken = app.state.offload.take_all().await;
    let path = "/console/t/acme/persons/new";
    let large = [("name", "Ada"), ("unknown", &"x".repeat(20_000))];
    let open = [("email", "nobody@acme.example"), ("password", &"x".repeat(10_000))];
    let mut waiting = [owner.send(path, &large).boxed(), stranger.send(OPEN[0], &open).boxed()];
    for number in 0..5 {
        let name = format!("Bob {number}");
        let small = [("name", name.as_str())];
        tokio::select! {
            (answer, at, _) = select_all(&mut waiting) => panic!("{at}: {}", answer.text()),
            answer = editor.send(path, &small) => drop(answer.expect(303)),
        }
    }
    drop(taken);
    let [owner, stranger] = waiting;
    owner.await.expect(303);
    assert_ne!(stranger.await.status, 303);
    let named = app.client().get("/v0/persons").await.expect(200).json();
    assert_eq!(named["totalCount"], 6);
}
