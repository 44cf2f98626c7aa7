//! Variants of pictures: made in the background, shown on pages at addresses that last, and gone with their picture.

use std::io::Cursor;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use pagesmith_model::{FileId, TenantId};
use pagesmith_operations::files::{addresses, shown, variants};
use pagesmith_pictures::{Kind, Refusal};
use pagesmith_store::tables::files as tables;
use pagesmith_store::tables::pending_work::{self, WorkKind};
use pagesmith_testkit::{Client, TestApp, fixtures};
use pagesmith_worker::limited_process::documents::DocumentReader;
use pagesmith_worker::limited_process::pictures::{PictureReader, Unmade};
use pagesmith_worker::pictures;
use pagesmith_worker::tasks::TASKS;
use pagesmith_worker::turns::Turns;
use serde_json::{Value, json};
use tokio::sync::watch;

use super::{PNG, id, path, stored, upload};
use crate::audiences::{audience, page_of};
use crate::site::visitor;

/// A day, after which bytes go that nothing uses.
pub(super) const GRACE: Duration = Duration::from_hours(24);

fn encoded(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
    let image = RgbImage::from_fn(width, height, |x, y| Rgb([(x % 200) as u8, (y % 100) as u8, 180]));
    let mut bytes = Vec::new();
    DynamicImage::ImageRgb8(image).write_to(&mut Cursor::new(&mut bytes), format).unwrap();
    bytes
}

pub(super) async fn task(app: &TestApp, name: &str) {
    TASKS.iter().find(|task| task.name == name).unwrap().run(&app.tools()).await.unwrap();
}

pub(super) async fn sweep(app: &TestApp) {
    task(app, "sweep_unused_files").await;
    task(app, "sweep_orphaned_files").await;
}

/// The picture of a file, if its variants are made.
pub(super) async fn own(app: &TestApp, tenant: &TenantId, file: &Value) -> Option<shown::OwnPicture> {
    let (tenant, id) = (tenant.clone(), FileId::parse(id(file)).unwrap());
    let find = move |tx: &mut pagesmith_store::Tx<'_>| {
        let file = tables::find(tx, &tenant, &id)?.unwrap();
        shown::of_files(tx, &tenant, vec![file])
    };
    app.store.read(find).await.unwrap().pop()
}

pub(super) async fn lasting(app: &TestApp, file: &Value) -> String {
    let (tenant, id) = (app.tenant.clone(), FileId::parse(id(file)).unwrap());
    let file = app.store.read(move |tx| tables::find(tx, &tenant, &id)).await.unwrap().unwrap();
    addresses::lasting(&file)
}

pub(super) async fn used(app: &TestApp) -> (u64, u64) {
    let tenant = app.tenant.clone();
    app.store.read(move |tx| tables::usage(tx, &tenant)).await.unwrap()
}

async fn problem(app: &TestApp, file: &Value) -> Option<String> {
    let (tenant, id) = (app.tenant.clone(), FileId::parse(id(file)).unwrap());
    let find = move |tx: &mut pagesmith_store::Tx<'_>| {
        let file = tables::find(tx, &tenant, &id)?.unwrap();
        tables::pictures::problem(tx, &tenant, &file.content_id)
    };
    app.store.read(find).await.unwrap()
}

/// A published page that shows a picture in its first block.
pub(super) async fn page_with(app: &TestApp, client: &Client, url: &str) {
    let page = page_of(client, &fixtures::page("Spring")).await;
    let at = audience(client, &page, &json!({ "publishBehavior": "draft" })).await;
    app.write_versions().await;
    let versions = client.get(&format!("{at}/versions")).await.expect(200).json();
    let version = format!("{at}/versions/{}", versions["items"][0]["versionId"].as_str().unwrap());
    let hero = json!({ "type": "hero", "blockId": "b", "title": "Forge", "image": { "url": url, "altText": "A forge" } });
    let content = json!({ "blocks": [hero] }).to_string().into_bytes();
    client.send("PUT", &format!("{version}/content"), Some(content)).await.expect(200);
    client.post(&format!("{version}/publish"), &json!({})).await.expect(200);
}

