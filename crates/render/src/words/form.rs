//! The words of forms.

use pagesmith_model::form::answers::Fault;

use super::{Spoken, Words};

/// What is said around the fields of a form.
#[derive(Debug)]
pub(crate) struct FormWords {
    /// The language that they are in.
    pub tag: &'static str,
    /// The labels of the plain contact form: name, e-mail address, message.
    pub contact: [&'static str; 3],
    pub send: &'static str,
    pub optional: &'static str,
    pub thanks_title: &'static str,
    pub thanks: &'static str,
    pub back: &'static str,
    pub go_on: &'static str,
    pub check_again: &'static str,
    pub gone: &'static str,
    pub not_now: &'static str,
    pub too_large: &'static str,
    pub(super) required: &'static str,
    pub(super) not_agreed: &'static str,
    pub(super) email: &'static str,
    pub(super) phone: &'static str,
    pub(super) url: &'static str,
    pub(super) number: &'static str,
    pub(super) date: &'static str,
    pub(super) option: &'static str,
    pub(super) too_short: &'static str,
    pub(super) too_long: &'static str,
    pub(super) too_small: &'static str,
    pub(super) too_big: &'static str,
}

impl FormWords {
    /// The words for a language.
    pub fn of(language: &str) -> &'static FormWords {
        Spoken::on(language).form
    }

    /// What stands between a name and what is said of it.
    pub fn colon(&self) -> &'static str {
        Words::of(self.tag).0.colon
    }

    /// What is said of an answer that is not taken.
    pub fn fault(&self, fault: Fault) -> String {
        let with = |text: &str, amount: String| text.replace("{}", &amount);
        match fault {
            Fault::Required => self.required.to_owned(),
            Fault::NotAgreed => self.not_agreed.to_owned(),
            Fault::Email => self.email.to_owned(),
            Fault::Phone => self.phone.to_owned(),
            Fault::Url => self.url.to_owned(),
            Fault::Number => self.number.to_owned(),
            Fault::Date => self.date.to_owned(),
            Fault::Option => self.option.to_owned(),
            Fault::TooShort(least) => with(self.too_short, least.to_string()),
            Fault::TooLong(most) => with(self.too_long, most.to_string()),
            Fault::TooSmall(least) => with(self.too_small, least.to_string()),
            Fault::TooBig(most) => with(self.too_big, most.to_string()),
        }
    }
}
