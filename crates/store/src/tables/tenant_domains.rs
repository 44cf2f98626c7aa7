//! `tenant_domains`: the domains that tenants have added, whoever holds them.

use pagesmith_model::json::JsonText;
use pagesmith_model::tenant_domain::{DomainStatus, HostName, TenantDomain};
use pagesmith_model::{Error, Result, TenantDomainId, TenantId, Timestamp};

use crate::extent::{Extent, ListPart};
use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

pub mod held;

/// The columns of a domain, which [`tenant_domain`] reads.
macro_rules! domain_columns {
    () => {
        $crate::sql::columns!("" => tenant_domain_id, domain, token, status, is_verified, is_default, seen,
            looked_at, next_look_at, looking_since, lost_since, created_at, updated_at)
    };
}

fn tenant_domain(row: &Row) -> Result<TenantDomain> {
    let (domain, status): (String, String) = (row.take("domain")?, row.take("status")?);
    let (seen, looked_at): (Option<JsonText>, Option<Timestamp>) =
        (row.take("seen")?, row.take("looked_at")?);
    let seen = seen.as_ref().map(JsonText::read).transpose()?;
    let status = DomainStatus::parse(&status);
    Ok(TenantDomain {
        tenant_domain_id: row.take("tenant_domain_id")?,
        domain: HostName::parse(&domain).map_err(Error::internal)?,
        token: row.take("token")?,
        status: status.ok_or_else(|| Error::internal("a domain with an unknown status"))?,
        is_verified: row.take("is_verified")?,
        is_default: row.take("is_default")?,
        last_check: seen.zip(looked_at),
        next_check_at: row.take("next_look_at")?,
        checked_since: row.take("looking_since")?,
        lost_since: row.take("lost_since")?,
        created_at: row.take("created_at")?,
        updated_at: row.take("updated_at")?,
    })
}

