//! Many audiences at once: made for persons, for accounts or by notes, published and archived.
//!
//! Each is a call of its own, so that one that is refused keeps no other from being made. What was refused is told with its reason.

use futures_util::future::BoxFuture;
use futures_util::{FutureExt, StreamExt, stream};
use maud::{Markup, html};
use serde_json::{Value, json};

use super::CONTEXT;
use super::blocks::version;
use super::making::{api_path, form, way};
use crate::client::{Refused, segment};
use crate::entered::Entered;
use crate::json::{items, some, text};
use crate::notice::with_notice;
use crate::parts::field::{Field, Kind};
use crate::parts::navigation::Area;
use crate::parts::table::{BulkAction, Row, scrolled};
use crate::screens::accounts::called;
use crate::screens::knowledge::adding::missing;
use crate::screens::listing::{Heading, Listing, asked, found};
use crate::screens::pages;
use crate::screens::persons::name_of;
use crate::side_by_side::AT_ONCE;
use crate::visit::{Drawn, Screen, Visit};

/// How many lines of notes are read at once.
const MOST: usize = 100;

/// What is done for one of several things; if it is refused, with the name of the thing.
pub(super) type Call<'a> = BoxFuture<'a, Result<(), (String, Refused)>>;

/// Makes several calls and tells what came of them: on the page's screen if all was done, else on one of its own.
pub(super) async fn carry_out(visit: &Visit, done: &str, calls: Vec<Call<'_>>) -> Result<Drawn, Refused> {
    let mut ends = stream::iter(calls).buffered(AT_ONCE);
    let (mut count, mut left) = (0_u64, Vec::new());
    while let Some(end) = ends.next().await {
        match end {
            Ok(()) => count += 1,
            // Also where the server is at fault: the others were made all the same, which has to be told.
            Err((name, refused)) => left.push((name, visit.words.issue(&refused.detail))),
        }
    }
    let base = pages::path(visit);
    if left.is_empty() {
        return Ok(visit.moved(&with_notice(&base, done, "")));
    }
    let page = visit.api.get(&pages::api_path(visit)).await?.body;
    let main = html! {
        div.stack {
            p { (visit.words.with("many-done", &[("count", count.into())])) }
            (reasons(visit, &left))
            p { a.button.primary href=(visit.url(&base)) { (visit.text("many-to-page")) } }
        }
    };
    Ok(Screen::new(Area::Pages, visit.text("many-left"), main)
        .below(text(&page, "name"), visit.url(&base))
        .into())
}

/// What was refused, and why.
fn reasons(visit: &Visit, left: &[(String, String)]) -> Markup {
    html! {
        (scrolled(&visit.text("many-left"), &html! {
            thead { tr { th scope="col" { (visit.text("name")) } th scope="col" { (visit.text("import-reason")) } } }
            tbody {
                @for (name, reason) in left { tr { th scope="row" dir="auto" { (name) } td dir="auto" { (reason) } } }
            }
        }))
    }
}

/// Things of the tenant that audiences can be made for.
#[derive(Clone, Copy)]
struct Source {
    /// Where its screen stands below `/audiences/new`.
    way: &'static str,
    /// The API's path of its list.
    list: &'static str,
    /// Its id, in the API's names.
    id: &'static str,
    /// What it is called.
    name: fn(&Value) -> String,
    /// The field that tells its things apart.
    detail: &'static str,
}

const PERSONS: Source =
    Source { way: "/persons", list: "/v0/persons", id: "personId", name: name_of, detail: "email" };
const ACCOUNTS: Source = Source {
    way: "/accounts",
    list: "/v0/accounts",
    id: "accountId",
    name: |account| called(account).to_owned(),
    detail: "domain",
};

/// The persons that audiences can be made for.
pub(crate) async fn persons(visit: Visit) -> Result<Drawn, Refused> {
    choices(&visit, PERSONS, None).await.map(Drawn::from)
}

/// The accounts that audiences can be made for.
pub(crate) async fn accounts(visit: Visit) -> Result<Drawn, Refused> {
    choices(&visit, ACCOUNTS, None).await.map(Drawn::from)
}

async fn choices(visit: &Visit, source: Source, refused: Option<Refused>) -> Result<Screen, Refused> {
    let page = visit.api.get(&pages::api_path(visit)).await?.body;
    let query = asked(visit, &[]);
    let found = found(visit, source.list, &query).await?;
    let is_of_persons = source.id == PERSONS.id;
    let words = if is_of_persons {
        ["area-persons", "email", "persons-search", "persons-empty", "persons-empty-text"]
    } else {
        ["area-accounts", "company-domain", "accounts-search", "accounts-empty", "accounts-empty-text"]
    };
    let [caption, detail, search, empty, empty_text] = words.map(|key| visit.text(key));
    let row = |thing: &Value| Row {
        id: text(thing, source.id).to_owned(),
        name: (source.name)(thing),
        href: None,
        cells: vec![html! { (text(thing, source.detail)) }],
    };
    let path = format!("{}/audiences/new{}", pages::path(visit), source.way);
    let labels = [visit.text("many-draft"), visit.text("many-publish")];
    let action = |value, label| BulkAction { value, label, is_destructive: false };
    let listing = Listing {
        id: "choices",
        caption: &caption,
        path: &path,
        query: &query,
        columns: vec![Heading::new(visit.text("name")), Heading::new(detail).by(source.detail)],
        rows: items(&found).iter().map(row).collect(),
        answer: &found,
        search: Some(search),
        filter: None,
        bulk: Some((&path, vec![action("draft", &labels[0]), action("publish", &labels[1])])),
        empty: (empty, empty_text),
        make: Some(if is_of_persons {
            (visit.text("person-new"), "/persons/new")
        } else {
            (visit.text("account-new"), "/accounts/new")
        }),
    };
    let main = html! {
        p.help { (visit.text(if is_of_persons { "audiences-of-persons-help" } else { "audiences-of-accounts-help" })) }
        (listing.draw(visit))
    };
    Ok(way(visit, &page, source.way, &main).refused(refused))
}

