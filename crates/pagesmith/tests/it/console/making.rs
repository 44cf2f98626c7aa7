//! From one's own text to a published page, and what else is done on screens.

use std::collections::BTreeSet;

use pagesmith_model::user::Role;
use pagesmith_testkit::TestApp;
use serde_json::json;

use super::browser::{Browser, fields};

/// Makes a page; its address, and the one of its first audience.
pub async fn make(browser: &mut Browser) -> (String, String) {
    let context = "Hearth bakes for offices in Leeds. We deliver breakfast for 10 to 200 people before 8. \
         Since 2014 we have served 340 companies. How early do I have to order? By noon the day before.";
    let fields = [
        ("name", "Office breakfast"),
        ("pageContext", context),
        ("supplementaryContext", "Office managers of law firms."),
        ("pageType", "inbound"),
    ];
    let made = browser.send("/console/t/acme/pages/new", &fields).await.expect(303);
    let audience = made.header("location").unwrap().split('?').next().unwrap().to_owned();
    (audience.split("/audiences/").next().unwrap().to_owned(), audience)
}

#[tokio::test]
async fn a_page_without_a_name_is_called_what_its_text_begins_with() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let fields =
        [("name", ""), ("pageContext", "Bäckerei Krume, Leipzig. We bake bread."), ("pageType", "inbound")];
    let made = browser.send("/console/t/acme/pages/new", &fields).await.expect(303);
    let page = made.header("location").unwrap().split("/audiences/").next().unwrap().to_owned();
    let api =
        app.client().get(&format!("/v0{}", page.strip_prefix("/console/t/acme").unwrap())).await.expect(200);
    assert_eq!(api.json()["name"], "Bäckerei Krume");
    // Without a text there is nothing to take it from, and nothing is made.
    let fields = [("name", ""), ("pageContext", " "), ("pageType", "inbound")];
    let refused = browser.send("/console/t/acme/pages/new", &fields).await.expect(400).text();
    assert!(refused.contains("aria-invalid"), "{refused}");
    assert_eq!(app.client().get("/v0/pages").await.expect(200).json()["totalCount"], 1);
}

#[tokio::test]
async fn the_audience_of_a_page_that_is_for_nobody_in_particular_is_everyone_in_the_users_language() {
    let app = TestApp::start().await;
    let (mut browser, client) = (Browser::owner(&app).await, app.client());
    let mut made = Vec::new();
    for language in ["en", "de"] {
        browser
            .send("/console/t/acme/account", &[("name", "Olga"), ("language", language)])
            .await
            .expect(303);
        let fields = [("name", "Bikes"), ("pageContext", "We lend bikes."), ("supplementaryContext", " ")];
        let made_at = browser.send("/console/t/acme/pages/new", &fields).await.expect(303);
        let page = made_at.header("location").unwrap().split("/audiences/").next().unwrap().to_owned();
        made.push(page.strip_prefix("/console/t/acme").unwrap().to_owned());
    }
    let audiences = async |page: &str| {
        let listed = client.get(&format!("/v0{page}/audiences")).await.expect(200).json();
        let items = listed["items"].as_array().unwrap().clone();
        let of = |field| items.iter().map(|one| one[field].as_str().unwrap().to_owned()).collect::<Vec<_>>();
        (of("effectiveName"), of("audienceId"))
    };
    assert_eq!(audiences(&made[1]).await.0, ["Alle"]);
    // A second one of the same name is another one, with a link of its own.
    let again = [("customName", "Everyone"), ("supplementaryContext", "Whoever comes.")];
    browser.send(&format!("/console/t/acme{}/audiences/new", made[0]), &again).await.expect(303);
    let (names, ids) = audiences(&made[0]).await;
    assert_eq!(names, ["Everyone", "Everyone"]);
    let mut links = BTreeSet::new();
    for id in ids {
        let link = client.get(&format!("/v0{}/audiences/{id}/link", made[0])).await.expect(200).json();
        links.insert(link["url"].as_str().unwrap().to_owned());
    }
    assert_eq!(links.len(), 2, "{links:?}");
}

/// The id of the draft that a screen offers to publish.
fn draft(screen: &str) -> String {
    let form = screen.split("/publish\"").nth(1).unwrap();
    let value = form.split("name=\"version\" value=\"").nth(1).unwrap();
    value.split('"').next().unwrap().to_owned()
}

