//! Brands: how pages look and speak; proposed from a website, changed, made the default, deleted.

use axum::http::StatusCode;
use maud::html;
use serde_json::{Value, json};

use crate::client::{Refused, segment};
use crate::json::{items, list_of, text, time};
use crate::notice::with_notice;
use crate::parts::badge::{Tone, badge};
use crate::parts::dialog::dialog_link;
use crate::parts::field::{Field, Kind};
use crate::parts::form::Form;
use crate::parts::moment::moment;
use crate::parts::navigation::Area;
use crate::parts::swatch::swatch;
use crate::parts::table::Row;
use crate::screens::entering::filled;
use crate::screens::listing::{Heading, Listing, asked, found};
use crate::screens::removal::Removal;
use crate::visit::{Drawn, Screen, Visit};

mod fields;
pub(crate) mod preview;

use preview::Wished;

/// The colours that follow from a look, in the API's names.
const COLOURS: [&str; 7] =
    ["background", "text", "accent", "textOnAccent", "link", "primary", "textOnPrimary"];

/// The list of brands.
pub(crate) async fn list(visit: Visit) -> Result<Drawn, Refused> {
    let query = asked(&visit, &[]);
    let found = found(&visit, "/v0/brands", &query).await?;
    let row = |brand: &Value| Row {
        id: text(brand, "brandId").to_owned(),
        name: text(brand, "name").to_owned(),
        href: Some(visit.url(&format!("/brands/{}", text(brand, "brandId")))),
        cells: vec![
            html! { @for name in COLOURS { (swatch(text(&brand["palette"]["light"], name))) " " } },
            html! { @if brand["isDefault"] == true { (badge(Tone::Plain, &visit.text("default"))) } },
            html! { @if let Some(at) = time(brand, "updatedAt") { (moment(visit.words, at, visit.now)) } },
        ],
    };
    let title = visit.text("area-brands");
    let listing = Listing {
        id: "brands",
        caption: &title,
        path: "/brands",
        query: &query,
        columns: vec![
            Heading::new(visit.text("name")),
            Heading::new(visit.text("colours")),
            Heading::new(visit.text("state")),
            Heading::new(visit.text("changed")).by("updatedAt"),
        ],
        rows: items(&found).iter().map(row).collect(),
        answer: &found,
        search: Some(visit.text("brands-search")),
        filter: None,
        bulk: None,
        empty: (visit.text("brands-empty"), visit.text("brands-empty-text")),
        make: Some((visit.text("brand-from-website"), "/brands/website")),
    };
    let main = listing.draw(&visit);
    let actions = html! {
        @if visit.may_write() {
            a.button.primary href=(visit.url("/brands/new")) data-key="c" { (visit.text("brand-new")) }
            a.button href=(visit.url("/brands/website")) { (visit.text("brand-from-website")) }
        }
    };
    Ok(Screen::new(Area::Brands, title, main).actions(actions).into())
}

/// The form of a new brand.
pub(crate) async fn new(visit: Visit) -> Result<Drawn, Refused> {
    new_screen(&visit, &Value::Null, &[], None).await.map(Drawn::from)
}

/// The form with a brand that may have been proposed, and what is to be said of the proposal.
async fn new_screen(
    visit: &Visit,
    brand: &Value,
    notes: &[Value],
    refused: Option<Refused>,
) -> Result<Screen, Refused> {
    let (action, cancel, submit) = (visit.url("/brands/new"), visit.url("/brands"), visit.text("brand-new"));
    let show = visit.text("form-show");
    let form = Form {
        cancel: Some(&cancel),
        show: Some(&show),
        ..Form::new("brand", &action, &submit, fields::of(visit, brand))
    };
    // What was entered on the screen before is the address of a website, and no part of a brand.
    let (form, wished) = if brand.is_null() {
        (filled(form, visit, refused.as_ref()), Wished::entered(&visit.entered))
    } else {
        (form, Wished::of_look(&brand["look"]))
    };
    let shown = preview::draw(visit, &wished).await?;
    let main = html! {
        div.beside.even {
            div.stack {
                @if !brand.is_null() { p { (visit.text("brand-proposed")) } }
                @if !notes.is_empty() { ul.card { @for note in notes { li lang="en" { (note.as_str().unwrap_or_default()) } } } }
                (form.draw(visit.words))
            }
            (shown)
        }
    };
    Ok(Screen::new(Area::Brands, submit.clone(), main).refused(refused))
}

/// Makes a brand, or only shows how its pages would look.
pub(crate) async fn create(visit: Visit) -> Result<Drawn, Refused> {
    if visit.entered.is_on("do") {
        return new_screen(&visit, &Value::Null, &[], None).await.map(Drawn::from);
    }
    let made = match fields::read(&visit, &Value::Null) {
        Ok(body) => visit.api.post("/v0/brands", &body).await,
        Err(refused) => Err(refused),
    };
    match made {
        Ok(made) => {
            Ok(visit.moved(&with_notice(&format!("/brands/{}", text(&made.body, "brandId")), "saved", "")))
        }
        Err(refused) => {
            new_screen(&visit, &Value::Null, &[], Some(refused.mendable()?)).await.map(Drawn::from)
        }
    }
}

/// The form with the address of a website.
pub(crate) async fn website(visit: Visit) -> Result<Drawn, Refused> {
    Ok(website_screen(&visit, None).into())
}

fn website_screen(visit: &Visit, refused: Option<Refused>) -> Screen {
    let fields = vec![
        Field::new("url", visit.text("address"), Kind::Url).required().help(visit.text("brand-website-help")),
    ];
    let (action, cancel, submit) =
        (visit.url("/brands/website"), visit.url("/brands"), visit.text("brand-propose"));
    let form = Form { cancel: Some(&cancel), ..Form::new("website", &action, &submit, fields) };
    let main = filled(form, visit, refused.as_ref()).draw(visit.words);
    Screen::new(Area::Brands, visit.text("brand-from-website"), main).refused(refused)
}

