//! Single fields: types, bounds and forms, each refused at its own place.

use serde_json::{Value, json};

use super::{Bench, without};

const OF_ANY_TYPE: [&str; 7] = ["null", "true", "1", "1e999", "\"\"", "[]", "{}"];

/// The JSON of that text, numbers spelled as they are.
fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// Gives the field a value of every type but those it takes.
async fn takes_only(bench: &Bench, pointer: &str, taken: &[&str]) {
    let path = pointer[1..].replace('/', ".");
    let path: &'static str = path.leak();
    for text in OF_ANY_TYPE {
        let kind = match text {
            "null" => "null",
            "true" => "boolean",
            "1" | "1e999" => "number",
            "\"\"" => "string",
            "[]" => "array",
            _ => "object",
        };
        if !taken.contains(&kind) {
            bench.refuses_changed(pointer, value(text), &[("invalid_type", path)]).await;
        }
    }
}

#[tokio::test]
async fn a_value_of_a_wrong_type_is_refused_at_its_place() {
    let bench = Bench::start().await;
    let texts = [
        "/name",
        "/pageContext",
        "/brandId",
        "/headerActionId",
        "/actions/0/actionId",
        "/actions/0/purpose",
        "/actions/0/buttonTitle",
        "/actions/0/actionType",
        "/actions/0/url",
        "/actions/1/formId",
        "/actions/1/formInstructions",
        "/actions/2/copyText",
        "/actions/3/url",
        "/scripts/0/name",
        "/scripts/0/content",
        "/scripts/0/description",
        "/actionCardWidgets/0/type",
        "/actionCardWidgets/2/title",
        "/footerLinks/0/title",
        "/footerLinks/0/links/1/id",
        "/footerLinks/0/links/0/text",
        "/footerLinks/0/links/0/url",
        "/navLinks/0/text",
        "/navLinks/1/title",
        "/navLinks/1/links/0/url",
        "/navLinks/2/text",
        "/metadata/title",
        "/metadata/keywords/0",
        "/metadata/robots/0",
        "/metadata/ogImage/fileId",
    ];
    for pointer in texts {
        takes_only(&bench, pointer, &["string"]).await;
    }
    for pointer in [
        "/actionCardWidgets/0/title",
        "/actionCardWidgets/1/video/youtubeUrl",
        "/actionCardWidgets/0/logos/0/image/altText",
    ] {
        takes_only(&bench, pointer, &["string", "null"]).await;
    }
    for pointer in [
        "/actions",
        "/actionCardWidgets",
        "/scripts",
        "/footerLinks",
        "/navLinks",
        "/metadata/keywords",
        "/actionCardWidgets/0/logos",
        "/navLinks/1/links",
    ] {
        takes_only(&bench, pointer, &["array"]).await;
    }
    for pointer in [
        "/actions/0",
        "/actionCardWidgets/0",
        "/scripts/0",
        "/footerLinks/0",
        "/navLinks/0",
        "/metadata",
        "/metadata/ogImage",
        "/actionCardWidgets/0/logos/0/image",
        "/actionCardWidgets/1/video",
        "/navLinks/1/links/0",
    ] {
        takes_only(&bench, pointer, &["object"]).await;
    }
    for pointer in ["/scripts/0/enabled", "/actionCardWidgets/1/video/autoplay"] {
        takes_only(&bench, pointer, &["boolean"]).await;
    }
}

#[tokio::test]
async fn a_missing_field_is_named() {
    let bench = Bench::start().await;
    let required = [
        "/actions",
        "/actionCardWidgets",
        "/brandId",
        "/name",
        "/pageContext",
        "/scripts",
        "/actions/0/url",
        "/actions/0/purpose",
        "/actions/0/buttonTitle",
        "/actions/1/formId",
        "/actions/2/copyText",
        "/actions/3/actionType",
        "/actionCardWidgets/0/type",
        "/actionCardWidgets/0/logos",
        "/actionCardWidgets/0/logos/0/image",
        "/actionCardWidgets/1/video",
        "/scripts/0/name",
        "/scripts/1/content",
        "/footerLinks/0/title",
        "/footerLinks/0/links",
        "/footerLinks/0/links/0/text",
        "/navLinks/0/type",
        "/navLinks/0/url",
        "/navLinks/1/title",
        "/navLinks/1/links/0/text",
        "/metadata/ogImage/type",
        "/metadata/ogImage/fileId",
    ];
    for pointer in required {
        let answer = bench.app.client().post("/v0/pages", &without(pointer)).await;
        let path = pointer[1..].replace('/', ".");
        super::assert_issues(answer, &[("required", path.leak())], pointer);
    }
    bench.unchanged().await;
    for pointer in [
        "/pageType",
        "/headerActionId",
        "/footerLinks",
        "/navLinks",
        "/metadata",
        "/scripts/0/enabled",
        "/scripts/0/injectionPoint",
        "/scripts/0/description",
    ] {
        bench.app.client().post("/v0/pages", &without(pointer)).await.expect(201);
    }
}

