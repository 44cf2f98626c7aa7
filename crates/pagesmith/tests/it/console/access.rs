//! Who may open which screen and do what there, for every row of the list.

use axum::body::Body;
use axum::http::{Request, StatusCode};
use pagesmith_console::screens::{Row, operator, rows};
use pagesmith_http::routes::{Access, Route, routes};
use pagesmith_model::UserId;
use pagesmith_model::key::Scope;
use pagesmith_model::user::{Permission, Role};
use pagesmith_operations::access::Caller;
use pagesmith_testkit::fixtures::page;
use pagesmith_testkit::samples::owned::Owned;
use pagesmith_testkit::{Answer, TestApp};
use serde_json::json;

use super::browser::{Browser, PASSWORD};
use super::walking::{address_of, ends};

/// The address of a row, with ids that exist nowhere in its place holders.
fn address(row: &Row, tenant: &str) -> String {
    let mut path = String::new();
    for (at, part) in row.path.split('/').enumerate() {
        if at > 0 {
            path.push('/');
        }
        match part.strip_prefix('{').and_then(|part| part.strip_suffix("_id}")) {
            Some(noun) => path.push_str(&format!("{}_01jpbz8n4xf5k9w2d7hq3mv6ta", prefix(noun))),
            None => path.push_str(part),
        }
    }
    format!("/console/t/{tenant}{path}")
}

fn prefix(noun: &str) -> &str {
    match noun {
        "from" | "to" => "version",
        "subscription" => "sub",
        "person_import" => "personimport",
        other => other,
    }
}

async fn ask(browser: &mut Browser, row: &Row, tenant: &str) -> StatusCode {
    let address = address(row, tenant);
    match row.method {
        "GET" => browser.open(&address).await.status,
        _ => browser.send(&address, &[]).await.status,
    }
}

#[tokio::test]
async fn nothing_is_shown_to_whoever_is_not_signed_in() {
    let app = TestApp::start().await;
    let mut browser = Browser::new(&app);
    for row in rows() {
        let status = ask(&mut browser, &row, "acme").await;
        assert_eq!(status, StatusCode::SEE_OTHER, "{} {}", row.method, row.path);
    }
}

#[tokio::test]
async fn another_tenant_does_not_exist() {
    let app = TestApp::start().await;
    app.add_tenant("globex").await;
    let mut browser = Browser::owner(&app).await;
    for row in rows() {
        let status = ask(&mut browser, &row, "globex").await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{} {}", row.method, row.path);
    }
}

#[tokio::test]
async fn things_of_another_tenant_do_not_exist() {
    let app = TestApp::start().await;
    let stranger = app.stranger().await;
    let made = stranger.post("/v0/pages", &page("Secret plans")).await.expect(201).json();
    let page_id = made["pageId"].as_str().unwrap();
    let audience =
        stranger.post(&format!("/v0/pages/{page_id}/audiences"), &json!({})).await.expect(201).json();
    let mut browser = Browser::owner(&app).await;
    let base = format!("/console/t/acme/pages/{page_id}");
    let audience = format!("{base}/audiences/{}", audience["audienceId"].as_str().unwrap());
    for address in [base.clone(), format!("{base}/edit"), audience.clone(), format!("{audience}/versions")] {
        let answer = browser.open(&address).await.expect(404).text();
        assert!(!answer.contains("Secret"), "{address}");
    }
    for address in [format!("{base}/archive"), format!("{audience}/publish"), format!("{audience}/say")] {
        browser.send(&address, &[("message", "hello")]).await.expect(404);
    }
}

#[tokio::test]
async fn a_role_does_what_it_is_for_and_nothing_else() {
    let app = TestApp::start().await;
    Browser::owner(&app).await;
    for role in [Role::Viewer, Role::Analyst, Role::Editor] {
        let mut browser = Browser::with_role(&app, role).await;
        for row in rows() {
            // Of a thing that is not there it ends at once.
            if !ends(&row) && !row.path.contains('{') && role.allows(row.needs) {
                continue;
            }
            let status = ask(&mut browser, &row, "acme").await;
            let is_refused = status == StatusCode::FORBIDDEN;
            assert_eq!(
                is_refused,
                !role.allows(row.needs),
                "{role}: {} {} is {status}",
                row.method,
                row.path
            );
        }
    }
}

/// The addresses that the forms of a screen are sent to; one without an address of its own is sent to the screen's.
fn sent_to(screen: &str, path: &str) -> Vec<String> {
    let tags = screen.split("<form").skip(1).filter_map(|form| form.split('>').next());
    let posts = tags.filter(|tag| tag.contains("method=\"post\""));
    let action = |tag: &str| {
        tag.split_once(" action=\"").and_then(|(_, rest)| rest.split(['"', '?']).next().map(str::to_owned))
    };
    posts.map(|tag| action(tag).unwrap_or_else(|| path.to_owned())).collect()
}

