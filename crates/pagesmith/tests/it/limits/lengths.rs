//! How long texts and lists may be, and what is a name.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use pagesmith_testkit::database::execute_at;
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
    // They have it when they are written as well; whatever else a payload says is its sender's own.
    for (path, mut body) in [
        ("/v0/person_logs", json!({ "email": "a@acme.com", "source": "crm" })),
        ("/v0/account_logs", json!({ "domain": "acme.com", "source": "crm" })),
    ] {
        body["payload"] = json!({ "text": "x", "more": "ü".repeat(200_001) });
        takes_up_to(&client, path, &body, "/payload/text", 200_000).await;
        for other in [json!(7), json!({ "text": "ü".repeat(200_001) }), json!(null), json!("")] {
            body["payload"]["text"] = other;
            client.post(path, &body).await.expect(201);
        }
    }
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

/// Texts in which nothing can be seen.
const BLANKS: [&str; 5] = [" ", "\t \n", "\u{a0}\u{3000}", "\u{200b}", "\u{2060}\u{feff}\u{ad}"];

/// A body is refused because of one text, in which nothing can be seen.
async fn is_blank_at(client: &Client, method: &str, path: &str, body: &Value, field: &str) {
    let issues = client.send(method, path, Some(body.to_string().into_bytes())).await.issues();
    assert_eq!(issues, [("invalid_format".to_owned(), field.to_owned())], "{method} {path} {body}");
}

/// The paths of an audience whose version was cancelled, and of that version's content.
async fn unwritten(client: &Client, page: &Value) -> [String; 2] {
    let made = client.post("/v0/pages", page).await.expect(201).json();
    let audiences = format!("/v0/pages/{}/audiences", made["pageId"].as_str().unwrap());
    let made = client.post(&audiences, &json!({})).await.expect(201).json();
    let audience = format!("{audiences}/{}", made["audienceId"].as_str().unwrap());
    let version = format!("{audience}/versions/{}", made["latestVersion"]["versionId"].as_str().unwrap());
    client.post(&format!("{version}/cancel"), &json!({})).await.expect(200);
    [audience, format!("{version}/content")]
}

#[tokio::test]
async fn a_name_that_nobody_can_see_is_none() {
    let app = TestApp::start().await;
    let client = app.client();
    let [audience, content] = unwritten(&client, &fixtures::full_page()).await;
    let audiences = audience.rsplit_once('/').unwrap().0;
    let page = audiences.rsplit_once('/').unwrap().0;
    let script = |name: &str| changed(fixtures::full_page(), "/scripts/0/name", json!(name));
    let field = |label: &str| json!({ "key": "a", "kind": "text", "label": label });
    let asset = |name: &str| json!({ "assetType": "video", "name": name, "youtubeUrl": "https://youtu.be/aqz-KE-bpKQ" });
    let made = |path: &'static str, body: Value, id: &'static str| {
        let client = client.clone();
        async move {
            let made = client.post(path, &body).await;
            assert!(made.status.is_success(), "{path}: {}", made.text());
            format!("{path}/{}", made.json()[id].as_str().unwrap())
        }
    };
    let topic = made("/v0/topics", json!({ "title": "a" }), "topicId").await;
    let brand = made("/v0/brands", json!({ "name": "a" }), "brandId").await;
    let video = made("/v0/assets", asset("a"), "assetId").await;
    let form = made("/v0/forms", json!({ "name": "a", "fields": [field("a")] }), "formId").await;
    let block = json!({ "kind": "footer", "name": "a", "links": [] });
    let block = made("/v0/page_link_blocks", block, "linkBlockId").await;
    for blank in BLANKS {
        for (method, path, body, field) in [
            ("POST", "/v0/pages", fixtures::page(blank), "name"),
            ("PATCH", page, json!({ "name": blank }), "name"),
            ("POST", "/v0/pages", script(blank), "scripts.0.name"),
            ("POST", audiences, json!({ "customName": blank }), "customName"),
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
            ("POST", "/v0/topics", json!({ "title": blank }), "title"),
            ("PATCH", &topic, json!({ "title": blank }), "title"),
            ("POST", "/v0/brands", json!({ "name": blank }), "name"),
            ("PATCH", &brand, json!({ "name": blank }), "name"),
            ("POST", "/v0/assets", asset(blank), "name"),
            ("PATCH", &video, json!({ "name": blank }), "name"),
            ("POST", "/v0/forms", json!({ "name": blank, "fields": [field("a")] }), "name"),
            ("POST", "/v0/forms", json!({ "name": "a", "fields": [field(blank)] }), "fields.0.label"),
            ("PATCH", &form, json!({ "name": blank }), "name"),
            ("POST", "/v0/page_link_blocks", json!({ "kind": "footer", "name": blank, "links": [] }), "name"),
            ("PATCH", &block, json!({ "name": blank, "links": [] }), "name"),
            ("POST", "/v0/keys", json!({ "name": blank, "scope": "read" }), "name"),
        ] {
            is_blank_at(&client, method, path, &body, field).await;
        }
        for pointer in [
            "/head/siteName",
            "/blocks/0/plans/0/name",
            "/blocks/1/name",
            "/blocks/2/names/0",
            "/blocks/3/testimonials/0/author",
        ] {
            let body = changed(NAMED.clone(), pointer, json!(blank));
            is_blank_at(&client, "PUT", &content, &body, &pointer[1..].replace('/', ".")).await;
        }
    }
    client.send("PUT", &content, Some(NAMED.to_string().into_bytes())).await.expect(200);
    for name in [" Spring ", "\u{200b}x", "李", "🦀", "\u{202e}שלום"] {
        let shown = client.patch(page, &json!({ "name": name })).await.expect(200).json();
        assert_eq!(shown["name"], name);
    }
}

