//! Page links: paths of the tenant's choice with their targets, and their QR codes.

use maud::{Markup, html};
use pagesmith_operations::names::Ids;
use serde_json::{Value, json};

use crate::client::{Refused, segment};
use crate::json::{count, items, list_of, some, text, time};
use crate::notice::with_notice;
use crate::parts::dialog::dialog_link;
use crate::parts::field::{Field, Kind};
use crate::parts::form::Form;
use crate::parts::moment::moment;
use crate::parts::navigation::Area;
use crate::parts::table::{Row, scrolled};
use crate::parts::tabs::{Tab, tabs};
use crate::screens::entering::filled;
use crate::screens::listing::{Heading, Listing, asked, create_button, found};
use crate::screens::names::{Names, add_target};
use crate::screens::removal::Removal;
use crate::visit::{Drawn, Screen, Visit};

pub(crate) mod making;
pub(crate) mod target;

/// The longest path that the field takes.
const PATH: u64 = 1_000;

/// The list of page links.
pub(crate) async fn list(visit: Visit) -> Result<Drawn, Refused> {
    let query = asked(&visit, &[]);
    let found = found(&visit, "/v0/page_links", &query).await?;
    let names = Names::of_targets(&visit, items(&found).iter().map(|link| &link["target"])).await?;
    let row = |link: &Value| Row {
        id: text(link, "pageLinkId").to_owned(),
        name: text(link, "path").to_owned(),
        href: Some(visit.url(&format!("/links/{}", text(link, "pageLinkId")))),
        cells: vec![
            html! { bdi { (text(link, "domain")) } },
            html! { (target(&visit, link, &names)) },
            html! { @if let Some(at) = time(link, "updatedAt") { (moment(visit.words, at, visit.now)) } },
        ],
    };
    let title = visit.text("area-links");
    let listing = Listing {
        id: "links",
        caption: &title,
        path: "/links",
        query: &query,
        columns: vec![
            Heading::new(visit.text("link-path")),
            Heading::new(visit.text("domain")).by("domain"),
            Heading::new(visit.text("link-target")),
            Heading::new(visit.text("changed")).by("updatedAt"),
        ],
        rows: items(&found).iter().map(row).collect(),
        answer: &found,
        search: Some(visit.text("links-search")),
        filter: None,
        bulk: None,
        empty: (visit.text("links-empty"), visit.text("links-empty-text")),
        make: Some((visit.text("link-new"), "/links/new")),
    };
    let main = html! { div.stack { (tabs_of(&visit, 0)) (listing.draw(&visit)) } };
    let actions = create_button(&visit, "/links/new", &visit.text("link-new"));
    Ok(Screen::new(Area::PageLinks, title, main).actions(actions).into())
}

/// Links and link blocks beside each other.
pub(crate) fn tabs_of(visit: &Visit, current: usize) -> Markup {
    let urls = [visit.url("/links"), visit.url("/links/blocks")];
    let labels = [visit.text("area-links"), visit.text("blocks")];
    let shown = [
        Tab { label: &labels[0], href: &urls[0], count: None },
        Tab { label: &labels[1], href: &urls[1], count: None },
    ];
    tabs(&labels[0], &shown, current)
}

/// Where a link leads.
fn target(visit: &Visit, link: &Value, names: &Names) -> Markup {
    let target = &link["target"];
    let routes = list_of(target, "routingTable");
    html! {
        @match text(target, "targetType") {
            "page" => bdi { (names.page(text(target, "pageId"))) },
            "audience" => bdi { (names.audience(text(target, "audienceId"))) },
            "page_routing" => {
                bdi { (names.page(text(target, "pageId"))) } ": "
                (visit.words.with("link-routes", &[("count", routes.len().into())]))
            },
            _ => span.help { (visit.text("link-target-gone")) },
        }
    }
}

/// What came of a link: how many visits, and where visitors are shared, each route with its share by weight and its share of the visits.
fn visits(visit: &Visit, link: &Value, names: &Names, came: &Value) -> Markup {
    let (routes, seen) = (list_of(&link["target"], "routingTable"), list_of(came, "audiences"));
    let weights: u64 =
        routes.iter().filter_map(|route| route["weight"].as_u64()).fold(0, u64::saturating_add);
    let total = count(came, "totalSessions");
    let sessions = |id: &str| {
        let found = seen.iter().find(|one| text(one, "audienceId") == id);
        found.map_or(0, |one| count(one, "totalSessions"))
    };
    let is_route = |id: &str| routes.iter().any(|route| text(route, "audienceId") == id);
    let ids = routes.iter().map(|route| (text(route, "audienceId"), Some(route)));
    let others = seen.iter().map(|one| (text(one, "audienceId"), None)).filter(|(id, _)| !is_route(id));
    html! {
        section.stack {
            h2 { (visit.text("visits")) }
            p { (visit.words.with("link-visits", &[("count", total.into())])) }
            @if !routes.is_empty() {
                (scrolled(&visit.text("visits"), &html! {
                    thead { tr {
                        th scope="col" { (visit.text("link-target")) }
                        th.number scope="col" { (visit.text("link-planned")) }
                        th.number scope="col" { (visit.text("visits")) }
                        th.number scope="col" { (visit.text("link-measured")) }
                    } }
                    tbody {
                        @for (id, route) in ids.chain(others) {
                            @let elsewhere = route.and_then(|route| some(route, "targetUrl"));
                            tr {
                                th scope="row" dir="auto" {
                                    @if let Some(address) = elsewhere { (address) } @else { (names.audience(id)) }
                                }
                                td.number {
                                    @if let Some(weight) = route.and_then(|route| route["weight"].as_u64()) { (visit.words.percent(weight, weights)) }
                                }
                                @if elsewhere.is_some() { td.number colspan="2" { (visit.text("link-not-counted")) } }
                                @else {
                                    td.number { (visit.count(sessions(id))) }
                                    td.number { @if total > 0 { (visit.words.percent(sessions(id), total)) } }
                                }
                            }
                        }
                    }
                }))
                @if routes.iter().any(|route| some(route, "targetUrl").is_some()) { p.help { (visit.text("link-visits-help")) } }
            }
        }
    }
}

