//! `POST /v0/persons`: found or made.

use std::time::Duration;

use pagesmith_testkit::TestApp;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::{address, id, make, read, total};

fn full() -> Value {
    json!({
        "name": "Jane Doe", "email": "  Jane.Doe+News@EXAMPLE.com ", "phoneNumber": "+4915112345678",
        "linkedinProfileUrl": "http://de.linkedin.com/in/Jane-Doe/?utm=1", "domain": "https://www.Acme.example/about",
    })
}

#[tokio::test]
async fn a_person_comes_back_in_its_normal_form() {
    let app = TestApp::start().await;
    let made = make(&app.client(), &full()).await;
    assert_eq!(read(&app.client(), &made).await, made);
    insta::assert_snapshot!(format!("{made:#}"));
}

#[tokio::test]
async fn a_person_may_have_a_name_alone() {
    let app = TestApp::start().await;
    let made = make(&app.client(), &json!({ "name": " Jane  Doe " })).await;
    insta::assert_snapshot!(format!("{made:#}"));
    // Without identifiers nobody is found: the second one is another person.
    let other = make(&app.client(), &json!({ "name": " Jane  Doe " })).await;
    assert_ne!(id(&other), id(&made));
    assert_eq!(total(&app.client()).await, 2);
}

#[tokio::test]
async fn each_identifier_finds_the_person_in_any_spelling_and_updates_it() {
    let app = TestApp::start().await;
    let client = app.client();
    let made = make(&client, &full()).await;
    let spellings = [
        json!({ "name": "By mail", "email": "JANE.doe+news@example.COM" }),
        json!({ "name": "By profile", "linkedinProfileUrl": "linkedin.com/in/JANE-DOE" }),
        json!({ "name": "By phone", "phoneNumber": "+4915112345678" }),
    ];
    for body in spellings {
        app.advance(Duration::from_secs(1));
        let found = client.post("/v0/persons", &body).await.expect(200).json();
        let mut expected = made.clone();
        expected["name"] = body["name"].clone();
        expected["updatedAt"] = app.platform.clock().now().to_string().into();
        assert_eq!(found, expected);
        assert_eq!(read(&client, &made).await, found);
    }
    assert_eq!(total(&client).await, 1);
}

#[tokio::test]
async fn the_same_again_changes_nothing() {
    let app = TestApp::start().await;
    let made = make(&app.client(), &full()).await;
    app.advance(Duration::from_secs(1));
    let again = app.client().post("/v0/persons", &full()).await.expect(200).json();
    assert_eq!(again, made);
}

#[tokio::test]
async fn a_found_person_takes_over_what_is_given() {
    let app = TestApp::start().await;
    let client = app.client();
    let made = make(&client, &json!({ "name": "Jane", "email": "jane@one.example" })).await;
    let body = json!({
        "name": "Jane Doe", "email": "jane@one.example", "phoneNumber": "+12", "linkedinProfileUrl": "linkedin.com/in/jane",
    });
    let found = client.post("/v0/persons", &body).await.expect(200).json();
    assert_eq!(found["phoneNumber"], "+12");
    assert_eq!(found["linkedinProfileUrl"], "https://www.linkedin.com/in/jane");
    assert_eq!((&found["slug"], id(&found)), (&json!("jane"), id(&made)));
    // Found by the profile, the person gets the new address and number; the old ones are free.
    let body = json!({
        "name": "Jane Doe", "email": "jane@two.example", "phoneNumber": "+13", "linkedinProfileUrl": "linkedin.com/in/jane",
    });
    let found = client.post("/v0/persons", &body).await.expect(200).json();
    assert_eq!((id(&found), &found["email"]), (id(&made), &json!("jane@two.example")));
    let other =
        make(&client, &json!({ "name": "Joe", "email": "jane@one.example", "phoneNumber": "+12" })).await;
    assert_ne!(id(&other), id(&made));
}

