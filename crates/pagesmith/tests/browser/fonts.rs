//! A brand's own fonts in a real browser: fetched under the page's policy, used, and with a stand-in that the browser understands.

use serde_json::json;

use crate::briefs;
use crate::driver::{Browser, Scheme};
use crate::scene;

const MANROPE: &[u8] = include_bytes!("../../src/demo/manrope.woff2");

/// The fonts that the page's style names: their families, whether they are there, and how their lines are set.
const NAMED: &str = "const done = arguments[0];
    document.fonts.ready.then(() => done([...document.fonts].map((font) =>
        [font.family, font.status, font.display, font.ascentOverride, font.descentOverride, font.lineGapOverride].join(' '))))";

#[tokio::test]
async fn a_brand_s_font_is_fetched_and_used() {
    let (app, _) = scene::served().await;
    let client = app.client();
    let file = client.upload("manrope.woff2", MANROPE).await.expect(201).json();
    let look = json!({ "bodyFontFiles": [{ "fileId": file["fileId"] }] });
    let brand = json!({ "name": "A", "isDefault": true, "look": look });
    client.post("/v0/brands", &brand).await.expect(201);
    let made = scene::make(&app, &briefs::inbound(), &json!({})).await;
    let browser = Browser::start().await;
    browser.wear(1440, Scheme::Light).await;
    browser.open(&made.url).await;
    let named = browser.ask_later(NAMED).await;
    let named: Vec<&str> = named.as_array().unwrap().iter().map(|font| font.as_str().unwrap()).collect();
    let [own, stand_in] = named[..] else { panic!("{named:?}") };
    assert_eq!(own, "ps-text loaded swap normal normal normal");
    let parts: Vec<&str> = stand_in.split(' ').collect();
    assert_eq!((parts[0], parts[2], parts[5]), ("ps-text-like", "auto", "0%"), "{stand_in}");
    // Lines of Manrope reach 1.066 times its size above their base and 0.3 times below, whatever the stand-in is stretched by.
    let share = |part: &str| -> f64 { part.trim_end_matches('%').parse().unwrap() };
    assert!((share(parts[3]) / share(parts[4]) - 1.066 / 0.3).abs() < 0.01, "{stand_in}");
    // The browser asked for the file once: what was preloaded is what the style names.
    let asked = "return performance.getEntriesByType('resource').filter((entry) => entry.name.includes('/files/')).length";
    assert_eq!(browser.ask(asked).await, json!(1));
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}