/// Whether a path is one of a row, whatever its ids are.
fn is_of(row: &Row, path: &str) -> bool {
    let Some(path) = path.strip_prefix("/console/t/acme") else { return false };
    let (wanted, given) = (row.path.split('/'), path.split('/'));
    wanted.clone().count() == given.clone().count()
        && wanted.zip(given).all(|(wanted, given)| wanted.starts_with('{') || wanted == given)
}

#[tokio::test]
async fn nobody_is_shown_a_form_that_they_may_not_send() {
    let app = TestApp::start().await;
    let owned = Owned::make(&app.client(), 0).await;
    let mut users = vec![(Role::Owner, Browser::owner(&app).await)];
    for role in [Role::Editor, Role::Viewer, Role::Analyst] {
        users.push((role, Browser::with_role(&app, role).await));
    }
    let rows = rows();
    let mut shown = Vec::new();
    for (role, mut browser) in users {
        let mut forms = 0;
        for row in rows.iter().filter(|row| row.method == "GET" && ends(row) && role.allows(row.needs)) {
            let path = address_of(row, "acme", &owned);
            let answer = browser.open(&path).await;
            if !answer.header("content-type").is_some_and(|kind| kind.starts_with("text/html")) {
                continue;
            }
            for action in sent_to(&answer.text(), &path) {
                // Of two rows for one path the one without ids is meant.
                let meant = rows.iter().filter(|row| row.method == "POST" && is_of(row, &action));
                let Some(meant) = meant.min_by_key(|row| row.path.matches('{').count()) else { continue };
                assert!(role.allows(meant.needs), "{role}: {path} has a form for {}", meant.path);
                forms += 1;
            }
        }
        shown.push(forms);
    }
    assert!(shown[0] > 100 && shown[3] < shown[0] / 4, "{shown:?}");
}

#[tokio::test]
async fn every_change_needs_more_than_reading_unless_it_is_the_users_own() {
    for row in rows().iter().filter(|row| row.method == "POST" && row.needs == Permission::Read) {
        assert!(row.path.starts_with("/account"), "{}", row.path);
    }
}

#[tokio::test]
async fn a_form_on_another_page_changes_nothing() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let fields = [("name", "Forged"), ("pageContext", "Forged."), ("pageType", "inbound")];
    for site in [None, Some("cross-site"), Some("same-site"), Some("none")] {
        browser.send_from("/console/t/acme/pages/new", &fields, site).await.expect(403);
        browser.send_from("/console/sign-out", &[], site).await.expect(403);
    }
    assert_eq!(app.client().get("/v0/pages").await.expect(200).json()["totalCount"], 0);
    browser.open("/console/t/acme").await.expect(200);
}

#[tokio::test]
async fn every_screen_has_the_strictest_policy_and_is_kept_nowhere() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    for row in rows().iter().filter(|row| row.method == "GET" && !row.path.contains("/events")) {
        let answer = browser.open(&address(row, "acme")).await;
        let policy = answer.header("content-security-policy").unwrap_or_else(|| panic!("{}", row.path));
        assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self'"), "{policy}");
        assert!(!policy.contains("unsafe") && policy.contains("frame-ancestors 'none'"), "{policy}");
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{}", row.path);
        let text = answer.text();
        assert!(!text.contains(" style=\"") && !text.contains(" onclick"), "{}", row.path);
    }
}

/// Fails unless an answer can be shown in no frame; what leads elsewhere shows nothing.
fn is_framed_by_nobody(answer: &Answer, what: &str) {
    if answer.status.is_redirection() {
        return;
    }
    let policy = answer.header("content-security-policy").unwrap_or_else(|| panic!("{what}"));
    assert!(policy.contains("frame-ancestors 'none'"), "{what}: {policy}");
    assert_eq!(answer.header("x-frame-options"), Some("DENY"), "{what}");
}

