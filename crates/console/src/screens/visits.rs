//! Visits: the pages with theirs, and what the visitors of one page did and do.

pub(crate) mod questions;
pub(crate) mod report;
pub(crate) mod sessions;
pub(crate) mod shares;

use futures_util::future::try_join_all;
use maud::{Markup, html};
use pagesmith_model::user::Permission;
use serde_json::Value;

use crate::client::{Answered, Refused, segment, tag_of, with_query};
use crate::events::{changes_of, tag_at};
use crate::json::{count, items, number, text};
use crate::parts::date_range::{DateRange, date_range, day_of};
use crate::parts::list_query::ListQuery;
use crate::parts::live::{Source, live, since};
use crate::parts::navigation::Area;
use crate::parts::table::Row;
use crate::screens::figures::percent;
use crate::screens::listing::{Heading, Listing, api_path, asked, followed_by_tag};
use crate::screens::visits::report::Report;
use crate::visit::{Drawn, Screen, Visit};

/// What the list of pages with their visits shows, at the API.
fn listed(query: &ListQuery) -> [String; 2] {
    [api_path("/v0/pages", query), "/v0/analytics/summary".to_owned()]
}

/// Tells whenever somebody has visited a page, or there is another page.
pub(crate) async fn list_changes(visit: Visit) -> Result<Drawn, Refused> {
    let paths = listed(&asked(&visit, &[]));
    changes_of(&visit, "list", move |api| tag_at(api, paths.to_vec())).await
}

/// The pages, each with its visits.
pub(crate) async fn list(visit: Visit) -> Result<Drawn, Refused> {
    let query = asked(&visit, &[]);
    let [pages, all_visits] = listed(&query);
    // Before the visits to each page, so that those that come meanwhile are an event.
    let (pages, all_visits) = (visit.api.get(&pages).await?, visit.api.get(&all_visits).await?);
    let tag = tag_of([pages.tag(), all_visits.tag()]);
    // Each page takes a read of its own.
    let mut found = pages.body;
    let mut reads = Vec::new();
    for page in items(&found) {
        let path = format!("/v0/pages/{}/analytics/summary", text(page, "pageId"));
        let api = visit.api.clone();
        reads.push(async move { api.get(&path).await });
    }
    let summaries = try_join_all(reads).await?;
    for (page, summary) in found["items"].as_array_mut().into_iter().flatten().zip(summaries) {
        page["totalSessions"] = count(&summary.body, "totalSessions").into();
        page["conversionRate"] = number(&summary.body, "conversionRate").unwrap_or_default().into();
    }
    let row = |page: &Value| Row {
        id: text(page, "pageId").to_owned(),
        name: text(page, "name").to_owned(),
        href: Some(visit.url(&format!("/visits/{}", text(page, "pageId")))),
        cells: vec![
            html! { (visit.count(count(page, "totalSessions"))) },
            html! { (percent(visit.words, number(page, "conversionRate").unwrap_or_default())) },
        ],
    };
    let title = visit.text("area-visits");
    let listing = Listing {
        id: "visits",
        caption: &title,
        path: "/visits",
        query: &query,
        columns: vec![
            Heading::new(visit.text("page")),
            Heading::new(visit.text("visits")).number().by("totalSessions"),
            Heading::new(visit.text("conversion")).number().by("conversionRate"),
        ],
        rows: items(&found).iter().map(row).collect(),
        answer: &found,
        search: Some(visit.text("pages-search")),
        filter: None,
        bulk: None,
        empty: (visit.text("visits-empty"), visit.text("visits-empty-text")),
        make: None,
    };
    let main = followed_by_tag(&visit, "/visits/events", &query, &tag, &listing.draw(&visit));
    Ok(Screen::new(Area::Visits, title, main).into())
}

/// The visits to one page in some days.
pub(crate) async fn show(visit: Visit) -> Result<Drawn, Refused> {
    let page_id = visit.id("page_id").to_owned();
    let page = visit.api.get(&format!("/v0/pages/{}", segment(&page_id))).await?.body;
    let today = day_of(visit.now);
    let range = DateRange::read(visit.asked("from").as_deref(), visit.asked("to").as_deref(), today);
    let shows_persons = visit.may(Permission::ReadPersonalData);
    // Who comes and goes changes the figures as well.
    let present = present(&visit, &page_id).await?;
    let report = Report::read(&visit.api, &page_id, range, shows_persons).await?;
    let here = visit.url(&format!("/visits/{}", text(&page, "pageId")));
    let events = since(&format!("{here}/events"), &present);
    let days = [("from", visit.asked("from")), ("to", visit.asked("to"))];
    let content = with_query(&here, &days.each_ref().map(|(name, day)| (*name, day.as_deref())));
    let source = Source { events: &events, event: "live", content: &content };
    let all = shows_persons.then(|| format!("{here}/sessions.csv"));
    let main = html! {
        div.stack {
            (visitors_now(&visit, &page_id, &present))
            (date_range(visit.words, &here, range, today, &[]))
            (live("report", &source, &html! { div.stack { (report.draw(visit.words, all.as_deref())) } }))
        }
    };
    let sessions = html! {
        @if visit.may(Permission::ReadPersonalData) {
            a.button href={ (here) "/sessions" } { (visit.text("sessions")) }
        }
        a.button href={ (here) "/questions" } { (visit.text("questions-unanswered")) }
        @if visit.may_write() { a.button href={ (here) "/shares" } { (visit.text("share")) } }
    };
    Ok(Screen::new(Area::Visits, text(&page, "name"), main).actions(sessions).into())
}

/// How many visitors are on a page now: the part of the screen that shows it.
pub(crate) async fn now(visit: Visit) -> Result<Drawn, Refused> {
    let page_id = visit.id("page_id");
    Ok(Drawn::Part(visitors_now(&visit, page_id, &present(&visit, page_id).await?)))
}

/// Tells whenever that changes.
pub(crate) async fn events(visit: Visit) -> Result<Drawn, Refused> {
    let api = format!("/v0/pages/{}/analytics/live", segment(visit.id("page_id")));
    visit.follow(&api).await
}

/// Who is on a page now, as far as it is counted.
async fn present(visit: &Visit, page_id: &str) -> Result<Answered, Refused> {
    visit.api.get(&format!("/v0/pages/{}/analytics/live", segment(page_id))).await
}

fn visitors_now(visit: &Visit, page_id: &str, present: &Answered) -> Markup {
    let visitors = count(&present.body, "activeVisitors");
    let shown = html! { p { (visit.words.with("visitors-now", &[("count", visitors.into())])) } };
    let here = visit.url(&format!("/visits/{}", segment(page_id)));
    let (events, content) = (since(&format!("{here}/events"), present), format!("{here}/now"));
    live("now", &Source { events: &events, event: "live", content: &content }, &shown)
}