/// The tag of the picture on a page.
fn image_of(html: &str) -> String {
    let start = html.find("<img ").unwrap_or_else(|| panic!("no picture in {html}"));
    html[start..].split_inclusive('>').next().unwrap().to_owned()
}

#[tokio::test]
async fn a_page_shows_the_original_until_the_variants_are_made_and_then_these() {
    let app = TestApp::start().await;
    let client = app.client();
    let photo = encoded(1_300, 700, ImageFormat::Jpeg);
    let file = upload(&client, "Forge.jpg", &photo).await;
    let original = lasting(&app, &file).await;
    // Written when the site had another address.
    page_with(&app, &client, &format!("https://old.example{original}")).await;
    let site = visitor(&app, "acme.localhost");
    let before = site.get("/spring").await.expect(200).text();
    assert!(image_of(&before).contains(&format!("src=\"https://old.example{original}\"")), "{before}");
    assert_eq!(&site.get(&original).await.expect(200).bytes[..], &photo[..]);
    app.make_variants().await;
    let after = site.get("/spring").await.expect(200).text();
    let tag = image_of(&after);
    assert!(tag.contains("width=\"1300\" height=\"700\" class=\"ps-picture-0\""), "{tag}");
    let picture = own(&app, &app.tenant, &file).await.unwrap();
    let widths: Vec<u32> = picture.picture.variants.iter().map(|variant| variant.width).collect();
    assert_eq!(widths, [320, 640, 960, 1_280, 1_300]);
    for variant in &picture.picture.variants {
        let path = addresses::of_variant(&picture.file.file_id, variant);
        let listed = format!("http://acme.localhost:8080{path} {}w", variant.width);
        assert!(tag.contains(&listed), "{listed} is not in {tag}");
        let answer = site.get(&path).await.expect(200);
        assert_eq!(answer.header("content-type"), Some(variant.media_type.as_str()));
        assert_eq!(answer.header("cache-control"), Some("public, max-age=31536000, immutable"));
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert!(answer.header("content-disposition").unwrap().starts_with("inline; filename=\"Forge.webp\""));
        let decoded = image::load_from_memory(&answer.bytes).unwrap();
        assert_eq!((decoded.width(), decoded.height()), (variant.width, variant.height));
        let etag = answer.header("etag").unwrap().to_owned();
        assert_eq!(site.with("if-none-match", &etag).get(&path).await.status, 304);
        let part = site.with("range", "bytes=0-3").get(&path).await.expect(206);
        assert_eq!(&part.bytes[..], b"RIFF");
        let length = answer.bytes.len().to_string();
        let head = site.send("HEAD", &path, None).await.expect(200);
        assert_eq!(head.header("content-length"), Some(length.as_str()));
        // No other tenant's site has it, and no part of the address can be changed.
        site.get(&path.replace("w-", "w-A")).await.expect(404);
        site.get(&path.replace(&format!("/{}w", variant.width), "/321w")).await.expect(404);
    }
    // What stands for it until it is there.
    assert!(after.contains("{background:#") && after.contains("url(data:image/webp;base64,"), "{after}");
}

