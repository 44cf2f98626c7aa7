//! Knowledge: topics, what of their entries was read, and a search through all that is known.

use maud::{Markup, html};
use serde_json::{Value, json};

use crate::client::{Refused, segment};
use crate::json::{items, list_of, some, text, time};
use crate::notice::with_notice;
use crate::parts::badge::{Tone, badge};
use crate::parts::dialog::dialog_link;
use crate::parts::field::{Field, Kind};
use crate::parts::form::Form;
use crate::parts::icon::{Icon, icon};
use crate::parts::moment::moment;
use crate::parts::navigation::Area;
use crate::parts::table::Row;
use crate::screens::entering::filled;
use crate::screens::listing::{
    Heading, Listing, asked, create_button, followed, found_to_follow, list_events,
};
use crate::screens::removal::Removal;
use crate::visit::{Drawn, Screen, Visit};

pub(crate) mod adding;
pub(crate) mod entries;

/// The longest title of a topic.
const TITLE: u64 = 1_000;
/// How many chunks a search shows.
const FOUND: u64 = 20;

/// The list of topics in the API.
const API: &str = "/v0/topics";

/// The list of topics.
pub(crate) async fn list(visit: Visit) -> Result<Drawn, Refused> {
    let query = asked(&visit, &[]);
    let answered = found_to_follow(&visit, API, &query).await?;
    let found = &answered.body;
    let row = |topic: &Value| Row {
        id: text(topic, "topicId").to_owned(),
        name: text(topic, "title").to_owned(),
        href: Some(visit.url(&format!("/knowledge/{}", text(topic, "topicId")))),
        cells: vec![
            html! { span dir="auto" { (text(topic, "purpose")) } },
            html! { (read_so_far(&visit, topic)) },
            html! { @if let Some(at) = time(topic, "updatedAt") { (moment(visit.words, at, visit.now)) } },
        ],
    };
    let title = visit.text("area-knowledge");
    let listing = Listing {
        id: "topics",
        caption: &title,
        path: "/knowledge",
        query: &query,
        columns: vec![
            Heading::new(visit.text("topic")),
            Heading::new(visit.text("topic-about")),
            Heading::new(visit.text("entries")),
            Heading::new(visit.text("changed")).by("updatedAt"),
        ],
        rows: items(found).iter().map(row).collect(),
        answer: found,
        search: Some(visit.text("topics-search")),
        filter: None,
        bulk: None,
        empty: (visit.text("topics-empty"), visit.text("topics-empty-text")),
        make: Some((visit.text("topic-new"), "/knowledge/new")),
    };
    let table = followed(&visit, "/knowledge/events", &query, &answered, &listing.draw(&visit));
    let main = html! { div.stack { (search_form(&visit, "")) (table) } };
    let actions = create_button(&visit, "/knowledge/new", &visit.text("topic-new"));
    Ok(Screen::new(Area::Knowledge, title, main).actions(actions).into())
}

/// Says when something in the list has changed, such as how much was read.
pub(crate) async fn list_changes(visit: Visit) -> Result<Drawn, Refused> {
    list_events(&visit, API, &asked(&visit, &[])).await
}

/// How many entries a topic has, as far as its answer holds them, and how many of them were not read.
fn read_so_far(visit: &Visit, topic: &Value) -> Markup {
    let entries = list_of(topic, "entries");
    let count = |state: &str| {
        entries.iter().filter(|entry| text(&entry["content"], "enrichmentStatus") == state).count()
    };
    let (pending, failed) = (count("pending"), count("failed"));
    html! {
        (visit.words.with("entries-count", &[("count", entries.len().into())]))
        @if pending > 0 { " " (badge(Tone::Busy, &visit.words.with("entries-pending", &[("count", pending.into())]))) }
        @if failed > 0 { " " (badge(Tone::Bad, &visit.words.with("entries-failed", &[("count", failed.into())]))) }
    }
}

/// The field that searches all that is known.
fn search_form(visit: &Visit, asked: &str) -> Markup {
    html! {
        form.search role="search" aria-label=(visit.text("knowledge-search")) method="get" action=(visit.url("/knowledge/search")) {
            label.unseen for="knowledge-search" { (visit.text("knowledge-search")) }
            input #knowledge-search type="search" name="q" value=(asked) dir="auto" placeholder=(visit.text("knowledge-search"));
            (icon(Icon::Search))
            button.button type="submit" { (visit.text("search")) }
        }
    }
}

/// What is known of something: the chunks that say most about it.
pub(crate) async fn search(visit: Visit) -> Result<Drawn, Refused> {
    let wanted = visit.asked("q").unwrap_or_default();
    let found = if wanted.trim().is_empty() {
        Value::Null
    } else {
        let asked = json!({ "query": wanted, "limit": FOUND });
        visit.api.ask("/v0/knowledge/search", &asked).await?.body
    };
    let main = html! {
        div.stack {
            (search_form(&visit, &wanted))
            @if !found.is_null() && items(&found).is_empty() { p.help role="status" { (visit.text("knowledge-nothing")) } }
            ol.plain.stack { @for chunk in items(&found) { li.card { (one_chunk(&visit, chunk)) } } }
        }
    };
    let title = visit.text("knowledge-search");
    Ok(Screen::new(Area::Knowledge, title, main).into())
}

