//! The states of audiences and versions, as they are shown, and where the next ones are told.

use maud::Markup;

use crate::client::Refused;
use crate::json::text;
use crate::parts::badge::{Tone, badge};
use crate::parts::live::since;
use crate::visit::Visit;
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

/// The address of the events of a version that is being written, of the API's path `api` and below `here`: from what is told of it on.
pub(crate) async fn events(visit: &Visit, api: &str, here: &str) -> Result<String, Refused> {
    let progress = visit.api.get(&format!("{api}/progress")).await?;
    let events = format!("{here}/events");
    // Ended since it was found being written, it says so at once.
    let is_written = !is_being_written(text(&progress.body, "status"));
    Ok(if is_written { events } else { since(&events, &progress) })
}