#[tokio::test]
async fn variants_go_with_the_last_file_of_their_picture_and_count_until_then() {
    let app = TestApp::start().await;
    let client = app.client();
    let photo = encoded(700, 400, ImageFormat::Png);
    let (one, two) = (upload(&client, "one.png", &photo).await, upload(&client, "two.png", &photo).await);
    let size = photo.len() as u64;
    assert_eq!((used(&app).await, stored(&app).await), ((2, size), 1));
    app.make_variants().await;
    let picture = own(&app, &app.tenant, &one).await.unwrap();
    let of_variants: u64 = picture.picture.variants.iter().map(|variant| variant.size).sum();
    assert_eq!((used(&app).await, stored(&app).await), ((2, size + of_variants), 4));
    // Another picture that looks the same has the same variants.
    let other = upload(&client, "other.png", &[&photo[..], b"behind the end"].concat()).await;
    app.make_variants().await;
    assert_eq!((used(&app).await.1, stored(&app).await), (2 * size + 14 + of_variants, 5));
    client.delete(&path(&other)).await.expect(200);
    client.delete(&path(&one)).await.expect(200);
    app.advance(2 * GRACE);
    sweep(&app).await;
    assert_eq!((used(&app).await, stored(&app).await), ((1, size + of_variants), 4));
    assert_eq!(own(&app, &app.tenant, &two).await.unwrap().picture, picture.picture);
    let small = addresses::of_variant(&FileId::parse(id(&two)).unwrap(), &picture.picture.variants[0]);
    let site = visitor(&app, "acme.localhost");
    site.get(&small).await.expect(200);
    client.delete(&path(&two)).await.expect(200);
    assert_eq!(used(&app).await, (0, 0));
    site.get(&small).await.expect(404);
    // It comes again before its bytes go: its variants are made again, of which some still have theirs.
    let again = upload(&client, "again.png", &photo).await;
    app.make_variants().await;
    assert_eq!(used(&app).await, (1, size + of_variants));
    client.delete(&path(&again)).await.expect(200);
    app.advance(2 * GRACE);
    sweep(&app).await;
    assert_eq!((used(&app).await, stored(&app).await), ((0, 0), 0));
}

#[tokio::test]
async fn a_quota_without_room_for_variants_keeps_the_original() {
    let photo = encoded(700, 400, ImageFormat::Png);
    let quota = photo.len() as u64 + 1;
    let app = TestApp::with(|plan| plan.settings.files.quota = quota).await;
    let client = app.client();
    let file = upload(&client, "a.png", &photo).await;
    app.make_variants().await;
    assert!(problem(&app, &file).await.unwrap().contains("quota"));
    assert_eq!((used(&app).await.1, stored(&app).await), (photo.len() as u64, 1));
    assert_eq!(
        &visitor(&app, "acme.localhost").get(&lasting(&app, &file).await).await.expect(200).bytes[..],
        &photo[..]
    );
}

#[tokio::test]
async fn a_preview_is_small_and_works_without_a_key_for_an_hour() {
    let app = TestApp::start().await;
    let client = app.client();
    let file = upload(&client, "a.jpg", &encoded(700, 400, ImageFormat::Jpeg)).await;
    let body = json!({ "assetType": "image", "name": "A", "fileId": file["fileId"] });
    let asset = client.post("/v0/assets", &body).await.expect(201).json();
    let path_of = |field: &str| asset[field].as_str().unwrap().split_once(":8080").unwrap().1.to_owned();
    let (whole, small) = (path_of("downloadUrl"), path_of("previewDownloadUrl"));
    let site = visitor(&app, "acme.localhost");
    let shown = site.get(&small).await.expect(200);
    assert_eq!(shown.bytes, site.get(&whole).await.expect(200).bytes);
    app.make_variants().await;
    let shown = site.get(&small).await.expect(200);
    assert_eq!(
        (shown.header("content-type"), shown.header("cache-control")),
        (Some("image/webp"), Some("private, no-cache"))
    );
    assert_eq!(image::load_from_memory(&shown.bytes).unwrap().width(), 320);
    app.advance(Duration::from_hours(1));
    site.get(&small).await.expect(410);
}

