//! Putting an audience away and bringing it back.

use serde_json::{Value, json};

use super::{audience, with_page};

#[tokio::test]
async fn an_archived_audience_stays_readable_and_comes_back_as_it_was() {
    let (app, client, page) = with_page().await;
    let path = audience(&client, &page, &json!({})).await;
    app.write_versions().await;
    let before = client.get(&path).await.expect(200).json();
    let archived = client.delete(&path).await.expect(200).json();
    assert_eq!(archived["status"], "archived");
    assert_ne!(archived["archivedAt"], Value::Null);
    // What is live stays, to be shown again.
    assert_eq!(archived["publishedVersion"], before["publishedVersion"]);
    assert_eq!(client.delete(&path).await.expect(200).json(), archived);
    assert_eq!(client.get(&path).await.expect(200).json(), archived);
    assert_eq!(client.post(&format!("{path}/restore"), &json!({})).await.expect(200).json(), before);
    assert_eq!(client.post(&format!("{path}/restore"), &json!({})).await.expect(200).json(), before);
}

#[tokio::test]
async fn what_is_still_to_be_written_is_called_off_and_nothing_new_is_taken() {
    let (app, client, page) = with_page().await;
    let path = audience(&client, &page, &json!({})).await;
    for _ in 0..2 {
        client.post(&format!("{path}/versions"), &json!({})).await.expect(201);
    }
    client.delete(&path).await.expect(200);
    let listed = client.get(&format!("{path}/versions")).await.expect(200).json();
    for version in listed["items"].as_array().unwrap() {
        assert_eq!(version["status"], "cancelled");
        assert_ne!(version["cancelledAt"], Value::Null);
        let publish = format!("{path}/versions/{}/publish", version["versionId"].as_str().unwrap());
        client.post(&publish, &json!({})).await.expect(409);
    }
    let refused = client.post(&format!("{path}/versions"), &json!({})).await.expect(409).json();
    assert_eq!(refused["details"], json!({ "status": "archived" }));
    app.write_versions().await;
    let again = client.get(&format!("{path}/versions")).await.expect(200).json();
    assert_eq!(again, listed);
    client.post(&format!("{path}/restore"), &json!({})).await.expect(200);
    let new = client.post(&format!("{path}/versions"), &json!({})).await.expect(201).json();
    assert_eq!((&new["versionNumber"], &new["status"]), (&json!(4), &json!("queued")));
}
