//! `GET /v0/accounts/search`.

use pagesmith_testkit::TestApp;
use serde_json::{Value, json};

use super::{address, domains, make, make_named, person, walk};

mod many;
mod model;

async fn search(app: &TestApp, query: &str) -> Value {
    app.client().get_with("/v0/accounts/search", &[("query", query)]).await.expect(200).json()
}

#[tokio::test]
async fn the_best_match_comes_first_and_the_newest_among_equals() {
    let app = TestApp::start().await;
    let client = app.client();
    for (domain, name) in [
        ("one.com", "Big Superacme"),
        ("two.com", "The Acme Group"),
        ("three.com", "Acme Group"),
        ("four.com", "ACME"),
        ("acme.com", "Anvils"),
        ("my-acme.com", "Anvils"),
        ("superacme.com", "Anvils"),
        ("five.com", "Ácmé"),
        ("six.com", "Globex"),
    ] {
        make_named(&client, domain, name).await;
    }
    let expected = [
        "five.com",
        "four.com",
        "acme.com",
        "three.com",
        "my-acme.com",
        "two.com",
        "superacme.com",
        "one.com",
    ];
    let found = search(&app, "acme").await;
    assert_eq!(domains(&found), expected);
    assert_eq!(found["totalCount"], 8);
    let (items, total) = walk(&client, "/v0/accounts/search?query=AcMe").await;
    assert_eq!(json!(items), found["items"]);
    assert_eq!(total, 8);
    // A whole domain is an exact match.
    assert_eq!(domains(&search(&app, "acme.com").await), ["acme.com", "my-acme.com", "superacme.com"]);
}

#[tokio::test]
async fn every_word_must_occur_in_the_name_or_the_domain() {
    let app = TestApp::start().await;
    let client = app.client();
    make_named(&client, "acme.com", "Anvils and more").await;
    make(&client, "nameless.org").await;
    for (query, total) in [
        ("anvils com", 1),
        ("com anv", 1),
        ("anvils org", 0),
        ("org", 1),
        ("nameless", 1),
        ("e", 2),
        ("xn--", 0),
        ("%", 0),
        ("_", 0),
        ("*", 0),
        ("\"acme\"", 0),
        ("acme OR globex", 0),
        ("'; DROP TABLE accounts; --", 0),
        ("🚀", 0),
        ("مرحبا", 0),
        ("", 2),
        ("  \t", 2),
    ] {
        assert_eq!(search(&app, query).await["totalCount"], total, "{query}");
    }
}

#[tokio::test]
async fn a_search_without_words_is_the_list() {
    let app = TestApp::start().await;
    let client = app.client();
    for domain in ["acme.com", "globex.com"] {
        make(&client, domain).await;
    }
    let listed = client.get("/v0/accounts").await.expect(200).bytes;
    assert_eq!(client.get("/v0/accounts/search").await.expect(200).bytes, listed);
    assert_eq!(client.get("/v0/accounts/search?query=%20").await.expect(200).bytes, listed);
}

#[tokio::test]
async fn only_empty_accounts_are_found_where_they_are_asked_for() {
    let app = TestApp::start().await;
    let client = app.client();
    make(&client, "acme.com").await;
    make(&client, "acme.org").await;
    person(&client, "Ada", "ada@acme.org").await;
    let found = client.get("/v0/accounts/search?query=acme&includeEmptyOnly=true").await.expect(200).json();
    assert_eq!((domains(&found), &found["totalCount"]), (vec!["acme.com"], &json!(1)));
    let found = client.get("/v0/accounts/search?query=acme").await.expect(200).json();
    assert_eq!((domains(&found), &found["totalCount"]), (vec!["acme.org", "acme.com"], &json!(2)));
    assert_eq!(found["items"][0]["linkedPersonsCount"], 1);
}

#[tokio::test]
async fn a_query_has_at_most_a_thousand_characters() {
    let app = TestApp::start().await;
    assert_eq!(search(&app, &"ü".repeat(1_000)).await["totalCount"], 0);
    let words = "a b c d e f g h i j k l m n o p q r s t u v w x y z ".repeat(15);
    assert_eq!(search(&app, &words).await["totalCount"], 0);
    for length in [1_001, 10_000] {
        let path = format!("/v0/accounts/search?query={}", "u".repeat(length));
        let issues = app.client().get(&path).await.issues();
        assert_eq!(issues, [("too_long".to_owned(), "query".to_owned())]);
    }
}

#[tokio::test]
async fn a_name_of_another_script_is_found() {
    let app = TestApp::start().await;
    let client = app.client();
    let account = make(&client, "tower.jp").await;
    client.patch(&address(&account), &json!({ "name": "東京タワー株式会社" })).await.expect(200);
    for query in ["東京", "京", "株式会社", "tower 東京"] {
        assert_eq!(domains(&search(&app, query).await), ["tower.jp"], "{query}");
    }
}
