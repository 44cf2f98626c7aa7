//! Bad input of entries: refused with its place, and nothing changed.

use pagesmith_testkit::TestApp;
use serde_json::json;

use super::{list, make, path, text, topic};

#[tokio::test]
async fn bad_input_is_refused_and_changes_nothing() {
    let app = TestApp::start().await;
    let client = app.client();
    let (_, entries) = topic(&client, "Pricing").await;
    let made = make(&client, &entries, &text("Ours")).await;
    let url = |field: &str, value: serde_json::Value| {
        let mut content = json!({ "type": "url", "url": "https://example.com/", "name": null, "icon": null, "aiSummary": null });
        content[field] = value;
        json!({ "content": content })
    };
    for (body, code, place) in [
        (json!({ "content": null }), "invalid_type", "content"),
        (json!({ "content": {} }), "required", "content.type"),
        (json!({ "content": { "type": "audio" } }), "invalid_value", "content.type"),
        (json!({ "content": { "type": "text" } }), "required", "content.content"),
        (text(&"x".repeat(200_001)), "too_long", "content.content"),
        (text("a\0b"), "invalid_character", "content.content"),
        (url("url", json!("no address")), "invalid_format", "content.url"),
        (url("url", json!("")), "invalid_format", "content.url"),
        (url("url", json!(format!("https://example.com/{}", "x".repeat(10_000)))), "too_long", "content.url"),
        (url("icon", json!("icon.png")), "invalid_format", "content.icon"),
        (url("name", json!("x".repeat(10_001))), "too_long", "content.name"),
        (url("enrichmentStatus", json!("done")), "invalid_value", "content.enrichmentStatus"),
        (url("title", json!("T")), "unrecognized_key", "content.title"),
        (
            json!({ "content": { "type": "url", "url": "https://example.com/" } }),
            "required",
            "content.aiSummary",
        ),
        (
            json!({ "content": { "type": "file", "fileId": "file_00000000000000000000000000", "aiSummary": null } }),
            "unknown_reference",
            "content.fileId",
        ),
        (
            json!({ "content": { "type": "file", "fileId": "../../etc/passwd", "aiSummary": "S" } }),
            "unknown_reference",
            "content.fileId",
        ),
    ] {
        let shown = body.to_string().chars().take(200).collect::<String>();
        for answer in [client.post(&entries, &body).await, client.patch(&path(&entries, &made), &body).await]
        {
            let issues = answer.expect(400).issues();
            assert!(issues.contains(&(code.to_owned(), place.to_owned())), "{shown}: {issues:?}");
        }
    }
    client.post(&entries, &json!({ "sortOrder": 1 })).await.expect(400);
    assert_eq!(list(&client, &entries).await, [made]);
    // The longest text, in any script, and the shortest.
    for accepted in ["価".repeat(200_000), String::new()] {
        make(&client, &entries, &text(&accepted)).await;
    }
    // A topic that is not there comes before what is wrong with the file.
    let body = json!({ "content": { "type": "file", "fileId": "f", "aiSummary": null } });
    client.post("/v0/topics/topic_00000000000000000000000000/entries", &body).await.expect(404);
}

#[tokio::test]
async fn a_tenant_has_ten_thousand_entries_and_not_one_more() {
    let app = TestApp::start().await;
    let client = app.client();
    let (_, entries) = topic(&client, "Full").await;
    let made = make(&client, &entries, &text("One")).await;
    let tenant = app.tenant.clone();
    let most = i64::try_from(pagesmith_model::topic::entry::MOST_ENTRIES).unwrap();
    let fill = move |tx: &mut pagesmith_store::Tx<'_>| {
        use pagesmith_store::tables::counters;
        tx.run(counters::add(&tenant, counters::TOPIC_ENTRIES, 63, most - 1))
    };
    app.store.write(fill).await.unwrap();
    let refused = client.post(&entries, &text("Too many")).await.expect(409).json();
    assert_eq!(refused["details"], json!({ "limit": 10_000 }));
    client.delete(&path(&entries, &made)).await.expect(200);
    make(&client, &entries, &text("In its place")).await;
}
