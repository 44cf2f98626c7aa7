//! The pictures in `docs/screenshots`, made anew by `cargo x screenshots`; and whether every page of the example is sound.

use std::path::Path;

use serde_json::{Value, json};

use crate::driver::{Browser, Scheme, setting};
use crate::server::Demo;
use crate::{checks, scene, yardstick};

/// File, which link of the example, how wide, by which light, and how much of it.
const PICTURES: [(&str, usize, u32, Scheme, u32); 3] = [
    ("cold-rooms.png", 1, 1280, Scheme::Light, 1800),
    ("after-our-call.png", 4, 1280, Scheme::Dark, 1800),
    ("on-a-phone.png", 0, 390, Scheme::Light, 1700),
];

/// The brief of plain prose that is in the README beside its page.
const PROSE: &str = "02-zero-point-clamping";

/// The largest picture, in bytes.
const LARGEST: usize = 450_000;

#[tokio::test]
#[ignore = "writes files; `cargo x screenshots` runs it"]
async fn pictures_of_the_example() {
    let folder = setting("PAGESMITH_SCREENSHOTS");
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
    keep(Path::new(&setting("PAGESMITH_SCREENSHOTS")), "from-prose.png", &browser.picture(20_000).await);
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

/// The screens of the console that are pictured, with what stands for ids of the example.
const SCREENS: [(&str, &str); 12] = [
    ("start", ""),
    ("pages", "/pages"),
    ("page", "/pages/{page}"),
    ("audience", "/pages/{page}/audiences/{audience}"),
    ("page-actions", "/pages/{page}/edit/actions"),
    ("knowledge", "/knowledge"),
    ("brand", "/brands/{brand}"),
    ("person", "/persons/{person}"),
    ("submissions", "/forms"),
    ("form", "/forms/{form}"),
    ("visits", "/visits/{page}"),
    ("settings", "/settings/agent"),
];
/// How wide and how high a screen is pictured: on a desk, on a phone.
const DEVICES: [(&str, u32, u32); 2] = [("desk", 1280, 900), ("phone", 390, 844)];

#[tokio::test]
#[ignore = "writes files; `cargo x screenshots` runs it"]
async fn pictures_of_the_console() {
    let folder = Path::new(&setting("PAGESMITH_SCREENSHOTS")).join("console");
    std::fs::create_dir_all(&folder).unwrap();
    let (demo, browser) = (Demo::start(), Browser::start().await);
    for (name, url) in screens(&demo, &browser).await {
        for (device, width, height) in DEVICES {
            for (scheme, light) in [(Scheme::Light, "light"), (Scheme::Dark, "dark")] {
                browser.wear(width, scheme).await;
                browser.open(&url).await;
                browser.arrives(PREVIEW_IS_THERE).await;
                browser.settled().await;
                keep(&folder, &format!("{name}-{device}-{light}.png"), &browser.picture(height).await);
            }
        }
    }
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test]
async fn every_screen_of_the_example_fits_a_phone_and_a_desk() {
    let (demo, browser) = (Demo::start(), Browser::start().await);
    for (name, url) in screens(&demo, &browser).await {
        for (width, scheme) in [(360, Scheme::Dark), (1440, Scheme::Light)] {
            browser.wear(width, scheme).await;
            browser.open(&url).await;
            browser.arrives(PREVIEW_IS_THERE).await;
            checks::is_sound(&browser, &format!("{name} at {width}")).await;
        }
        checks::is_accessible(&browser, name).await;
    }
}

/// The password of the first user of the example.
pub const PASSWORD: &str = "correct horse battery";

/// Signs the first user of the example up; the address that all screens of the tenant are below.
pub async fn sign_up(demo: &Demo, browser: &Browser) -> String {
    browser.open(&demo.set_up).await;
    let fill = format!(
        "const form = document.querySelector('form#sign-in');
        form.elements.name.value = 'Sunniva Lund'; form.elements.email.value = 'sunniva@norrvik.example';
        form.elements.password.value = '{PASSWORD}'; form.requestSubmit()"
    );
    browser.ask(&fill).await;
    browser.arrives("location.pathname.includes('/console/t/')").await;
    browser.evaluated("location.href").await.as_str().unwrap().trim_end_matches('/').to_owned()
}

/// Signs that user up; the names and addresses of [`SCREENS`].
pub async fn screens(demo: &Demo, browser: &Browser) -> Vec<(&'static str, String)> {
    let root = sign_up(demo, browser).await;
    let ids = ids(demo).await;
    let named = |path: &str| ids.iter().fold(path.to_owned(), |path, (noun, id)| path.replace(noun, id));
    SCREENS.iter().map(|(name, path)| (*name, format!("{root}{}", named(path)))).collect()
}

/// Whether the frame with a page is loaded, where there is one.
pub const PREVIEW_IS_THERE: &str =
    "document.readyState === 'complete' && (!document.querySelector('.preview iframe')
    || performance.getEntriesByType('resource').some((entry) => entry.initiatorType === 'iframe'))";

/// What stands for an id in [`SCREENS`], and the example's first id.
async fn ids(demo: &Demo) -> [(&'static str, String); 5] {
    let first = async |path: &str, id: &str| {
        let found = demo.call(path, None).await;
        let items = found["items"].as_array().unwrap();
        // The page with the most visits is the oldest one.
        items.last().unwrap()[id].as_str().unwrap().to_owned()
    };
    let page = first("/v0/pages", "pageId").await;
    let audience = first(&format!("/v0/pages/{page}/audiences"), "audienceId").await;
    let (brand, person) = (first("/v0/brands", "brandId").await, first("/v0/persons", "personId").await);
    let form = first("/v0/forms", "formId").await;
    [("{page}", page), ("{audience}", audience), ("{brand}", brand), ("{person}", person), ("{form}", form)]
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
