//! Making an audience.

use std::time::Duration;

use pagesmith_testkit::fixtures;
use serde_json::{Value, json};

use super::{audience, page_of, with_page};

#[tokio::test]
async fn an_audience_comes_back_as_it_was_made_with_its_first_version_queued() {
    let (_app, client, _) = with_page().await;
    let page = page_of(&client, &fixtures::full_page()).await;
    let made = client
        .post(
            &format!("{page}/audiences"),
            &json!({
                "customName": "Plants in the north", "supplementaryContext": "They run night shifts.",
                "actionUrlOverride": "https://acme.example/north", "actionFormIdOverride": "form_2",
                "actionFormInstructionsOverride": "Be quick.", "publishBehavior": "draft",
                "metadataOverride": { "title": "For the north", "ogImage": { "type": "file", "fileId": "f" } },
            }),
        )
        .await
        .expect(201)
        .json();
    insta::assert_snapshot!(format!("{made:#}"));
    let path = format!("{page}/audiences/{}", made["audienceId"].as_str().unwrap());
    assert_eq!(client.get(&path).await.expect(200).json(), made);
}

#[tokio::test]
async fn an_empty_body_makes_an_audience_that_is_called_by_its_place() {
    let (_app, client, page) = with_page().await;
    for place in 1..4 {
        let made = client.post(&format!("{page}/audiences"), &json!({})).await.expect(201).json();
        assert_eq!(made["computedName"], format!("Audience {place}"));
        assert_eq!((&made["customName"], &made["effectiveName"]), (&Value::Null, &made["computedName"]));
    }
}

#[tokio::test]
async fn the_name_is_the_persons_or_accounts_else_the_first_words_of_the_context() {
    let (_app, client, page) = with_page().await;
    let person = json!({ "name": "Jane Doe", "email": "jane@initech.com" });
    let person = client.post("/v0/persons", &person).await.expect(201).json();
    let account = client.post("/v0/accounts", &json!({ "domain": "hooli.com" })).await.expect(200).json();
    let named = json!({ "domain": "initrode.com", "name": "Initrode" });
    let named = client.post("/v0/accounts", &named).await.expect(200).json();
    for (body, name) in [
        (json!({ "personId": person["personId"], "supplementaryContext": "x" }), "Jane Doe"),
        (json!({ "accountId": account["accountId"] }), "hooli.com"),
        (json!({ "accountId": named["accountId"], "customName": "Them" }), "Initrode"),
        (json!({ "supplementaryContext": "# Night shifts. They sleep by day." }), "Night shifts"),
        (json!({ "supplementaryContext": "x" }), "x"),
    ] {
        let made = client.post(&format!("{page}/audiences"), &body).await.expect(201).json();
        assert_eq!(made["computedName"], name, "{body}");
    }
}

#[tokio::test]
async fn a_persons_own_audience_is_at_the_persons_slug_and_the_only_one_of_the_page() {
    let (app, client, page) = with_page().await;
    let person = client.post("/v0/persons", &json!({ "name": "Jane Doe" })).await;
    let person = person.expect(201).json();
    let body = json!({ "personId": person["personId"] });
    let made = client.post(&format!("{page}/audiences"), &body).await.expect(201).json();
    assert_eq!(made["personId"], person["personId"]);
    let (key, slug) = (made["personRouteKey"].as_str().unwrap(), person["slug"].as_str().unwrap());
    assert!(key.starts_with(&format!("{slug}-")) && key.len() == slug.len() + 11, "{key}");
    let refused = client.post(&format!("{page}/audiences"), &body).await.expect(409).json();
    assert_eq!(refused["details"], json!({ "audienceId": made["audienceId"] }));
    // Archived it is still the person's: it can be restored.
    let path = format!("{page}/audiences/{}", made["audienceId"].as_str().unwrap());
    client.delete(&path).await.expect(200);
    client.post(&format!("{page}/audiences"), &body).await.expect(409);
    // Another page is another matter.
    let other = super::page(&client).await;
    client.post(&format!("{other}/audiences"), &body).await.expect(201);
    drop(app);
}

