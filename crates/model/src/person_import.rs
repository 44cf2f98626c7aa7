//! Imports of persons: a file that was uploaded, what its columns become, and how far the import is.

pub mod columns;
pub mod headings;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::bounds::{Bounded, SomeText};
use crate::id::{FileId, PersonImportId};
use crate::time::Timestamp;
use columns::{Columns, Kind};

/// The largest file, in bytes: about 500,000 rows.
pub const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// How many rows that could not be taken are kept of an import. More are only counted.
pub const MOST_REFUSALS: u64 = 10_000;

/// How many imports a tenant may have at once that have not ended.
pub const MOST_OPEN: u64 = 1_000;

/// What an import is about to do, or has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum ImportStatus {
    /// Waits for somebody to check or start it.
    Draft,
    /// Finds out what it would do.
    Checking,
    /// Has found out what it would do, and waits to be started.
    Checked,
    /// Is writing.
    Importing,
    /// Has read the whole file.
    Done,
    /// Was ended by somebody, or waited too long. What was written stays.
    Cancelled,
    /// The file could not be read to its end. What was written stays.
    Failed,
}

impl ImportStatus {
    /// Every status.
    pub const ALL: [ImportStatus; 7] = [
        ImportStatus::Draft,
        ImportStatus::Checking,
        ImportStatus::Checked,
        ImportStatus::Importing,
        ImportStatus::Done,
        ImportStatus::Cancelled,
        ImportStatus::Failed,
    ];

    /// As it is stored and sent.
    pub fn as_str(self) -> &'static str {
        match self {
            ImportStatus::Draft => "draft",
            ImportStatus::Checking => "checking",
            ImportStatus::Checked => "checked",
            ImportStatus::Importing => "importing",
            ImportStatus::Done => "done",
            ImportStatus::Cancelled => "cancelled",
            ImportStatus::Failed => "failed",
        }
    }

    /// The status of this name.
    pub fn parse(text: &str) -> Option<ImportStatus> {
        ImportStatus::ALL.into_iter().find(|status| status.as_str() == text)
    }

    /// Whether somebody may change what the columns become.
    pub fn is_editable(self) -> bool {
        matches!(self, ImportStatus::Draft | ImportStatus::Checked)
    }

    /// Whether a worker has to do something.
    pub fn is_working(self) -> bool {
        matches!(self, ImportStatus::Checking | ImportStatus::Importing)
    }

    /// Whether nothing happens any more.
    pub fn has_ended(self) -> bool {
        matches!(self, ImportStatus::Done | ImportStatus::Cancelled | ImportStatus::Failed)
    }
}

/// What became of the rows until now.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ImportCounts {
    /// Persons that were created.
    pub created: u64,
    /// Persons that were changed.
    pub updated: u64,
    /// Rows that said nothing new.
    pub unchanged: u64,
    /// Rows that could not be taken.
    pub refused: u64,
}

impl ImportCounts {
    /// How many rows were read.
    pub fn rows(&self) -> u64 {
        self.created + self.updated + self.unchanged + self.refused
    }
}

/// A column of an import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PersonImportColumn", deny_unknown_fields)]
#[schemars(example = json!({ "name": "E-mail", "becomes": "email", "rows": 996 }))]
pub struct ImportColumn {
    /// Heading of the column.
    pub name: String,
    /// What a cell becomes: a field of the person, a part of its `context` under the heading, or nothing (`ignore`).
    pub becomes: Kind,
    /// Number of the rows read so far, without refused ones, in which the column holds something.
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
    pub rows: u64,
}

/// An import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonImport {
    /// Its id.
    pub person_import_id: PersonImportId,
    /// The file, until the import has ended.
    pub file_id: Option<FileId>,
    /// What the file is called.
    pub file_name: String,
    /// How many bytes it has.
    pub size: u64,
    /// The country of phone numbers without a country code.
    pub region: Option<String>,
    /// Its columns, in the order of the file.
    pub columns: Vec<ImportColumn>,
    /// What it does.
    pub status: ImportStatus,
    /// What became of the rows; of one that is checked, what would become of them.
    pub counts: ImportCounts,
    /// How much of the file was read, in bytes.
    pub position: u64,
    /// Why it failed.
    pub problem: Option<String>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
}

impl PersonImport {
    /// What the columns are for.
    pub fn mapping(&self) -> Columns {
        Columns {
            kinds: self.columns.iter().map(|column| column.becomes).collect(),
            names: self.columns.iter().map(|column| column.name.clone()).collect(),
        }
    }
}

/// A row that could not be taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportRefusal {
    /// The line of the file that it begins on.
    pub line: u64,
    /// Why.
    pub reason: String,
}

/// An import to be made.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "CreatePersonImportRequest")]
#[schemars(example = json!({ "fileId": "file_01jpbz8n4xf5k9w2d7hq3mv6ta", "region": "DE" }))]
pub struct NewPersonImport {
    /// Id of the file, which was uploaded to `/v0/files`: CSV with column names in its first line, separated by commas, semicolons or tabs; in UTF-8, or in one in which spreadsheets save, which is recognised.
    #[schemars(with = "SomeText")]
    pub file_id: String,
    /// Country of phone numbers without a country code: two letters, such as `DE`. Left out, it is the tenant's.
    #[serde(default)]
    #[schemars(with = "Option<Bounded<2, 2>>")]
    pub region: Option<String>,
}

/// Changes of an import.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "UpdatePersonImportRequest")]
#[schemars(example = json!({ "columns": ["name", "email", "ignore"] }))]
pub struct PersonImportPatch {
    /// What each column becomes, in the order of the file.
    #[serde(default)]
    #[schemars(with = "Vec<Kind>", length(max = 120))]
    pub columns: Option<Vec<Kind>>,
    /// Country of phone numbers without a country code: two letters, such as `DE`.
    #[serde(default)]
    #[schemars(with = "Bounded<2, 2>")]
    pub region: Option<String>,
}
