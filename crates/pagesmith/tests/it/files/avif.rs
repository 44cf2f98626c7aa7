//! Variants of pictures as AVIF: made where the server is set so, shown beside the others, and gone with them.

use std::io::Cursor;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use image::codecs::gif::GifEncoder;
use image::{DynamicImage, Frame, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};
use pagesmith_model::FileId;
use pagesmith_model::picture::Variant;
use pagesmith_operations::files::shown::OwnPicture;
use pagesmith_operations::files::{addresses, variants};
use pagesmith_pictures::{Format, Kind};
use pagesmith_store::tables::files as tables;
use pagesmith_testkit::{TestApp, fixtures};
use pagesmith_worker::limited_process::documents::DocumentReader;
use pagesmith_worker::limited_process::pictures::{PictureReader, Unmade};
use pagesmith_worker::pictures;
use serde_json::{Value, json};

use super::variants::{GRACE, lasting, own, page_with, sweep, used};
use super::{id, path, stored, upload};
use crate::process::{Instance, KEY, eventually};
use crate::site::visitor;

/// Something like a photograph: of soft colours, which no two places have in common. As AVIF it is smaller.
fn photograph(width: u32, height: u32) -> Vec<u8> {
    let part = |of: f32| (127.0 + 100.0 * of.sin()) as u8;
    let image = RgbImage::from_fn(width, height, |x, y| {
        let (x, y) = (x as f32 / 31.0, y as f32 / 23.0);
        Rgb([part(x * y / 7.0), part(x + y), part(x - y * y / 9.0)])
    });
    let mut bytes = Vec::new();
    DynamicImage::ImageRgb8(image).write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png).unwrap();
    bytes
}

/// Makes every variant that is due, on a server that is set so that there are some as AVIF.
async fn make_variants(app: &TestApp) {
    let mut tools = app.tools();
    tools.pictures.makes_avif = true;
    pictures::drain(&tools).await.unwrap();
}

/// How many bytes variants have.
fn sizes(variants: &[Variant]) -> u64 {
    variants.iter().map(|variant| variant.size).sum()
}

fn widths(variants: &[Variant]) -> Vec<u32> {
    variants.iter().map(|variant| variant.width).collect()
}

/// Whether bytes begin as those of an AVIF do: with the box that says what they are.
fn is_avif(bytes: &[u8]) -> bool {
    &bytes[4..12] == b"ftypavif"
}

async fn shown(app: &TestApp) -> String {
    visitor(app, "acme.localhost").get("/spring").await.expect(200).text()
}

#[tokio::test]
async fn a_page_offers_avif_where_the_server_is_set_so() {
    let app = TestApp::start().await;
    let client = app.client();
    let file = upload(&client, "Forge.png", &photograph(400, 300)).await;
    page_with(&app, &client, &format!("https://acme.example{}", lasting(&app, &file).await)).await;
    let site = visitor(&app, "acme.localhost");
    make_variants(&app).await;
    let html = shown(&app).await;
    let picture = own(&app, &app.tenant, &file).await.unwrap();
    assert_eq!(widths(&picture.picture.avifs), [320, 400]);
    assert_eq!(widths(&picture.picture.variants), [320, 400]);
    let mut listed = Vec::new();
    for (avif, other) in picture.picture.avifs.iter().zip(&picture.picture.variants) {
        assert!(avif.size < other.size, "{avif:?} {other:?}");
        assert_eq!(avif.height, other.height);
        let at = addresses::of_variant(&picture.file.file_id, avif);
        let answer = site.get(&at).await.expect(200);
        assert_eq!(answer.header("content-type"), Some("image/avif"));
        assert_eq!(answer.header("cache-control"), Some("public, max-age=31536000, immutable"));
        assert!(answer.header("content-disposition").unwrap().starts_with("inline; filename=\"Forge.avif\""));
        assert!(is_avif(&answer.bytes), "{:?}", &answer.bytes[..16]);
        assert_eq!(answer.bytes.len() as u64, avif.size);
        // No part of the address can be changed, and the one format is not at the address of the other.
        let digest = addresses::digest_of_variant(avif);
        for other in [at.replace("a-", "a-A"), at.replace("a-", "w-"), at.replace(&digest, "x")] {
            site.get(&other).await.expect(404);
        }
        listed.push(format!("http://acme.localhost:8080{at} {}w", avif.width));
    }
    let source = format!("<picture><source type=\"image/avif\" srcset=\"{}\" sizes=\"", listed.join(", "));
    assert!(html.contains(&source), "{source} is not in {html}");
    // The other formats are beside it for those that do not know it.
    for variant in &picture.picture.variants {
        assert!(html.contains(&format!(
            "{} {}w",
            addresses::of_variant(&picture.file.file_id, variant),
            variant.width
        )));
    }
    assert!(html.contains("picture{display:contents}"), "{html}");
}

