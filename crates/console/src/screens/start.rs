//! Start: what needs attention, and the pages that were worked on last.

use maud::{Markup, html};
use serde_json::Value;

use crate::client::{Refused, with_query};
use crate::json::{count, items, text, time};
use crate::parts::empty::{Empty, empty};
use crate::parts::moment::moment;
use crate::parts::navigation::Area;
use crate::screens::listing::create_button;
use crate::screens::status;
use crate::visit::{Drawn, Screen, Visit};

/// How many pages are looked at for what needs attention.
const PAGES: &str = "20";

/// The screen that everybody comes to first.
pub(crate) async fn start(visit: Visit) -> Result<Drawn, Refused> {
    let pages = visit.api.get(&with_query("/v0/pages", &[("limit", Some(PAGES))])).await?.body;
    if items(&pages).is_empty() {
        return Ok(Screen::new(Area::Start, visit.text("area-start"), first_steps(&visit)).into());
    }
    let mut waiting = Vec::new();
    for page in items(&pages) {
        let path = format!("/v0/pages/{}/audiences", text(page, "pageId"));
        let audiences = visit.api.get(&path).await?.body;
        let open = |audience: &&Value| status::needs_a_look(audience);
        let found = items(&audiences).iter().filter(open).cloned();
        waiting.extend(found.map(|audience| (page.clone(), audience)));
    }
    let main = html! {
        div.stack {
            section {
                h2 { (visit.text("start-attention")) }
                @if waiting.is_empty() { p.help { (visit.text("start-nothing-waits")) } }
                @else { ul.plain { @for (page, audience) in &waiting { li { (waits(&visit, page, audience)) } } } }
            }
            section {
                h2 { (visit.text("start-pages")) }
                ul.plain {
                    @for page in items(&pages).iter().take(8) {
                        li {
                            a href=(visit.url(&format!("/pages/{}", text(page, "pageId")))) dir="auto" { (text(page, "name")) }
                            " " span.help {
                                (visit.words.with("audiences-count", &[("count", i64::try_from(count(page, "audiencesCount")).unwrap_or(0).into())]))
                                @if let Some(at) = time(page, "updatedAt") { " · " (moment(visit.words, at, visit.now)) }
                            }
                        }
                    }
                }
            }
        }
    };
    let actions = create_button(&visit, "/pages/new", &visit.text("page-new"));
    Ok(Screen::new(Area::Start, visit.text("area-start"), main).actions(actions).into())
}

fn waits(visit: &Visit, page: &Value, audience: &Value) -> Markup {
    let href =
        visit.url(&format!("/pages/{}/audiences/{}", text(page, "pageId"), text(audience, "audienceId")));
    html! {
        (status::of(visit.words, text(audience, "status"))) " "
        a href=(href) dir="auto" { (text(page, "name")) " · " (text(audience, "effectiveName")) }
    }
}

fn first_steps(visit: &Visit) -> Markup {
    let (title, told) = (visit.text("pages-empty"), visit.text("pages-empty-text"));
    let (make, url) = (visit.text("page-new"), visit.url("/pages/new"));
    let action = visit.may_write().then_some((make.as_str(), url.as_str()));
    empty(&Empty { title: &title, text: &told, action })
}
