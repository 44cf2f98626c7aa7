//! Fonts of brands that are files of the tenant: what is taken, what pages do with them, and what becomes of the files.

use pagesmith_operations::brands::fonts::FontReading;
use pagesmith_testkit::{Client, TestApp};
use pagesmith_worker::limited_process::documents::DocumentReader;
use pagesmith_worker::limited_process::fonts::FontReader;
use serde_json::{Value, json};

use super::shown::{published, shown};
use super::{create, path};
use crate::site::visitor;

const SANS: &[u8] = include_bytes!("../../../../fonts/samples/sans-variable.woff2");
const SERIF: &[u8] = include_bytes!("../../../../fonts/samples/serif-bold-italic.woff2");

/// The id of an uploaded file.
async fn upload(client: &Client, name: &str, bytes: &[u8]) -> String {
    let file = client.upload(name, bytes).await.expect(201).json();
    file["fileId"].as_str().unwrap().to_owned()
}

fn brand(look: &Value) -> Value {
    json!({ "name": "Acme", "isDefault": true, "look": look })
}

/// The path of the file that a page has the browser fetch first.
fn preloaded(html: &str) -> &str {
    let (_, rest) =
        html.split_once("<link rel=\"preload\" href=\"").unwrap_or_else(|| panic!("none in {html}"));
    let (path, rest) = rest.split_once('"').unwrap();
    assert!(rest.starts_with(" as=\"font\" type=\"font/woff2\" crossorigin>"), "{rest}");
    path
}

#[tokio::test]
async fn a_page_fetches_the_fonts_of_its_brand_from_its_own_site() {
    let app = TestApp::start().await;
    let client = app.client();
    let (sans, serif) = (upload(&client, "s.woff2", SANS).await, upload(&client, "t.woff2", SERIF).await);
    let look = json!({
        "headingFontFiles": [{ "fileId": sans }],
        "bodyFontFiles": [{ "fileId": serif }, { "fileId": serif, "weight": 400, "style": "normal" }],
        "bodyFonts": "Georgia",
    });
    let made = create(&client, &brand(&look)).await;
    assert_eq!(made["look"], look);
    let (of_sans, of_serif) = (
        json!({ "fileId": sans, "family": "Proof Sans", "minWeight": 100, "maxWeight": 900, "style": "normal" }),
        json!({ "fileId": serif, "family": "Proof Serif", "minWeight": 700, "maxWeight": 700, "style": "italic" }),
    );
    assert_eq!(made["fonts"], json!([of_sans, of_serif]));
    assert_eq!(client.get(&path(&made)).await.expect(200).json(), made);
    published(&app, json!({})).await;
    let site = visitor(&app, "acme.localhost");
    let page = site.get("/spring").await.expect(200);
    let policy = page.header("content-security-policy").unwrap().to_owned();
    assert!(policy.contains("; font-src 'self';"), "{policy}");
    let html = page.text();
    let file = preloaded(&html);
    let of = |id: &str| format!("/files/{}-", id.strip_prefix("file_").unwrap());
    assert!(file.starts_with(&of(&sans)), "{file}");
    let [heading, text, slanted] = [
        format!(
            "@font-face{{font-family:ps-head;src:url({file})format(\"woff2\");font-weight:100 900;font-display:swap}}"
        ),
        format!("@font-face{{font-family:ps-text;src:url({}", of(&serif)),
        "format(\"woff2\");font-weight:700;font-style:italic;font-display:swap}".to_owned(),
    ];
    for part in [
        heading.as_str(),
        &text,
        &slanted,
        "format(\"woff2\");font-weight:400;font-display:swap}",
        "--body:ps-text,ps-text-like,Georgia;--head:ps-head,ps-head-like,Inter,",
        "@font-face{font-family:ps-text-like;src:local(Georgia),local(Gelasio);size-adjust:",
        "@font-face{font-family:ps-head-like;src:local(Arial),local(ArialMT),",
        ";line-gap-override:",
    ] {
        assert!(html.contains(part), "{part} is not in {html}");
    }
    let answer = site.get(file).await.expect(200);
    assert_eq!(&answer.bytes[..], SANS);
    assert_eq!(answer.header("content-type"), Some("font/woff2"));
    assert_eq!(answer.header("cache-control"), Some("public, max-age=31536000, immutable"));
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    // A page that says one thing is set in them as well.
    let nothing = site.get("/nothing-here").await.expect(404);
    assert!(nothing.header("content-security-policy").unwrap().contains("; font-src 'self';"));
    assert_eq!(preloaded(&nothing.text()), file);
}

