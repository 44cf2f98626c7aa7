//! What the command palette finds: pages, audiences, persons and accounts by a few letters.

use maud::html;
use serde_json::Value;

use crate::client::Refused;
use crate::json::{items, text};
use crate::parts::palette::{self, Found};
use crate::visit::{Drawn, Screen, Visit};
use pagesmith_model::user::Permission;

/// How many of each kind are shown.
const OF_EACH: &str = "5";

/// Something that was found: its kind, its name, where it is.
type Hit = (String, String, String);

/// What matches the text of the address.
pub(crate) async fn find(visit: Visit) -> Result<Drawn, Refused> {
    let asked = visit.asked("q").unwrap_or_default();
    let mut hits = Vec::new();
    if !asked.trim().is_empty() {
        search(&visit, &asked, &mut hits).await?;
    }
    let found: Vec<Found<'_>> = hits.iter().map(|(kind, name, href)| Found { kind, name, href }).collect();
    if visit.wants_part {
        return Ok(Drawn::Part(palette::results(visit.words, &found)));
    }
    let url = visit.url(palette::PATH);
    let main = html! { (palette::search_page(visit.words, &url, &asked, &found)) };
    Ok(Screen {
        area: None,
        ..Screen::new(crate::parts::navigation::Area::Start, visit.text("search"), main)
    }
    .into())
}

async fn search(visit: &Visit, asked: &str, hits: &mut Vec<Hit>) -> Result<(), Refused> {
    let parameters = [("query", Some(asked)), ("limit", Some(OF_EACH))];
    let mut add = |kind: String, found: &Value, hit: &dyn Fn(&Value) -> (String, String)| {
        for item in items(found) {
            let (name, path) = hit(item);
            hits.push((kind.clone(), name, visit.url(&path)));
        }
    };
    let pages = visit.api.find("/v0/pages/search", &parameters).await?.body;
    add(visit.text("page"), &pages, &|page| {
        (text(page, "name").to_owned(), format!("/pages/{}", text(page, "pageId")))
    });
    let audiences = visit.api.find("/v0/audiences/search", &parameters).await?.body;
    add(visit.text("audience"), &audiences, &|audience| {
        let name = format!("{} · {}", text(audience, "pageName"), text(audience, "effectiveName"));
        (name, format!("/pages/{}/audiences/{}", text(audience, "pageId"), text(audience, "audienceId")))
    });
    let accounts = visit.api.find("/v0/accounts/search", &parameters).await?.body;
    add(visit.text("account-one"), &accounts, &|account| {
        (text(account, "name").to_owned(), format!("/accounts/{}", text(account, "accountId")))
    });
    if visit.may(Permission::ReadPersonalData) {
        let persons = visit.api.find("/v0/persons/search", &parameters).await?.body;
        add(visit.text("person"), &persons, &|person| {
            (super::persons::name_of(person), format!("/persons/{}", text(person, "personId")))
        });
    }
    Ok(())
}
