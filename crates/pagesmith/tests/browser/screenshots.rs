//! The pictures in `docs/screenshots`, made anew by `cargo x screenshots`; and whether every page of the example is sound.

use std::path::Path;

use crate::checks;
use crate::driver::{Browser, Scheme, told};
use crate::server::Demo;

/// File, which link of the example, how wide, by which light, and how much of it.
const PICTURES: [(&str, usize, u32, Scheme, u32); 3] = [
    ("cold-rooms.png", 1, 1280, Scheme::Light, 1800),
    ("after-our-call.png", 3, 1280, Scheme::Dark, 1800),
    ("on-a-phone.png", 0, 390, Scheme::Light, 1700),
];

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
        let picture = browser.picture(most_high).await;
        assert!(picture.len() <= LARGEST, "{name} has {} bytes", picture.len());
        std::fs::write(Path::new(&folder).join(name), picture).unwrap();
    }
}

#[tokio::test]
async fn every_link_of_the_example_leads_to_a_sound_page() {
    let (demo, browser) = (Demo::start(), Browser::start().await);
    assert_eq!(demo.links.len(), 6, "{:?}", demo.links);
    for link in &demo.links {
        for (width, scheme) in [(360, Scheme::Dark), (1440, Scheme::Light)] {
            browser.wear(width, scheme).await;
            browser.open(link).await;
            checks::is_sound(&browser, &format!("{link} at {width}")).await;
        }
    }
}
