//! Persons out of a file: uploaded, columns assigned, checked, imported, reported.
//!
//! The file is passed on to the API unread. Every step is a screen of its own address that can be loaded again; while the import is at work the
//! screen follows its events.

use std::fmt::Write;

use maud::{Markup, html};
use serde_json::{Value, json};

use crate::client::{Refused, segment};
use crate::json::{count, items, list_of, text, time};
use crate::notice::with_notice;
use crate::parts::badge::{Tone, badge};
use crate::parts::field::{Choice, Field, Kind};
use crate::parts::form::Form;
use crate::parts::live::{Source, live, since};
use crate::parts::moment::moment;
use crate::parts::navigation::Area;
use crate::parts::table::{Row, scrolled};
use crate::screens::entering::filled;
use crate::screens::knowledge::adding::uploaded;
use crate::screens::listing::{
    Heading, Listing, asked, create_button, followed, found_to_follow, list_events,
};
use crate::visit::{Drawn, Screen, Visit};

/// What browsers offer to choose; the API says what is a table.
pub(crate) const TABLES: &str = ".csv,.tsv,.txt,text/csv";
/// How many refused rows are shown.
const SHOWN: &str = "100";

/// The list of imports in the API.
const API: &str = "/v0/person_imports";

/// The imports that there were.
pub(crate) async fn list(visit: Visit) -> Result<Drawn, Refused> {
    let query = asked(&visit, &[]);
    let answered = found_to_follow(&visit, API, &query).await?;
    let found = &answered.body;
    let row = |import: &Value| Row {
        id: text(import, "personImportId").to_owned(),
        name: text(import, "fileName").to_owned(),
        href: Some(visit.url(&format!("/persons/imports/{}", text(import, "personImportId")))),
        cells: vec![
            status(&visit, import),
            html! { (visit.count(count(import, "created"))) },
            html! { (visit.count(count(import, "updated"))) },
            html! { (visit.count(count(import, "refused"))) },
            html! { @if let Some(at) = time(import, "updatedAt") { (moment(visit.words, at, visit.now)) } },
        ],
    };
    let title = visit.text("imports");
    let listing = Listing {
        id: "imports",
        caption: &title,
        path: "/persons/imports",
        query: &query,
        columns: vec![
            Heading::new(visit.text("file")),
            Heading::new(visit.text("import-status")),
            Heading::new(visit.text("import-created")).number().by("created"),
            Heading::new(visit.text("import-updated")).number().by("updated"),
            Heading::new(visit.text("import-refused")).number().by("refused"),
            Heading::new(visit.text("changed")).by("updatedAt"),
        ],
        rows: items(found).iter().map(row).collect(),
        answer: found,
        search: None,
        filter: None,
        bulk: None,
        empty: (visit.text("imports-empty"), visit.text("import-file-help")),
        make: Some((visit.text("import-new"), "/persons/imports/new")),
    };
    let main = followed(&visit, "/persons/imports/events", &query, &answered, &listing.draw(&visit));
    let actions = create_button(&visit, "/persons/imports/new", &visit.text("import-new"));
    Ok(Screen::new(Area::Persons, title, main)
        .below(visit.text("area-persons"), visit.url("/persons"))
        .actions(actions)
        .into())
}

/// Says when something in the list has changed.
pub(crate) async fn list_changes(visit: Visit) -> Result<Drawn, Refused> {
    list_events(&visit, API, &asked(&visit, &[])).await
}

fn status(visit: &Visit, import: &Value) -> Markup {
    let (tone, label) = match text(import, "status") {
        "draft" => (Tone::Plain, visit.text("import-draft")),
        "checking" => (Tone::Busy, visit.text("import-checking")),
        "checked" => (Tone::Plain, visit.text("import-checked")),
        "importing" => (Tone::Busy, visit.text("import-importing")),
        "done" => (Tone::Good, visit.text("import-done")),
        "cancelled" => (Tone::Warning, visit.text("import-cancelled")),
        _ => (Tone::Bad, visit.text("import-failed")),
    };
    badge(tone, &label)
}

