//! `PATCH /v0/persons/{person_id}`.

use std::time::Duration;

use pagesmith_testkit::TestApp;
use serde_json::{Value, json};

use super::{address, id, make, read};

fn full() -> Value {
    json!({
        "name": "Jane", "email": "jane@acme.example", "phoneNumber": "+12", "linkedinProfileUrl": "linkedin.com/in/jane",
    })
}

#[tokio::test]
async fn only_given_fields_change() {
    let app = TestApp::start().await;
    let client = app.client();
    let mut person = make(&client, &full()).await;
    for (field, sent, kept) in [
        ("name", json!("Jane Doe"), json!("Jane Doe")),
        ("phoneNumber", json!("+13"), json!("+13")),
        ("linkedinProfileUrl", json!("LINKEDIN.com/in/Jane-D"), json!("https://www.linkedin.com/in/jane-d")),
        ("domain", json!("WWW.globex.example"), json!("globex.example")),
        ("email", json!(" Jane@Initech.example"), json!("jane@initech.example")),
        ("phoneNumber", Value::Null, Value::Null),
        ("linkedinProfileUrl", Value::Null, Value::Null),
        ("email", Value::Null, Value::Null),
        ("domain", Value::Null, Value::Null),
    ] {
        app.advance(Duration::from_secs(1));
        let changed = client.patch(&address(&person), &json!({ field: sent })).await.expect(200).json();
        person[field] = kept;
        person["updatedAt"] = app.platform.clock().now().to_string().into();
        assert_eq!(changed, person, "{field}");
        assert_eq!(read(&client, &person).await, changed);
    }
}

#[tokio::test]
async fn nothing_given_and_nothing_new_change_nothing() {
    let app = TestApp::start().await;
    let made = make(&app.client(), &full()).await;
    app.advance(Duration::from_secs(1));
    for patch in [json!({}), full(), json!({ "email": "JANE@acme.example" }), json!({ "name": "Jane" })] {
        assert_eq!(app.client().patch(&address(&made), &patch).await.expect(200).json(), made);
    }
    assert_eq!(read(&app.client(), &made).await, made);
}

#[tokio::test]
async fn a_name_cannot_be_taken_away() {
    let app = TestApp::start().await;
    let made = make(&app.client(), &full()).await;
    let issues = app.client().patch(&address(&made), &json!({ "name": null })).await.issues();
    assert_eq!(issues, [("invalid_type".to_owned(), "name".to_owned())]);
    for field in ["slug", "personId", "createdAt", "context", "accountId"] {
        let issues = app.client().patch(&address(&made), &json!({ field: "x" })).await.issues();
        assert_eq!(issues, [("unrecognized_key".to_owned(), field.to_owned())]);
    }
}

#[tokio::test]
async fn an_identifier_of_someone_else_is_a_conflict() {
    let app = TestApp::start().await;
    let client = app.client();
    let jane = make(&client, &full()).await;
    let joe = make(&client, &json!({ "name": "Joe", "email": "joe@acme.example" })).await;
    for field in ["email", "linkedinProfileUrl", "phoneNumber"] {
        let patch = json!({ "name": "Joseph", field: full()[field] });
        let refused = client.patch(&address(&joe), &patch).await.expect(409).json();
        assert_eq!(refused["details"], json!({ "conflicts": [{ "field": field, "personId": id(&jane) }] }));
    }
    let refused = client.patch(&address(&joe), &full()).await.expect(409).json();
    assert_eq!(refused["details"]["conflicts"].as_array().unwrap().len(), 3);
    assert_eq!(read(&client, &joe).await, joe);
    // What the other one has given up or has been deleted with is free.
    client.patch(&address(&jane), &json!({ "phoneNumber": null })).await.expect(200);
    client.patch(&address(&joe), &json!({ "phoneNumber": "+12" })).await.expect(200);
    client.delete(&address(&jane)).await.expect(200);
    client.patch(&address(&joe), &json!({ "email": "jane@acme.example" })).await.expect(200);
}

#[tokio::test]
async fn if_match_guards_against_what_others_have_changed() {
    let app = TestApp::start().await;
    let client = app.client();
    let made = make(&client, &full()).await;
    let tag = client.get(&address(&made)).await.expect(200).header("etag").unwrap().to_owned();
    let holding = client.with("if-match", &tag);
    client.with("if-none-match", &tag).get(&address(&made)).await.expect(304);
    holding.patch(&address(&made), &json!({ "name": "First" })).await.expect(200);
    holding.patch(&address(&made), &json!({ "name": "Second" })).await.expect(412);
    holding.delete(&address(&made)).await.expect(412);
    assert_eq!(read(&client, &made).await["name"], "First");
    client.with("if-match", "*").delete(&address(&made)).await.expect(200);
}

#[tokio::test]
async fn what_is_not_there_cannot_be_changed() {
    let app = TestApp::start().await;
    for path in ["/v0/persons/person_01h2xcejqtf2nbrexx3vqjhp41", "/v0/persons/nonsense"] {
        app.client().patch(path, &json!({})).await.expect(404);
        app.client().patch(path, &json!({ "name": "" })).await.expect(400);
    }
}