#[tokio::test]
async fn no_picture_has_avif_unless_the_server_is_set_so() {
    let app = TestApp::start().await;
    let client = app.client();
    let photograph = photograph(400, 300);
    let file = upload(&client, "a.png", &photograph).await;
    page_with(&app, &client, &format!("https://acme.example{}", lasting(&app, &file).await)).await;
    app.make_variants().await;
    let html = shown(&app).await;
    assert!(html.contains("srcset=") && !html.contains("<picture") && !html.contains("<source"), "{html}");
    assert!(!html.contains("picture{") && !html.contains("avif"), "{html}");
    assert_eq!((own(&app, &app.tenant, &file).await.unwrap().picture.avifs, stored(&app).await), (vec![], 3));
    // What is there already gets none when it is set so.
    make_variants(&app).await;
    assert_eq!(stored(&app).await, 3);
}

#[tokio::test]
async fn avif_that_is_not_smaller_is_not_kept_and_what_moves_or_is_drawn_has_none() {
    let app = TestApp::start().await;
    let client = app.client();
    // So little that the frame around it is more than what is in it.
    let flat = RgbImage::from_pixel(400, 20, Rgb([200, 20, 20]));
    let mut bytes = Vec::new();
    DynamicImage::ImageRgb8(flat).write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png).unwrap();
    let frame = |colour| Frame::new(RgbaImage::from_pixel(40, 30, Rgba(colour)));
    let mut moving = Vec::new();
    GifEncoder::new(&mut moving)
        .encode_frames([frame([200, 20, 20, 255]), frame([20, 20, 200, 255])])
        .unwrap();
    let svg =
        b"<svg xmlns='http://www.w3.org/2000/svg' width='40' height='20'><rect width='9' height='9'/></svg>";
    for (name, bytes) in [("flat.png", &bytes[..]), ("moving.gif", &moving), ("drawn.svg", svg)] {
        let file = upload(&client, name, bytes).await;
        make_variants(&app).await;
        let picture = own(&app, &app.tenant, &file).await.unwrap().picture;
        assert!(!picture.variants.is_empty() && picture.avifs.is_empty(), "{name}: {picture:?}");
    }
    // One file each, and two variants of the flat one, one of each of the others.
    assert_eq!(stored(&app).await, 3 + 4);
}

#[tokio::test]
async fn avif_counts_and_goes_with_the_last_file_of_its_picture() {
    let app = TestApp::start().await;
    let client = app.client();
    let photograph = photograph(400, 300);
    let (one, two) =
        (upload(&client, "one.png", &photograph).await, upload(&client, "two.png", &photograph).await);
    make_variants(&app).await;
    let picture = own(&app, &app.tenant, &one).await.unwrap().picture;
    let all = photograph.len() as u64 + sizes(&picture.variants) + sizes(&picture.avifs);
    assert!(sizes(&picture.avifs) > 0);
    assert_eq!((used(&app).await, stored(&app).await), ((2, all), 5));
    client.delete(&path(&one)).await.expect(200);
    app.advance(2 * GRACE);
    sweep(&app).await;
    assert_eq!((used(&app).await, stored(&app).await), ((1, all), 5));
    let at = addresses::of_variant(&FileId::parse(id(&two)).unwrap(), &picture.avifs[0]);
    let site = visitor(&app, "acme.localhost");
    site.get(&at).await.expect(200);
    client.delete(&path(&two)).await.expect(200);
    assert_eq!(used(&app).await, (0, 0));
    site.get(&at).await.expect(404);
    app.advance(2 * GRACE);
    sweep(&app).await;
    assert_eq!(stored(&app).await, 0);
}

#[tokio::test]
async fn a_quota_without_room_for_avif_keeps_the_other_variants() {
    let photograph = photograph(400, 300);
    let app = TestApp::start().await;
    let client = app.client();
    let file = upload(&client, "a.png", &photograph).await;
    app.make_variants().await;
    let (_, without) = used(&app).await;
    client.delete(&path(&file)).await.expect(200);
    let app = TestApp::with(|plan| plan.settings.files.quota = without + 1).await;
    let file = upload(&app.client(), "a.png", &photograph).await;
    make_variants(&app).await;
    let picture = own(&app, &app.tenant, &file).await.unwrap().picture;
    assert_eq!((picture.variants.len(), picture.avifs.len()), (2, 0));
    assert_eq!((used(&app).await, stored(&app).await), ((1, without), 3));
}

