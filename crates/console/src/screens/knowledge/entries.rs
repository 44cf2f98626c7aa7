//! Entries of a topic: a list that says what was read and why the rest was not, and one entry with its readings.

use futures_util::future::try_join_all;
use maud::{Markup, html};
use serde_json::{Value, json};

use crate::client::{Answered, Client, Refused, segment, tag_of, with_query};
use crate::events::{changes_of, tag_at};
use crate::json::{items, some, text, time};
use crate::notice::with_notice;
use crate::parts::badge::{Tone, badge};
use crate::parts::dialog::dialog_link;
use crate::parts::field::{Field, Kind};
use crate::parts::form::Form;
use crate::parts::list_query::ListQuery;
use crate::parts::live::{Source, live, since_tag};
use crate::parts::moment::moment;
use crate::parts::navigation::Area;
use crate::parts::table::Row;
use crate::parts::timeline::{Happening, timeline};
use crate::screens::entering::filled;
use crate::screens::listing::{Heading, Listing, asked, followed_by_tag};
use crate::screens::removal::Removal;
use crate::side_by_side::side_by_side;
use crate::visit::{Drawn, Screen, Visit};

use super::{api_path, path};

/// The longest text of an entry.
pub(super) const TEXT: u64 = 200_000;
/// How many entries a screen shows. Those that are files take two more calls each.
const SHOWN: &str = "20";
/// How many characters of a text stand for it.
const NAMED: usize = 80;

/// An entry with what only other answers tell: the file that it is, and its readings.
struct ShownEntry {
    entry: Value,
    file: Value,
    log: Option<Answered>,
}

impl ShownEntry {
    /// An entry of a list: its readings are read where the list shows something of them.
    async fn of(visit: &Visit, entry: Value) -> Result<ShownEntry, Refused> {
        let mut log = None;
        if is_file(&entry) || text(&entry["content"], "enrichmentStatus") == "failed" {
            log = Some(visit.api.get(&log_path(&api_path(visit), &entry)).await?);
        }
        Ok(ShownEntry::with(visit, entry, log).await)
    }

    async fn with(visit: &Visit, entry: Value, log: Option<Answered>) -> ShownEntry {
        let mut file = Value::Null;
        if is_file(&entry) {
            let id = segment(text(&entry["content"], "fileId"));
            // A file can be gone while its entry is there; the entry's log says so.
            file =
                visit.api.get(&format!("/v0/files/{id}")).await.map(|answer| answer.body).unwrap_or_default();
        }
        ShownEntry { entry, file, log }
    }

    fn content(&self) -> &Value {
        &self.entry["content"]
    }

    fn log(&self) -> &Value {
        self.log.as_ref().map_or(&Value::Null, |log| &log.body)
    }

    /// What the entry is called.
    fn name(&self, visit: &Visit) -> String {
        let content = self.content();
        match text(content, "type") {
            "url" => some(content, "name").unwrap_or_else(|| text(content, "url")).to_owned(),
            "file" => some(&self.file, "name").map_or_else(|| visit.text("file"), str::to_owned),
            _ => first_words(text(content, "content")),
        }
    }

    /// Whether its page or file was read: `success` for texts.
    fn state(&self) -> &str {
        let known = some(self.content(), "enrichmentStatus").or_else(|| some(self.log(), "enrichmentStatus"));
        known.unwrap_or("success")
    }

    /// Why it was not read, if it was not.
    fn reason(&self) -> Option<&str> {
        items(self.log()).first().filter(|_| self.state() == "failed").and_then(|last| some(last, "reason"))
    }
}

/// The first line of a text, cut where it gets long.
fn first_words(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("…");
    let line = line.trim_start_matches('#').trim_start();
    let mut shown: String = line.chars().take(NAMED).collect();
    if shown.len() < line.len() {
        shown.push('…');
    }
    shown
}