/// The form with the file.
pub(crate) async fn new(visit: Visit) -> Result<Drawn, Refused> {
    Ok(file_screen(&visit, None).into())
}

fn file_screen(visit: &Visit, refused: Option<Refused>) -> Screen {
    let file = Field::new("file", visit.text("file"), Kind::File(TABLES.to_owned()));
    let fields = vec![file.required().help(visit.text("import-file-help"))];
    let (action, cancel, submit) =
        (visit.url("/persons/imports/new"), visit.url("/persons"), visit.text("upload"));
    let form = Form { cancel: Some(&cancel), ..Form::new("import", &action, &submit, fields) };
    let main = filled(form, visit, refused.as_ref()).draw(visit.words);
    Screen::new(Area::Persons, visit.text("import-new"), main)
        .below(visit.text("imports"), visit.url("/persons/imports"))
        .refused(refused)
}

/// Takes the file, and goes on to its columns. A file that is no table is removed again.
pub(crate) async fn create(visit: Visit) -> Result<Drawn, Refused> {
    let file = match uploaded(&visit).await {
        Ok(file) => file,
        Err(refused) => return Ok(file_screen(&visit, Some(refused.mendable()?)).into()),
    };
    let file_id = text(&file, "fileId");
    match visit.api.post("/v0/person_imports", &json!({ "fileId": file_id })).await {
        Ok(made) => Ok(visit.moved(&format!("/persons/imports/{}", text(&made.body, "personImportId")))),
        Err(mut refused) => {
            visit.api.delete(&format!("/v0/files/{file_id}")).await?;
            refused.issues.iter_mut().for_each(|(field, _)| "file".clone_into(field));
            Ok(file_screen(&visit, Some(refused.mendable()?)).into())
        }
    }
}

fn api_path(visit: &Visit) -> String {
    format!("/v0/person_imports/{}", segment(visit.id("person_import_id")))
}

fn path(visit: &Visit) -> String {
    format!("/persons/imports/{}", segment(visit.id("person_import_id")))
}

/// An import, at the step where it is.
pub(crate) async fn show(visit: Visit) -> Result<Drawn, Refused> {
    screen(&visit, None).await.map(Drawn::from)
}