#[tokio::test]
async fn what_pages_show_is_read_once_and_gone_when_it_is_deleted() {
    let app = TestApp::start().await;
    let client = app.client();
    let photo = encoded(700, 400, ImageFormat::Jpeg);
    let file = upload(&client, "a.jpg", &photo).await;
    let large = upload(&client, "a.bin", &vec![7; 1024 * 1024 + 1]).await;
    let (shown, too_large) = (lasting(&app, &file).await, lasting(&app, &large).await);
    let site = visitor(&app, "acme.localhost");
    let whole = site.get(&shown).await.expect(200);
    site.get(&too_large).await.expect(200);
    for id in app.files.list(&app.tenant).await.unwrap() {
        app.files.remove(&app.tenant, &id).await.unwrap();
    }
    // Once at once, and once after it was looked up again.
    for _ in 0..2 {
        assert_eq!(site.get(&shown).await.expect(200).bytes, whole.bytes);
        let part = site.with("range", "bytes=10-19").get(&shown).await.expect(206);
        assert_eq!(&part.bytes[..], &photo[10..20]);
        let end = format!("bytes 10-19/{}", photo.len());
        assert_eq!(part.header("content-range"), Some(end.as_str()));
        let etag = whole.header("etag").unwrap();
        assert!(site.with("if-none-match", etag).get(&shown).await.expect(304).bytes.is_empty());
        let behind = format!("bytes={}-", photo.len());
        site.with("range", &behind).get(&shown).await.expect(416);
        let head = site.send("HEAD", &shown, None).await.expect(200);
        assert_eq!(head.header("content-length"), Some(photo.len().to_string().as_str()));
        app.advance(Duration::from_secs(2));
    }
    assert!(!site.get(&too_large).await.status.is_success());
    client.delete(&path(&file)).await.expect(200);
    site.get(&shown).await.expect(404);
}

#[tokio::test]
async fn a_drawing_with_a_script_is_shown_without_it() {
    let app = TestApp::start().await;
    let client = app.client();
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg' width='40' height='20' onload='alert(1)'><script>alert(2)</script><rect width='9' height='9'/></svg>";
    let file = upload(&client, "a.svg", svg).await;
    app.make_variants().await;
    let picture = own(&app, &app.tenant, &file).await.unwrap();
    assert_eq!((picture.picture.width, picture.picture.height), (40, 20));
    let site = visitor(&app, "acme.localhost");
    let answer = site.get(&picture.path_elsewhere()).await.expect(200);
    assert_eq!(answer.header("content-type"), Some("image/svg+xml"));
    let policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox";
    assert_eq!(answer.header("content-security-policy"), Some(policy));
    assert!(answer.text().contains("<rect") && !answer.text().contains("alert"), "{}", answer.text());
    // The original stays a download under a policy that runs nothing.
    let original = site.get(&lasting(&app, &file).await).await.expect(200);
    assert!(original.header("content-disposition").unwrap().starts_with("attachment"));
    assert_eq!(original.header("content-security-policy"), Some("default-src 'none'; sandbox"));
}

#[tokio::test]
async fn logos_of_widgets_are_shown_by_their_ids_while_they_are_there() {
    let app = TestApp::start().await;
    let client = app.client();
    let file = upload(&client, "a.png", &encoded(700, 400, ImageFormat::Png)).await;
    let other = upload(&client, "b.png", &encoded(300, 400, ImageFormat::Png)).await;
    let text = upload(&client, "c.txt", b"no picture").await;
    let theirs = upload(&app.stranger().await, "d.png", &encoded(30, 40, ImageFormat::Png)).await;
    let body = json!({ "assetType": "logo", "name": "B", "fileId": other["fileId"] });
    let asset = client.post("/v0/assets", &body).await.expect(201).json();
    let asset_path = format!("/v0/assets/{}", asset["assetId"].as_str().unwrap());
    let logos = [
        json!({ "altText": "A", "fileId": file["fileId"] }),
        json!({ "altText": "B", "assetId": asset["assetId"] }),
        json!({ "altText": "C", "fileId": text["fileId"] }),
        json!({ "altText": "D", "fileId": theirs["fileId"] }),
        json!({ "altText": "E", "url": "https://images.example.com/e.png", "fileId": file["fileId"] }),
    ];
    let mut page = fixtures::page("Spring");
    let logos: Vec<Value> = logos.into_iter().map(|image| json!({ "image": image })).collect();
    page["actionCardWidgets"] = json!([{ "type": "marquee", "title": "Partners", "logos": logos }]);
    let page = page_of(&client, &page).await;
    audience(&client, &page, &json!({})).await;
    app.write_versions().await;
    let site = visitor(&app, "acme.localhost");
    let shown = async || {
        let html = site.get("/spring").await.expect(200).text();
        let logo = |alt: &str| {
            let tag = html.split("<img ").find(|tag| tag.contains(&format!("alt=\"{alt}\"")))?.to_owned();
            Some(tag.split('"').nth(1).unwrap().to_owned())
        };
        ["A", "B", "C", "D", "E"].map(logo)
    };
    let of = |path: String| Some(format!("http://acme.localhost:8080{path}"));
    let elsewhere = Some("https://images.example.com/e.png".to_owned());
    let (first, second) = (lasting(&app, &file).await, lasting(&app, &other).await);
    assert_eq!(shown().await, [of(first), of(second.clone()), None, None, elsewhere.clone()]);
    app.make_variants().await;
    let small = async |file| {
        let own = own(&app, &app.tenant, file).await.unwrap();
        of(addresses::of_variant(&own.file.file_id, &own.picture.variants[0]))
    };
    let (first, second) = (small(&file).await, small(&other).await);
    assert_eq!(shown().await, [first.clone(), second.clone(), None, None, elsewhere.clone()]);
    client.delete(&asset_path).await.expect(200);
    assert_eq!(shown().await, [first.clone(), None, None, None, elsewhere.clone()]);
    client.post(&format!("{asset_path}/restore"), &json!({})).await.expect(200);
    assert_eq!(shown().await[1], second);
    client.delete(&path(&file)).await.expect(200);
    assert_eq!(shown().await, [None, second, None, None, elsewhere]);
}

