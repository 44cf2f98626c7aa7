//! Visits: sessions end when their time is over, and what has expired of them is removed.

use pagesmith_model::Result;
use pagesmith_operations::visits::{close, salts, sweep};

use crate::tenant_sweep;
use crate::tools::{Left, Tools};

/// Tenants that are looked at in one read.
const TENANTS: usize = 64;
/// Steps for one tenant before the next one's turn.
const STEPS: usize = 64;

/// Ends the sessions whose time is over, of every tenant that has open ones.
pub(crate) async fn close(tools: Tools) -> Result<Left> {
    let (mut after, mut left) = (String::new(), Left::Nothing);
    loop {
        let from = after.clone();
        let tenants = tools.store.read(move |tx| close::tenants(tx, &from, TENANTS)).await?;
        let Some(last) = tenants.last() else { return Ok(left) };
        last.as_str().clone_into(&mut after);
        for tenant in tenants {
            for step in 0..=STEPS {
                if step == STEPS {
                    left = Left::More;
                    break;
                }
                let (now, of, timeout) =
                    (tools.platform.clock().now(), tenant.clone(), tools.session_timeout);
                let store = tools.store.for_tenant(&tenant);
                if !store.write(move |tx| close::close_due(tx, &of, now, timeout)).await? {
                    break;
                }
            }
        }
    }
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
