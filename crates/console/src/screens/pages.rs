//! Pages: the list, a new one from somebody's own text, and one with its audiences.

mod card;
pub(crate) mod editing;
mod form_layout;
mod making;
mod removing;

pub(crate) use making::{create, new};
pub(crate) use removing::{archive, ask_archive, ask_delete, delete, restore};

use axum::http::StatusCode;
use futures_util::future::try_join_all;
use maud::{Markup, html};
use pagesmith_model::user::Permission;
use serde_json::Value;

use crate::client::{Refused, segment, with_query};
use crate::events::changes;
use crate::json::{count, items, number, some, text, time};
use crate::parts::dialog::dialog_link;
use crate::parts::field::Choice;
use crate::parts::list_query::{Asks, ListQuery};
use crate::parts::moment::moment;
use crate::parts::navigation::Area;
use crate::parts::table::{BulkAction, Row};
use crate::screens::figures::{figures, percent};
use crate::screens::listing::{
    Heading, Listing, NAME, api_path as list_path, asked_in_order, create_button, followed, followed_by_tag,
    found_to_follow, list_events,
};
use crate::screens::status;
use crate::screens::withheld::name_of;
use crate::visit::{Drawn, Screen, Visit};

/// What the audiences of a page can be sorted by.
const SORTS: [&str; 3] = [NAME, "totalSessions", "conversionRate"];

/// The list of pages in the API.
const API: &str = "/v0/pages";

/// By which columns the API gives the list of pages in order.
const ORDERS: [&str; 2] = [NAME, "createdAt"];

/// The list of pages.
pub(crate) async fn list(visit: Visit) -> Result<Drawn, Refused> {
    let query = asked_in_order(&visit, &ORDERS);
    let answered = found_to_follow(&visit, API, &query).await?;
    let mut found = answered.body.clone();
    if !query.search.is_empty() {
        complete(&visit, &mut found, |page| format!("/v0/pages/{}", segment(text(page, "pageId")))).await?;
    }
    let words = visit.words;
    let row = |page: &Value| Row {
        id: text(page, "pageId").to_owned(),
        name: text(page, "name").to_owned(),
        href: Some(visit.url(&format!("/pages/{}", text(page, "pageId")))),
        cells: vec![
            html! { @if let Some(state) = some(page, "status") { (status::of(words, state)) } },
            html! { (type_name(&visit, text(page, "pageType"))) },
            html! { (visit.count(count(page, "audiencesCount"))) },
            html! { @if let Some(at) = time(page, "createdAt") { (moment(words, at, visit.now)) } },
            html! { @if let Some(at) = time(page, "updatedAt") { (moment(words, at, visit.now)) } },
        ],
    };
    let (title, make) = (visit.text("area-pages"), visit.text("page-new"));
    let listing = Listing {
        id: "pages",
        caption: &title,
        path: "/pages",
        query: &query,
        columns: vec![
            Heading::new(visit.text("name")),
            Heading::new(visit.text("state")),
            Heading::new(visit.text("page-type")),
            Heading::new(visit.text("audiences")).number().by("audiencesCount"),
            Heading::new(visit.text("created")).by("createdAt"),
            Heading::new(visit.text("changed")).by("updatedAt"),
        ],
        rows: items(&found).iter().map(row).collect(),
        answer: &found,
        search: Some(visit.text("pages-search")),
        filter: None,
        bulk: None,
        empty: (visit.text("pages-empty"), visit.text("pages-empty-text")),
        make: Some((make.clone(), "/pages/new")),
    };
    let main = followed(&visit, "/pages/events", &query, &answered, &listing.draw(&visit));
    let actions = create_button(&visit, "/pages/new", &make);
    Ok(Screen::new(Area::Pages, title.clone(), main).actions(actions).into())
}

/// Says when something in the list has changed.
pub(crate) async fn list_changes(visit: Visit) -> Result<Drawn, Refused> {
    list_events(&visit, API, &asked_in_order(&visit, &ORDERS)).await
}