#[tokio::test]
async fn a_field_that_only_answers_carry_is_unknown() {
    let bench = Bench::start().await;
    for field in [
        "pageId",
        "title",
        "status",
        "flags",
        "audiencesCount",
        "createdAt",
        "updatedAt",
        "archivedAt",
        "deletedAt",
    ] {
        bench.refuses_changed(&format!("/{field}"), json!("x"), &[("unrecognized_key", field)]).await;
    }
    for field in ["ogImageUrl", "ogImageFileId", "twitterImageUrl", "twitterImageFileId"] {
        let path = format!("metadata.{field}");
        bench
            .refuses_changed(&format!("/metadata/{field}"), json!("x"), &[("unrecognized_key", path.leak())])
            .await;
    }
    for (at, path) in [
        (0, "actions.0.actionIndex"),
        (1, "actions.1.actionIndex"),
        (2, "actions.2.actionIndex"),
        (3, "actions.3.actionIndex"),
    ] {
        bench
            .refuses_changed(&format!("/actions/{at}/actionIndex"), json!(at), &[("unrecognized_key", path)])
            .await;
    }
}

#[tokio::test]
async fn an_unknown_field_is_named_at_every_depth() {
    let bench = Bench::start().await;
    let parents = [
        "",
        "/actions/0",
        "/actions/1",
        "/actions/2",
        "/actions/3",
        "/actionCardWidgets/0",
        "/actionCardWidgets/0/logos/0",
        "/actionCardWidgets/0/logos/0/image",
        "/actionCardWidgets/1",
        "/actionCardWidgets/1/video",
        "/actionCardWidgets/2",
        "/scripts/0",
        "/footerLinks/0",
        "/footerLinks/0/links/0",
        "/navLinks/0",
        "/navLinks/1",
        "/navLinks/1/links/0",
        "/navLinks/2",
        "/metadata",
        "/metadata/ogImage",
    ];
    for parent in parents {
        for name in ["__proto__", "Name", "ünknown field", ""] {
            let path = format!("{parent}/{name}")[1..].replace('/', ".");
            bench
                .refuses_changed(&format!("{parent}/{name}"), json!(1), &[("unrecognized_key", path.leak())])
                .await;
        }
    }
    // A field of one variant is unknown to the others.
    for (pointer, path) in [
        ("/actions/0/formId", "actions.0.formId"),
        ("/actions/1/url", "actions.1.url"),
        ("/actions/2/formInstructions", "actions.2.formInstructions"),
        ("/actions/3/copyText", "actions.3.copyText"),
        ("/actionCardWidgets/0/video", "actionCardWidgets.0.video"),
        ("/actionCardWidgets/1/logos", "actionCardWidgets.1.logos"),
        ("/navLinks/0/links", "navLinks.0.links"),
        ("/navLinks/1/url", "navLinks.1.url"),
    ] {
        bench.refuses_changed(pointer, json!("x"), &[("unrecognized_key", path)]).await;
    }
}

