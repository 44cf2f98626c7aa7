//! `POST /v0/pages`.
//!
//! What the types of parts (actions, widgets, links, metadata) take is in `create/`.

mod actions;
mod parts;

use pagesmith_testkit::{TestApp, fixtures};
use serde_json::{Value, json};

use super::{address, id, make, make_named, read, with};

#[tokio::test]
async fn a_page_comes_back_as_it_was_made() {
    let app = TestApp::start().await;
    let made = app.client().post("/v0/pages", &fixtures::full_page()).await.expect(201).json();
    let page_id = made["pageId"].as_str().unwrap();
    let read = app.client().get(&format!("/v0/pages/{page_id}")).await.expect(200).json();
    assert_eq!(read, made);
    insta::assert_snapshot!(format!("{made:#}"));
}

#[tokio::test]
async fn the_smallest_page_has_every_required_field_and_no_other() {
    let app = TestApp::start().await;
    let made = make_named(&app.client(), "Spring Launch").await;
    insta::assert_snapshot!(format!("{made:#}"));
}

#[tokio::test]
async fn each_field_of_the_smallest_page_must_be_there() {
    let app = TestApp::start().await;
    let smallest = fixtures::page("Spring Launch");
    for field in smallest.as_object().unwrap().keys() {
        let mut body = smallest.clone();
        body.as_object_mut().unwrap().remove(field);
        let issues = app.client().post("/v0/pages", &body).await.issues();
        assert_eq!(issues, [("required".to_owned(), field.clone())]);
    }
    let mut missing: Vec<String> =
        app.client().post("/v0/pages", &json!({})).await.issues().into_iter().map(|(_, path)| path).collect();
    missing.sort();
    assert_eq!(missing, ["actionCardWidgets", "actions", "brandId", "name", "pageContext", "scripts"]);
}

#[tokio::test]
async fn name_and_context_have_at_least_one_character_and_nothing_is_written_otherwise() {
    let app = TestApp::start().await;
    let body = with(fixtures::page(""), json!({ "pageContext": "" }));
    let mut issues = app.client().post("/v0/pages", &body).await.issues();
    issues.sort();
    assert_eq!(
        issues,
        [("too_short".to_owned(), "name".to_owned()), ("too_short".to_owned(), "pageContext".to_owned())]
    );
    assert_eq!(app.client().get("/v0/pages").await.expect(200).json()["totalCount"], 0);
}

#[tokio::test]
async fn the_title_is_that_of_the_metadata_else_the_name() {
    let app = TestApp::start().await;
    let named = make_named(&app.client(), "Spring Launch").await;
    assert_eq!(named["title"], "Spring Launch");
    let other_metadata = with(fixtures::page("Spring Launch"), json!({ "metadata": { "author": "Ann" } }));
    assert_eq!(make(&app.client(), &other_metadata).await["title"], "Spring Launch");
    let titled = with(fixtures::page("Spring Launch"), json!({ "metadata": { "title": "Anvils" } }));
    assert_eq!(make(&app.client(), &titled).await["title"], "Anvils");
}

#[tokio::test]
async fn any_text_is_a_brand() {
    let app = TestApp::start().await;
    for brand in ["", "acme", "brand_01h2xcejqtf2nbrexx3vqjhp41", " 🎨 \n"] {
        let made = make(&app.client(), &with(fixtures::page("Page"), json!({ "brandId": brand }))).await;
        assert_eq!(made["brandId"], brand);
    }
    let number = with(fixtures::page("Page"), json!({ "brandId": 7 }));
    let issues = app.client().post("/v0/pages", &number).await.issues();
    assert_eq!(issues, [("invalid_type".to_owned(), "brandId".to_owned())]);
}

#[tokio::test]
async fn the_type_is_inbound_unless_another_one_is_given() {
    let app = TestApp::start().await;
    assert_eq!(make_named(&app.client(), "Page").await["pageType"], "inbound");
    for kind in ["inbound", "outbound", "call_followup", "sales_deck", "custom"] {
        let made = make(&app.client(), &with(fixtures::page("Page"), json!({ "pageType": kind }))).await;
        assert_eq!(made["pageType"], kind);
    }
    let unknown = with(fixtures::page("Page"), json!({ "pageType": "Inbound" }));
    let issues = app.client().post("/v0/pages", &unknown).await.issues();
    assert_eq!(issues, [("invalid_value".to_owned(), "pageType".to_owned())]);
}

