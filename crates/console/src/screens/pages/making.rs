//! A new page from somebody's own text.

use maud::html;
use serde_json::json;

use super::{type_choices, type_name};
use crate::client::Refused;
use crate::json::text;
use crate::notice::with_notice;
use crate::parts::field::{Field, Kind};
use crate::parts::form::Form;
use crate::parts::navigation::Area;
use crate::screens::entering::filled;
use crate::visit::{Drawn, Screen, Visit};

/// The longest name and the longest texts that the fields take.
const NAME: u64 = 200;
const CONTEXT: u64 = 100_000;

/// The kinds of page of which there is an example.
const EXAMPLES: [&str; 4] = ["inbound", "outbound", "call_followup", "sales_deck"];

/// What an example fills the form with; of nothing, an empty form.
#[derive(Default)]
struct Filling {
    page_type: &'static str,
    name: String,
    context: String,
    audience: String,
}

/// The example of a kind of page, if there is one.
fn example(visit: &Visit, page_type: &str) -> Option<Filling> {
    let page_type = EXAMPLES.into_iter().find(|known| *known == page_type)?;
    let [name, context, audience] = match page_type {
        "outbound" => ["example-outbound-name", "example-outbound-context", "example-outbound-audience"],
        "call_followup" => ["example-call-name", "example-call-context", "example-call-audience"],
        "sales_deck" => ["example-deck-name", "example-deck-context", "example-deck-audience"],
        _ => ["example-inbound-name", "example-inbound-context", "example-inbound-audience"],
    }
    .map(|key| visit.text(key));
    Some(Filling { page_type, name, context, audience })
}

/// The form of a new page.
pub(crate) async fn new(visit: Visit) -> Result<Drawn, Refused> {
    Ok(new_screen(&visit, None).into())
}

fn new_screen(visit: &Visit, refused: Option<Refused>) -> Screen {
    let words = visit.words;
    let chosen = visit.asked("example").and_then(|page_type| example(visit, &page_type));
    let filling = chosen.unwrap_or_default();
    let chosen_type = filling.page_type;
    let fields = vec![
        Field::new("pageContext", visit.text("page-context"), Kind::LongText(Some(CONTEXT)))
            .required()
            .value(filling.context)
            .help(visit.text("page-context-help")),
        Field::new("name", visit.text("page-name"), Kind::Text(Some(NAME))).required().value(filling.name),
        Field::new("supplementaryContext", visit.text("audience-context"), Kind::LongText(Some(CONTEXT)))
            .value(filling.audience)
            .help(visit.text("audience-context-help")),
        Field::new("pageType", visit.text("page-type"), Kind::Choice(type_choices(visit)))
            .value(if chosen_type.is_empty() { "inbound" } else { chosen_type }),
    ];
    let (action, cancel, submit) = (visit.url("/pages/new"), visit.url("/pages"), visit.text("page-write"));
    let form = Form { cancel: Some(&cancel), ..Form::new("page", &action, &submit, fields) };
    let form = filled(form, visit, refused.as_ref());
    let main = html! {
        div.stack {
            p { (visit.text("page-new-text")) }
            nav.line aria-labelledby="examples" {
                span #examples { (visit.text("page-new-example")) }
                @for page_type in EXAMPLES {
                    a.button href=(visit.url(&format!("/pages/new?example={page_type}")))
                        aria-current=[(page_type == chosen_type).then_some("true")] { (type_name(visit, page_type)) }
                }
            }
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
    Ok(visit.moved(&with_notice(&next, "page-created", "")))
}