/// Puts what was found in the place of what a search tells of it, which is less. What is gone meanwhile stays as it was found.
async fn complete(visit: &Visit, found: &mut Value, path: impl Fn(&Value) -> String) -> Result<(), Refused> {
    let reads = items(found).iter().map(|item| {
        let path = path(item);
        async move {
            match visit.api.get(&path).await {
                Ok(whole) => Ok(Some(whole.body)),
                Err(refused) if refused.status == StatusCode::NOT_FOUND => Ok(None),
                Err(refused) => Err(refused),
            }
        }
    });
    let wholes = try_join_all(reads).await?;
    for (item, whole) in found["items"].as_array_mut().into_iter().flatten().zip(wholes) {
        if let Some(whole) = whole {
            *item = whole;
        }
    }
    Ok(())
}

/// Where the API has a part of a page's audiences: of those that match the search, if anything is searched for.
fn audiences_path(visit: &Visit, query: &ListQuery) -> String {
    let path = format!("{}/audiences", api_path(visit));
    if query.search.is_empty() {
        return list_path(&path, query);
    }
    let (cursor, limit) = (("cursor", query.cursor.as_deref()), ("limit", query.limit()));
    let of_page = ("pageId", Some(visit.id("page_id")));
    with_query("/v0/audiences/search", &[("query", Some(query.search.as_str())), of_page, cursor, limit])
}

/// They, with all that the list tells of each; and the tag of what was found, which [`audiences_changes`] follows.
async fn audiences_of(visit: &Visit, query: &ListQuery) -> Result<(Value, String), Refused> {
    let found = visit.api.get(&audiences_path(visit, query)).await?;
    let (tag, mut audiences) = (found.tag(), found.body);
    if !query.search.is_empty() {
        let path = format!("{}/audiences", api_path(visit));
        let of = |audience: &Value| format!("{path}/{}", segment(text(audience, "audienceId")));
        complete(visit, &mut audiences, of).await?;
    }
    Ok((audiences, tag))
}

/// What a page's audiences are asked for by.
fn asked_of_audiences(visit: &Visit) -> ListQuery {
    // Where the names of persons are not shown, the API does not sort by them.
    let by_api: &[&str] = if visit.may(Permission::ReadPersonalData) { &[NAME] } else { &[] };
    ListQuery { by_api, ..ListQuery::read(&visit.query, &Asks { sorts: &SORTS, filters: &[] }) }
}

/// Says when an audience or a version was begun, published, or has changed otherwise.
pub(crate) async fn audiences_changes(visit: Visit) -> Result<Drawn, Refused> {
    let path = audiences_path(&visit, &asked_of_audiences(&visit));
    changes(&visit, "list", path).await
}

fn type_name(visit: &Visit, page_type: &str) -> String {
    match page_type {
        "outbound" => visit.text("type-outbound"),
        "call_followup" => visit.text("type-call-followup"),
        "sales_deck" => visit.text("type-sales-deck"),
        "custom" => visit.text("type-custom"),
        _ => visit.text("type-inbound"),
    }
}

fn type_choices(visit: &Visit) -> Vec<Choice> {
    let choice = |value: &str| Choice::new(value, type_name(visit, value));
    ["inbound", "outbound", "call_followup", "sales_deck", "custom"].map(choice).to_vec()
}

/// The API's path of the page that the address names.
pub(crate) fn api_path(visit: &Visit) -> String {
    format!("/v0/pages/{}", segment(visit.id("page_id")))
}

/// The console's path of it.
pub(crate) fn path(visit: &Visit) -> String {
    format!("/pages/{}", segment(visit.id("page_id")))
}

