//! What tenants know is indexed for searches as it changes, and entries of deleted topics are removed.
//!
//! The work on the index itself is the crate `knowledge-index`'s. It may be stopped anywhere. Each tenant has its turn.

use std::time::Duration;

use pagesmith_knowledge_index::maintain;
use pagesmith_model::{Result, TenantId};
use pagesmith_operations::{pending_work, topics};
use pagesmith_store::tables::knowledge::indexes;
use pagesmith_store::tables::pending_work::WorkKind;
use pagesmith_store::{Tx, Wakeup};
use tokio::sync::watch;

use crate::claimed_work;
use crate::sweep::tenants as tenant_sweep;
use crate::tools::{Left, Tools};

/// Steps for one tenant before the next one's turn.
const STEPS: usize = 16;
/// How long a worker has a tenant for itself.
const LEASE: Duration = Duration::from_secs(20);

/// Works until `stop` turns true.
pub async fn run(tools: Tools, mut stop: watch::Receiver<bool>) {
    loop {
        let left = match round(&tools).await {
            Ok(left) => left,
            Err(error) => {
                tracing::warn!(%error, "knowledge could not be worked on");
                Left::Nothing
            }
        };
        if *stop.borrow() {
            return;
        }
        if left == Left::More {
            continue;
        }
        tokio::select! {
            biased;
            _ = stop.wait_for(|stop| *stop) => return,
            () = tools.store.wait_for(Wakeup::Knowledge) => {}
            () = tokio::time::sleep(claimed_work::POLL) => {}
        }
    }
}

/// Does everything that there is; how a test steps it.
pub async fn drain(tools: &Tools) -> Result<()> {
    while round(tools).await? == Left::More {}
    Ok(())
}

/// A turn for every tenant.
async fn round(tools: &Tools) -> Result<Left> {
    let among_all = |tx: &mut Tx<'_>| pending_work::all(tx, WorkKind::Knowledge);
    let is_due = |tx: &mut Tx<'_>, tenant: &TenantId| pending_work::has(tx, tenant, WorkKind::Knowledge);
    let mut left = Left::Nothing;
    for tenant in tenant_sweep::find_tenants(tools, among_all, is_due).await? {
        match turn(tools, &tenant).await {
            Ok(Left::More) => left = Left::More,
            Ok(Left::Nothing) => {}
            // The others have their turns all the same.
            Err(error) => tracing::warn!(%tenant, %error, "a tenant's knowledge could not be worked on"),
        }
    }
    Ok(left)
}

/// A turn of one tenant, under a lease: two workers would do no harm, but the same work.
async fn turn(tools: &Tools, tenant: &TenantId) -> Result<Left> {
    let (of, now) = (tenant.clone(), tools.platform.clock().now());
    if !tools.store.claim(move |tx| indexes::lease(tx, &of, now, now.plus(LEASE))).await? {
        return Ok(Left::Nothing);
    }
    let done = steps(tools, tenant).await;
    let of = tenant.clone();
    tools.store.claim(move |tx| tx.run(indexes::release(&of))).await?;
    done
}

async fn steps(tools: &Tools, tenant: &TenantId) -> Result<Left> {
    for _ in 0..STEPS {
        let ctx = tools.context().of(tenant.clone());
        let mut worked = tools.store.write(move |tx| topics::clear_away(tx, &ctx)).await?;
        worked |= maintain(&tools.store, tenant).await?;
        if !worked {
            return Ok(Left::Nothing);
        }
    }
    Ok(Left::More)
}
