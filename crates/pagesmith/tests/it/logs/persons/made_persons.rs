//! Whose an entry is: named, found or made.

use pagesmith_testkit::TestApp;
use serde_json::{Value, json};

use super::{log_of, person, persons, read, send, write};

#[tokio::test]
async fn an_entry_and_its_person_come_back_whole() {
    let app = TestApp::start().await;
    let client = app.client();
    let body = json!({
        "email": "Jane.Doe@Acme.example", "phoneNumber": "+4915112345678", "linkedinProfileUrl": "linkedin.com/in/jane",
        "name": "Jane Doe", "type": "page-view", "idempotencyKey": "one", "payload": { "page": "/pricing", "seconds": 1.50 },
    });
    let written = write(&client, &body).await;
    let (entry, person) = (read(&client, &written).await, person(&client, &written).await);
    insta::assert_snapshot!(format!("{written:#}\n{entry:#}\n{person:#}"));
}

#[tokio::test]
async fn an_entry_without_type_and_payload_has_those_by_default() {
    let app = TestApp::start().await;
    let written = write(&app.client(), &json!({ "phoneNumber": "+12" })).await;
    assert_eq!((&written["type"], &written["createdPerson"]), (&json!("webhook"), &json!(true)));
    let entry = read(&app.client(), &written).await;
    assert_eq!((&entry["type"], &entry["payload"]), (&json!("webhook"), &json!({})));
    for field in ["idempotencyKey", "updatedAt", "deletedAt"] {
        assert_eq!(entry[field], Value::Null);
    }
}

#[tokio::test]
async fn a_person_without_a_name_is_called_after_its_identifiers() {
    let app = TestApp::start().await;
    for (fields, name) in [
        (json!({ "email": "jane.doe+x@acme.example", "name": "J. Doe" }), "J. Doe"),
        (json!({ "email": "jane.roe+x@acme.example" }), "Jane Roe"),
        (json!({ "linkedinProfileUrl": "linkedin.com/in/joe-blow-1a2b3c" }), "Joe Blow"),
        (json!({ "phoneNumber": "+4915112345678" }), "+4915112345678"),
        (json!({ "email": "1@acme.example", "linkedinProfileUrl": "linkedin.com/in/jim-beam" }), "Jim Beam"),
    ] {
        let written = write(&app.client(), &fields).await;
        assert_eq!(written["createdPerson"], true);
        assert_eq!(person(&app.client(), &written).await["name"], name);
    }
}

#[tokio::test]
async fn a_known_person_keeps_its_name() {
    let app = TestApp::start().await;
    let client = app.client();
    let first = write(&client, &json!({ "email": "jane@acme.example", "name": "Jane" })).await;
    let before = person(&client, &first).await;
    let second = write(&client, &json!({ "email": "jane@acme.example", "name": "Somebody" })).await;
    assert_eq!((&second["personId"], &second["createdPerson"]), (&first["personId"], &json!(false)));
    assert_eq!(person(&client, &first).await, before);
}

#[tokio::test]
async fn identifiers_that_a_person_lacks_are_added_and_those_it_has_stay() {
    let app = TestApp::start().await;
    let client = app.client();
    let first = write(&client, &json!({ "linkedinProfileUrl": "linkedin.com/in/jane" })).await;
    assert_eq!(person(&client, &first).await["domain"], Value::Null);
    let fields = json!({ "linkedinProfileUrl": "linkedin.com/in/jane", "email": "jane@acme.example" });
    assert_eq!(write(&client, &fields).await["createdPerson"], false);
    let known = person(&client, &first).await;
    assert_eq!((&known["email"], &known["domain"]), (&json!("jane@acme.example"), &json!("acme.example")));
    let fields = json!({
        "email": "jane@acme.example", "phoneNumber": "+12", "linkedinProfileUrl": "linkedin.com/in/other",
    });
    assert_eq!(write(&client, &fields).await["personId"], first["personId"]);
    let known = person(&client, &first).await;
    assert_eq!(known["phoneNumber"], "+12");
    assert_eq!(known["linkedinProfileUrl"], "https://www.linkedin.com/in/jane");
    // What was not taken over belongs to nobody.
    let other = write(&client, &json!({ "linkedinProfileUrl": "linkedin.com/in/other" })).await;
    assert_eq!(other["createdPerson"], true);
    // Earlier entries show with the account that the person has come to.
    let account = client.get("/v0/accounts").await.expect(200).json()["items"][0]["accountId"].clone();
    let path = format!("/v0/accounts/{}/activity?includePersonActivity=true", account.as_str().unwrap());
    assert_eq!(client.get(&path).await.expect(200).json()["totalCount"], 3);
}