/// A PNG whose header says that it has other sides.
fn with_sides(png: &[u8], width: u32, height: u32) -> Vec<u8> {
    let mut png = png.to_vec();
    png[16..20].copy_from_slice(&width.to_be_bytes());
    png[20..24].copy_from_slice(&height.to_be_bytes());
    let crc = !png[12..29].iter().fold(!0_u32, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg()))
    });
    png[29..33].copy_from_slice(&crc.to_be_bytes());
    png
}

#[tokio::test]
async fn hostile_pictures_have_no_variants_and_others_theirs() {
    let app = TestApp::start().await;
    let (client, stranger) = (app.client(), app.stranger().await);
    let png = encoded(64, 64, ImageFormat::Png);
    let mut hostile = Vec::new();
    for (name, bytes, reason) in [
        ("sides.png", with_sides(&png, 60_000, 60_000), Refusal::LongSide.reason()),
        ("pixels.png", with_sides(&png, 16_000, 16_000), Refusal::ManyPixels.reason()),
        ("more.png", with_sides(&png, 6_000, 6_000), Refusal::Broken.reason()),
        ("cut.png", png[..png.len() / 2].to_vec(), Refusal::Broken.reason()),
        ("polyglot.gif", b"GIF89a/*\x01*/=1;alert(1)".to_vec(), Refusal::ManyPixels.reason()),
        ("broken.svg", b"<svg><script>".to_vec(), Refusal::Broken.reason()),
    ] {
        hostile.push((upload(&client, name, &bytes).await, bytes, reason));
    }
    let good = upload(&stranger, "good.png", &png).await;
    app.make_variants().await;
    for (file, bytes, reason) in &hostile {
        assert_eq!(problem(&app, file).await.as_deref(), Some(*reason), "{file}");
        assert!(own(&app, &app.tenant, file).await.is_none());
        // It is shown as it is, by who has it.
        let shown = client.get(&format!("{}/content", path(file))).await.expect(200);
        assert_eq!(&shown.bytes[..], &bytes[..]);
    }
    let globex = app.state.keys.tenant_by_slug("globex").unwrap().tenant_id.clone();
    assert_eq!(own(&app, &globex, &good).await.unwrap().picture.width, 64);
    assert_eq!(stored(&app).await, hostile.len());
    // Nothing of it is tried again by itself.
    let tenant = app.tenant.clone();
    let is_idle = app.store.read(move |tx| pending_work::is_idle(tx, &tenant, WorkKind::Pictures)).await;
    assert!(is_idle.unwrap());
}

