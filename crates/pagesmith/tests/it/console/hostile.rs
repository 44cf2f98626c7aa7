//! What others have written, what others own, and forms of other sites, for every row of the list.

use std::collections::BTreeSet;

use pagesmith_console::screens::{operator, rows};
use pagesmith_testkit::TestApp;
use pagesmith_testkit::samples::owned::Owned;

use super::browser::Browser;
use super::filling::forms_of;
use super::walking::{address_of, ends};
use super::written::{self, EVIL};

/// Screens that show nothing of what others have written: forms of what is new, things that have no name but an address, and what is
/// counted.
const SHOWING_NOTHING: &[&str] = &[
    "/tenants/new",
    "/servers",
    "/queues",
    "/health",
    "/backup",
    "/pages/new",
    "/pages/{page_id}/audiences/{audience_id}/compare",
    "/persons/new",
    "/persons/imports/new",
    "/accounts/new",
    "/forms/new",
    "/visits/{page_id}/now",
    "/webhooks",
    "/webhooks/new",
    "/webhooks/{subscription_id}",
    "/webhooks/{subscription_id}/edit",
    "/webhooks/{subscription_id}/delete",
    "/knowledge/new",
    "/domains",
    "/domains/new",
    "/domains/{tenant_domain_id}",
    "/domains/{tenant_domain_id}/delete",
    "/assets/new",
    "/assets/describe",
    "/assets/video",
    "/brands/new",
    "/brands/website",
    "/links/blocks/new",
    "/links/{page_link_id}/delete",
    "/settings/keys/new",
    "/settings/usage",
    "/settings/retention",
];

/// Forms that stand only where somebody has asked for more than an address names: rows, and the fields that matter.
const NOT_ON_SCREENS: &[(&str, &[(&str, &str)])] =
    &[("/persons/{person_id}/merge", &[("other", "{other_person_id}")])];

#[tokio::test]
async fn what_others_have_written_is_text_on_every_screen() {
    let app = TestApp::with(|plan| plan.settings.allowed_networks = "127.0.0.0/8".parse().unwrap()).await;
    let mut browser = Browser::owner(&app).await;
    let client = app.client();
    let owned = Owned::make(&client, 0).await;
    let others = written::everywhere(&app, &mut browser, &owned).await;
    let shares = format!("/console/t/acme/visits/{}/shares", owned.id("{page_id}"));
    browser.send(&shares, &[("name", EVIL), ("expiresInDays", "30"), ("password", "")]).await.expect(200);
    let sought = "q=%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E";
    let mut paths = Vec::new();
    for row in rows().iter().filter(|row| row.method == "GET" && ends(row)) {
        let path = address_of(row, "acme", &owned);
        let put = |path: String, (parameter, id): &(&str, String)| path.replace(owned.id(parameter), id);
        let of_others = others.iter().fold(path.clone(), put);
        paths.extend([
            (path.clone(), row.path),
            (of_others, row.path),
            (format!("{path}?{sought}"), row.path),
        ]);
    }
    for row in operator::rows().iter().filter(|row| row.method == "GET" && !row.path.ends_with("/events")) {
        let path = format!("/console/operator{}", row.path.replace("{tenant_id}", app.tenant.as_str()));
        paths.extend([(path.clone(), row.path), (format!("{path}?{sought}"), row.path)]);
    }
    let (mut opened, mut escaped) = (BTreeSet::new(), BTreeSet::new());
    for (path, row) in paths {
        let answer = browser.open(&path).await;
        assert!(!answer.status.is_server_error(), "{path}: {}", answer.text());
        if !answer.header("content-type").is_some_and(|kind| kind.starts_with("text/html")) {
            continue;
        }
        opened.insert(row);
        let text = answer.text();
        assert!(!text.contains("<script>alert"), "{path}: {text}");
        // The shell says it of the tenant and of the user on every screen.
        let main = text.split("<main").nth(1).unwrap_or_default();
        if main.contains("&lt;script&gt;alert(1)") {
            escaped.insert(row);
        }
    }
    let silent: BTreeSet<&str> = opened.difference(&escaped).copied().collect();
    assert_eq!(silent, SHOWING_NOTHING.iter().copied().collect(), "screens without what was written");
}

#[tokio::test]
async fn what_another_tenant_owns_does_not_exist_by_any_row() {
    let app = TestApp::start().await;
    let stranger = app.stranger().await;
    let theirs = Owned::make(&stranger, 0).await;
    let before = theirs.everything(&stranger).await;
    let mut browser = Browser::owner(&app).await;
    let mine = Owned::make(&app.client(), 0).await;
    // The forms are those of what is one's own, whole, so that nothing can be wrong with them but whom they are about.
    let forms = forms_of(&mut browser, "acme", &mine).await;
    let (mut found, mut unlike) = (0, Vec::new());
    for row in rows().iter().filter(|row| row.path.contains("_id}")) {
        let address = address_of(row, "acme", &theirs);
        if row.method == "GET" {
            browser.open(&address).await.expect(404);
            continue;
        }
        let form = forms.get(&address_of(row, "acme", &mine));
        found += usize::from(form.is_some());
        let answer = match form {
            Some(form) if form.has_file => {
                browser.send_file(&address, "people.csv", "Name,E-mail\nAda,ada@acme.example\n").await
            }
            Some(form) => browser.send_fields(&address, &form.fields).await,
            None => {
                let (_, fields) =
                    NOT_ON_SCREENS.iter().find(|(path, _)| *path == row.path).unwrap_or(&("", &[]));
                let filled = fields.iter().map(|(name, value)| ((*name).to_owned(), mine.fill(value)));
                browser.send_fields(&address, &filled.collect::<Vec<_>>()).await
            }
        };
        if answer.status != 404 {
            unlike.push(format!("{} {} {:?}", row.path, answer.status, form));
        }
    }
    assert!(unlike.is_empty(), "{unlike:#?}");
    assert!(found > 50, "{found}");
    assert_eq!(theirs.everything(&stranger).await, before);
}

#[tokio::test]
async fn a_form_of_another_site_is_refused_by_every_row() {
    let app = TestApp::start().await;
    let client = app.client();
    let owned = Owned::make(&client, 0).await;
    let mut browser = Browser::owner(&app).await;
    let before = owned.everything(&client).await;
    for row in rows().iter().filter(|row| row.method == "POST") {
        let address = address_of(row, "acme", &owned);
        for headers in [
            &[("sec-fetch-site", "cross-site"), ("origin", "http://127.0.0.1:8080")][..],
            &[("sec-fetch-site", "same-site")],
            &[("origin", "https://evil.example")],
            &[("origin", "null")],
            &[],
        ] {
            let refused = browser.send_with(&address, &[], headers).await.expect(403).text();
            assert!(refused.contains("This was not sent by the console"), "{address}: {refused}");
        }
    }
    assert_eq!(owned.everything(&client).await, before);
    // By the origin alone a browser without the header is let in.
    let own = [("origin", "http://127.0.0.1:8080")];
    browser.send_with("/console/t/acme/persons/new", &[("name", "Ada")], &own).await.expect(303);
}
