//! Visits to a page: figures, days, sources, steps, and the sessions themselves.

use maud::html;
use pagesmith_model::user::Permission;
use serde_json::Value;

use crate::client::{Refused, segment};
use crate::json::{count, items, some, text, time};
use crate::parts::chart::{Chart, Form, Series, chart};
use crate::parts::date_range::{DateRange, date_range};
use crate::parts::moment::moment;
use crate::parts::navigation::Area;
use crate::parts::table::Row;
use crate::screens::figures::{figures, percent};
use crate::screens::listing::{Listing, asked};
use crate::visit::{Drawn, Screen, Visit};

/// The pages, each with its visits.
pub(crate) async fn list(visit: Visit) -> Result<Drawn, Refused> {
    let query = asked(&visit, &[]);
    let found = visit
        .api
        .find("/v0/pages", &[("cursor", query.cursor.as_deref()), ("limit", Some("20"))])
        .await?
        .body;
    let mut rows = Vec::new();
    for page in items(&found) {
        let id = text(page, "pageId");
        let summary = visit.api.get(&format!("/v0/pages/{id}/analytics/summary")).await?.body;
        let rate = summary["conversionRate"].as_f64().unwrap_or_default();
        rows.push(Row {
            id: id.to_owned(),
            name: text(page, "name").to_owned(),
            href: Some(visit.url(&format!("/visits/{id}"))),
            cells: vec![
                html! { (visit.count(count(&summary, "totalSessions"))) },
                html! { (percent(&visit, rate)) },
            ],
        });
    }
    let title = visit.text("area-visits");
    let listing = Listing {
        id: "visits",
        caption: &title,
        path: "/visits",
        query: &query,
        columns: vec![
            (visit.text("page"), false),
            (visit.text("visits"), true),
            (visit.text("conversion"), true),
        ],
        rows,
        answer: &found,
        search: None,
        filter: None,
        bulk: None,
        empty: (visit.text("visits-empty"), visit.text("visits-empty-text")),
        make: None,
    };
    let main = listing.draw(&visit);
    Ok(Screen::new(Area::Visits, title, main).into())
}

/// The visits to one page in some days.
pub(crate) async fn show(visit: Visit) -> Result<Drawn, Refused> {
    let api = format!("/v0/pages/{}", segment(visit.id("page_id")));
    let page = visit.api.get(&api).await?.body;
    let text_of_now = visit.now.to_string();
    let today = text_of_now.get(..10).and_then(|day| day.parse().ok()).unwrap_or(jiff::civil::Date::ZERO);
    let range = DateRange::read(visit.asked("from").as_deref(), visit.asked("to").as_deref(), today);
    let (from, to) = (format!("{}T00:00:00.000Z", range.from), format!("{}T23:59:59.999Z", range.to));
    let days = [("startDate", Some(from.as_str())), ("endDate", Some(to.as_str()))];
    let get = |rest: &str, more: &[(&'static str, Option<&str>)]| {
        let mut all: Vec<(&str, Option<&str>)> = days.to_vec();
        all.extend(more.iter().map(|(name, value)| (*name, *value)));
        crate::client::with_query(&format!("{api}/analytics/{rest}"), &all)
    };
    let summary = visit.api.get(&get("summary", &[])).await?.body;
    let series = visit.api.get(&get("timeseries", &[("interval", Some("day"))])).await?.body;
    let sources = visit.api.get(&get("breakdown", &[("by", Some("source"))])).await?.body;
    let funnel = visit.api.get(&get("funnel", &[])).await?.body;
    let here = visit.url(&format!("/visits/{}", text(&page, "pageId")));
    let day = |one: &Value| text(one, "startsAt").get(..10).unwrap_or_default().to_owned();
    let sessions = |one: &Value| count(&one["summary"], "totalSessions");
    let (visits, title_days, title_sources) =
        (visit.text("visits"), visit.text("visits-by-day"), visit.text("visits-by-source"));
    let (days_name, sources_name) = (visit.text("day"), visit.text("source"));
    let by_day = Chart {
        id: "by-day",
        title: &title_days,
        form: Form::Line,
        places: &days_name,
        labels: items(&series).iter().map(day).collect(),
        series: vec![Series { name: &visits, values: items(&series).iter().map(sessions).collect() }],
    };
    let label = |one: &Value| some(one, "value").map_or_else(|| visit.text("source-none"), str::to_owned);
    let by_source = Chart {
        id: "by-source",
        title: &title_sources,
        form: Form::Bar,
        places: &sources_name,
        labels: items(&sources).iter().take(8).map(label).collect(),
        series: vec![Series {
            name: &visits,
            values: items(&sources).iter().take(8).map(sessions).collect(),
        }],
    };
    let listed = if visit.may(Permission::ReadPersonalData) {
        Some(visit.api.find(&format!("{api}/audience_sessions"), &[("limit", Some("20"))]).await?.body)
    } else {
        None
    };
    let main = html! {
        div.stack {
            (date_range(visit.words, &here, range, today, &[]))
            (figures(&visit, &summary))
            (chart(visit.words, &by_day))
            (chart(visit.words, &by_source))
            section {
                h2 { (visit.text("steps")) }
                ol.plain {
                    @for step in items(&funnel) {
                        li {
                            (step_word(&visit, text(step, "step"))) ": "
                            strong { (visit.count(count(step, "sessions"))) }
                            " " span.help { (percent(&visit, step["share"].as_f64().unwrap_or_default())) }
                        }
                    }
                }
            }
            @if let Some(listed) = &listed {
                section {
                    h2 { (visit.text("sessions")) }
                    ul.plain { @for session in items(listed) { li { (one_session(&visit, session)) } } }
                }
            }
        }
    };
    Ok(Screen::new(Area::Visits, text(&page, "name"), main).into())
}

fn step_word(visit: &Visit, step: &str) -> String {
    match step {
        "scrolled_half" => visit.text("step-scrolled"),
        "action" => visit.text("step-action"),
        "form" => visit.text("step-form"),
        _ => visit.text("step-seen"),
    }
}

fn one_session(visit: &Visit, session: &Value) -> maud::Markup {
    let who = some(session, "formSubmissionEmail").or_else(|| some(session, "formSubmissionIdentifier"));
    html! {
        @if let Some(at) = time(session, "sessionStartedAt") { (moment(visit.words, at, visit.now)) }
        @if let Some(who) = who { " · " strong dir="auto" { (who) } }
        @if let Some(source) = some(session, "utmSource") { " · " (source) }
        @if let Some(depth) = session["maxScrollDepthPercentage"].as_f64() { " · " (depth.round()) " %" }
        @if session["hasConversion"] == true { " · " (visit.text("converted")) }
    }
}
