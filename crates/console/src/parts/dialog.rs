//! A question that has to be answered before anything else.
//!
//! Every dialog has an address of its own. [`dialog_link`] leads there; without script that is a screen, with script the question
//! is taken out of it and asked in a `<dialog>` over the present one. What destroys much is confirmed by typing a name.

use maud::{Markup, html};

use crate::words::Words;

/// A question with two answers: yes sends a form, no leads back.
#[derive(Debug)]
pub struct Question<'a> {
    /// What is asked, as the screen's title says it.
    pub title: &'a str,
    /// What will happen.
    pub text: &'a str,
    /// Where yes is sent.
    pub action: &'a str,
    /// What is sent with it.
    pub values: &'a [(&'a str, &'a str)],
    /// What the button of yes says: a verb.
    pub yes: &'a str,
    /// Where no leads.
    pub back: &'a str,
    /// Whether yes destroys something.
    pub is_destructive: bool,
    /// What has to be typed before yes; it is sent as `confirmation`, and the receiver compares it with [`is_confirmed`].
    pub typed: Option<&'a str>,
    /// What was wrong with the last attempt.
    pub error: Option<&'a str>,
}

/// The content of a dialog, to be put into `screen` as its only part. The screen's title is its heading there.
pub fn question(words: Words, question: &Question<'_>) -> Markup {
    html! {
        div.question data-dialog {
            h2.question-title #question-title { (question.title) }
            p { bdi { (question.text) } }
            form.form method="post" action=(question.action) novalidate {
                @for (name, value) in question.values { input type="hidden" name=(name) value=(value); }
                @if let Some(typed) = question.typed { (typed_field(words, typed, question.error)) }
                @else if let Some(error) = question.error { p.error role="alert" { (error) } }
                div.form-end {
                    button.button.(if question.is_destructive { "danger" } else { "primary" }) type="submit" { (question.yes) }
                    a.button href=(question.back) data-close { (words.text("cancel")) }
                }
            }
        }
    }
}

fn typed_field(words: Words, typed: &str, error: Option<&str>) -> Markup {
    html! {
        div.field {
            label for="question-typed" { (words.text("confirm-by-typing")) " " strong.typed dir="auto" { (typed) } }
            input #question-typed type="text" name="confirmation" value="" autocomplete="off" autocapitalize="off" spellcheck="false"
                dir="auto" required data-typed=(typed) aria-invalid=[error.map(|_| "true")]
                aria-describedby=[error.map(|_| "question-error")];
            @if let Some(error) = error { p.error #question-error role="alert" { (error) } }
        }
    }
}

/// Whether what was typed is what had to be; spaces around it do not count.
pub fn is_confirmed(typed: &str, wanted: &str) -> bool {
    !wanted.trim().is_empty() && typed.trim() == wanted.trim()
}

/// A link to the screen of a dialog.
pub fn dialog_link(href: &str, text: &str, class: &str) -> Markup {
    html! { a.(class) href=(href) data-dialog-open { (text) } }
}

#[cfg(test)]
mod tests {
    use super::is_confirmed;

    #[test]
    fn what_is_typed_has_to_be_the_name() {
        assert!(is_confirmed(" Spring launch ", "Spring launch"));
        assert!(!is_confirmed("spring launch", "Spring launch"));
        assert!(!is_confirmed("", ""), "a thing without a name is not confirmed by typing nothing");
    }
}
