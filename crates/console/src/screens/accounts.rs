//! Accounts: the companies that persons belong to, with all that happened there.

use maud::html;
use pagesmith_model::user::Permission;
use serde_json::{Value, json};

use crate::client::{Refused, segment};
use crate::json::{items, some, text, time};
use crate::notice::with_notice;
use crate::parts::field::{Field, Kind};
use crate::parts::form::Form;
use crate::parts::moment::moment;
use crate::parts::navigation::Area;
use crate::parts::pagination::{pagination, part};
use crate::parts::table::Row;
use crate::parts::timeline::{Happening, timeline};
use crate::screens::entering::filled;
use crate::screens::listing::{Heading, Listing, NAME, asked, asked_in_order, create_button, found};
use crate::screens::persons::{name_of, of_timeline};
use crate::visit::{Drawn, Screen, Visit};

/// What an account is called.
pub(crate) fn called(account: &Value) -> &str {
    some(account, "name").unwrap_or_else(|| text(account, "domain"))
}

/// By which columns the API gives the list of accounts in order.
const ORDERS: [&str; 3] = [NAME, "domain", "createdAt"];

/// The list of accounts.
pub(crate) async fn list(visit: Visit) -> Result<Drawn, Refused> {
    let query = asked_in_order(&visit, &ORDERS);
    let found = found(&visit, "/v0/accounts", &query).await?;
    let row = |account: &Value| Row {
        id: text(account, "accountId").to_owned(),
        name: called(account).to_owned(),
        href: Some(visit.url(&format!("/accounts/{}", text(account, "accountId")))),
        cells: vec![
            html! { (text(account, "domain")) },
            html! { @if let Some(at) = time(account, "createdAt") { (moment(visit.words, at, visit.now)) } },
            html! { @if let Some(at) = time(account, "latestActivityAt") { (moment(visit.words, at, visit.now)) } },
        ],
    };
    let title = visit.text("area-accounts");
    let listing = Listing {
        id: "accounts",
        caption: &title,
        path: "/accounts",
        query: &query,
        columns: vec![
            Heading::new(visit.text("name")),
            Heading::new(visit.text("company-domain")).by("domain"),
            Heading::new(visit.text("created")).by("createdAt"),
            Heading::new(visit.text("last-activity")).by("latestActivityAt"),
        ],
        rows: items(&found).iter().map(row).collect(),
        answer: &found,
        search: Some(visit.text("accounts-search")),
        filter: None,
        bulk: None,
        empty: (visit.text("accounts-empty"), visit.text("accounts-empty-text")),
        make: Some((visit.text("account-new"), "/accounts/new")),
    };
    let main = listing.draw(&visit);
    let actions = create_button(&visit, "/accounts/new", &visit.text("account-new"));
    Ok(Screen::new(Area::Accounts, title, main).actions(actions).into())
}

fn name_field(visit: &Visit, name: &str) -> Field {
    Field::new("name", visit.text("name"), Kind::Text(Some(255))).value(name)
}

/// The form of a new account.
pub(crate) async fn new(visit: Visit) -> Result<Drawn, Refused> {
    Ok(new_screen(&visit, None).into())
}

fn new_screen(visit: &Visit, refused: Option<Refused>) -> Screen {
    let (action, cancel, submit) =
        (visit.url("/accounts/new"), visit.url("/accounts"), visit.text("account-new"));
    let domain = Field::new("domain", visit.text("company-domain"), Kind::Text(Some(255))).required();
    let fields = vec![domain, name_field(visit, "")];
    let form = Form { cancel: Some(&cancel), ..Form::new("account", &action, &submit, fields) };
    let main = filled(form, visit, refused.as_ref()).draw(visit.words);
    Screen::new(Area::Accounts, submit.clone(), main).refused(refused)
}