fn state_badge(visit: &Visit, state: &str) -> Markup {
    match state {
        "pending" => badge(Tone::Busy, &visit.text("entry-pending")),
        "failed" => badge(Tone::Bad, &visit.text("entry-failed")),
        _ => badge(Tone::Good, &visit.text("entry-read")),
    }
}

fn type_word(visit: &Visit, content_type: &str) -> String {
    match content_type {
        "url" => visit.text("entry-of-page"),
        "file" => visit.text("file"),
        _ => visit.text("entry-of-text"),
    }
}

/// The entries of the topic that the address names.
pub(super) async fn table(visit: &Visit) -> Result<Markup, Refused> {
    let query = asked(visit, &[]);
    let answered = visit.api.get(&listed(visit, &query)).await?;
    let found = &answered.body;
    let all =
        side_by_side(items(found).iter().map(|entry| ShownEntry::of(visit, entry.clone())).collect()).await?;
    let of_files = all.iter().filter(|told| is_file(&told.entry));
    let tag = tag_with_logs(&answered, of_files.filter_map(|told| told.log.as_ref()));
    let row = |told: &ShownEntry| {
        let entry_id = text(&told.entry, "topicEntryId");
        Row {
            id: entry_id.to_owned(),
            name: told.name(visit),
            href: Some(visit.url(&format!("{}/entries/{entry_id}", path(visit)))),
            cells: vec![
                html! { (type_word(visit, text(told.content(), "type"))) },
                html! { (state_badge(visit, told.state())) @if let Some(reason) = told.reason() { " " span.help { (visit.words.issue(reason)) } } },
                html! { @if let Some(at) = time(&told.entry, "updatedAt") { (moment(visit.words, at, visit.now)) } },
            ],
        }
    };
    let rows = all.iter().map(row).collect();
    let (caption, here) = (visit.text("entries"), path(visit));
    let make = format!("{here}/text");
    let listing = Listing {
        id: "entries",
        caption: &caption,
        path: &here,
        query: &query,
        columns: vec![
            Heading::new(visit.text("entry")),
            Heading::new(visit.text("entry-type")),
            Heading::new(visit.text("state")),
            Heading::new(visit.text("changed")).by("updatedAt"),
        ],
        rows,
        answer: found,
        search: None,
        filter: None,
        bulk: None,
        empty: (visit.text("entries-empty"), visit.text("entries-empty-text")),
        make: Some((visit.text("entry-add-text"), &make)),
    };
    Ok(followed_by_tag(visit, &format!("{here}/events"), &query, &tag, &listing.draw(visit)))
}

/// Where the API has the entries that a screen shows.
fn listed(visit: &Visit, query: &ListQuery) -> String {
    let parameters = [("cursor", query.cursor.as_deref()), ("limit", query.limit().or(Some(SHOWN)))];
    with_query(&format!("{}/entries", api_path(visit)), &parameters)
}

/// Says when an entry was read, or has changed otherwise.
pub(crate) async fn list_changes(visit: Visit) -> Result<Drawn, Refused> {
    let (topic, path) = (api_path(&visit), listed(&visit, &asked(&visit, &[])));
    changes_of(&visit, "list", move |api| state(api, topic.clone(), path.clone())).await
}

/// What there is of the entries of a topic, as a tag: the list at this path, and of files, of which it does not say whether they were read, their logs.
async fn state(api: Client, topic: String, list: String) -> Result<String, Refused> {
    let found = api.get(&list).await?;
    let files = items(&found.body).iter().filter(|entry| is_file(entry));
    let logs: Vec<String> = files.map(|entry| log_path(&topic, entry)).collect();
    let logs = try_join_all(logs.iter().map(|log| api.get(log))).await?;
    Ok(tag_with_logs(&found, logs.iter()))
}

fn tag_with_logs<'a>(list: &Answered, logs: impl Iterator<Item = &'a Answered>) -> String {
    tag_of([list.tag()].into_iter().chain(logs.map(Answered::tag)))
}