#[tokio::test]
async fn a_page_is_made_of_ones_own_text_changed_by_saying_so_and_published() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let (page, audience) = make(&mut browser).await;
    let writing = browser.open(&audience).await.expect(200).text();
    assert!(writing.contains("The page waits for its turn."), "{writing}");
    app.write_versions().await;
    let shown = browser.open(&audience).await.expect(200).text();
    assert!(shown.contains("<iframe") && shown.contains("Publish"), "{shown}");
    let policy = browser.open(&audience).await;
    assert!(
        policy.header("content-security-policy").unwrap().contains("frame-src http://acme.localhost:8080;")
    );

    browser.send(&format!("{audience}/say"), &[("message", "remove the questions")]).await.expect(303);
    app.carry_messages_out().await;
    let shown = browser.open(&audience).await.expect(200).text();
    assert!(shown.contains("remove the questions") && shown.contains("/revert\""), "{shown}");

    let version = draft(&shown);
    browser.send(&format!("{audience}/publish"), &[("version", &version)]).await.expect(303);
    let shown = browser.open(&audience).await.expect(200).text();
    assert!(shown.contains("Open the page"), "{shown}");
    let api =
        app.client().get(&format!("/v0{}", page.strip_prefix("/console/t/acme").unwrap())).await.expect(200);
    assert_eq!(api.json()["status"], "published");
    // What is drawn again keeps the width and the colours that were chosen, and tells nothing twice.
    let dark =
        browser.open(&format!("{audience}?device=phone&scheme=dark&done=published")).await.expect(200).text();
    assert!(dark.contains(&format!("data-content=\"{audience}?device=phone&amp;scheme=dark\"")), "{dark}");
    // Who may only look sees the same, and nothing to press.
    let mut viewer = Browser::with_role(&app, Role::Viewer).await;
    let looked = viewer.open(&audience).await.expect(200).text();
    assert!(looked.contains("<iframe") && !looked.contains("<textarea"), "{looked}");
    let versions = browser.open(&format!("{audience}/versions")).await.expect(200).text();
    assert!(versions.contains("Version 1"), "{versions}");
    // Who did it is known: the user and not a key.
    let version =
        format!("/v0{}/versions/{version}/history", audience.strip_prefix("/console/t/acme").unwrap());
    let history = app.client().get(&version).await.expect(200).json().to_string();
    assert!(history.contains("user_"), "{history}");
}

#[tokio::test]
async fn a_form_that_was_refused_comes_back_with_what_was_entered() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let name = "x".repeat(5_000);
    let fields =
        [("name", name.as_str()), ("pageContext", "What I typed for an hour."), ("pageType", "inbound")];
    let again = browser.send("/console/t/acme/pages/new", &fields).await.expect(400).text();
    assert!(
        again.contains("What I typed for an hour.") && again.contains("aria-invalid=\"true\""),
        "{again}"
    );
    assert_eq!(app.client().get("/v0/pages").await.expect(200).json()["totalCount"], 0);
}

#[tokio::test]
async fn an_example_of_each_kind_fills_the_form_and_becomes_a_page() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let new = "/console/t/acme/pages/new";
    let blank = browser.open(&format!("{new}?example=none")).await.expect(200).text();
    assert!(
        fields(&blank, "page")
            .iter()
            .all(|(name, value)| value.is_empty() || ["pageType", "form-key"].contains(&name.as_str())),
        "{blank}"
    );
    let mut texts = BTreeSet::new();
    for page_type in ["inbound", "outbound", "call_followup", "sales_deck"] {
        let way = format!("{new}?example={page_type}");
        assert!(blank.contains(&format!("href=\"{way}\"")), "{blank}");
        let filled = fields(&browser.open(&way).await.expect(200).text(), "page");
        let value = |name: &str| filled.iter().find(|(known, _)| known == name).unwrap().1.clone();
        assert_eq!(value("pageType"), page_type);
        assert!(value("pageContext").len() > 300 && value("supplementaryContext").len() > 50, "{filled:?}");
        texts.insert(value("pageContext"));
        browser.send_fields(new, &filled).await.expect(303);
    }
    assert_eq!(texts.len(), 4);
    app.write_versions().await;
    for page in app.client().get("/v0/pages").await.expect(200).json()["items"].as_array().unwrap() {
        let page = page["pageId"].as_str().unwrap();
        let audiences = app.client().get(&format!("/v0/pages/{page}/audiences")).await.expect(200).json();
        assert_eq!(audiences["items"][0]["status"], "draft");
    }
}

