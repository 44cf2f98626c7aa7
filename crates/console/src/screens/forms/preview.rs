//! A form as visitors are asked, without the look of a page: what it says, its fields in order, its button.

use maud::{Markup, html};
use serde_json::Value;

use super::fields::kind_word;
use crate::json::{list_of, some, text};
use crate::parts::field::{Choice, Field, Kind};
use crate::visit::Visit;

/// Draws it; nothing can be entered.
pub(super) fn draw(visit: &Visit, form: &Value) -> Markup {
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
