//! A file as answers show it.

use pagesmith_model::file::File;
use pagesmith_model::hexadecimal::hexadecimal;
use pagesmith_model::{FileId, Timestamp};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::collection::CollectionItem;

/// A file that was uploaded.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "File", deny_unknown_fields)]
#[schemars(example = json!({
    "fileId": "file_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "name": "price-list.pdf",
    "contentType": "application/pdf",
    "size": 182_044,
    "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "createdAt": "2026-03-20T09:30:00.000Z",
}))]
pub(crate) struct FileView {
    /// Id of the file.
    file_id: FileId,
    /// Name of the file.
    name: String,
    /// Media type of the file, by its content.
    content_type: String,
    /// Number of bytes.
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
    size: u64,
    /// SHA-256 of the bytes, in hexadecimal.
    sha256: String,
    /// When the file was uploaded.
    created_at: Timestamp,
}

impl CollectionItem for FileView {
    const COLLECTION: &str = "A part of the list of files.";
}

impl From<File> for FileView {
    fn from(file: File) -> FileView {
        FileView {
            file_id: file.file_id,
            name: file.name.to_string(),
            content_type: file.content_type,
            size: file.size,
            sha256: hexadecimal(&file.sha256),
            created_at: file.created_at,
        }
    }
}
