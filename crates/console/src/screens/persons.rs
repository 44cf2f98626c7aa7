//! Persons: searched, made, changed, with all that they have done.

use axum::http::StatusCode;
use maud::{Markup, html};
use pagesmith_model::person::context::PersonContext;
use pagesmith_model::phone::PhoneNumber;
use pagesmith_model::user::Permission;
use pagesmith_model::{PersonId, Timestamp};
use pagesmith_operations::persons;
use pagesmith_store::Tx;
use serde_json::{Value, json};

use crate::client::{Refused, segment};
use crate::json::{items, some, text, time};
use crate::notice::with_notice;
use crate::parts::badge::Tone;
use crate::parts::dialog::dialog_link;
use crate::parts::field::{Field, Kind};
use crate::parts::form::Form;
use crate::parts::moment::moment;
use crate::parts::navigation::Area;
use crate::parts::pagination::{pagination, part};
use crate::parts::table::Row;
use crate::parts::timeline::{Happening, timeline};
use crate::screens::entering::filled;
use crate::screens::listing::{Heading, Listing, NAME, asked, asked_in_order, found};
use crate::screens::removal::Removal;
use crate::visit::{Drawn, Screen, Visit};

pub(crate) mod erasing;
pub(crate) mod imports;
pub(crate) mod merging;

/// What can be said of a person, in the API's names.
const FIELDS: [&str; 5] = ["name", "email", "phoneNumber", "linkedinProfileUrl", "domain"];

/// What a person is called.
pub(crate) fn name_of(person: &Value) -> String {
    let known = ["name", "email", "phoneNumber"].into_iter().find_map(|field| some(person, field));
    known.unwrap_or_else(|| text(person, "personId")).to_owned()
}

/// By which columns the API gives the list of persons in order.
const ORDERS: [&str; 3] = [NAME, "email", "createdAt"];

/// The list of persons.
pub(crate) async fn list(visit: Visit) -> Result<Drawn, Refused> {
    let query = asked_in_order(&visit, &ORDERS);
    let found = found(&visit, "/v0/persons", &query).await?;
    let row = |person: &Value| Row {
        id: text(person, "personId").to_owned(),
        name: name_of(person),
        href: Some(visit.url(&format!("/persons/{}", text(person, "personId")))),
        cells: vec![
            html! { (text(person, "email")) },
            html! { (text(person, "domain")) },
            html! { @if let Some(at) = time(person, "createdAt") { (moment(visit.words, at, visit.now)) } },
            html! { @if let Some(at) = time(person, "updatedAt") { (moment(visit.words, at, visit.now)) } },
        ],
    };
    let title = visit.text("area-persons");
    let listing = Listing {
        id: "persons",
        caption: &title,
        path: "/persons",
        query: &query,
        columns: vec![
            Heading::new(visit.text("name")),
            Heading::new(visit.text("email")).by("email"),
            Heading::new(visit.text("company-domain")).by("domain"),
            Heading::new(visit.text("created")).by("createdAt"),
            Heading::new(visit.text("changed")).by("updatedAt"),
        ],
        rows: items(&found).iter().map(row).collect(),
        answer: &found,
        search: Some(visit.text("persons-search")),
        filter: None,
        bulk: None,
        empty: (visit.text("persons-empty"), visit.text("persons-empty-text")),
        make: Some((visit.text("person-new"), "/persons/new")),
    };
    let main = listing.draw(&visit);
    let actions = html! {
        @if visit.may_write() {
            a.button href=(visit.url("/persons/imports")) { (visit.text("imports")) }
            a.button.primary href=(visit.url("/persons/new")) data-key="c" { (visit.text("person-new")) }
        }
    };
    Ok(Screen::new(Area::Persons, title, main).actions(actions).into())
}

fn fields(visit: &Visit, person: &Value) -> Vec<Field> {
    let value = |name: &str| text(person, name).to_owned();
    vec![
        Field::new("name", visit.text("name"), Kind::Text(Some(255))).required().value(value("name")),
        Field::new("email", visit.text("email"), Kind::Email).value(value("email")),
        Field::new("phoneNumber", visit.text("phone"), Kind::Text(Some(40)))
            .value(value("phoneNumber"))
            .help(visit.text("phone-help")),
        Field::new("linkedinProfileUrl", visit.text("linkedin"), Kind::Url)
            .value(value("linkedinProfileUrl")),
        Field::new("domain", visit.text("company-domain"), Kind::Text(Some(255))).value(value("domain")),
    ]
}

/// The form of a new person.
pub(crate) async fn new(visit: Visit) -> Result<Drawn, Refused> {
    Ok(new_screen(&visit, None).into())
}