/// Deletes a file as a server does that knows no AVIF.
async fn delete_as_before(app: &TestApp, own: OwnPicture) {
    let (tenant, now) = (app.tenant.clone(), app.platform.clock().now());
    let delete = move |tx: &mut pagesmith_store::Tx<'_>| {
        let content = &own.file.content_id;
        let [others, _] = tables::variants::remove(&tenant, content);
        let mut changes = vec![
            tables::remove(&tenant, &own.file.file_id),
            tables::pictures::remove(&tenant, content),
            others,
            tables::contents::count_files(&tenant, content, 0, Some(now)),
        ];
        for variant in &own.picture.variants {
            changes.push(tables::contents::count_files(&tenant, &variant.content_id, 0, Some(now)));
        }
        tx.change(changes)
    };
    app.store.write(delete).await.unwrap();
}

#[tokio::test]
async fn what_a_server_deletes_that_knows_no_avif_is_caught_up_with() {
    let app = TestApp::start().await;
    let client = app.client();
    let photograph = photograph(400, 300);
    let file = upload(&client, "a.png", &photograph).await;
    make_variants(&app).await;
    let first = own(&app, &app.tenant, &file).await.unwrap();
    delete_as_before(&app, first.clone()).await;
    // It comes again before its bytes go: what is left of it is taken.
    let again = upload(&client, "a.png", &photograph).await;
    make_variants(&app).await;
    let second = own(&app, &app.tenant, &again).await.unwrap();
    assert_eq!(second.picture, first.picture);
    assert_eq!((second.picture.avifs.len(), stored(&app).await), (2, 5));
    delete_as_before(&app, second).await;
    sweep(&app).await;
    app.advance(2 * GRACE);
    sweep(&app).await;
    assert_eq!(stored(&app).await, 0);
}

#[tokio::test]
async fn a_picture_that_takes_too_much_as_avif_keeps_its_other_variants() {
    let reader = PictureReader::like(&DocumentReader::new(env!("CARGO_BIN_EXE_pagesmith").into()));
    let bytes = |bytes: Vec<u8>| futures_util::stream::iter([Ok(Bytes::from(bytes))]).boxed();
    let read = reader.read_as_avif(bytes(photograph(350, 200))).await.unwrap();
    assert!(read.variants.iter().all(|variant| variant.format == Format::Avif && is_avif(&variant.bytes)));
    let mut short = reader.clone();
    short.time_limit = Duration::from_millis(1);
    assert_eq!(short.read_as_avif(bytes(photograph(350, 200))).await.unwrap_err(), Unmade::TooLong);
    assert_eq!(reader.read(Kind::Raster, bytes(photograph(350, 200))).await.unwrap().variants.len(), 2);
    // Both may take as long as they may, within the lease.
    assert!(2 * Duration::from_secs(40) < variants::LEASE);
}

#[test]
fn the_setting_reaches_the_worker() {
    for (setting, is_set) in [("true", true), ("false", false)] {
        let server = Instance::new().serve_with(&[("FILES_AVIF_PICTURES", setting)]);
        let call = |method: &str, path: &str, body: &Value| {
            server.connect().call(method, path, Some(KEY), Some(body)).unwrap()
        };
        let bytes = photograph(400, 300);
        let file = server.connect().upload(KEY, "forge.png", &bytes).unwrap().expect(201).json();
        let mut page = fixtures::page("Spring");
        page["metadata"] = json!({ "ogImage": { "type": "file", "fileId": file["fileId"] } });
        let page = call("POST", "/v0/pages", &page).expect(201).json();
        let address = &page["metadata"]["ogImageUrl"];
        let page = format!("/v0/pages/{}", page["pageId"].as_str().unwrap());
        let audiences = format!("{page}/audiences");
        let audience = call("POST", &audiences, &json!({ "publishBehavior": "draft" })).expect(201).json();
        let versions = format!("{audiences}/{}/versions", audience["audienceId"].as_str().unwrap());
        let version = eventually("the version is written", || {
            let version = server.get(&versions, KEY).expect(200).json()["items"][0].clone();
            (version["status"] == "draft").then(|| version["versionId"].as_str().unwrap().to_owned())
        });
        let image = json!({ "url": address, "altText": "A forge" });
        let hero = json!({ "type": "hero", "blockId": "b", "title": "Forge", "image": image });
        let version = format!("{versions}/{version}");
        call("PUT", &format!("{version}/content"), &json!({ "blocks": [hero] })).expect(200);
        call("POST", &format!("{version}/publish"), &json!({})).expect(200);
        let link = server.get(&format!("{page}/link"), KEY).expect(200).json();
        let (host, at) = (link["domain"].as_str().unwrap(), link["path"].as_str().unwrap());
        let html = eventually("the page shows variants", || {
            let mut connection = server.connect();
            connection.send(format!("GET {at} HTTP/1.1\r\nhost: {host}\r\n\r\n")).unwrap();
            let html = String::from_utf8(connection.receive().unwrap().body).unwrap();
            html.contains("srcset=").then_some(html)
        });
        assert_eq!(html.contains("<source type=\"image/avif\""), is_set, "{html}");
    }
}
