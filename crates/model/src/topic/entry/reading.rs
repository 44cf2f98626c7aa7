//! Readings: what became of each attempt to read the page or file of an entry.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::time::Timestamp;

/// How many readings of an entry are kept.
pub const KEPT_READINGS: usize = 20;

/// How a reading ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum ReadingOutcome {
    /// The page or file was read.
    Success,
    /// The page is still what was read before.
    Unchanged,
    /// It was not read, and is tried once more in a moment.
    Retry,
    /// It was not read.
    Failed,
}

/// An attempt to read a page or file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
#[schemars(example = json!({
    "readAt": "2026-03-20T09:30:01.250Z", "outcome": "failed", "url": "https://example.com/prices", "status": 404,
    "reason": "The server answered 404.",
}))]
pub struct Reading {
    /// When the attempt ended.
    pub read_at: Timestamp,
    /// How it ended.
    pub outcome: ReadingOutcome,
    /// Address that answered, after redirects. Null for a file.
    pub url: Option<String>,
    /// Status of its answer. Null if there was none, and for a file.
    pub status: Option<u16>,
    /// Why it was not read. Null if it was.
    pub reason: Option<String>,
}
