//! What has expired of visits: rows of sessions and unanswered questions after the tenant's time, sums of quarters after a month, page views after three days.

use std::time::Duration;

use pagesmith_model::id::Uuid7;
use pagesmith_model::visit::range::{DAY, Span, quarters_until};
use pagesmith_model::{Result, Timestamp, UnansweredQuestionId};
use pagesmith_store::Tx;
use pagesmith_store::tables::questions::{askers, counts, unanswered};
use pagesmith_store::tables::visits::{interactions, sessions, settings as table, sums, views};

use crate::context::TenantContext;
use crate::visits::{day_of, settings};

/// How many rows of a table are removed in one transaction.
const AT_ONCE: i64 = 500;
/// How long a page view is known after its first report, so that one that is sent again begins no other.
const VIEWS_KEPT: Duration = Duration::from_hours(72);

/// Whether something of a tenant has expired.
pub fn has_expired(tx: &mut Tx<'_>, ctx: &TenantContext) -> Result<bool> {
    let (tenant, now) = (&ctx.tenant, ctx.now);
    let chosen = settings::find(tx, tenant)?;
    let rows_from = rows_from(&chosen, now);
    Ok(chosen.kept.rows_from.is_none_or(|before| before < rows_from)
        || sessions::exist_before(tx, tenant, rows_from)?
        || views::exist_before(tx, tenant, now.minus(VIEWS_KEPT))?
        || sums::quarters_exist_before(tx, tenant, quarters_until(now))?)
}

/// From when rows of sessions are kept.
fn rows_from(chosen: &settings::Chosen, now: Timestamp) -> Timestamp {
    let days = u32::try_from(chosen.retention_days).unwrap_or(u32::MAX);
    Span::Day.start_of(now.minus(DAY.saturating_mul(days)))
}

/// Removes some of what has expired of a tenant; whether there may be more.
pub fn sweep(tx: &mut Tx<'_>, ctx: &TenantContext) -> Result<bool> {
    let (tenant, now) = (&ctx.tenant, ctx.now);
    let chosen = settings::find(tx, tenant)?;
    let rows_from = rows_from(&chosen, now);
    // It only rises, and before any row goes: who counts rows knows where they begin.
    let is_later = chosen.kept.rows_from.is_none_or(|before| before < rows_from);
    if is_later {
        let kept = table::VisitSettings { rows_from: Some(rows_from), ..chosen.kept };
        tx.run(table::save(tenant, &kept))?;
        tx.run(interactions::remove_before(tenant, rows_from))?;
        let first = UnansweredQuestionId::mint(Uuid7::first_of(rows_from));
        tx.run(unanswered::remove_before(tenant, &first))?;
        tx.run(counts::remove_before(tenant, day_of(now)))?;
        tx.run(askers::remove_before(tenant, day_of(now)))?;
    }
    let sessions = tx.run(sessions::remove_before(tenant, rows_from, AT_ONCE))?;
    let views = tx.run(views::remove_before(tenant, now.minus(VIEWS_KEPT), AT_ONCE))?;
    tx.run(sums::remove_quarters_before(tenant, quarters_until(now)))?;
    let full = u64::try_from(AT_ONCE).unwrap_or(u64::MAX);
    Ok(sessions >= full || views >= full)
}
