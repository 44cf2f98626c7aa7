//! Start: what needs attention, and the pages that were made last, with what came of them in the last days.

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, try_join_all, try_join3};
use maud::{Markup, html};
use serde_json::Value;

use crate::client::{Refused, segment, with_query};
use crate::json::{count, items, text, time};
use crate::parts::badge::{Tone, badge};
use crate::parts::date_range::{DateRange, day_of};
use crate::parts::empty::{Empty, empty};
use crate::parts::moment::moment;
use crate::parts::navigation::Area;
use crate::screens::listing::create_button;
use crate::screens::withheld::name_of;
use crate::screens::{domains, status};
use crate::visit::{Drawn, Screen, Visit};

/// How many pages are looked at for what needs attention.
const PAGES: usize = 20;
/// How many of them are shown, with their visits and questions.
const SHOWN: usize = 8;
/// Of how many days visits are counted.
const DAYS: i32 = 7;

/// A page and what is looked at on it.
struct Looked<'a> {
    page: &'a Value,
    /// Audiences whose newest version waits.
    waiting: Vec<Value>,
    /// Visits of the last days, and questions that were not answered; only of a page that is shown.
    lately: Option<(u64, u64)>,
}

/// The screen that everybody comes to first.
pub(crate) async fn start(visit: Visit) -> Result<Drawn, Refused> {
    let limit = PAGES.to_string();
    let pages = visit.api.get(&with_query("/v0/pages", &[("limit", Some(&limit))])).await?.body;
    if items(&pages).is_empty() {
        return Ok(Screen::new(Area::Start, visit.text("area-start"), first_steps(&visit)).into());
    }
    let mut looks: Vec<BoxFuture<'_, Result<Looked<'_>, Refused>>> = Vec::new();
    for (at, page) in items(&pages).iter().enumerate() {
        looks.push(look(&visit, page, at < SHOWN).boxed());
    }
    let (looked, webhooks, domains) =
        try_join3(try_join_all(looks), dead_webhooks(&visit), waiting_domains(&visit)).await?;
    let attention = attention(&visit, &looked, &webhooks, &domains);
    let main = html! {
        div.stack {
            section {
                h2 { (visit.text("start-attention")) }
                @if attention.is_empty() { p.help { (visit.text("start-nothing-waits")) } }
                @else { ul.plain { @for one in &attention { li { (one) } } } }
            }
            section {
                h2 { (visit.text("start-pages")) }
                ul.plain { @for one in looked.iter().take(SHOWN) { li { (recent(&visit, one)) } } }
            }
        }
    };
    let actions = create_button(&visit, "/pages/new", &visit.text("page-new"));
    Ok(Screen::new(Area::Start, visit.text("area-start"), main).actions(actions).into())
}

async fn look<'a>(visit: &Visit, page: &'a Value, is_shown: bool) -> Result<Looked<'a>, Refused> {
    let path = format!("/v0/pages/{}", segment(text(page, "pageId")));
    let audiences = visit.api.get(&format!("{path}/audiences")).await?.body;
    let waiting = items(&audiences).iter().filter(|one| status::needs_a_look(one)).cloned().collect();
    let lately = if is_shown { Some(lately(visit, &path).await?) } else { None };
    Ok(Looked { page, waiting, lately })
}

async fn lately(visit: &Visit, page: &str) -> Result<(u64, u64), Refused> {
    let from = format!("{}T00:00:00.000Z", DateRange::last(DAYS, day_of(visit.now)).from);
    let summary = visit.api.find(&format!("{page}/analytics/summary"), &[("startDate", Some(&from))]).await?;
    let questions = visit.api.find(&format!("{page}/unanswered_questions"), &[("limit", Some("1"))]).await?;
    Ok((count(&summary.body, "totalSessions"), count(&questions.body, "totalCount")))
}

/// The subscriptions that were turned off because nothing could be delivered.
async fn dead_webhooks(visit: &Visit) -> Result<Vec<Value>, Refused> {
    let found = visit.api.get("/v0/webhook_subscriptions").await?.body;
    let mut dead = Vec::new();
    for subscription in items(&found).iter().filter(|one| one["active"] == false) {
        let id = segment(text(subscription, "subscriptionId"));
        let stats = visit.api.get(&format!("/v0/webhook_subscriptions/{id}/stats")).await?.body;
        if !stats["deactivatedBecause"].is_null() {
            dead.push(subscription.clone());
        }
    }
    Ok(dead)
}

/// The domains that do not serve yet, or no longer.
async fn waiting_domains(visit: &Visit) -> Result<Vec<Value>, Refused> {
    let found = visit.api.get("/v0/tenant_domains").await?.body;
    let waits = |domain: &&Value| text(domain, "verificationStatus") != "active";
    Ok(items(&found).iter().filter(waits).cloned().collect())
}

/// Everything that needs attention, each with a way there.
fn attention(visit: &Visit, looked: &[Looked<'_>], webhooks: &[Value], domains: &[Value]) -> Vec<Markup> {
    let written = looked.iter().flat_map(|one| {
        one.waiting.iter().map(|audience| {
            let (page, id) = (text(one.page, "pageId"), text(audience, "audienceId"));
            let name = html! { (text(one.page, "name")) " · " (name_of(visit, audience)) };
            let state = audience["latestVersion"]["status"].as_str().unwrap_or_default();
            waits(visit, &status::of(visit.words, state), &format!("/pages/{page}/audiences/{id}"), &name)
        })
    });
    let questions = looked.iter().filter_map(|one| {
        let (_, open) = one.lately.filter(|(_, open)| *open > 0)?;
        let state = badge(Tone::Warning, &visit.words.with("questions-open", &[("count", open.into())]));
        let path = format!("/visits/{}/questions", text(one.page, "pageId"));
        Some(waits(visit, &state, &path, &html! { (text(one.page, "name")) }))
    });
    let webhooks = webhooks.iter().map(|one| {
        let path = format!("/webhooks/{}", text(one, "subscriptionId"));
        waits(visit, &badge(Tone::Bad, &visit.text("webhook-dead")), &path, &html! { (text(one, "url")) })
    });
    let domains = domains.iter().map(|one| {
        let path = format!("/domains/{}", text(one, "tenantDomainId"));
        waits(visit, &domains::state(visit, one), &path, &html! { (text(one, "domain")) })
    });
    written.chain(questions).chain(webhooks).chain(domains).collect()
}

fn waits(visit: &Visit, state: &Markup, path: &str, name: &Markup) -> Markup {
    html! { (state) " " a href=(visit.url(path)) dir="auto" { (name) } }
}

/// A page that was made lately, with its visits.
fn recent(visit: &Visit, one: &Looked<'_>) -> Markup {
    let (page, id) = (one.page, text(one.page, "pageId"));
    html! {
        a href=(visit.url(&format!("/pages/{id}"))) dir="auto" { (text(page, "name")) } " "
        span.help {
            (visit.words.with("audiences-count", &[("count", count(page, "audiencesCount").into())]))
            @if let Some((visits, _)) = one.lately {
                " · " a href=(visit.url(&format!("/visits/{id}"))) { (visit.words.with("visits-of-week", &[("count", visits.into())])) }
            }
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
