//! Links by which somebody without a user sees the figures of a page: made with an end and a password, listed, ended.

use maud::{Markup, html};
use serde_json::{Value, json};

use crate::client::{Refused, segment};
use crate::json::{items, text, time};
use crate::notice::with_notice;
use crate::parts::code::copied;
use crate::parts::field::{Choice, Field, Kind};
use crate::parts::form::Form;
use crate::parts::moment::moment;
use crate::parts::navigation::Area;
use crate::screens::entering::filled;
use crate::visit::{Drawn, Screen, Visit};

/// For how many days a link can be chosen to be good.
const DAYS: [u32; 4] = [7, 30, 90, 365];

/// The API's path of the page that the address names.
fn page_path(visit: &Visit) -> String {
    format!("/v0/pages/{}", segment(visit.id("page_id")))
}

/// The API's path of the links to its figures.
fn api_path(visit: &Visit) -> String {
    format!("{}/visit_shares", page_path(visit))
}

/// The console's path of them.
fn path(visit: &Visit) -> String {
    format!("/visits/{}/shares", segment(visit.id("page_id")))
}

/// The links to the figures of a page.
pub(crate) async fn list(visit: Visit) -> Result<Drawn, Refused> {
    screen(&visit, None, None).await.map(Drawn::from)
}

/// Makes one; its address is shown once, and again to whoever sends the same form twice.
pub(crate) async fn create(visit: Visit) -> Result<Drawn, Refused> {
    let days: u32 = visit.entered.text("expiresInDays").parse().unwrap_or_default();
    let password = Some(visit.entered.as_typed("password")).filter(|password| !password.is_empty());
    let new = json!({ "name": visit.entered.text("name"), "expiresInDays": days, "password": password });
    let request = visit.form_request(&path(&visit))?;
    match visit.api.post_once(&api_path(&visit), &new, request.map(|one| one.key.idempotency_key)).await {
        Ok(made) => screen(&visit, Some(text(&made.body, "url")), None).await.map(Drawn::from),
        Err(refused) => screen(&visit, None, Some(refused.mendable()?)).await.map(Drawn::from),
    }
}

/// Ends one.
pub(crate) async fn end(visit: Visit) -> Result<Drawn, Refused> {
    let share = segment(visit.entered.text("share"));
    visit.api.delete(&format!("{}/{share}", api_path(&visit))).await?;
    Ok(visit.moved(&with_notice(&path(&visit), "saved", "")))
}

async fn screen(visit: &Visit, link: Option<&str>, refused: Option<Refused>) -> Result<Screen, Refused> {
    let page = visit.api.get(&page_path(visit)).await?.body;
    let open = visit.api.get(&api_path(visit)).await?.body;
    let here = visit.url(&path(visit));
    let main = html! {
        div.stack {
            @if let Some(link) = link {
                section.card {
                    h2 { (visit.text("share-link")) }
                    p.help { (visit.text("share-link-help")) }
                    (copied(visit.words, &visit.text("share-link"), link))
                }
            }
            p { (visit.text("shares-text")) }
            @if !items(&open).is_empty() { ul.plain { @for share in items(&open) { li.card { (one(visit, &here, share)) } } } }
            section {
                h2 { (visit.text("share-new")) }
                (form(visit, &here, refused.as_ref().filter(|_| link.is_none())))
            }
        }
    };
    let of_page = visit.url(&format!("/visits/{}", text(&page, "pageId")));
    let screen = Screen::new(Area::Visits, visit.text("shares"), main).below(text(&page, "name"), of_page);
    Ok(screen.refused(refused))
}

fn one(visit: &Visit, here: &str, share: &Value) -> Markup {
    html! {
        strong dir="auto" { (text(share, "name")) }
        " " span.help {
            @if let Some(at) = time(share, "expiresAt") { (visit.text("share-until")) " " (moment(visit.words, at, visit.now)) }
            @if share["hasPassword"] == true { " · " (visit.text("share-with-password")) }
        }
        form method="post" action={ (here) "/end" } {
            input type="hidden" name="share" value=(text(share, "visitShareId"));
            button.button.quiet type="submit" { (visit.text("share-end")) }
        }
    }
}

fn form(visit: &Visit, here: &str, refused: Option<&Refused>) -> Markup {
    let days = |days: u32| {
        Choice::new(days.to_string(), visit.words.with("days", &[("count", i64::from(days).into())]))
    };
    let fields = vec![
        Field::new("name", visit.text("share-for"), Kind::Text(Some(100)))
            .required()
            .help(visit.text("share-for-help")),
        Field::new("expiresInDays", visit.text("share-days"), Kind::Choice(DAYS.map(days).to_vec()))
            .value("30"),
        Field::new("password", visit.text("password"), Kind::Password)
            .autocomplete("new-password")
            .help(visit.text("share-password-help")),
    ];
    let submit = visit.text("share-make");
    let form = Form::new("share", here, &submit, fields);
    // After one was made, the form is for another.
    if refused.is_none() { form.draw(visit.words) } else { filled(form, visit, refused).draw(visit.words) }
}
