//! How far the writing of a version is, why one was not written, and what of the brief is not in it.

use maud::{Markup, html};
use serde_json::Value;

use super::api_path;
use crate::client::{Refused, segment};
use crate::json::{count, items, list_of, some, text};
use crate::screens::actors::Actors;
use crate::screens::status;
use crate::visit::Visit;

/// Notices about the writing of a version: how far it is, why there is none, or what of the brief was kept back. `known` is its history with the actors, if they are read already.
pub(super) async fn notices(
    visit: &Visit,
    version: &Value,
    known: Option<(&Value, &Actors)>,
) -> Result<Markup, Refused> {
    let state = text(version, "status");
    let is_cancelled = state == "cancelled";
    let api = format!("{}/versions/{}", api_path(visit), segment(text(version, "versionId")));
    let progress = visit.api.get(&format!("{api}/progress")).await?.body;
    if !is_cancelled {
        let is_written = !status::is_being_written(state);
        return Ok(if is_written { kept_back(visit, &progress) } else { far(visit, &progress) });
    }
    if let Some((history, actors)) = known {
        return Ok(ended(visit, &progress, history, actors));
    }
    let history = visit.api.get(&format!("{api}/history")).await?.body;
    Ok(ended(visit, &progress, &history, &Actors::read(visit).await?))
}

/// Why the writing has ended without a page.
fn ended(visit: &Visit, progress: &Value, history: &Value, actors: &Actors) -> Markup {
    let ended = items(history).iter().find(|entry| matches!(text(entry, "action"), "failed" | "cancelled"));
    match ended {
        Some(entry) if text(entry, "action") == "cancelled" => {
            let who = actors.name(visit, text(entry, "actor"));
            html! { p { (visit.words.with("writing-cancelled", &[("name", who.into())])) } }
        }
        _ => html! {
            p { (visit.text("writing-failed")) @if let Some(problem) = some(progress, "problem") { " " bdi lang="en" { (problem) } } }
        },
    }
}

/// What of the brief is not on the page, because it was not understood or is perhaps not for visitors.
fn kept_back(visit: &Visit, progress: &Value) -> Markup {
    let kept_back = list_of(progress, "unappliedInstructions");
    html! {
        @if !kept_back.is_empty() {
            details {
                summary { (visit.words.with("writing-kept-back", &[("count", kept_back.len().into())])) }
                p.help { (visit.text("writing-kept-back-help")) }
                ul { @for part in kept_back { li dir="auto" { (part.as_str().unwrap_or_default()) } } }
            }
        }
    }
}

/// How far the writing is.
fn far(visit: &Visit, progress: &Value) -> Markup {
    let (blocks, tries) = (count(progress, "blocks"), count(progress, "tries"));
    html! {
        p.help role="status" {
            (step(visit, progress)) " "
            @if blocks > 0 { (visit.words.with("writing-blocks", &[("count", blocks.into())])) " " }
            (visit.text("being-written"))
        }
        @if tries > 1 {
            p.help {
                (visit.words.with("writing-tries", &[("count", tries.into())]))
                @if let Some(problem) = some(progress, "problem") { " " bdi lang="en" { (problem) } }
            }
        }
    }
}

/// What is being done.
fn step(visit: &Visit, progress: &Value) -> String {
    match (text(progress, "step"), text(progress, "status")) {
        ("reading", _) => visit.text("writing-reading"),
        ("planning", _) => visit.text("writing-planning"),
        ("writing", _) => visit.text("writing-writing"),
        ("checking", _) => visit.text("writing-checking"),
        ("again", _) => visit.text("writing-again"),
        (_, "processing") => visit.text("writing-begins"),
        (_, "pending") => visit.text("writing-pending"),
        _ => visit.text("writing-queued"),
    }
}
