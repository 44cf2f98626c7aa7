//! What the palette finds beside things: areas, and what can be made.

use pagesmith_model::user::Role;
use pagesmith_testkit::TestApp;
use scraper::{Html, Selector};

use super::browser::Browser;

/// Whether a search leads to a path of the tenant's console.
async fn leads_to(browser: &mut Browser, asked: &str, path: &str) -> bool {
    let part = [("hx-request", "true"), ("accept-language", "en")];
    let found = browser.open_with(&format!("/console/t/acme/find?q={asked}"), &part).await;
    found.expect(200).text().contains(&format!("href=\"/console/t/acme{path}\""))
}

#[tokio::test]
async fn places_and_actions_are_found_by_whoever_may_go_there() {
    let app = TestApp::start().await;
    let mut owner = Browser::owner(&app).await;
    let mut others = Vec::new();
    for role in [Role::Editor, Role::Viewer, Role::Analyst] {
        others.push((role, Browser::with_role(&app, role).await));
    }
    for (asked, path, least) in [
        ("new+pa", "/pages/new", Role::Editor),
        ("person+NEW", "/persons/new", Role::Editor),
        ("import", "/persons/imports/new", Role::Editor),
        ("upload", "/assets/new", Role::Editor),
        ("webhook", "/webhooks/new", Role::Editor),
        ("new+key", "/settings/keys/new", Role::Owner),
        ("keys", "/settings/keys", Role::Owner),
        ("persons", "/persons", Role::Viewer),
        ("webhooks", "/webhooks", Role::Analyst),
        ("audit", "/settings/audit", Role::Analyst),
        ("start", "", Role::Analyst),
    ] {
        assert!(leads_to(&mut owner, asked, path).await, "{asked}");
        for (role, browser) in &mut others {
            let may = match least {
                Role::Analyst => true,
                Role::Viewer => *role != Role::Analyst,
                Role::Editor => *role == Role::Editor,
                Role::Owner => false,
            };
            assert_eq!(leads_to(browser, asked, path).await, may, "{role}: {asked}");
        }
    }
    assert!(!leads_to(&mut owner, "newer+pages", "/pages/new").await);
}

#[tokio::test]
async fn places_have_names_in_the_users_language_and_are_a_screen_without_script() {
    let app = TestApp::start().await;
    let mut owner = Browser::owner(&app).await;
    owner.send("/console/t/acme/account", &[("name", "Olga"), ("language", "de")]).await.expect(303);
    let found = owner.open("/console/t/acme/find?q=neue+person").await.expect(200).text();
    assert!(found.contains("href=\"/console/t/acme/persons/new\"") && found.contains("Aktion"), "{found}");
    let found = owner.open("/console/t/acme/find?q=new+person").await.expect(200).text();
    let results = Selector::parse("ul.found a").unwrap();
    assert_eq!(Html::parse_document(&found).select(&results).count(), 0, "{found}");
}
