//! Pages: the list, a new one from somebody's own text, and one with its audiences.

mod card;
pub(crate) mod editing;
mod told;

use maud::{Markup, html};
use pagesmith_model::user::Permission;
use serde_json::{Value, json};

use crate::client::{Refused, segment};
use crate::json::{count, items, number, part, some, text, time};
use crate::notice::told;
use crate::parts::code::{Request, same_by_api};
use crate::parts::dialog::{Question, dialog_link, question};
use crate::parts::empty::Empty;
use crate::parts::field::{Choice, Field, Kind};
use crate::parts::form::Form;
use crate::parts::list_query::{Asks, ListQuery};
use crate::parts::moment::moment;
use crate::parts::navigation::Area;
use crate::parts::table::{BulkAction, Column, Row, Table, table};
use crate::screens::entering::filled;
use crate::screens::figures::{figures, percent};
use crate::screens::status;
use crate::visit::{Drawn, Screen, Visit};

/// The longest name and the longest texts that the fields take.
const NAME: u64 = 200;
const CONTEXT: u64 = 100_000;

/// The list of pages.
pub(crate) async fn list(visit: Visit) -> Result<Drawn, Refused> {
    let query = ListQuery::read(&visit.query, &Asks { sorts: &[], filters: &[] });
    let found = if query.search.is_empty() {
        visit.api.find("/v0/pages", &[("cursor", query.cursor.as_deref())]).await?
    } else {
        visit.api.find("/v0/pages/search", &[("query", Some(&query.search)), ("limit", Some("50"))]).await?
    };
    let words = visit.words;
    let row = |page: &Value| Row {
        id: text(page, "pageId").to_owned(),
        name: text(page, "name").to_owned(),
        href: Some(visit.url(&format!("/pages/{}", text(page, "pageId")))),
        cells: vec![
            html! { (type_name(&visit, text(page, "pageType"))) },
            html! { (visit.count(count(page, "audiencesCount"))) },
            html! { @if let Some(at) = time(page, "updatedAt") { (moment(words, at, visit.now)) } },
        ],
    };
    let labels = ["name", "page-type", "audiences", "changed"].map(|key| match key {
        "name" => visit.text("name"),
        "page-type" => visit.text("page-type"),
        "audiences" => visit.text("audiences"),
        _ => visit.text("changed"),
    });
    let columns = [
        Column::new(&labels[0]),
        Column::new(&labels[1]),
        Column::new(&labels[2]).number(),
        Column::new(&labels[3]),
    ];
    let (title, path, new) = (visit.text("area-pages"), visit.url("/pages"), visit.url("/pages/new"));
    let (search, make) = (visit.text("pages-search"), visit.text("page-new"));
    let (empty_title, empty_text) = (visit.text("pages-empty"), visit.text("pages-empty-text"));
    let may_write = visit.may_write();
    let shown = Table {
        id: "pages",
        caption: &title,
        path: &path,
        query: &query,
        columns: &columns,
        rows: items(&found.body).iter().map(row).collect(),
        part: part(&found.body),
        search: Some(&search),
        filters: &[],
        bulk: None,
        empty: Empty {
            title: &empty_title,
            text: &empty_text,
            action: may_write.then_some((make.as_str(), new.as_str())),
        },
    };
    let api = format!("{}/v0/pages", visit.installation.base_url);
    let main = html! {
        (table(words, &shown))
        (same_by_api(words, &Request { method: "GET", url: &api, body: None }))
    };
    let actions = html! { @if may_write { a.button.primary href=(new) data-key="c" { (make) } } };
    Ok(Screen::new(Area::Pages, title.clone(), main).actions(actions).into())
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

/// The form of a new page.
pub(crate) async fn new(visit: Visit) -> Result<Drawn, Refused> {
    Ok(new_screen(&visit, None).into())
}

fn new_screen(visit: &Visit, refused: Option<Refused>) -> Screen {
    let words = visit.words;
    let example = visit.asked("example").is_some();
    let example = |key: &str| match (example, key) {
        (true, "name") => visit.text("example-name"),
        (true, "context") => visit.text("example-context"),
        (true, _) => visit.text("example-audience"),
        (false, _) => String::new(),
    };
    let fields = vec![
        Field::new("pageContext", visit.text("page-context"), Kind::LongText(Some(CONTEXT)))
            .required()
            .value(example("context"))
            .help(visit.text("page-context-help")),
        Field::new("name", visit.text("page-name"), Kind::Text(Some(NAME))).required().value(example("name")),
        Field::new("supplementaryContext", visit.text("audience-context"), Kind::LongText(Some(CONTEXT)))
            .value(example("audience"))
            .help(visit.text("audience-context-help")),
        Field::new("pageType", visit.text("page-type"), Kind::Choice(type_choices(visit))).value("inbound"),
    ];
    let (action, cancel, submit) = (visit.url("/pages/new"), visit.url("/pages"), visit.text("page-write"));
    let form = Form { cancel: Some(&cancel), ..Form::new("page", &action, &submit, fields) };
    let form = filled(form, visit, refused.as_ref());
    let main = html! {
        div.stack {
            p { (visit.text("page-new-text")) " "
                a href=(visit.url("/pages/new?example=1")) { (visit.text("page-new-example")) } }
            (form.draw(words))
        }
    };
    let title = visit.text("page-new");
    Screen::new(Area::Pages, title, main).refused(refused)
}

/// Makes a page and its first audience, whose draft is written at once.
pub(crate) async fn create(visit: Visit) -> Result<Drawn, Refused> {
    let entered = &visit.entered;
    let mut body = entered.object(&["pageContext", "name", "pageType"]);
    for (field, empty) in [("actions", json!([])), ("actionCardWidgets", json!([])), ("scripts", json!([]))] {
        body[field] = empty;
    }
    body["brandId"] = json!("");
    let page = match visit.api.post("/v0/pages", &body).await {
        Ok(page) => page.body,
        Err(refused) => return Ok(new_screen(&visit, Some(refused.mendable()?)).into()),
    };
    let page_id = text(&page, "pageId").to_owned();
    let mut audience = entered.object(&["supplementaryContext"]);
    audience["publishBehavior"] = json!("draft");
    let path = format!("/v0/pages/{page_id}/audiences");
    let audience = visit.api.post(&path, &audience).await?.body;
    let next = format!("/pages/{page_id}/audiences/{}", text(&audience, "audienceId"));
    Ok(visit.moved(&told(&next, "page-created", "")))
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
    let words = visit.words;
    let api = api_path(&visit);
    let page = visit.api.get(&api).await?.body;
    let query = ListQuery::read(&visit.query, &Asks { sorts: &[], filters: &[] });
    let audiences =
        visit.api.find(&format!("{api}/audiences"), &[("cursor", query.cursor.as_deref())]).await?.body;
    let summary = visit.api.get(&format!("{api}/analytics/summary")).await?.body;
    let visits = visit.api.get(&format!("{api}/analytics/audiences")).await?.body;
    let base = visit.url(&format!("/pages/{}", text(&page, "pageId")));
    let row = |audience: &Value| {
        let id = text(audience, "audienceId");
        let counted = items(&visits).iter().find(|one| text(one, "audienceId") == id);
        let sessions = counted.map_or(0, |one| count(one, "totalSessions"));
        let rate = counted.and_then(|one| number(one, "conversionRate")).unwrap_or_default();
        Row {
            id: id.to_owned(),
            name: text(audience, "effectiveName").to_owned(),
            href: Some(format!("{base}/audiences/{id}")),
            cells: vec![
                status::of(words, text(audience, "status")),
                html! { (visit.count(sessions)) },
                html! { (percent(visit.words, rate)) },
            ],
        }
    };
    let labels =
        [visit.text("audience"), visit.text("state"), visit.text("visits"), visit.text("conversion")];
    let columns = [
        Column::new(&labels[0]),
        Column::new(&labels[1]),
        Column::new(&labels[2]).number(),
        Column::new(&labels[3]).number(),
    ];
    let (caption, make, new) =
        (visit.text("audiences"), visit.text("audience-new"), format!("{base}/audiences/new"));
    let (empty_title, empty_text) = (visit.text("audiences-empty"), visit.text("audiences-empty-text"));
    let (publish, archive) = (visit.text("publish"), visit.text("archive"));
    let change = |value, label| BulkAction { value, label, is_destructive: false };
    let (selected, changes) =
        (format!("{base}/audiences/selected"), [change("publish", &publish), change("archive", &archive)]);
    let shown = Table {
        id: "audiences",
        caption: &caption,
        path: &base,
        query: &query,
        columns: &columns,
        rows: items(&audiences).iter().map(row).collect(),
        part: part(&audiences),
        search: None,
        filters: &[],
        bulk: visit.may_write().then_some((selected.as_str(), &changes[..])),
        empty: Empty {
            title: &empty_title,
            text: &empty_text,
            action: visit.may_write().then_some((make.as_str(), new.as_str())),
        },
    };
    let url = format!("{}{api}", visit.installation.base_url);
    let main = html! {
        div.stack {
            (figures(visit.words, &summary, None))
            (table(words, &shown))
            section {
                h2 { (visit.text("page-context")) }
                p.prose dir="auto" { (shortened(text(&page, "pageContext"))) }
            }
            (same_by_api(words, &Request { method: "GET", url: &url, body: None }))
        }
    };
    let title = text(&page, "name").to_owned();
    Ok(Screen::new(Area::Pages, title, main).actions(page_actions(&visit, &page, &base)).into())
}

/// How many characters of a page's context its screen shows.
const SHOWN: usize = 600;

fn shortened(text: &str) -> String {
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
        }
    }
}

