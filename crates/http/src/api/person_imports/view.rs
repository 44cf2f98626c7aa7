//! An import of persons as answers show it.

use std::time::Duration;

use pagesmith_model::example::example;
use pagesmith_model::person_import::{ImportColumn, ImportRefusal, ImportStatus, PersonImport};
use pagesmith_model::{FileId, PersonImportId, Result, Timestamp};
use pagesmith_operations::person_imports;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::collection::CollectionItem;
use crate::extract::Call;
use crate::watched::Watched;

/// An import of persons from a file.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PersonImport", deny_unknown_fields)]
#[schemars(example = json!({
    "personImportId": "personimport_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "status": "done",
    "fileId": null,
    "fileName": "contacts.csv",
    "region": "DE",
    "columns": [example::<ImportColumn>()],
    "progress": 1,
    "created": 950,
    "updated": 40,
    "unchanged": 6,
    "refused": 4,
    "problem": null,
    "createdAt": "2026-03-20T09:30:00.000Z",
    "updatedAt": "2026-03-20T09:32:12.480Z",
    "endedAt": "2026-03-20T09:32:12.480Z",
}))]
pub(crate) struct PersonImportView {
    /// Id of the import.
    #[schemars(length(min = 1))]
    person_import_id: PersonImportId,
    /// What the import does. `draft` and `checked` wait for the caller, `checking` and `importing` are at work, and `done`, `cancelled` and
    /// `failed` are ends.
    status: ImportStatus,
    /// Id of the file. Null when the import has ended: the file is deleted then, unless something else uses it.
    file_id: Option<FileId>,
    /// Name of the file.
    file_name: String,
    /// Country of phone numbers without a country code. Null if only international numbers are taken.
    region: Option<String>,
    /// Columns in the order of the file.
    columns: Vec<ImportColumn>,
    /// Share of the file that was read, from 0 to 1.
    #[schemars(range(min = 0, max = 1))]
    progress: f64,
    /// Number of persons that were created. While an import is checked and afterwards, this and the other counts say what would be done.
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
    created: u64,
    /// Number of persons that were changed.
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
    updated: u64,
    /// Number of rows that said nothing new.
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
    unchanged: u64,
    /// Number of rows that could not be taken.
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
    refused: u64,
    /// Why the import failed, as a sentence.
    problem: Option<String>,
    /// When the import was created.
    created_at: Timestamp,
    /// When the import last got further.
    updated_at: Timestamp,
    /// When the import ended.
    ended_at: Option<Timestamp>,
}

impl CollectionItem for PersonImportView {
    const COLLECTION: &str = "A part of the list of imports of persons.";
}

impl From<PersonImport> for PersonImportView {
    #[expect(clippy::cast_precision_loss, reason = "a file has far fewer bytes than a double tells apart")]
    fn from(import: PersonImport) -> PersonImportView {
        let progress = if import.size == 0 { 1.0 } else { import.position as f64 / import.size as f64 };
        PersonImportView {
            person_import_id: import.person_import_id,
            status: import.status,
            file_id: import.file_id,
            file_name: import.file_name,
            region: import.region,
            columns: import.columns,
            progress,
            created: import.counts.created,
            updated: import.counts.updated,
            unchanged: import.counts.unchanged,
            refused: import.counts.refused,
            problem: import.problem,
            created_at: import.created_at,
            updated_at: import.updated_at,
            ended_at: import.ended_at,
        }
    }
}

impl Watched for PersonImportView {
    type Of = PersonImportId;
    const EVENT: &'static str = "progress";
    const EXAMPLE: &'static str = "{\"status\":\"importing\",\"progress\":0.4,…}";
    const INTERVAL: Duration = Duration::from_millis(500);

    async fn read(call: &Call, id: &PersonImportId) -> Result<PersonImportView> {
        let id = id.clone();
        call.point_read(move |tx, ctx| person_imports::find(tx, ctx, &id)).await.map(PersonImportView::from)
    }

    fn is_final(&self) -> bool {
        !self.status.is_working()
    }
}

/// A row of the file that was refused.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PersonImportRefusal", deny_unknown_fields)]
#[schemars(example = json!({ "line": 17, "reason": "E-mail: is no e-mail address" }))]
pub(crate) struct RefusalView {
    /// Line of the file on which the row begins; the first line has the headings.
    #[schemars(range(min = 1, max = 9_007_199_254_740_991_u64))]
    line: u64,
    /// Reason why the row was refused.
    reason: String,
}

impl CollectionItem for RefusalView {
    const COLLECTION: &str = "A part of the refused rows of an import.";
}

impl From<ImportRefusal> for RefusalView {
    fn from(refusal: ImportRefusal) -> RefusalView {
        RefusalView { line: refusal.line, reason: refusal.reason }
    }
}

/// The first rows of a file.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PersonImportPreview", deny_unknown_fields)]
#[schemars(example = json!({ "rows": [["Ada Lovelace", "ada@example.com"]] }))]
pub(crate) struct PreviewView {
    /// Cells of the first rows, in the order of the columns.
    pub(crate) rows: Vec<Vec<String>>,
}