#[tokio::test]
async fn fonts_stay_with_a_brand_until_its_look_is_another() {
    let app = TestApp::start().await;
    let client = app.client();
    let sans = upload(&client, "s.woff2", SANS).await;
    let look = json!({ "bodyFontFiles": [{ "fileId": sans }] });
    let made = create(&client, &brand(&look)).await;
    published(&app, json!({})).await;
    let site = visitor(&app, "acme.localhost");
    let used = json!({ "reason": "used", "brandIds": [made["brandId"]] });
    let renamed = client.patch(&path(&made), &json!({ "name": "Other" })).await.expect(200).json();
    assert_eq!((&renamed["look"], &renamed["fonts"]), (&look, &made["fonts"]));
    let html = shown(&site).await;
    // Headings without fonts of their own have the same, which is fetched once.
    assert!(html.contains("--head:var(--body)") && html.matches("@font-face").count() == 2, "{html}");
    let file = format!("/v0/files/{sans}");
    assert_eq!(client.delete(&file).await.expect(409).json()["details"], used);
    let bare = client.patch(&path(&made), &json!({ "look": { "cornerRadius": 1 } })).await.expect(200).json();
    assert_eq!((&bare["look"], &bare["fonts"]), (&json!({ "cornerRadius": 1 }), &json!([])));
    let page = site.get("/spring").await.expect(200);
    assert!(!page.header("content-security-policy").unwrap().contains("font-src"));
    assert!(!page.text().contains("@font-face") && !page.text().contains("rel=\"preload\""));
    client.patch(&path(&made), &json!({ "look": look })).await.expect(200);
    assert_eq!(client.delete(&file).await.expect(409).json()["details"], used);
    client.delete(&path(&made)).await.expect(200);
    client.delete(&file).await.expect(200);
}

#[tokio::test]
async fn a_file_that_is_no_font_is_refused_at_its_place_and_changes_nothing() {
    let app = TestApp::start().await;
    let client = app.client();
    let made = create(&client, &brand(&json!({ "cornerRadius": 3 }))).await;
    let sans = upload(&client, "s.woff2", SANS).await;
    let theirs = upload(&app.stranger().await, "s.woff2", SANS).await;
    let mut large = SANS.to_vec();
    large.resize(1024 * 1024 + 1, 0);
    for (bytes, reason) in [
        (&b"plain text"[..], "The file is no WOFF2 font"),
        (b"wOFF\0\x01\0\0", "The file is no WOFF2 font"),
        (&SANS[..200], "The font could not be understood"),
        (&large, "The font has more than 1 MiB"),
    ] {
        let file = upload(&client, "f.woff2", bytes).await;
        let look = json!({ "headingFontFiles": [{ "fileId": sans }, { "fileId": file }], "bodyFontFiles": [{ "fileId": file }] });
        let refused = client.patch(&path(&made), &json!({ "look": look })).await.expect(400);
        let text = refused.text();
        assert!(text.contains(reason) && text.contains(&file), "{text}");
        let places = ["look.headingFontFiles.1.fileId", "look.bodyFontFiles.0.fileId"];
        let expected = places.map(|place| ("invalid_value".to_owned(), place.to_owned()));
        assert_eq!(refused.issues(), expected);
        // What was refused is not used.
        client.delete(&format!("/v0/files/{file}")).await.expect(200);
    }
    let named = |font: Value| json!({ "look": { "bodyFontFiles": [font] } });
    for (patch, code, place) in [
        (named(json!({ "fileId": theirs })), "unknown_reference", "look.bodyFontFiles.0.fileId"),
        (named(json!({ "fileId": "file_1" })), "unknown_reference", "look.bodyFontFiles.0.fileId"),
        (named(json!({ "fileId": sans, "weight": 0 })), "too_small", "look.bodyFontFiles.0.weight"),
        (named(json!({ "fileId": sans, "style": "bold" })), "invalid_value", "look.bodyFontFiles.0.style"),
        (named(json!({ "weight": 400 })), "required", "look.bodyFontFiles.0.fileId"),
        (
            json!({ "look": { "bodyFontFiles": vec![json!({ "fileId": sans }); 5] } }),
            "too_long",
            "look.bodyFontFiles",
        ),
    ] {
        let issues = client.patch(&path(&made), &patch).await.issues();
        assert_eq!(issues, [(code.to_owned(), place.to_owned())], "{patch}");
    }
    assert_eq!(client.get(&path(&made)).await.expect(200).json(), made);
    let body = brand(&json!({ "bodyFontFiles": [{ "fileId": theirs }] }));
    assert_eq!(client.post("/v0/brands", &body).await.issues().len(), 1);
    client.delete(&format!("/v0/files/{sans}")).await.expect(200);
}

