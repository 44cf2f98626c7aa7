//! A new audience, and the ways to many at once.

use maud::{Markup, html};
use serde_json::{Value, json};

use super::CONTEXT;
use crate::client::{Refused, segment};
use crate::json::text;
use crate::parts::field::{Field, Kind};
use crate::parts::form::Form;
use crate::parts::navigation::Area;
use crate::parts::tabs::{Tab, tabs};
use crate::screens::entering::filled;
use crate::screens::pages;
use crate::visit::{Drawn, Screen, Visit};

/// The ways to new audiences: where each stands below `/audiences/new`, and its label.
const WAYS: [(&str, &str); 5] = [
    ("", "audience-one"),
    ("/persons", "area-persons"),
    ("/accounts", "area-accounts"),
    ("/file", "audiences-of-file"),
    ("/notes", "audiences-of-notes"),
];

/// The API's path of the page's audiences.
pub(super) fn api_path(visit: &Visit) -> String {
    format!("{}/audiences", pages::api_path(visit))
}

/// The form of a new audience.
pub(crate) async fn new(visit: Visit) -> Result<Drawn, Refused> {
    screen(&visit, None).await.map(Drawn::from)
}

async fn screen(visit: &Visit, refused: Option<Refused>) -> Result<Screen, Refused> {
    let fields = vec![
        Field::new("supplementaryContext", visit.text("audience-context"), Kind::LongText(Some(CONTEXT)))
            .required()
            .help(visit.text("audience-context-help")),
        Field::new("customName", visit.text("audience-name"), Kind::Text(Some(200))),
    ];
    form(visit, "", "page-write", fields, refused).await
}

/// The screen of a way whose audiences are made of a form, which is sent by a button with this text.
pub(super) async fn form(
    visit: &Visit,
    current: &str,
    submit: &str,
    fields: Vec<Field>,
    refused: Option<Refused>,
) -> Result<Screen, Refused> {
    let page = visit.api.get(&pages::api_path(visit)).await?.body;
    let base = visit.url(&pages::path(visit));
    let (action, submit) = (format!("{base}/audiences/new{current}"), visit.text(submit));
    let form = Form { cancel: Some(&base), ..Form::new("audience", &action, &submit, fields) };
    let main = filled(form, visit, refused.as_ref()).draw(visit.words);
    Ok(way(visit, &page, current, &main).refused(refused))
}

/// Makes an audience, whose draft is written at once.
pub(crate) async fn create(visit: Visit) -> Result<Drawn, Refused> {
    let mut body = visit.entered.object(&["supplementaryContext", "customName"]);
    body["publishBehavior"] = json!("draft");
    match visit.api.post(&api_path(&visit), &body).await {
        Ok(made) => {
            let id = segment(text(&made.body, "audienceId"));
            Ok(visit.moved(&format!("{}/audiences/{id}", pages::path(&visit))))
        }
        Err(refused) => screen(&visit, Some(refused.mendable()?)).await.map(Drawn::from),
    }
}

/// The screen of one way to new audiences, beside the others.
pub(super) fn way(visit: &Visit, page: &Value, current: &str, main: &Markup) -> Screen {
    let base = visit.url(&pages::path(visit));
    let ways = WAYS.map(|(way, label)| (visit.text(label), format!("{base}/audiences/new{way}")));
    let shown: Vec<Tab<'_>> = ways.iter().map(|(label, href)| Tab { label, href, count: None }).collect();
    let at = WAYS.iter().position(|(way, _)| *way == current).unwrap_or_default();
    let title = visit.text("audience-new");
    let main = html! { div.stack { (tabs(&title, &shown, at)) (main) } };
    Screen::new(Area::Pages, title, main).below(text(page, "name"), base)
}
