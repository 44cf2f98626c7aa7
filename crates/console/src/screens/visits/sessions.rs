//! The visits themselves: the list of a page, what one visitor did, and all of them as a file.

use maud::{Markup, html};
use serde_json::Value;

use crate::client::{Refused, segment};
use crate::events::changes;
use crate::json::{count, items, number, some, text, time};
use crate::parts::live::{Source, live, since};
use crate::parts::moment::{exact_moment, moment};
use crate::parts::navigation::Area;
use crate::parts::table::Row;
use crate::screens::listing::{Heading, Listing, asked, found_unsearched};
use crate::screens::visits::present;
use crate::visit::{Drawn, Screen, Visit};

/// The visits to a page, the last first.
pub(crate) async fn list(visit: Visit) -> Result<Drawn, Refused> {
    let page_id = segment(visit.id("page_id"));
    let page = visit.api.get(&format!("/v0/pages/{page_id}")).await?.body;
    // Who is there now, before the list: whoever comes or goes afterwards is an event.
    let present = present(&visit, &page_id).await?;
    let query = asked(&visit, &[]);
    let found = found_unsearched(&visit, &format!("/v0/pages/{page_id}/audience_sessions"), &query).await?;
    let (title, path) = (visit.text("sessions"), format!("/visits/{page_id}/sessions"));
    let listing = Listing {
        id: "sessions",
        caption: &title,
        path: &path,
        query: &query,
        columns: vec![
            Heading::new(visit.text("visitor")),
            Heading::new(visit.text("session-began")).by("sessionStartedAt"),
            Heading::new(visit.text("source")),
            Heading::new(visit.text("time-spent")).number().by("timeSpentSeconds"),
            Heading::new(visit.text("scrolled")).number().by("maxScrollDepthPercentage"),
            Heading::new(visit.text("converted")),
        ],
        rows: items(&found).iter().map(|session| row(&visit, &path, session)).collect(),
        answer: &found,
        search: None,
        filter: None,
        bulk: None,
        empty: (visit.text("sessions-empty"), visit.text("sessions-empty-text")),
        make: None,
    };
    let events = since(&visit.url(&format!("/visits/{page_id}/events")), &present);
    let content = query.url(&visit.url(&path));
    let source = Source { events: &events, event: "live", content: &content };
    let main = live("sessions-live", &source, &listing.draw(&visit));
    let download = html! {
        a.button href=(visit.url(&format!("/visits/{page_id}/sessions.csv"))) { (visit.text("download-csv")) }
    };
    Ok(under_page(&visit, &page, title, main).actions(download).into())
}

fn row(visit: &Visit, path: &str, session: &Value) -> Row {
    let id = text(session, "audienceSessionId");
    let began = time(session, "sessionStartedAt");
    Row {
        id: id.to_owned(),
        name: who(session).map_or_else(|| visit.text("visitor-unknown"), str::to_owned),
        href: Some(visit.url(&format!("{path}/{id}"))),
        cells: vec![
            html! { @if let Some(began) = began { (moment(visit.words, began, visit.now)) } },
            html! { (some(session, "utmSource").map_or_else(|| visit.text("source-none"), str::to_owned)) },
            html! { @if let Some(seconds) = seconds(visit, session) { (seconds) } },
            html! { @if let Some(depth) = depth(visit, session) { (depth) } },
            html! { @if session["hasConversion"] == true { (visit.text("yes")) } },
        ],
    }
}