/// Makes an audience for each of the chosen persons.
pub(crate) async fn create_for_persons(visit: Visit) -> Result<Drawn, Refused> {
    create_for(&visit, PERSONS).await
}

/// Makes an audience for each of the chosen accounts.
pub(crate) async fn create_for_accounts(visit: Visit) -> Result<Drawn, Refused> {
    create_for(&visit, ACCOUNTS).await
}

async fn create_for(visit: &Visit, source: Source) -> Result<Drawn, Refused> {
    let chosen = visit.entered.all("id");
    if chosen.is_empty() {
        return choices(visit, source, Some(none_selected(visit))).await.map(Drawn::from);
    }
    let publish = if visit.entered.text("action") == "publish" { "publish" } else { "draft" };
    let api = api_path(visit);
    let mut calls = Vec::new();
    for id in chosen {
        let (api, body) = (&api, json!({ source.id: id, "publishBehavior": publish }));
        let made = async move {
            let Err(refused) = visit.api.post(api, &body).await else { return Ok(()) };
            let thing = format!("{}/{}", source.list, segment(id));
            Err((name_at(visit, &thing, source.name).await, refused))
        };
        calls.push(made.boxed());
    }
    carry_out(visit, "audiences-made", calls).await
}

/// What the thing at a path of the API is called.
async fn name_at(visit: &Visit, path: &str, name: fn(&Value) -> String) -> String {
    let found = visit.api.get(path).await;
    found.map_or_else(|_| visit.text("many-gone"), |found| name(&found.body))
}

fn none_selected(visit: &Visit) -> Refused {
    Refused::new(axum::http::StatusCode::BAD_REQUEST, &visit.text("many-none"))
}

/// The form of an audience a line.
pub(crate) async fn notes(visit: Visit) -> Result<Drawn, Refused> {
    notes_screen(&visit, None).await.map(Drawn::from)
}

async fn notes_screen(visit: &Visit, refused: Option<Refused>) -> Result<Screen, Refused> {
    let help = visit.words.with("audiences-many-help", &[("most", MOST.into())]);
    let lines = Field::new("audiences", visit.text("audiences"), Kind::LongText(Some(CONTEXT)));
    form(visit, "/notes", "page-write", vec![lines.required().help(help)], refused).await
}

/// Makes an audience of each line, one after the other: the form comes back with those that were not made.
pub(crate) async fn create_of_notes(mut visit: Visit) -> Result<Drawn, Refused> {
    let Some(many) = visit.entered.some("audiences") else {
        let refused = missing("audiences", &visit.text("many-none"));
        return notes_screen(&visit, Some(refused)).await.map(Drawn::from);
    };
    let lines: Vec<String> =
        many.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect();
    let api = api_path(&visit);
    let (mut refused, mut made) = (None, 0);
    for line in lines.iter().take(MOST) {
        let body = json!({ "supplementaryContext": line, "publishBehavior": "draft" });
        if let Err(why) = visit.api.post(&api, &body).await {
            refused = Some(why.mendable()?);
            break;
        }
        made += 1;
    }
    if made == lines.len() {
        return Ok(visit.moved(&with_notice(&pages::path(&visit), "audiences-made", "")));
    }
    visit.entered = Entered(vec![("audiences".to_owned(), lines[made..].join("\n"))]);
    notes_screen(&visit, refused).await.map(Drawn::from)
}

/// Publishes the drafts of selected audiences, or archives the audiences.
pub(crate) async fn change_selected(visit: Visit) -> Result<Drawn, Refused> {
    let (visit, api) = (&visit, api_path(&visit));
    let selected = visit.entered.all("id");
    if selected.is_empty() {
        return Err(none_selected(visit));
    }
    let is_to_publish = visit.entered.text("action") == "publish";
    let mut calls = Vec::new();
    for id in selected {
        let audience = format!("{api}/{}", segment(id));
        let changed = async move {
            let done = if is_to_publish {
                publish(visit, &audience).await
            } else {
                visit.api.delete(&audience).await.map(drop)
            };
            let Err(refused) = done else { return Ok(()) };
            let name = |audience: &Value| text(audience, "effectiveName").to_owned();
            Err((name_at(visit, &audience, name).await, refused))
        };
        calls.push(changed.boxed());
    }
    carry_out(visit, if is_to_publish { "published" } else { "saved" }, calls).await
}

/// Publishes the draft of the audience at a path of the API, if it has one: what is published already stays.
async fn publish(visit: &Visit, audience: &str) -> Result<(), Refused> {
    let versions = visit.api.get(&format!("{audience}/versions")).await?.body;
    let version = version(&versions);
    match some(&version, "versionId").filter(|_| text(&version, "status") != "published") {
        Some(id) => visit
            .api
            .post(&format!("{audience}/versions/{}/publish", segment(id)), &json!({}))
            .await
            .map(drop),
        None => Ok(()),
    }
}
