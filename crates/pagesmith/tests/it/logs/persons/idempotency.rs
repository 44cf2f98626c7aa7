//! `idempotencyKey`: an entry is written once, and told as often as it is sent.

use pagesmith_testkit::{Client, TestApp};
use serde_json::json;
use tokio::task::JoinSet;

use super::{address, log_of, person, persons, send, write};

#[tokio::test]
async fn an_entry_that_is_sent_again_is_answered_as_the_first_time() {
    let app = TestApp::start().await;
    let client = app.client();
    let fields =
        json!({ "email": "jane@acme.example", "idempotencyKey": "one", "payload": { "a": 1, "b": [2] } });
    let first = send(&client, &fields).await.expect(201);
    assert_eq!(first.json()["createdPerson"], true);
    app.advance(std::time::Duration::from_hours(48));
    assert_eq!(send(&client, &fields).await.expect(201).bytes, first.bytes);
    // The same in other spellings: order, white space, case of the address, what is there by default.
    let same = r#"{ "payload":{"b":[ 2 ],"a":1}, "type":"webhook", "idempotencyKey":"one", "email":"JANE@acme.example", "source":"crm" }"#;
    let again = client.send("POST", "/v0/person_logs", Some(same.into())).await.expect(201);
    assert_eq!(again.bytes, first.bytes);
    assert_eq!(log_of(&client, &first.json(), "").await["totalCount"], 1);
    assert_eq!(person(&client, &first.json()).await["updatedAt"], "2026-03-01T12:00:00.000Z");
}

#[tokio::test]
async fn an_entry_of_a_known_person_is_written_once_as_well() {
    let app = TestApp::start().await;
    let client = app.client();
    let known = write(&client, &json!({ "email": "jane@acme.example", "phoneNumber": "+12" })).await;
    for (number, whose) in [
        json!({ "email": "jane@acme.example" }),
        json!({ "phoneNumber": "+12" }),
        json!({ "personId": known["personId"] }),
        json!({ "email": "jane@acme.example", "phoneNumber": "+12", "personId": known["personId"] }),
        json!({ "email": "jane@acme.example", "linkedinProfileUrl": "linkedin.com/in/jane" }),
    ]
    .into_iter()
    .enumerate()
    {
        let mut fields = whose;
        fields["idempotencyKey"] = format!("key {number}").into();
        let first = write(&client, &fields).await;
        assert_eq!((&first["personId"], &first["createdPerson"]), (&known["personId"], &json!(false)));
        assert_eq!(write(&client, &fields).await, first);
        fields["payload"] = json!({ "other": true });
        send(&client, &fields).await.expect(409);
    }
    assert_eq!(log_of(&client, &known, "").await["totalCount"], 6);
}

#[tokio::test]
async fn another_entry_under_the_same_key_is_a_conflict() {
    let app = TestApp::start().await;
    let client = app.client();
    let fields = json!({ "email": "jane@acme.example", "idempotencyKey": "one", "payload": { "a": 1 } });
    let first = write(&client, &fields).await;
    for other in [
        json!({ "payload": { "a": 2 } }),
        json!({ "payload": { "a": 1, "b": null } }),
        json!({ "payload": {} }),
        json!({ "email": "joe@acme.example" }),
        json!({ "personId": first["personId"] }),
        json!({ "phoneNumber": "+12" }),
        json!({ "name": "Jane" }),
        json!({ "source": "form" }),
        json!({ "type": "call" }),
    ] {
        let mut body = fields.clone();
        body.as_object_mut().unwrap().extend(other.as_object().unwrap().clone());
        let refused = send(&client, &body).await.expect(409).json();
        assert_eq!(refused["code"], "CONFLICT", "{other}");
    }
    assert_eq!(log_of(&client, &first, "").await["totalCount"], 1);
    assert_eq!(
        (persons(&client).await, &person(&client, &first).await["phoneNumber"]),
        (json!(1), &json!(null))
    );
    // Another tenant's key is another one.
    let theirs =
        write(&app.stranger().await, &json!({ "phoneNumber": "+12", "idempotencyKey": "one" })).await;
    assert_eq!(theirs["createdPerson"], true);
}

#[tokio::test]
async fn the_first_answer_outlives_the_entry_and_its_person() {
    let app = TestApp::start().await;
    let client = app.client();
    let fields = json!({ "email": "jane@acme.example", "idempotencyKey": "one" });
    let first = write(&client, &fields).await;
    client.delete(&address(&first)).await.expect(200);
    assert_eq!(write(&client, &fields).await, first);
    assert_eq!(log_of(&client, &first, "").await["totalCount"], 0);
    client.delete(&format!("/v0/persons/{}", super::text(&first, "personId"))).await.expect(200);
    assert_eq!(write(&client, &fields).await, first);
    assert_eq!(persons(&client).await, 0);
    send(&client, &json!({ "email": "jane@acme.example", "idempotencyKey": "one", "type": "call" }))
        .await
        .expect(409);
}

#[tokio::test]
async fn entries_under_one_key_that_come_at_once_are_one() {
    let app = TestApp::start().await;
    let nodes = [app.router.clone(), app.second_server()];
    let mut running = JoinSet::new();
    for number in 0..60 {
        let client = Client::new(nodes[number % 2].clone(), Some(app.key.clone()));
        let fields = json!({ "email": "jane@acme.example", "idempotencyKey": "one" });
        running.spawn(async move { write(&client, &fields).await });
    }
    let answers = running.join_all().await;
    assert!(answers.iter().all(|answer| answer == &answers[0]));
    assert_eq!(answers[0]["createdPerson"], true);
    assert_eq!(log_of(&app.client(), &answers[0], "").await["totalCount"], 1);
}

#[tokio::test]
async fn of_different_entries_under_one_key_that_come_at_once_one_is_written() {
    let app = TestApp::start().await;
    let mut running = JoinSet::new();
    for number in 0..30 {
        let client = app.client();
        let fields = json!({ "email": format!("p{number}@acme.example"), "idempotencyKey": "one" });
        running.spawn(async move { send(&client, &fields).await });
    }
    let answers = running.join_all().await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 201).count(), 1);
    assert!(answers.iter().all(|answer| answer.status == 201 || answer.status == 409));
    // Nor has a person been made for one of the others.
    assert_eq!(persons(&app.client()).await, 1);
}