/// A page with its audiences.
pub(crate) async fn show(visit: Visit) -> Result<Drawn, Refused> {
    let api = api_path(&visit);
    let page = visit.api.get(&api).await?.body;
    let query = asked_of_audiences(&visit);
    let (mut audiences, tag) = audiences_of(&visit, &query).await?;
    let summary = visit.api.get(&format!("{api}/analytics/summary")).await?.body;
    let visits = visit.api.get(&format!("{api}/analytics/audiences")).await?.body;
    count_visits(&mut audiences, &visits);
    let base = visit.url(&format!("/pages/{}", text(&page, "pageId")));
    let table = audiences_table(&visit, &page, &audiences, &query);
    let events = format!("/pages/{}/audiences/events", text(&page, "pageId"));
    let table = followed_by_tag(&visit, &events, &query, &tag, &table);
    let main = html! {
        div.stack {
            (figures(visit.words, &summary, None))
            section {
                h2 { (visit.text("audiences")) }
                (table)
            }
            section {
                h2 { (visit.text("page-context")) }
                p.prose dir="auto" { (shortened(text(&page, "pageContext"))) }
            }
        }
    };
    let title = text(&page, "name").to_owned();
    Ok(Screen::new(Area::Pages, title, main).actions(page_actions(&visit, &page, &base)).into())
}

/// Notes beside each audience what came of visits to it.
fn count_visits(audiences: &mut Value, visits: &Value) {
    for audience in audiences["items"].as_array_mut().into_iter().flatten() {
        let counted = items(visits).iter().find(|one| one["audienceId"] == audience["audienceId"]);
        let sessions = counted.map_or(0, |one| count(one, "totalSessions"));
        let rate = counted.and_then(|one| number(one, "conversionRate")).unwrap_or_default();
        audience["totalSessions"] = sessions.into();
        audience["conversionRate"] = rate.into();
    }
}

fn audiences_table(visit: &Visit, page: &Value, audiences: &Value, query: &ListQuery) -> Markup {
    let path = format!("/pages/{}", text(page, "pageId"));
    let row = |audience: &Value| {
        let id = text(audience, "audienceId");
        Row {
            id: id.to_owned(),
            name: name_of(visit, audience),
            href: Some(visit.url(&format!("{path}/audiences/{id}"))),
            cells: vec![
                status::of(visit.words, text(audience, "status")),
                html! { (visit.count(count(audience, "totalSessions"))) },
                html! { (percent(visit.words, number(audience, "conversionRate").unwrap_or_default())) },
            ],
        }
    };
    let (publish, archive) = (visit.text("publish"), visit.text("archive"));
    let change = |value, label| BulkAction { value, label, is_destructive: false };
    let (selected, new) = (format!("{path}/audiences/selected"), format!("{path}/audiences/new"));
    let changes = vec![change("publish", publish.as_str()), change("archive", archive.as_str())];
    let listing = Listing {
        id: "audiences",
        caption: &visit.text("audiences"),
        path: &path,
        query,
        columns: vec![
            Heading::new(visit.text("audience")),
            Heading::new(visit.text("state")),
            Heading::new(visit.text("visits")).number().by("totalSessions"),
            Heading::new(visit.text("conversion")).number().by("conversionRate"),
        ],
        rows: items(audiences).iter().map(row).collect(),
        answer: audiences,
        search: Some(visit.text("audiences-search")),
        filter: None,
        bulk: visit.may_write().then_some((selected.as_str(), changes)),
        empty: (visit.text("audiences-empty"), visit.text("audiences-empty-text")),
        make: Some((visit.text("audience-new"), &new)),
    };
    listing.draw(visit)
}

/// How many characters of a page's context its screen shows.
const SHOWN: usize = 600;

pub(super) fn shortened(text: &str) -> String {
    let mut shown: String = text.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

fn page_actions(visit: &Visit, page: &Value, base: &str) -> Markup {
    let is_archived = text(page, "status") == "archived";
    html! {
        @if visit.may(Permission::Write) {
            @if is_archived {
                form method="post" action={ (base) "/restore" } { button.button type="submit" { (visit.text("restore")) } }
            } @else {
                a.button.primary href={ (base) "/audiences/new" } data-key="c" { (visit.text("audience-new")) }
                a.button href={ (base) "/edit" } data-key="e" { (visit.text("edit")) }
                (dialog_link(&format!("{base}/archive"), &visit.text("archive"), "button quiet"))
            }
            (dialog_link(&format!("{base}/delete"), &visit.text("delete"), "button quiet"))
        }
    }
}