fn one_chunk(visit: &Visit, chunk: &Value) -> Markup {
    let entry = format!("/knowledge/{}/entries/{}", text(chunk, "topicId"), text(chunk, "topicEntryId"));
    let source = &chunk["source"];
    let name = some(source, "name").or_else(|| some(source, "url"));
    html! {
        @if let Some(heading) = some(chunk, "heading") { h3 dir="auto" { (heading) } }
        p dir="auto" { (text(chunk, "text")) }
        p.help {
            a href=(visit.url(&entry)) { bdi { (text(chunk, "topicTitle")) } }
            @if let Some(name) = name { " · " bdi { (name) } }
        }
    }
}

/// The form of a new topic.
pub(crate) async fn new(visit: Visit) -> Result<Drawn, Refused> {
    Ok(new_screen(&visit, None).into())
}

fn new_screen(visit: &Visit, refused: Option<Refused>) -> Screen {
    let fields = vec![
        Field::new("title", visit.text("topic-title"), Kind::Text(Some(TITLE)))
            .required()
            .help(visit.text("topic-title-help")),
    ];
    let (action, cancel, submit) =
        (visit.url("/knowledge/new"), visit.url("/knowledge"), visit.text("topic-new"));
    let form = Form { cancel: Some(&cancel), ..Form::new("topic", &action, &submit, fields) };
    let main = filled(form, visit, refused.as_ref()).draw(visit.words);
    Screen::new(Area::Knowledge, submit.clone(), main).refused(refused)
}

/// Makes a topic.
pub(crate) async fn create(visit: Visit) -> Result<Drawn, Refused> {
    let body = json!({ "title": visit.entered.text("title") });
    match visit.api.post("/v0/topics", &body).await {
        Ok(made) => Ok(visit.moved(&format!("/knowledge/{}", text(&made.body, "topicId")))),
        Err(refused) => Ok(new_screen(&visit, Some(refused.mendable()?)).into()),
    }
}

/// The API's path of the topic that the address names.
fn api_path(visit: &Visit) -> String {
    format!("/v0/topics/{}", segment(visit.id("topic_id")))
}

/// The path of the topic's screen.
fn path(visit: &Visit) -> String {
    format!("/knowledge/{}", segment(visit.id("topic_id")))
}

/// A topic with its entries.
pub(crate) async fn show(visit: Visit) -> Result<Drawn, Refused> {
    shown(&visit, None).await.map(Drawn::from)
}

async fn shown(visit: &Visit, refused: Option<Refused>) -> Result<Screen, Refused> {
    let topic = visit.api.get(&api_path(visit)).await?;
    let table = entries::table(visit).await?;
    let base = visit.url(&path(visit));
    let fields = vec![
        Field::hidden("etag", topic.etag.unwrap_or_default()),
        Field::new("title", visit.text("topic-title"), Kind::Text(Some(TITLE)))
            .required()
            .value(text(&topic.body, "title")),
    ];
    let (action, submit) = (format!("{base}/edit"), visit.text("save"));
    let form = filled(Form::new("topic", &action, &submit, fields), visit, refused.as_ref());
    let main = html! {
        div.stack {
            (table)
            @if visit.may_write() {
                details open[refused.is_some()] { summary { (visit.text("topic-rename")) } (form.draw(visit.words)) }
            }
        }
    };
    let is_default = topic.body["isDefault"] == true;
    let actions = html! {
        @if visit.may_write() {
            a.button.primary href={ (base) "/text" } data-key="c" { (visit.text("entry-add-text")) }
            a.button href={ (base) "/address" } { (visit.text("entry-add-address")) }
            a.button href={ (base) "/file" } { (visit.text("entry-add-file")) }
            @if !is_default { (dialog_link(&format!("{base}/delete"), &visit.text("delete"), "button quiet")) }
        }
    };
    Ok(Screen::new(Area::Knowledge, text(&topic.body, "title"), main).actions(actions).refused(refused))
}

/// Gives a topic another title, if nobody else has changed it meanwhile.
pub(crate) async fn update(visit: Visit) -> Result<Drawn, Refused> {
    let change = json!({ "title": visit.entered.text("title") });
    match visit.api.patch(&api_path(&visit), &change, visit.entered.some("etag")).await {
        Ok(_) => Ok(visit.moved(&with_notice(&path(&visit), "saved", ""))),
        Err(refused) => shown(&visit, Some(refused.mendable()?)).await.map(Drawn::from),
    }
}

fn removal<'a>(visit: &Visit, name: &'a str, path: &'a str) -> Removal<'a> {
    Removal { area: Area::Knowledge, name, path, text: visit.text("topic-delete-text") }
}

/// Asks whether a topic is to be deleted.
pub(crate) async fn ask_delete(visit: Visit) -> Result<Drawn, Refused> {
    let topic = visit.api.get(&api_path(&visit)).await?.body;
    Ok(removal(&visit, text(&topic, "title"), &path(&visit)).ask_for_name(&visit, None).into())
}

/// Deletes a topic whose title was typed.
pub(crate) async fn delete(visit: Visit) -> Result<Drawn, Refused> {
    let topic = visit.api.get(&api_path(&visit)).await?.body;
    if let Some(again) = removal(&visit, text(&topic, "title"), &path(&visit)).unconfirmed(&visit) {
        return Ok(again.into());
    }
    visit.api.delete(&api_path(&visit)).await?;
    Ok(visit.moved(&with_notice("/knowledge", "deleted", "")))
}
