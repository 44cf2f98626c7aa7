//! The pictures in `docs/screenshots`, made anew by `cargo x screenshots`; and whether every page of the example is sound.

use std::path::Path;

use serde_json::{Value, json};

use crate::driver::{Browser, Scheme, told};
use crate::server::Demo;
use crate::{checks, scene, yardstick};

/// File, which link of the example, how wide, by which light, and how much of it.
const PICTURES: [(&str, usize, u32, Scheme, u32); 3] = [
    ("cold-rooms.png", 1, 1280, Scheme::Light, 1800),
    ("after-our-call.png", 4, 1280, Scheme::Dark, 1800),
    ("on-a-phone.png", 0, 390, Scheme::Light, 1700),
];

/// The brief of plain prose that stands in the README beside its page.
const PROSE: &str = "02-zero-point-clamping";

/// The largest picture, in bytes.
const LARGEST: usize = 300_000;

#[tokio::test]
#[ignore = "writes files; `cargo x screenshots` runs it"]
async fn pictures_of_the_example() {
    let folder = told("PAGESMITH_SCREENSHOTS");
    let (demo, browser) = (Demo::start(), Browser::start().await);
    for (name, link, width, scheme, most_high) in PICTURES {
        browser.wear(width, scheme).await;
        browser.open(&demo.links[link]).await;
        keep(Path::new(&folder), name, &browser.picture(most_high).await);
    }
}

#[tokio::test]
#[ignore = "writes files; `cargo x screenshots` runs it"]
async fn pictures_of_plain_prose() {
    let brief = yardstick::brief(PROSE);
    let (app, _) = scene::served().await;
    let client = app.client();
    let (person, account) = (&brief["person"]["name"], &brief["account"]);
    let email = format!("reader@{}", account["domain"].as_str().unwrap());
    client.post("/v0/accounts", account).await.expect(200);
    let made = client.post("/v0/persons", &json!({ "name": person, "email": email })).await.expect(201);
    let audience = json!({ "personId": made.json()["personId"] });
    let made = scene::make(&app, &yardstick::page(&brief), &audience).await;

    let browser = Browser::start().await;
    browser.wear(1220, Scheme::Light).await;
    browser.open(&made.url).await;
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("page.png"), browser.picture(20_000).await).unwrap();
    let file = folder.path().join("both.html");
    std::fs::write(&file, beside(&brief)).unwrap();
    browser.wear(1280, Scheme::Light).await;
    browser.open(&format!("file://{}", file.display())).await;
    keep(Path::new(&told("PAGESMITH_SCREENSHOTS")), "from-prose.png", &browser.picture(20_000).await);
}

/// A brief as it was pasted, and as much of the picture of its page as is as high.
fn beside(brief: &Value) -> String {
    let words = |text: &Value| text.as_str().unwrap().trim().replace('&', "&amp;").replace('<', "&lt;");
    let (text, person, account) =
        (words(&brief["context"]), words(&brief["person"]["name"]), words(&brief["account"]["name"]));
    format!(
        "<!DOCTYPE html><meta charset=utf-8><style>
        body {{ margin: 0; padding: 28px; background: #e4e7eb; color: #1b1d21; font: 19px/1.5 sans-serif;
            min-height: 1110px;
            display: grid; grid-template: auto 1fr / 440px 1fr; gap: 12px 28px }}
        h1 {{ margin: 0; font-size: 19px }}
        div {{ background: #fff; border-radius: 10px; box-shadow: 0 2px 10px #0002; padding: 22px 26px;
            display: flex; flex-direction: column; justify-content: space-between }}
        p {{ margin: 0; white-space: pre-wrap }}
        p + p {{ padding-top: 18px; border-top: 1px solid #d5d9df; color: #55606e }}
        .page {{ background: linear-gradient(#fff0 95%, #fff), #fff url(page.png) top / 100% no-repeat }}
        </style><h1>The brief, as it was pasted</h1><h1>The page</h1>
        <div><p>{text}</p><p>For {person}, {account}</p></div><div class=page></div>"
    )
}

fn keep(folder: &Path, name: &str, picture: &[u8]) {
    assert!(picture.len() <= LARGEST, "{name} has {} bytes", picture.len());
    std::fs::write(folder.join(name), picture).unwrap();
}

#[tokio::test]
async fn every_link_of_the_example_leads_to_a_sound_page() {
    let (demo, browser) = (Demo::start(), Browser::start().await);
    assert_eq!(demo.links.len(), 8, "{:?}", demo.links);
    for link in &demo.links {
        for (width, scheme) in [(360, Scheme::Dark), (1440, Scheme::Light)] {
            browser.wear(width, scheme).await;
            browser.open(link).await;
            checks::is_sound(&browser, &format!("{link} at {width}")).await;
        }
    }
}
