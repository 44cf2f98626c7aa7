//! Forms: what visitors have sent, with what was kept apart as spam, and the forms themselves.

pub(crate) mod building;
mod fields;
mod preview;

use maud::{Markup, html};
use pagesmith_model::text::turns_writing;
use pagesmith_model::user::Permission;
use pagesmith_operations::names::Ids;
use serde_json::{Value, json};

use crate::client::{Refused, segment, with_query};
use crate::events::changes;
use crate::json::{items, list_of, text, time};
use crate::notice::with_notice;
use crate::parts::badge::{Tone, badge};
use crate::parts::list_query::ListQuery;
use crate::parts::moment::moment;
use crate::parts::navigation::Area;
use crate::parts::table::Row;
use crate::parts::tabs::{Tab, tabs};
use crate::screens::listing::{Heading, Listing, asked, followed};
use crate::screens::names::Names;
use crate::visit::{Drawn, Screen, Visit};
use crate::words::Words;

/// What was sent, of all forms; who may not see that goes on to the forms themselves.
pub(crate) async fn list(visit: Visit) -> Result<Drawn, Refused> {
    if !visit.may(Permission::ReadPersonalData) {
        return Ok(visit.moved("/forms/all"));
    }
    let query = asked(&visit, &["status"]);
    let answered = visit.api.get(&listed(&query)).await?;
    let found = &answered.body;
    let forms = items(found).iter().map(|submission| text(submission, "formId").to_owned()).collect();
    let names = Names::read(&visit, Ids { forms, ..Ids::default() }).await?;
    let name = |id: &str| names.form(id).map_or_else(|| visit.text("form-contact"), str::to_owned);
    let row = |submission: &Value| Row {
        id: text(submission, "submissionId").to_owned(),
        name: sender(submission),
        href: Some(visit.url(&format!("/forms/submissions/{}", text(submission, "submissionId")))),
        cells: vec![
            html! { span dir="auto" { (name(text(submission, "formId"))) } },
            state(&visit, submission),
            html! { @if let Some(at) = time(submission, "submittedAt") { (moment(visit.words, at, visit.now)) } },
        ],
    };
    let title = visit.text("submissions");
    let states = vec![("accepted", visit.text("accepted")), ("spam", visit.text("spam"))];
    let listing = Listing {
        id: "submissions",
        caption: &title,
        path: "/forms",
        query: &query,
        columns: vec![
            Heading::new(visit.text("sender")),
            Heading::new(visit.text("form")),
            Heading::new(visit.text("state")),
            Heading::new(visit.text("when")).by("submittedAt"),
        ],
        rows: items(found).iter().map(row).collect(),
        answer: found,
        search: None,
        filter: Some(("status", visit.text("state"), states)),
        bulk: None,
        empty: (visit.text("submissions-empty"), visit.text("submissions-empty-text")),
        make: None,
    };
    let table = followed(&visit, "/forms/events", &query, &answered, &listing.draw(&visit));
    let main = html! { div.stack { (tabs_of(&visit, 0)) (table) } };
    Ok(Screen::new(Area::Forms, visit.text("area-forms"), main).into())
}

/// Where the API has the submissions that a screen shows.
fn listed(query: &ListQuery) -> String {
    let status = ("status", query.filter("status"));
    let parameters = [("cursor", query.cursor.as_deref()), ("limit", query.limit()), status];
    with_query("/v0/form_submissions", &parameters)
}

/// Says when something was sent, released or kept apart.
pub(crate) async fn list_changes(visit: Visit) -> Result<Drawn, Refused> {
    let path = listed(&asked(&visit, &["status"]));
    changes(&visit, "list", path).await
}

/// What was sent and the forms beside each other, for those who may see both.
fn tabs_of(visit: &Visit, current: usize) -> Markup {
    if !visit.may(Permission::ReadPersonalData) {
        return html! {};
    }
    let urls = [visit.url("/forms"), visit.url("/forms/all")];
    let labels = [visit.text("submissions"), visit.text("area-forms")];
    let shown = [
        Tab { label: &labels[0], href: &urls[0], count: None },
        Tab { label: &labels[1], href: &urls[1], count: None },
    ];
    tabs(&labels[1], &shown, current)
}

