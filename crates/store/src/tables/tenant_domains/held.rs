//! `held_domains`: the one tenant of each domain whose DNS has shown the tenant's token. It is kept on every node of a cluster.

use pagesmith_model::tenant_domain::TenantDomain;
use pagesmith_model::{Result, TenantDomainId, TenantId};

use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// A domain and its tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldDomain {
    /// The name.
    pub domain: String,
    /// Who holds it.
    pub tenant: TenantId,
    /// The tenant's entry of the domain.
    pub tenant_domain_id: TenantDomainId,
}

fn held(row: &Row) -> Result<HeldDomain> {
    Ok(HeldDomain {
        domain: row.take("domain")?,
        tenant: row.take("tenant_id")?,
        tenant_domain_id: row.take("tenant_domain_id")?,
    })
}

/// Gives a domain to its tenant, unless somebody holds it; then no row is touched.
pub fn insert(tenant: &TenantId, domain: &TenantDomain) -> Query {
    sql!(
        "INSERT INTO held_domains (domain, tenant_id, tenant_domain_id) VALUES ($1, $2, $3)
         ON CONFLICT (domain) DO NOTHING"
    )
    .with(values![domain.domain.as_str(), tenant, &domain.tenant_domain_id])
}

/// Who holds a domain.
pub fn find(tx: &mut Tx<'_>, domain: &str) -> Result<Option<HeldDomain>> {
    // across tenants: a domain is one tenant's in the whole installation
    let select = sql!("SELECT domain, tenant_id, tenant_domain_id FROM held_domains WHERE domain = $1");
    tx.maybe(select.with(values![domain]))?.as_ref().map(held).transpose()
}

/// Every domain.
pub fn list(tx: &mut Tx<'_>) -> Result<Vec<HeldDomain>> {
    // across tenants: servers keep all of them in memory
    let select = sql!("SELECT domain, tenant_id, tenant_domain_id FROM held_domains");
    tx.all(select.with(vec![]))?.iter().map(held).collect()
}

/// Takes a domain from its tenant.
pub fn remove(tenant: &TenantId, domain: &TenantDomain) -> Query {
    sql!("DELETE FROM held_domains WHERE domain = $2 AND tenant_id = $1")
        .with(values![tenant, domain.domain.as_str()])
}