#[tokio::test]
async fn a_picture_that_takes_too_much_costs_its_process_alone() {
    let documents = DocumentReader::new(env!("CARGO_BIN_EXE_pagesmith").into());
    let read = async |reader: &PictureReader, bytes: Vec<u8>| {
        let bytes = futures_util::stream::iter([Ok(Bytes::from(bytes))]).boxed();
        reader.read(Kind::Raster, bytes).await
    };
    let large = encoded(3_000, 2_000, ImageFormat::Png);
    let mut reader = PictureReader::like(&documents);
    reader.memory_mib = 256;
    reader.time_limit = Duration::from_secs(40);
    // A few kilobytes that unpack to 180 MB.
    let mut bomb = Vec::new();
    DynamicImage::ImageRgba8(image::RgbaImage::new(9_000, 5_000))
        .write_to(&mut Cursor::new(&mut bomb), ImageFormat::Png)
        .unwrap();
    assert!(bomb.len() < 1_000_000, "{}", bomb.len());
    assert_eq!(read(&reader, bomb).await.unwrap_err(), Unmade::TooMuch);
    reader.time_limit = Duration::from_millis(1);
    assert_eq!(read(&reader, large).await.unwrap_err(), Unmade::TooLong);
    let other = PictureReader::like(&DocumentReader::new("/bin/echo".into()));
    assert_eq!(read(&other, PNG.to_vec()).await.unwrap_err(), Unmade::Refused(Refusal::Broken));
    let nowhere = PictureReader::like(&DocumentReader::new("/nowhere/pagesmith".into()));
    assert_eq!(read(&nowhere, PNG.to_vec()).await.unwrap_err(), Unmade::NotStarted);
}

#[tokio::test]
async fn a_lost_worker_is_followed_by_another_and_reports_in_vain() {
    let app = TestApp::start().await;
    let client = app.client();
    let file = upload(&client, "a.png", &encoded(40, 30, ImageFormat::Png)).await;
    let (tools, (_running, stop)) = (app.tools(), watch::channel(false));
    let mut turns = Turns::default();
    let lost = pictures::claim(&tools, &mut turns, 2).await.unwrap();
    assert_eq!(lost.iter().map(|lost| &lost.of.tenant).collect::<Vec<_>>(), [&app.tenant]);
    assert_eq!(pictures::claim(&tools, &mut turns, 2).await.unwrap(), []);
    app.advance(variants::LEASE);
    let mut second = pictures::claim(&tools, &mut turns, 2).await.unwrap();
    // The lost one comes back: what it has made is not taken, and not kept.
    pictures::attempt(tools.clone(), lost[0].clone(), stop.clone()).await;
    assert_eq!((stored(&app).await, own(&app, &app.tenant, &file).await), (1, None));
    // The second one's server stops: another may take it at once.
    let (_stopping, stopped) = watch::channel(true);
    pictures::attempt(tools.clone(), second.remove(0), stopped).await;
    for _ in 1..4 {
        assert_eq!(pictures::claim(&tools, &mut turns, 2).await.unwrap().len(), 1);
        app.advance(variants::LEASE);
    }
    let fifth = pictures::claim(&tools, &mut turns, 2).await.unwrap().remove(0);
    assert!(fifth.is_hopeless());
    pictures::attempt(tools.clone(), fifth, stop).await;
    assert_eq!(problem(&app, &file).await.as_deref(), Some(variants::GIVEN_UP));
    assert_eq!(pictures::claim(&tools, &mut turns, 2).await.unwrap(), []);
}

