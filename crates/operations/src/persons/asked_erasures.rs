//! Asking for a person to be erased: the person is deleted at once, and a task erases it in the background.
//!
//! What this is not: erasing itself, which walks through all texts of the tenant ([`crate::subject_requests`]). A person that waits cannot be restored.

use pagesmith_model::person::Person;
use pagesmith_model::phone::PhoneNumber;
use pagesmith_model::{Error, Issue, IssueCode, PersonId, Result};
use pagesmith_store::Tx;
use pagesmith_store::tables::persons as table;
use pagesmith_store::tables::persons::erasures;

use crate::context::TenantContext;
use crate::precondition::Precondition;
use crate::{persons, soft_deletion};

/// Deletes a person, deleted already or not, and has it erased, if its name, e-mail address, phone number or id was typed.
pub fn ask(tx: &mut Tx<'_>, ctx: &TenantContext, person_id: &PersonId, confirmation: &str) -> Result<()> {
    let person = soft_deletion::any(table::find(tx, &ctx.tenant, person_id)?)?;
    if !is_confirmed(&person, confirmation) {
        let text = "confirmation: it must be the name, e-mail address, phone number or id of the person.";
        return Err(Error::invalid(vec![Issue::body(IssueCode::InvalidValue, &["confirmation"], text)]));
    }
    persons::merge::require_none(tx, ctx, person_id)?;
    persons::delete(tx, ctx, person_id, &Precondition::Unconditional)?;
    tx.run(erasures::insert(&ctx.tenant, person_id, ctx.actor(), ctx.now)).map(drop)
}

/// Whether what was typed tells that this person is meant; spaces around it do not count. Everybody can be told by their id.
fn is_confirmed(person: &Person, typed: &str) -> bool {
    let typed = typed.trim();
    let identifiers = &person.identifiers;
    let email = identifiers.email.as_ref().map(|email| email.as_str().to_lowercase());
    let phone_number = identifiers.phone_number.as_ref().map(PhoneNumber::as_str);
    let exact = [Some(person.name.trim()), phone_number, Some(person.person_id.as_str())];
    !typed.is_empty() && (exact.contains(&Some(typed)) || email == Some(typed.to_lowercase()))
}
