//! Forms: their fields as a visitor fills them in, and the pages that answer where there is no script.
//!
//! A form is complete without script: it is sent as browsers send forms, and what is wrong is said on a page of its own that keeps what was
//! entered. With script the same form is sent from where it stands. Invariant: nothing of a visitor is filled in that the visitor
//! has not entered just before.

use std::collections::HashMap;
use std::sync::LazyLock;

use maud::{Markup, html};
use pagesmith_model::form::FormContent;
use pagesmith_model::form::answers::Fault;
use pagesmith_model::form::field::{FieldKind, FormField, PersonField, person_fields};

use crate::Rendered;
use crate::csp::FrameAncestors;
use crate::escape::said;
use crate::language::Language;
use crate::notice::Frame;
use crate::statics::{FORM, FORM_STYLE, STYLE};
use crate::theme::Theme;
use crate::words::FormWords;

/// Where forms are sent, on every site.
pub const FORM_PATH: &str = "/.pagesmith/f";
/// Where the script of forms is.
pub const FORM_SCRIPT_PATH: &str = "/.pagesmith/form.js";
/// The field that nobody sees.
pub const HONEYPOT: &str = "ps.note";

/// Forms by their ids.
pub type Forms = HashMap<String, FormContent>;

/// No forms.
pub fn no_forms() -> &'static Forms {
    static NONE: LazyLock<Forms> = LazyLock::new(Forms::new);
    &NONE
}

/// The script of forms, which pages load when a form is used.
pub fn form_script() -> &'static str {
    &FORM.text
}

/// The plain contact form in a language.
pub fn contact_form(language: Option<&str>) -> FormContent {
    FormContent::contact(FormWords::of(language.unwrap_or_default()).contact)
}

/// Whose form it is: what is sent along with it.
#[derive(Debug, Clone, Copy)]
pub struct FormOrigin<'a> {
    /// Id of the page.
    pub page_id: &'a str,
    /// Id of the audience.
    pub audience_id: &'a str,
    /// Id of the action.
    pub action_id: &'a str,
}

/// What a visitor has entered, and what is wrong about it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Entered<'a> {
    /// Names and values.
    pub values: &'a [(String, String)],
    /// What is wrong, by the keys of the fields.
    pub faults: &'a [(String, Fault)],
}

impl Entered<'_> {
    fn value(&self, key: &str) -> Option<&str> {
        self.values.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    fn has(&self, key: &str, value: &str) -> bool {
        self.values.iter().any(|(name, entered)| name == key && entered == value)
    }

    fn fault(&self, key: &str) -> Option<Fault> {
        self.faults.iter().find(|(name, _)| name == key).map(|(_, fault)| *fault)
    }
}

/// A form with that id; without an origin it is a preview's and cannot be sent.
pub(crate) fn form(
    id: &str,
    content: &FormContent,
    origin: Option<FormOrigin<'_>>,
    entered: &Entered<'_>,
    words: &FormWords,
) -> Markup {
    let people = person_fields(&content.fields);
    let has_files = content.fields.iter().any(|field| field.kind == FieldKind::File);
    let encoding = has_files.then_some("multipart/form-data");
    html! {
        form class="form" id=(id) method="post" action=(FORM_PATH) enctype=[encoding] data-form="" novalidate[!entered.faults.is_empty()] {
            @if let Some(FormOrigin { page_id, audience_id, action_id }) = origin {
                input type="hidden" name="ps.page" value=(page_id);
                input type="hidden" name="ps.audience" value=(audience_id);
                input type="hidden" name="ps.action" value=(action_id);
            }
            @for (field, person) in content.fields.iter().zip(people) {
                (draw_field(id, (field, person), entered, words))
            }
            @if origin.is_some() {
                // Behind the fields, since a dialog gives the focus to what is first.
                div class="hidden" aria-hidden="true" {
                    label for={ (id) "-note" } { "Note" }
                    input id={ (id) "-note" } name=(HONEYPOT) tabindex="-1" autocomplete="off" data-1p-ignore="" data-lpignore="true";
                }
            }
            button class="button" type="submit" disabled[origin.is_none()] {
                (said(content.submit_label.as_deref()).unwrap_or(words.send))
            }
        }
    }
}

