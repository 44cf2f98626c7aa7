//! The open visits that something else may belong to, such as a form that is sent or a question that is asked. One that begins with it
//! is begun by [`collect::open_or_begin`](crate::visits::collect::open_or_begin).

use pagesmith_model::Result;
use pagesmith_model::visit::session::Session;
use pagesmith_store::Tx;
use pagesmith_store::tables::visits::sessions;

use crate::context::TenantContext;
use crate::visits::collect::Report;
use crate::visits::open_sessions::{is_counted, newest};

/// The visitor's open session to the audience of a report, if something was reported before.
pub(crate) fn open(tx: &mut Tx<'_>, ctx: &TenantContext, report: &Report) -> Result<Option<Session>> {
    let all = all(tx, ctx, report)?;
    Ok(newest(&report.beacon.audience_id, all.iter()).cloned())
}

/// The open sessions of the visitor of a report that are counted, to whatever audience.
pub(crate) fn all(tx: &mut Tx<'_>, ctx: &TenantContext, report: &Report) -> Result<Vec<Session>> {
    let visitors: Vec<&[u8]> = report.visitors.iter().map(<[u8; 16]>::as_slice).collect();
    let mut open = sessions::open_of(tx, &ctx.tenant, &visitors)?;
    open.retain(is_counted);
    Ok(open)
}
