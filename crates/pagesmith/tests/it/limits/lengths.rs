//! How long texts and lists may be, and what is a name.

use std::collections::BTreeSet;

use pagesmith_testkit::{Client, TestApp, fixtures};
use serde_json::{Value, json};

/// A body with the value at the pointer replaced or, beyond an object, added.
fn changed(mut body: Value, pointer: &str, value: Value) -> Value {
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    match body.pointer_mut(parent).unwrap() {
        Value::Array(items) => items[name.parse::<usize>().unwrap()] = value,
        object => object[name] = value,
    }
    body
}

/// A text of so many characters is taken and one of one more refused.
async fn takes_up_to(client: &Client, path: &str, body: &Value, pointer: &str, most: usize) {
    // Characters are counted, not bytes.
    let text = |length| changed(body.clone(), pointer, Value::String("ü".repeat(length)));
    let answer = client.post(path, &text(most)).await;
    assert!(answer.status.is_success(), "{pointer}: {}", answer.text());
    let issues = client.post(path, &text(most + 1)).await.issues();
    assert_eq!(issues, [("too_long".to_owned(), pointer[1..].replace('/', "."))], "{path}");
}

#[tokio::test]
async fn every_text_of_a_page_has_a_longest_length() {
    let app = TestApp::start().await;
    for (pointer, most) in [
        ("/name", 1_000),
        ("/pageContext", 200_000),
        ("/brandId", 10_000),
        ("/actions/3/actionId", 10_000),
        ("/actions/0/purpose", 10_000),
        ("/actions/0/buttonTitle", 1_000),
        ("/actions/1/formId", 10_000),
        ("/actions/1/formInstructions", 10_000),
        ("/actions/2/copyText", 10_000),
        ("/actions/3/actionType", 10_000),
        ("/actions/3/url", 10_000),
        ("/actionCardWidgets/0/title", 1_000),
        ("/actionCardWidgets/0/logos/0/image/altText", 10_000),
        ("/actionCardWidgets/0/logos/0/image/url", 10_000),
        ("/actionCardWidgets/0/logos/0/image/fileId", 10_000),
        ("/actionCardWidgets/1/video/youtubeUrl", 10_000),
        ("/actionCardWidgets/2/type", 10_000),
        ("/footerLinks/0/title", 1_000),
        ("/footerLinks/0/links/1/id", 10_000),
        ("/footerLinks/0/links/0/text", 10_000),
        ("/footerLinks/0/links/0/url", 10_000),
        ("/navLinks/0/text", 10_000),
        ("/navLinks/1/title", 1_000),
        ("/navLinks/2/type", 10_000),
        ("/metadata/keywords/0", 10_000),
        ("/metadata/author", 1_000),
        ("/metadata/ogImage/fileId", 10_000),
    ] {
        takes_up_to(&app.client(), "/v0/pages", &fixtures::full_page(), pointer, most).await;
    }
    let url = |length: usize| format!("https://acme.example/{}", "x".repeat(length - 21));
    let page = |length| changed(fixtures::full_page(), "/actions/0/url", json!(url(length)));
    app.client().post("/v0/pages", &page(10_000)).await.expect(201);
    let issues = app.client().post("/v0/pages", &page(10_001)).await.issues();
    assert_eq!(issues, [("too_long".to_owned(), "actions.0.url".to_owned())]);
}

