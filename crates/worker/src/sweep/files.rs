//! Bytes of files that nothing uses are removed from the storage: those of deleted files, and those that a crash left between the storage
//! and the database.
//!
//! A content is forgotten by the database before its bytes go, and its id is never used again. So an upload of the same bytes that
//! comes meanwhile brings its own.

use std::collections::BTreeSet;

use pagesmith_model::{FileContentId, Result, TenantId};
use pagesmith_operations::context::TenantContext;
use pagesmith_operations::files::{sweep, variants};
use pagesmith_store::Tx;

use crate::sweep::tenants as tenant_sweep;
use crate::tools::{Left, Tools};

/// How many stored contents are compared with the database at once.
const COMPARED: usize = 500;

/// Removes the bytes of deleted files.
pub(crate) async fn unused(tools: Tools) -> Result<Left> {
    let pictures = tenant_sweep::sweep(&tools, variants::has_others, variants::forget_others).await;
    let contents = tenant_sweep::sweep_due(&tools, sweep::has_unused, unused_of).await?;
    Ok(if pictures? == Left::More { Left::More } else { contents })
}

async fn unused_of(tools: Tools, tenant: TenantId) -> Result<Left> {
    for _ in 0..tenant_sweep::STEPS {
        let (of, now) = (tenant.clone(), tools.platform.clock().now());
        let forgotten = tools.store.write(move |tx| sweep::forget_unused(tx, &of, now)).await?;
        remove(&tools, &tenant, &forgotten).await?;
        if forgotten.len() < sweep::MOST {
            return Ok(Left::Nothing);
        }
    }
    Ok(Left::More)
}

/// Removes bytes that no row names.
pub(crate) async fn orphaned(tools: Tools) -> Result<Left> {
    // Only the storage can say of whom there are any.
    let is_due = |_: &mut Tx<'_>, _: &TenantContext| Ok(true);
    tenant_sweep::sweep_due(&tools, is_due, orphaned_of).await
}

async fn orphaned_of(tools: Tools, tenant: TenantId) -> Result<Left> {
    let stored: Vec<FileContentId> = tools.files.list(&tenant).await?.into_iter().collect();
    for part in stored.chunks(COMPARED) {
        let part: BTreeSet<FileContentId> = part.iter().cloned().collect();
        let (of, now) = (tenant.clone(), tools.platform.clock().now());
        let orphans = tools.store.read(move |tx| sweep::orphans(tx, &of, &part, now)).await?;
        if !orphans.is_empty() {
            tracing::info!(
                tenant = tenant.as_str(),
                count = orphans.len(),
                "removing stored bytes without a file"
            );
        }
        remove(&tools, &tenant, &orphans).await?;
    }
    Ok(Left::Nothing)
}

async fn remove(tools: &Tools, tenant: &TenantId, contents: &[FileContentId]) -> Result<()> {
    for id in contents {
        tools.files.remove(tenant, id).await?;
    }
    Ok(())
}
