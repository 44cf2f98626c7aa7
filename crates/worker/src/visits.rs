//! Visits: sessions end when their time is over, and what has expired of them is removed.

use pagesmith_model::Result;
use pagesmith_operations::context::TenantContext;
use pagesmith_operations::visits::{close, salts, sweep};
use pagesmith_store::Tx;

use crate::sweep::tenants as tenant_sweep;
use crate::tools::{Left, Tools};

/// Ends the sessions whose time is over, of every tenant that has open ones.
pub(crate) async fn close(tools: Tools) -> Result<Left> {
    let timeout = tools.session_timeout;
    let step =
        move |tx: &mut Tx<'_>, ctx: &TenantContext| close::close_due(tx, &ctx.tenant, ctx.now, timeout);
    let close_of = |tools, tenant| tenant_sweep::steps(tools, tenant, step);
    tenant_sweep::sweep_found(&tools, close::tenants, close::has_open, close_of).await
}

/// Removes what has expired, of every tenant, and the salts that nobody needs any more.
pub(crate) async fn sweep(tools: Tools) -> Result<Left> {
    tenant_sweep::sweep(&tools, sweep::has_expired, sweep::sweep).await
}

/// Destroys old salts, in this process and in the database.
pub(crate) async fn destroy_salts(tools: Tools) -> Result<Left> {
    let now = tools.platform.clock().now();
    tools.salts.forget_old(now);
    tools.store.write(move |tx| salts::destroy_old(tx, now)).await?;
    Ok(Left::Nothing)
}
