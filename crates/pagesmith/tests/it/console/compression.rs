//! Screens and files of the console travel compressed, but for what another site asks for.

use std::io::Read;

use flate2::read::GzDecoder;
use pagesmith_testkit::{Answer, TestApp};

use super::browser::Browser;

const SCREEN: &str = "/console/t/acme/persons?q=somebody";

fn unpacked(answer: &Answer) -> String {
    assert_eq!(answer.header("content-encoding"), Some("gzip"));
    let mut text = String::new();
    GzDecoder::new(&answer.bytes[..]).read_to_string(&mut text).unwrap();
    text
}

/// A screen without the keys of its forms, which differ whenever it is drawn.
fn without_keys(screen: &str) -> String {
    let mut parts = screen.split("name=\"form-key\" value=\"");
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |whole, part| whole + part.split_once('"').unwrap().1)
}

#[tokio::test]
async fn a_screen_is_compressed_as_the_browser_prefers() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let plain = browser.open(SCREEN).await.expect(200);
    assert_eq!(plain.header("content-encoding"), None);
    let own = |coding| [("sec-fetch-site", "same-origin"), ("accept-encoding", coding)];
    let gzip = browser.open_with(SCREEN, &own("gzip")).await.expect(200);
    assert_eq!(without_keys(&unpacked(&gzip)), without_keys(&plain.text()));
    assert!(gzip.bytes.len() * 2 < plain.bytes.len());
    assert_eq!(gzip.header("vary"), Some("accept-encoding"));
    let brotli = browser.open_with(SCREEN, &own("gzip, br")).await.expect(200);
    assert_eq!(brotli.header("content-encoding"), Some("br"));
    // Nobody has to take it.
    let identity = browser.open_with(SCREEN, &own("identity")).await.expect(200);
    assert_eq!(without_keys(&identity.text()), without_keys(&plain.text()));
}

#[tokio::test]
async fn the_length_of_a_screen_that_another_site_asks_for_tells_nothing() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    for site in ["cross-site", "same-site"] {
        let headers = [("sec-fetch-site", site), ("accept-encoding", "gzip, br")];
        let answer = browser.open_with(SCREEN, &headers).await.expect(200);
        assert_eq!(answer.header("content-encoding"), None, "{site}");
        assert!(answer.text().contains("somebody"));
    }
}

#[tokio::test]
async fn files_are_compressed_and_kept_for_ever() {
    let app = TestApp::start().await;
    let mut browser = Browser::new(&app);
    let screen = browser.follow("/console").await.expect(200).text();
    let path = screen
        .split('"')
        .find(|value| value.starts_with("/console/static/console.") && value.ends_with(".css"));
    let path = path.unwrap().to_owned();
    let plain = browser.open(&path).await.expect(200);
    let gzip = browser.open_with(&path, &[("accept-encoding", "gzip")]).await.expect(200);
    assert_eq!(unpacked(&gzip), plain.text());
    assert_eq!(gzip.header("content-type"), Some("text/css; charset=utf-8"));
    assert!(gzip.header("cache-control").unwrap().contains("immutable"));
    browser.open("/console/static/console.css").await.expect(404);
}