#[tokio::test]
async fn the_site_s_brand_takes_fonts_as_well() {
    let app = TestApp::start().await;
    let client = app.client();
    let (sans, text) = (upload(&client, "s.woff2", SANS).await, upload(&client, "t.txt", b"text").await);
    let put = async |file: &str| {
        let body = json!({ "brand": { "bodyFontFiles": [{ "fileId": file }] } }).to_string().into_bytes();
        client.send("PUT", "/v0/site", Some(body)).await
    };
    let refused = [("invalid_value".to_owned(), "brand.bodyFontFiles.0.fileId".to_owned())];
    assert_eq!(put(&text).await.issues(), refused);
    let refused = [("unknown_reference".to_owned(), "brand.bodyFontFiles.0.fileId".to_owned())];
    assert_eq!(put("file_1").await.issues(), refused);
    let site = put(&sans).await.expect(200).json();
    assert_eq!(site["brand"]["bodyFontFiles"][0]["fileId"], json!(sans));
    assert_eq!(client.get("/v0/site").await.expect(200).json(), site);
    let made = client.get("/v0/brands").await.expect(200).json()["items"][0].clone();
    assert_eq!(made["fonts"][0]["family"], json!("Proof Sans"));
    published(&app, json!({})).await;
    let html = shown(&visitor(&app, "acme.localhost")).await;
    assert!(preloaded(&html).starts_with("/files/"), "{html}");
}

#[tokio::test]
async fn a_repeated_request_is_answered_again_whatever_became_of_the_font() {
    let app = TestApp::start().await;
    let client = app.client();
    let sans = upload(&client, "s.woff2", SANS).await;
    let body = brand(&json!({ "bodyFontFiles": [{ "fileId": sans }] }));
    let repeating = client.with("idempotency-key", "k");
    let first = repeating.post("/v0/brands", &body).await.expect(201);
    client.delete(&path(&first.json())).await.expect(200);
    client.delete(&format!("/v0/files/{sans}")).await.expect(200);
    let again = repeating.post("/v0/brands", &body).await.expect(201);
    assert_eq!((again.bytes.clone(), again.header("idempotent-replayed")), (first.bytes, Some("true")));
}

#[tokio::test]
async fn a_font_costs_its_process_alone() {
    let read = async |program: &str, bytes: &[u8]| {
        let reader = FontReader::like(&DocumentReader::new(program.into()));
        reader.read(bytes.to_vec()).await
    };
    let program = env!("CARGO_BIN_EXE_pagesmith");
    assert_eq!(read(program, SANS).await.unwrap().family, "Proof Sans");
    // One that says that it unpacks to less than its tables do: to more than there is memory.
    let mut hostile = SANS.to_vec();
    let tables = 48..120;
    hostile[tables].fill(0xff);
    read(program, &hostile).await.unwrap_err();
    assert_eq!(read("/bin/echo", SANS).await.unwrap_err(), "The font could not be understood.");
    let nowhere = read("/nowhere/pagesmith", SANS).await;
    assert_eq!(nowhere.unwrap_err(), "The process that reads fonts could not be started.");
}
