//! A form: fields, the errors of the last attempt above them, and what sends it.
//!
//! The browser is told not to judge: the API reports every broken rule at once, at its field, and the screen shows that. What was
//! entered stays. The summary of errors takes the focus by itself, without script.

use maud::{Markup, html};

use super::field::{Field, Kind};
use crate::assets;
use crate::words::Words;

/// Something that is wrong with what was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormError {
    /// The field's name, or nothing in particular.
    pub name: String,
    /// What is wrong.
    pub message: String,
}

/// A form that is sent by POST.
#[derive(Debug)]
pub struct Form<'a> {
    /// Its id, which the ids of its fields begin with.
    pub id: &'a str,
    /// Where it is sent.
    pub action: &'a str,
    /// Its fields, in order.
    pub fields: Vec<Field>,
    /// Errors that belong to no field of it.
    pub errors: Vec<String>,
    /// What the button says that sends it.
    pub submit: &'a str,
    /// Whether sending it destroys something.
    pub is_destructive: bool,
    /// What the button says that only shows what is entered, if there is one; it sends `do` beside the fields.
    pub show: Option<&'a str>,
    /// Where giving up leads.
    pub cancel: Option<&'a str>,
}

impl<'a> Form<'a> {
    /// A form with these fields.
    pub fn new(id: &'a str, action: &'a str, submit: &'a str, fields: Vec<Field>) -> Form<'a> {
        Form {
            id,
            action,
            fields,
            errors: Vec::new(),
            submit,
            is_destructive: false,
            show: None,
            cancel: None,
        }
    }

    /// With what was entered before: pairs of a name and a value, as they were sent. Fields of which nothing was sent are empty.
    #[must_use]
    pub fn entered(mut self, pairs: &[(String, String)]) -> Form<'a> {
        for field in self.fields.iter_mut().filter(|field| field.kind != Kind::Hidden) {
            let sent = pairs.iter().filter(|(name, _)| *name == field.name);
            field.values = sent.map(|(_, value)| value.clone()).collect();
        }
        self
    }

