//! Forms as they come back when something was refused.

use crate::client::Refused;
use crate::entered::Entered;
use crate::parts::form::{Form, FormError};
use crate::visit::Visit;

/// A form with what was entered and what is wrong with it.
pub(crate) fn filled<'a>(form: Form<'a>, visit: &Visit, refused: Option<&Refused>) -> Form<'a> {
    refilled(form, &visit.entered, refused)
}

/// The same, from what was entered alone.
pub(crate) fn refilled<'a>(form: Form<'a>, entered: &Entered, refused: Option<&Refused>) -> Form<'a> {
    let form = if entered.0.is_empty() { form } else { form.entered(&entered.0) };
    let Some(refused) = refused else { return form };
    let errors: Vec<FormError> = refused
        .issues
        .iter()
        .map(|(name, message)| FormError { name: name.clone(), message: message.clone() })
        .collect();
    form.with_errors(&errors)
}

/// What is wrong with what was entered: at its fields, or in one sentence above all.
pub(crate) fn errors_of(refused: &Refused) -> Vec<FormError> {
    let error = |(name, message): &(String, String)| {
        // The API names the place in front of each sentence; here it stands at its place.
        let message = message.strip_prefix(&format!("{name}: ")).unwrap_or(message).to_owned();
        FormError { name: name.clone(), message }
    };
    if refused.issues.is_empty() {
        return vec![FormError { name: String::new(), message: refused.detail.clone() }];
    }
    refused.issues.iter().map(error).collect()
}
