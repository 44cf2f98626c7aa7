//! The states of audiences and versions, as they are shown.

use maud::Markup;
use serde_json::Value;

use crate::parts::badge::{Tone, badge};
use crate::words::Words;

/// A state as a badge.
pub(crate) fn of(words: Words, status: &str) -> Markup {
    let tone = match status {
        "published" => Tone::Good,
        "draft" => Tone::Warning,
        "queued" | "pending" | "processing" => Tone::Busy,
        "cancelled" => Tone::Bad,
        _ => Tone::Plain,
    };
    badge(tone, &word(words, status))
}

/// A state as a text.
pub(crate) fn word(words: Words, status: &str) -> String {
    match status {
        "published" => words.text("status-published"),
        "draft" => words.text("status-draft"),
        "queued" | "pending" => words.text("status-queued"),
        "processing" => words.text("status-processing"),
        "cancelled" => words.text("status-cancelled"),
        "archived" => words.text("status-archived"),
        other => other.to_owned(),
    }
}

/// Whether somebody has to look at an audience: its newest version is a draft, or could not be written.
pub(crate) fn needs_a_look(audience: &Value) -> bool {
    matches!(audience["latestVersion"]["status"].as_str(), Some("draft" | "cancelled"))
}

/// Whether a version is still being written.
pub(crate) fn is_being_written(status: &str) -> bool {
    matches!(status, "queued" | "pending" | "processing")
}
