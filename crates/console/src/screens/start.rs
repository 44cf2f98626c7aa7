//! Start: what needs attention, and the pages that were made last, with what came of them in the last days.

use futures_util::future::{try_join, try_join_all};
use maud::{Markup, html};
use serde_json::Value;

use crate::client::{Answered, Refused, segment, tag_of, with_query};
use crate::events::{changes_of, tag_at};
use crate::json::{count, items, list_of, text, time};
use crate::parts::badge::{Tone, badge};
use crate::parts::date_range::{DateRange, day_of};
use crate::parts::empty::{Empty, empty};
use crate::parts::live::{Source, live, since_tag};
use crate::parts::moment::moment;
use crate::parts::navigation::Area;
use crate::screens::figures::figures;
use crate::screens::listing::create_button;
use crate::screens::withheld::name_of;
use crate::screens::{status, tenant_domains};
use crate::visit::{Drawn, Screen, Visit};

/// How many pages are shown, with their visits.
const SHOWN: usize = 8;
/// How many audiences of a page that wait for the same are named without being asked for.
const NAMED_ALONE: usize = 2;
/// Of how many days visits are counted.
const DAYS: i32 = 7;

/// The screen that everybody comes to first.
pub(crate) async fn start(visit: Visit) -> Result<Drawn, Refused> {
    let limit = SHOWN.to_string();
    let newest = with_query("/v0/pages", &[("limit", Some(&limit))]);
    let (pages, waiting) = try_join(visit.api.get(&newest), visit.api.get("/v0/attention")).await?;
    let pages = pages.body;
    let waits = attention(&visit, &waiting.body);
    if items(&pages).is_empty() && waits.is_empty() {
        return Ok(Screen::new(Area::Start, visit.text("area-start"), first_steps(&visit)).into());
    }
    let week = DateRange::last(DAYS, day_of(visit.now));
    // Before the visits to each page, so that those that come meanwhile are an event.
    let now = visits_in(&visit, week).await?;
    let of_pages = try_join_all(items(&pages).iter().map(|page| visits_of(&visit, page, week)));
    let (visits, before) = try_join(of_pages, visits_in(&visit, week.before())).await?;
    let was_visited = [&now.body, &before.body].iter().any(|summary| count(summary, "totalSessions") > 0);
    let main = html! {
        div.stack {
            section {
                h2 { (visit.text("start-attention")) }
                @if waits.is_empty() { p.help { (visit.text("start-nothing-waits")) } }
                @else {
                    ul.plain { @for one in &waits { li { (one) } } }
                    @if waiting.body["hasMore"] == true { p.help { (visit.text("start-more-waits")) } }
                }
            }
            @if was_visited {
                section {
                    h2 { (visit.text("start-week")) }
                    (figures(visit.words, &now.body, Some(&before.body)))
                }
            }
            section {
                h2 { (visit.text("start-pages")) }
                @if items(&pages).is_empty() { (first_steps(&visit)) }
                @else {
                    ul.plain { @for (page, visits) in items(&pages).iter().zip(visits) { li { (recent(&visit, page, visits)) } } }
                }
            }
        }
    };
    let shown = tag_of([waiting.tag(), now.tag()]);
    let events = since_tag(&visit.url("/start/events"), &shown);
    let main = live("start", &Source { events: &events, event: "attention", content: "" }, &main);
    let actions = create_button(&visit, "/pages/new", &visit.text("page-new"));
    Ok(Screen::new(Area::Start, visit.text("area-start"), main).actions(actions).into())
}

/// Tells whenever something else needs attention, or somebody has visited a page.
pub(crate) async fn events(visit: Visit) -> Result<Drawn, Refused> {
    let week = DateRange::last(DAYS, day_of(visit.now));
    let paths = vec!["/v0/attention".to_owned(), path_of_visits(week)];
    changes_of(&visit, "attention", move |api| tag_at(api, paths.clone())).await
}

/// How many visits a page had in some days.
async fn visits_of(visit: &Visit, page: &Value, range: DateRange) -> Result<u64, Refused> {
    let path = format!("/v0/pages/{}/analytics/summary", segment(text(page, "pageId")));
    let (from, to) = range.bounds();
    let summary = visit.api.find(&path, &[("startDate", Some(&from)), ("endDate", Some(&to))]).await?;
    Ok(count(&summary.body, "totalSessions"))
}

/// What came of the visits to all pages in some days.
async fn visits_in(visit: &Visit, range: DateRange) -> Result<Answered, Refused> {
    visit.api.get(&path_of_visits(range)).await
}

