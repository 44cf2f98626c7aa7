//! The states of audiences and versions, as they are shown.

use maud::Markup;
use serde_json::Value;

use crate::parts::badge::{Tone, badge};
use crate::words::Words;

/// A state as a badge.
pub(crate) fn of(words: Words, status: &str) -> Markup {
    let (tone, key) = match status {
        "published" => (Tone::Good, "status-published"),
        "draft" => (Tone::Warning, "status-draft"),
        "queued" | "pending" => (Tone::Busy, "status-queued"),
        "processing" => (Tone::Busy, "status-processing"),
        "cancelled" => (Tone::Bad, "status-cancelled"),
        "archived" => (Tone::Plain, "status-archived"),
        _ => return badge(Tone::Plain, status),
    };
    badge(tone, &words.text(key))
}

/// Whether somebody has to look at an audience: its newest version is a draft, or could not be written.
pub(crate) fn needs_a_look(audience: &Value) -> bool {
    matches!(audience["latestVersion"]["status"].as_str(), Some("draft" | "cancelled"))
}

/// Whether a version is still being written.
pub(crate) fn is_being_written(status: &str) -> bool {
    matches!(status, "queued" | "pending" | "processing")
}
