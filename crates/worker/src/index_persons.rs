//! Persons are indexed for searches as they come, change and go. The work itself is the crate `person-index`'s.

use pagesmith_model::{Result, TenantId};
use pagesmith_person_index::{Pace, has_work, maintain, tenants_with_work};
use pagesmith_store::Tx;

use crate::sweep::tenants as tenant_sweep;
use crate::tools::{Left, Tools};

/// Tenants of one round.
const TENANTS: i64 = 100;

/// A turn for every tenant that has work.
pub(crate) async fn all(tools: Tools) -> Result<Left> {
    let among_all = |tx: &mut Tx<'_>| tenants_with_work(tx, TENANTS);
    let turn = |tools: Tools, tenant: TenantId| async move {
        let is_more = maintain(&tools.store, &tenant, Pace::SERVING).await?;
        Ok(if is_more { Left::More } else { Left::Nothing })
    };
    tenant_sweep::sweep_found(&tools, among_all, has_work, turn).await
}
