//! Two versions of an audience beside each other: chosen, and what is different.

use maud::{Markup, html};
use serde_json::Value;

use super::blocks::words as block_words;
use super::{api_path, path};
use crate::client::{Refused, segment};
use crate::json::{items, list_of, text};
use crate::parts::navigation::Area;
use crate::screens::status;
use crate::visit::{Drawn, Screen, Visit};

/// Of how many versions, the newest ones, two can be chosen.
pub(super) const CHOICES: &str = "100";

/// The form in which two of these versions are chosen; nothing where there are no two.
pub(super) fn form(visit: &Visit, versions: &[Value], here: &str) -> Markup {
    // The newest is chosen beside what visitors see, or beside the one before.
    let published = versions.iter().skip(1).position(|version| text(version, "status") == "published");
    let choice = |name: &str, label: String, chosen: usize| {
        html! {
            div.field {
                label for={ "compare-" (name) } { (label) }
                select #{ "compare-" (name) } name=(name) {
                    @for (at, version) in versions.iter().enumerate() {
                        option value=(text(version, "versionId")) selected[at == chosen] { (called(visit, version)) }
                    }
                }
            }
        }
    };
    html! {
        @if versions.len() > 1 {
            form.tools method="get" action={ (here) "/compare" } aria-label=(visit.text("compare-two")) {
                (choice("from", visit.text("compare-from"), published.unwrap_or_default() + 1))
                (choice("to", visit.text("compare-to"), 0))
                button.button type="submit" { (visit.text("compare-two")) }
            }
        }
    }
}

/// A version with its number and its state, as text.
fn called(visit: &Visit, version: &Value) -> String {
    let number = version["versionNumber"].as_i64().unwrap_or_default();
    let number = visit.words.with("version-number", &[("number", number.into())]);
    format!("{number} · {}", status::word(visit.words, text(version, "status")))
}

/// The screen of that form, which leads to the two versions that were chosen.
pub(crate) async fn choose(visit: Visit) -> Result<Drawn, Refused> {
    if let (Some(from), Some(to)) = (visit.asked("from"), visit.asked("to")) {
        let chosen = format!("{}/compare/{}/{}", path(&visit), segment(&from), segment(&to));
        return Ok(visit.moved(&chosen));
    }
    let versions =
        visit.api.find(&format!("{}/versions", api_path(&visit)), &[("limit", Some(CHOICES))]).await?.body;
    let here = visit.url(&path(&visit));
    let main = html! {
        @if items(&versions).len() < 2 { p { (visit.text("compare-none")) } }
        (form(&visit, items(&versions), &here))
    };
    Ok(Screen::new(Area::Pages, visit.text("compare-two"), main)
        .below(visit.text("versions"), format!("{here}/versions"))
        .into())
}

/// What is different between two versions.
pub(crate) async fn compare(visit: Visit) -> Result<Drawn, Refused> {
    let (from, to) = (segment(visit.id("from_id")), segment(visit.id("to_id")));
    let difference = visit.api.get(&format!("{}/versions/{from}/diff/{to}", api_path(&visit))).await?.body;
    let here = visit.url(&path(&visit));
    let fields = |list: &Value, label: &dyn Fn(&str) -> String| {
        let fields = list.as_array().map(Vec::as_slice).unwrap_or_default();
        html! { @for field in fields { (changed(field, &label(text(field, "path")))) } }
    };
    let blocks = list_of(&difference, "blocks");
    let of_head = |path: &str| head_field(&visit, path);
    let of_audience = |path: &str| audience_field(&visit, path);
    let of_block = |path: &str| block_words::label_at(visit.words, path);
    let main = html! {
        div.stack {
            @if difference["isSame"] == true { p { (visit.text("versions-same")) } }
            @if difference["isHeadChanged"] == true { section.card { h2 { (visit.text("page-metadata")) } (fields(&difference["head"], &of_head)) } }
            @if !list_of(&difference, "fields").is_empty() { section.card { h2 { (visit.text("audience")) } (fields(&difference["fields"], &of_audience)) } }
            @for block in blocks.iter().filter(|block| text(block, "change") != "kept" || block["isMoved"] == true) {
                section.card {
                    h2 { (change_word(&visit, text(block, "change"))) " · " (block_words::component(visit.words, text(block, "type"))) }
                    @if block["isMoved"] == true { p.help { (visit.text("block-moved")) } }
                    @if text(block, "change") == "changed" && block["fields"].is_null() { p.help { (visit.text("block-changed-whole")) } }
                    (fields(&block["fields"], &of_block))
                }
            }
        }
    };
    Ok(Screen::new(Area::Pages, visit.text("compare"), main)
        .below(visit.text("versions"), format!("{here}/versions"))
        .into())
}

fn change_word(visit: &Visit, change: &str) -> String {
    match change {
        "added" => visit.text("block-added"),
        "removed" => visit.text("block-removed"),
        "changed" => visit.text("block-changed"),
        _ => visit.text("block-kept"),
    }
}

/// What a field of the page's head is called; the name that the API has for what no form shows.
fn head_field(visit: &Visit, path: &str) -> String {
    match path.trim_start_matches('/') {
        "title" => visit.text("meta-title"),
        "description" => visit.text("meta-description"),
        other => other.to_owned(),
    }
}

/// What a field of the audience is called.
fn audience_field(visit: &Visit, path: &str) -> String {
    match path.trim_start_matches('/') {
        "metaTitle" => visit.text("meta-title"),
        "metaDescription" => visit.text("meta-description"),
        "metaKeywords" => visit.text("meta-keywords"),
        _ => visit.text("audience-context"),
    }
}

fn changed(field: &Value, label: &str) -> Markup {
    let shown = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    html! {
        p.diff dir="auto" {
            @if !label.is_empty() { strong { (label) } ": " }
            @match field["words"].as_array() {
                Some(parts) => @for part in parts {
                    @match text(part, "kind") {
                        "added" => ins { (text(part, "text")) },
                        "removed" => del { (text(part, "text")) },
                        _ => (text(part, "text")),
                    }
                },
                None => {
                    @if !field["before"].is_null() { del { (shown(&field["before"])) } " " }
                    @if !field["after"].is_null() { ins { (shown(&field["after"])) } }
                }
            }
        }
    }
}