#[tokio::test]
async fn every_text_of_other_things_has_a_longest_length() {
    let app = TestApp::start().await;
    let client = app.client();
    let made = client.post("/v0/pages", &fixtures::page("Page")).await.expect(201).json();
    let page = format!("/v0/pages/{}", made["pageId"].as_str().unwrap());
    let audiences = format!("{page}/audiences");
    for (pointer, most) in [
        ("/customName", 1_000),
        ("/supplementaryContext", 200_000),
        ("/actionFormIdOverride", 10_000),
        ("/actionFormInstructionsOverride", 10_000),
        ("/metadataOverride/title", 1_000),
    ] {
        let body = json!({ "metadataOverride": {} });
        takes_up_to(&client, &audiences, &body, pointer, most).await;
    }
    takes_up_to(&client, "/v0/persons", &json!({ "name": "" }), "/name", 255).await;
    takes_up_to(&client, "/v0/accounts", &json!({ "domain": "acme.com" }), "/name", 255).await;
    // Changes have the same bounds, and notes one of their own.
    let name = json!({ "name": "x".repeat(1_001) });
    assert_eq!(client.patch(&page, &name).await.issues()[0].0, "too_long");
    let note = json!({ "email": "a@acme.com", "source": "crm", "payload": { "text": "x" } });
    let note = client.post("/v0/person_logs", &note).await.expect(201).json();
    let id = |name: &str| note[name].as_str().unwrap().to_owned();
    let note = format!("/v0/persons/{}/logs/{}", id("personId"), id("personLogId"));
    client.patch(&note, &json!({ "text": "ü".repeat(200_000) })).await.expect(200);
    let issues = client.patch(&note, &json!({ "text": "ü".repeat(200_001) })).await.issues();
    assert_eq!(issues, [("too_long".to_owned(), "text".to_owned())]);
}

/// The texts and lists below a schema that have no bound, by their places.
fn unbounded(document: &Value, schema: &Value, place: &str, seen: &mut BTreeSet<String>) -> Vec<String> {
    if let Some(name) = schema["$ref"].as_str() {
        if !seen.insert(name.to_owned()) {
            return vec![];
        }
        let of = name.trim_start_matches('#');
        return unbounded(document, document.pointer(of).unwrap(), name, seen);
    }
    let mut found = Vec::new();
    let is = |name: &str| match &schema["type"] {
        Value::Array(names) => names.iter().any(|one| one == name),
        one => one == name,
    };
    let has = |bounds: &[&str]| bounds.iter().any(|bound| schema.get(bound).is_some());
    // A date has a longest text, and so has a pattern without endless repetition.
    let repeats = |pattern: &str| pattern.replace("\\+", "").contains(['*', '+']);
    let is_endless = |pattern: &str| repeats(pattern) || !pattern.ends_with('$');
    let has_pattern = schema["pattern"].as_str().is_some_and(|pattern| !is_endless(pattern));
    let has_format = schema["format"].as_str().is_some_and(|format| ["date-time", "date"].contains(&format));
    if is("string") && !has(&["maxLength", "enum", "const"]) && !has_pattern && !has_format {
        found.push(place.to_owned());
    }
    if is("array") && !has(&["maxItems"]) {
        found.push(format!("{place}[]"));
    }
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        found.extend(unbounded(document, schema, &format!("{place}.{name}"), seen));
    }
    for list in ["anyOf", "oneOf", "allOf"] {
        for schema in schema[list].as_array().into_iter().flatten() {
            found.extend(unbounded(document, schema, place, seen));
        }
    }
    if schema["items"].is_object() {
        found.extend(unbounded(document, &schema["items"], &format!("{place}[]"), seen));
    }
    found
}

#[tokio::test]
async fn every_text_and_list_of_a_request_has_a_bound() {
    let app = TestApp::start().await;
    let document = app.anonymous().get("/openapi.json").await.expect(200).json();
    let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
    for operation in
        document["paths"].as_object().unwrap().values().flat_map(|path| path.as_object().unwrap())
    {
        let schema = &operation.1["requestBody"]["content"]["application/json"]["schema"];
        let id = operation.1["operationId"].as_str().unwrap_or_default();
        found.extend(unbounded(&document, schema, id, &mut seen));
    }
    assert!(seen.len() > 40, "{}", seen.len());
    assert_eq!(found, [""; 0]);
}