fn draw_field(
    form: &str,
    (field, person): (&FormField, PersonField),
    entered: &Entered<'_>,
    words: &FormWords,
) -> Markup {
    let id = format!("{form}-{}", field.key);
    let fault = entered.fault(&field.key).map(|fault| words.fault(fault));
    let described = described(&id, field.help.is_some(), fault.is_some());
    let optional = (!field.required).then_some(words.optional);
    match field.kind {
        FieldKind::Hidden => html! {},
        FieldKind::Consent => html! {
            div class="field" data-field=(field.key) {
                label class="check" {
                    input type="checkbox" id=(id) name=(field.key) value="on" required[field.required] checked[entered.has(&field.key, "on")] aria-describedby=[described];
                    span dir="auto" { (field.label) }
                }
                (notes(&id, field, fault))
            }
        },
        FieldKind::Choices => html! {
            fieldset class="field" data-field=(field.key) aria-describedby=[described] {
                legend dir="auto" { (field.label) @if let Some(text) = optional { " " small { (text) } } }
                @for (at, option) in field.options.iter().enumerate() {
                    label class="check" {
                        input type="checkbox" id=[(at == 0).then_some(&id)] name=(field.key) value=(option) checked[entered.has(&field.key, option)];
                        span dir="auto" { (option) }
                    }
                }
                (notes(&id, field, fault))
            }
        },
        _ => html! {
            div class="field" data-field=(field.key) {
                label for=(id) dir="auto" { (field.label) @if let Some(text) = optional { " " small { (text) } } }
                (input(&id, (field, person), entered.value(&field.key), described, fault.is_some()))
                (notes(&id, field, fault))
            }
        },
    }
}

fn described(id: &str, has_help: bool, has_fault: bool) -> Option<String> {
    let help = has_help.then(|| format!("{id}-help"));
    let fault = has_fault.then(|| format!("{id}-fault"));
    let ids: Vec<String> = help.into_iter().chain(fault).collect();
    (!ids.is_empty()).then(|| ids.join(" "))
}

fn notes(id: &str, field: &FormField, fault: Option<String>) -> Markup {
    html! {
        @if let Some(help) = said(field.help.as_deref()) { small id={ (id) "-help" } dir="auto" { (help) } }
        @if let Some(fault) = fault { small class="fault" id={ (id) "-fault" } { (fault) } }
    }
}

fn input(
    id: &str,
    (field, person): (&FormField, PersonField),
    value: Option<&str>,
    described: Option<String>,
    is_wrong: bool,
) -> Markup {
    let invalid = is_wrong.then_some("true");
    let most = field.longest();
    let (kind, complete) = match (field.kind, person) {
        (FieldKind::Email, _) => ("email", Some("email")),
        (FieldKind::Phone, _) => ("tel", Some("tel")),
        (FieldKind::Url, PersonField::None) => ("text", Some("url")),
        (FieldKind::Date, _) => ("date", None),
        (_, PersonField::Name) => ("text", Some("name")),
        (_, PersonField::FirstName) => ("text", Some("given-name")),
        (_, PersonField::LastName) => ("text", Some("family-name")),
        _ => ("text", None),
    };
    let mode = match field.kind {
        FieldKind::Number => Some("decimal"),
        FieldKind::Url => Some("url"),
        _ => None,
    };
    match field.kind {
        FieldKind::LongText => html! {
            textarea id=(id) name=(field.key) rows="4" maxlength=(most) required[field.required] aria-describedby=[described] aria-invalid=[invalid] dir="auto" { (value.unwrap_or_default()) }
        },
        FieldKind::File => html! {
            input type="file" id=(id) name=(field.key) required[field.required] aria-describedby=[described] aria-invalid=[invalid];
        },
        FieldKind::Choice => html! {
            select id=(id) name=(field.key) required[field.required] aria-describedby=[described] aria-invalid=[invalid] {
                option value="" { "–" }
                @for option in &field.options { option value=(option) selected[value == Some(option)] { (option) } }
            }
        },
        _ => html! {
            input type=(kind) id=(id) name=(field.key) value=[value] maxlength=(most) required[field.required] autocomplete=[complete] inputmode=[mode] aria-describedby=[described] aria-invalid=[invalid] dir="auto";
        },
    }
}

/// What a page that answers a form says.
#[derive(Debug, Clone, Copy)]
pub enum FormAnswer<'a> {
    /// What is wrong, with the form as it was filled in.
    Invalid {
        /// What is said above the form.
        title: &'a str,
        /// The form.
        content: &'a FormContent,
        /// Whose it is.
        origin: FormOrigin<'a>,
        /// What was entered.
        entered: Entered<'a>,
    },
    /// Thanks.
    Thanks {
        /// The form.
        content: &'a FormContent,
        /// What follows: an address and what its link says, if that is not only that it goes on.
        next: Option<(&'a str, Option<&'a str>)>,
        /// Whether the visitor is led there.
        leads_there: bool,
        /// The page that the visitor comes from.
        back: Option<&'a str>,
    },
    /// The form is not there any more.
    Gone,
    /// It cannot be taken now: too much was sent, or there is no room.
    NotNow,
    /// It is larger than a form may be.
    TooLarge,
}

