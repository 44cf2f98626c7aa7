//! When a version is published and when it is taken offline: told, set and taken back.
//!
//! A time is entered in a zone that the form names: in UTC, and with script in the browser's.

use axum::http::StatusCode;
use jiff::civil::DateTime;
use maud::{Markup, html};
use pagesmith_model::Timestamp;
use pagesmith_model::visit::calendar::Zone;
use serde_json::{Value, json};

use super::{api_path, of_version, path};
use crate::client::{Refused, segment};
use crate::json::{text, time};
use crate::notice::with_notice;
use crate::parts::field::{Field, Kind};
use crate::parts::form::Form;
use crate::parts::moment::exact_moment;
use crate::screens::entering::filled;
use crate::visit::{Drawn, Visit};

/// The times of a schedule, and what each is called in a form.
const TIMES: [(&str, &str); 2] =
    [("publishAt", "schedule-publish-at"), ("unpublishAt", "schedule-unpublish-at")];

/// The schedule of a version, if something is still to be done: only a draft is published and only what is live is taken offline.
pub(super) async fn of(visit: &Visit, version: &Value) -> Result<Option<Value>, Refused> {
    if !can_have(version) {
        return Ok(None);
    }
    let api = format!("{}/versions/{}/schedule", api_path(visit), segment(text(version, "versionId")));
    match visit.api.get(&api).await {
        Ok(found) => Ok(Some(found.body)),
        Err(refused) if refused.status == StatusCode::NOT_FOUND => Ok(None),
        Err(refused) => Err(refused),
    }
}

/// Whether a version may have a schedule.
pub(super) fn can_have(version: &Value) -> bool {
    matches!(text(version, "status"), "draft" | "published")
}

/// Says what is still to be done with a version, with a button that takes it back. `from` is the screen that it stands on.
pub(super) fn draw(visit: &Visit, version: &Value, schedule: &Value, (here, from): (&str, &str)) -> Markup {
    let number = version["versionNumber"].as_i64().unwrap_or_default();
    let number = visit.words.with("version-number", &[("number", number.into())]);
    let line = |label: String, at: Timestamp| html! { p { (number) ": " (label) " " (exact_moment(visit.words, at)) } };
    html! {
        div.line data-of=(number) {
            div {
                @if let Some(at) = time(schedule, "publishAt") { (line(visit.text("will-be-published"), at)) }
                @if let Some(at) = time(schedule, "unpublishAt") { (line(visit.text("will-be-unpublished"), at)) }
            }
            @if visit.may_write() {
                form method="post" action={ (here) "/unschedule" } {
                    input type="hidden" name="version" value=(text(version, "versionId"));
                    input type="hidden" name="from" value=(from);
                    button.button.quiet type="submit" { (visit.text("unschedule")) }
                }
            }
        }
    }
}

/// The form of a version's schedule; nothing where nothing can be set. What was refused comes back in it, opened.
pub(super) fn form(
    visit: &Visit,
    version: &Value,
    schedule: Option<&Value>,
    here: &str,
    refused: Option<&Refused>,
) -> Markup {
    let (id, state) = (text(version, "versionId"), text(version, "status"));
    if !can_have(version) {
        return html! {};
    }
    let refused = refused.filter(|_| visit.entered.text("version") == id);
    let zone = refused.and_then(|_| visit.entered.some("zone")).unwrap_or("UTC");
    let mut fields = vec![Field::hidden("version", id), Field::hidden("zone", zone)];
    // What is published can only be taken offline.
    for (name, label) in TIMES.into_iter().filter(|(name, _)| state == "draft" || *name == "unpublishAt") {
        let known = schedule.and_then(|schedule| time(schedule, name)).and_then(written);
        let help = visit.words.with("schedule-zone", &[("zone", zone.into())]);
        let field =
            Field::new(name, visit.text(label), Kind::DateTime).value(known.unwrap_or_default()).help(help);
        let is_required = name == "publishAt" || state == "published";
        fields.push(if is_required { field.required() } else { field });
    }
    let (action, submit) = (format!("{here}/schedule"), visit.text("schedule"));
    let form_id = format!("schedule-{id}");
    let form = Form::new(&form_id, &action, &submit, fields);
    let form = if refused.is_some() { filled(form, visit, refused) } else { form };
    html! {
        details open[refused.is_some()] { summary { (visit.text("schedule")) } (form.draw(visit.words)) }
    }
}

/// A time as the field of a form has it, in UTC: to the second, where it has seconds.
fn written(at: Timestamp) -> Option<String> {
    let at = at.to_string();
    let to_second = at.get(..19)?;
    Some(to_second.strip_suffix(":00").unwrap_or(to_second).to_owned())
}

/// The instant at which clocks of a zone show what was entered.
fn instant(entered: &str, zone: &str) -> Option<Timestamp> {
    Zone::find(zone)?.at(entered.parse::<DateTime>().ok()?)
}

/// Sets when a version is published and when it is taken offline, as it was entered.
pub(super) async fn set(visit: &Visit) -> Result<(), Refused> {
    let (mut times, mut issues) = (json!({}), Vec::new());
    for (name, _) in TIMES {
        let Some(entered) = visit.entered.some(name) else { continue };
        match instant(entered, visit.entered.some("zone").unwrap_or("UTC")) {
            Some(at) => times[name] = json!(at),
            None => issues.push((name.to_owned(), visit.text("schedule-time-wrong"))),
        }
    }
    if !issues.is_empty() {
        return Err(Refused { issues, ..Refused::new(StatusCode::BAD_REQUEST, "") });
    }
    visit.api.put(&of_version(visit, "/schedule"), &times).await.map(drop)
}

/// Takes that back.
pub(crate) async fn unschedule(visit: Visit) -> Result<Drawn, Refused> {
    visit.api.delete(&of_version(&visit, "/schedule")).await?;
    let back = if visit.entered.text("from") == "audience" { "" } else { "/versions" };
    Ok(visit.moved(&with_notice(&format!("{}{back}", path(&visit)), "unscheduled", "")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_that_of_the_clocks_of_its_zone() {
        let at = |entered: &str, zone: &str| instant(entered, zone).map(|at| at.to_string());
        assert_eq!(at("2026-07-01T08:00", "UTC").as_deref(), Some("2026-07-01T08:00:00.000Z"));
        assert_eq!(at("2026-07-01T08:00", "Europe/Berlin").as_deref(), Some("2026-07-01T06:00:00.000Z"));
        assert_eq!(at("2026-01-01T08:00:30", "Europe/Berlin").as_deref(), Some("2026-01-01T07:00:30.000Z"));
        // Clocks go from 2 to 3 there.
        assert_eq!(at("2026-03-29T02:30", "Europe/Berlin").as_deref(), Some("2026-03-29T01:30:00.000Z"));
        for (entered, zone) in [
            ("2026-02-30T08:00", "UTC"),
            ("tomorrow", "UTC"),
            ("2026-07-01T08:00", "Middle/Earth"),
            ("2026-07-01T08:00", "Etc/Unknown"),
        ] {
            assert_eq!(at(entered, zone), None, "{entered} {zone}");
        }
        for known in ["2026-07-01T08:00", "2026-07-01T08:00:30"] {
            assert_eq!(instant(known, "UTC").and_then(written).as_deref(), Some(known));
        }
    }
}