#[tokio::test]
async fn identifiers_of_different_persons_are_a_conflict_that_names_them() {
    let app = TestApp::start().await;
    let client = app.client();
    let jane = make(&client, &json!({ "name": "Jane", "email": "jane@one.example" })).await;
    let joe = make(&client, &json!({ "name": "Joe", "linkedinProfileUrl": "linkedin.com/in/joe" })).await;
    let jim = make(&client, &json!({ "name": "Jim", "phoneNumber": "+12" })).await;
    let mail = json!({ "field": "email", "personId": id(&jane) });
    let profile = json!({ "field": "linkedinProfileUrl", "personId": id(&joe) });
    let phone = json!({ "field": "phoneNumber", "personId": id(&jim) });
    let all = json!({
        "name": "X", "email": "jane@one.example", "linkedinProfileUrl": "linkedin.com/in/joe", "phoneNumber": "+12",
    });
    for (without, conflicts) in [
        ("", json!([mail, profile, phone])),
        ("email", json!([profile, phone])),
        ("linkedinProfileUrl", json!([mail, phone])),
        ("phoneNumber", json!([mail, profile])),
    ] {
        let mut body = all.clone();
        body.as_object_mut().unwrap().remove(without);
        let refused = client.post("/v0/persons", &body).await.expect(409).json();
        assert_eq!(
            (&refused["code"], &refused["details"]),
            (&json!("CONFLICT"), &json!({ "conflicts": conflicts }))
        );
    }
    for person in [&jane, &joe, &jim] {
        assert_eq!(&read(&client, person).await, person);
    }
    assert_eq!(total(&client).await, 3);
}

#[tokio::test]
async fn many_at_once_make_one_person() {
    let app = TestApp::start().await;
    let nodes = [app.router.clone(), app.second_server()];
    let mut running = JoinSet::new();
    for number in 0..60 {
        let client = pagesmith_testkit::Client::new(nodes[number % 2].clone(), Some(app.key.clone()));
        running.spawn(async move {
            let body = json!({ "name": format!("Jane {number}"), "email": "jane@new.example" });
            client.post("/v0/persons", &body).await
        });
    }
    let answers = running.join_all().await;
    let made = answers.iter().filter(|answer| answer.status == 201).count();
    assert_eq!(made, 1);
    let first = answers[0].json();
    for answer in &answers {
        assert!(answer.status == 201 || answer.status == 200, "{}", answer.text());
        assert_eq!(answer.json()["personId"], first["personId"]);
    }
    assert_eq!(total(&app.client()).await, 1);
    assert_eq!(super::accounts(&app.client()).await, [("new.example".to_owned(), false)]);
}

#[tokio::test]
async fn another_tenants_person_is_not_found() {
    let app = TestApp::start().await;
    let (client, stranger) = (app.client(), app.stranger().await);
    let made = make(&client, &full()).await;
    let theirs = make(&stranger, &full()).await;
    assert_ne!(id(&theirs), id(&made));
    assert_eq!(theirs["slug"], made["slug"]);
    stranger.get(&address(&made)).await.expect(404);
    stranger.patch(&address(&made), &json!({ "name": "Mine" })).await.expect(404);
    stranger.delete(&address(&made)).await.expect(404);
    stranger.post(&format!("{}/restore", address(&made)), &json!({})).await.expect(404);
    stranger.get(&format!("{}/logs", address(&made))).await.expect(404);
    assert_eq!(read(&client, &made).await, made);
}

#[tokio::test]
async fn a_header_key_makes_a_person_once() {
    let app = TestApp::start().await;
    let client = app.client().with("idempotency-key", "k");
    let body = json!({ "name": "Jane" });
    let first = client.post("/v0/persons", &body).await.expect(201);
    let again = client.post("/v0/persons", &body).await.expect(201);
    assert_eq!((again.header("idempotent-replayed"), &again.bytes), (Some("true"), &first.bytes));
    client.post("/v0/persons", &json!({ "name": "Joe" })).await.expect(409);
    assert_eq!(total(&app.client()).await, 1);
}
