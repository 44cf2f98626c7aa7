//! Widgets, scripts, links and metadata of a page: what is taken, what is made, what is left out.

use pagesmith_testkit::{TestApp, fixtures};
use serde_json::{Value, json};

use super::{make, read, with};

async fn made_with(app: &TestApp, fields: Value) -> Value {
    make(&app.client(), &with(fixtures::page("Page"), fields)).await
}

async fn issues_of(app: &TestApp, fields: Value) -> Vec<(String, String)> {
    app.client().post("/v0/pages", &with(fixtures::page("Page"), fields)).await.issues()
}

#[tokio::test]
async fn widgets_are_given_their_defaults() {
    let app = TestApp::start().await;
    let sent = json!([
        { "type": "video", "video": {} },
        { "type": "video", "video": { "title": "T", "youtubeUrl": "u", "autoplay": true, "loop": true, "controls": false, "muted": false } },
        { "type": "marquee", "logos": [{ "image": {} }, { "image": { "altText": "", "url": "", "fileId": "", "assetId": "" } }] },
        { "type": "marquee", "title": "T", "logos": [{ "image": { "altText": "A", "url": "u", "fileId": "f", "assetId": "a" } }] },
    ]);
    let made = made_with(&app, json!({ "actionCardWidgets": sent })).await;
    let none = json!({ "altText": null, "url": null, "fileId": null, "assetId": null });
    let empty = json!({ "altText": "", "url": "", "fileId": null, "assetId": null });
    let video = json!({ "title": null, "youtubeUrl": null, "autoplay": false, "loop": false, "controls": true, "muted": null });
    assert_eq!(
        made["actionCardWidgets"],
        json!([
            { "type": "video", "video": video },
            sent[1],
            { "type": "marquee", "title": null, "logos": [{ "image": none }, { "image": empty }] },
            sent[3],
        ])
    );
}

#[tokio::test]
async fn known_types_of_widgets_are_checked_strictly() {
    let app = TestApp::start().await;
    for (widget, code, path) in [
        (json!({ "type": "marquee" }), "required", "logos"),
        (json!({ "type": "marquee", "logos": [{}] }), "required", "logos.0.image"),
        (
            json!({ "type": "marquee", "logos": [{ "image": { "src": "" } }] }),
            "unrecognized_key",
            "logos.0.image.src",
        ),
        (json!({ "type": "marquee", "logos": [], "video": {} }), "unrecognized_key", "video"),
        (json!({ "type": "video" }), "required", "video"),
        (json!({ "type": "video", "video": { "muted": "no" } }), "invalid_type", "video.muted"),
        (json!({ "title": "T" }), "required", "type"),
        (json!({ "type": "" }), "too_short", "type"),
    ] {
        let issues = issues_of(&app, json!({ "actionCardWidgets": [widget] })).await;
        assert_eq!(issues, [(code.to_owned(), format!("actionCardWidgets.0.{path}"))], "{widget}");
    }
}

#[tokio::test]
async fn a_widget_of_another_type_comes_back_as_sent() {
    let app = TestApp::start().await;
    let image = json!({ "altText": "A", "url": "u", "fileId": "f", "assetId": "a" });
    let sent = json!([
        { "type": "sparkles" },
        { "type": "Video", "title": "T" },
        { "type": "grid", "title": "", "logos": [{ "image": image }] },
    ]);
    let made = made_with(&app, json!({ "actionCardWidgets": sent })).await;
    assert_eq!(made["actionCardWidgets"], sent);
}

#[tokio::test]
async fn scripts_are_given_their_defaults() {
    let app = TestApp::start().await;
    let sent = json!([
        { "name": "A", "content": "" },
        { "name": "B", "content": "<script>1</script>", "enabled": false, "description": "", "injectionPoint": "head" },
        { "name": "C", "content": "", "injectionPoint": "body-start" },
    ]);
    let made = made_with(&app, json!({ "scripts": sent })).await;
    assert_eq!(
        made["scripts"],
        json!([
            { "name": "A", "content": "", "enabled": true, "injectionPoint": "body-end" },
            sent[1],
            { "name": "C", "content": "", "enabled": true, "injectionPoint": "body-start" },
        ])
    );
    let wrong = json!([{ "name": "", "content": "x".repeat(50_001), "injectionPoint": "foot" }, { "name": "n".repeat(101) }]);
    let mut issues = issues_of(&app, json!({ "scripts": wrong })).await;
    issues.sort();
    let expected = [
        ("invalid_value", "scripts.0.injectionPoint"),
        ("required", "scripts.1.content"),
        ("too_long", "scripts.0.content"),
        ("too_long", "scripts.1.name"),
        ("too_short", "scripts.0.name"),
    ];
    assert_eq!(issues, expected.map(|(code, path)| (code.to_owned(), path.to_owned())));
}