fn new_screen(visit: &Visit, refused: Option<Refused>) -> Screen {
    let (action, cancel, submit) =
        (visit.url("/persons/new"), visit.url("/persons"), visit.text("person-new"));
    let form =
        Form { cancel: Some(&cancel), ..Form::new("person", &action, &submit, fields(visit, &Value::Null)) };
    let main = filled(form, visit, refused.as_ref()).draw(visit.words);
    Screen::new(Area::Persons, submit.clone(), main).refused(refused)
}

/// Makes a person. Who has the address or number already is not given another name, as a call of the API would: the form says who it is.
pub(crate) async fn create(visit: Visit) -> Result<Drawn, Refused> {
    let mut body = visit.entered.object(&FIELDS);
    tidy_phone(&mut body);
    for field in ["email", "phoneNumber"] {
        if let Some(name) = holder(&visit, field, text(&body, field)).await? {
            let said = visit.words.with("person-exists", &[("name", name.into())]);
            let mut refused = Refused::new(StatusCode::CONFLICT, &said);
            refused.issues.push((field.to_owned(), said));
            return Ok(new_screen(&visit, Some(refused)).into());
        }
    }
    match visit.api.post("/v0/persons", &body).await {
        Ok(made) => {
            Ok(visit.moved(&with_notice(&format!("/persons/{}", text(&made.body, "personId")), "saved", "")))
        }
        Err(refused) => Ok(new_screen(&visit, Some(refused.mendable()?)).into()),
    }
}

/// What the person is called that has an address or a number.
async fn holder(visit: &Visit, field: &str, sought: &str) -> Result<Option<String>, Refused> {
    if sought.trim().is_empty() {
        return Ok(None);
    }
    let parameters = [("query", Some(sought.trim())), ("limit", Some("20"))];
    // What cannot be sought is told by the call that makes the person.
    let found = match visit.api.find("/v0/persons/search", &parameters).await {
        Ok(found) => found.body,
        Err(refused) => return refused.mendable().map(|_| None),
    };
    let has = |person: &&Value| text(person, field).to_lowercase() == sought.trim().to_lowercase();
    Ok(items(&found).iter().find(has).map(name_of))
}

/// Puts an international telephone number into its normal form, however it is spaced; what is none is told by the API.
fn tidy_phone(person: &mut Value) {
    if let Some(Value::String(phone)) = person.get_mut("phoneNumber")
        && let Some(number) = PhoneNumber::from_national(phone, "")
    {
        number.as_str().clone_into(phone);
    }
}

fn api_path(visit: &Visit) -> String {
    format!("/v0/persons/{}", segment(visit.id("person_id")))
}

fn path(visit: &Visit) -> String {
    format!("/persons/{}", segment(visit.id("person_id")))
}

/// A person with what happened.
pub(crate) async fn show(visit: Visit) -> Result<Drawn, Refused> {
    let person = visit.api.get(&api_path(&visit)).await?;
    shown(&visit, &person.body, person.etag.as_deref(), None).await.map(Drawn::from)
}

async fn shown(
    visit: &Visit,
    person: &Value,
    etag: Option<&str>,
    refused: Option<Refused>,
) -> Result<Screen, Refused> {
    let query = asked(visit, &[]);
    let parameters = [("limit", Some("50")), ("cursor", query.cursor.as_deref())];
    let happenings = visit.api.find(&format!("{}/timeline", api_path(visit)), &parameters).await?.body;
    let merges = merging::reversible(visit).await?;
    let context = context(visit).await?;
    let base = visit.url(&format!("/persons/{}", text(person, "personId")));
    let (action, submit) = (format!("{base}/edit"), visit.text("save"));
    let mut all = fields(visit, person);
    all.push(Field::hidden("etag", etag.unwrap_or_default()));
    let form = filled(Form::new("person", &action, &submit, all), visit, refused.as_ref());
    let happened: Vec<Happening<'_>> =
        items(&happenings).iter().filter_map(|one| of_timeline(visit, one)).collect();
    let ways = pagination(visit.words, &base, &query, &part(&happenings));
    let main = html! {
        div.beside {
            div.stack {
                @if visit.may_write() { (form.draw(visit.words)) } @else { (facts(visit, person)) }
                (context)
            }
            section.stack {
                h2 { (visit.text("activity")) }
                @if happened.is_empty() { p.help { (visit.text("activity-none")) } }
                @else { (timeline(visit.words, visit.now, &happened)) (ways) }
                (merges)
            }
        }
    };
    let actions = html! {
        a.button.quiet href=(format!("{base}/export")) { (visit.text("person-export")) }
        @if visit.may(Permission::Write) {
            a.button.quiet href=(format!("{base}/merge")) { (visit.text("merge")) }
            (dialog_link(&format!("{base}/erase"), &visit.text("erase"), "button quiet"))
            (dialog_link(&format!("{base}/delete"), &visit.text("delete"), "button quiet"))
        }
    };
    Ok(Screen::new(Area::Persons, name_of(person), main).actions(actions).refused(refused))
}

