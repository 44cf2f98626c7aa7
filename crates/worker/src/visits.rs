//! Visits: sessions end when their time is over, and what has expired of them is removed.

use pagesmith_model::{Result, TenantId};
use pagesmith_operations::visits::{close, salts, sweep};

use crate::tenant_sweep;
use crate::tools::{Left, Tools};

/// Ends the sessions whose time is over, of every tenant that has open ones.
pub(crate) async fn close(tools: Tools) -> Result<Left> {
    let tenants = tenant_sweep::find_tenants(&tools, close::tenants, close::has_open).await?;
    tenant_sweep::sweep_these(&tools, tenants, close_of).await
}

async fn close_of(tools: Tools, tenant: TenantId) -> Result<Left> {
    for _ in 0..tenant_sweep::STEPS {
        let (now, of, timeout) = (tools.platform.clock().now(), tenant.clone(), tools.session_timeout);
        let store = tools.store.for_tenant(&tenant);
        if !store.write(move |tx| close::close_due(tx, &of, now, timeout)).await? {
            return Ok(Left::Nothing);
        }
    }
    Ok(Left::More)
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
