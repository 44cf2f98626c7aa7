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