/// Adds a domain, unless the tenant has it; then no row is touched.
pub fn insert(tenant: &TenantId, domain: &TenantDomain) -> Query {
    sql!(
        "INSERT INTO tenant_domains
            (tenant_id, tenant_domain_id, domain, token, status, is_verified, is_default, next_look_at, looking_since,
             created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
         ON CONFLICT (tenant_id, domain) DO NOTHING"
    )
    .with(values![
        tenant,
        &domain.tenant_domain_id,
        domain.domain.as_str(),
        &domain.token,
        domain.status.as_str(),
        domain.is_verified,
        domain.is_default,
        domain.next_check_at,
        domain.checked_since,
        domain.created_at,
        domain.updated_at,
    ])
}

/// The domain.
pub fn find(tx: &mut Tx<'_>, tenant: &TenantId, id: &TenantDomainId) -> Result<Option<TenantDomain>> {
    let select = sql!(
        "SELECT ",
        domain_columns!(),
        " FROM tenant_domains WHERE tenant_id = $1 AND tenant_domain_id = $2"
    );
    tx.maybe(select.with(values![tenant, id]))?.as_ref().map(tenant_domain).transpose()
}

/// The name of the tenant's default domain, if there is one.
pub fn default_domain(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<Option<String>> {
    let select = sql!("SELECT domain FROM tenant_domains WHERE tenant_id = $1 AND is_default = TRUE");
    tx.maybe(select.with(values![tenant]))?.map(|row| row.get("domain")).transpose()
}

/// The domains, newest first, after a position; and how many there are in all.
pub fn list(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    after: Option<&TenantDomainId>,
    extent: Extent,
) -> Result<(ListPart<TenantDomain>, u64)> {
    let select = sql!("SELECT ", domain_columns!(), " FROM tenant_domains WHERE tenant_id = $1");
    let mut select = select.with(values![tenant]);
    if let Some(id) = after {
        select = select.and(sql!("AND tenant_domain_id < $1"), values![id]);
    }
    select = select.and(sql!("ORDER BY tenant_domain_id DESC LIMIT $1"), values![extent.rows()]);
    let mut answers = tx.batch(vec![select.within(extent.bytes), counted(tenant)])?;
    let total = total(&answers.pop().unwrap_or_default())?;
    Ok((ListPart::read(&answers.pop().unwrap_or_default(), extent, tenant_domain)?, total))
}

fn counted(tenant: &TenantId) -> Query {
    sql!("SELECT COUNT(*) AS total FROM tenant_domains WHERE tenant_id = $1").with(values![tenant])
}

fn total(rows: &[Row]) -> Result<u64> {
    let total: i64 = rows.first().map_or(Ok(0), |row| row.get("total"))?;
    u64::try_from(total).map_err(Error::internal)
}

/// How many domains a tenant has.
pub fn count(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<u64> {
    total(&tx.all(counted(tenant))?)
}

/// Writes what checks and changes alter of a domain.
pub fn update(tenant: &TenantId, domain: &TenantDomain) -> Result<Query> {
    let (seen, looked_at) = domain.last_check.as_ref().map(|(seen, at)| (JsonText::of(seen), *at)).unzip();
    let update = sql!(
        "UPDATE tenant_domains SET status = $3, is_verified = $4, is_default = $5, seen = $6, looked_at = $7,
            next_look_at = $8, looking_since = $9, lost_since = $10, updated_at = $11
         WHERE tenant_id = $1 AND tenant_domain_id = $2"
    );
    Ok(update.with(values![
        tenant,
        &domain.tenant_domain_id,
        domain.status.as_str(),
        domain.is_verified,
        domain.is_default,
        &seen.transpose()?,
        looked_at,
        domain.next_check_at,
        domain.checked_since,
        domain.lost_since,
        domain.updated_at,
    ]))
}

/// Takes it from the default domain that it is the default.
pub fn unset_default(tenant: &TenantId, now: Timestamp) -> Query {
    sql!(
        "UPDATE tenant_domains SET is_default = FALSE, updated_at = $2
         WHERE tenant_id = $1 AND is_default = TRUE"
    )
    .with(values![tenant, now])
}

/// Removes a domain.
pub fn remove(tenant: &TenantId, id: &TenantDomainId) -> Query {
    sql!("DELETE FROM tenant_domains WHERE tenant_id = $1 AND tenant_domain_id = $2")
        .with(values![tenant, id])
}

/// A domain that is to be checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    /// Whose it is.
    pub tenant: TenantId,
    /// The domain.
    pub tenant_domain_id: TenantDomainId,
    /// The instant for which the check was planned.
    pub planned: Timestamp,
}

/// Domains that it is time to check, those first that wait longest.
pub fn due(tx: &mut Tx<'_>, now: Timestamp, limit: i64) -> Result<Vec<Due>> {
    // across tenants: work is looked for everywhere
    let select = sql!(
        "SELECT tenant_id, tenant_domain_id, next_look_at FROM tenant_domains
         WHERE next_look_at IS NOT NULL AND next_look_at <= $1 ORDER BY next_look_at LIMIT $2"
    );
    tx.all(select.with(values![now, limit]))?.iter().map(due_row).collect()
}

/// Domains of a tenant that it is time to check, those first that wait longest.
pub fn due_of(tx: &mut Tx<'_>, tenant: &TenantId, now: Timestamp, limit: i64) -> Result<Vec<Due>> {
    let select = sql!(
        "SELECT tenant_id, tenant_domain_id, next_look_at FROM tenant_domains
         WHERE tenant_id = $1 AND next_look_at IS NOT NULL AND next_look_at <= $2 ORDER BY next_look_at LIMIT $3"
    );
    tx.all(select.with(values![tenant, now, limit]))?.iter().map(due_row).collect()
}

fn due_row(row: &Row) -> Result<Due> {
    Ok(Due {
        tenant: row.get("tenant_id")?,
        tenant_domain_id: row.get("tenant_domain_id")?,
        planned: row.get("next_look_at")?,
    })
}

/// Puts a check off that is planned for an instant; no row is touched if another server has done so.
pub fn put_off(due: &Due, until: Timestamp) -> Query {
    sql!(
        "UPDATE tenant_domains SET next_look_at = $4
         WHERE tenant_id = $1 AND tenant_domain_id = $2 AND next_look_at = $3"
    )
    .with(values![&due.tenant, &due.tenant_domain_id, due.planned, until])
}