#[tokio::test]
async fn storage_that_is_away_is_tried_again_and_a_deleted_picture_is_not() {
    let app = TestApp::start().await;
    let client = app.client();
    let file = upload(&client, "a.png", &encoded(40, 30, ImageFormat::Png)).await;
    let content = app.files.list(&app.tenant).await.unwrap().pop_first().unwrap();
    app.files.remove(&app.tenant, &content).await.unwrap();
    app.make_variants().await;
    assert_eq!(problem(&app, &file).await.as_deref(), Some(Unmade::NoBytes.reason()));
    let mut storing = app.files.begin(&app.tenant, &content);
    storing.write(&encoded(40, 30, ImageFormat::Png)).await.unwrap();
    storing.finish().await.unwrap();
    app.make_variants().await;
    assert!(own(&app, &app.tenant, &file).await.is_none(), "it rests first");
    app.advance(Duration::from_secs(5));
    app.make_variants().await;
    assert_eq!((own(&app, &app.tenant, &file).await.is_some(), problem(&app, &file).await), (true, None));
    // Deleted while its variants are made: they are made in vain.
    let gone = upload(&client, "gone.png", &encoded(50, 30, ImageFormat::Png)).await;
    let (tools, mut turns, (_running, stop)) = (app.tools(), Turns::default(), watch::channel(false));
    let claimed = pictures::claim(&tools, &mut turns, 2).await.unwrap().remove(0);
    client.delete(&path(&gone)).await.expect(200);
    let before = stored(&app).await;
    pictures::attempt(tools, claimed, stop).await;
    assert_eq!(stored(&app).await, before);
}

#[tokio::test]
async fn what_an_older_server_took_in_or_deleted_is_caught_up_with() {
    let app = TestApp::start().await;
    let client = app.client();
    let file = upload(&client, "a.png", &encoded(400, 30, ImageFormat::Png)).await;
    upload(&client, "a.txt", b"no picture").await;
    // As if a server had taken it in that knows no variants.
    let (tenant, id) = (app.tenant.clone(), FileId::parse(id(&file)).unwrap());
    let forget = move |tx: &mut pagesmith_store::Tx<'_>| {
        let file = tables::find(tx, &tenant, &id)?.unwrap();
        tx.change(vec![tables::pictures::remove(&tenant, &file.content_id)])
    };
    app.store.write(forget).await.unwrap();
    app.make_variants().await;
    assert!(own(&app, &app.tenant, &file).await.is_none());
    task(&app, "queue_pictures").await;
    app.make_variants().await;
    assert_eq!(own(&app, &app.tenant, &file).await.unwrap().picture.variants.len(), 2);
    assert_eq!(stored(&app).await, 4);
    // As if it had deleted the file.
    let (tenant, now, own) =
        (app.tenant.clone(), app.platform.clock().now(), own(&app, &app.tenant, &file).await.unwrap());
    let delete = move |tx: &mut pagesmith_store::Tx<'_>| {
        let content = &own.file.content_id;
        tx.change(vec![
            tables::remove(&tenant, &own.file.file_id),
            tables::contents::count_files(&tenant, content, 0, Some(now)),
        ])
    };
    app.store.write(delete).await.unwrap();
    sweep(&app).await;
    app.advance(2 * GRACE);
    sweep(&app).await;
    assert_eq!(stored(&app).await, 1);
}

#[tokio::test]
async fn equal_pictures_of_tenants_are_each_tenants_own_and_each_has_its_turn() {
    let app = TestApp::start().await;
    let (client, stranger) = (app.client(), app.stranger().await);
    for width in [40, 41, 42] {
        upload(&client, "a.png", &encoded(width, 30, ImageFormat::Png)).await;
    }
    let theirs = upload(&stranger, "a.png", &encoded(40, 30, ImageFormat::Png)).await;
    let mut turns = Turns::default();
    let claimed = pictures::claim(&app.tools(), &mut turns, 2).await.unwrap();
    let mut tenants: Vec<&str> = claimed.iter().map(|claimed| claimed.of.tenant.as_str()).collect();
    tenants.sort_unstable();
    tenants.dedup();
    assert_eq!(tenants.len(), 2, "the tenant with one picture waits for no other");
    app.suspend("globex").await;
    app.advance(variants::LEASE);
    app.make_variants().await;
    app.resume("globex").await;
    let globex =
        claimed.iter().map(|claimed| claimed.of.tenant.clone()).find(|tenant| *tenant != app.tenant).unwrap();
    assert!(own(&app, &globex, &theirs).await.is_none());
    app.make_variants().await;
    assert!(own(&app, &globex, &theirs).await.is_some());
}
