//! Schedules: versions go live and stop at their times. Tenants take turns, so that one with many schedules keeps nobody else waiting long.

use pagesmith_model::Result;
use pagesmith_operations::publishing::schedules;
use pagesmith_store::Tx;

use crate::tools::{Left, Tools};

/// Does what is due, some of each tenant.
pub(crate) async fn carry_out(tools: Tools) -> Result<Left> {
    let (mut after, mut left) = (String::new(), Left::Nothing);
    loop {
        let (now, from) = (tools.platform.clock().now(), after.clone());
        let tenants = tools.store.read(move |tx| schedules::due_tenants(tx, now, &from)).await?;
        let Some(last) = tenants.last() else { return Ok(left) };
        last.as_str().clone_into(&mut after);
        for tenant in tenants {
            let of = tenant.clone();
            let read = move |tx: &mut Tx<'_>| schedules::due(tx, &of, now);
            let (versions, is_full) = tools.store.for_tenant(&tenant).read(read).await?;
            if is_full {
                left = Left::More;
            }
            for version_id in versions {
                let (ctx, of, version) = (tools.context(), tenant.clone(), version_id.clone());
                let write = move |tx: &mut Tx<'_>| schedules::carry_out(tx, &ctx, &of, &version);
                let Err(error) = tools.store.for_tenant(&tenant).write(write).await else { continue };
                // It is tried again, and keeps nothing else waiting meanwhile.
                tracing::warn!(version = %version_id, %error, "a schedule was not carried out");
                let of = tenant.clone();
                let write = move |tx: &mut Tx<'_>| schedules::postpone(tx, &of, &version_id, now);
                tools.store.for_tenant(&tenant).write(write).await?;
            }
        }
    }
}
