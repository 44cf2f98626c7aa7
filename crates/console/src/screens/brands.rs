//! Brands: how pages look and speak; proposed from a website, changed, made the default, deleted.

use maud::{Markup, html};
use serde_json::{Value, json};

use crate::client::{Refused, segment};
use crate::json::{items, list_of, text, time};
use crate::notice::told;
use crate::parts::badge::{Tone, badge};
use crate::parts::dialog::dialog_link;
use crate::parts::field::{Field, Kind};
use crate::parts::form::Form;
use crate::parts::moment::moment;
use crate::parts::navigation::Area;
use crate::parts::swatch::swatch;
use crate::parts::table::{Row, scrolled};
use crate::screens::entering::filled;
use crate::screens::listing::{Listing, asked, found};
use crate::screens::removal::Removal;
use crate::visit::{Drawn, Screen, Visit};

mod fields;

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
        columns: ["name", "colours", "default", "changed"]
            .map(|label| (column(&visit, label), false))
            .to_vec(),
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

fn column(visit: &Visit, label: &str) -> String {
    match label {
        "colours" => visit.text("colours"),
        "default" => visit.text("state"),
        "changed" => visit.text("changed"),
        _ => visit.text("name"),
    }
}

/// The form of a new brand.
pub(crate) async fn new(visit: Visit) -> Result<Drawn, Refused> {
    Ok(new_screen(&visit, &Value::Null, &[], None).into())
}

/// The form with a brand that may have been proposed, and what is to be said of the proposal.
fn new_screen(visit: &Visit, brand: &Value, notes: &[Value], refused: Option<Refused>) -> Screen {
    let (action, cancel, submit) = (visit.url("/brands/new"), visit.url("/brands"), visit.text("brand-new"));
    let form =
        Form { cancel: Some(&cancel), ..Form::new("brand", &action, &submit, fields::of(visit, brand)) };
    // What was entered on the screen before is the address of a website, and no part of a brand.
    let form = if brand.is_null() { filled(form, visit, refused.as_ref()) } else { form };
    let main = html! {
        div.stack {
            @if !brand.is_null() { p { (visit.text("brand-proposed")) } }
            @if !notes.is_empty() { ul.card { @for note in notes { li { (note.as_str().unwrap_or_default()) } } } }
            (form.draw(visit.words))
        }
    };
    Screen::new(Area::Brands, submit.clone(), main).refused(refused)
}

/// Makes a brand.
pub(crate) async fn create(visit: Visit) -> Result<Drawn, Refused> {
    let made = match fields::read(&visit, &Value::Null) {
        Ok(body) => visit.api.post("/v0/brands", &body).await,
        Err(refused) => Err(refused),
    };
    match made {
        Ok(made) => Ok(visit.moved(&told(&format!("/brands/{}", text(&made.body, "brandId")), "saved", ""))),
        Err(refused) => Ok(new_screen(&visit, &Value::Null, &[], Some(refused.mendable()?)).into()),
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
            Ok(new_screen(&visit, &proposal.body["brand"], notes, None).into())
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

/// A brand with the colours that follow from its look.
pub(crate) async fn show(visit: Visit) -> Result<Drawn, Refused> {
    shown(&visit, None).await.map(Drawn::from)
}

async fn shown(visit: &Visit, refused: Option<Refused>) -> Result<Screen, Refused> {
    let found = visit.api.get(&api_path(visit)).await?;
    let (brand, base) = (&found.body, visit.url(&path(visit)));
    let is_default = brand["isDefault"] == true;
    let mut all = fields::of(visit, brand);
    all.push(Field::hidden("etag", found.etag.unwrap_or_default()));
    let (action, submit) = (format!("{base}/edit"), visit.text("save"));
    let form = filled(Form::new("brand", &action, &submit, all), visit, refused.as_ref());
    let main = html! {
        div.stack {
            @if is_default { p { (badge(Tone::Plain, &visit.text("default"))) " " span.help { (visit.text("brand-default-text")) } } }
            (palette(visit, &brand["palette"]))
            @if visit.may_write() { (form.draw(visit.words)) }
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

/// The colours of pages in light and in dark mode.
fn palette(visit: &Visit, palette: &Value) -> Markup {
    html! {
        section.stack {
            h2 { (visit.text("palette")) }
            p.help { (visit.text("palette-help")) }
            (scrolled(&visit.text("palette"), &html! {
                thead { tr {
                    th scope="col" { (visit.text("colour-of")) }
                    th scope="col" { (visit.text("scheme-light")) }
                    th scope="col" { (visit.text("scheme-dark")) }
                } }
                tbody {
                    @for name in COLOURS {
                        tr {
                            th scope="row" { (colour_word(visit, name)) }
                            @for mode in ["light", "dark"] {
                                @let colour = text(&palette[mode], name);
                                td { (swatch(colour)) " " code { (colour) } }
                            }
                        }
                    }
                }
            }))
        }
    }
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

/// Changes a brand, if nobody else has changed it meanwhile.
pub(crate) async fn update(visit: Visit) -> Result<Drawn, Refused> {
    let known = visit.api.get(&api_path(&visit)).await?.body;
    let changed = match fields::read(&visit, &known) {
        Ok(body) => visit.api.patch(&api_path(&visit), &body, visit.entered.some("etag")).await,
        Err(refused) => Err(refused),
    };
    match changed {
        Ok(_) => Ok(visit.moved(&told(&path(&visit), "saved", ""))),
        Err(refused) => shown(&visit, Some(refused.mendable()?)).await.map(Drawn::from),
    }
}

/// Makes a brand the one of all pages that name none.
pub(crate) async fn make_default(visit: Visit) -> Result<Drawn, Refused> {
    visit.api.patch(&api_path(&visit), &json!({ "isDefault": true }), None).await?;
    Ok(visit.moved(&told(&path(&visit), "saved", "")))
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
    Ok(visit.moved(&told("/brands", "deleted", "")))
}