/// A content with every name that one can have.
static NAMED: LazyLock<Value> = LazyLock::new(|| {
    json!({ "head": { "siteName": "a" }, "blocks": [
        { "type": "price-cards", "plans": [{ "name": "b" }] },
        { "type": "custom", "name": "c", "html": "<p>Hello</p>" },
        { "type": "logo-marquee", "names": ["d"] },
        { "type": "testimonial-carousel", "testimonials": [{ "quote": "Good.", "author": "e" }] },
    ] })
});

/// A content with every title that one can have.
static TITLED: LazyLock<Value> = LazyLock::new(|| {
    let text = |title: &str| json!({ "title": title, "markdown": "Text." });
    json!({ "head": { "title": "a" }, "blocks": [
        { "type": "hero", "title": "b" },
        { "type": "text", "title": "c", "markdown": "Text." },
        { "type": "video", "title": "d", "url": "https://example.com/a.mp4" },
        { "type": "table", "title": "e", "columns": ["a"], "rows": [["b"]] },
        { "type": "feature-cards", "title": "f", "cards": [{ "title": "g" }, { "title": "h" }] },
        { "type": "frame", "title": "i", "markdown": "Text." },
        { "type": "frame-list", "title": "j", "frames": [text("k")] },
        { "type": "testimonial-carousel", "title": "l", "testimonials": [{ "quote": "Good.", "author": "m" }] },
        { "type": "call-to-action", "title": "n" },
        { "type": "stats-cards", "title": "o", "stats": [{ "value": "1", "label": "a" }, { "value": "2", "label": "b" }] },
        { "type": "logo-marquee", "title": "p", "names": ["a"] },
        { "type": "steps", "title": "q", "steps": [{ "title": "r" }, { "title": "s" }] },
        { "type": "comparison", "title": "t", "columns": [
            { "title": "u", "points": ["x"] }, { "title": "v", "points": ["y"] } ] },
        { "type": "price-cards", "title": "w", "plans": [{ "name": "a" }] },
    ] })
});

/// The places of all titles below a value.
fn titles(value: &Value, place: &str, found: &mut Vec<String>) {
    let below: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), value)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(at, item)| (at.to_string(), item)).collect(),
        _ => Vec::new(),
    };
    for (name, value) in below {
        let place = format!("{place}/{name}");
        titles(value, &place, found);
        found.extend((name == "title").then_some(place));
    }
}

