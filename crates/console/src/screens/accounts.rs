//! Accounts: the companies that persons belong to, with all that happened there.

use maud::html;
use pagesmith_model::user::Permission;
use serde_json::Value;

use crate::client::{Refused, segment};
use crate::json::{items, some, text, time};
use crate::parts::moment::moment;
use crate::parts::navigation::Area;
use crate::parts::table::Row;
use crate::parts::timeline::{Happening, timeline};
use crate::screens::listing::{Listing, asked, found};
use crate::screens::persons::{happening, name_of};
use crate::visit::{Drawn, Screen, Visit};

fn called(account: &Value) -> &str {
    some(account, "name").unwrap_or_else(|| text(account, "domain"))
}

/// The list of accounts.
pub(crate) async fn list(visit: Visit) -> Result<Drawn, Refused> {
    let query = asked(&visit, &[]);
    let found = found(&visit, "/v0/accounts", &query).await?;
    let row = |account: &Value| Row {
        id: text(account, "accountId").to_owned(),
        name: called(account).to_owned(),
        href: Some(visit.url(&format!("/accounts/{}", text(account, "accountId")))),
        cells: vec![
            html! { (text(account, "domain")) },
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
            (visit.text("name"), false),
            (visit.text("company-domain"), false),
            (visit.text("last-activity"), false),
        ],
        rows: items(&found).iter().map(row).collect(),
        answer: &found,
        search: Some(visit.text("accounts-search")),
        filter: None,
        bulk: None,
        empty: (visit.text("accounts-empty"), visit.text("accounts-empty-text")),
        make: None,
    };
    let main = listing.draw(&visit);
    Ok(Screen::new(Area::Accounts, title, main).into())
}

/// An account with its persons and what happened.
pub(crate) async fn show(visit: Visit) -> Result<Drawn, Refused> {
    let api = format!("/v0/accounts/{}", segment(visit.id("account_id")));
    let account = visit.api.get(&api).await?.body;
    let sees_persons = visit.may(Permission::ReadPersonalData);
    let activity = if sees_persons {
        visit.api.find(&format!("{api}/activity"), &[("limit", Some("50"))]).await?.body
    } else {
        Value::Null
    };
    let happened: Vec<Happening<'_>> =
        items(&activity).iter().filter_map(|one| happening(&visit, one)).collect();
    let persons = account["linkedPersons"].as_array().filter(|_| sees_persons);
    let main = html! {
        div.beside {
            div.stack {
                dl.facts { dt { (visit.text("company-domain")) } dd { (text(&account, "domain")) } }
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
                @else { (timeline(visit.words, visit.now, &happened)) }
            }
        }
    };
    let title = called(&account).to_owned();
    Ok(Screen::new(Area::Accounts, title, main).into())
}
