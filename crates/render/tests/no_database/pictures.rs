//! The site's own pictures: in the form that the visitor's screen needs, in their place before they are there.

use pagesmith_model::content::Content;
use pagesmith_render::{KnownPicture, KnownPictures, Rendered, Source, page};
use serde_json::json;

use crate::page_tree::select;
use crate::sample::Sample;

const PATH: &str = "/files/01jpbz8n4xf5k9w2d7hq3mv6ta-AAAAAAAAAAAAAAAAAAAAAA";

fn address() -> String {
    format!("https://acme.example{PATH}")
}

/// What is known of a picture with these widths.
fn known(widths: &[u32]) -> KnownPicture {
    let source =
        |width: &u32| Source { url: format!("https://acme.example/files/a/{width}w-x"), width: *width };
    KnownPicture {
        sources: widths.iter().map(source).collect(),
        avifs: vec![],
        width: 2_000,
        height: 1_500,
        colour: Some([0x12, 0xab, 0x00]),
        placeholder: b"tiny".to_vec(),
    }
}

/// A page that shows the picture in each of its places.
fn drawn(pictures: &KnownPictures) -> Rendered {
    let picture = json!({ "url": address(), "altText": "A forge", "width": 7, "height": 7 });
    let blocks = json!([
        { "type": "hero", "title": "Forge", "image": picture },
        { "type": "image", "image": picture },
        { "type": "testimonial-carousel", "testimonials": [
            { "quote": "It rings.", "author": "Ida", "picture": { "url": address() } },
        ] },
        { "type": "logo-marquee", "logos": [{ "url": address(), "altText": "Forge" }] },
    ]);
    let mut sample = Sample::named("everything");
    let mut content = serde_json::to_value(&sample.content).unwrap();
    content["blocks"] = blocks;
    sample.content = serde_json::from_value::<Content>(content).unwrap();
    let head = sample.head();
    page(&pagesmith_render::PageView { pictures, widgets: &[], ..sample.view(&head) })
}

fn images(rendered: &Rendered) -> String {
    select(&rendered.html, "main img").join("\n")
}

#[test]
fn a_known_picture_is_drawn_in_its_forms_and_with_its_own_size() {
    let mut pictures = KnownPictures::none();
    pictures.add(PATH.to_owned(), known(&[320, 640, 960, 1_280, 1_920, 2_000]));
    let rendered = drawn(&pictures);
    insta::assert_snapshot!(images(&rendered));
    let rule = ".ps-picture-0{background:#12ab00 url(data:image/webp;base64,dGlueQ==) 0 0/100% 100%}";
    assert!(rendered.html.contains(rule), "{}", rendered.html);
    assert!(!rendered.html.contains("style="), "the page's policy allows no style of an element");
    assert!(rendered.content_security_policy.contains("img-src https: http: data:"));
}

#[test]
fn avif_is_offered_beside_the_other_forms_and_changes_nothing_of_them() {
    let mut pictures = KnownPictures::none();
    pictures.add(PATH.to_owned(), known(&[320, 640, 2_000]));
    let without = drawn(&pictures);
    let avif = |width| Source { url: format!("https://acme.example/files/a/{width}a-x"), width };
    let mut pictures = KnownPictures::none();
    let avifs = vec![avif(320), avif(640), avif(2_000)];
    pictures.add(PATH.to_owned(), KnownPicture { avifs, ..known(&[320, 640, 2_000]) });
    let with = drawn(&pictures);
    assert_eq!(images(&with), images(&without));
    insta::assert_snapshot!(select(&with.html, "main picture > source").join("\n"));
    assert_eq!(select(&with.html, "main picture > source:first-child + img:last-child").len(), 2);
    // The picture is where its `img` alone would be, also in a grid.
    let rule = "picture{display:contents}source{display:none}";
    assert!(with.html.contains(rule) && !without.html.contains("picture{"), "{}", with.html);
    assert!(!without.html.contains("<picture") && !without.html.contains("<source"), "{}", without.html);
}

#[test]
fn a_picture_whose_forms_are_not_made_is_drawn_from_its_address() {
    let unknown = drawn(&KnownPictures::none());
    assert!(!unknown.html.contains("srcset") && !unknown.html.contains("ps-picture"), "{}", unknown.html);
    assert_eq!(select(&unknown.html, &format!("main img[src='{}']", address())).len(), 4);
    // One that moves has no forms, but its size and colour are known.
    let mut pictures = KnownPictures::none();
    pictures.add(PATH.to_owned(), known(&[]));
    let moving = drawn(&pictures);
    assert_eq!(select(&moving.html, &format!("main img[src='{}']", address())).len(), 4);
    assert_eq!(select(&moving.html, "main img.ps-picture-0[width='2000'][height='1500']").len(), 2);
}

#[test]
fn another_address_with_the_same_path_is_the_same_picture_and_one_beside_it_is_not() {
    let mut pictures = KnownPictures::none();
    pictures.add(PATH.replace("01", "02"), known(&[320]));
    assert!(!drawn(&pictures).html.contains("320w-x"));
    pictures.add(PATH.to_owned(), known(&[320]));
    assert!(drawn(&pictures).html.contains("320w-x"));
}
