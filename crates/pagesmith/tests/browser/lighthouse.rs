//! What Lighthouse says of a generated page with pictures that search engines may list; run by `cargo x lighthouse`.

use std::process::Command;

use serde_json::{Value, json};

use crate::briefs;
use crate::driver::told;
use crate::scene::Scene;

/// The least that each category must reach, out of 100.
const LEAST: f64 = 95.0;

#[tokio::test]
#[ignore = "needs Lighthouse and a quiet machine; `cargo x lighthouse` runs it"]
async fn lighthouse_is_content() {
    let scene = Scene::of(&briefs::inbound(), &json!({}), None).await;
    let is_root = rustix::process::geteuid().is_root();
    for form in ["mobile", "desktop"] {
        let mut command = Command::new(told("PAGESMITH_TEST_LIGHTHOUSE"));
        command.arg(&scene.url).args(["--quiet", "--output=json", "--output-path=stdout"]);
        command.arg("--only-categories=performance,accessibility,best-practices,seo");
        command.arg(format!("--chrome-flags=--headless=new{}", if is_root { " --no-sandbox" } else { "" }));
        command.env("CHROME_PATH", told("PAGESMITH_TEST_CHROMIUM"));
        if form == "desktop" {
            command.arg("--preset=desktop");
        }
        // The server shares this thread's runtime, so that waiting must not block it.
        let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let score =
            |name: &str| report["categories"][name]["score"].to_string().parse::<f64>().unwrap() * 100.0;
        let scores =
            ["performance", "accessibility", "best-practices", "seo"].map(|name| (name, score(name).round()));
        let failed: Vec<String> = report["audits"]
            .as_object()
            .unwrap()
            .values()
            .filter(|audit| audit["score"].to_string().parse::<f64>().is_ok_and(|score| score < 0.9))
            .map(|audit| format!("{}: {}", audit["id"], audit["title"]))
            .collect();
        assert!(scores.iter().all(|(_, score)| *score >= LEAST), "{form}: {scores:?}, {failed:#?}");
        std::fs::write(format!("{}-{form}.json", told("PAGESMITH_LIGHTHOUSE_REPORT")), report.to_string())
            .unwrap();
        use std::io::Write as _;
        writeln!(std::io::stderr(), "{form}: {scores:?}").unwrap();
    }
}
