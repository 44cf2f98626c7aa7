//! Refusals of the console are in the language of whoever reads them.

use pagesmith_testkit::TestApp;
use scraper::{Html, Selector};

use super::browser::{Browser, fields, with};

#[tokio::test]
async fn a_refusal_of_the_console_is_in_the_readers_language() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    for (language, said) in
        [("en", "This was not sent by the console."), ("de", "Das wurde nicht von der Konsole gesendet.")]
    {
        let headers = [("sec-fetch-site", "cross-site"), ("accept-language", language)];
        let path = "/console/t/acme/persons/new";
        let refused = browser.send_with(path, &[("name", "Ada")], &headers).await.expect(403).text();
        assert!(refused.contains(said), "{refused}");
    }
    let large = "a".repeat(1024 * 1024);
    let headers = [("sec-fetch-site", "same-origin"), ("accept-language", "de")];
    let path = "/console/t/acme/persons/new";
    let refused = browser.send_with(path, &[("name", &large)], &headers).await.expect(413).text();
    // Who is signed in has chosen a language, whatever the browser prefers.
    assert!(refused.contains("More was entered than a form may hold."), "{refused}");
}

/// What a screen says of its fields.
fn errors(screen: &str) -> Vec<String> {
    let selector = Selector::parse("p.error").unwrap();
    let screen = Html::parse_document(screen);
    screen.select(&selector).map(|error| error.text().collect::<String>()).collect()
}

#[tokio::test]
async fn what_is_wrong_with_a_field_is_said_in_the_readers_language() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    browser.send("/console/t/acme/account", &[("name", "Olga"), ("language", "de")]).await.expect(303);
    let long = "a".repeat(10_001);
    for (path, form, values, said) in [
        (
            "persons/new",
            "person",
            &[("email", "ada"), ("phoneNumber", "0711 1")][..],
            &["E-Mail-Adresse", "internationaler"][..],
        ),
        (
            "persons/new",
            "person",
            &[("name", &long), ("linkedinProfileUrl", "x")],
            &["höchstens", "LinkedIn-Profil"],
        ),
        ("accounts/new", "account", &[("domain", "acme"), ("name", " ")], &["Domain sein"]),
        ("pages/new", "page", &[("name", &long), ("pageContext", "We bake.")], &["Darf höchstens"]),
        ("webhooks/new", "webhook", &[("url", "acme")], &["vollständige Adresse"]),
        ("domains/new", "domain", &[("domain", "https://acme.example/x")], &["Hostname"]),
        ("knowledge/new", "topic", &[("title", "")], &["nicht leer"]),
        ("brands/new", "brand", &[("name", "  ")], &["nicht leer"]),
        ("assets/video", "video", &[("youtubeUrl", "https://example.com/v")], &[]),
    ] {
        let path = format!("/console/t/acme/{path}");
        let sent = fields(&browser.open(&path).await.expect(200).text(), form);
        let sent = values.iter().fold(sent, |sent, (name, value)| with(sent, name, value));
        let screen = browser.send_fields(&path, &sent).await.expect(400).text();
        let errors = errors(&screen);
        assert!(!errors.is_empty(), "{path}: {screen}");
        for said in said {
            assert!(errors.iter().any(|error| error.contains(said)), "{path}: {errors:?}");
        }
        for english in [" must ", "must ", " is ", " the "] {
            assert!(!errors.iter().any(|error| error.contains(english)), "{path}: {errors:?}");
        }
    }
}
