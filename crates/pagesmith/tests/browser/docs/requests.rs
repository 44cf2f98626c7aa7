//! The request that the page has ready for each operation, sent by its button.

use serde_json::{Value, json};

use super::Docs;
use crate::driver::Scheme;
use pagesmith_testkit::samples::owned::Owned;

/// An operation of the description.
pub(super) struct Documented<'a> {
    pub id: &'a str,
    pub method: &'a str,
    pub path: &'a str,
    pub entry: &'a Value,
}

impl Documented<'_> {
    /// The example of its body.
    pub fn body(&self) -> Option<&Value> {
        self.entry.pointer("/requestBody/content/application~1json/example")
    }

    /// Its body is a file and no JSON.
    pub fn takes_a_file(&self) -> bool {
        self.entry.pointer("/requestBody/content/application~1octet-stream").is_some()
    }
}

/// Every operation.
pub(super) fn operations(description: &Value) -> Vec<Documented<'_>> {
    let paths = description["paths"].as_object().unwrap().iter();
    let all = paths.flat_map(|(path, methods)| {
        methods.as_object().unwrap().iter().map(move |(method, entry)| {
            let id = entry["operationId"].as_str().unwrap();
            Documented { id, method, path, entry }
        })
    });
    all.collect()
}

/// Types into a field, as a visitor does.
fn typed(field: &str, text: &str) -> String {
    format!(
        "const field = document.querySelector({}); field.value = {};
         field.dispatchEvent(new Event('input', {{ bubbles: true }}))",
        json!(field),
        json!(text)
    )
}

/// Presses the button and waits for the answer.
const SENT: &str = "const done = arguments[0];
    const look = () => {
        const status = document.querySelector('.answer .status, .answer .failed');
        if (status) done(status.parentNode.textContent + document.querySelector('.answer .panel pre')?.textContent);
        else requestAnimationFrame(look);
    };
    document.querySelector('.try form button.primary').click();
    look()";

#[tokio::test]
async fn every_ready_made_request_gets_its_documented_success() {
    let docs = Docs::start().await;
    docs.browser.wear(1440, Scheme::Light).await;
    docs.load("").await;
    docs.browser.ask(&typed(".key-field", &docs.app.key)).await;
    let (description, client) = (docs.description().await, docs.app.client());
    let operations = operations(&description);
    let page = operations.iter().find(|operation| operation.id == "createPage").unwrap();
    let actions = json!({ "actions": page.body().unwrap()["actions"] });
    // What only reads leaves one of everything to the next.
    let mut left = None;
    for (number, operation) in operations.iter().enumerate() {
        let owned = Owned::left_or_made(&mut left, &client, number).await;
        // The example of a content names actions of the example of a page.
        let page = owned.fill("/v0/pages/{page_id}");
        client.patch(&page, &actions).await.expect(200);
        docs.go(operation.id).await;
        docs.browser.ask("document.querySelector('.try').open = true").await;
        let path = owned.fill(operation.path);
        for (name, id) in operation.path.split('/').zip(path.split('/')).filter(|(name, id)| name != id) {
            let field = format!("[name=\"path:{}\"]", name.trim_matches(['{', '}']));
            docs.browser.ask(&typed(&field, id)).await;
        }
        if operation.id == "mergePerson" {
            // Two of a kind: the page cannot know which of them is the other one.
            let other = json!({ "otherPersonId": owned.id("{other_person_id}"), "dryRun": true }).to_string();
            docs.browser.ask(&typed("[name=body]", &other)).await;
        }
        let answer = docs.browser.ask_later(SENT).await;
        let answer = answer.as_str().unwrap();
        let status = answer.split(' ').next().unwrap();
        assert!(status.starts_with('2'), "{}: {answer}", operation.id);
        assert!(operation.entry["responses"][status].is_object(), "{}: {answer}", operation.id);
        left = (operation.method == "get").then_some(owned);
    }
    // A browser reports refused requests on its console, so this says that there was none.
    assert_eq!(docs.browser.complaints().await, Vec::<String>::new());
}

#[tokio::test]
async fn an_answer_brings_the_ids_for_the_next_request() {
    let docs = Docs::start().await;
    docs.browser.wear(1440, Scheme::Light).await;
    docs.load("createPersonLog").await;
    docs.browser.ask("document.querySelector('.try').open = true").await;
    docs.browser.ask(&typed(".key-field", &docs.app.key)).await;
    docs.browser.ask_later(SENT).await;
    docs.go("updatePersonLog").await;
    let shown = "return [...document.querySelectorAll('[name^=\"path:\"]')].map((one) => one.value)";
    let shown = docs.browser.list(shown).await;
    let entry = docs.app.client().get(&format!("/v0/persons/{}/logs", shown[0])).await.expect(200).json();
    assert_eq!(entry["items"][0]["personLogId"], *shown[1]);
}

#[tokio::test]
async fn a_key_stays_in_its_tab() {
    let docs = Docs::start().await;
    docs.load("").await;
    docs.browser.ask(&typed(".key-field", &docs.app.key)).await;
    docs.load("listPages").await;
    let kept =
        "return [document.querySelector('.key-field').value, JSON.stringify(localStorage), document.cookie]";
    assert_eq!(docs.browser.ask(kept).await, json!([docs.app.key, "{}", ""]));
    // The samples name the variable that holds it instead.
    let samples = docs.browser.ask("return document.querySelector('.bench pre').textContent").await;
    assert!(!samples.as_str().unwrap().contains(&docs.app.key), "{samples}");
}
