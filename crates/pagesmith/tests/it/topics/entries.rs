//! `/v0/topics/{topic_id}/entries`.

mod embedded;
pub(crate) mod files;
mod input;
mod reading;
mod summaries;

use pagesmith_testkit::{Client, TestApp};
use serde_json::{Value, json};

/// A new topic and the path of its entries.
pub(crate) async fn topic(client: &Client, title: &str) -> (Value, String) {
    let topic = client.post("/v0/topics", &json!({ "title": title })).await.expect(201).json();
    let entries = format!("/v0/topics/{}/entries", topic["topicId"].as_str().unwrap());
    (topic, entries)
}

pub(crate) fn text(text: &str) -> Value {
    json!({ "content": { "type": "text", "content": text } })
}

pub(crate) fn page(url: &str) -> Value {
    json!({ "content": { "type": "url", "url": url, "name": null, "icon": null, "aiSummary": null } })
}

pub(crate) async fn make(client: &Client, entries: &str, body: &Value) -> Value {
    client.post(entries, body).await.expect(201).json()
}

pub(crate) fn path(entries: &str, entry: &Value) -> String {
    format!("{entries}/{}", entry["topicEntryId"].as_str().unwrap())
}

async fn list(client: &Client, path: &str) -> Vec<Value> {
    client.get(path).await.expect(200).json()["items"].as_array().unwrap().clone()
}

#[tokio::test]
async fn an_entry_of_a_file_is_found_by_its_name_and_keeps_the_file() {
    let app = TestApp::start().await;
    let client = app.client();
    let (topic, entries) = topic(&client, "Preise").await;
    let bytes = "Der Tarif kostet 9 Euro.".as_bytes();
    let file = client.upload("Preisliste März.txt", bytes).await.expect(201).json();
    let content = json!({ "type": "file", "fileId": file["fileId"], "aiSummary": null });
    let entry = make(&client, &entries, &json!({ "content": content })).await;
    assert_eq!(entry["content"], content);
    let found = client.get("/v0/topics/search?query=preisliste").await.expect(200).json();
    assert_eq!(found["items"][0]["topicId"], topic["topicId"]);
    // The file is another tenant's for everybody else.
    let stranger = app.stranger().await;
    let (_, theirs) = self::topic(&stranger, "Theirs").await;
    stranger.post(&theirs, &json!({ "content": content })).await.expect(400);
    let file = format!("/v0/files/{}", file["fileId"].as_str().unwrap());
    let refused = client.delete(&file).await.expect(409).json();
    let expected = json!({ "reason": "used", "topicEntryIds": [entry["topicEntryId"]] });
    assert_eq!(refused["details"], expected);
    client.patch(&path(&entries, &entry), &text("Words instead.")).await.expect(200);
    client.delete(&file).await.expect(200);
}