/// Asks whether a page is to be archived.
pub(crate) async fn ask_archive(visit: Visit) -> Result<Drawn, Refused> {
    let page = visit.api.get(&api_path(&visit)).await?.body;
    let base = visit.url(&format!("/pages/{}", text(&page, "pageId")));
    let name = some(&page, "name").unwrap_or_default();
    let (title, told) =
        (visit.words.with("archive-question", &[("name", name.into())]), visit.text("archive-page-text"));
    let (yes, action) = (visit.text("archive"), format!("{base}/archive"));
    let main = question(
        visit.words,
        &Question {
            title: &title,
            text: &told,
            action: &action,
            values: &[],
            yes: &yes,
            back: &base,
            is_destructive: true,
            typed: None,
            error: None,
        },
    );
    Ok(Screen::new(Area::Pages, visit.text("archive"), main).below(name, base.clone()).into())
}

/// Archives a page.
pub(crate) async fn archive(visit: Visit) -> Result<Drawn, Refused> {
    visit.api.post(&format!("{}/archive", api_path(&visit)), &json!({})).await?;
    Ok(visit.moved(&told("/pages", "page-archived", visit.id("page_id"))))
}

/// Takes back that a page was archived.
pub(crate) async fn restore(visit: Visit) -> Result<Drawn, Refused> {
    visit.api.post(&format!("{}/restore", api_path(&visit)), &json!({})).await?;
    Ok(visit.moved(&told(&format!("/pages/{}", visit.id("page_id")), "page-restored", "")))
}
