//! Schedules: versions go live and stop at their times. Tenants take turns, so that one with many schedules keeps nobody else waiting long.

use pagesmith_model::{RequestId, Result, TenantId};
use pagesmith_operations::publishing::schedules;
use pagesmith_store::Tx;

use crate::sweep::tenants as tenant_sweep;
use crate::tools::{Left, Tools};

/// Does what is due, some of each tenant.
pub(crate) async fn carry_out(tools: Tools) -> Result<Left> {
    let now = tools.platform.clock().now();
    let is_due = move |tx: &mut Tx<'_>, tenant: &TenantId| Ok(!schedules::due(tx, tenant, now)?.0.is_empty());
    let among_all = move |tx: &mut Tx<'_>| schedules::due_tenants(tx, now);
    tenant_sweep::sweep_found(&tools, among_all, is_due, carry_out_of).await
}

async fn carry_out_of(tools: Tools, tenant: TenantId) -> Result<Left> {
    let (now, of) = (tools.platform.clock().now(), tenant.clone());
    let read = move |tx: &mut Tx<'_>| schedules::due(tx, &of, now);
    let (versions, is_full) = tools.store.for_tenant(&tenant).read(read).await?;
    for (version_id, request_id) in versions {
        let (ctx, of, version) = (tools.context(), tenant.clone(), version_id.clone());
        let write = move |tx: &mut Tx<'_>| schedules::carry_out(tx, &ctx, &of, &version);
        let Err(error) = tools.store.for_tenant(&tenant).write(write).await else { continue };
        // It is tried again, and keeps nothing else waiting meanwhile.
        let request_id = request_id.as_ref().map(RequestId::as_str);
        tracing::warn!(version = %version_id, request_id, %error, "a schedule was not carried out");
        let of = tenant.clone();
        let write = move |tx: &mut Tx<'_>| schedules::postpone(tx, &of, &version_id, now);
        tools.store.for_tenant(&tenant).write(write).await?;
    }
    Ok(if is_full { Left::More } else { Left::Nothing })
}