fn asks(visit: &Visit, form: &Value) -> String {
    let fields = form["fields"].as_array().map_or(0, Vec::len);
    visit.words.with("fields-count", &[("count", fields.into())])
}

/// Who has sent something, as far as it says so; without signs that turn the writing around, for it becomes the title of a window.
fn sender(submission: &Value) -> String {
    let input = &submission["input"];
    let named = ["name", "email", "phone"].into_iter().find_map(|field| input[field].as_str());
    let first = || input.as_object().and_then(|fields| fields.values().find_map(Value::as_str));
    let sender = named.or_else(first).unwrap_or_else(|| text(submission, "submissionId"));
    sender.chars().filter(|char| !turns_writing(*char)).collect()
}

fn state(visit: &Visit, submission: &Value) -> Markup {
    if text(submission, "status") == "spam" {
        badge(Tone::Warning, &visit.text("spam"))
    } else {
        badge(Tone::Good, &visit.text("accepted"))
    }
}

/// What somebody has sent.
pub(crate) async fn submission(visit: Visit) -> Result<Drawn, Refused> {
    let submission = visit.api.get(&api_path(&visit)).await?.body;
    let is_spam = text(&submission, "status") == "spam";
    let reasons = list_of(&submission, "spamReasons");
    let here = visit.url(&format!("/forms/submissions/{}", text(&submission, "submissionId")));
    let main = html! {
        div.stack {
            p { (state(&visit, &submission)) @if let Some(at) = time(&submission, "submittedAt") { " " (moment(visit.words, at, visit.now)) } }
            @if is_spam && !reasons.is_empty() {
                p { (visit.text("spam-because")) " " (reasons.iter().filter_map(Value::as_str).map(|reason| spam_word(visit.words, reason)).collect::<Vec<_>>().join("; ")) }
            }
            dl.facts {
                @for (name, value) in submission["input"].as_object().into_iter().flatten() {
                    dt dir="auto" { (name) }
                    dd dir="auto" { (value.as_str().map_or_else(|| value.to_string(), str::to_owned)) }
                }
            }
            @if let Some(person) = submission["personId"].as_str() {
                p { a href=(visit.url(&format!("/persons/{person}"))) { (visit.text("to-person")) } }
            }
        }
    };
    let wanted = if is_spam { "accepted" } else { "spam" };
    let actions = html! {
        @if visit.may_write() {
            form method="post" action=(here) {
                input type="hidden" name="status" value=(wanted);
                button.button type="submit" { @if is_spam { (visit.text("release")) } @else { (visit.text("mark-spam")) } }
            }
        }
    };
    Ok(Screen::new(Area::Forms, sender(&submission), main).actions(actions).into())
}

fn api_path(visit: &Visit) -> String {
    format!("/v0/form_submissions/{}", segment(visit.id("submission_id")))
}

/// Releases a submission, or keeps it apart.
pub(crate) async fn judge(visit: Visit) -> Result<Drawn, Refused> {
    let change = json!({ "status": visit.entered.text("status") });
    visit.api.patch(&api_path(&visit), &change, None).await?;
    Ok(visit.moved(&with_notice(
        &format!("/forms/submissions/{}", segment(visit.id("submission_id"))),
        "saved",
        "",
    )))
}

/// Why a submission is taken for spam; the API's name of what is not known here.
fn spam_word(words: Words, reason: &str) -> String {
    match reason {
        "hidden_field" => words.text("spam-hidden-field"),
        "no_token" => words.text("spam-no-token"),
        "bad_token" => words.text("spam-bad-token"),
        "too_fast" => words.text("spam-too-fast"),
        "many_from_address" => words.text("spam-many-from-address"),
        "many_with_form" => words.text("spam-many-with-form"),
        "crawler" => words.text("spam-crawler"),
        "other_site" => words.text("spam-other-site"),
        "link_in_name" => words.text("spam-link-in-name"),
        "many_links" => words.text("spam-many-links"),
        "markup" => words.text("spam-markup"),
        "marked" => words.text("spam-marked"),
        other => other.to_owned(),
    }
}