#[tokio::test]
async fn the_named_person_wins() {
    let app = TestApp::start().await;
    let client = app.client();
    let jane = write(&client, &json!({ "email": "jane@acme.example" })).await;
    let id = &jane["personId"];
    for fields in [
        json!({ "personId": id }),
        json!({ "personId": id, "email": "jane@acme.example" }),
        json!({ "personId": id, "email": "nobody@acme.example" }),
        json!({ "personId": id, "phoneNumber": "+12" }),
    ] {
        let written = write(&client, &fields).await;
        assert_eq!((&written["personId"], &written["createdPerson"]), (id, &json!(false)));
    }
    let known = person(&client, &jane).await;
    assert_eq!((&known["email"], &known["phoneNumber"]), (&json!("jane@acme.example"), &json!("+12")));
    assert_eq!(persons(&client).await, 1);
    assert_eq!(log_of(&client, &jane, "").await["totalCount"], 5);
}

#[tokio::test]
async fn identifiers_of_someone_else_are_a_conflict_and_nothing_is_written() {
    let app = TestApp::start().await;
    let client = app.client();
    let jane = write(&client, &json!({ "email": "jane@acme.example" })).await;
    let joe = write(&client, &json!({ "phoneNumber": "+12" })).await;
    let (mail, phone) = (
        json!({ "field": "email", "personId": jane["personId"] }),
        json!({ "field": "phoneNumber", "personId": joe["personId"] }),
    );
    let new = "linkedin.com/in/new";
    for (fields, conflicts) in [
        (
            json!({ "email": "jane@acme.example", "phoneNumber": "+12", "linkedinProfileUrl": new }),
            json!([mail, phone]),
        ),
        (
            json!({ "personId": jane["personId"], "phoneNumber": "+12", "linkedinProfileUrl": new }),
            json!([phone]),
        ),
        (
            json!({ "personId": joe["personId"], "email": "jane@acme.example", "phoneNumber": "+12" }),
            json!([mail]),
        ),
    ] {
        let refused = send(&client, &fields).await.expect(409).json();
        assert_eq!(refused["details"], json!({ "conflicts": conflicts }));
    }
    for written in [&jane, &joe] {
        assert_eq!(log_of(&client, written, "").await["totalCount"], 1);
        assert_eq!(person(&client, written).await["linkedinProfileUrl"], Value::Null);
    }
    assert_eq!(persons(&client).await, 2);
}

#[tokio::test]
async fn a_named_person_who_is_not_there_is_an_unknown_reference() {
    let app = TestApp::start().await;
    let (client, stranger) = (app.client(), app.stranger().await);
    let gone = write(&client, &json!({ "email": "gone@acme.example" })).await;
    client.delete(&format!("/v0/persons/{}", super::text(&gone, "personId"))).await.expect(200);
    let foreign = write(&stranger, &json!({ "email": "jane@acme.example" })).await;
    let unknown = [
        gone["personId"].clone(),
        foreign["personId"].clone(),
        json!("person_01h2xcejqtf2nbrexx3vqjhp41"),
        json!("nonsense"),
        gone["personLogId"].clone(),
    ];
    for id in unknown {
        let fields = json!({ "personId": id, "email": "new@acme.example", "idempotencyKey": "k" });
        let issues = send(&client, &fields).await.issues();
        assert_eq!(issues, [("unknown_reference".to_owned(), "personId".to_owned())]);
    }
    assert_eq!(persons(&client).await, 0);
    assert_eq!(log_of(&stranger, &foreign, "").await["totalCount"], 1);
}

#[tokio::test]
async fn a_deleted_persons_address_makes_a_new_person() {
    let app = TestApp::start().await;
    let client = app.client();
    let gone = write(&client, &json!({ "email": "jane@acme.example" })).await;
    client.delete(&format!("/v0/persons/{}", super::text(&gone, "personId"))).await.expect(200);
    let new = write(&client, &json!({ "email": "jane@acme.example" })).await;
    assert_eq!(new["createdPerson"], true);
    assert_ne!(new["personId"], gone["personId"]);
    assert_eq!(log_of(&client, &new, "").await["totalCount"], 1);
}