#[tokio::test]
async fn a_topic_is_found_by_what_stands_far_down_in_an_entry() {
    let app = TestApp::start().await;
    let client = app.client();
    let (long, entries) = topic(&client, "Manual").await;
    let filling = "Every station is checked twice before it leaves the workshop. ".repeat(400);
    let told =
        format!("{filling}\n\n# Frost\nThe antifreeze of the pumps is renewed by our technicians in autumn.");
    make(&client, &entries, &text(&told)).await;
    let (short, entries) = topic(&client, "Antifreeze").await;
    make(&client, &entries, &text("Nobody else sells it.")).await;
    let file = client.upload("Winter.txt", format!("{filling} Grit is spread at night.").as_bytes()).await;
    let (of_file, entries) = topic(&client, "Winter").await;
    let file_id = &file.expect(201).json()["fileId"];
    let content = json!({ "content": { "type": "file", "fileId": file_id, "aiSummary": null } });
    make(&client, &entries, &content).await;
    app.run_due_work().await;
    let id = |topic: &Value| topic["topicId"].as_str().unwrap().to_owned();
    let found = async |query: &str| -> Vec<String> {
        let found = client.get_with("/v0/topics/search", &[("query", query)]).await.expect(200).json();
        let found: Vec<String> = found["items"].as_array().unwrap().iter().map(id).collect();
        found
    };
    // The one that is called so comes first.
    assert_eq!(found("antifreeze").await, [id(&short), id(&long)]);
    // Together in one passage, in any form; and not each somewhere.
    assert_eq!(found("Technician PUMP").await, [id(&long)]);
    assert_eq!(found("grit spreading").await, [id(&of_file)]);
    assert_eq!(found("antifreeze grit").await, Vec::<String>::new());
    assert_eq!(found("antifreeze submarine").await, Vec::<String>::new());
    // Page by page as well.
    let mut walked = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let mut parameters = vec![("query", "antifreeze"), ("limit", "1")];
        parameters.extend(cursor.as_deref().map(|cursor| ("cursor", cursor)));
        let part = client.get_with("/v0/topics/search", &parameters).await.expect(200).json();
        assert_eq!(part["totalCount"], 2);
        walked.extend(part["items"].as_array().unwrap().iter().map(id));
        cursor = part["nextCursor"].as_str().map(str::to_owned);
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(walked, [id(&short), id(&long)]);
    // What is deleted is not found, whenever the index follows.
    client.delete(&format!("/v0/topics/{}", id(&long))).await.expect(200);
    assert_eq!(found("antifreeze").await, [id(&short)]);
}

#[tokio::test]
async fn an_entry_is_answered_as_the_contract_has_it() {
    let app = TestApp::start().await;
    let client = app.client();
    let (topic, entries) = topic(&client, "Pricing").await;
    let entry = make(&client, &entries, &text("The starter plan is free.")).await;
    assert!(entry["topicEntryId"].as_str().unwrap().starts_with("topicentry_"));
    let expected = json!({
        "topicEntryId": entry["topicEntryId"], "topicId": topic["topicId"], "sortOrder": 0,
        "content": { "type": "text", "content": "The starter plan is free." },
        "createdAt": entry["createdAt"], "updatedAt": entry["createdAt"],
    });
    assert_eq!(entry, expected);
    let page = make(&client, &entries, &page("https://example.com/prices")).await;
    let expected = json!({
        "type": "url", "url": "https://example.com/prices", "name": null, "icon": null, "metaDescription": null,
        "purpose": null, "aiSummary": null, "enrichmentStatus": "pending",
    });
    assert_eq!((&page["content"], &page["sortOrder"]), (&expected, &json!(1)));
    let listed = client.get(&entries).await.expect(200).json();
    assert_eq!(
        listed,
        json!({ "items": [entry, page], "hasMore": false, "nextCursor": null, "totalCount": 2 })
    );
    assert_eq!(client.get(&path(&entries, &page)).await.expect(200).json(), page);
}

#[tokio::test]
async fn entries_are_arranged_and_walked_without_a_gap() {
    let app = TestApp::start().await;
    let client = app.client();
    let (_, entries) = topic(&client, "Pricing").await;
    let mut known = Vec::new();
    for (at, order) in [None, Some(5), Some(0), None, Some(5), Some(2)].into_iter().enumerate() {
        let mut body = text(&format!("Number {at}"));
        if let Some(order) = order {
            body["sortOrder"] = json!(order);
        }
        known.push(make(&client, &entries, &body).await);
    }
    known.sort_by_key(|entry| {
        (entry["sortOrder"].as_u64(), entry["topicEntryId"].as_str().map(str::to_owned))
    });
    let (mut walked, mut cursor) = (Vec::new(), None::<String>);
    loop {
        let mut parameters = vec![("limit", "2")];
        parameters.extend(cursor.as_deref().map(|cursor| ("cursor", cursor)));
        let part = client.get_with(&entries, &parameters).await.expect(200).json();
        assert_eq!(part["totalCount"], 6);
        walked.extend(part["items"].as_array().unwrap().clone());
        match part["nextCursor"].as_str() {
            Some(next) => cursor = Some(next.to_owned()),
            None => break,
        }
    }
    assert_eq!(walked, known);
    // A cursor is one topic's.
    let (_, other) = topic(&client, "Support").await;
    let begun = client.get_with(&entries, &[("limit", "2")]).await.json();
    let cursor = begun["nextCursor"].as_str().unwrap();
    client.get_with(&other, &[("cursor", cursor)]).await.expect(400);
}

