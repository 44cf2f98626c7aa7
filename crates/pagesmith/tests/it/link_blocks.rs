//! `/v0/page_link_blocks`, and the pages that name a block.

mod deletion;
mod shown;

use pagesmith_model::link_block::MOST_LINK_BLOCKS;
use pagesmith_testkit::{Client, TestApp, fixtures};
use serde_json::{Value, json};

async fn make(client: &Client, body: &Value) -> Value {
    // The contract has 200 here.
    client.post("/v0/page_link_blocks", body).await.expect(200).json()
}

fn id(block: &Value) -> &str {
    block["linkBlockId"].as_str().unwrap()
}

fn path(block: &Value) -> String {
    format!("/v0/page_link_blocks/{}", id(block))
}

/// A navigation with one link of this text.
fn navigation(text: &str) -> Value {
    json!({ "kind": "navigation", "name": text, "links": [entry(text)] })
}

fn entry(text: &str) -> Value {
    json!({ "type": "link", "id": "one", "text": text, "url": "https://acme.example/pricing" })
}

/// A footer with one group of this title.
fn footer(title: &str) -> Value {
    json!({ "kind": "footer", "name": title, "links": [group(title)] })
}

fn group(title: &str) -> Value {
    let imprint = json!({ "id": "imprint", "text": "Imprint", "url": "https://acme.example/imprint" });
    json!({ "id": "legal", "title": title, "links": [imprint] })
}

/// A page that names these blocks.
async fn page_with(client: &Client, name: &str, nav: &Value, footer: &Value) -> Value {
    let mut body = fixtures::page(name);
    body["navLinkBlockId"] = nav["linkBlockId"].clone();
    body["footerLinkBlockId"] = footer["linkBlockId"].clone();
    client.post("/v0/pages", &body).await.expect(201).json()
}

fn page_path(page: &Value) -> String {
    format!("/v0/pages/{}", page["pageId"].as_str().unwrap())
}

async fn list(client: &Client, path: &str) -> Vec<Value> {
    client.get(path).await.expect(200).json()["items"].as_array().unwrap().clone()
}

#[tokio::test]
async fn a_block_comes_back_as_it_was_made_with_ids_for_its_links() {
    let app = TestApp::start().await;
    let client = app.client();
    let link = json!({ "text": "Preise", "url": "/preise" });
    let named = json!({ "id": "kept", "text": "Kontakt", "url": "/kontakt" });
    let made = make(
        &client,
        &json!({ "kind": "footer", "name": "Fußzeile", "links": [{ "title": "Firma", "links": [link, named] }] }),
    )
    .await;
    let links = &made["links"];
    assert!(id(&made).starts_with("linkblock_"));
    let expected = json!({
        "linkBlockId": made["linkBlockId"], "kind": "footer", "name": "Fußzeile",
        "links": [{ "id": links[0]["id"], "title": "Firma", "links": [
            { "id": links[0]["links"][0]["id"], "text": "Preise", "url": "/preise" }, named,
        ]}],
        "createdAt": made["createdAt"], "updatedAt": made["createdAt"], "deletedAt": null,
    });
    assert_eq!(made, expected);
    for id in [&links[0]["id"], &links[0]["links"][0]["id"]] {
        assert!(id.as_str().unwrap().starts_with("pagelink_"), "{id}");
    }
    assert_eq!(client.get(&path(&made)).await.expect(200).json(), made);
    assert_eq!(list(&client, "/v0/page_link_blocks").await, [made]);
}

#[tokio::test]
async fn blocks_are_listed_newest_first_and_by_kind() {
    let app = TestApp::start().await;
    let client = app.client();
    let mut made = Vec::new();
    for body in [navigation("Main"), footer("Legal"), navigation("Campaign")] {
        made.push(make(&client, &body).await);
    }
    made.reverse();
    let all = client.get("/v0/page_link_blocks").await.expect(200).json();
    assert_eq!(all, json!({ "items": made }));
    // The contract has no way to tell where a part of the list goes on.
    for query in ["limit=1", "limit=0", "limit=abc", "cursor=x"] {
        assert_eq!(client.get(&format!("/v0/page_link_blocks?{query}")).await.expect(200).json(), all);
    }
    for (kind, expected) in [("footer", vec![&made[1]]), ("navigation", vec![&made[0], &made[2]])] {
        let found = client.get(&format!("/v0/page_link_blocks?kind={kind}")).await.expect(200).json();
        assert_eq!(found, json!({ "items": expected }));
    }
    for query in ["kind=header", "kind=", "kind=Footer", "kind=footer&kind=footer"] {
        client.get(&format!("/v0/page_link_blocks?{query}")).await.expect(400);
    }
}

