//! Questions of visitors that nothing was known to answer with: what knowledge lacks.

use maud::html;
use serde_json::Value;

use crate::client::{Refused, segment};
use crate::json::{items, text, time};
use crate::notice::with_notice;
use crate::parts::moment::moment;
use crate::parts::navigation::Area;
use crate::parts::pagination::{pagination, part};
use crate::screens::listing::asked;
use crate::visit::{Drawn, Screen, Visit};

fn api_path(visit: &Visit) -> String {
    format!("/v0/pages/{}/unanswered_questions", segment(visit.id("page_id")))
}

fn path(visit: &Visit) -> String {
    format!("/visits/{}/questions", segment(visit.id("page_id")))
}

/// The questions on a page, the newest first.
pub(crate) async fn list(visit: Visit) -> Result<Drawn, Refused> {
    let page = visit.api.get(&format!("/v0/pages/{}", segment(visit.id("page_id")))).await?.body;
    let query = asked(&visit, &[]);
    let found = visit.api.find(&api_path(&visit), &[("cursor", query.cursor.as_deref())]).await?.body;
    let here = visit.url(&path(&visit));
    let row = |question: &Value| {
        let id = text(question, "unansweredQuestionId");
        let audience = format!("/pages/{}/audiences/{}", text(&page, "pageId"), text(question, "audienceId"));
        html! {
            p dir="auto" lang=(text(question, "language")) { (text(question, "question")) }
            p.help {
                @if let Some(at) = time(question, "createdAt") { (moment(visit.words, at, visit.now)) " · " }
                a href=(visit.url(&audience)) { (visit.text("question-where")) }
            }
            @if visit.may_write() {
                form method="post" action={ (here) "/done" } {
                    input type="hidden" name="question" value=(id);
                    button.button.quiet type="submit" { (visit.text("question-done")) }
                }
            }
        }
    };
    let main = html! {
        div.stack {
            p.help { (visit.text("questions-help")) " " a href=(visit.url("/knowledge")) { (visit.text("area-knowledge")) } }
            @if items(&found).is_empty() { p { (visit.text("questions-none")) } }
            @else {
                ul.plain { @for question in items(&found) { li.card { (row(question)) } } }
                (pagination(visit.words, &here, &query, &part(&found)))
            }
        }
    };
    Ok(Screen::new(Area::Visits, visit.text("questions-unanswered"), main)
        .below(text(&page, "name"), visit.url(&format!("/visits/{}", text(&page, "pageId"))))
        .into())
}

/// Takes a question off the list.
pub(crate) async fn done(visit: Visit) -> Result<Drawn, Refused> {
    let question = segment(visit.entered.text("question"));
    visit.api.delete(&format!("{}/{question}", api_path(&visit))).await?;
    Ok(visit.moved(&with_notice(&path(&visit), "deleted", "")))
}