fn facts(visit: &Visit, person: &Value) -> Markup {
    html! {
        dl.facts {
            @for (label, field) in [(visit.text("email"), "email"), (visit.text("company-domain"), "domain")] {
                dt { (label) } dd dir="auto" { (text(person, field)) }
            }
        }
    }
}

/// What imports have brought of a person besides the fields, for which the API has no place.
async fn context(visit: &Visit) -> Result<Markup, Refused> {
    let Some(person_id) = PersonId::parse(visit.id("person_id")) else { return Ok(html! {}) };
    let ctx = visit.context().of(visit.tenant.tenant_id.clone());
    let read =
        move |tx: &mut Tx<'_>| PersonContext::read(persons::find(tx, &ctx, &person_id)?.context.as_ref());
    let context = visit.read(read).await?;
    Ok(html! {
        @if context.iter().next().is_some() {
            section {
                h2 { (visit.text("person-context")) }
                p.help { (visit.text("person-context-help")) }
                dl.facts { @for (name, text) in context.iter() { dt dir="auto" { (name) } dd dir="auto" { (text) } } }
            }
        }
    })
}

/// Something that happened with a person, as it is told.
pub(crate) fn of_timeline<'a>(visit: &Visit, one: &'a Value) -> Option<Happening<'a>> {
    let label = match text(one, "entryType") {
        "visit" => visit.text("timeline-visit"),
        "page" => visit.text("timeline-page"),
        "submission" => visit.text("timeline-submission"),
        _ => return Some(told_of_log(visit, one, time(one, "at")?)),
    };
    let href = if text(one, "entryType") == "submission" {
        format!("/forms/submissions/{}", text(one, "entryId"))
    } else {
        format!("/pages/{}/audiences/{}", text(one, "pageId"), text(one, "audienceId"))
    };
    Some(Happening {
        tone: Tone::Plain,
        text: html! { a href=(visit.url(&href)) { (label) } },
        actor: None,
        time: time(one, "at")?,
        detail: None,
    })
}

fn told_of_log<'a>(visit: &Visit, log: &'a Value, time: Timestamp) -> Happening<'a> {
    let payload = &log["payload"];
    let told = ["summary", "text", "note", "subject", "message", "title", "question"]
        .into_iter()
        .find_map(|field| some(payload, field));
    let whole = (!payload.is_null()).then(|| {
        let text = serde_json::to_string_pretty(payload).unwrap_or_default();
        html! { details { summary { (visit.text("details")) } pre dir="ltr" { (text) } } }
    });
    Happening {
        tone: Tone::Plain,
        text: html! { strong { (text(log, "type")) } @if let Some(told) = told { " " span dir="auto" { (told) } } },
        actor: some(log, "source"),
        time,
        detail: whole,
    }
}

/// Changes a person, if nobody else has changed it meanwhile.
pub(crate) async fn update(visit: Visit) -> Result<Drawn, Refused> {
    let mut change = visit.entered.change(&FIELDS);
    if change["name"].is_null() {
        change["name"] = json!("");
    }
    tidy_phone(&mut change);
    match visit.api.patch(&api_path(&visit), &change, visit.entered.some("etag")).await {
        Ok(_) => Ok(visit.moved(&with_notice(&path(&visit), "saved", ""))),
        Err(refused) => {
            let refused = refused.mendable()?;
            let person = visit.api.get(&api_path(&visit)).await?;
            shown(&visit, &person.body, person.etag.as_deref(), Some(refused)).await.map(Drawn::from)
        }
    }
}

fn removal<'a>(visit: &Visit, name: &'a str, path: &'a str) -> Removal<'a> {
    Removal { area: Area::Persons, name, path, text: visit.text("person-delete-text") }
}

/// Asks whether a person is to be deleted.
pub(crate) async fn ask_delete(visit: Visit) -> Result<Drawn, Refused> {
    let person = visit.api.get(&api_path(&visit)).await?.body;
    Ok(removal(&visit, &name_of(&person), &path(&visit)).ask_for_name(&visit, None).into())
}

/// Deletes a person whose name was typed.
pub(crate) async fn delete(visit: Visit) -> Result<Drawn, Refused> {
    let person = visit.api.get(&api_path(&visit)).await?.body;
    if let Some(again) = removal(&visit, &name_of(&person), &path(&visit)).unconfirmed(&visit) {
        return Ok(again.into());
    }
    visit.api.delete(&api_path(&visit)).await?;
    Ok(visit.moved(&with_notice("/persons", "person-deleted", visit.id("person_id"))))
}

/// Takes back that a person was deleted.
pub(crate) async fn restore(visit: Visit) -> Result<Drawn, Refused> {
    visit.api.post(&format!("{}/restore", api_path(&visit)), &json!({})).await?;
    Ok(visit.moved(&with_notice(&path(&visit), "saved", "")))
}