#[tokio::test]
async fn texts_have_their_bounds() {
    let bench = Bench::start().await;
    for (pointer, path) in [
        ("/name", "name"),
        ("/pageContext", "pageContext"),
        ("/actions/0/actionId", "actions.0.actionId"),
        ("/actions/1/formId", "actions.1.formId"),
        ("/scripts/0/name", "scripts.0.name"),
        ("/actions/3/actionType", "actions.3.actionType"),
        ("/navLinks/2/type", "navLinks.2.type"),
        ("/actionCardWidgets/2/type", "actionCardWidgets.2.type"),
    ] {
        bench.refuses_changed(pointer, json!(""), &[("too_short", path)]).await;
    }
    for (pointer, path, most) in [
        ("/scripts/0/name", "scripts.0.name", 100),
        ("/scripts/0/description", "scripts.0.description", 500),
        ("/scripts/0/content", "scripts.0.content", 50_000),
        ("/metadata/title", "metadata.title", 1_000),
        ("/metadata/description", "metadata.description", 1_000),
        ("/metadata/themeColor", "metadata.themeColor", 1_000),
        ("/metadata/twitterCreator", "metadata.twitterCreator", 1_000),
    ] {
        // Characters are counted, not bytes.
        let text = "ü".repeat(most);
        let page = bench.takes_changed(pointer, json!(text)).await;
        bench
            .app
            .client()
            .delete(&format!("/v0/pages/{}", page["pageId"].as_str().unwrap()))
            .await
            .expect(200);
        bench.refuses_changed(pointer, json!("ü".repeat(most + 1)), &[("too_long", path)]).await;
    }
}

#[tokio::test]
async fn closed_sets_and_forms_are_enforced() {
    let bench = Bench::start().await;
    for (pointer, path) in [
        ("/pageType", "pageType"),
        ("/scripts/0/injectionPoint", "scripts.0.injectionPoint"),
        ("/metadata/ogType", "metadata.ogType"),
        ("/metadata/twitterCard", "metadata.twitterCard"),
        ("/metadata/ogImage/type", "metadata.ogImage.type"),
    ] {
        for text in ["", "unknown", "Inbound", "inbound "] {
            bench.refuses_changed(pointer, json!(text), &[("invalid_value", path)]).await;
        }
    }
    for (pointer, path) in [
        ("/actions/0/url", "actions.0.url"),
        ("/metadata/canonicalUrl", "metadata.canonicalUrl"),
        ("/metadata/ogUrl", "metadata.ogUrl"),
    ] {
        for text in
            ["", "acme.example", "/demo", "//acme.example", "https://acme.example/a b", "http://[", "://x"]
        {
            bench.refuses_changed(pointer, json!(text), &[("invalid_format", path)]).await;
        }
    }
    for text in ["", "noIndex", "no index", "max:50:1", "max-snippet:", ":50", "noindex,follow"] {
        bench
            .refuses_changed("/metadata/robots/0", json!(text), &[("invalid_format", "metadata.robots.0")])
            .await;
    }
}

#[tokio::test]
async fn a_known_type_brings_its_own_rules() {
    let bench = Bench::start().await;
    // The same object under another type: its fields are judged by that type alone.
    bench
        .refuses_changed(
            "/actions/0/actionType",
            json!("form"),
            &[("required", "actions.0.formId"), ("unrecognized_key", "actions.0.url")],
        )
        .await;
    bench
        .refuses_changed(
            "/actions/2/actionType",
            json!("open-url"),
            &[("required", "actions.2.url"), ("unrecognized_key", "actions.2.copyText")],
        )
        .await;
    bench
        .refuses_changed(
            "/navLinks/0/type",
            json!("group"),
            &[
                ("required", "navLinks.0.links"),
                ("required", "navLinks.0.title"),
                ("unrecognized_key", "navLinks.0.text"),
                ("unrecognized_key", "navLinks.0.url"),
            ],
        )
        .await;
    bench
        .refuses_changed(
            "/actionCardWidgets/1/type",
            json!("marquee"),
            &[("required", "actionCardWidgets.1.logos"), ("unrecognized_key", "actionCardWidgets.1.video")],
        )
        .await;
    // An unknown type keeps what the specification lists.
    let page = bench.takes_changed("/actions/0/actionType", json!("Open-URL")).await;
    assert_eq!(page["actions"][0]["url"], "https://acme.example/demo?x=1");
}

#[tokio::test]
async fn references_within_the_page_are_checked() {
    let bench = Bench::start().await;
    bench
        .refuses_changed("/headerActionId", json!("nothing"), &[("unknown_reference", "headerActionId")])
        .await;
    bench
        .refuses_changed("/actions/3/actionId", json!("book"), &[("duplicate_value", "actions.3.actionId")])
        .await;
    for field in ["footerLinkBlockId", "navLinkBlockId"] {
        bench.refuses_changed(&format!("/{field}"), json!("block_1"), &[("unknown_reference", field)]).await;
    }
    let patch = bench
        .app
        .client()
        .patch(&bench.page, &json!({ "headerActionId": "nothing", "navLinkBlockId": "x" }))
        .await;
    super::assert_issues(
        patch,
        &[("unknown_reference", "navLinkBlockId"), ("unknown_reference", "headerActionId")],
        "a patch",
    );
    bench.unchanged().await;
}

