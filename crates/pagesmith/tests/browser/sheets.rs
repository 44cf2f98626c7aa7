//! Contact sheets: the pages of the template agent's briefs as visitors get them, side by side. `cargo x pages` runs this.
//!
//! The contents are those that the template agent's example wrote; a page's buttons are those of its brief. Every page is also
//! kept as a picture of its own, for a closer look.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::driver::{Browser, Scheme, setting};
use crate::{scene, yardstick};

/// A kind of sheets.
struct Kind {
    name: &'static str,
    /// The width of the window.
    window: u32,
    /// The width of a page on the sheet.
    width: u32,
    columns: usize,
}

const KINDS: [Kind; 2] = [
    Kind { name: "small", window: 390, width: 260, columns: 12 },
    Kind { name: "large", window: 1280, width: 520, columns: 6 },
];

/// Pages on a sheet.
const PAGES: usize = 12;

/// More than the longest page is high.
const HIGHEST: u32 = 20_000;

#[tokio::test]
#[ignore = "writes files; `cargo x pages` runs it"]
async fn contact_sheets() {
    let folder = PathBuf::from(setting("PAGESMITH_PAGES"));
    let (app, _) = scene::served().await;
    let mut pages = Vec::new();
    for name in yardstick::names() {
        let content = std::fs::read(folder.join(format!("{name}.json"))).unwrap();
        let page = yardstick::page(&yardstick::brief(&name));
        let made = scene::make(&app, &page, &json!({})).await;
        scene::replace(&app, &made.audience, content).await;
        pages.push((name, made.url));
    }
    let browser = Browser::start().await;
    for kind in &KINDS {
        let shots = folder.join(kind.name);
        std::fs::create_dir_all(&shots).unwrap();
        for (at, chosen) in pages.chunks(PAGES).enumerate() {
            browser.wear(kind.window, Scheme::Light).await;
            let mut figures = String::new();
            for (name, url) in chosen {
                browser.open(url).await;
                let picture = browser.picture(HIGHEST).await;
                std::fs::write(shots.join(format!("{name}.png")), picture).unwrap();
                write!(figures, "<figure><figcaption>{name}</figcaption><img src='{name}.png'></figure>")
                    .unwrap();
            }
            let path = folder.join(format!("{}-{}.png", kind.name, at + 1));
            std::fs::write(path, sheet(&browser, kind, &figures, &shots).await).unwrap();
        }
    }
}

/// One sheet as a picture.
async fn sheet(browser: &Browser, kind: &Kind, figures: &str, folder: &Path) -> Vec<u8> {
    let columns = kind.columns;
    let html = format!(
        "<!DOCTYPE html><meta charset=utf-8><style>body{{margin:16px;background:#8a8f98;display:grid;gap:16px;align-items:start;\
         grid-template-columns:repeat({columns},{width}px);font:600 16px sans-serif}}figure{{margin:0}}figcaption{{padding:0 0 6px}}\
         img{{display:block;width:100%}}</style>{figures}",
        width = kind.width,
    );
    let file = folder.join("sheet.html");
    std::fs::write(&file, html).unwrap();
    let gaps = 16 * (u32::try_from(columns).unwrap() + 1);
    browser.wear(kind.width * u32::try_from(columns).unwrap() + gaps, Scheme::Light).await;
    browser.open(&format!("file://{}", file.display())).await;
    let picture = browser.picture(HIGHEST).await;
    std::fs::remove_file(file).unwrap();
    picture
}
