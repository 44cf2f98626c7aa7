//! An import of persons, for the tests that cover every operation.

use crate::Client;
use serde_json::json;

use crate::samples::owned::Owned;
use crate::samples::{Id, Sample, Work};

/// An import of persons, for the tests that cover every operation.
pub(super) const SAMPLE: Sample = Sample {
    ids: &[Id::top("{person_import_id}", "personimport")],
    make: |client, owned| Box::pin(make(client, owned)),
    reads: &["/v0/person_imports", "/v0/person_imports/{person_import_id}/preview"],
    work: &[
        Work {
            name: "person_imports",
            made_by: "INSERT INTO pending_work VALUES ('person_imports', '{tenant}') ON CONFLICT DO NOTHING;
                INSERT INTO person_imports (tenant_id, person_import_id, file_name, size, columns, status, created, updated,
                    unchanged, refused, position, created_at, updated_at, due_at, tries)
                VALUES ('{tenant}', 'personimport_{id}', 'a', 1, '[]', 'checking', 0, 0, 0, 0, 0, {old}, {old}, {old}, 0)",
            left: "person_imports WHERE tenant_id = '{tenant}' AND due_at <= {now} AND lease_id IS NULL",
        },
        Work {
            name: "sweep_person_imports",
            made_by: "INSERT INTO person_imports (tenant_id, person_import_id, file_name, size, columns, status, created, updated,
                    unchanged, refused, position, created_at, updated_at, ended_at, tries)
                VALUES ('{tenant}', 'personimport_{other}', 'a', 1, '[]', 'done', 0, 0, 0, 0, 0, {old}, {old}, {old}, 0)",
            left: "person_imports WHERE tenant_id = '{tenant}' AND person_import_id = 'personimport_{other}'",
        },
    ],
    ..Sample::NONE
};

async fn make(client: &Client, owned: &mut Owned) {
    let table = format!("Name,E-mail,Notes\nImported,imported-{}@example.com,none\n", owned.number);
    let file = client.upload("contacts.csv", table.as_bytes()).await.expect(201).json();
    let import =
        client.post("/v0/person_imports", &json!({ "fileId": file["fileId"] })).await.expect(201).json();
    owned.add("{person_import_id}", &import, "personImportId");
}
