//! What a topic shows of its entries, and how it is found by them.

use pagesmith_testkit::TestApp;
use serde_json::{Value, json};

use super::{list, make, page, path, text, topic};

#[tokio::test]
async fn a_topic_embeds_its_entries_and_takes_its_purpose_from_them() {
    let app = TestApp::start().await;
    let client = app.client();
    let (made, entries) = topic(&client, "Pricing").await;
    assert_eq!((&made["entries"], &made["purpose"]), (&json!([]), &Value::Null));
    let own = entries.trim_end_matches("/entries");
    let tag = client.get(own).await.header("etag").unwrap().to_owned();
    let second = make(&client, &entries, &text("# Discounts\n\nNon-profits pay half. Ask us.")).await;
    let mut first = text("The starter plan is free for teams of up to five. It has no end.");
    first["sortOrder"] = json!(0);
    client.patch(&path(&entries, &second), &json!({ "sortOrder": 4 })).await.expect(200);
    let first = make(&client, &entries, &first).await;
    make(&client, &entries, &page("https://example.com/")).await;
    let shown = client.with("if-none-match", &tag).get(own).await.expect(200).json();
    assert_eq!(shown["entries"][0], first);
    assert_eq!(shown["entries"].as_array().unwrap().len(), 3);
    assert_eq!(shown["purpose"], "The starter plan is free for teams of up to five; Discounts");
    assert_eq!(shown["updatedAt"], made["updatedAt"], "only entries were changed");
    assert_eq!(list(&client, "/v0/topics").await[1], shown);
    // Whoever saw the topic without them does not delete it.
    client.with("if-match", &tag).delete(own).await.expect(412);
}

#[tokio::test]
async fn a_topic_embeds_a_hundred_entries_within_a_megabyte() {
    let app = TestApp::start().await;
    let client = app.client();
    let (_, entries) = topic(&client, "Many").await;
    for number in 0..101 {
        make(&client, &entries, &text(&format!("Number {number}"))).await;
    }
    let own = entries.trim_end_matches("/entries");
    let shown = client.get(own).await.expect(200).json();
    assert_eq!(shown["entries"].as_array().unwrap().len(), 100);
    let (_, entries) = topic(&client, "Large").await;
    for _ in 0..6 {
        make(&client, &entries, &text(&"x".repeat(200_000))).await;
    }
    let shown = client.get(entries.trim_end_matches("/entries")).await.expect(200).json();
    assert_eq!(shown["entries"].as_array().unwrap().len(), 5);
}

#[tokio::test]
async fn a_list_of_large_topics_is_cut_and_goes_on_behind() {
    let app = TestApp::start().await;
    let client = app.client();
    let mut known = vec!["General".to_owned()];
    for number in 0..10 {
        let title = format!("Topic {number}");
        let (_, entries) = topic(&client, &title).await;
        for _ in 0..5 {
            make(&client, &entries, &text(&"é".repeat(100_000))).await;
        }
        known.push(title);
    }
    let (mut walked, mut cursor, mut parts) = (Vec::new(), None::<String>, 0);
    loop {
        let mut parameters = vec![("limit", "100")];
        parameters.extend(cursor.as_deref().map(|cursor| ("cursor", cursor)));
        let answer = client.get_with("/v0/topics", &parameters).await.expect(200);
        assert!(answer.bytes.len() <= 8_100_000, "{} bytes", answer.bytes.len());
        let part = answer.json();
        let items = part["items"].as_array().unwrap();
        walked.extend(items.iter().map(|topic| topic["title"].as_str().unwrap().to_owned()));
        parts += 1;
        match part["nextCursor"].as_str() {
            Some(next) => cursor = Some(next.to_owned()),
            None => break,
        }
    }
    assert_eq!((walked, parts), (known, 2));
}

#[tokio::test]
async fn a_search_finds_topics_by_their_entries_behind_those_by_title() {
    let app = TestApp::start().await;
    let client = app.client();
    let (by_entry, entries) = topic(&client, "Conditions").await;
    let entry = make(&client, &entries, &text("Rabatte für Vereine: die Hälfte.")).await;
    let (by_title, _) = topic(&client, "Halfte oder mehr").await;
    let found = async |query: &str| {
        let found = client.get_with("/v0/topics/search", &[("query", query)]).await.expect(200).json();
        let items = found["items"].as_array().unwrap();
        items.iter().map(|topic| topic["topicId"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(found("hälfte").await, [by_title["topicId"].clone(), by_entry["topicId"].clone()]);
    // The words may be spread over title and entries.
    assert_eq!(found("conditions verein").await, [by_entry["topicId"].clone()]);
    assert_eq!(found("conditions schule").await, [] as [Value; 0]);
    client.patch(&path(&entries, &entry), &text("Für Schulen")).await.expect(200);
    assert_eq!(found("conditions schule").await, [by_entry["topicId"].clone()]);
    assert_eq!(found("verein").await, [] as [Value; 0]);
    client.delete(&path(&entries, &entry)).await.expect(200);
    assert_eq!(found("schule").await, [] as [Value; 0]);
}