#[tokio::test]
async fn an_address_on_the_web_has_a_host_and_a_port_that_there_is() {
    let bench = Bench::start().await;
    let client = bench.app.client();
    let page = client.get(&bench.page).await.expect(200).json()["pageId"].clone();
    let audience = crate::audiences::audience(&client, &bench.page, &json!({})).await;
    let topic = client.post("/v0/topics", &json!({ "title": "Prices" })).await.expect(201).json();
    let entries = format!("/v0/topics/{}/entries", topic["topicId"].as_str().unwrap());
    let action =
        |url: &str| json!([{ "purpose": "", "buttonTitle": "", "actionType": "open-url", "url": url }]);
    let entry = |url: &str, icon: &str| json!({ "content": { "type": "url", "url": url, "name": null, "icon": icon, "aiSummary": null } });
    let good = "https://acme.example/";
    for wrong in [
        "http://",
        "https://",
        "http:///x",
        "http:x",
        "https://acme.example:99999/",
        "https://:80/",
        "https://user@/",
        "https://acme.example:x/",
        "HTTPS://",
        "https://?q",
        "https://[::1/",
        "https://1.2.3.400/",
    ] {
        let route = json!([{ "targetUrl": wrong, "weight": 1 }]);
        let target = json!({ "targetType": "page_routing", "pageId": page, "routingTable": route });
        for (method, path, body, place) in [
            ("PATCH", bench.page.as_str(), json!({ "actions": action(wrong) }), "actions.0.url"),
            ("PATCH", &bench.page, json!({ "metadata": { "canonicalUrl": wrong } }), "metadata.canonicalUrl"),
            ("PATCH", &bench.page, json!({ "metadata": { "ogUrl": wrong } }), "metadata.ogUrl"),
            ("PATCH", &audience, json!({ "actionUrlOverride": wrong }), "actionUrlOverride"),
            ("POST", &entries, entry(wrong, good), "content.url"),
            ("POST", &entries, entry(good, wrong), "content.icon"),
            (
                "POST",
                "/v0/page_links",
                json!({ "path": "/split", "target": target }),
                "target.routingTable.0.targetUrl",
            ),
        ] {
            let answer = client.send(method, path, Some(body.to_string().into_bytes())).await.expect(400);
            assert_eq!(answer.issues(), [("invalid_format".to_owned(), place.to_owned())], "{wrong}");
        }
    }
    for taken in [
        "http://acme.example",
        "https://acme.example:65535/a?b#c",
        "https://user@acme.example/",
        "https://[::1]:8080/",
        "HTTP://ACME.example",
        "mailto:jane@acme.example",
        "tel:+4915112345678",
        "https://xn--mller-kva.example/%C3%A4",
    ] {
        let body = json!({ "actions": action(taken) });
        assert_eq!(client.patch(&bench.page, &body).await.expect(200).json()["actions"][0]["url"], taken);
    }
}

#[tokio::test]
async fn a_value_of_another_type_is_told_once() {
    let bench = Bench::start().await;
    let audiences = format!("{}/audiences", bench.page);
    let hook = |events: Value| json!({ "url": "https://acme.example/hook", "events": events });
    for (path, body, issues) in [
        (
            "/v0/webhook_subscriptions",
            hook(json!([1, "page.version.created", null])),
            vec!["events.0", "events.2"],
        ),
        (audiences.as_str(), json!({ "publishBehavior": null }), vec!["publishBehavior"]),
        (&audiences, json!({ "publishBehavior": 1 }), vec!["publishBehavior"]),
    ] {
        let issues: Vec<_> = issues.into_iter().map(|place| ("invalid_type", place)).collect();
        super::assert_issues(bench.app.client().post(path, &body).await, &issues, path);
    }
    let answer = bench.app.client().patch(&bench.page, &json!({ "pageType": 1 })).await;
    super::assert_issues(answer, &[("invalid_type", "pageType")], "pageType");
}
