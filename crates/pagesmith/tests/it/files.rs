//! `/v0/files`: uploads, what they become, and what is left of them.

mod avif;
mod bytes;
mod jpeg;
mod kept;
mod pictures;
mod received;
mod variants;

use pagesmith_testkit::{Client, TestApp};
use serde_json::{Value, json};

/// A picture of one pixel.
pub const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDATx\x9cc\xf8\xcf\xc0\xf0\x1f\0\x05\0\x01\xff\x89\x99=\x1d\0\0\0\0IEND\xaeB`\x82";

fn id(file: &Value) -> &str {
    file["fileId"].as_str().unwrap()
}

fn path(file: &Value) -> String {
    format!("/v0/files/{}", id(file))
}

async fn upload(client: &Client, name: &str, bytes: &[u8]) -> Value {
    client.upload(name, bytes).await.expect(201).json()
}

/// How many objects the storage has for the tenant.
async fn stored(app: &TestApp) -> usize {
    app.files.list(&app.tenant).await.unwrap().len()
}

#[tokio::test]
async fn a_file_is_described_by_its_bytes() {
    let app = TestApp::start().await;
    let client = app.client();
    let file = upload(&client, "Größe.jpg", PNG).await;
    assert!(id(&file).starts_with("file_"));
    let expected = json!({
        "fileId": file["fileId"], "name": "Größe.jpg", "contentType": "image/png", "size": PNG.len(),
        "sha256": "4ff6ab670a58c14270e034e2090d9a432caa263a14e0a25785386b0c12f880b5", "createdAt": file["createdAt"],
    });
    assert_eq!(file, expected);
    let answer = client.get(&path(&file)).await.expect(200);
    assert_eq!(answer.json(), file);
    let tag = answer.header("etag").unwrap().to_owned();
    client.with("if-none-match", &tag).get(&path(&file)).await.expect(304);
    client.with("if-match", "\"another\"").delete(&path(&file)).await.expect(412);
    client.with("if-match", &tag).delete(&path(&file)).await.expect(200);
    client.get(&path(&file)).await.expect(404);
    client.get(&format!("{}/content", path(&file))).await.expect(404);
    client.delete(&path(&file)).await.expect(404);
}

#[tokio::test]
async fn files_are_listed_newest_first_in_parts() {
    let app = TestApp::start().await;
    let client = app.client();
    let mut made = Vec::new();
    for name in ["a", "b", "c"] {
        made.insert(0, upload(&client, name, name.as_bytes()).await);
    }
    let first = client.get("/v0/files?limit=2").await.expect(200).json();
    assert_eq!(first["items"], json!(made[..2]));
    assert_eq!((&first["totalCount"], &first["hasMore"]), (&json!(3), &json!(true)));
    let cursor = first["nextCursor"].as_str().unwrap();
    let rest = client.get_with("/v0/files", &[("cursor", cursor), ("limit", "2")]).await.expect(200).json();
    assert_eq!(rest["items"], json!(made[2..]));
    client.delete(&path(&made[1])).await.expect(200);
    let left = client.get("/v0/files").await.expect(200).json();
    assert_eq!((&left["items"], &left["totalCount"]), (&json!([made[0], made[2]]), &json!(2)));
}

#[tokio::test]
async fn a_repeated_upload_is_answered_again_and_another_one_is_refused() {
    let app = TestApp::start().await;
    let client = app.client().with("idempotency-key", "k");
    let first = client.upload("a.txt", b"bytes").await.expect(201);
    let again = client.upload("a.txt", b"bytes").await.expect(201);
    assert_eq!(again.bytes, first.bytes);
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    client.upload("a.txt", b"other bytes").await.expect(409);
    client.upload("b.txt", b"bytes").await.expect(409);
    assert_eq!(app.client().get("/v0/files").await.expect(200).json()["totalCount"], 1);
    // What was sent again and refused left nothing.
    assert_eq!(stored(&app).await, 1);
}
