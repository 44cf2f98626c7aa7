//! The versions of an audience's page: listed, compared, published, scheduled, written anew.

use maud::{Markup, html};
use serde_json::{Value, json};

use super::{api_path, path};
use crate::client::{Refused, segment};
use crate::json::{items, list_of, some, text, time};
use crate::notice::told;
use crate::parts::field::{Field, Kind};
use crate::parts::form::Form;
use crate::parts::moment::moment;
use crate::parts::navigation::Area;
use crate::screens::status;
use crate::visit::{Drawn, Screen, Visit};

/// The versions of an audience, the newest first.
pub(crate) async fn versions(visit: Visit) -> Result<Drawn, Refused> {
    let api = api_path(&visit);
    let audience = visit.api.get(&api).await?.body;
    let page = visit.api.get(&crate::screens::pages::api_path(&visit)).await?.body;
    let found = visit.api.find(&format!("{api}/versions"), &[("limit", Some("50"))]).await?.body;
    let here = visit.url(&path(&visit));
    let listed = items(&found);
    let main = html! {
        ol.plain {
            @for (at, version) in listed.iter().enumerate() {
                li { (row(&visit, version, listed.get(at + 1), &here)) }
            }
        }
    };
    let actions = html! {
        @if visit.may_write() {
            form method="post" action={ (here) "/rewrite" } { button.button type="submit" { (visit.text("rewrite")) } }
        }
    };
    Ok(Screen::new(Area::Pages, visit.text("versions"), main)
        .below(text(&page, "name"), visit.url(&format!("/pages/{}", text(&page, "pageId"))))
        .below(text(&audience, "effectiveName"), here)
        .actions(actions)
        .into())
}

fn row(visit: &Visit, version: &Value, before: Option<&Value>, here: &str) -> Markup {
    let (id, state) = (text(version, "versionId"), text(version, "status"));
    let number = version["versionNumber"].as_i64().unwrap_or_default();
    let form = |action: &str, label: String| {
        html! {
            form method="post" action={ (here) "/" (action) } {
                input type="hidden" name="version" value=(id);
                button.button.quiet type="submit" { (label) }
            }
        }
    };
    html! {
        div.version {
            strong { (visit.words.with("version-number", &[("number", number.into())])) } " "
            (status::of(visit.words, state))
            @if let Some(at) = time(version, "createdAt") { " " span.help { (moment(visit.words, at, visit.now)) } }
            div.actions {
                @if let Some(before) = before {
                    a.button.quiet href={ (here) "/compare/" (text(before, "versionId")) "/" (id) } { (visit.text("compare")) }
                }
                @if visit.may_write() {
                    @if state == "draft" { (form("publish", visit.text("publish"))) (schedule_form(visit, id, here)) }
                    @if matches!(state, "archived" | "published") { (form("restore-version", visit.text("as-draft"))) }
                    @if status::is_being_written(state) { (form("cancel", visit.text("cancel-writing"))) }
                }
            }
        }
    }
}

fn schedule_form(visit: &Visit, id: &str, here: &str) -> Markup {
    let fields = vec![
        Field::hidden("version", id),
        Field::new("date", visit.text("publish-on"), Kind::Date).required(),
        Field::new("time", visit.text("at-time-utc"), Kind::Text(Some(5))).value("09:00").required(),
    ];
    let (action, submit) = (format!("{here}/schedule"), visit.text("schedule"));
    let id = format!("schedule-{id}");
    html! {
        details { summary { (visit.text("schedule")) } (Form::new(&id, &action, &submit, fields).draw(visit.words)) }
    }
}

fn of_version(visit: &Visit, rest: &str) -> String {
    format!("{}/versions/{}{rest}", api_path(visit), segment(visit.entered.text("version")))
}

/// Publishes a version.
pub(crate) async fn publish(visit: Visit) -> Result<Drawn, Refused> {
    visit.api.post(&of_version(&visit, "/publish"), &json!({})).await?;
    Ok(visit.moved(&told(&path(&visit), "published", "")))
}

/// Stops the writing of a version.
pub(crate) async fn cancel(visit: Visit) -> Result<Drawn, Refused> {
    visit.api.post(&of_version(&visit, "/cancel"), &json!({})).await?;
    Ok(visit.moved(&path(&visit)))
}

/// Has a new version written.
pub(crate) async fn rewrite(visit: Visit) -> Result<Drawn, Refused> {
    visit.api.post(&format!("{}/versions", api_path(&visit)), &json!({})).await?;
    Ok(visit.moved(&path(&visit)))
}

/// Makes a draft of what an earlier version says.
pub(crate) async fn restore_version(visit: Visit) -> Result<Drawn, Refused> {
    visit.api.post(&of_version(&visit, "/restore"), &json!({})).await?;
    Ok(visit.moved(&told(&path(&visit), "saved", "")))
}

/// Sets when a version is published.
pub(crate) async fn schedule(visit: Visit) -> Result<Drawn, Refused> {
    let at = format!("{}T{}:00.000Z", visit.entered.text("date"), visit.entered.text("time"));
    visit.api.put(&of_version(&visit, "/schedule"), &json!({ "publishAt": at })).await?;
    Ok(visit.moved(&told(&format!("{}/versions", path(&visit)), "saved", "")))
}

/// Takes that back.
pub(crate) async fn unschedule(visit: Visit) -> Result<Drawn, Refused> {
    visit.api.delete(&of_version(&visit, "/schedule")).await?;
    Ok(visit.moved(&told(&format!("{}/versions", path(&visit)), "saved", "")))
}

/// Says when a version has got further.
pub(crate) async fn writing_events(visit: Visit) -> Result<Drawn, Refused> {
    let api = format!("{}/versions/{}/progress", api_path(&visit), segment(visit.id("version_id")));
    visit.api.stream(&api, "text/event-stream").await.map(Drawn::Response)
}

/// What is different between two versions.
pub(crate) async fn compare(visit: Visit) -> Result<Drawn, Refused> {
    let (from, to) = (segment(visit.id("from_id")), segment(visit.id("to_id")));
    let difference = visit.api.get(&format!("{}/versions/{from}/diff/{to}", api_path(&visit))).await?.body;
    let here = visit.url(&path(&visit));
    let fields = |list: &Value| {
        let fields = list.as_array().map(Vec::as_slice).unwrap_or_default().to_vec();
        html! { @for field in &fields { (changed(field)) } }
    };
    let blocks = list_of(&difference, "blocks");
    let main = html! {
        div.stack {
            @if difference["isSame"] == true { p { (visit.text("versions-same")) } }
            @if difference["isHeadChanged"] == true { section { h2 { (visit.text("meta-title")) } (fields(&difference["head"])) } }
            @for block in blocks.iter().filter(|block| text(block, "change") != "kept" || block["isMoved"] == true) {
                section.card {
                    h2 { (change_word(&visit, text(block, "change"))) " · " (some(block, "component").or_else(|| some(block, "type")).unwrap_or_else(|| text(block, "blockId"))) }
                    @if block["isMoved"] == true { p.help { (visit.text("block-moved")) } }
                    (fields(&block["fields"]))
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

fn changed(field: &Value) -> Markup {
    let shown = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    html! {
        p.diff dir="auto" {
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