#[tokio::test]
async fn an_entry_is_changed_field_by_field_and_only_as_it_was_seen() {
    let app = TestApp::start().await;
    let client = app.client();
    let (_, entries) = topic(&client, "Pricing").await;
    let made = make(&client, &entries, &text("Old")).await;
    let path = path(&entries, &made);
    let tag = client.get(&path).await.header("etag").unwrap().to_owned();
    app.advance(std::time::Duration::from_secs(5));
    assert_eq!(client.patch(&path, &json!({})).await.expect(200).json(), made, "nothing was changed");
    let moved = client.patch(&path, &json!({ "sortOrder": 9 })).await.expect(200).json();
    assert_eq!((&moved["sortOrder"], &moved["content"]), (&json!(9), &made["content"]));
    assert_ne!(moved["updatedAt"], made["updatedAt"]);
    client.with("if-match", &tag).patch(&path, &text("Lost")).await.expect(412);
    client.with("if-match", &tag).delete(&path).await.expect(412);
    let changed = client.patch(&path, &text("New")).await.expect(200).json();
    assert_eq!((&changed["content"]["content"], &changed["sortOrder"]), (&json!("New"), &json!(9)));
    assert_eq!(client.delete(&path).await.expect(200).json(), json!({ "success": true }));
    client.get(&path).await.expect(404);
    client.delete(&path).await.expect(404);
    assert_eq!(client.get(&entries).await.json()["totalCount"], 0);
}

#[tokio::test]
async fn what_the_caller_gives_is_kept() {
    let app = TestApp::start().await;
    let client = app.client();
    let (_, entries) = topic(&client, "Pricing").await;
    let content = json!({
        "type": "url", "url": "https://example.com/", "name": "Ours", "icon": "https://example.com/i.png",
        "metaDescription": "Described", "purpose": "", "aiSummary": "Summed up", "enrichmentStatus": "success",
    });
    let made = make(&client, &entries, &json!({ "content": content })).await;
    assert_eq!(made["content"], content);
}

#[tokio::test]
async fn an_entry_is_under_its_own_topic_alone() {
    let app = TestApp::start().await;
    let client = app.client();
    let (_, entries) = topic(&client, "Pricing").await;
    let (_, other) = topic(&client, "Support").await;
    let made = make(&client, &entries, &text("Ours")).await;
    for answer in [
        client.get(&path(&other, &made)).await,
        client.patch(&path(&other, &made), &json!({ "sortOrder": 1 })).await,
        client.delete(&path(&other, &made)).await,
    ] {
        answer.expect(404);
    }
    assert_eq!(client.get(&path(&entries, &made)).await.expect(200).json(), made);
}

#[tokio::test]
async fn a_deleted_topic_takes_its_entries_along() {
    let app = TestApp::start().await;
    let client = app.client();
    let (topic, entries) = topic(&client, "Pricing").await;
    let mut last = json!(null);
    for number in 0..20 {
        last = make(&client, &entries, &text(&format!("Number {number}"))).await;
    }
    client.delete(entries.trim_end_matches("/entries")).await.expect(200);
    client.get(&entries).await.expect(404);
    client.get(&path(&entries, &last)).await.expect(404);
    app.run_due_work().await;
    let tenant = app.tenant.clone();
    let topic_id = pagesmith_model::TopicId::parse(topic["topicId"].as_str().unwrap()).unwrap();
    let left =
        app.store.read(move |tx| pagesmith_store::tables::topics::entries::count(tx, &tenant, &topic_id));
    assert_eq!(left.await.unwrap(), 0);
}