fn is_file(entry: &Value) -> bool {
    text(&entry["content"], "type") == "file"
}

/// Where the API has the log of an entry of a topic, which is at that path.
fn log_path(topic: &str, entry: &Value) -> String {
    format!("{topic}/entries/{}/log", segment(text(entry, "topicEntryId")))
}

/// Says when an entry was read, or has changed otherwise.
pub(crate) async fn events(visit: Visit) -> Result<Drawn, Refused> {
    let paths = of_entry(&visit);
    changes_of(&visit, "entry", move |api| tag_at(api, paths.to_vec())).await
}

/// What is shown of an entry, at the API.
fn of_entry(visit: &Visit) -> [String; 2] {
    let entry = entry_api(visit);
    [entry.clone(), format!("{entry}/log")]
}

fn entry_path(visit: &Visit) -> String {
    format!("{}/entries/{}", path(visit), segment(visit.id("topic_entry_id")))
}

fn entry_api(visit: &Visit) -> String {
    format!("{}/entries/{}", api_path(visit), segment(visit.id("topic_entry_id")))
}

/// One entry: what it says, and what became of reading it.
pub(crate) async fn show(visit: Visit) -> Result<Drawn, Refused> {
    shown(&visit, None).await.map(Drawn::from)
}

async fn shown(visit: &Visit, refused: Option<Refused>) -> Result<Screen, Refused> {
    let topic = visit.api.get(&api_path(visit)).await?.body;
    let [entry, log] = of_entry(visit);
    let (entry, log) = (visit.api.get(&entry).await?, visit.api.get(&log).await?);
    let tag = tag_of([entry.tag(), log.tag()]);
    let told = ShownEntry::with(visit, entry.body, Some(log)).await;
    let base = visit.url(&entry_path(visit));
    let is_text = text(told.content(), "type") == "text";
    let main = html! {
        div.stack {
            @if is_text && visit.may_write() { (text_form(visit, &told, entry.etag.as_deref(), &base, refused.as_ref())) }
            @else if is_text { p.prose dir="auto" { (text(told.content(), "content")) } }
            @else {
                @let events = since_tag(&format!("{base}/events"), &tag);
                (live("entry", &Source { events: &events, event: "entry", content: "" }, &html! {
                    div.stack { (facts(visit, &told)) (readings(visit, told.log())) }
                }))
            }
        }
    };
    let actions = html! {
        @if visit.may_write() {
            @if !is_text {
                form method="post" action={ (base) "/refresh" } { button.button.primary type="submit" { (visit.text("entry-read-again")) } }
            }
            (dialog_link(&format!("{base}/delete"), &visit.text("delete"), "button quiet"))
        }
    };
    Ok(Screen::new(Area::Knowledge, told.name(visit), main)
        .below(text(&topic, "title"), visit.url(&path(visit)))
        .actions(actions)
        .refused(refused))
}

fn text_form(
    visit: &Visit,
    told: &ShownEntry,
    etag: Option<&str>,
    base: &str,
    refused: Option<&Refused>,
) -> Markup {
    let fields = vec![
        Field::hidden("etag", etag.unwrap_or_default()),
        Field::new("content.content", visit.text("entry-of-text"), Kind::LongText(Some(TEXT)))
            .required()
            .value(text(told.content(), "content"))
            .help(visit.text("entry-text-help")),
    ];
    let (action, submit) = (format!("{base}/edit"), visit.text("save"));
    filled(Form::new("entry", &action, &submit, fields), visit, refused).draw(visit.words)
}