#[tokio::test]
async fn nothing_of_the_console_can_be_shown_in_a_frame() {
    let app = TestApp::start().await;
    let client = app.client();
    let owned = Owned::make(&client, 0).await;
    let mut owner = Browser::owner(&app).await;
    let shares = format!("/console/t/acme/visits/{}/shares", owned.id("{page_id}"));
    let share = [("name", "The board"), ("expiresInDays", "30"), ("password", PASSWORD)];
    let shown = owner.send(&shares, &share).await.expect(200).text();
    let link = shown.split("/console/shared/").nth(1).unwrap().split('<').next().unwrap();
    let link = format!("/console/shared/{link}");
    let mut answers = 0;
    let mut guest = Browser::new(&app);
    for path in
        ["sign-in", "code", "setup", "password", "invitation", "sign-out", "shared/acme/none", "nowhere"]
    {
        let path = format!("/console/{path}");
        is_framed_by_nobody(&guest.open(&path).await, &path);
        is_framed_by_nobody(&guest.send(&path, &[("token", "none")]).await, &path);
    }
    // A form of another site is refused on a screen, which is no exception.
    is_framed_by_nobody(&guest.send_from("/console/sign-in", &[], Some("cross-site")).await, "another site");
    for password in ["wrong", PASSWORD] {
        is_framed_by_nobody(&guest.open(&link).await, &link);
        is_framed_by_nobody(&guest.send(&link, &[("password", password)]).await, &link);
    }
    let figures = guest.open(&link).await.expect(200);
    assert!(figures.text().contains("class=\"public\""), "{}", figures.text());
    is_framed_by_nobody(&figures, &link);
    for row in operator::rows() {
        let path = format!("/console/operator{}", row.path.replace("{tenant_id}", app.tenant.as_str()));
        if row.method == "GET" && !row.path.ends_with("/events") {
            is_framed_by_nobody(&owner.open(&path).await, &path);
        } else if row.method == "POST" {
            is_framed_by_nobody(&owner.send(&path, &[]).await, &path);
        }
    }
    app.resume("acme").await;
    for row in rows().iter().filter(|row| row.method == "POST") {
        let path = address_of(row, "acme", &owned);
        let answer = owner.send(&path, &[]).await;
        is_framed_by_nobody(&answer, &path);
        answers += usize::from(!answer.status.is_redirection());
    }
    assert!(answers > 50, "{answers}");
}

#[tokio::test]
async fn what_others_have_written_stays_text() {
    let app = TestApp::start().await;
    let client = app.client();
    let evil = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>";
    let mut body = page(evil);
    body["pageContext"] = json!(evil);
    let made = client.post("/v0/pages", &body).await.expect(201).json();
    let page_id = made["pageId"].as_str().unwrap();
    let person = client
        .post("/v0/persons", &json!({ "name": evil, "email": "x@evil.example" }))
        .await
        .expect(201)
        .json();
    let audience = json!({ "customName": evil, "supplementaryContext": evil });
    let audience = client.post(&format!("/v0/pages/{page_id}/audiences"), &audience).await.expect(201).json();
    let mut browser = Browser::owner(&app).await;
    let base = format!("/console/t/acme/pages/{page_id}");
    for address in [
        "/console/t/acme".to_owned(),
        "/console/t/acme/pages".to_owned(),
        "/console/t/acme/persons".to_owned(),
        "/console/t/acme/find?q=script".to_owned(),
        format!("/console/t/acme/persons/{}", person["personId"].as_str().unwrap()),
        format!("/console/t/acme/persons/{}/delete", person["personId"].as_str().unwrap()),
        base.clone(),
        format!("{base}/edit"),
        format!("{base}/archive"),
        format!("{base}/audiences/{}", audience["audienceId"].as_str().unwrap()),
    ] {
        let text = browser.open(&address).await.expect(200).text();
        assert!(!text.contains("<script>alert") && !text.contains("<img src=x"), "{address}");
    }
}

/// A call of the API as the console makes it for a user with this role.
async fn as_role(app: &TestApp, role: Role, route: &Route) -> StatusCode {
    let tenant = app.state.keys.open_tenant(&app.tenant).unwrap();
    let user_id = UserId::parse("user_01jpbz8n4xf5k9w2d7hq3mv6ta").unwrap();
    let mut path = String::new();
    for part in route.path.split_inclusive('/') {
        let name = part.trim_end_matches('/');
        path.push_str(if name.starts_with('{') { "none" } else { name });
        path.push_str(if part.ends_with('/') { "/" } else { "" });
    }
    let request =
        Request::builder().method(route.method).uri(path).header("content-type", "application/json");
    let mut request = request.body(Body::from("{}")).unwrap();
    request.extensions_mut().insert(Caller::user(user_id, role, tenant));
    app.anonymous().raw(request).await.status
}

#[tokio::test]
async fn the_api_itself_shows_persons_only_to_roles_that_may_see_them_and_changes_nothing_for_others() {
    let app = TestApp::start().await;
    app.refresh().await;
    for route in routes().iter().filter(|route| route.access != Access::Everyone) {
        let (shows_persons, is_owners, scope) = match route.access {
            Access::Persons(scope) => (true, false, scope),
            Access::Owners(scope) => (false, true, scope),
            Access::Key(scope) | Access::OfPersons(scope) => (false, false, scope),
            Access::Everyone => continue,
        };
        let writes = scope == Scope::Write;
        for (role, is_refused) in [
            (Role::Owner, false),
            (Role::Editor, is_owners),
            (Role::Viewer, writes || is_owners),
            (Role::Analyst, writes || shows_persons || is_owners),
        ] {
            let status = as_role(&app, role, route).await;
            assert_eq!(
                status == StatusCode::FORBIDDEN,
                is_refused,
                "{role}: {} is {status}",
                route.operation
            );
        }
    }
}