async fn screen(visit: &Visit, refused: Option<Refused>) -> Result<Screen, Refused> {
    let answered = visit.api.get(&api_path(visit)).await?;
    let import = &answered.body;
    let here = visit.url(&path(visit));
    let state = text(import, "status");
    // What was checked is what is started: the columns are shown for change again on demand only.
    let is_editable = visit.may_write()
        && (state == "draft" || (state == "checked" && (asks_for_columns(visit) || refused.is_some())));
    let refusals =
        visit.api.find(&format!("{}/refusals", api_path(visit)), &[("limit", Some(SHOWN))]).await?;
    let shown = html! {
        div.stack {
            p { (status(visit, import)) " " bdi { (text(import, "fileName")) } }
            (steps(visit, state, is_editable, &here))
            @if state == "failed" { p.error { (visit.text("import-failed-text")) } }
            @if state != "draft" { (counts(visit, import)) }
            (refused_rows(visit, import, &refusals.body, &here))
            @if !is_editable { (columns(visit, import)) }
        }
    };
    let is_at_work = matches!(state, "checking" | "importing");
    // In every state there is this part, so that the one that was at work is replaced by what came of it.
    let shown = if is_at_work {
        let events = since(&format!("{here}/events"), &answered);
        live("import", &Source { events: &events, event: "progress", content: &here }, &shown)
    } else {
        html! { div #import { (shown) } }
    };
    let form = if is_editable {
        Some(assignment(visit, import, answered.etag.as_deref(), &here, refused.as_ref()).await?)
    } else {
        None
    };
    let main = html! { (shown) @if let Some(form) = form { (form) } };
    Ok(Screen::new(Area::Persons, visit.text("import"), main)
        .below(visit.text("imports"), visit.url("/persons/imports"))
        .refused(refused))
}

/// What can be done with an import in this state.
fn steps(visit: &Visit, state: &str, is_editable: bool, here: &str) -> Markup {
    if !visit.may_write() || matches!(state, "done" | "cancelled" | "failed") {
        return html! {};
    }
    html! {
        div.line {
            @if state == "checked" && !is_editable {
                form method="post" action=(format!("{here}/start")) { button.button.primary type="submit" { (visit.text("import-start")) } }
                a.button href=(format!("{here}?columns=change")) { (visit.text("import-change-columns")) }
            }
            form method="post" action=(format!("{here}/cancel")) { button.button.quiet type="submit" { (visit.text("import-cancel")) } }
        }
    }
}

fn asks_for_columns(visit: &Visit) -> bool {
    visit.asked("columns").is_some()
}

/// What became of the rows, or would become of them.
fn counts(visit: &Visit, import: &Value) -> Markup {
    let is_rehearsed = matches!(text(import, "status"), "checking" | "checked");
    let share = import["progress"].as_f64().unwrap_or_default();
    html! {
        @if is_rehearsed { p.help { (visit.text("import-rehearsed")) } }
        progress max="1" value=(share) aria-label=(visit.text("import-progress")) {}
        dl.facts {
            dt { (visit.text("import-created")) } dd { (visit.count(count(import, "created"))) }
            dt { (visit.text("import-updated")) } dd { (visit.count(count(import, "updated"))) }
            dt { (visit.text("import-unchanged")) } dd { (visit.count(count(import, "unchanged"))) }
            dt { (visit.text("import-refused")) } dd { (visit.count(count(import, "refused"))) }
        }
    }
}

fn refused_rows(visit: &Visit, import: &Value, refusals: &Value, here: &str) -> Markup {
    let all = count(import, "refused");
    html! {
        @if all > 0 {
            section.stack {
                h2 { (visit.text("import-refused-rows")) }
                p { a href=(format!("{here}/refused.csv")) { (visit.text("import-refused-download")) } }
                (scrolled(&visit.text("import-refused-rows"), &html! {
                    thead { tr { th scope="col" { (visit.text("import-line")) } th scope="col" { (visit.text("import-reason")) } } }
                    tbody {
                        @for refusal in items(refusals) {
                            tr { td.number { (visit.count(count(refusal, "line"))) } td dir="auto" { (visit.words.issue(text(refusal, "reason"))) } }
                        }
                    }
                }))
            }
        }
    }
}

/// What each column became.
fn columns(visit: &Visit, import: &Value) -> Markup {
    html! {
        section.stack {
            h2 { (visit.text("import-columns")) }
            (scrolled(&visit.text("import-columns"), &html! {
                thead { tr {
                    th scope="col" { (visit.text("import-column")) }
                    th scope="col" { (visit.text("import-becomes")) }
                    th scope="col" { (visit.text("import-filled")) }
                } }
                tbody {
                    @for column in list_of(import, "columns") {
                        tr {
                            td dir="auto" { (text(column, "name")) }
                            td { (kind(visit, text(column, "becomes"))) }
                            td.number { (visit.count(count(column, "rows"))) }
                        }
                    }
                }
            }))
        }
    }
}

/// Every kind of column, in the API's names.
const KINDS: [&str; 9] =
    ["name", "first-name", "last-name", "email", "phone", "linkedin", "domain", "context", "ignore"];

fn kind(visit: &Visit, name: &str) -> String {
    match name {
        "name" => visit.text("name"),
        "first-name" => visit.text("import-first-name"),
        "last-name" => visit.text("import-last-name"),
        "email" => visit.text("email"),
        "phone" => visit.text("phone"),
        "linkedin" => visit.text("linkedin"),
        "domain" => visit.text("company-domain"),
        "context" => visit.text("import-context"),
        _ => visit.text("import-ignore"),
    }
}

/// The form that says what each column becomes, each with its first cells.
async fn assignment(
    visit: &Visit,
    import: &Value,
    etag: Option<&str>,
    here: &str,
    refused: Option<&Refused>,
) -> Result<Markup, Refused> {
    let preview = visit.api.get(&format!("{}/preview", api_path(visit))).await?.body;
    let rows = list_of(&preview, "rows");
    let first_cells = |at: usize| {
        let cells = rows.iter().filter_map(|row| row[at].as_str()).filter(|cell| !cell.is_empty());
        cells.take(3).fold(String::new(), |mut all, cell| {
            let cut: String = cell.chars().take(40).collect();
            let sign = if all.is_empty() { "" } else { " · " };
            // Writing to a text does not fail.
            let _ = write!(all, "{sign}{cut}");
            all
        })
    };
    let choices: Vec<Choice> = KINDS.iter().map(|name| Choice::new(*name, kind(visit, name))).collect();
    let field = |(at, column): (usize, &Value)| {
        Field::new(format!("columns.{at}"), text(column, "name"), Kind::Choice(choices.clone()))
            .value(text(column, "becomes"))
            .help(first_cells(at))
    };
    let mut fields: Vec<Field> = list_of(import, "columns").iter().enumerate().map(field).collect();
    fields.push(
        Field::new("region", visit.text("import-region"), Kind::Text(Some(2)))
            .value(text(import, "region"))
            .help(visit.text("import-region-help")),
    );
    fields.push(Field::hidden("etag", etag.unwrap_or_default()));
    let (action, submit) = (format!("{here}/check"), visit.text("import-check"));
    let form = filled(Form::new("columns", &action, &submit, fields), visit, refused);
    Ok(html! {
        section.stack {
            h2 { (visit.text("import-columns")) }
            p.help { (visit.text("import-columns-help")) }
            (form.draw(visit.words))
        }
    })
}

/// What was chosen for the columns and not written yet.
fn change(visit: &Visit) -> Value {
    let mut columns = Vec::new();
    while let Some(kind) = visit.entered.some(&format!("columns.{}", columns.len())) {
        columns.push(json!(kind));
    }
    let mut change = json!({ "columns": columns });
    if let Some(region) = visit.entered.some("region") {
        change["region"] = json!(region);
    }
    change
}

/// Keeps what the columns become, and has it found out what the import would do.
pub(crate) async fn check(visit: Visit) -> Result<Drawn, Refused> {
    let kept = visit.api.patch(&api_path(&visit), &change(&visit), visit.entered.some("etag")).await;
    let checked = match kept {
        Ok(_) => visit.api.post(&format!("{}/check", api_path(&visit)), &json!({})).await,
        Err(refused) => Err(refused),
    };
    again_if_refused(&visit, checked.map(drop)).await
}

/// Starts the import as it is.
pub(crate) async fn start(visit: Visit) -> Result<Drawn, Refused> {
    let started = visit.api.post(&format!("{}/start", api_path(&visit)), &json!({})).await;
    again_if_refused(&visit, started.map(drop)).await
}

async fn again_if_refused(visit: &Visit, done: Result<(), Refused>) -> Result<Drawn, Refused> {
    match done {
        Ok(()) => Ok(visit.moved(&path(visit))),
        Err(refused) if refused.status == axum::http::StatusCode::NOT_FOUND => Err(refused),
        Err(refused) => screen(visit, Some(refused.mendable()?)).await.map(Drawn::from),
    }
}

/// Cancels the import.
pub(crate) async fn cancel(visit: Visit) -> Result<Drawn, Refused> {
    visit.api.post(&format!("{}/cancel", api_path(&visit)), &json!({})).await?;
    Ok(visit.moved(&with_notice(&path(&visit), "saved", "")))
}

/// Says when the import has got further.
pub(crate) async fn events(visit: Visit) -> Result<Drawn, Refused> {
    visit.follow(&format!("{}/progress", api_path(&visit))).await
}

/// The rows that could not be taken, as a file.
pub(crate) async fn refused_file(visit: Visit) -> Result<Drawn, Refused> {
    visit.api.stream(&format!("{}/refusals/export", api_path(&visit)), "text/csv").await.map(Drawn::Response)
}
