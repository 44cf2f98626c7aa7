//! New audiences: one, or many at once.

use maud::html;
use serde_json::json;

use super::CONTEXT;
use crate::client::{Refused, segment};
use crate::entered::Entered;
use crate::json::text;
use crate::notice::told;
use crate::parts::field::{Field, Kind};
use crate::parts::form::Form;
use crate::parts::navigation::Area;
use crate::screens::entering::filled;
use crate::screens::pages;
use crate::visit::{Drawn, Screen, Visit};

/// How many audiences a form makes at once.
const MOST: usize = 100;

/// The form of new audiences.
pub(crate) async fn new(visit: Visit) -> Result<Drawn, Refused> {
    screen(&visit, None).await.map(Drawn::from)
}

async fn screen(visit: &Visit, refused: Option<Refused>) -> Result<Screen, Refused> {
    let page = visit.api.get(&pages::api_path(visit)).await?.body;
    let base = visit.url(&format!("/pages/{}", text(&page, "pageId")));
    let is_many = visit.asked("many").is_some() || visit.entered.some("audiences").is_some();
    let fields = if is_many {
        let help = visit.words.with("audiences-many-help", &[("most", (MOST as i64).into())]);
        vec![
            Field::new("audiences", visit.text("audiences"), Kind::LongText(Some(CONTEXT)))
                .required()
                .help(help),
        ]
    } else {
        vec![
            Field::new("supplementaryContext", visit.text("audience-context"), Kind::LongText(Some(CONTEXT)))
                .required()
                .help(visit.text("audience-context-help")),
            Field::new("customName", visit.text("audience-name"), Kind::Text(Some(200))),
        ]
    };
    let (action, submit) = (format!("{base}/audiences/new"), visit.text("page-write"));
    let form = Form { cancel: Some(&base), ..Form::new("audience", &action, &submit, fields) };
    let other = if is_many {
        (action.clone(), visit.text("audience-one"))
    } else {
        (format!("{action}?many=1"), visit.text("audience-many"))
    };
    let main = html! {
        div.stack {
            p { a href=(other.0) { (other.1) } }
            (filled(form, visit, refused.as_ref()).draw(visit.words))
        }
    };
    Ok(Screen::new(Area::Pages, visit.text("audience-new"), main)
        .below(text(&page, "name"), base)
        .refused(refused))
}

/// Makes audiences, whose drafts are written at once.
pub(crate) async fn create(mut visit: Visit) -> Result<Drawn, Refused> {
    let api = format!("{}/audiences", pages::api_path(&visit));
    let page = format!("/pages/{}", segment(visit.id("page_id")));
    let Some(many) = visit.entered.some("audiences") else {
        let mut body = visit.entered.object(&["supplementaryContext", "customName"]);
        body["publishBehavior"] = json!("draft");
        return match visit.api.post(&api, &body).await {
            Ok(made) => Ok(visit.moved(&format!("{page}/audiences/{}", text(&made.body, "audienceId")))),
            Err(refused) => screen(&visit, Some(refused.mendable()?)).await.map(Drawn::from),
        };
    };
    let lines: Vec<String> =
        many.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect();
    let mut refused = None;
    let mut made = 0;
    for line in lines.iter().take(MOST) {
        let body = json!({ "supplementaryContext": line, "publishBehavior": "draft" });
        if let Err(why) = visit.api.post(&api, &body).await {
            refused = Some(why.mendable()?);
            break;
        }
        made += 1;
    }
    if made == lines.len() {
        return Ok(visit.moved(&told(&page, "saved", "")));
    }
    // The form comes back with what was not made.
    visit.entered = Entered(vec![("audiences".to_owned(), lines[made..].join("\n"))]);
    screen(&visit, refused).await.map(Drawn::from)
}
