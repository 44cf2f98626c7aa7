//! The same of files that are read in processes of their own: documents, pictures and fonts that loop, unpack to very much, end early or are none.

use std::io::Cursor;
use std::sync::atomic::{AtomicUsize, Ordering};

use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use serde_json::{Value, json};

use super::{ask, attacked, beside, entries_of, upload_status};
use crate::process::Server;
use crate::topics::entries::files::samples;

/// Numbers that make files differ.
static NEXT: AtomicUsize = AtomicUsize::new(0);

/// The id of a file that a tenant has uploaded.
fn uploaded(server: &Server, key: &str, name: &str, bytes: &[u8]) -> Value {
    server.connect().upload(key, name, bytes).unwrap().expect(201).json()["fileId"].clone()
}

/// The body of an entry of a file.
fn entry_of(file: &Value) -> Value {
    json!({ "content": { "type": "file", "fileId": file, "aiSummary": null } })
}

/// A PDF whose page draws a form that draws itself.
fn looping_pdf() -> Vec<u8> {
    let mut objects = samples::page_objects(b"");
    objects[4] = samples::stream(
        "/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /XObject << /X 5 0 R >> >>",
        b"/X Do",
    );
    samples::pdf_of(&objects, "")
}

#[test]
fn documents_that_loop_or_unpack_to_far_more_than_they_are() {
    let (server, keys) = attacked(&[("FILES_READING_SECONDS", "1")]);
    let bomb = samples::docx_of(&"<w:p/>".repeat(12 * 1024 * 1024));
    assert!(bomb.len() < 1024 * 1024);
    let documents = [("loop.pdf", looping_pdf()), ("bomb.docx", bomb)];
    let attackers: Vec<(String, String, [Value; 2])> = keys
        .into_iter()
        .map(|key| {
            let files = documents.each_ref().map(|(name, bytes)| uploaded(&server, &key, name, bytes));
            (entries_of(&server, &key), key, files)
        })
        .collect();
    let address = server.address;
    let attack = move |number: usize| {
        let (entries, key, files) = &attackers[number];
        files.each_ref().map(|file| ask(address, "POST", entries, key, Some(&entry_of(file))).status)
    };
    let statuses = beside(&server, attack).concat();
    assert!(statuses.iter().all(|status| [201, 409, 429, 503].contains(status)), "{statuses:?}");
    assert!(statuses.contains(&201), "{statuses:?}");
    server.is_well();
}

#[test]
fn pictures_that_end_early_and_drawings_with_scripts() {
    let (server, keys) = attacked(&[]);
    let picture = RgbImage::from_fn(900, 600, |x, y| Rgb([(x % 251) as u8, (y % 241) as u8, 90]));
    let mut whole = Cursor::new(Vec::new());
    DynamicImage::ImageRgb8(picture).write_to(&mut whole, ImageFormat::Png).unwrap();
    let whole = whole.into_inner();
    let address = server.address;
    let statuses = beside(&server, move |number| {
        let different = NEXT.fetch_add(1, Ordering::Relaxed);
        let cut = &whole[..whole.len() / 2 + different % (whole.len() / 2)];
        let shapes =
            format!("<g onload='alert({different})'><script>alert({different})</script>").repeat(2_000);
        let svg = format!("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'>{shapes}</svg>");
        [("cut.png", cut), ("script.svg", svg.as_bytes())]
            .map(|(name, bytes)| upload_status(address, &keys[number], name, bytes))
    });
    let statuses = statuses.concat();
    assert!(statuses.iter().all(|status| [201, 409, 429, 503].contains(status)), "{statuses:?}");
    assert!(statuses.contains(&201), "{statuses:?}");
    server.is_well();
}

#[test]
fn brands_with_fonts_that_are_none() {
    let (server, keys) = attacked(&[]);
    let font: &[u8] = include_bytes!("../../../../../fonts/samples/sans-variable.woff2");
    // One that ends early, and one whose header says that it unpacks to four gigabytes.
    let mut huge = font.to_vec();
    huge[16..20].fill(u8::MAX);
    let fonts = [font[..font.len() / 2].to_vec(), huge];
    let attackers: Vec<(String, Vec<Value>)> = keys
        .into_iter()
        .map(|key| {
            let files = fonts.iter().map(|bytes| uploaded(&server, &key, "font.woff2", bytes)).collect();
            (key, files)
        })
        .collect();
    let address = server.address;
    let replies = beside(&server, move |number| {
        let (key, files) = &attackers[number];
        let of = |file: &Value| json!({ "headingFontFiles": [{ "fileId": file }] });
        let brand = |file| json!({ "name": "Acme", "look": of(file) });
        files
            .iter()
            .map(|file| ask(address, "POST", "/v0/brands", key, Some(&brand(file))))
            .collect::<Vec<_>>()
    });
    let statuses: Vec<u16> = replies.iter().flatten().map(|reply| reply.status).collect();
    assert!(statuses.iter().all(|status| [400, 429, 503].contains(status)), "{statuses:?}");
    assert!(statuses.contains(&400), "{statuses:?}");
    server.is_well();
}