    /// With errors, each at the field of its name, or at the field that holds what it is about, or above all.
    #[must_use]
    pub fn with_errors(mut self, errors: &[FormError]) -> Form<'a> {
        for error in errors {
            let holds = |field: &Field| {
                let rest = error.name.strip_prefix(field.name.as_str());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
                    && field.kind != Kind::Hidden
            };
            match self.fields.iter_mut().filter(|field| holds(field)).max_by_key(|field| field.name.len()) {
                Some(field) => match &mut field.error {
                    Some(first) => *first = format!("{first}\n{}", error.message),
                    None => field.error = Some(error.message.clone()),
                },
                None => self.errors.push(error.message.clone()),
            }
        }
        self
    }

    /// Draws it.
    pub fn draw(&self, words: Words) -> Markup {
        let has_file = self.fields.iter().any(|field| matches!(field.kind, Kind::File(_)));
        html! {
            @if has_file { script src=(assets::url("upload.js")) defer {} }
            form.form #(self.id) method="post" action=(self.action) novalidate enctype=[has_file.then_some("multipart/form-data")] {
                (self.draw_summary(words))
                @for field in &self.fields { (field.draw(self.id, words)) }
                div.form-end {
                    button.button.(if self.is_destructive { "danger" } else { "primary" }) type="submit" { (self.submit) }
                    @if let Some(show) = self.show { button.button type="submit" name="do" value="show" { (show) } }
                    @if let Some(cancel) = self.cancel { a.button href=(cancel) data-close { (words.text("cancel")) } }
                }
            }
        }
    }

    fn draw_summary(&self, words: Words) -> Markup {
        let at_fields: Vec<(&Field, &String)> =
            self.fields.iter().filter_map(|field| Some((field, field.error.as_ref()?))).collect();
        let count = i64::try_from(at_fields.len() + self.errors.len()).unwrap_or(i64::MAX);
        html! {
            @if count > 0 {
                div.summary role="alert" tabindex="-1" autofocus {
                    p { strong { (words.with("form-errors", &[("count", count.into())])) } }
                    ul {
                        @for error in &self.errors { li { (words.issue(error)) } }
                        @for (field, error) in at_fields {
                            li { a href={ "#" (field.id(self.id)) } { (field.label) } ": " (words.issue(error)) }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use scraper::{Html, Selector};

    use super::{Form, FormError};
    use crate::parts::field::{Choice, Field, Kind};
    use crate::words::Words;

    fn words() -> Words {
        Words::choose(None, None)
    }

    fn error(name: &str, message: &str) -> FormError {
        FormError { name: name.to_owned(), message: message.to_owned() }
    }

    #[test]
    fn an_error_stands_at_its_field_and_in_the_summary() {
        let fields = vec![
            Field::new("look", "Look", Kind::Text(None)),
            Field::new("look.colour", "Colour", Kind::Text(Some(7))).help("Like #aabbcc."),
        ];
        let form = Form::new("brand", "/console/brands", "Save", fields)
            .entered(&[("look.colour".to_owned(), "\"><script>".to_owned())])
            .with_errors(&[error("look.colour.0", "is no colour."), error("lookout", "is not known.")]);
        let drawn = Html::parse_fragment(&form.draw(words()).into_string());
        let input = drawn.select(&Selector::parse("#brand-look-colour").unwrap()).next().unwrap();
        assert_eq!(input.attr("value"), Some("\"><script>"));
        assert_eq!(input.attr("aria-invalid"), Some("true"));
        for id in input.attr("aria-describedby").unwrap().split(' ') {
            let found = drawn.select(&Selector::parse(&format!("[id='{id}']")).unwrap()).count();
            assert_eq!((id, found), (id, 1));
        }
        let items = Selector::parse(".summary li").unwrap();
        let summary: Vec<String> = drawn.select(&items).map(|item| item.text().collect()).collect();
        assert_eq!(summary, ["is not known.", "Colour: is no colour."]);
        assert_eq!(
            drawn
                .select(&Selector::parse(".summary[autofocus] a[href='#brand-look-colour']").unwrap())
                .count(),
            1
        );
    }

    #[test]
    fn what_was_entered_stays_and_secrets_do_not() {
        let choices = || vec![Choice::new("a", "A"), Choice::new("b", "B"), Choice::new("c", "C")];
        let fields = vec![
            Field::new("many", "Many", Kind::Choices(choices())).values(vec!["c".to_owned()]),
            Field::new("one", "One", Kind::Choice(choices())),
            Field::new("on", "On", Kind::Toggle).value("true"),
            Field::new("long", "Long", Kind::LongText(None)),
            Field::new("secret", "Secret", Kind::Password),
            Field::hidden("etag", "7"),
        ];
        let pairs =
            [("many", "a"), ("many", "b"), ("one", "b"), ("long", "\n</textarea>"), ("secret", "hunter2")];
        let pairs: Vec<(String, String)> =
            pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let text = Form::new("f", "/x", "Save", fields).entered(&pairs).draw(words()).into_string();
        let drawn = Html::parse_fragment(&text);
        let checked: Vec<_> = drawn
            .select(&Selector::parse("input[checked]").unwrap())
            .map(|input| (input.attr("name").unwrap(), input.attr("value").unwrap()))
            .collect();
        assert_eq!(checked, [("many", "a"), ("many", "b"), ("one", "b")]);
        let long = drawn.select(&Selector::parse("textarea").unwrap()).next().unwrap();
        assert_eq!(long.text().collect::<String>().trim_start_matches('\n'), "</textarea>");
        assert!(text.contains("\n\n&lt;/textarea&gt;"), "the first line break is kept: {text}");
        assert!(!text.contains("hunter2"));
        assert!(text.contains("name=\"etag\" value=\"7\""));
    }

    #[test]
    fn a_form_with_a_file_is_sent_in_parts() {
        let form = Form::new(
            "f",
            "/x",
            "Send",
            vec![Field::new("file", "File", Kind::File("image/png".to_owned()))],
        );
        assert!(form.draw(words()).into_string().contains("multipart/form-data"));
    }
}
