//! The domain of a person, and the account that it belongs to by it.

use pagesmith_testkit::{Client, TestApp};
use serde_json::{Value, json};

use super::{accounts, address, make};

async fn domain_of(client: &Client, fields: Value) -> Value {
    let mut body = json!({ "name": "Jane" });
    body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    make(client, &body).await["domain"].clone()
}

/// Domains, each with whether its account is empty.
fn expected(accounts: &[(&str, bool)]) -> Vec<(String, bool)> {
    accounts.iter().map(|(domain, is_empty)| ((*domain).to_owned(), *is_empty)).collect()
}

#[tokio::test]
async fn the_domain_is_the_given_one_else_that_of_the_mail_unless_everybody_may_have_one_there() {
    let app = TestApp::start().await;
    let client = app.client();
    assert_eq!(domain_of(&client, json!({ "email": "a@acme.example" })).await, "acme.example");
    assert_eq!(domain_of(&client, json!({ "email": "a@mail.acme.example" })).await, "mail.acme.example");
    assert_eq!(domain_of(&client, json!({ "email": "a@gmail.com" })).await, Value::Null);
    assert_eq!(domain_of(&client, json!({ "phoneNumber": "+12" })).await, Value::Null);
    let given = json!({ "email": "b@gmail.com", "domain": "Globex.example" });
    assert_eq!(domain_of(&client, given).await, "globex.example");
    let given = json!({ "email": "b@acme.example", "domain": "initech.co.uk" });
    assert_eq!(domain_of(&client, given).await, "initech.co.uk");
    assert_eq!(domain_of(&client, json!({ "domain": "gmail.com" })).await, "gmail.com");
    let made = [("initech.co.uk", false), ("globex.example", false), ("acme.example", false)];
    assert_eq!(accounts(&client).await, expected(&made));
}

#[tokio::test]
async fn the_domain_follows_the_mail_it_came_from() {
    let app = TestApp::start().await;
    let client = app.client();
    let made = make(&client, &json!({ "name": "Jane", "email": "a@one.example" })).await;
    for (patch, domain) in [
        (json!({ "email": "a@two.example" }), json!("two.example")),
        (json!({ "email": "a@gmail.com" }), Value::Null),
        (json!({ "email": "a@three.example" }), json!("three.example")),
        (json!({ "email": null }), Value::Null),
        (json!({ "email": "a@four.example", "domain": "given.example" }), json!("given.example")),
        // A given one stays.
        (json!({ "email": "a@five.example" }), json!("given.example")),
        (json!({ "email": null }), json!("given.example")),
        (json!({ "domain": null }), Value::Null),
        (json!({ "name": "J" }), Value::Null),
    ] {
        let changed = client.patch(&address(&made), &patch).await.expect(200).json();
        assert_eq!(changed["domain"], domain, "{patch}");
    }
    // Nobody belongs to any of them now.
    let left = ["given.example", "three.example", "two.example", "one.example"].map(|domain| (domain, true));
    assert_eq!(accounts(&client).await, expected(&left));
}

#[tokio::test]
async fn a_domain_that_was_emptied_stays_so() {
    let app = TestApp::start().await;
    let client = app.client();
    let made = make(&client, &json!({ "name": "Jane", "email": "a@one.example" })).await;
    client.patch(&address(&made), &json!({ "domain": null })).await.expect(200);
    let changed =
        client.patch(&address(&made), &json!({ "email": "a@two.example" })).await.expect(200).json();
    assert_eq!(changed["domain"], Value::Null);
    for (path, fields) in [
        ("/v0/persons", json!({ "name": "Jane", "email": "a@two.example", "phoneNumber": "+12" })),
        (
            "/v0/person_logs",
            json!({ "source": "crm", "phoneNumber": "+12", "linkedinProfileUrl": "linkedin.com/in/jane" }),
        ),
    ] {
        assert!(client.post(path, &fields).await.status.is_success());
        assert_eq!(super::read(&client, &made).await["domain"], Value::Null);
    }
    assert_eq!(accounts(&client).await, expected(&[("one.example", true)]));
}

#[tokio::test]
async fn a_found_persons_domain_follows_a_new_mail_like_a_changed_ones() {
    let app = TestApp::start().await;
    let client = app.client();
    let person = |mail: &str| json!({ "name": "Jane", "email": mail, "phoneNumber": "+12" });
    make(&client, &person("a@one.example")).await;
    let moved = client.post("/v0/persons", &person("a@two.example")).await.expect(200).json();
    assert_eq!(moved["domain"], "two.example");
    let mut given = person("a@two.example");
    given["domain"] = "given.example".into();
    let moved = client.post("/v0/persons", &given).await.expect(200).json();
    assert_eq!(moved["domain"], "given.example");
    let moved = client.post("/v0/persons", &person("a@three.example")).await.expect(200).json();
    assert_eq!(moved["domain"], "given.example");
    let all = [("given.example", false), ("two.example", true), ("one.example", true)];
    assert_eq!(accounts(&client).await, expected(&all));
}

#[tokio::test]
async fn an_account_is_empty_when_its_last_person_has_gone() {
    let app = TestApp::start().await;
    let client = app.client();
    let one = make(&client, &json!({ "name": "One", "email": "a@acme.example" })).await;
    let two = make(&client, &json!({ "name": "Two", "email": "b@shop.acme.example" })).await;
    assert_eq!(accounts(&client).await, expected(&[("acme.example", false)]));
    client.delete(&address(&one)).await.expect(200);
    assert_eq!(accounts(&client).await, expected(&[("acme.example", false)]));
    client.patch(&address(&two), &json!({ "domain": "globex.example" })).await.expect(200);
    let moved = [("globex.example", false), ("acme.example", true)];
    assert_eq!(accounts(&client).await, expected(&moved));
    client.post(&format!("{}/restore", address(&one)), &json!({})).await.expect(200);
    let back = [("globex.example", false), ("acme.example", false)];
    assert_eq!(accounts(&client).await, expected(&back));
}
