//! The states of audiences and versions, as they are shown.

use maud::Markup;

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

/// Whether a version is still being written.
pub(crate) fn is_being_written(status: &str) -> bool {
    matches!(status, "queued" | "pending" | "processing")
}
