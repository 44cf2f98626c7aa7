//! A deleted block leaves its links to the pages that used it.

use pagesmith_testkit::{TestApp, fixtures};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{entry, footer, id, list, make, navigation, page_path, page_with, path};
use crate::property;

#[tokio::test]
async fn its_links_become_the_pages_own_and_the_pages_are_named() {
    let app = TestApp::start().await;
    let client = app.client();
    let (nav, legal) = (make(&client, &navigation("Main")).await, make(&client, &footer("Legal")).await);
    let both = page_with(&client, "Both", &nav, &legal).await;
    let one = page_with(&client, "One", &nav, &Value::Null).await;
    let none = page_with(&client, "None", &Value::Null, &legal).await;
    app.advance(std::time::Duration::from_secs(5));
    let deleted = client.delete(&path(&nav)).await.expect(200).json();
    assert_eq!(deleted, json!({ "success": true, "updatedPageIds": [both["pageId"], one["pageId"]] }));
    for page in [&both, &one] {
        let mut expected = page.clone();
        expected["navLinkBlockId"] = Value::Null;
        let now = client.get(&page_path(page)).await.expect(200).json();
        expected["updatedAt"] = now["updatedAt"].clone();
        assert_eq!(now, expected);
        assert_ne!(now["updatedAt"], page["updatedAt"]);
    }
    assert_eq!(client.get(&page_path(&none)).await.expect(200).json(), none);
    assert_eq!(list(&client, "/v0/page_link_blocks").await, [legal]);
    client.get(&path(&nav)).await.expect(404);
    for answer in
        [client.patch(&path(&nav), &json!({ "name": "Back" })).await, client.delete(&path(&nav)).await]
    {
        answer.expect(404);
    }
    // The links are the page's to change now.
    let own = json!({ "navLinks": [entry("Own")] });
    let changed = client.patch(&page_path(&one), &own).await.expect(200).json();
    assert_eq!(changed["navLinks"], own["navLinks"]);
}

#[tokio::test]
async fn a_deleted_page_gets_the_links_and_is_not_named() {
    let app = TestApp::start().await;
    let client = app.client();
    let nav = make(&client, &navigation("Main")).await;
    let kept = page_with(&client, "Kept", &nav, &Value::Null).await;
    let archived = page_with(&client, "Archived", &nav, &Value::Null).await;
    let removed = page_with(&client, "Removed", &nav, &Value::Null).await;
    client.post(&format!("{}/archive", page_path(&archived)), &json!({})).await.expect(200);
    client.delete(&page_path(&removed)).await.expect(200);
    let deleted = client.delete(&path(&nav)).await.expect(200).json();
    assert_eq!(deleted["updatedPageIds"], json!([kept["pageId"], archived["pageId"]]));
    let back = client.post(&format!("{}/restore", page_path(&removed)), &json!({})).await.expect(200).json();
    assert_eq!((&back["navLinkBlockId"], &back["navLinks"]), (&Value::Null, &nav["links"]));
}

#[tokio::test]
async fn a_repeated_request_makes_one_block() {
    let app = TestApp::start().await;
    let client = app.client().with("idempotency-key", "once");
    let first = make(&client, &navigation("Main")).await;
    assert_eq!(make(&client, &navigation("Main")).await, first);
    assert_eq!(list(&app.client(), "/v0/page_link_blocks").await.len(), 1);
}

/// What is done to three blocks of the navigation and three pages, by their places.
#[derive(Debug, Clone)]
enum Step {
    Make,
    Rename(usize),
    Relink(usize, u8),
    Delete(usize),
    /// Gives a page a block, or none.
    Name(usize, Option<usize>),
    /// Gives a page links of its own.
    Own(usize, u8),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        2 => Just(Step::Make),
        1 => (0..3_usize).prop_map(Step::Rename),
        3 => (0..3_usize, 0..4_u8).prop_map(|(at, text)| Step::Relink(at, text)),
        2 => (0..3_usize).prop_map(Step::Delete),
        4 => (0..3_usize, prop::option::weighted(0.8, 0..3_usize)).prop_map(|(page, at)| Step::Name(page, at)),
        2 => (0..3_usize, 0..4_u8).prop_map(|(page, text)| Step::Own(page, text)),
    ]
}

/// A page as the model knows it.
#[derive(Debug, Clone)]
struct Modelled {
    path: String,
    own: Value,
    block: Option<String>,
}

/// The links of a text.
fn links(text: u8) -> Value {
    json!([entry(&format!("Link {text}"))])
}

#[test]
fn pages_show_what_a_simple_model_says_after_any_steps() {
    property::holds(16, &prop::collection::vec(step(), 1..24), async |case, steps| {
        let client = &case.client;
        let mut pages = Vec::new();
        for name in ["One", "Two", "Three"] {
            let made = client.post("/v0/pages", &fixtures::page(name)).await.expect(201).json();
            pages.push(Modelled { path: page_path(&made), own: json!([]), block: None });
        }
        let mut blocks: Vec<(String, Value)> = Vec::new();
        for step in steps {
            match step {
                Step::Make => {
                    let made = make(client, &navigation("New")).await;
                    blocks.push((id(&made).to_owned(), made["links"].clone()));
                }
                Step::Rename(at) if at < blocks.len() => {
                    let path = format!("/v0/page_link_blocks/{}", blocks[at].0);
                    client.patch(&path, &json!({ "name": "Other" })).await.expect(200);
                }
                Step::Relink(at, text) if at < blocks.len() => {
                    let path = format!("/v0/page_link_blocks/{}", blocks[at].0);
                    client.patch(&path, &json!({ "links": links(text) })).await.expect(200);
                    blocks[at].1 = links(text);
                }
                Step::Delete(at) if at < blocks.len() => {
                    let (block, shared) = blocks.remove(at);
                    let path = format!("/v0/page_link_blocks/{block}");
                    let answer = client.delete(&path).await.expect(200).json();
                    let mut named = 0;
                    for page in pages.iter_mut().filter(|page| page.block.as_ref() == Some(&block)) {
                        (page.own, page.block) = (shared.clone(), None);
                        named += 1;
                    }
                    assert_eq!(answer["updatedPageIds"].as_array().unwrap().len(), named);
                }
                Step::Name(page, at) if at.is_none_or(|at| at < blocks.len()) => {
                    let block = at.map(|at| blocks[at].0.clone());
                    client.patch(&pages[page].path, &json!({ "navLinkBlockId": block })).await.expect(200);
                    pages[page].block = block;
                }
                Step::Own(page, text) => {
                    client.patch(&pages[page].path, &json!({ "navLinks": links(text) })).await.expect(200);
                    pages[page].own = links(text);
                }
                // Of a block that is not there.
                Step::Rename(_) | Step::Relink(..) | Step::Delete(_) | Step::Name(..) => {}
            }
            for page in &pages {
                let shown = client.get(&page.path).await.expect(200).json();
                let shared = blocks.iter().find(|(block, _)| Some(block) == page.block.as_ref());
                assert_eq!(&shown["navLinks"], shared.map_or(&page.own, |(_, links)| links));
                assert_eq!(shown["navLinkBlockId"], json!(page.block));
            }
        }
    });
}