/// Makes an account, or goes to the one that the domain has.
pub(crate) async fn create(visit: Visit) -> Result<Drawn, Refused> {
    let mut body = visit.entered.object(&["domain", "name"]);
    if body["domain"].is_null() {
        body["domain"] = json!("");
    }
    match visit.api.post("/v0/accounts", &body).await {
        Ok(made) => Ok(visit.moved(&with_notice(
            &format!("/accounts/{}", text(&made.body, "accountId")),
            "saved",
            "",
        ))),
        Err(refused) => Ok(new_screen(&visit, Some(refused.mendable()?)).into()),
    }
}

fn path(visit: &Visit) -> String {
    format!("/accounts/{}", segment(visit.id("account_id")))
}

/// Changes what an account is called, if nobody else has changed it meanwhile.
pub(crate) async fn update(visit: Visit) -> Result<Drawn, Refused> {
    let (api, body) = (format!("/v0{}", path(&visit)), json!({ "name": visit.entered.text("name") }));
    match visit.api.patch(&api, &body, visit.entered.some("etag")).await {
        Ok(_) => Ok(visit.moved(&with_notice(&path(&visit), "saved", ""))),
        Err(refused) => shown(&visit, Some(refused.mendable()?)).await.map(Drawn::from),
    }
}

/// An account with its persons and what happened.
pub(crate) async fn show(visit: Visit) -> Result<Drawn, Refused> {
    shown(&visit, None).await.map(Drawn::from)
}

/// Something that happened with an account or one of its persons.
fn activity_of<'a>(visit: &Visit, one: &'a Value) -> Option<Happening<'a>> {
    let mut told = of_timeline(visit, one)?;
    if let Some(person) = some(one, "personId") {
        let name = some(one, "personName").unwrap_or(person);
        let href = visit.url(&format!("/persons/{person}"));
        told.text = html! { a href=(href) dir="auto" { (name) } ": " (told.text) };
    }
    Some(told)
}

async fn shown(visit: &Visit, refused: Option<Refused>) -> Result<Screen, Refused> {
    let api = format!("/v0{}", path(visit));
    let query = asked(visit, &[]);
    let answered = visit.api.get(&api).await?;
    let account = answered.body;
    let (action, submit) = (visit.url(&format!("{}/edit", path(visit))), visit.text("save"));
    let fields = vec![
        name_field(visit, text(&account, "name")).required(),
        Field::hidden("etag", answered.etag.unwrap_or_default()),
    ];
    let form = filled(Form::new("account", &action, &submit, fields), visit, refused.as_ref());
    let sees_persons = visit.may(Permission::ReadPersonalData);
    let activity = if sees_persons {
        let parameters = [("limit", Some("50")), ("cursor", query.cursor.as_deref())];
        visit.api.find(&format!("{api}/timeline"), &parameters).await?.body
    } else {
        Value::Null
    };
    let happened: Vec<Happening<'_>> =
        items(&activity).iter().filter_map(|one| activity_of(visit, one)).collect();
    let base = visit.url(&path(visit));
    let ways = pagination(visit.words, &base, &query, &part(&activity));
    let persons = account["linkedPersons"].as_array().filter(|_| sees_persons);
    let main = html! {
        div.beside {
            div.stack {
                dl.facts { dt { (visit.text("company-domain")) } dd { (text(&account, "domain")) } }
                @if visit.may_write() { (form.draw(visit.words)) }
                @if let Some(persons) = persons {
                    h2 { (visit.text("area-persons")) }
                    ul.plain {
                        @for person in persons {
                            li { a href=(visit.url(&format!("/persons/{}", text(person, "personId")))) dir="auto" { (name_of(person)) } }
                        }
                    }
                }
            }
            section.stack {
                h2 { (visit.text("activity")) }
                @if happened.is_empty() { p.help { (visit.text("activity-none")) } }
                @else { (timeline(visit.words, visit.now, &happened)) (ways) }
            }
        }
    };
    let title = called(&account).to_owned();
    Ok(Screen::new(Area::Accounts, title, main).refused(refused))
}