fn path_of_visits(range: DateRange) -> String {
    let (from, to) = range.bounds();
    let days = [("startDate", Some(from.as_str())), ("endDate", Some(to.as_str()))];
    with_query("/v0/analytics/summary", &days)
}

/// Everything that needs attention, each with a way there.
fn attention(visit: &Visit, waiting: &Value) -> Vec<Markup> {
    let versions =
        by_page(list_of(waiting, "audiences")).into_iter().flat_map(|of_page| versions(visit, &of_page));
    let questions = list_of(waiting, "pagesWithQuestions").iter().map(|one| {
        let open = count(one, "unansweredQuestions");
        let state = badge(Tone::Warning, &visit.words.with("questions-open", &[("count", open.into())]));
        let path = format!("/visits/{}/questions", text(one, "pageId"));
        waits(visit, &state, &path, &html! { (text(one, "pageName")) }, None)
    });
    let webhooks = list_of(waiting, "webhookSubscriptions").iter().map(|one| {
        let path = format!("/webhooks/{}", text(one, "subscriptionId"));
        let state = badge(Tone::Bad, &visit.text("webhook-dead"));
        waits(visit, &state, &path, &html! { (text(one, "url")) }, None)
    });
    let domains = list_of(waiting, "tenantDomains").iter().map(|one| {
        let path = format!("/domains/{}", text(one, "tenantDomainId"));
        waits(visit, &tenant_domains::state(visit, one), &path, &html! { (text(one, "domain")) }, None)
    });
    versions.chain(questions).chain(webhooks).chain(domains).collect()
}

/// The audiences in their order, those of a page that wait for the same as one.
fn by_page(audiences: &[Value]) -> Vec<Vec<&Value>> {
    let mut pages: Vec<Vec<&Value>> = Vec::new();
    for one in audiences {
        let is_alike = |other: &Value| ["pageId", "status"].iter().all(|field| other[field] == one[field]);
        match pages.iter_mut().find(|of_page| is_alike(of_page[0])) {
            Some(of_page) => of_page.push(one),
            None => pages.push(vec![one]),
        }
    }
    pages
}

/// The audiences of a page that wait for the same: each by itself, or many as one that opens.
fn versions(visit: &Visit, audiences: &[&Value]) -> Vec<Markup> {
    let state = |one: &Value| status::of(visit.words, text(one, "status"));
    let named = |one: &Value, name: &Markup| {
        let path = format!("/pages/{}/audiences/{}", text(one, "pageId"), text(one, "audienceId"));
        let since = time(one, "since").map(|at| moment(visit.words, at, visit.now));
        waits(visit, &state(one), &path, name, since)
    };
    let first = audiences[0];
    let page = text(first, "pageName");
    if audiences.len() <= NAMED_ALONE {
        let alone = |one: &&Value| named(one, &html! { (page) " · " (name_of(visit, one)) });
        return audiences.iter().map(alone).collect();
    }
    let count = visit.words.with("audiences-count", &[("count", audiences.len().into())]);
    vec![html! {
        details {
            summary { (state(first)) " " span dir="auto" { (page) } " · " (count) }
            ul.plain { @for one in audiences { li { (named(one, &html! { (name_of(visit, one)) })) } } }
            a href=(visit.url(&format!("/pages/{}", text(first, "pageId")))) { (visit.text("start-whole-page")) }
        }
    }]
}

fn waits(visit: &Visit, state: &Markup, path: &str, name: &Markup, since: Option<Markup>) -> Markup {
    html! {
        (state) " " a href=(visit.url(path)) dir="auto" { (name) }
        @if let Some(since) = since { " " span.help { (since) } }
    }
}

/// A page that was made lately, with its visits.
fn recent(visit: &Visit, page: &Value, visits: u64) -> Markup {
    let id = text(page, "pageId");
    html! {
        a href=(visit.url(&format!("/pages/{id}"))) dir="auto" { (text(page, "name")) } " "
        span.help {
            (visit.words.with("audiences-count", &[("count", count(page, "audiencesCount").into())]))
            " · " a href=(visit.url(&format!("/visits/{id}"))) { (visit.words.with("visits-of-week", &[("count", visits.into())])) }
            @if let Some(at) = time(page, "updatedAt") { " · " (moment(visit.words, at, visit.now)) }
        }
    }
}

fn first_steps(visit: &Visit) -> Markup {
    let (title, told) = (visit.text("pages-empty"), visit.text("pages-empty-text"));
    let (make, url) = (visit.text("page-new"), visit.url("/pages/new"));
    let action = visit.may_write().then_some((make.as_str(), url.as_str()));
    empty(&Empty { title: &title, text: &told, action })
}
