//! What the command palette finds by a few letters: areas, what can be made, pages, audiences, persons and accounts.
//!
//! A place is found by its name in the user's language, and only where the user may open it.

use std::sync::LazyLock;

use maud::html;
use pagesmith_model::text::{Query, fold, rank, word_form};
use pagesmith_model::user::Permission;
use serde_json::Value;

use crate::client::{Answered, Refused};
use crate::json::{items, text};
use crate::parts::navigation::Area;
use crate::parts::palette::{self, PaletteItem};
use crate::visit::{Drawn, Screen, Visit};

/// How many things of each kind are shown.
const OF_EACH: &str = "5";
/// How many places are shown.
const PLACES_SHOWN: usize = 8;

/// Screens beside the areas, with the keys of their names.
const PLACES: [(&str, &str); 26] = [
    ("/pages/new", "page-new"),
    ("/knowledge/new", "topic-new"),
    ("/knowledge/search", "knowledge-search"),
    ("/assets/new", "picture-new"),
    ("/assets/video", "video-new"),
    ("/assets/trash", "trash"),
    ("/brands/new", "brand-new"),
    ("/brands/website", "brand-from-website"),
    ("/links/new", "link-new"),
    ("/links/blocks", "blocks"),
    ("/links/blocks/new", "block-new"),
    ("/domains/new", "domain-new"),
    ("/persons/new", "person-new"),
    ("/persons/imports", "imports"),
    ("/persons/imports/new", "import-new"),
    ("/accounts/new", "account-new"),
    ("/forms/new", "form-new"),
    ("/webhooks/new", "webhook-new"),
    ("/settings/site", "settings-site"),
    ("/settings/consent", "settings-consent"),
    ("/settings/agent", "settings-agent"),
    ("/settings/keys", "settings-keys"),
    ("/settings/keys/new", "key-new"),
    ("/settings/usage", "settings-usage"),
    ("/settings/audit", "audit"),
    ("/settings/retention", "settings-retention"),
];

/// A screen that is found by its name.
struct ScreenEntry {
    path: &'static str,
    key: &'static str,
    needs: Permission,
    makes: bool,
}

/// Every such screen, areas first.
static ALL: LazyLock<Vec<ScreenEntry>> = LazyLock::new(|| {
    let rows = super::rows();
    let shown = |path: &str| rows.iter().find(|row| row.method == "GET" && row.path == path);
    let areas = Area::ALL.iter().map(|area| (area.path(), area.key()));
    let places = areas.chain(PLACES).chain([("/account", "account")]);
    let place = |(path, key)| {
        let needs = shown(path)?.needs;
        Some(ScreenEntry { path, key, needs, makes: needs != Permission::Read && is_for_making(path) })
    };
    places.filter_map(place).collect()
});

/// Whether something is made on a screen.
fn is_for_making(path: &str) -> bool {
    ["/new", "/video", "/website"].iter().any(|end| path.ends_with(end))
}

/// Whether a screen is found by its name.
#[cfg(test)]
pub(super) fn named(path: &str) -> bool {
    ALL.iter().any(|place| place.path == path)
}

/// The screens that the user may open whose names hold every word, the best first.
fn places(visit: &Visit, asked: &str) -> Vec<Hit> {
    let query = Query::parse(asked);
    if query.is_blank() {
        return vec![];
    }
    let hit = |place: &ScreenEntry| {
        let name = visit.text(place.key);
        let folded = fold(&name);
        let rank = rank(&folded, &word_form(&folded), &query)?;
        let kind = visit.text(if place.makes { "palette-do" } else { "palette-go" });
        Some((rank, (kind, name, visit.url(place.path))))
    };
    let mut hits: Vec<_> = ALL.iter().filter(|place| visit.may(place.needs)).filter_map(hit).collect();
    hits.sort_by_key(|(rank, _)| *rank);
    hits.into_iter().map(|(_, hit)| hit).take(PLACES_SHOWN).collect()
}

/// Something that was found: its kind, its name, where it is.
type Hit = (String, String, String);

/// What matches the text of the address.
pub(crate) async fn find(visit: Visit) -> Result<Drawn, Refused> {
    let asked = visit.asked("q").unwrap_or_default();
    let mut hits = Vec::new();
    if !asked.trim().is_empty() {
        hits = places(&visit, &asked);
        search(&visit, &asked, &mut hits).await?;
    }
    let found: Vec<PaletteItem<'_>> =
        hits.iter().map(|(kind, name, href)| PaletteItem { kind, name, href }).collect();
    if visit.wants_part {
        let here = visit.asked("here").and_then(|count| count.parse().ok()).unwrap_or_default();
        return Ok(Drawn::Part(palette::results(visit.words, &found, here)));
    }
    let url = visit.url(palette::PATH);
    let main = html! { (palette::search_page(visit.words, &url, &asked, &found)) };
    Ok(Screen { area: None, ..Screen::new(Area::Start, visit.text("search"), main) }.into())
}

/// What the four searches find, which are made side by side.
async fn search(visit: &Visit, asked: &str, hits: &mut Vec<Hit>) -> Result<(), Refused> {
    let parameters = [("query", Some(asked)), ("limit", Some(OF_EACH))];
    let persons = async {
        match visit.may(Permission::ReadPersonalData) {
            true => visit.api.find("/v0/persons/search", &parameters).await,
            false => Ok(Answered::default()),
        }
    };
    let (pages, audiences, accounts, persons) = tokio::try_join!(
        visit.api.find("/v0/pages/search", &parameters),
        visit.api.find("/v0/audiences/search", &parameters),
        visit.api.find("/v0/accounts/search", &parameters),
        persons,
    )?;
    let mut add = |kind: String, found: &Answered, hit: &dyn Fn(&Value) -> (String, String)| {
        for item in items(&found.body) {
            let (name, path) = hit(item);
            hits.push((kind.clone(), name, visit.url(&path)));
        }
    };
    add(visit.text("page"), &pages, &|page| {
        (text(page, "name").to_owned(), format!("/pages/{}", text(page, "pageId")))
    });
    add(visit.text("audience"), &audiences, &|audience| {
        let name = format!("{} · {}", text(audience, "pageName"), text(audience, "effectiveName"));
        (name, format!("/pages/{}/audiences/{}", text(audience, "pageId"), text(audience, "audienceId")))
    });
    add(visit.text("account-one"), &accounts, &|account| {
        (text(account, "name").to_owned(), format!("/accounts/{}", text(account, "accountId")))
    });
    add(visit.text("person"), &persons, &|person| {
        (super::persons::name_of(person), format!("/persons/{}", text(person, "personId")))
    });
    Ok(())
}
