//! The visit in which an accepted form was sent: it is marked with what the form has told.
//!
//! A form may be accepted long after the visit, when somebody releases it from quarantine. Invariant: sums and rows agree then as well.

use pagesmith_model::form::submission::Submission;
use pagesmith_model::visit::range::quarters_until;
use pagesmith_model::visit::session::{FormSubmitted, Session};
use pagesmith_model::visit::sums::Sums;
use pagesmith_model::{AudienceSessionId, PersonId, Result};
use pagesmith_store::Tx;
use pagesmith_store::tables::visits::sessions;

use crate::context::TenantContext;
use crate::visits::Additions;
use crate::visits::values::Values;

/// Marks a session with the form that was sent in it.
pub(crate) fn mark(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    mut session: Session,
    person_id: &Option<PersonId>,
    form: &FormSubmitted,
) -> Result<()> {
    let before = session.counted;
    session.counted.has_form = true;
    session.counted.has_conversion = true;
    if person_id.is_some() {
        session.person_id.clone_from(person_id);
    }
    // One after the other, since both change the session.
    tx.change(vec![sessions::update(&ctx.tenant, &session)])?;
    tx.change(vec![sessions::note_form(&ctx.tenant, &session.session_id, form)])?;
    if before.has_ended && before != session.counted {
        let values = Values::read(tx, &ctx.tenant, std::iter::once(&session))?;
        let mut difference = Sums::of(&session.counted);
        difference.add(&Sums::of(&before).negated());
        let mut additions = Additions::default();
        let value_of = |dimension| values.counted(dimension, &session);
        additions.note(&session, &difference, quarters_until(ctx.now), value_of);
        tx.batch(additions.queries(&ctx.tenant))?;
    }
    Ok(())
}

/// Marks the session of a submission that was released. What a later form or a link has told of the visitor stays.
pub(crate) fn mark_released(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    submission: &Submission,
    form: FormSubmitted,
) -> Result<()> {
    let id = submission.session_id.as_deref().and_then(AudienceSessionId::parse);
    let Some(id) = id else { return Ok(()) };
    // It may have expired, or have been erased with the person.
    let Some(session) = sessions::find(tx, &ctx.tenant, &submission.page_id, &id)? else { return Ok(()) };
    let form = session.form.clone().unwrap_or(form);
    let person_id = session.person_id.clone().or_else(|| submission.person_id.clone());
    mark(tx, ctx, session, &person_id, &form)
}