#[tokio::test]
async fn missing_ids_of_links_are_made_and_given_ones_kept() {
    let app = TestApp::start().await;
    let link = json!({ "text": "Home", "url": "/" });
    let named = json!({ "id": "home", "text": "Home", "url": "/" });
    let made = made_with(
        &app,
        json!({
            "footerLinks": [{ "title": "F", "links": [link, named] }, { "id": "f2", "title": "F", "links": [] }],
            "navLinks": [
                { "type": "link", "text": "Home", "url": "/" },
                { "type": "link", "id": "n", "text": "Home", "url": "/" },
                { "type": "group", "title": "G", "links": [link, named] },
                { "type": "search" },
            ],
        }),
    )
    .await;
    let (footer, nav) = (&made["footerLinks"], &made["navLinks"]);
    assert_eq!(footer[0]["links"][1], named);
    assert_eq!(footer[1], json!({ "id": "f2", "title": "F", "links": [] }));
    assert_eq!(nav[1], json!({ "type": "link", "id": "n", "text": "Home", "url": "/" }));
    assert_eq!(nav[2]["links"][1], named);
    let minted = [&footer[0], &footer[0]["links"][0], &nav[0], &nav[2], &nav[2]["links"][0], &nav[3]]
        .map(|one| one["id"].as_str().unwrap());
    for (at, id) in minted.iter().enumerate() {
        assert!(id.starts_with("pagelink_") && id.len() == 35, "{id}");
        assert!(!minted[..at].contains(id), "{id} was made twice");
    }
    assert_eq!(read(&app.client(), &made).await, made);
}

#[tokio::test]
async fn known_types_of_navigation_are_checked_strictly_and_others_come_back_as_sent() {
    let app = TestApp::start().await;
    for (entry, code, path) in [
        (json!({ "type": "link", "url": "/" }), "required", "text"),
        (json!({ "type": "link", "text": "T", "url": "/", "links": [] }), "unrecognized_key", "links"),
        (json!({ "type": "group", "links": [] }), "required", "title"),
        (json!({ "type": "group", "title": "G", "links": [{ "text": "T" }] }), "required", "links.0.url"),
        (json!({ "text": "T", "url": "/" }), "required", "type"),
        (json!({ "type": "" }), "too_short", "type"),
        (json!({ "type": "search", "title": "T" }), "unrecognized_key", "title"),
    ] {
        let issues = issues_of(&app, json!({ "navLinks": [entry] })).await;
        assert_eq!(issues, [(code.to_owned(), format!("navLinks.0.{path}"))], "{entry}");
    }
    let sent = json!([{ "type": "search", "id": "s" }, { "type": "LINK", "id": "l", "text": "", "url": "javascript:1" }]);
    assert_eq!(made_with(&app, json!({ "navLinks": sent })).await["navLinks"], sent);
}

#[tokio::test]
async fn a_link_block_that_is_not_there_is_refused_and_none_is_fine() {
    let app = TestApp::start().await;
    let unknown =
        json!({ "footerLinkBlockId": "linkblock_01h2xcejqtf2nbrexx3vqjhp41", "navLinkBlockId": "" });
    let mut issues = issues_of(&app, unknown).await;
    issues.sort();
    let expected = ["footerLinkBlockId", "navLinkBlockId"];
    assert_eq!(issues, expected.map(|path| ("unknown_reference".to_owned(), path.to_owned())));
    let none = made_with(&app, json!({ "footerLinkBlockId": null, "navLinkBlockId": null })).await;
    assert_eq!((&none["footerLinkBlockId"], &none["navLinkBlockId"]), (&Value::Null, &Value::Null));
    let absent = made_with(&app, json!({})).await;
    assert_eq!((&absent["footerLinkBlockId"], &absent["navLinkBlockId"]), (&Value::Null, &Value::Null));
    assert_eq!((&absent["footerLinks"], &absent["navLinks"]), (&json!([]), &json!([])));
}

#[tokio::test]
async fn metadata_that_was_not_given_is_left_out() {
    let app = TestApp::start().await;
    assert_eq!(made_with(&app, json!({})).await.get("metadata"), None);
    assert_eq!(made_with(&app, json!({ "metadata": {} })).await["metadata"], json!({}));
    let sent = json!({ "description": "", "keywords": [], "ogType": "profile", "twitterCard": "app" });
    assert_eq!(made_with(&app, json!({ "metadata": sent })).await["metadata"], sent);
}