#[tokio::test]
async fn a_new_page_is_a_draft_without_audiences_and_flags() {
    let app = TestApp::start().await;
    let made = make(&app.client(), &fixtures::full_page()).await;
    assert_eq!(made["status"], "draft");
    assert_eq!(made["audiencesCount"], 0);
    assert_eq!(made["flags"], json!([]));
    assert_eq!(made["archivedAt"], Value::Null);
    assert_eq!(made["deletedAt"], Value::Null);
    assert_eq!(made["createdAt"], "2026-03-01T12:00:00.000Z");
    assert_eq!(made["updatedAt"], "2026-03-01T12:00:00.000Z");
    assert!(id(&made).starts_with("page_") && id(&made).len() == 31, "{}", id(&made));
}

#[tokio::test]
async fn what_only_answers_carry_is_refused() {
    let app = TestApp::start().await;
    let body = with(
        fixtures::page("Page"),
        json!({
            "pageId": "page_1", "title": "Title", "status": "draft", "flags": [], "audiencesCount": 0,
            "createdAt": "2026-03-01T12:00:00.000Z", "archivedAt": null, "slug": "mine",
            "actions": [{ "actionType": "copy-text", "purpose": "", "buttonTitle": "", "copyText": "", "actionIndex": 0 }],
            "metadata": { "ogImageUrl": "https://acme.example/1.png", "twitterImageFileId": "file_1" },
        }),
    );
    let mut issues = app.client().post("/v0/pages", &body).await.issues();
    issues.sort_by(|a, b| a.1.cmp(&b.1));
    let (codes, paths): (Vec<_>, Vec<_>) = issues.into_iter().unzip();
    assert!(codes.iter().all(|code| code == "unrecognized_key"), "{codes:?}");
    assert_eq!(
        paths,
        [
            "actions.0.actionIndex",
            "archivedAt",
            "audiencesCount",
            "createdAt",
            "flags",
            "metadata.ogImageUrl",
            "metadata.twitterImageFileId",
            "pageId",
            "slug",
            "status",
            "title"
        ]
    );
}

#[tokio::test]
async fn texts_are_kept_as_sent() {
    let app = TestApp::start().await;
    for text in [
        "  spaces \t\r\n",
        "e\u{301} and é",
        "🚀👩‍👩‍👧",
        "\u{202e}right to left",
        "\u{feff}behind a mark",
        "\\\"</script>\u{1}\u{7f}",
    ] {
        let body = with(
            fixtures::page(text),
            json!({
                "pageContext": text, "brandId": text,
                "metadata": { "title": text, "keywords": [text, text] },
                "scripts": [{ "name": text, "content": text, "description": text }],
                "footerLinks": [{ "id": text, "title": text, "links": [{ "id": text, "text": text, "url": text }] }],
            }),
        );
        let made = make(&app.client(), &body).await;
        assert_eq!(read(&app.client(), &made).await, made);
        assert_eq!(made["name"], text);
        assert_eq!(made["pageContext"], text);
        assert_eq!(made["brandId"], text);
        assert_eq!(made["title"], text);
        assert_eq!(made["metadata"], body["metadata"]);
        assert_eq!(made["footerLinks"], body["footerLinks"]);
        assert_eq!(made["scripts"][0]["content"], text);
    }
}

#[tokio::test]
async fn a_long_page_is_kept_whole() {
    let app = TestApp::start().await;
    let name = "n".repeat(1_000);
    let body = with(
        fixtures::page(&name),
        json!({
            "pageContext": "c".repeat(200_000),
            "scripts": (0..10).map(|at| json!({ "name": format!("s{at}"), "content": "x".repeat(50_000) })).collect::<Vec<_>>(),
        }),
    );
    let made = make(&app.client(), &body).await;
    assert_eq!(made["name"], name);
    assert_eq!(made["pageContext"], body["pageContext"]);
    assert_eq!(read(&app.client(), &made).await, made);
}

#[tokio::test]
async fn every_page_has_an_id_of_its_own_and_later_ones_sort_behind() {
    let app = TestApp::start().await;
    let mut before = String::new();
    for _ in 0..5 {
        let made = make_named(&app.client(), "Same").await;
        assert!(*id(&made) > *before, "{before} {}", id(&made));
        id(&made).clone_into(&mut before);
        app.client().get(&address(&made)).await.expect(200);
    }
}
