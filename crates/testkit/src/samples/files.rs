//! A file, for the tests that cover every operation.

use crate::Client;
use serde_json::json;

use crate::samples::owned::Owned;
use crate::samples::{Id, Sample, Work};

/// A file, for the tests that cover every operation.
pub(super) const SAMPLE: Sample = Sample {
    ids: &[Id::top("{file_id}", "file")],
    make: |client, owned| Box::pin(make(client, owned)),
    // A file may be anything, so also what other operations take.
    // Takes any bytes, of which the document has no example in JSON.
    bodies: &[("uploadFile", || json!({ "any": "bytes" }))],
    reads: &["/v0/files"],
    deletes: &["/v0/files/{file_id}"],
    work: &[
        Work {
            name: "pictures",
            made_by: "INSERT INTO pending_work VALUES ('pictures', '{tenant}') ON CONFLICT DO NOTHING;
                INSERT INTO file_contents (tenant_id, file_content_id, sha256, size, file_count)
                VALUES ('{tenant}', 'filecontent_{id}', {digest}, 1, 1);
                INSERT INTO pictures (tenant_id, file_content_id, media_type, due_at, tries)
                VALUES ('{tenant}', 'filecontent_{id}', 'image/png', {old}, 0)",
            left: "pictures WHERE tenant_id = '{tenant}' AND file_content_id = 'filecontent_{id}' AND due_at <= {now}
                AND lease_id IS NULL",
        },
        Work {
            name: "queue_pictures",
            made_by: "INSERT INTO files (tenant_id, file_id, file_content_id, name, content_type, size, sha256, created_at)
                VALUES ('{tenant}', 'file_{id}', 'filecontent_{other}', 'a', 'image/png', 1, {digest}, {old})",
            left: "files f WHERE tenant_id = '{tenant}' AND NOT EXISTS (SELECT p.tries FROM pictures p
                WHERE p.tenant_id = '{tenant}' AND p.file_content_id = f.file_content_id)",
        },
        Work {
            name: "sweep_unused_files",
            made_by: "INSERT INTO file_contents (tenant_id, file_content_id, sha256, size, file_count, unused_since)
                VALUES ('{tenant}', 'filecontent_{third}', {other digest}, 1, 0, {old})",
            left: "file_contents WHERE tenant_id = '{tenant}' AND file_content_id = 'filecontent_{third}'",
        },
    ],
    ..Sample::NONE
};

async fn make(client: &Client, owned: &mut Owned) {
    let text = format!("The notes of {}.", owned.number);
    let file = client.upload("notes.txt", text.as_bytes()).await.expect(201).json();
    owned.add("{file_id}", &file, "fileId");
}