#[tokio::test]
async fn the_short_bounds_of_metadata_are_advice() {
    let app = TestApp::start().await;
    let texts = [
        "title",
        "description",
        "author",
        "ogTitle",
        "ogDescription",
        "ogImageAlt",
        "ogSiteName",
        "twitterTitle",
        "twitterDescription",
        "twitterImageAlt",
        "twitterSite",
        "twitterCreator",
        "themeColor",
    ];
    // Characters are counted, not bytes.
    let long: serde_json::Map<String, Value> =
        texts.iter().map(|field| ((*field).to_owned(), "ü".repeat(1_000).into())).collect();
    assert_eq!(made_with(&app, json!({ "metadata": long })).await["metadata"], json!(long));
    for field in texts {
        let issues = issues_of(&app, json!({ "metadata": { field: "ü".repeat(1_001) } })).await;
        assert_eq!(issues, [("too_long".to_owned(), format!("metadata.{field}"))]);
    }
}

#[tokio::test]
async fn robots_are_words_with_perhaps_a_value() {
    let app = TestApp::start().await;
    let sent = json!(["noindex", "max-snippet:50", "unavailable-after:2026-12-31", "no-such-thing"]);
    let made = made_with(&app, json!({ "metadata": { "robots": sent } })).await;
    assert_eq!(made["metadata"]["robots"], sent);
    for wrong in ["", "NoIndex", "max-snippet:", "a:b:c", "no index", "noindex\n"] {
        let issues = issues_of(&app, json!({ "metadata": { "robots": ["noindex", wrong] } })).await;
        assert_eq!(issues, [("invalid_format".to_owned(), "metadata.robots.1".to_owned())], "{wrong:?}");
    }
}

#[tokio::test]
async fn addresses_and_enumerations_of_metadata_are_checked() {
    let app = TestApp::start().await;
    let wrong = json!({ "canonicalUrl": "/here", "ogUrl": "acme.example", "ogType": "video", "twitterCard": "big", "unknown": 1 });
    let mut issues = issues_of(&app, json!({ "metadata": wrong })).await;
    issues.sort();
    let expected = [
        ("invalid_format", "metadata.canonicalUrl"),
        ("invalid_format", "metadata.ogUrl"),
        ("invalid_value", "metadata.ogType"),
        ("invalid_value", "metadata.twitterCard"),
        ("unrecognized_key", "metadata.unknown"),
    ];
    assert_eq!(issues, expected.map(|(code, path)| (code.to_owned(), path.to_owned())));
}

#[tokio::test]
async fn references_to_files_and_forms_are_stored_unchecked() {
    let app = TestApp::start().await;
    let made = made_with(
        &app,
        json!({
            "actions": [{ "actionType": "form", "purpose": "", "buttonTitle": "", "formId": "no such form" }],
            "metadata": {
                "ogImage": { "type": "file", "fileId": "no such file" },
                "twitterImage": { "type": "file", "fileId": "" },
            },
        }),
    )
    .await;
    assert_eq!(made["actions"][0]["formId"], "no such form");
    assert_eq!(made["metadata"], json!({ "ogImageFileId": "no such file", "twitterImageFileId": "" }));
    let issues =
        issues_of(&app, json!({ "metadata": { "ogImage": { "type": "url", "fileId": "f" } } })).await;
    assert_eq!(issues, [("invalid_value".to_owned(), "metadata.ogImage.type".to_owned())]);
}

#[tokio::test]
async fn every_issue_is_told_at_once() {
    let app = TestApp::start().await;
    let mut body = with(
        fixtures::full_page(),
        json!({ "name": 1, "pageType": "x", "extra": true, "metadata": { "robots": ["A"], "title": 1 } }),
    );
    body["actions"][0]["url"] = "nowhere".into();
    body["navLinks"][1]["links"][0]["text"] = Value::Null;
    body.as_object_mut().unwrap().remove("brandId");
    let mut paths: Vec<String> =
        app.client().post("/v0/pages", &body).await.issues().into_iter().map(|(_, path)| path).collect();
    paths.sort();
    assert_eq!(
        paths,
        [
            "actions.0.url",
            "brandId",
            "extra",
            "metadata.robots.0",
            "metadata.title",
            "name",
            "navLinks.1.links.0.text",
            "pageType"
        ]
    );
}