#[tokio::test]
async fn a_block_is_changed_field_by_field() {
    let app = TestApp::start().await;
    let client = app.client();
    let made = make(&client, &navigation("Main")).await;
    let path = path(&made);
    app.advance(std::time::Duration::from_secs(5));
    assert_eq!(client.patch(&path, &json!({})).await.expect(200).json(), made, "nothing was changed");
    assert_eq!(client.patch(&path, &json!({ "links": made["links"] })).await.expect(200).json(), made);
    let renamed = client.patch(&path, &json!({ "name": "Hauptmenü" })).await.expect(200).json();
    assert_eq!((&renamed["name"], &renamed["links"]), (&json!("Hauptmenü"), &made["links"]));
    assert_ne!(renamed["updatedAt"], made["updatedAt"]);
    let links = json!([{ "type": "group", "id": "g", "title": "Products", "links": [] }]);
    let changed = client.patch(&path, &json!({ "links": links })).await.expect(200).json();
    assert_eq!((&changed["name"], &changed["links"]), (&renamed["name"], &links));
    let emptied = client.patch(&path, &json!({ "links": [] })).await.expect(200).json();
    assert_eq!(emptied["links"], json!([]));
}

#[tokio::test]
async fn a_change_is_made_only_of_what_was_seen() {
    let app = TestApp::start().await;
    let client = app.client();
    let path = path(&make(&client, &navigation("Main")).await);
    let seen = client.get(&path).await.expect(200).header("etag").unwrap().to_owned();
    client.with("if-none-match", &seen).get(&path).await.expect(304);
    client.with("if-match", &seen).patch(&path, &json!({ "name": "Menu" })).await.expect(200);
    client.with("if-match", &seen).patch(&path, &json!({ "name": "Lost" })).await.expect(412);
    client.with("if-match", &seen).delete(&path).await.expect(412);
    assert_eq!(client.get(&path).await.expect(200).json()["name"], "Menu");
    let nowhere = "/v0/page_link_blocks/linkblock_00000000000000000000000000";
    client.with("if-match", &seen).delete(nowhere).await.expect(404);
}

#[tokio::test]
async fn bad_input_is_refused_and_changes_nothing() {
    let app = TestApp::start().await;
    let client = app.client();
    let (nav, legal) = (make(&client, &navigation("Main")).await, make(&client, &footer("Legal")).await);
    let before = list(&client, "/v0/page_link_blocks").await;
    let of = |kind: &str, links: Value| json!({ "kind": kind, "name": "New", "links": links });
    for (body, code, field) in [
        (json!({ "kind": "navigation", "links": [] }), "required", "name"),
        (json!({ "kind": "navigation", "name": "", "links": [] }), "too_short", "name"),
        (json!({ "kind": "header", "name": "New", "links": [] }), "invalid_value", "kind"),
        (json!({ "name": "New", "links": [] }), "required", "kind"),
        (json!({ "kind": "footer", "name": "New" }), "required", "links"),
        (of("footer", json!("none")), "invalid_type", "links"),
        (of("footer", json!([entry("Pricing")])), "invalid_value", "links"),
        (of("navigation", json!([group("Legal")])), "invalid_value", "links"),
        (of("navigation", json!([{ "type": "link", "url": "/" }])), "required", "links.0.text"),
        (
            of("footer", json!([{ "title": "Legal", "links": [{ "text": "T" }] }])),
            "required",
            "links.0.links.0.url",
        ),
        (of("navigation", json!(vec![entry(&"x".repeat(10_000)); 4])), "too_long", "links"),
    ] {
        let issues = client.post("/v0/page_link_blocks", &body).await.expect(400).issues();
        assert_eq!(issues, [(code.to_owned(), field.to_owned())], "{body}");
    }
    for (block, body, code, field) in [
        (&nav, json!({ "kind": "footer" }), "unrecognized_key", "kind"),
        (&nav, json!({ "name": null }), "invalid_type", "name"),
        (&nav, json!({ "links": [group("Legal")] }), "invalid_value", "links"),
        (&legal, json!({ "links": [entry("Pricing")] }), "invalid_value", "links"),
    ] {
        let issues = client.patch(&path(block), &body).await.expect(400).issues();
        assert_eq!(issues, [(code.to_owned(), field.to_owned())], "{body}");
    }
    assert_eq!(list(&client, "/v0/page_link_blocks").await, before);
}

#[tokio::test]
async fn a_tenant_may_have_so_many_blocks_and_the_list_has_them_all() {
    let app = TestApp::start().await;
    let client = app.client();
    for number in 0..MOST_LINK_BLOCKS {
        make(&client, &json!({ "kind": "footer", "name": number.to_string(), "links": [] })).await;
    }
    let refused = client.post("/v0/page_link_blocks", &navigation("One more")).await.expect(409).json();
    assert_eq!(refused["details"]["limit"], MOST_LINK_BLOCKS);
    let all = list(&client, "/v0/page_link_blocks").await;
    assert_eq!(all.len(), MOST_LINK_BLOCKS);
    // Neither another tenant is hindered, nor this one when a block is gone.
    make(&app.stranger().await, &navigation("Main")).await;
    client.delete(&path(&all[7])).await.expect(200);
    make(&client, &navigation("One more")).await;
}
