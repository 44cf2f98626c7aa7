//! Forms that are built: listed, made, changed with a preview beside, deleted and brought back, and what was sent as a file.

use axum::http::StatusCode;
use maud::{Markup, html};
use pagesmith_model::user::Permission;
use serde_json::{Value, json};

use super::fields::{FormFieldsLayout, body};
use super::{asks, preview, tabs_of};
use crate::client::{Refused, segment};
use crate::json::{count, items, text, time};
use crate::notice::with_notice;
use crate::parts::dialog::dialog_link;
use crate::parts::form::FormError;
use crate::parts::moment::moment;
use crate::parts::navigation::Area;
use crate::parts::schema_form::SchemaForm;
use crate::parts::table::Row;
use crate::screens::entering::errors_of;
use crate::screens::listing::{Heading, Listing, asked, create_button, found_unsearched};
use crate::screens::removal::Removal;
use crate::visit::{Drawn, Screen, Visit};

/// The list of forms.
pub(crate) async fn list(visit: Visit) -> Result<Drawn, Refused> {
    let query = asked(&visit, &[]);
    let found = found_unsearched(&visit, "/v0/forms", &query).await?;
    let row = |form: &Value| Row {
        id: text(form, "formId").to_owned(),
        name: text(form, "name").to_owned(),
        href: Some(visit.url(&format!("/forms/{}", text(form, "formId")))),
        cells: vec![
            html! { (asks(&visit, form)) },
            html! { @if let Some(at) = time(form, "updatedAt") { (moment(visit.words, at, visit.now)) } },
        ],
    };
    let title = visit.text("area-forms");
    let listing = Listing {
        id: "forms",
        caption: &title,
        path: "/forms/all",
        query: &query,
        columns: vec![
            Heading::new(visit.text("name")),
            Heading::new(visit.text("form-fields")),
            Heading::new(visit.text("changed")).by("updatedAt"),
        ],
        rows: items(&found).iter().map(row).collect(),
        answer: &found,
        search: None,
        filter: None,
        bulk: None,
        empty: (visit.text("forms-empty"), visit.text("forms-empty-text")),
        make: Some((visit.text("form-new"), "/forms/new")),
    };
    let main = html! { div.stack { (tabs_of(&visit, 1)) (listing.draw(&visit)) } };
    let actions = create_button(&visit, "/forms/new", &visit.text("form-new"));
    Ok(Screen::new(Area::Forms, title, main).actions(actions).into())
}

/// A form as it is begun with.
fn begun() -> Value {
    json!({ "name": "", "spamFilter": "standard", "fields": [
        { "kind": "text", "label": "", "key": "", "personField": "name" },
        { "kind": "email", "label": "", "key": "", "required": true },
    ] })
}

/// What a form shows of a form, and what is wrong with it.
struct Entered<'a> {
    form: &'a Value,
    errors: Vec<FormError>,
    focus: Option<String>,
}

impl<'a> Entered<'a> {
    fn of(form: &'a Value) -> Entered<'a> {
        Entered { form, errors: vec![], focus: None }
    }

    /// Whether it is another form than the one that is saved.
    fn is_dirty(&self) -> bool {
        self.focus.is_some() || !self.errors.is_empty()
    }

    fn draw(&self, visit: &Visit, action: &str, etag: &str) -> Result<Markup, Refused> {
        let layout = FormFieldsLayout(visit);
        let form = schema(visit, &layout)?;
        let is_dirty = self.is_dirty();
        let drawn = form.draw("form", self.form, (&self.errors, self.focus.as_deref()), visit.words);
        Ok(html! {
            form.form #form method="post" action=(action) novalidate data-unsaved=(visit.text("unsaved")) data-dirty[is_dirty] {
                input type="hidden" name="etag" value=(etag);
                (drawn)
                div.form-end {
                    button.button.primary type="submit" { (visit.text("save")) }
                    button.button type="submit" name="do" value="show" { (visit.text("form-show")) }
                    a.button href=(visit.url("/forms/all")) { (visit.text("cancel")) }
                }
            }
        })
    }
}

fn schema<'a>(visit: &Visit, layout: &'a FormFieldsLayout<'_>) -> Result<SchemaForm<'a>, Refused> {
    let missing = || Refused::new(StatusCode::NOT_FOUND, &visit.text("form-broken"));
    let schema = SchemaForm::schema("CreateFormRequest").ok_or_else(missing)?;
    Ok(SchemaForm::new(schema, layout))
}

/// The form of a new form.
pub(crate) async fn new(visit: Visit) -> Result<Drawn, Refused> {
    let form = begun();
    new_screen(&visit, &Entered::of(&form), None).map(Drawn::from)
}

fn new_screen(visit: &Visit, entered: &Entered<'_>, refused: Option<Refused>) -> Result<Screen, Refused> {
    let fields = entered.draw(visit, &visit.url("/forms/new"), "")?;
    let main = html! {
        div.beside.even {
            div.stack { p { (visit.text("form-new-text")) } (fields) }
            (preview::sketch(visit, entered.form))
        }
    };
    Ok(Screen::new(Area::Forms, visit.text("form-new"), main)
        .below(visit.text("area-forms"), visit.url("/forms/all"))
        .refused(refused))
}

