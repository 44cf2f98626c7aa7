//! One field of a form: label, control, help and error, tied together for those who hear the screen.
//!
//! A field keeps what was entered and shows what is wrong with it; whether something is wrong is the API's to say. Its name is
//! the path of the value in a request, with dots: `look.accentColor`.

use maud::{Markup, html};

use super::swatch::swatch;
use crate::words::Words;

/// One of several values to choose from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// What is sent.
    pub value: String,
    /// What is shown.
    pub label: String,
    /// What it means, where the label does not say it.
    pub help: String,
}

impl Choice {
    /// A value with its label.
    pub fn new(value: impl Into<String>, label: impl Into<String>) -> Choice {
        Choice { value: value.into(), label: label.into(), help: String::new() }
    }

    /// With a sentence that says what it means.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Choice {
        Choice { help: help.into(), ..self }
    }
}

/// What is entered, and with which control.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// One line, of at most so many characters.
    Text(Option<u64>),
    /// Several lines, of at most so many characters.
    LongText(Option<u64>),
    /// An e-mail address.
    Email,
    /// A URL.
    Url,
    /// A secret that is not shown.
    Password,
    /// A number as JSON writes it, with its least and its greatest value; whole if so said.
    Number {
        /// The least value.
        min: Option<String>,
        /// The greatest value.
        max: Option<String>,
        /// Whether it has no fraction.
        whole: bool,
    },
    /// One of several: up to four are all in sight, more are a list.
    Choice(Vec<Choice>),
    /// Any of several.
    Choices(Vec<Choice>),
    /// On or off; sent as `true`.
    Toggle,
    /// A day, `2026-03-20`.
    Date,
    /// A day and a time of day, `2026-03-20T09:30`.
    DateTime,
    /// A colour, `#2b55b8`, which is drawn beside it.
    Colour,
    /// A file of these types, as in `image/png,.pdf`; empty for every type.
    File(String),
    /// Sent and not shown.
    Hidden,
}

/// The most options that are shown side by side.
const MOST_IN_SIGHT: usize = 4;

/// A field: made with [`Field::new`], then given what it has.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// Under which name its value is sent.
    pub name: String,
    /// What it is called.
    pub label: String,
    /// What is entered.
    pub kind: Kind,
    /// A sentence below the label.
    pub help: String,
    /// What it holds; several with [`Kind::Choices`].
    pub values: Vec<String>,
    /// What is wrong with it.
    pub error: Option<String>,
    /// Whether it has to be filled in.
    pub required: bool,
    /// What a browser may fill in, as in `email`.
    pub autocomplete: Option<&'static str>,
}

impl Field {
    /// An empty field that may stay empty.
    pub fn new(name: impl Into<String>, label: impl Into<String>, kind: Kind) -> Field {
        Field {
            name: name.into(),
            label: label.into(),
            kind,
            help: String::new(),
            values: Vec::new(),
            error: None,
            required: false,
            autocomplete: None,
        }
    }

    /// A value that is sent and not shown.
    pub fn hidden(name: impl Into<String>, value: impl Into<String>) -> Field {
        Field::new(name, "", Kind::Hidden).value(value)
    }

    /// Holding this.
    #[must_use]
    pub fn value(self, value: impl Into<String>) -> Field {
        Field { values: vec![value.into()], ..self }
    }

    /// Holding these.
    #[must_use]
    pub fn values(self, values: Vec<String>) -> Field {
        Field { values, ..self }
    }