fn facts(visit: &Visit, told: &ShownEntry) -> Markup {
    let content = told.content();
    html! {
        dl.facts {
            dt { (visit.text("state")) }
            dd { (state_badge(visit, told.state())) @if let Some(reason) = told.reason() { " " (visit.words.issue(reason)) } }
            @if let Some(url) = some(content, "url") { dt { (visit.text("address")) } dd { a href=(url) rel="noopener noreferrer" target="_blank" { bdi { (url) } } } }
            @if let Some(size) = told.file["size"].as_u64() {
                dt { (visit.text("file")) } dd { bdi { (text(&told.file, "contentType")) } ", " (visit.words.bytes(size)) }
            }
            @if let Some(about) = some(content, "metaDescription") { dt { (visit.text("entry-description")) } dd dir="auto" { (about) } }
            @if let Some(summary) = some(content, "aiSummary") { dt { (visit.text("entry-summary")) } dd dir="auto" { (summary) } }
        }
    }
}

fn readings(visit: &Visit, log: &Value) -> Markup {
    let read: Vec<Happening<'_>> = items(log).iter().filter_map(|one| reading(visit, one)).collect();
    html! {
        section.stack {
            h2 { (visit.text("entry-readings")) }
            @if read.is_empty() { p.help { (visit.text("entry-readings-none")) } }
            @else { (timeline(visit.words, visit.now, &read)) }
        }
    }
}

fn reading<'a>(visit: &Visit, one: &'a Value) -> Option<Happening<'a>> {
    let (tone, word) = match text(one, "outcome") {
        "success" => (Tone::Good, visit.text("entry-read")),
        "unchanged" => (Tone::Good, visit.text("entry-unchanged")),
        "retry" => (Tone::Busy, visit.text("entry-retry")),
        _ => (Tone::Bad, visit.text("entry-failed")),
    };
    Some(Happening {
        tone,
        text: html! { strong { (word) } @if let Some(reason) = some(one, "reason") { " " (visit.words.issue(reason)) } },
        actor: some(one, "url"),
        time: time(one, "readAt")?,
        detail: None,
    })
}

/// Changes the text of an entry, if nobody else has changed it meanwhile.
pub(crate) async fn update(visit: Visit) -> Result<Drawn, Refused> {
    let content = json!({ "type": "text", "content": visit.entered.text("content.content") });
    let change = json!({ "content": content });
    match visit.api.patch(&entry_api(&visit), &change, visit.entered.some("etag")).await {
        Ok(_) => Ok(visit.moved(&with_notice(&entry_path(&visit), "saved", ""))),
        Err(refused) => shown(&visit, Some(refused.mendable()?)).await.map(Drawn::from),
    }
}

/// Has the page or file of an entry read again.
pub(crate) async fn refresh(visit: Visit) -> Result<Drawn, Refused> {
    visit.api.post(&format!("{}/refresh", entry_api(&visit)), &json!({})).await?;
    Ok(visit.moved(&with_notice(&entry_path(&visit), "reading", "")))
}

/// Asks whether an entry is to be deleted.
pub(crate) async fn ask_delete(visit: Visit) -> Result<Drawn, Refused> {
    let entry = visit.api.get(&entry_api(&visit)).await?.body;
    let name = ShownEntry::of(&visit, entry).await?.name(&visit);
    let removal = Removal {
        area: Area::Knowledge,
        name: &name,
        path: &entry_path(&visit),
        text: visit.text("entry-delete-text"),
    };
    Ok(removal.ask(&visit).into())
}

/// Deletes an entry.
pub(crate) async fn delete(visit: Visit) -> Result<Drawn, Refused> {
    visit.api.delete(&entry_api(&visit)).await?;
    Ok(visit.moved(&with_notice(&path(&visit), "deleted", "")))
}

#[cfg(test)]
mod tests {
    use super::first_words;

    #[test]
    fn a_text_is_called_by_its_first_line() {
        assert_eq!(first_words("\n\n## Prices\nFree for five."), "Prices");
        assert_eq!(first_words(" \n"), "…");
        let long = "ä".repeat(81);
        assert_eq!(first_words(&long), format!("{}…", "ä".repeat(80)));
        assert_eq!(first_words(&"ä".repeat(80)), "ä".repeat(80));
    }
}