fn api_path(visit: &Visit) -> String {
    format!("/v0/page_links/{}", segment(visit.id("page_link_id")))
}

fn path(visit: &Visit) -> String {
    format!("/links/{}", segment(visit.id("page_link_id")))
}

/// A link with its target and its QR code.
pub(crate) async fn show(visit: Visit) -> Result<Drawn, Refused> {
    shown(&visit, None).await.map(Drawn::from)
}

async fn shown(visit: &Visit, refused: Option<Refused>) -> Result<Screen, Refused> {
    let found = visit.api.get(&api_path(visit)).await?;
    let came = visit.api.get(&format!("{}/visits", api_path(visit))).await?.body;
    let mut ids = Ids::default();
    add_target(&mut ids, &found.body["target"]);
    let seen = list_of(&came, "audiences").iter().filter_map(|one| some(one, "audienceId"));
    ids.audiences.extend(seen.map(str::to_owned));
    let names = Names::read(visit, ids).await?;
    let (link, base) = (&found.body, visit.url(&path(visit)));
    let url = text(link, "url");
    let fields = vec![
        Field::hidden("etag", found.etag.unwrap_or_default()),
        Field::new("path", visit.text("link-path"), Kind::Text(Some(PATH)))
            .required()
            .value(text(link, "path"))
            .help(visit.text("link-path-change")),
    ];
    let (action, submit) = (format!("{base}/edit"), visit.text("save"));
    let form = filled(Form::new("link", &action, &submit, fields), visit, refused.as_ref());
    let main = html! {
        div.stack {
            dl.facts {
                dt { (visit.text("address")) } dd { a href=(url) target="_blank" rel="noopener" { bdi { (url) } } }
                dt { (visit.text("link-target")) } dd { (target(visit, link, &names)) }
            }
            (visits(visit, link, &names, &came))
            section.stack {
                h2 { (visit.text("qr")) }
                img.picture src={ (base) "/qr.svg" } alt=(visit.words.with("qr-of", &[("address", url.into())])) width="200" height="200";
                p.actions {
                    a.button href={ (base) "/qr.svg" } download="qr.svg" { "SVG" }
                    a.button href={ (base) "/qr.png" } download="qr.png" { "PNG" }
                }
            }
            @if visit.may_write() { details open[refused.is_some()] { summary { (visit.text("edit")) } (form.draw(visit.words)) } }
        }
    };
    let actions = html! {
        @if visit.may_write() {
            a.button href={ (base) "/target" } { (visit.text("link-target-change")) }
            (dialog_link(&format!("{base}/delete"), &visit.text("delete"), "button quiet"))
        }
    };
    Ok(Screen::new(Area::PageLinks, text(link, "path"), main).actions(actions).refused(refused))
}

/// Gives a link another path, if nobody else has changed it meanwhile.
pub(crate) async fn update(visit: Visit) -> Result<Drawn, Refused> {
    let change = json!({ "path": visit.entered.text("path") });
    match visit.api.patch(&api_path(&visit), &change, visit.entered.some("etag")).await {
        Ok(_) => Ok(visit.moved(&with_notice(&path(&visit), "saved", ""))),
        Err(refused) => shown(&visit, Some(refused.mendable()?)).await.map(Drawn::from),
    }
}

/// The QR code of a link as the API draws it.
pub(crate) async fn qr_svg(visit: Visit) -> Result<Drawn, Refused> {
    let api = format!("{}/qr.svg", api_path(&visit));
    visit.api.stream(&api, "image/svg+xml").await.map(Drawn::Response)
}

/// The same for programs that take no SVG.
pub(crate) async fn qr_png(visit: Visit) -> Result<Drawn, Refused> {
    let api = format!("{}/qr.png", api_path(&visit));
    visit.api.stream(&api, "image/png").await.map(Drawn::Response)
}

/// Asks whether a link is to be deleted.
pub(crate) async fn ask_delete(visit: Visit) -> Result<Drawn, Refused> {
    let link = visit.api.get(&api_path(&visit)).await?.body;
    let removal = Removal {
        area: Area::PageLinks,
        name: text(&link, "url"),
        path: &path(&visit),
        text: visit.text("link-delete-text"),
    };
    Ok(removal.ask(&visit).into())
}

/// Deletes a link.
pub(crate) async fn delete(visit: Visit) -> Result<Drawn, Refused> {
    visit.api.delete(&api_path(&visit)).await?;
    Ok(visit.moved(&with_notice("/links", "deleted", "")))
}
