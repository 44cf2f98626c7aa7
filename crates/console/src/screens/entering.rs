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
    // What is at no field is said above the whole screen.
    let Some(refused) = refused.filter(|refused| !refused.issues.is_empty()) else { return form };
    form.with_errors(&errors_of(refused))
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
