//! What Lighthouse says of a generated page with pictures that search engines may list, and of screens of the console; run by
//! `cargo x lighthouse`.

use std::io::Write as _;
use std::process::Command;

use serde_json::{Value, json};

use crate::briefs;
use crate::driver::{Browser, setting};
use crate::scene::Scene;
use crate::screenshots::screens;
use crate::server::Demo;

/// The least that each category of a page must reach, out of 100.
const LEAST: f64 = 95.0;
/// The categories of pages.
const OF_PAGES: &[&str] = &["performance", "accessibility", "best-practices", "seo"];
/// Those of the console, in which nothing may be wanting; search engines never see it.
const OF_CONSOLE: &[&str] = &["accessibility", "best-practices"];
/// The screens that are looked at.
const SCREENS: [&str; 6] = ["start", "pages", "audience", "person", "visits", "settings"];

#[tokio::test]
#[ignore = "needs Lighthouse and a quiet machine; `cargo x lighthouse` runs it"]
async fn lighthouse_is_content_with_a_page() {
    let scene = Scene::of(&briefs::inbound(), &json!({}), None).await;
    for form in ["mobile", "desktop"] {
        let report = ask(&scene.url, OF_PAGES, form, None).await;
        judge(&report, OF_PAGES, LEAST, form);
        std::fs::write(format!("{}-{form}.json", setting("PAGESMITH_LIGHTHOUSE_REPORT")), report.to_string())
            .unwrap();
    }
}

#[tokio::test]
#[ignore = "needs Lighthouse and a quiet machine; `cargo x lighthouse` runs it"]
async fn lighthouse_has_nothing_to_add_to_the_console() {
    let (demo, browser) = (Demo::start(), Browser::start().await);
    let screens = screens(&demo, &browser).await;
    let cookies = browser.protocol("Network.getCookies", json!({})).await["cookies"].clone();
    let pairs = cookies.as_array().unwrap().iter();
    let pairs =
        pairs.map(|one| format!("{}={}", one["name"].as_str().unwrap(), one["value"].as_str().unwrap()));
    let headers = json!({ "Cookie": pairs.collect::<Vec<_>>().join("; ") }).to_string();
    for name in SCREENS {
        let (_, url) = screens.iter().find(|(known, _)| *known == name).unwrap();
        for form in ["mobile", "desktop"] {
            let report = ask(url, OF_CONSOLE, form, Some(&headers)).await;
            assert_eq!(report["finalDisplayedUrl"], url.as_str(), "signed in");
            judge(&report, OF_CONSOLE, 100.0, &format!("{name} {form}"));
        }
    }
}

/// Lighthouse's report about an address, with these headers.
async fn ask(url: &str, categories: &[&str], form: &str, headers: Option<&str>) -> Value {
    let is_root = rustix::process::geteuid().is_root();
    let mut command = Command::new(setting("PAGESMITH_TEST_LIGHTHOUSE"));
    command.arg(url).args(["--quiet", "--output=json", "--output-path=stdout"]);
    command.arg(format!("--only-categories={}", categories.join(",")));
    command.arg(format!("--chrome-flags=--headless=new{}", if is_root { " --no-sandbox" } else { "" }));
    command.args(headers.map(|headers| format!("--extra-headers={headers}")));
    command.env("CHROME_PATH", setting("PAGESMITH_TEST_CHROMIUM"));
    if form == "desktop" {
        command.arg("--preset=desktop");
    }
    // The server shares this thread's runtime, so that waiting must not block it.
    let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Says the scores, and fails if one is below the least.
fn judge(report: &Value, categories: &[&str], least: f64, what: &str) {
    let score = |name: &str| report["categories"][name]["score"].to_string().parse::<f64>().unwrap() * 100.0;
    let scores: Vec<(&str, f64)> = categories.iter().map(|name| (*name, score(name).round())).collect();
    let failed: Vec<String> = report["audits"]
        .as_object()
        .unwrap()
        .values()
        .filter(|audit| audit["score"].to_string().parse::<f64>().is_ok_and(|score| score < 0.9))
        .map(|audit| format!("{}: {} {}", audit["id"], audit["title"], audit["details"]["items"]))
        .collect();
    assert!(scores.iter().all(|(_, score)| *score >= least), "{what}: {scores:?}, {failed:#?}");
    let mut said = std::io::stderr().lock();
    writeln!(said, "{what}: {scores:?}").unwrap();
}
