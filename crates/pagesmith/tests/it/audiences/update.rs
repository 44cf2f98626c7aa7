//! Changing an audience.

use serde_json::{Value, json};

use super::{audience, with_page};

#[tokio::test]
async fn only_what_is_given_changes_and_null_empties() {
    let (_app, client, page) = with_page().await;
    let path = audience(
        &client,
        &page,
        &json!({ "customName": "North", "supplementaryContext": "Cold nights", "actionFormIdOverride": "f" }),
    )
    .await;
    let before = client.get(&path).await.expect(200).json();
    let same = client.patch(&path, &json!({})).await.expect(200).json();
    assert_eq!(same, before);
    let changed =
        client.patch(&path, &json!({ "actionUrlOverride": "https://a.example" })).await.expect(200).json();
    let mut expected = before.clone();
    expected["actionUrlOverride"] = json!("https://a.example");
    assert_eq!(changed, expected);
    let emptied = json!({
        "customName": null, "supplementaryContext": null, "actionFormIdOverride": null, "actionUrlOverride": null,
        "actionFormInstructionsOverride": null,
    });
    let emptied = client.patch(&path, &emptied).await.expect(200).json();
    for field in ["customName", "supplementaryContext", "actionFormIdOverride", "actionUrlOverride"] {
        assert_eq!(emptied[field], Value::Null, "{field}");
    }
    assert_eq!(
        (&emptied["computedName"], &emptied["effectiveName"]),
        (&json!("Audience 1"), &json!("Audience 1"))
    );
    // A version keeps what it was made with.
    assert_eq!(emptied["latestVersion"]["supplementaryContext"], "Cold nights");
    assert_eq!(client.get(&path).await.expect(200).json(), emptied);
}

#[tokio::test]
async fn metadata_is_replaced_as_a_whole() {
    let (_app, client, page) = with_page().await;
    let path =
        audience(&client, &page, &json!({ "metadataOverride": { "title": "T", "author": "A" } })).await;
    let changed =
        client.patch(&path, &json!({ "metadataOverride": { "title": "U" } })).await.expect(200).json();
    assert_eq!(changed["metadataOverride"], json!({ "title": "U" }));
    let issues = client.patch(&path, &json!({ "metadataOverride": null })).await.issues();
    assert_eq!(issues, [("invalid_type".to_owned(), "metadataOverride".to_owned())]);
}

#[tokio::test]
async fn a_new_context_makes_a_new_name_unless_the_audience_is_somebodys() {
    let (_app, client, page) = with_page().await;
    let person = client.post("/v0/persons", &json!({ "name": "Jane Doe" })).await.expect(201).json();
    let own = audience(&client, &page, &json!({ "personId": person["personId"] })).await;
    let plain = audience(&client, &page, &json!({ "supplementaryContext": "Old words" })).await;
    let patch = json!({ "supplementaryContext": "New words" });
    assert_eq!(client.patch(&own, &patch).await.expect(200).json()["computedName"], "Jane Doe");
    assert_eq!(client.patch(&plain, &patch).await.expect(200).json()["computedName"], "New words");
    let found = client.get("/v0/audiences/search?query=new").await.expect(200).json();
    assert_eq!((&found["totalCount"], &found["items"][0]["effectiveName"]), (&json!(1), &json!("New words")));
}

#[tokio::test]
async fn an_audience_is_called_as_its_person_or_account_is_called_now() {
    let (_app, client, page) = with_page().await;
    let person = client.post("/v0/persons", &json!({ "name": "Jane Doe" })).await.expect(201).json();
    let account =
        client.post("/v0/accounts", &json!({ "domain": "initech.example" })).await.expect(200).json();
    let (person, account) = (&person["personId"], &account["accountId"]);
    let of_person = audience(&client, &page, &json!({ "personId": person, "accountId": account })).await;
    let of_account = audience(&client, &page, &json!({ "accountId": account })).await;
    let named = audience(&client, &page, &json!({ "accountId": account, "customName": "Ours" })).await;
    let away = audience(&client, &page, &json!({ "accountId": account })).await;
    client.delete(&away).await.expect(200);
    let names = async |path: &str| {
        let found = client.get(path).await.expect(200).json();
        (found["computedName"].clone(), found["effectiveName"].clone())
    };
    let both = |name: &str| (json!(name), json!(name));
    assert_eq!(names(&of_account).await, both("initech.example"));
    let rename = async |path: String, name: &str| {
        client.patch(&path, &json!({ "name": name })).await.expect(200);
    };
    rename(format!("/v0/persons/{}", person.as_str().unwrap()), "Jane Smith").await;
    rename(format!("/v0/accounts/{}", account.as_str().unwrap()), "Initech").await;
    assert_eq!(names(&of_person).await, both("Jane Smith"));
    assert_eq!(names(&of_account).await, both("Initech"));
    assert_eq!(names(&named).await, (json!("Initech"), json!("Ours")));
    assert_eq!(names(&away).await, both("Initech"));
    for (query, count) in [("smith", 1), ("doe", 0), ("initech", 1), ("ours", 1)] {
        let found = client.get(&format!("/v0/audiences/search?query={query}")).await.expect(200).json();
        assert_eq!(found["totalCount"], count, "{query}");
    }
    let link = client.get(&format!("{of_person}/link")).await.expect(200).json();
    assert!(link["path"].as_str().unwrap().contains("/jane-doe-"), "links stay: {link}");
}

#[tokio::test]
async fn what_is_fixed_or_wrong_is_refused() {
    let (_app, client, page) = with_page().await;
    let path = audience(&client, &page, &json!({})).await;
    for (patch, issue) in [
        (json!({ "personId": "person_x" }), ("unrecognized_key", "personId")),
        (json!({ "publishBehavior": "draft" }), ("unrecognized_key", "publishBehavior")),
        (json!({ "customName": "" }), ("too_short", "customName")),
        (json!({ "supplementaryContext": "" }), ("too_short", "supplementaryContext")),
        (json!({ "actionUrlOverride": "/here" }), ("invalid_format", "actionUrlOverride")),
        (json!({ "customName": "a\u{0}b" }), ("invalid_character", "customName")),
    ] {
        let issues = client.patch(&path, &patch).await.issues();
        assert_eq!(issues, [(issue.0.to_owned(), issue.1.to_owned())], "{patch}");
    }
}