#[tokio::test]
async fn a_title_can_be_seen_or_where_the_contract_lets_it_is_empty() {
    let app = TestApp::start().await;
    let client = app.client();
    let [audience, content] = unwritten(&client, &fixtures::full_page()).await;
    let page = audience.rsplit_once("/audiences").unwrap().0;
    let form = json!({ "name": "a", "fields": [{ "key": "a", "kind": "text", "label": "a" }] });
    let given = json!({ "metadataOverride": {} });
    let metadata = json!({ "metadata": fixtures::full_page()["metadata"] });
    let mut cases = vec![
        ("PATCH", page, &metadata, "/metadata/title"),
        ("POST", "/v0/forms", &form, "/title"),
        ("POST", "/v0/forms", &form, "/submitLabel"),
        ("PATCH", &audience, &given, "/metadataOverride/title"),
        ("PATCH", &audience, &given, "/metadataOverride/ogTitle"),
    ];
    let full = fixtures::full_page();
    for pointer in [
        "/actions/0/buttonTitle",
        "/actions/1/buttonTitle",
        "/actions/2/buttonTitle",
        "/actions/3/buttonTitle",
        "/actionCardWidgets/0/title",
        "/actionCardWidgets/1/video/title",
        "/actionCardWidgets/2/title",
        "/footerLinks/0/title",
        "/navLinks/1/title",
        "/metadata/title",
        "/metadata/author",
        "/metadata/ogTitle",
        "/metadata/ogSiteName",
        "/metadata/twitterTitle",
    ] {
        cases.push(("POST", "/v0/pages", &full, pointer));
    }
    for (method, path, body, pointer) in cases {
        let empty = changed(body.clone(), pointer, json!("")).to_string().into_bytes();
        let answer = client.send(method, path, Some(empty)).await;
        assert!(answer.status.is_success(), "{pointer}: {}", answer.text());
        for blank in BLANKS {
            let body = changed(body.clone(), pointer, json!(blank));
            is_blank_at(&client, method, path, &body, &pointer[1..].replace('/', ".")).await;
        }
    }
    // What is no title may say nothing.
    let described = changed(metadata.clone(), "/metadata/description", json!(" "));
    client.patch(page, &described).await.expect(200);
    client.send("PUT", &content, Some(TITLED.to_string().into_bytes())).await.expect(200);
    let mut places = Vec::new();
    titles(&TITLED, "", &mut places);
    assert_eq!(places.len(), 22);
    for pointer in places {
        for blank in BLANKS {
            let body = changed(TITLED.clone(), &pointer, json!(blank));
            is_blank_at(&client, "PUT", &content, &body, &pointer[1..].replace('/', ".")).await;
        }
    }
}

#[tokio::test]
async fn a_blank_title_from_before_is_served_and_what_stands_beside_it_can_be_edited() {
    let app = TestApp::start().await;
    let client = app.client();
    let [audience, content] = unwritten(&client, &fixtures::page("Old")).await;
    let block = |title: &str, text: &str| json!({ "format": 1, "head": {}, "blocks": [{ "type": "text", "blockId": "b", "title": title, "markdown": text }] });
    client.send("PUT", &content, Some(block("Seen", "Plans.").to_string().into_bytes())).await.expect(200);
    let planted = format!("UPDATE version_contents SET content = '{}'", block(" ", "Plans."));
    execute_at(&app.database.address, &planted).await;
    let shown = async || client.get(&content).await.expect(200).json()["blocks"][0].clone();
    assert_eq!(shown().await, block(" ", "Plans.")["blocks"][0]);
    let edits = format!("{audience}/messages/edits");
    let set = |field: &str, from: &str, to: &str| json!({ "operations": [{ "operation": "set", "blockId": "b", "path": field, "from": from, "to": to }] });
    client.post(&edits, &set("/markdown", "Plans.", "Forecasts.")).await.expect(200);
    assert_eq!(shown().await, block(" ", "Forecasts.")["blocks"][0]);
    is_blank_at(&client, "POST", &edits, &set("/title", " ", "\t"), "operations.0.to").await;
    client.post(&edits, &set("/title", " ", "Seen")).await.expect(200);
    is_blank_at(&client, "POST", &edits, &set("/title", "Seen", " "), "operations.0.to").await;
    client.post(&format!("{}/publish", content.trim_end_matches("/content")), &json!({})).await.expect(200);
}
