//! `GET /v0/pages/search`.

use pagesmith_testkit::TestApp;
use serde_json::{Value, json};

use super::{address, id, make, make_named, names};

async fn search(app: &TestApp, query: &str) -> Value {
    app.client().get_with("/v0/pages/search", &[("query", query)]).await.expect(200).json()
}

#[tokio::test]
async fn a_found_page_carries_four_fields() {
    let app = TestApp::start().await;
    let made = make(&app.client(), &pagesmith_testkit::fixtures::full_page()).await;
    let found = search(&app, "launch").await;
    let item =
        json!({ "pageId": id(&made), "name": "Spring Launch", "pageType": "outbound", "audiencesCount": 0 });
    assert_eq!(found, json!({ "items": [item], "hasMore": false, "nextCursor": null, "totalCount": 1 }));
}

#[tokio::test]
async fn the_best_match_comes_first_and_the_newest_within_each() {
    let app = TestApp::start().await;
    for name in [
        "Respringing",
        "Spring",
        "Springtime",
        "Early spring",
        "Offspring",
        "Spring Launch",
        "spring",
        "In spring",
        "Autumn",
    ] {
        make_named(&app.client(), name).await;
    }
    let found = search(&app, "SPRING").await;
    assert_eq!(
        names(&found),
        [
            "spring",
            "Spring",
            "Spring Launch",
            "Springtime",
            "In spring",
            "Early spring",
            "Offspring",
            "Respringing"
        ]
    );
    assert_eq!(found["totalCount"], 8);
}

#[tokio::test]
async fn every_word_must_occur_in_any_case_and_accent() {
    let app = TestApp::start().await;
    for name in ["Crème Brûlée Straße", "Creme", "ПРИВЕТ мир", "東京 タワー", "100% off_now"]
    {
        make_named(&app.client(), name).await;
    }
    for (query, found) in [
        ("creme", vec!["Creme", "Crème Brûlée Straße"]),
        ("STRASSE brulee", vec!["Crème Brûlée Straße"]),
        ("rème rûl", vec!["Crème Brûlée Straße"]),
        ("creme tea", vec![]),
        ("привет", vec!["ПРИВЕТ мир"]),
        ("京", vec!["東京 タワー"]),
        ("100%", vec!["100% off_now"]),
        ("%", vec!["100% off_now"]),
        ("_", vec!["100% off_now"]),
        ("c_eme", vec![]),
        ("'", vec![]),
        ("\\", vec![]),
    ] {
        assert_eq!(names(&search(&app, query).await), found, "{query}");
    }
}

#[tokio::test]
async fn without_words_every_page_is_found_newest_first() {
    let app = TestApp::start().await;
    for name in ["a", "b", "🚀"] {
        make_named(&app.client(), name).await;
    }
    for query in ["", "  ", "\t\u{a0}\n", "\u{200b}"] {
        let found = search(&app, query).await;
        assert_eq!(names(&found), ["🚀", "b", "a"], "{query:?}");
        assert_eq!(found["totalCount"], 3);
    }
    let none = app.client().get("/v0/pages/search").await.expect(200).json();
    assert_eq!(names(&none), ["🚀", "b", "a"]);
}

#[tokio::test]
async fn only_the_name_is_searched() {
    let app = TestApp::start().await;
    make(&app.client(), &pagesmith_testkit::fixtures::full_page()).await;
    for query in ["anvils", "acme", "outbound", "book", "page_"] {
        assert_eq!(search(&app, query).await["totalCount"], 0, "{query}");
    }
}

#[tokio::test]
async fn a_search_follows_names_deletions_and_restores() {
    let app = TestApp::start().await;
    let client = app.client();
    let page = make_named(&client, "Spring Launch").await;
    let address = address(&page);
    client.patch(&address, &json!({ "name": "Autumn Sale" })).await.expect(200);
    assert_eq!(search(&app, "spring").await["totalCount"], 0);
    assert_eq!(names(&search(&app, "sale").await), ["Autumn Sale"]);
    client.post(&format!("{address}/archive"), &json!({})).await.expect(200);
    assert_eq!(names(&search(&app, "sale").await), ["Autumn Sale"]);
    client.delete(&address).await.expect(200);
    let gone = search(&app, "sale").await;
    assert_eq!((names(&gone).len(), &gone["totalCount"]), (0, &json!(0)));
    assert_eq!(search(&app, "").await["totalCount"], 0);
    client.post(&format!("{address}/restore"), &json!({})).await.expect(200);
    assert_eq!(names(&search(&app, "sale").await), ["Autumn Sale"]);
}

#[tokio::test]
async fn a_query_has_at_most_a_thousand_characters() {
    let app = TestApp::start().await;
    assert_eq!(search(&app, &"ü".repeat(1_000)).await["totalCount"], 0);
    let path = format!("/v0/pages/search?query={}", "u".repeat(1_001));
    let issues = app.client().get(&path).await.issues();
    assert_eq!(issues, [("too_long".to_owned(), "query".to_owned())]);
}

#[tokio::test]
async fn a_query_of_many_words_is_answered() {
    let app = TestApp::start().await;
    make_named(&app.client(), "every letter: abcdefghijklmnopqrstuvwxyz 0123456789").await;
    let words: Vec<String> =
        (0..500_u16).map(|number| char::from(b'!' + (number % 90) as u8).to_string()).collect();
    assert_eq!(search(&app, &words.join(" ")).await["totalCount"], 0);
    let found = search(&app, "a b c d e f g h i j k l m n o p q r s t u v w x y z 0 1 2 3 4 5 6 7 8 9").await;
    assert_eq!(found["totalCount"], 1);
}
