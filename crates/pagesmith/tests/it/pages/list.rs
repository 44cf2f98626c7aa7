//! `GET /v0/pages`.

use pagesmith_testkit::TestApp;
use serde_json::{Value, json};

use super::{address, make_named, names, read};

async fn list(app: &TestApp, query: &str) -> Value {
    app.client().get(&format!("/v0/pages{query}")).await.expect(200).json()
}

#[tokio::test]
async fn without_pages_the_list_is_empty() {
    let app = TestApp::start().await;
    assert_eq!(
        list(&app, "").await,
        json!({ "items": [], "hasMore": false, "nextCursor": null, "totalCount": 0 })
    );
}

#[tokio::test]
async fn pages_are_listed_newest_first_in_full() {
    let app = TestApp::start().await;
    let mut made = Vec::new();
    for name in ["first", "second", "third"] {
        made.insert(0, make_named(&app.client(), name).await);
    }
    assert_eq!(list(&app, "").await["items"], json!(made));
    // A change does not move a page.
    app.advance(std::time::Duration::from_secs(1));
    let changed =
        app.client().patch(&address(&made[2]), &json!({ "name": "changed" })).await.expect(200).json();
    assert_eq!(list(&app, "").await["items"], json!([made[0], made[1], changed]));
}

#[tokio::test]
async fn archived_pages_are_listed_and_deleted_ones_are_not() {
    let app = TestApp::start().await;
    let client = app.client();
    let kept = make_named(&client, "kept").await;
    let archived = make_named(&client, "archived").await;
    let deleted = make_named(&client, "deleted").await;
    let both = make_named(&client, "both").await;
    for page in [&archived, &both] {
        client.post(&format!("{}/archive", address(page)), &json!({})).await.expect(200);
    }
    for page in [&deleted, &both] {
        client.delete(&address(page)).await.expect(200);
    }
    let listed = list(&app, "").await;
    assert_eq!(listed["items"], json!([read(&client, &archived).await, kept]));
    assert_eq!(listed["totalCount"], 2);
    client.post(&format!("{}/restore", address(&deleted)), &json!({})).await.expect(200);
    let listed = list(&app, "").await;
    assert_eq!(names(&listed), ["deleted", "archived", "kept"]);
    assert_eq!(listed["totalCount"], 3);
}

#[tokio::test]
async fn the_total_counts_every_page_once_however_often_it_is_put_away_and_brought_back() {
    let app = TestApp::start().await;
    let client = app.client();
    let page = make_named(&client, "page").await;
    make_named(&client, "other").await;
    for (method, path, total) in [
        ("DELETE", "", 1),
        ("DELETE", "", 1),
        ("POST", "/restore", 2),
        ("POST", "/restore", 2),
        ("POST", "/archive", 2),
        ("POST", "/archive", 2),
        ("DELETE", "", 1),
        ("DELETE", "", 1),
        ("POST", "/restore", 2),
    ] {
        client.send(method, &format!("{}{path}", address(&page)), None).await.expect(200);
        assert_eq!(list(&app, "").await["totalCount"], total, "{method} {path}");
    }
    // A page that was refused is not counted.
    client.post("/v0/pages", &json!({})).await.expect(400);
    assert_eq!(list(&app, "?limit=1").await["totalCount"], 2);
}

#[tokio::test]
async fn twenty_pages_are_answered_if_no_limit_is_given() {
    let app = TestApp::start().await;
    for number in 0..21 {
        make_named(&app.client(), &format!("page {number}")).await;
    }
    let first = list(&app, "").await;
    assert_eq!(names(&first).len(), 20);
    assert_eq!(first["hasMore"], true);
    assert_eq!(first["totalCount"], 21);
    let rest = list(&app, &format!("?cursor={}", first["nextCursor"].as_str().unwrap())).await;
    assert_eq!(names(&rest), ["page 0"]);
    assert_eq!((&rest["hasMore"], &rest["nextCursor"]), (&json!(false), &Value::Null));
    assert_eq!(rest["totalCount"], 21);
}

#[tokio::test]
async fn there_is_no_cursor_where_nothing_follows() {
    let app = TestApp::start().await;
    for number in 0..3 {
        make_named(&app.client(), &format!("page {number}")).await;
    }
    let all = list(&app, "?limit=3").await;
    assert_eq!((&all["hasMore"], &all["nextCursor"]), (&json!(false), &Value::Null));
    let some = list(&app, "?limit=2").await;
    assert_eq!(names(&some), ["page 2", "page 1"]);
    assert!(some["nextCursor"].is_string() && some["hasMore"] == true);
}

#[tokio::test]
async fn a_limit_is_a_whole_number_from_1_to_100() {
    let app = TestApp::start().await;
    make_named(&app.client(), "page").await;
    for limit in ["1", "100", "007"] {
        assert_eq!(names(&list(&app, &format!("?limit={limit}")).await), ["page"]);
    }
    for (limit, code) in [
        ("0", "too_small"),
        ("-1", "too_small"),
        ("101", "too_big"),
        ("99999999999999999999", "too_big"),
        ("%2B5", "invalid_type"),
        ("1.0", "invalid_type"),
        ("1e1", "invalid_type"),
        ("", "invalid_type"),
        ("ten", "invalid_type"),
        ("%D9%A1", "invalid_type"),
    ] {
        for path in ["/v0/pages", "/v0/pages/search"] {
            let issues = app.client().get(&format!("{path}?limit={limit}")).await.issues();
            assert_eq!(issues, [(code.to_owned(), "limit".to_owned())], "{limit}");
        }
    }
}

#[tokio::test]
async fn unknown_parameters_are_ignored() {
    let app = TestApp::start().await;
    make_named(&app.client(), "page").await;
    assert_eq!(names(&list(&app, "?status=archived&x&=1&limit=5").await), ["page"]);
}