#[tokio::test]
async fn a_change_that_crosses_another_one_is_refused() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let (page, _) = make(&mut browser).await;
    let form = browser.open(&format!("{page}/edit")).await.expect(200).text();
    let etag = form
        .split("name=\"etag\" value=\"")
        .nth(1)
        .unwrap()
        .split("\">")
        .next()
        .unwrap()
        .replace("&quot;", "\"");
    let api = format!("/v0{}", page.strip_prefix("/console/t/acme").unwrap());
    app.client().patch(&api, &json!({ "name": "Meanwhile" })).await.expect(200);
    let fields =
        [("etag", etag.as_str()), ("name", "Mine"), ("pageContext", "Mine."), ("pageType", "inbound")];
    browser.send(&format!("{page}/edit"), &fields).await.expect(412);
    assert_eq!(app.client().get(&api).await.expect(200).json()["name"], "Meanwhile");
}

#[tokio::test]
async fn a_page_is_archived_after_a_question_and_taken_back() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let (page, _) = make(&mut browser).await;
    assert!(
        browser
            .open(&format!("{page}/archive"))
            .await
            .expect(200)
            .text()
            .contains("Archive Office breakfast?")
    );
    let archived = browser.send(&format!("{page}/archive"), &[]).await.expect(303);
    let next = archived.header("location").unwrap().to_owned();
    let told = browser.open(&next).await.expect(200).text();
    let undo = format!("{page}/restore");
    assert!(told.contains(&format!("action=\"{undo}\"")), "{told}");
    browser.send(&undo, &[]).await.expect(303);
    let api =
        app.client().get(&format!("/v0{}", page.strip_prefix("/console/t/acme").unwrap())).await.expect(200);
    assert_ne!(api.json()["status"], "archived");
}

#[tokio::test]
async fn a_page_is_deleted_after_a_question_and_taken_back() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let (page, audience) = make(&mut browser).await;
    let shown = browser.open(&page).await.expect(200).text();
    assert!(shown.contains(&format!("href=\"{page}/delete\"")), "{shown}");
    let question = browser.open(&format!("{page}/delete")).await.expect(200).text();
    assert!(question.contains("Delete Office breakfast?"), "{question}");
    let deleted = browser.send(&format!("{page}/delete"), &[]).await.expect(303);
    let next = deleted.header("location").unwrap().to_owned();
    let told = browser.open(&next).await.expect(200).text();
    let undo = format!("{page}/restore");
    assert!(told.contains("The page is deleted") && told.contains(&format!("action=\"{undo}\"")), "{told}");
    browser.open(&page).await.expect(404);
    browser.open(&audience).await.expect(404);
    let back = browser.send(&undo, &[]).await.expect(303);
    let back = browser.follow(back.header("location").unwrap()).await.expect(200).text();
    assert!(back.contains("The page is back") && back.contains("Office breakfast"), "{back}");
    // Who may only look is offered nothing to undo by the same address.
    let mut viewer = Browser::with_role(&app, Role::Viewer).await;
    let looked = viewer.open(&next).await.expect(200).text();
    assert!(!looked.contains(&undo), "{looked}");
    assert!(!viewer.open(&page).await.expect(200).text().contains("/delete"));
}

#[tokio::test]
async fn an_audience_is_archived_and_taken_back() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let (page, audience) = make(&mut browser).await;
    let screen = browser.open(&audience).await.expect(200).text();
    assert!(screen.contains(&format!("action=\"{audience}/archive\"")), "{screen}");
    let archived = browser.send(&format!("{audience}/archive"), &[]).await.expect(303);
    let next = archived.header("location").unwrap().to_owned();
    assert!(next.starts_with(&page), "{next}");
    let told = browser.open(&next).await.expect(200).text();
    let back = format!("action=\"{audience}/restore\"");
    assert!(told.contains("The audience is archived.") && told.contains(&back), "{told}");
    browser.send(&format!("{audience}/restore"), &[]).await.expect(303);
    let screen = browser.open(&audience).await.expect(200).text();
    assert!(!screen.contains("Archived: its link"), "{screen}");
}

#[tokio::test]
async fn the_list_of_pages_tells_which_are_archived_also_where_it_is_searched() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let (page, _) = make(&mut browser).await;
    for address in ["/console/t/acme/pages", "/console/t/acme/pages?q=breakfast"] {
        let listed = browser.open(address).await.expect(200).text();
        assert!(listed.contains("<span class=\"badge warning\">Draft</span>"), "{address}: {listed}");
    }
    browser.send(&format!("{page}/archive"), &[]).await.expect(303);
    for address in ["/console/t/acme/pages", "/console/t/acme/pages?q=breakfast"] {
        let listed = browser.open(address).await.expect(200).text();
        assert!(listed.contains("<span class=\"badge plain\">Archived</span>"), "{address}: {listed}");
    }
}