/// Proposes a brand from a website. Nothing is saved until the form that follows is sent.
pub(crate) async fn propose(visit: Visit) -> Result<Drawn, Refused> {
    let asked = json!({ "url": visit.entered.text("url") });
    match visit.api.post("/v0/brands/from_website", &asked).await {
        Ok(proposal) => {
            let notes = list_of(&proposal.body, "notes");
            new_screen(&visit, &proposal.body["brand"], notes, None).await.map(Drawn::from)
        }
        Err(refused) => Ok(website_screen(&visit, Some(refused.mendable()?)).into()),
    }
}

fn api_path(visit: &Visit) -> String {
    format!("/v0/brands/{}", segment(visit.id("brand_id")))
}

fn path(visit: &Visit) -> String {
    format!("/brands/{}", segment(visit.id("brand_id")))
}

/// A brand with a preview of its pages.
pub(crate) async fn show(visit: Visit) -> Result<Drawn, Refused> {
    shown(&visit, None).await.map(Drawn::from)
}

async fn shown(visit: &Visit, refused: Option<Refused>) -> Result<Screen, Refused> {
    let found = visit.api.get(&api_path(visit)).await?;
    let (brand, base) = (&found.body, visit.url(&path(visit)));
    let is_default = brand["isDefault"] == true;
    let mut all = fields::of(visit, brand);
    // What was entered belongs to the brand as it was drawn, unless somebody has been told that it has changed.
    let is_told = refused.as_ref().is_some_and(|refused| refused.status == StatusCode::PRECONDITION_FAILED);
    let entered = visit.entered.some("etag").filter(|_| !is_told).map(str::to_owned);
    all.push(Field::hidden("etag", entered.or(found.etag).unwrap_or_default()));
    let (action, submit, show) = (format!("{base}/edit"), visit.text("save"), visit.text("form-show"));
    let form = Form { show: Some(&show), ..Form::new("brand", &action, &submit, all) };
    let form = filled(form, visit, refused.as_ref());
    let wished = if visit.entered.0.is_empty() {
        Wished::of_look(&brand["look"])
    } else {
        Wished::entered(&visit.entered)
    };
    let shown = preview::draw(visit, &wished).await?;
    let main = html! {
        div.beside.even {
            div.stack {
                @if is_default { p { (badge(Tone::Plain, &visit.text("default"))) " " span.help { (visit.text("brand-default-text")) } } }
                @if visit.may_write() { (form.draw(visit.words)) }
            }
            (shown)
        }
    };
    let actions = html! {
        @if visit.may_write() {
            @if !is_default { form method="post" action={ (base) "/default" } { button.button type="submit" { (visit.text("default-make")) } } }
            (dialog_link(&format!("{base}/delete"), &visit.text("delete"), "button quiet"))
        }
    };
    Ok(Screen::new(Area::Brands, text(brand, "name"), main).actions(actions).refused(refused))
}

fn colour_word(visit: &Visit, name: &str) -> String {
    match name {
        "background" => visit.text("colour-background"),
        "text" => visit.text("colour-text"),
        "accent" => visit.text("colour-accent"),
        "textOnAccent" => visit.text("colour-on-accent"),
        "link" => visit.text("colour-link"),
        "primary" => visit.text("colour-primary"),
        _ => visit.text("colour-on-primary"),
    }
}

/// Changes a brand, if nobody else has changed it meanwhile, or only shows how its pages would look.
pub(crate) async fn update(visit: Visit) -> Result<Drawn, Refused> {
    if visit.entered.is_on("do") {
        return shown(&visit, None).await.map(Drawn::from);
    }
    let known = visit.api.get(&api_path(&visit)).await?.body;
    let changed = match fields::read(&visit, &known) {
        Ok(body) => visit.api.patch(&api_path(&visit), &body, visit.entered.some("etag")).await,
        Err(refused) => Err(refused),
    };
    match changed {
        Ok(_) => Ok(visit.moved(&with_notice(&path(&visit), "saved", ""))),
        Err(refused) => shown(&visit, Some(refused.mendable()?)).await.map(Drawn::from),
    }
}

/// Makes a brand the one of all pages that name none.
pub(crate) async fn make_default(visit: Visit) -> Result<Drawn, Refused> {
    visit.api.patch(&api_path(&visit), &json!({ "isDefault": true }), None).await?;
    Ok(visit.moved(&with_notice(&path(&visit), "saved", "")))
}

fn removal<'a>(visit: &Visit, name: &'a str, path: &'a str) -> Removal<'a> {
    Removal { area: Area::Brands, name, path, text: visit.text("brand-delete-text") }
}

/// Asks whether a brand is to be deleted.
pub(crate) async fn ask_delete(visit: Visit) -> Result<Drawn, Refused> {
    let brand = visit.api.get(&api_path(&visit)).await?.body;
    Ok(removal(&visit, text(&brand, "name"), &path(&visit)).ask_for_name(&visit, None).into())
}

/// Deletes a brand whose name was typed.
pub(crate) async fn delete(visit: Visit) -> Result<Drawn, Refused> {
    let brand = visit.api.get(&api_path(&visit)).await?.body;
    if let Some(again) = removal(&visit, text(&brand, "name"), &path(&visit)).unconfirmed(&visit) {
        return Ok(again.into());
    }
    visit.api.delete(&api_path(&visit)).await?;
    Ok(visit.moved(&with_notice("/brands", "deleted", "")))
}
