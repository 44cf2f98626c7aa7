//! Tenants' domains: who holds which, kept in memory, and checks of the DNS of each when it is time.

use std::time::Duration;

use futures_util::{StreamExt, stream};
use pagesmith_model::tenant_domain::TenantDomain;
use pagesmith_model::{Error, Kind, Result, TenantId};
use pagesmith_operations::tenant_domains;
use pagesmith_store::tables::tenant_domains::Due;
use pagesmith_store::{Tx, tables};

use crate::sweep::tenants as tenant_sweep;
use crate::tools::{Left, Tools};

/// How many domains a round checks, and how many of them at a time.
const ROUND: i64 = 64;
const AT_A_TIME: usize = 32;
/// When a domain is checked again whose check was never noted, since the server ended.
const UNFINISHED: Duration = Duration::from_mins(2);

/// Reloads who holds which domain if something has changed.
pub(crate) async fn refresh(tools: Tools) -> Result<Left> {
    tools.domains.refresh().await?;
    Ok(Left::Nothing)
}

/// Checks the domains whose time it is.
pub(crate) async fn check(tools: Tools) -> Result<Left> {
    let now = tools.platform.clock().now();
    let among_all = move |tx: &mut Tx<'_>| tables::tenant_domains::due(tx, now, ROUND);
    let of_one =
        move |tx: &mut Tx<'_>, tenant: &TenantId| tables::tenant_domains::due_of(tx, tenant, now, ROUND);
    let due = tenant_sweep::find(&tools, among_all, of_one).await?;
    let count = i64::try_from(due.len()).map_err(Error::internal)?;
    let checks = stream::iter(due).map(|due| check_one(&tools, due)).buffer_unordered(AT_A_TIME);
    let checked: Vec<Result<bool>> = checks.collect().await;
    tools.domains.refresh().await?;
    let checked = checked.into_iter().collect::<Result<Vec<bool>>>()?;
    Ok(if count == ROUND && checked.contains(&true) { Left::More } else { Left::Nothing })
}

/// Checks a domain, unless another server does, or its tenant is not known here yet; whether it did.
async fn check_one(tools: &Tools, due: Due) -> Result<bool> {
    let Some(tenant) = tools.keys.tenant(&due.tenant) else { return Ok(false) };
    let ctx = tools.context().of(due.tenant.clone());
    let store = tools.store.for_tenant(&due.tenant);
    let (until, taken) = (ctx.now.plus(UNFINISHED), due.clone());
    let take = move |tx: &mut Tx<'_>| -> Result<Option<TenantDomain>> {
        if tx.run(tables::tenant_domains::put_off(&taken, until))? == 0 {
            return Ok(None);
        }
        tables::tenant_domains::find(tx, &taken.tenant, &taken.tenant_domain_id)
    };
    let Some(domain) = store.write(take).await? else { return Ok(false) };
    let wanted = tools.dns_checker.installation.wanted(&domain, &tenant.slug);
    let seen = tools.dns_checker.check(&domain.domain, &wanted).await;
    let id = domain.tenant_domain_id;
    let note = move |tx: &mut Tx<'_>| tenant_domains::note_check(tx, &ctx, &id, (&seen, &wanted), false);
    match tools.store.for_tenant(&due.tenant).write(note).await {
        // Removed meanwhile.
        Err(error) if *error.kind() == Kind::NotFound => Ok(true),
        noted => noted.map(|_| true),
    }
}