#[tokio::test]
async fn lists_have_a_thousand_items_at_most() {
    let app = TestApp::start().await;
    let page = fixtures::full_page();
    for (pointer, item) in [
        ("/actions", json!({ "actionType": "open-chat" })),
        ("/actionCardWidgets", json!({ "type": "sparkles" })),
        ("/scripts", json!({ "name": "a", "content": "" })),
        ("/footerLinks", json!({ "title": "", "links": [] })),
        ("/footerLinks/0/links", json!({ "text": "", "url": "" })),
        ("/navLinks", json!({ "type": "search" })),
        ("/metadata/keywords", json!("k")),
        ("/metadata/robots", json!("noindex")),
        ("/actionCardWidgets/0/logos", json!({ "image": {} })),
    ] {
        let mut page = page.clone();
        page.as_object_mut().unwrap().remove("headerActionId");
        let body = |count: usize| changed(page.clone(), pointer, json!(vec![item.clone(); count]));
        app.client().post("/v0/pages", &body(1_000)).await.expect(201);
        let issues = app.client().post("/v0/pages", &body(1_001)).await.issues();
        assert_eq!(issues, [("too_long".to_owned(), pointer[1..].replace('/', "."))]);
    }
}

#[tokio::test]
async fn a_name_that_nobody_can_see_is_none() {
    let app = TestApp::start().await;
    let client = app.client();
    let made = client.post("/v0/pages", &fixtures::full_page()).await.expect(201).json();
    let page = format!("/v0/pages/{}", made["pageId"].as_str().unwrap());
    let audience = client.post(&format!("{page}/audiences"), &json!({})).await.expect(201).json();
    let version = audience["latestVersion"]["versionId"].as_str().unwrap().to_owned();
    let audience = format!("{page}/audiences/{}", audience["audienceId"].as_str().unwrap());
    let script = |name: &str| changed(fixtures::full_page(), "/scripts/0/name", json!(name));
    let content = format!("{audience}/versions/{version}/content");
    client.post(&format!("{audience}/versions/{version}/cancel"), &json!({})).await.expect(200);
    let named = |name: &str, plan: &str, component: &str| {
        json!({ "head": { "siteName": name }, "blocks": [
            { "type": "price-cards", "plans": [{ "name": plan }] },
            { "type": "custom", "name": component, "html": "<p>Hello</p>" },
        ] })
    };
    client.send("PUT", &content, Some(named("a", "b", "c").to_string().into_bytes())).await.expect(200);
    for blank in [" ", "\t \n", "\u{a0}\u{3000}", "\u{200b}", "\u{2060}\u{feff}\u{ad}"] {
        for (method, path, body, field) in [
            ("POST", "/v0/pages", fixtures::page(blank), "name"),
            ("PATCH", page.as_str(), json!({ "name": blank }), "name"),
            ("POST", "/v0/pages", script(blank), "scripts.0.name"),
            ("POST", &format!("{page}/audiences"), json!({ "customName": blank }), "customName"),
            ("PATCH", &audience, json!({ "customName": blank }), "customName"),
            ("POST", "/v0/persons", json!({ "name": blank }), "name"),
            ("POST", "/v0/accounts", json!({ "domain": "acme.com", "name": blank }), "name"),
            (
                "POST",
                "/v0/person_logs",
                json!({ "email": "a@b.com", "source": "crm", "name": blank }),
                "name",
            ),
            (
                "POST",
                "/v0/account_logs",
                json!({ "domain": "b.com", "source": "crm", "name": blank }),
                "name",
            ),
            ("PUT", "/v0/site", json!({ "siteName": blank }), "siteName"),
            ("PUT", &content, named(blank, "b", "c"), "head.siteName"),
            ("PUT", &content, named("a", blank, "c"), "blocks.0.plans.0.name"),
            ("PUT", &content, named("a", "b", blank), "blocks.1.name"),
        ] {
            let answer = client.send(method, path, Some(body.to_string().into_bytes())).await;
            let issues = answer.issues();
            assert_eq!(
                issues,
                [("invalid_format".to_owned(), field.to_owned())],
                "{method} {path} {blank:?}"
            );
        }
    }
    for name in [" Spring ", "\u{200b}x", "李", "🦀", "\u{202e}שלום"] {
        let shown = client.patch(&page, &json!({ "name": name })).await.expect(200).json();
        assert_eq!(shown["name"], name);
    }
}