/// What one visitor did.
pub(crate) async fn show(visit: Visit) -> Result<Drawn, Refused> {
    let page_id = segment(visit.id("page_id"));
    let page = visit.api.get(&format!("/v0/pages/{page_id}")).await?.body;
    let id = segment(visit.id("audience_session_id"));
    let steps = visit.api.get(&steps_path(&visit)).await?;
    let session = visit.api.get(&format!("/v0/pages/{page_id}/audience_sessions/{id}")).await?.body;
    let sources = [
        ("utmSource", visit.text("source")),
        ("utmMedium", visit.text("medium")),
        ("utmCampaign", visit.text("campaign")),
        ("utmContent", visit.text("campaign-content")),
        ("utmTerm", visit.text("campaign-term")),
    ];
    let shown = html! {
        div.stack {
            dl.facts {
                @for (name, label) in [("sessionStartedAt", visit.text("session-began")), ("sessionEndedAt", visit.text("session-ended"))] {
                    @if let Some(at) = time(&session, name) { dt { (label) } dd { (exact_moment(visit.words, at)) } }
                }
                @if let Some(address) = some(&session, "pageUrl") { dt { (visit.text("address")) } dd { (address) } }
                @for (name, label) in &sources {
                    @if let Some(value) = some(&session, name) { dt { (label) } dd dir="auto" { (value) } }
                }
                @if let Some(seconds) = seconds(&visit, &session) { dt { (visit.text("time-spent")) } dd { (seconds) } }
                @if let Some(depth) = depth(&visit, &session) { dt { (visit.text("scrolled")) } dd { (depth) } }
                dt { (visit.text("clicks")) } dd { (visit.count(count(&session, "totalClicksCount"))) }
                dt { (visit.text("converted")) } dd { (yes_or_no(&visit, &session, "hasConversion")) }
                dt { (visit.text("form-was-sent")) } dd { (yes_or_no(&visit, &session, "hasFormSubmit")) }
            }
            section {
                h2 { (visit.text("session-steps")) }
                ol.plain { @for one in items(&steps.body) { li { (step(&visit, one)) } } }
            }
        }
    };
    let title = who(&session).map_or_else(|| visit.text("visitor-unknown"), str::to_owned);
    let list = visit.url(&format!("/visits/{page_id}/sessions"));
    let events = since(&format!("{list}/{id}/events"), &steps);
    let main = live("session", &Source { events: &events, event: "session", content: "" }, &shown);
    Ok(under_page(&visit, &page, title, main).below(visit.text("sessions"), list).into())
}

/// Tells whenever the visitor has done something.
pub(crate) async fn events(visit: Visit) -> Result<Drawn, Refused> {
    let path = steps_path(&visit);
    changes(&visit, "session", path).await
}

fn steps_path(visit: &Visit) -> String {
    let (page_id, id) = (segment(visit.id("page_id")), segment(visit.id("audience_session_id")));
    format!("/v0/pages/{page_id}/audience_sessions/{id}/steps")
}

/// All visits of a page as a file for spreadsheets.
pub(crate) async fn download(visit: Visit) -> Result<Drawn, Refused> {
    let api = format!("/v0/pages/{}/analytics/export?format=csv", segment(visit.id("page_id")));
    visit.api.stream(&api, "text/csv").await.map(Drawn::Response)
}

fn under_page(visit: &Visit, page: &Value, title: String, main: Markup) -> Screen {
    let of_page = visit.url(&format!("/visits/{}", text(page, "pageId")));
    Screen::new(Area::Visits, title, main).below(text(page, "name"), of_page)
}

fn who(session: &Value) -> Option<&str> {
    some(session, "formSubmissionEmail").or_else(|| some(session, "formSubmissionIdentifier"))
}

fn seconds(visit: &Visit, session: &Value) -> Option<String> {
    let seconds = number(session, "timeSpentSeconds")?.round() as i64;
    Some(visit.words.with("seconds", &[("count", seconds.into())]))
}

fn depth(visit: &Visit, session: &Value) -> Option<String> {
    let depth = number(session, "maxScrollDepthPercentage")?;
    Some(visit.words.percent(depth.round() as u64, 100))
}

fn yes_or_no(visit: &Visit, session: &Value, name: &str) -> String {
    if session[name] == true { visit.text("yes") } else { visit.text("no") }
}

/// Something that a visitor did.
fn step(visit: &Visit, one: &Value) -> Markup {
    html! {
        @match text(one, "type") {
            "view" => {
                @if let Some(path) = some(one, "path") { (visit.text("session-viewed-again")) " " span dir="ltr" { (path) } }
                @else { (visit.text("session-viewed")) }
            },
            "action" => { (visit.text("session-used")) " " strong dir="auto" { (text(one, "label")) } },
            "form" => {
                a href=(visit.url(&format!("/forms/submissions/{}", text(one, "formSubmissionId")))) { (visit.text("session-sent-form")) }
            },
            _ => {
                strong dir="auto" { (text(one, "label")) }
                @if let Some(answer) = some(one, "responseText") { " – " span dir="auto" { (answer) } }
            },
        }
        @if let Some(at) = time(one, "at") { " " span.help { (moment(visit.words, at, visit.now)) } }
    }
}
