//! Asking for a person to be erased: the person is deleted at once, and a task erases it in the background.
//!
//! What this is not: erasing itself, which walks through all texts of the tenant ([`crate::person_data`]). A person that waits cannot be restored.

use pagesmith_model::person::Person;
use pagesmith_model::{Error, Issue, IssueCode, PersonId, Result};
use pagesmith_store::Tx;
use pagesmith_store::tables::persons as table;
use pagesmith_store::tables::persons::erasures;

use crate::context::TenantContext;
use crate::precondition::Precondition;
use crate::{persons, soft_deletion};

/// Deletes a person, deleted already or not, and has it erased, if its name or e-mail address was typed.
pub fn ask(tx: &mut Tx<'_>, ctx: &TenantContext, person_id: &PersonId, confirmation: &str) -> Result<()> {
    let person = soft_deletion::any(table::find(tx, &ctx.tenant, person_id)?)?;
    if !is_confirmed(&person, confirmation) {
        let text = "confirmation: it must be the name or the e-mail address of the person.";
        return Err(Error::invalid(vec![Issue::body(IssueCode::InvalidValue, &["confirmation"], text)]));
    }
    persons::merge::require_none(tx, ctx, person_id)?;
    persons::delete(tx, ctx, person_id, &Precondition::Unconditional)?;
    tx.run(erasures::insert(&ctx.tenant, person_id, ctx.actor(), ctx.now)).map(drop)
}

/// Whether what was typed tells that this person is meant; spaces around it do not count.
fn is_confirmed(person: &Person, typed: &str) -> bool {
    let typed = typed.trim();
    let email = person.identifiers.email.as_ref().map(|email| email.as_str().to_lowercase());
    !typed.is_empty() && (typed == person.name.trim() || email == Some(typed.to_lowercase()))
}
