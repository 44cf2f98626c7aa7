//! The document's examples: what a request shows gets the documented answer, and what an answer shows fits its schema.

use axum::http::StatusCode;
use jsonschema::Registry;
use pagesmith_testkit::{Client, TestApp};
use serde_json::{Map, Value, json};

use super::{checked_in, operations_of, resolved};
use pagesmith_testkit::samples::owned::Owned;

/// An address for the document, so that it is read once for all schemas.
const ADDRESS: &str = "https://pagesmith.test/openapi.json";

fn registry(document: &Value) -> Registry<'_> {
    Registry::new().add(ADDRESS, document).unwrap().prepare().unwrap()
}

/// Why a value does not fit a schema of the document.
fn problems(document: &Registry<'_>, schema: &Value, value: &Value) -> Vec<String> {
    let schema = schema.to_string().replace("\"$ref\":\"#", &format!("\"$ref\":\"{ADDRESS}#"));
    let schema = serde_json::from_str(&schema).unwrap();
    let options = jsonschema::options().should_validate_formats(true).with_registry(document);
    let validator = options.build(&schema).unwrap();
    validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

/// Every content of the document that is JSON, with the place where it is.
fn contents(document: &Value) -> Vec<(String, &Value)> {
    let mut found = Vec::new();
    for (place, operation) in operations_of(document) {
        let body = operation.get("requestBody").map(|body| (place.clone(), body));
        let answers = operation["responses"].as_object().unwrap().iter();
        let answers =
            answers.map(|(status, answer)| (format!("{place} {status}"), resolved(document, answer)));
        for (place, holder) in body.into_iter().chain(answers) {
            found.extend(holder["content"].get("application/json").map(|content| (place, content)));
        }
    }
    found
}

#[test]
fn every_body_and_answer_has_an_example_that_fits_its_schema() {
    let document = checked_in();
    let registry = registry(&document);
    for (place, content) in contents(&document) {
        let problems = problems(&registry, &content["schema"], &content["example"]);
        assert!(problems.is_empty(), "the example of {place} does not fit its schema: {problems:#?}");
    }
}

#[test]
fn what_does_not_fit_a_schema_is_found() {
    let document = checked_in();
    let page = json!({ "$ref": "#/components/schemas/Page" });
    assert_ne!(problems(&registry(&document), &page, &json!({ "pageId": 1 })), Vec::<String>::new());
}

#[test]
fn every_schema_has_an_example_that_fits_it() {
    let document = checked_in();
    let registry = registry(&document);
    for name in document["components"]["schemas"].as_object().unwrap().keys() {
        let schema = json!({ "$ref": format!("#/components/schemas/{name}") });
        let examples = document["components"]["schemas"][name]["examples"].as_array();
        let examples = examples.unwrap_or_else(|| panic!("{name} has no example"));
        for example in examples {
            let problems = problems(&registry, &schema, example);
            assert!(problems.is_empty(), "the example of {name} does not fit it: {problems:#?}");
        }
    }
}

#[tokio::test]
async fn every_request_example_gets_the_documented_success() {
    let document = checked_in();
    let of_paths = document["paths"].as_object().unwrap().iter();
    let operations: Vec<(&String, &String, &Value)> = of_paths
        .flat_map(|(template, methods)| {
            methods.as_object().unwrap().iter().map(move |(method, operation)| (template, method, operation))
        })
        .collect();
    // A tenant may not have as many brands, forms and the like as there are operations.
    let page = example_of(&document["paths"]["/v0/pages"]["post"]);
    let actions = json!({ "actions": page["actions"] });
    // A tenant may not have as many brands, forms and the like as there are operations.
    for some in operations.chunks(100) {
        let app = TestApp::start().await;
        let mut left = None;
        for (number, (template, method, operation)) in some.iter().enumerate() {
            let owned = Owned::left_or_made(&mut left, &app.client(), number).await;
            // Contents name actions of their page.
            app.client().patch(&owned.fill("/v0/pages/{page_id}"), &actions).await.expect(200);
            gets_the_documented_success(&app.client(), &owned, (template, method), operation).await;
            left = (*method == "get").then_some(owned);
        }
    }
}

fn example_of(operation: &Value) -> Value {
    operation["requestBody"]["content"]["application/json"]["example"].clone()
}

async fn gets_the_documented_success(
    client: &Client,
    owned: &Owned,
    (template, method): (&str, &str),
    operation: &Value,
) {
    let body = operation.get("requestBody").map(|_| owned.in_place_of_examples(&example_of(operation)));
    let answer = client.send(&method.to_uppercase(), &owned.fill(template), body).await;
    let place = format!("{method} {template}");
    assert!(answer.status.is_success(), "{place} answered {}: {}", answer.status, answer.text());
    let documented = &operation["responses"][answer.status.as_str()];
    assert!(documented.is_object(), "{place} answered {}", answer.status);
    for name in documented["headers"].as_object().unwrap().keys() {
        let is_there = answer.header(name).is_some() || name == "Idempotent-Replayed";
        assert!(is_there, "{place} answered without {name}");
    }
}

/// The names of the headers that the component for a status has.
fn documented_headers(document: &Value, status: StatusCode) -> Map<String, Value> {
    let component = match status.as_u16() {
        304 => "NotModified",
        400 => "BadRequest",
        401 => "Unauthorized",
        404 => "NotFound",
        412 => "PreconditionFailed",
        status => panic!("no component is known for {status}"),
    };
    document["components"]["responses"][component]["headers"].as_object().unwrap().clone()
}

#[tokio::test]
async fn answers_other_than_successes_carry_the_documented_headers() {
    let document = checked_in();
    let app = TestApp::start().await;
    let client = app.client();
    let page = Owned::make(&client, 0).await.fill("/v0/pages/{page_id}");
    let tag = client.get(&page).await.expect(200).header("etag").unwrap().to_owned();
    for answer in [
        client.with("if-none-match", &tag).get(&page).await.expect(304),
        client.get("/v0/pages?limit=0").await.expect(400),
        app.anonymous().get(&page).await.expect(401),
        client.get("/v0/pages/none").await.expect(404),
        client.with("if-match", "\"another\"").patch(&page, &json!({})).await.expect(412),
    ] {
        for name in documented_headers(&document, answer.status).keys() {
            assert!(answer.header(name).is_some(), "{} is answered without {name}", answer.status);
        }
    }
}