#[tokio::test]
async fn who_is_unknown_deleted_or_foreign_is_an_unknown_reference() {
    let (app, client, page) = with_page().await;
    let stranger = app.stranger().await;
    let foreign = stranger.post("/v0/persons", &json!({ "name": "Jane" })).await.expect(201).json();
    let account = stranger.post("/v0/accounts", &json!({ "domain": "hooli.com" })).await.expect(200).json();
    let gone = client.post("/v0/persons", &json!({ "name": "Jane" })).await.expect(201).json();
    client.delete(&format!("/v0/persons/{}", gone["personId"].as_str().unwrap())).await.expect(200);
    for body in [
        json!({ "personId": "person_00000000000000000000000000" }),
        json!({ "personId": "nobody" }),
        json!({ "personId": foreign["personId"] }),
        json!({ "personId": gone["personId"] }),
    ] {
        let issues = client.post(&format!("{page}/audiences"), &body).await.issues();
        assert_eq!(issues, [("unknown_reference".to_owned(), "personId".to_owned())], "{body}");
    }
    for body in [json!({ "accountId": "none" }), json!({ "accountId": account["accountId"] })] {
        let issues = client.post(&format!("{page}/audiences"), &body).await.issues();
        assert_eq!(issues, [("unknown_reference".to_owned(), "accountId".to_owned())], "{body}");
    }
    let both = json!({ "accountId": "none", "personId": "nobody" });
    assert_eq!(client.post(&format!("{page}/audiences"), &both).await.issues().len(), 2);
}

#[tokio::test]
async fn every_broken_rule_is_told_at_once() {
    let (_app, client, page) = with_page().await;
    let body = json!({
        "customName": "", "supplementaryContext": "", "publishBehavior": "later", "actionUrlOverride": "no url",
        "metadataOverride": { "ogImageUrl": "https://x.example" }, "audienceId": "mine", "personId": 7,
    });
    let mut issues = client.post(&format!("{page}/audiences"), &body).await.issues();
    issues.sort();
    let told: Vec<(&str, &str)> = issues.iter().map(|(code, path)| (code.as_str(), path.as_str())).collect();
    assert_eq!(
        told,
        [
            ("invalid_format", "actionUrlOverride"),
            ("invalid_type", "personId"),
            ("invalid_value", "publishBehavior"),
            ("too_short", "customName"),
            ("too_short", "supplementaryContext"),
            ("unrecognized_key", "audienceId"),
            ("unrecognized_key", "metadataOverride.ogImageUrl"),
        ]
    );
    let nulls = json!({ "customName": null, "metadataOverride": null });
    assert_eq!(client.post(&format!("{page}/audiences"), &nulls).await.issues().len(), 2);
}

#[tokio::test]
async fn a_context_may_be_one_character_and_two_hundred_thousand() {
    let (app, client, page) = with_page().await;
    for context in [
        "x".to_owned(),
        "ä".repeat(200_000),
        "<script>alert(1)</script>".to_owned(),
        "\u{202e}שלום".to_owned(),
    ] {
        let body = json!({ "supplementaryContext": context });
        let path = audience(&client, &page, &body).await;
        let shown = client.get(&path).await.expect(200).json();
        assert_eq!(shown["supplementaryContext"], context);
        assert_eq!(shown["latestVersion"]["supplementaryContext"], context);
    }
    app.write_versions().await;
    let listed = client.get(&format!("{page}/audiences")).await.expect(200).json();
    for audience in listed["items"].as_array().unwrap() {
        assert_eq!(audience["status"], "published");
    }
    let body = json!({ "supplementaryContext": "x".repeat(1024 * 1024) });
    client.post(&format!("{page}/audiences"), &body).await.expect(413);
}

#[tokio::test]
async fn an_archived_page_takes_no_audience_and_a_deleted_one_has_none() {
    let (_app, client, page) = with_page().await;
    let path = audience(&client, &page, &json!({})).await;
    client.post(&format!("{page}/archive"), &json!({})).await.expect(200);
    let refused = client.post(&format!("{page}/audiences"), &json!({})).await.expect(409).json();
    assert_eq!(refused["details"], json!({ "status": "archived" }));
    client.get(&path).await.expect(200);
    client.delete(&page).await.expect(200);
    client.post(&format!("{page}/audiences"), &json!({})).await.expect(404);
    for under in ["", "/link", "/versions"] {
        client.get(&format!("{path}{under}")).await.expect(404);
    }
    client.get(&format!("{page}/audiences")).await.expect(404);
}

#[tokio::test]
async fn the_same_request_makes_one_audience() {
    let (app, client, page) = with_page().await;
    let client = client.with("idempotency-key", "k");
    let first = client.post(&format!("{page}/audiences"), &json!({})).await.expect(201);
    app.advance(Duration::from_secs(60));
    let again = client.post(&format!("{page}/audiences"), &json!({})).await.expect(201);
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(again.bytes, first.bytes);
    assert_eq!(client.get(&format!("{page}/audiences")).await.json()["totalCount"], 1);
}
