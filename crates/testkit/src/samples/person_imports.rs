//! An import of persons, for the tests that cover every operation.

use crate::Client;
use serde_json::json;

use crate::samples::owned::Owned;
use crate::samples::{Id, Sample};

/// An import of persons, for the tests that cover every operation.
pub(super) const SAMPLE: Sample = Sample {
    ids: &[Id::top("{person_import_id}", "personimport")],
    make: |client, owned| Box::pin(make(client, owned)),
    bodies: &[
        ("createPersonImport", || json!({ "fileId": "{file_id}" })),
        ("updatePersonImport", || json!({ "columns": ["name", "email", "ignore"] })),
        ("checkPersonImport", || json!({})),
        ("startPersonImport", || json!({})),
        ("cancelPersonImport", || json!({})),
    ],
    reads: &["/v0/person_imports", "/v0/person_imports/{person_import_id}/preview"],
    differences: &[(
        "Beyond the contract: imports of persons.",
        &[
            "GET /v0/person_imports: operation – → documented",
            "GET /v0/person_imports/{person_import_id}: operation – → documented",
            "GET /v0/person_imports/{person_import_id}/preview: operation – → documented",
            "GET /v0/person_imports/{person_import_id}/progress: operation – → documented",
            "GET /v0/person_imports/{person_import_id}/refusals: operation – → documented",
            "GET /v0/person_imports/{person_import_id}/refusals/export: operation – → documented",
            "PATCH /v0/person_imports/{person_import_id}: operation – → documented",
            "POST /v0/person_imports: operation – → documented",
            "POST /v0/person_imports/{person_import_id}/cancel: operation – → documented",
            "POST /v0/person_imports/{person_import_id}/check: operation – → documented",
            "POST /v0/person_imports/{person_import_id}/start: operation – → documented",
        ],
    )],
    ..Sample::NONE
};

async fn make(client: &Client, owned: &mut Owned) {
    let table = format!("Name,E-mail,Notes\nImported,imported-{}@example.com,none\n", owned.number);
    let file = client.upload("contacts.csv", table.as_bytes()).await.expect(201).json();
    let import =
        client.post("/v0/person_imports", &json!({ "fileId": file["fileId"] })).await.expect(201).json();
    owned.add("{person_import_id}", &import, "personImportId");
}
