//! The visit that something else belongs to, such as a form that is sent or a question that is asked.

use std::time::Duration;

use pagesmith_model::Result;
use pagesmith_model::visit::session::Session;
use pagesmith_store::Tx;
use pagesmith_store::tables::visits::sessions;

use crate::context::TenantContext;
use crate::visits::collect::{self, Report};

/// The visitor's open session to the audience of a report; one that begins with it, if nothing was reported before. Nothing if the visit
/// is not counted.
pub(crate) fn session(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    report: &Report,
    timeout: Duration,
) -> Result<Option<Session>> {
    if let Some(session) = open(tx, ctx, report)? {
        return Ok(Some(session));
    }
    collect::collect(tx, ctx, std::slice::from_ref(report), timeout)?;
    open(tx, ctx, report)
}

/// The visitor's open session to the audience of a report, if something was reported before.
pub(crate) fn open(tx: &mut Tx<'_>, ctx: &TenantContext, report: &Report) -> Result<Option<Session>> {
    let mut open = all(tx, ctx, report)?;
    open.retain(|session| session.audience_id == report.beacon.audience_id);
    Ok(open.into_iter().max_by(|one, other| one.session_id.cmp(&other.session_id)))
}

/// The open sessions of the visitor of a report that are counted, to whatever audience.
pub(crate) fn all(tx: &mut Tx<'_>, ctx: &TenantContext, report: &Report) -> Result<Vec<Session>> {
    let visitors: Vec<&[u8]> = report.visitors.iter().map(<[u8; 16]>::as_slice).collect();
    let mut open = sessions::open_of(tx, &ctx.tenant, &visitors)?;
    open.retain(|session| session.verdict.is_none() && !session.counted.has_ended);
    Ok(open)
}
