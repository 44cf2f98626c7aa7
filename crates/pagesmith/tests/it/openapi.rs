//! The interface's description: current, labelled, and in agreement with the contract.

mod allowed;
mod examples;
mod facts;
mod texts;

use std::collections::BTreeSet;

use pagesmith_testkit::TestApp;
use pagesmith_testkit::contract::CONTRACT;
use serde_json::Value;

use facts::Comparison;

use pagesmith_testkit::samples::SAMPLES;

/// The document as it is checked in.
fn checked_in() -> Value {
    serde_json::from_str(include_str!("../../../../api/openapi.json")).unwrap()
}

/// What a local reference points to; anything else is itself.
fn resolved<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    match value.get("$ref").and_then(Value::as_str) {
        Some(reference) => document.pointer(reference.trim_start_matches('#')).unwrap(),
        None => value,
    }
}

/// Every operation with its method and path, and every event with its type.
fn operations_of(document: &Value) -> Vec<(String, &Value)> {
    let mut found = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            found.push((format!("{} {path}", method.to_uppercase()), operation));
        }
    }
    for (kind, methods) in document["webhooks"].as_object().unwrap() {
        found.push((kind.clone(), &methods["post"]));
    }
    found
}

#[test]
fn the_checked_in_document_is_what_the_program_prints() {
    let checked_in = checked_in();
    let base_url = checked_in["servers"][0]["url"].as_str().unwrap();
    let generated = pagesmith_http::openapi::document(base_url);
    assert!(checked_in == generated, "api/openapi.json is not up to date: run `cargo x gen`");
}

#[test]
fn the_interface_is_labelled_as_the_specification_says() {
    let document = checked_in();
    assert_eq!(document["openapi"], "3.1.0");
    assert_eq!(document["info"]["version"], "0.0.1");
    assert_eq!(document["security"], CONTRACT["security"]);
    assert_eq!(
        document["components"]["securitySchemes"]["apiKey"]["name"],
        CONTRACT["components"]["securitySchemes"]["apiKey"]["name"]
    );
}

#[tokio::test]
async fn the_server_shows_the_same_document_for_its_own_address() {
    let app = TestApp::start().await;
    let mut shown = app.anonymous().get("/openapi.json").await.expect(200).json();
    assert_eq!(shown["servers"][0]["url"], "http://pagesmith.test");
    let mut checked_in = checked_in();
    checked_in["servers"] = Value::Null;
    shown["servers"] = Value::Null;
    assert!(shown == checked_in, "the server shows another document than api/openapi.json");
}

/// The operations of a group, by their ids.
fn operations(document: &Value, group: &str) -> BTreeSet<String> {
    let paths = document["paths"].as_object().unwrap().values();
    let all = paths.flat_map(|methods| methods.as_object().unwrap().values());
    let of_group = all.filter(|operation| operation["tags"][0] == group);
    of_group.map(|operation| operation["operationId"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn every_operation_of_a_group_is_implemented() {
    for (group, count) in SAMPLES.iter().flat_map(|sample| sample.groups) {
        let promised = operations(&CONTRACT, group);
        assert_eq!(promised.len(), *count, "{group}");
        // A group may have operations of our own beside them.
        assert!(operations(&checked_in(), group).is_superset(&promised), "{group}");
    }
}

#[test]
fn the_description_differs_from_the_contract_only_where_the_decisions_say_so() {
    let document = checked_in();
    let found = Comparison::new(&CONTRACT, &document).differences();
    let problems = allowed::problems(&found);
    assert!(problems.is_empty(), "{problems:#?}");
}