#[tokio::test]
async fn a_person_is_made_changed_and_deleted_by_name() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let fields =
        [("name", "Ada Lovelace"), ("email", "ada@analytical.example"), ("phoneNumber", "not a number")];
    let again = browser.send("/console/t/acme/persons/new", &fields).await.expect(400).text();
    assert!(again.contains("Ada Lovelace"), "{again}");
    let made = browser.send("/console/t/acme/persons/new", &fields[..2]).await.expect(303);
    let person = made.header("location").unwrap().split('?').next().unwrap().to_owned();
    assert!(
        browser.open("/console/t/acme/persons?q=lovelace").await.expect(200).text().contains("Ada Lovelace")
    );
    browser
        .send(&format!("{person}/edit"), &[("name", "Ada King"), ("email", "ada@analytical.example")])
        .await
        .expect(303);
    let shown = browser
        .send(&format!("{person}/delete"), &[("confirmation", "Ada Lovelace")])
        .await
        .expect(200)
        .text();
    assert!(shown.contains("Nothing was deleted"), "{shown}");
    let deleted =
        browser.send(&format!("{person}/delete"), &[("confirmation", "Ada King")]).await.expect(303);
    let next = deleted.header("location").unwrap().to_owned();
    assert!(browser.open(&next).await.expect(200).text().contains("The person is deleted"));
    browser.open(&person).await.expect(404);
    browser.send(&format!("{person}/restore"), &[]).await.expect(303);
    browser.open(&person).await.expect(200);
}

#[tokio::test]
async fn a_secret_is_shown_once_and_a_delivery_is_sent_again() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let fields = [
        ("url", "https://hooks.example.com/in"),
        ("events", "form.submitted"),
        ("events", "page.version.published"),
    ];
    let shown = browser.send("/console/t/acme/webhooks/new", &fields).await.expect(200).text();
    let secret = shown.split("whsec_").nth(1).unwrap().split('<').next().unwrap().to_owned();
    let id = shown.split("/webhooks/sub_").nth(1).unwrap().split('"').next().unwrap();
    let webhook = format!("/console/t/acme/webhooks/sub_{id}");
    browser.send(&format!("{webhook}/test"), &[]).await.expect(303);
    let shown = browser.open(&webhook).await.expect(200).text();
    assert!(!shown.contains(&secret) && shown.contains("page.version.published"), "{shown}");
    browser.send(&format!("{webhook}/active"), &[("active", "")]).await.expect(303);
    assert!(browser.open(&webhook).await.expect(200).text().contains("Not active"));
}

#[tokio::test]
async fn an_owner_invites_and_the_last_owner_stays() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let shown =
        browser.send("/console/t/acme/settings/invite", &[("role", "editor")]).await.expect(200).text();
    let token = shown.split("invitation?token=").nth(1).unwrap().split('<').next().unwrap().to_owned();
    let mut guest = Browser::new(&app);
    assert!(
        guest.open(&format!("/console/invitation?token={token}")).await.expect(200).text().contains("Editor")
    );
    let weak =
        [("token", token.as_str()), ("name", "Ed"), ("email", "ed@acme.example"), ("password", "short")];
    let again = guest.send("/console/invitation", &weak).await.expect(400).text();
    assert!(again.contains("ed@acme.example") && !again.contains("\"short\""), "{again}");
    let fields = [
        ("token", token.as_str()),
        ("name", "Ed"),
        ("email", "ed@acme.example"),
        ("password", "a long enough one"),
    ];
    guest.send("/console/invitation", &fields).await.expect(303);
    guest.open("/console/t/acme/pages").await.expect(200);
    guest.send("/console/t/acme/settings/invite", &[("role", "owner")]).await.expect(403);

    let settings = browser.open("/console/t/acme/settings").await.expect(200).text();
    let owner = settings.split("value=\"user_").nth(1).unwrap().split('"').next().unwrap();
    let owner = format!("user_{owner}");
    let refused =
        browser.send("/console/t/acme/settings/role", &[("user", &owner), ("role", "viewer")]).await;
    assert!(refused.expect(409).text().contains("no owner"));
}