    /// With a sentence that helps.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Field {
        Field { help: help.into(), ..self }
    }

    /// To be filled in.
    #[must_use]
    pub fn required(self) -> Field {
        Field { required: true, ..self }
    }

    /// What a browser may fill in.
    #[must_use]
    pub fn autocomplete(self, what: &'static str) -> Field {
        Field { autocomplete: Some(what), ..self }
    }

    /// With what is wrong.
    #[must_use]
    pub fn error(self, error: impl Into<String>) -> Field {
        Field { error: Some(error.into()), ..self }
    }

    /// The id of its control in a form: where a link to it leads.
    pub fn id(&self, form: &str) -> String {
        let name: String =
            self.name.chars().map(|char| if char.is_alphanumeric() { char } else { '-' }).collect();
        format!("{form}-{name}")
    }

    /// Draws it as a part of the form with this id.
    pub fn draw(&self, form: &str, words: Words) -> Markup {
        let id = self.id(form);
        let value = self.values.first().map_or("", String::as_str);
        match &self.kind {
            Kind::Hidden => html! { input type="hidden" name=(self.name) value=(value); },
            Kind::Toggle => html! {
                div.field.field-toggle {
                    input.toggle #(id) type="checkbox" name=(self.name) value="true" checked[value == "true"]
                        aria-describedby=[self.described_by(&id)] aria-invalid=[self.invalid()];
                    label for=(id) { (self.label) }
                    (self.notes(&id, words))
                }
            },
            Kind::Choices(choices) => self.draw_group(&id, "checkbox", choices, words),
            Kind::Choice(choices) if choices.len() <= MOST_IN_SIGHT => {
                self.draw_group(&id, "radio", choices, words)
            }
            _ => html! {
                div.field {
                    label for=(id) { (self.label) (self.optional(words)) }
                    (self.notes(&id, words))
                    (self.draw_control(&id, value, words))
                }
            },
        }
    }

    /// The control of a field that has one only.
    fn draw_control(&self, id: &str, value: &str, words: Words) -> Markup {
        let (described, invalid) = (self.described_by(id), self.invalid());
        let control_type = match self.kind {
            Kind::Email => "email",
            Kind::Url => "url",
            Kind::Password => "password",
            Kind::Date => "date",
            Kind::DateTime => "datetime-local",
            Kind::File(_) => "file",
            _ => "text",
        };
        match &self.kind {
            Kind::LongText(max) => html! {
                // The line break before the text is dropped by the browser, and keeps one with which the text begins.
                textarea #(id) name=(self.name) rows="6" maxlength=[max.filter(|max| *max <= 1_000_000)] dir="auto"
                    required[self.required] aria-describedby=[described] aria-invalid=[invalid] { "\n" (value) }
            },
            Kind::Choice(choices) => html! {
                select #(id) name=(self.name) required[self.required] aria-describedby=[described] aria-invalid=[invalid] {
                    @for choice in choices {
                        option value=(choice.value) selected[choice.value == value] { (choice.label) }
                    }
                }
            },
            Kind::File(accept) => html! {
                div.drop {
                    input #(id) type="file" name=(self.name) accept=[Some(accept).filter(|accept| !accept.is_empty())]
                        required[self.required] aria-describedby=[described] aria-invalid=[invalid];
                    span.help.scripted { (words.text("file-drop")) }
                    progress max="1" value="0" hidden aria-label=(words.text("file-uploading")) {}
                }
            },
            Kind::Number { min, max, whole } => html! {
                input.number #(id) type="number" name=(self.name) value=(value) min=[min.as_deref()] max=[max.as_deref()]
                    step=(if *whole { "1" } else { "any" }) inputmode=(if *whole { "numeric" } else { "decimal" })
                    required[self.required] aria-describedby=[described] aria-invalid=[invalid];
            },
            Kind::Colour => html! {
                div.colour-field {
                    input #(id) type="text" name=(self.name) value=(value) maxlength="7" dir="ltr" autocomplete="off" spellcheck="false"
                        required[self.required] aria-describedby=[described] aria-invalid=[invalid];
                    (swatch(value))
                }
            },
            // A secret that was entered is never written into a screen again.
            Kind::Password => html! {
                input #(id) type="password" name=(self.name) autocomplete=[self.autocomplete] required[self.required]
                    aria-describedby=[described] aria-invalid=[invalid];
            },
            kind => html! {
                input #(id) type=(control_type) name=(self.name) value=(value) autocomplete=[self.autocomplete] dir="auto"
                    maxlength=[if let Kind::Text(max) = kind { *max } else { None }] required[self.required]
                    aria-describedby=[described] aria-invalid=[invalid];
            },
        }
    }

    fn draw_group(&self, id: &str, control: &str, choices: &[Choice], words: Words) -> Markup {
        html! {
            fieldset.field #(id) tabindex="-1" role=[(control == "radio").then_some("radiogroup")]
                aria-describedby=[self.described_by(id)] aria-invalid=[self.invalid().filter(|_| control == "radio")] {
                legend { (self.label) (self.optional(words)) }
                (self.notes(id, words))
                @for (at, choice) in choices.iter().enumerate() {
                    @let (choice_id, has_help) = (format!("{id}-{at}"), !choice.help.is_empty());
                    div.choice {
                        input #(choice_id) type=(control) name=(self.name) value=(choice.value)
                            checked[self.values.contains(&choice.value)] required[self.required && control == "radio"]
                            aria-describedby=[has_help.then(|| format!("{choice_id}-help"))];
                        label for=(choice_id) { (choice.label) }
                        @if has_help { p.help #{ (choice_id) "-help" } { (choice.help) } }
                    }
                }
            }
        }
    }

    fn optional(&self, words: Words) -> Markup {
        // What is chosen from and cannot be empty has a value in any case.
        let is_chosen = match &self.kind {
            Kind::Choice(choices) => {
                !self.values.is_empty() && choices.iter().all(|one| !one.value.is_empty())
            }
            _ => false,
        };
        html! { @if !self.required && !is_chosen { " " span.optional { (words.text("field-optional")) } } }
    }

    fn notes(&self, id: &str, words: Words) -> Markup {
        html! {
            @if !self.help.is_empty() { p.help #{ (id) "-help" } { (self.help) } }
            @if let Some(error) = &self.error {
                p.error #{ (id) "-error" } { span.unseen { (words.text("field-error")) " " } (words.issue(error)) }
            }
        }
    }

    fn described_by(&self, id: &str) -> Option<String> {
        let help = (!self.help.is_empty()).then(|| format!("{id}-help"));
        let error = self.error.is_some().then(|| format!("{id}-error"));
        let both: Vec<String> = help.into_iter().chain(error).collect();
        (!both.is_empty()).then(|| both.join(" "))
    }

    fn invalid(&self) -> Option<&'static str> {
        self.error.is_some().then_some("true")
    }
}
