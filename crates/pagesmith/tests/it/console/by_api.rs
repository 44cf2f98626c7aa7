//! Every screen tells the calls of the API that it shows, and they can be made.

use std::collections::BTreeSet;

use pagesmith_console::screens::rows;
use pagesmith_testkit::TestApp;
use pagesmith_testkit::samples::owned::Owned;
use scraper::{Html, Selector};

use super::browser::Browser;
use super::walking::{address_of, ends};

/// The screens that show nothing of the API: forms for something new, searches before anything is asked, and what is the installation's.
const WITHOUT: [&str; 19] = [
    "/account",
    "/accounts/new",
    "/assets/describe",
    "/assets/new",
    "/assets/video",
    "/brands/new",
    "/brands/website",
    "/domains/new",
    "/find",
    "/forms/new",
    "/knowledge/new",
    "/knowledge/search",
    "/links/blocks/new",
    "/pages/new",
    "/persons/imports/new",
    "/persons/new",
    "/settings",
    "/settings/keys/new",
    "/webhooks/new",
];

/// The paths that the commands of a screen read.
fn commands(screen: &str) -> Vec<String> {
    let html = Html::parse_document(screen);
    let boxes: Vec<String> = html
        .select(&Selector::parse("details.by-api code").unwrap())
        .map(|code| code.text().collect())
        .collect();
    assert!(boxes.len() < 2, "{boxes:?}");
    let urls = boxes.iter().flat_map(|code| code.split("curl ").skip(1)).map(|command| {
        let url = command.trim_start_matches("-g ").split(" \\").next().unwrap().trim_matches('\'');
        url[url.find("/v0/").unwrap()..].to_owned()
    });
    urls.collect()
}

#[tokio::test]
async fn every_screen_that_shows_something_of_the_api_tells_how_a_program_reads_it() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let owned = Owned::make(&app.client(), 0).await;
    let (mut told, mut silent) = (0, BTreeSet::new());
    for row in rows().iter().filter(|row| row.method == "GET" && ends(row)) {
        let answer = browser.open(&address_of(row, "acme", &owned)).await;
        let is_html = answer.header("content-type").is_some_and(|kind| kind.starts_with("text/html"));
        if answer.status != 200 || !is_html || !answer.text().contains("<main") {
            continue;
        }
        let commands = commands(&answer.text());
        if commands.is_empty() {
            silent.insert(row.path);
        }
        for path in commands {
            app.client().get(&path).await.expect(200);
            told += 1;
        }
    }
    assert_eq!(silent, BTreeSet::from(WITHOUT));
    assert!(told > 80, "{told}");
}

#[tokio::test]
async fn a_screen_tells_exactly_what_it_has_read() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let searched = browser.open("/console/t/acme/pages?q=a%20%26%20b").await.expect(200).text();
    assert_eq!(commands(&searched), ["/v0/pages/search?query=a%20%26%20b"]);
    // A screen that is not there has read nothing.
    let gone = browser.open("/console/t/acme/pages/page_01jpbz8n4xf5k9w2d7hq3mv6ta").await.expect(404).text();
    assert!(commands(&gone).is_empty());
    let refused = browser.send("/console/t/acme/pages/new", &[]).await.expect(400).text();
    assert!(commands(&refused).is_empty());
}
