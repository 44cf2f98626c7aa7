//! Tenants apart, where persons, accounts and their entries are concerned.

use pagesmith_testkit::{Client, TestApp};
use serde_json::{Value, json};

use pagesmith_testkit::samples::owned::Owned;

/// What every tenant here calls its own, in the same words.
async fn make(client: &Client, number: usize) -> (Value, Value) {
    let person = json!({
        "name": "Ada Lovelace", "email": format!("ada-{number}@analytical-{number}.com"),
        "linkedinProfileUrl": format!("https://www.linkedin.com/in/ada-{number}"),
        "phoneNumber": format!("+4930123456{number}"),
    });
    let person = client.post("/v0/persons", &person).await.expect(201).json();
    let domain = format!("analytical-{number}.com");
    let account = json!({ "domain": domain, "name": "Analytical Engines" });
    (person, client.post("/v0/accounts", &account).await.expect(200).json())
}

const COLLECTIONS: [&str; 8] = [
    "/v0/persons?limit=1",
    "/v0/persons/search?limit=1",
    "/v0/persons/search?query=ada&limit=1",
    "/v0/persons/search?query=a&limit=1",
    "/v0/accounts?limit=1",
    "/v0/accounts/search?limit=1",
    "/v0/accounts/search?query=analytical&limit=1",
    "/v0/accounts/search?query=a&limit=1",
];

#[tokio::test]
async fn lists_searches_and_counts_hold_nobody_foreign() {
    let app = TestApp::start().await;
    let (owner, stranger) = (app.client(), app.stranger().await);
    for number in 0..3 {
        make(&owner, number).await;
    }
    let empty = json!({ "items": [], "hasMore": false, "nextCursor": null, "totalCount": 0 });
    for path in COLLECTIONS.into_iter().chain(["/v0/accounts?includeEmptyOnly=true"]) {
        assert_eq!(stranger.get(path).await.expect(200).json(), empty, "{path}");
    }
    let (person, account) = make(&stranger, 0).await;
    for path in COLLECTIONS {
        let part = stranger.get(path).await.expect(200).json();
        assert_eq!((&part["totalCount"], &part["hasMore"]), (&json!(1), &json!(false)), "{path}");
        let item = &part["items"][0];
        match path.starts_with("/v0/persons") {
            true => assert_eq!(item["personId"], person["personId"], "{path}"),
            false => assert_eq!(item["accountId"], account["accountId"], "{path}"),
        }
        assert_eq!(owner.get(path).await.expect(200).json()["totalCount"], 3, "{path}");
    }
}

#[tokio::test]
async fn one_identifier_and_one_domain_are_another_tenants_as_well() {
    let app = TestApp::start().await;
    let (owner, stranger) = (app.client(), app.stranger().await);
    let (person, account) = make(&owner, 0).await;
    let before = owner.get("/v0/persons").await.expect(200).bytes;
    let (other_person, other_account) = make(&stranger, 0).await;
    assert_ne!(person["personId"], other_person["personId"]);
    assert_ne!(account["accountId"], other_account["accountId"]);
    // Neither slug tells that there is the other.
    assert_eq!(person["slug"], other_person["slug"]);
    assert_eq!(other_account["linkedPersons"].as_array().unwrap().len(), 1);
    assert_eq!(owner.get("/v0/persons").await.expect(200).bytes, before);
}

#[tokio::test]
async fn an_entry_cannot_name_a_foreign_person_or_account() {
    let app = TestApp::start().await;
    let (owner, stranger) = (app.client(), app.stranger().await);
    let owned = Owned::make(&owner, 0).await;
    let before = owned.everything(&owner).await;
    for (path, field, name) in
        [("/v0/person_logs", "personId", "{person_id}"), ("/v0/account_logs", "accountId", "{account_id}")]
    {
        let mut details = Vec::new();
        for id in [owned.id(name), Owned::nobody().id(name)] {
            let answer = stranger.post(path, &json!({ field: id, "source": "crm" })).await;
            details.push(answer.json()["detail"].as_str().unwrap().replace(id, "ID"));
            assert_eq!(answer.issues(), [("unknown_reference".to_owned(), field.to_owned())]);
        }
        assert_eq!(details[0], details[1]);
    }
    assert_eq!(owned.everything(&owner).await, before);
    assert_eq!(stranger.get("/v0/persons").await.expect(200).json()["totalCount"], 0);
}

#[tokio::test]
async fn an_entrys_idempotency_key_is_another_tenants_as_well() {
    let app = TestApp::start().await;
    let (owner, stranger) = (app.client(), app.stranger().await);
    for (path, of) in [
        ("/v0/person_logs", json!({ "email": "ada@analytical.com" })),
        ("/v0/account_logs", json!({ "domain": "analytical.com" })),
    ] {
        let mut body = json!({ "source": "crm", "idempotencyKey": "once" });
        body.as_object_mut().unwrap().extend(of.as_object().unwrap().clone());
        let mut answers = Vec::new();
        for client in [&owner, &stranger, &owner, &stranger] {
            answers.push(client.post(path, &body).await.expect(201).json());
        }
        assert_eq!((&answers[0], &answers[1]), (&answers[2], &answers[3]), "{path}");
        assert_ne!(answers[0], answers[1], "{path}");
    }
}

#[tokio::test]
async fn a_cursor_over_persons_accounts_and_entries_opens_nothing_of_another_tenant() {
    let app = TestApp::start().await;
    let (owner, stranger) = (app.client(), app.stranger().await);
    let mut owned = Vec::new();
    for client in [&owner, &stranger] {
        for number in 0..2 {
            make(client, number).await;
        }
        let made = Owned::make(client, 0).await;
        for (path, field, name) in [
            ("/v0/person_logs", "personId", "{person_id}"),
            ("/v0/account_logs", "accountId", "{account_id}"),
        ] {
            client.post(path, &json!({ field: made.id(name), "source": "crm" })).await.expect(201);
        }
        owned.push(made);
    }
    let of_one = [
        "/v0/persons/{person_id}/logs?limit=1",
        "/v0/accounts/{account_id}/logs?limit=1",
        "/v0/accounts/{account_id}/activity?limit=1",
        "/v0/accounts/{account_id}/activity?includePersonActivity=true&limit=1",
    ];
    for template in COLLECTIONS.into_iter().chain(of_one) {
        let path = owned[0].fill(template);
        let cursor = owner.get(&path).await.expect(200).json()["nextCursor"].as_str().unwrap().to_owned();
        owner.get(&format!("{path}&cursor={cursor}")).await.expect(200);
        for owned in &owned {
            let refused = stranger.get(&format!("{}&cursor={cursor}", owned.fill(template))).await.issues();
            assert_eq!(refused, [("invalid_cursor".to_owned(), "cursor".to_owned())], "{template}");
        }
    }
}
