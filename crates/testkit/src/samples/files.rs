//! A file, for the tests that cover every operation.

use crate::Client;
use serde_json::json;

use crate::samples::owned::Owned;
use crate::samples::{Id, Sample};

/// A file, for the tests that cover every operation.
pub(super) const SAMPLE: Sample = Sample {
    ids: &[Id::top("{file_id}", "file")],
    make: |client, owned| Box::pin(make(client, owned)),
    // A file may be anything, so also what other operations take.
    bodies: &[("uploadFile", || json!({ "any": "bytes" }))],
    reads: &["/v0/files"],
    deletes: &["/v0/files/{file_id}"],
    differences: &[(
        "Beyond the contract: files.",
        &[
            "DELETE /v0/files/{file_id}: operation – → documented",
            "GET /v0/files/{file_id}/content: operation – → documented",
            "GET /v0/files/{file_id}: operation – → documented",
            "GET /v0/files: operation – → documented",
            "POST /v0/files: operation – → documented",
        ],
    )],
    ..Sample::NONE
};

async fn make(client: &Client, owned: &mut Owned) {
    let text = format!("The notes of {}.", owned.number);
    let file = client.upload("notes.txt", text.as_bytes()).await.expect(201).json();
    owned.add("{file_id}", &file, "fileId");
}