/// A page that answers a form, in the look of the site and a page's language.
pub fn form_answer(answer: &FormAnswer<'_>, site_name: &str, theme: &Theme, language: &Language) -> Rendered {
    let words = FormWords::of(language.tag());
    let title = match answer {
        FormAnswer::Invalid { .. } => words.check_again,
        FormAnswer::Thanks { .. } => words.thanks_title,
        FormAnswer::Gone => words.gone,
        FormAnswer::NotNow => words.not_now,
        FormAnswer::TooLarge => words.too_large,
    };
    let refresh = match answer {
        FormAnswer::Thanks { next: Some((url, _)), leads_there: true, .. } => Some(format!("3; url={url}")),
        _ => None,
    };
    let (tag, frame_ancestors) = (words.tag, &FrameAncestors::Nobody);
    let styles = &[&*STYLE, &*FORM_STYLE];
    Frame { tag, title, refresh, site_name, theme, styles, frame_ancestors }
        .around(&body(answer, title, words))
}

/// A form as visitors see it, which cannot be sent, for those who may show it in a frame.
pub fn form_preview(
    content: &FormContent,
    site_name: &str,
    theme: &Theme,
    language: &Language,
    frame_ancestors: &FrameAncestors,
) -> Rendered {
    let words = FormWords::of(language.tag());
    let title = said(content.title.as_deref());
    let said = html! {
        @if let Some(title) = title { h1 dir="auto" { (title) } }
        @if let Some(text) = said(content.instructions.as_deref()) { p dir="auto" { (text) } }
        (form("ps-form", content, None, &Entered::default(), words))
    };
    let styles = &[&*STYLE, &*FORM_STYLE];
    let (tag, title) = (words.tag, title.unwrap_or(site_name));
    Frame { tag, title, refresh: None, site_name, theme, styles, frame_ancestors }.around(&said)
}

fn body(answer: &FormAnswer<'_>, title: &str, words: &FormWords) -> Markup {
    match answer {
        FormAnswer::Invalid { title: heading, content, origin, entered } => html! {
            div role="alert" tabindex="-1" autofocus="" {
                h1 { (title) }
                ul {
                    @for field in &content.fields {
                        @if let Some(fault) = entered.fault(&field.key) {
                            li { a href={ "#ps-form-" (field.key) } { (field.label) } (words.colon()) (words.fault(fault)) }
                        }
                    }
                }
            }
            h2 dir="auto" { (heading) }
            (form("ps-form", content, Some(*origin), entered, words))
        },
        FormAnswer::Thanks { content, next, back, .. } => html! {
            h1 { (title) }
            p class="lead" dir="auto" {
                (said(content.after_submission.message.as_deref()).unwrap_or(words.thanks))
            }
            @if let Some((url, text)) = next { p { a class="button" href=(url) { (text.unwrap_or(words.go_on)) } } }
            @if let Some(back) = back { p { a href=(back) { (words.back) } } }
        },
        FormAnswer::Gone | FormAnswer::NotNow | FormAnswer::TooLarge => html! { h1 { (title) } },
    }
}

/// What is said of an answer that is not taken, in a language.
pub fn fault_text(fault: Fault, language: Option<&str>) -> String {
    FormWords::of(language.unwrap_or_default()).fault(fault)
}

/// What thanks a visitor, in a language.
pub fn thanks(content: &FormContent, language: Option<&str>) -> String {
    let words = FormWords::of(language.unwrap_or_default());
    said(content.after_submission.message.as_deref()).unwrap_or(words.thanks).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_entered_is_kept_and_cannot_become_markup() {
        let content = contact_form(Some("de"));
        let values = [("name".to_owned(), "\"><script>x</script>".to_owned())];
        let faults = [("email".to_owned(), Fault::Email)];
        let origin = FormOrigin { page_id: "page_1", audience_id: "audience_1", action_id: "a" };
        let answer = FormAnswer::Invalid {
            title: "Kontakt",
            content: &content,
            origin,
            entered: Entered { values: &values, faults: &faults },
        };
        let page = form_answer(&answer, "Acme", &Theme::default(), &Language::of(Some("de"))).html;
        assert!(!page.contains("<script"), "{page}");
        assert!(page.contains("&quot;&gt;&lt;script&gt;x"), "{page}");
        assert!(page.contains("lang=\"de\"") && page.contains("id=\"ps-form-email-fault\""), "{page}");
        assert!(page.contains("href=\"#ps-form-email\"") && page.contains("aria-invalid=\"true\""), "{page}");
    }

    #[test]
    fn a_preview_cannot_be_sent() {
        let words = FormWords::of("en");
        let drawn = form("f", &contact_form(None), None, &Entered::default(), words).into_string();
        assert!(drawn.contains("disabled") && !drawn.contains("ps.page"), "{drawn}");
    }
}
