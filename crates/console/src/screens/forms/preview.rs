//! A form as visitors are asked: as it is saved in the look of the site, while it is changed as a sketch of what it says, its fields in order
//! and its button.

use axum::http::StatusCode;
use maud::{Markup, html};
use pagesmith_model::FormId;
use pagesmith_operations::site::previews;
use serde_json::Value;

use super::fields::kind_word;
use crate::client::{Refused, with_query};
use crate::json::{list_of, some, text};
use crate::parts::field::{Choice, Field, Kind};
use crate::screens::site_frame;
use crate::visit::Visit;

/// Draws the form as it is saved in a frame of the site's own origin, where it cannot be sent.
pub(super) async fn framed(visit: &Visit, form: &Value) -> Result<Markup, Refused> {
    let ctx = visit.context().of(visit.tenant.tenant_id.clone());
    let form_id =
        FormId::parse(text(form, "formId")).ok_or_else(|| Refused::new(StatusCode::NOT_FOUND, ""))?;
    let lasts = site_frame::lasts(ctx.now);
    let (path, _) = visit.read(move |tx| previews::grant_form(tx, &ctx, &form_id, lasts)).await?;
    // Once it has changed, the frame is loaded anew.
    let asked = [("lang", Some(visit.words.tag())), ("since", some(form, "updatedAt"))];
    let address = site_frame::address(visit, &with_query(&path, &asked));
    Ok(html! {
        section.preview aria-labelledby="form-preview" {
            h2 #form-preview { (visit.text("preview")) }
            iframe src=(address) title=(visit.text("preview")) {}
        }
    })
}

/// Draws a form that is not saved; nothing can be entered.
pub(super) fn sketch(visit: &Visit, form: &Value) -> Markup {
    let fields = list_of(form, "fields");
    html! {
        section.stack aria-labelledby="form-preview" {
            h2 #form-preview { (visit.text("preview")) }
            p.help { (visit.text("form-preview-help")) }
            div.card.form inert {
                @if let Some(title) = some(form, "title") { h3 dir="auto" { (title) } }
                @if let Some(said) = some(form, "instructions") { p dir="auto" { (said) } }
                @for (at, field) in fields.iter().enumerate() { (one(visit, at, field)) }
                div.form-end {
                    span.button.primary dir="auto" { (some(form, "submitLabel").map_or_else(|| visit.text("send"), str::to_owned)) }
                }
            }
        }
    }
}

fn one(visit: &Visit, at: usize, field: &Value) -> Markup {
    let kind = match text(field, "kind") {
        "hidden" => {
            // Visitors do not see it.
            let value = text(field, "value");
            return html! { p.help { (kind_word(visit, "hidden")) ": " bdi { (text(field, "label")) } " = " bdi { (value) } } };
        }
        "long-text" => Kind::LongText(None),
        "email" => Kind::Email,
        "url" => Kind::Url,
        "number" => Kind::Number { min: None, max: None, whole: false },
        "date" => Kind::Date,
        "choice" => Kind::Choice(options(field)),
        "choices" => Kind::Choices(options(field)),
        "consent" => Kind::Toggle,
        "file" => Kind::File(String::new()),
        _ => Kind::Text(None),
    };
    let drawn = Field::new(format!("{at}"), text(field, "label"), kind).help(text(field, "help"));
    Field { required: field["required"] == true, ..drawn }.draw("preview", visit.words)
}

fn options(field: &Value) -> Vec<Choice> {
    let options = list_of(field, "options");
    options.iter().filter_map(Value::as_str).map(|option| Choice::new(option, option)).collect()
}
