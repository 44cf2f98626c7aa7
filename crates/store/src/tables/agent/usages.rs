//! `tenant_usages`: what tenants have used of models, a row a month.

use pagesmith_model::agent::Used;
use pagesmith_model::{Result, TenantId, Timestamp};

use crate::row::Row;
use crate::sql::Query;
use crate::tables::whole;
use crate::tx::Tx;
use crate::{sql, values};

/// A tenant's month.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Month {
    /// Which, such as `2026-03`.
    pub month: String,
    /// How often a model was asked for a page, or to carry a message out.
    pub tries: u64,
    /// What that used.
    pub used: Used,
}

fn month(row: &Row) -> Result<Month> {
    Ok(Month { month: row.get("month")?, tries: row.get("tries")?, used: used(row)? })
}

/// What was used, in a row with its columns.
pub(in crate::tables) fn used(row: &Row) -> Result<Used> {
    Ok(Used {
        input_tokens: row.get("input_tokens")?,
        output_tokens: row.get("output_tokens")?,
        cost: row.get("cost")?,
    })
}

/// Adds a try to a month; a query, to travel with others.
pub fn add(tenant: &TenantId, month: &str, used: &Used, now: Timestamp) -> Query {
    sql!(
        "INSERT INTO tenant_usages (tenant_id, month, tries, input_tokens, output_tokens, cost, updated_at)
         VALUES ($1, $2, 1, $3, $4, $5, $6)
         ON CONFLICT (tenant_id, month) DO UPDATE SET
            tries = tenant_usages.tries + 1, input_tokens = tenant_usages.input_tokens + excluded.input_tokens,
            output_tokens = tenant_usages.output_tokens + excluded.output_tokens,
            cost = tenant_usages.cost + excluded.cost, updated_at = excluded.updated_at"
    )
    .with(values![tenant, month, whole(used.input_tokens), whole(used.output_tokens), used.cost, now])
}

/// What a tenant has used in a month, if anything.
pub fn find(tx: &mut Tx<'_>, tenant: &TenantId, of: &str) -> Result<Option<Month>> {
    let select = sql!(
        "SELECT month, tries, input_tokens, output_tokens, cost FROM tenant_usages
         WHERE tenant_id = $1 AND month = $2"
    );
    tx.maybe(select.with(values![tenant, of]))?.as_ref().map(month).transpose()
}

/// The last months in which a tenant has used anything, newest first.
pub fn list(tx: &mut Tx<'_>, tenant: &TenantId, limit: i64) -> Result<Vec<Month>> {
    let select = sql!(
        "SELECT month, tries, input_tokens, output_tokens, cost FROM tenant_usages
         WHERE tenant_id = $1 ORDER BY month DESC LIMIT $2"
    );
    tx.all(select.with(values![tenant, limit]))?.iter().map(month).collect()
}