/// Makes a form, or only changes the list of its fields.
pub(crate) async fn create(visit: Visit) -> Result<Drawn, Refused> {
    let layout = FormFieldsLayout(&visit);
    let mut form = schema(&visit, &layout)?.read(&visit.entered.0, &json!({}));
    if visit.entered.is_on("do") {
        let focus = SchemaForm::rearranged(&visit.entered.0, &mut form).or_else(|| Some(String::new()));
        return new_screen(&visit, &Entered { focus, ..Entered::of(&form) }, None).map(Drawn::from);
    }
    match visit.api.post("/v0/forms", &body(&form)).await {
        Ok(made) => Ok(visit.moved(&saved(text(&made.body, "formId")))),
        Err(refused) => {
            let refused = refused.mendable()?;
            let entered = Entered { errors: errors_of(&refused), ..Entered::of(&form) };
            new_screen(&visit, &entered, Some(refused)).map(Drawn::from)
        }
    }
}

/// Where somebody goes on after a form was saved.
fn saved(form_id: &str) -> String {
    with_notice(&format!("/forms/{}", segment(form_id)), "saved", "")
}

fn api_path(visit: &Visit) -> String {
    format!("/v0/forms/{}", segment(visit.id("form_id")))
}

fn path(visit: &Visit) -> String {
    format!("/forms/{}", segment(visit.id("form_id")))
}

/// A form with its preview.
pub(crate) async fn show(visit: Visit) -> Result<Drawn, Refused> {
    let found = visit.api.get(&api_path(&visit)).await?;
    let of = (&found.body, found.etag.as_deref());
    screen(&visit, of, &Entered::of(&found.body), None).await.map(Drawn::from)
}

async fn screen(
    visit: &Visit,
    (form, etag): (&Value, Option<&str>),
    entered: &Entered<'_>,
    refused: Option<Refused>,
) -> Result<Screen, Refused> {
    let base = visit.url(&path(visit));
    let fields = entered.draw(visit, &format!("{base}/edit"), etag.unwrap_or_default())?;
    let revision = i64::try_from(count(form, "revision")).unwrap_or_default();
    let preview = if entered.is_dirty() {
        preview::sketch(visit, entered.form)
    } else {
        preview::framed(visit, form).await?
    };
    let main = html! {
        div.beside.even {
            div.stack {
                p.help { (visit.words.with("form-revision", &[("number", revision.into())])) }
                details {
                    summary { (visit.text("form-use")) }
                    p { (visit.text("form-use-text")) }
                    p { code dir="ltr" { (text(form, "formId")) } }
                }
                @if visit.may_write() { (fields) }
            }
            (preview)
        }
    };
    let actions = html! {
        @if visit.may(Permission::ReadPersonalData) {
            a.button href={ (base) "/export" } download { (visit.text("form-export")) }
        }
        @if visit.may_write() { (dialog_link(&format!("{base}/delete"), &visit.text("delete"), "button quiet")) }
    };
    let mut screen = Screen::new(Area::Forms, text(form, "name"), main)
        .below(visit.text("area-forms"), visit.url("/forms/all"))
        .actions(actions)
        .refused(refused);
    screen.frames = Some((visit.installation.site_origin)(&visit.tenant.slug));
    Ok(screen)
}

/// Changes a form, if nobody else has changed it meanwhile, or only changes the list of its fields.
pub(crate) async fn update(visit: Visit) -> Result<Drawn, Refused> {
    let found = visit.api.get(&api_path(&visit)).await?;
    let layout = FormFieldsLayout(&visit);
    let mut form = schema(&visit, &layout)?.read(&visit.entered.0, &known(&found.body));
    let etag = visit.entered.some("etag");
    if visit.entered.is_on("do") {
        let focus = SchemaForm::rearranged(&visit.entered.0, &mut form).or_else(|| Some(String::new()));
        let entered = Entered { focus, ..Entered::of(&form) };
        return screen(&visit, (&found.body, etag), &entered, None).await.map(Drawn::from);
    }
    match visit.api.patch(&api_path(&visit), &body(&form), etag).await {
        Ok(_) => Ok(visit.moved(&saved(visit.id("form_id")))),
        Err(refused) => {
            let refused = refused.mendable()?;
            let entered = Entered { errors: errors_of(&refused), ..Entered::of(&form) };
            // Whoever was told that somebody else was faster can send what they have entered again.
            let of = (&found.body, found.etag.as_deref());
            screen(&visit, of, &entered, Some(refused)).await.map(Drawn::from)
        }
    }
}

/// What of a form can be changed.
fn known(form: &Value) -> Value {
    let mut known = form.clone();
    if let Some(fields) = known.as_object_mut() {
        for name in ["formId", "revision", "createdAt", "updatedAt"] {
            fields.remove(name);
        }
    }
    known
}

/// Asks whether a form is to be deleted.
pub(crate) async fn ask_delete(visit: Visit) -> Result<Drawn, Refused> {
    let form = visit.api.get(&api_path(&visit)).await?.body;
    let removal = Removal {
        area: Area::Forms,
        name: text(&form, "name"),
        path: &path(&visit),
        text: visit.text("form-delete-text"),
    };
    Ok(removal.ask(&visit).into())
}

/// Deletes a form; what was sent stays.
pub(crate) async fn delete(visit: Visit) -> Result<Drawn, Refused> {
    visit.api.delete(&api_path(&visit)).await?;
    Ok(visit.moved(&with_notice("/forms/all", "form-deleted", visit.id("form_id"))))
}

/// Takes back that a form was deleted.
pub(crate) async fn restore(visit: Visit) -> Result<Drawn, Refused> {
    visit.api.post(&format!("{}/restore", api_path(&visit)), &json!({})).await?;
    Ok(visit.moved(&saved(visit.id("form_id"))))
}

/// What was sent with a form, as a table.
pub(crate) async fn export(visit: Visit) -> Result<Drawn, Refused> {
    let api = format!("{}/submissions/export", api_path(&visit));
    visit.api.stream(&api, "text/csv").await.map(Drawn::Response)
}
