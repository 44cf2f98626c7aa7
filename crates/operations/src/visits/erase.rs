//! The sessions of a person who is erased go for good, out of the sums as well, so that sums and rows still agree.

use pagesmith_model::audience::Audience;
use pagesmith_model::visit::range::{Span, quarters_until};
use pagesmith_model::visit::session::{Dimension, Session};
use pagesmith_model::visit::sums::Sums;
use pagesmith_model::{PersonId, Result};
use pagesmith_store::Tx;
use pagesmith_store::tables::questions::unanswered;
use pagesmith_store::tables::visits::{interactions, sessions, sums};

use crate::context::TenantContext;
use crate::visits::Additions;
use crate::visits::values::Values;

/// How many sessions are read at once.
const STEP: i64 = 500;

/// Erases every session that is known to be a person's.
pub(crate) fn erase_of_person(tx: &mut Tx<'_>, ctx: &TenantContext, person_id: &PersonId) -> Result<()> {
    loop {
        let found = sessions::of_person(tx, &ctx.tenant, person_id, None, STEP)?;
        if found.is_empty() {
            return Ok(());
        }
        erase(tx, ctx, &found)?;
    }
}

/// Erases every session to an audience, and its sums.
pub(crate) fn erase_of_audience(tx: &mut Tx<'_>, ctx: &TenantContext, audience: &Audience) -> Result<()> {
    let (page_id, audience_id) = (&audience.page_id, &audience.audience_id);
    loop {
        let found = sessions::of_audience(tx, &ctx.tenant, audience_id, STEP)?;
        if found.is_empty() {
            break;
        }
        erase(tx, ctx, &found)?;
    }
    for span in Span::ALL {
        tx.run(sums::remove_value(&ctx.tenant, page_id, (span, Dimension::Audience), audience_id.as_str()))?;
    }
    Ok(())
}

fn erase(tx: &mut Tx<'_>, ctx: &TenantContext, found: &[Session]) -> Result<()> {
    let is_summed = |session: &&Session| session.counted.has_ended && session.verdict.is_none();
    let values = Values::read(tx, &ctx.tenant, found.iter().filter(is_summed))?;
    let (mut additions, mut changes) = (Additions::default(), Vec::new());
    for session in found {
        changes.push(interactions::remove_all(&ctx.tenant, &session.session_id));
        changes.push(unanswered::remove_of_session(&ctx.tenant, &session.session_id));
        changes.push(sessions::remove(&ctx.tenant, &session.session_id));
        if is_summed(&session) {
            let (counts, value_of) =
                (Sums::of(&session.counted).negated(), |dimension| values.counted(dimension, session));
            additions.note(session, &counts, quarters_until(ctx.now), value_of);
        }
    }
    changes.extend(additions.queries(&ctx.tenant));
    tx.batch(changes).map(drop)
}
