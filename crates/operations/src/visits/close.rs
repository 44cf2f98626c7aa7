//! Ends sessions in which nothing has happened for their time, and counts them.

use std::time::Duration;

use pagesmith_model::visit;
use pagesmith_model::visit::range::quarters_until;
use pagesmith_model::visit::session::Session;
use pagesmith_model::visit::sums::{Counted, Sums};
use pagesmith_model::{Result, TenantId, Timestamp};
use pagesmith_store::Tx;
use pagesmith_store::tables::pending_work::WorkKind;
use pagesmith_store::tables::visits::sessions;

use crate::pending_work;
use crate::tenants::months::{self, Happening};
use crate::visits::Additions;
use crate::visits::values::Values;

/// How many sessions are looked at in one transaction.
pub const AT_ONCE: i64 = 200;

/// The tenants that may have open sessions.
pub fn tenants(tx: &mut Tx<'_>) -> Result<Vec<TenantId>> {
    pending_work::all(tx, WorkKind::Sessions)
}

/// Whether a tenant has open sessions.
pub fn has_open(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<bool> {
    pending_work::has(tx, tenant, WorkKind::Sessions)
}

/// Ends the sessions of a tenant whose time is over; whether more may be to be looked at.
pub fn close_due(tx: &mut Tx<'_>, tenant: &TenantId, now: Timestamp, timeout: Duration) -> Result<bool> {
    let due = sessions::due(tx, tenant, now, AT_ONCE)?;
    let is_full = due.len() >= usize::try_from(AT_ONCE).unwrap_or(usize::MAX);
    let (open, over): (Vec<Session>, Vec<Session>) =
        due.into_iter().partition(|session| visit::goes_on(session.last_at, now, timeout));
    let mut changes = Vec::new();
    for session in open {
        let closes_at = visit::ends_at(session.last_at, timeout);
        changes.push(sessions::postpone(tenant, &session.session_id, closes_at));
    }
    let is_counted = |session: &&Session| session.verdict.is_none();
    let mut values = Values::read(tx, tenant, over.iter().filter(is_counted))?;
    let mut additions = Additions::default();
    for session in &over {
        changes.push(sessions::close(tenant, &session.session_id));
        if session.verdict.is_none() {
            let counts = Sums::of(&Counted { has_ended: true, ..session.counted });
            let value_of = |dimension| values.take(dimension, session);
            additions.note(session, &counts, quarters_until(now), value_of);
        }
    }
    let ended = over.iter().filter(is_counted).count();
    if ended > 0 {
        let ended = i64::try_from(ended).unwrap_or(i64::MAX);
        changes.push(months::count(tenant, Happening::Visit, now, tx.shard(), ended));
    }
    changes.extend(additions.queries(tenant));
    changes.extend(values.queries(tenant));
    tx.batch(changes)?;
    Ok(is_full)
}
