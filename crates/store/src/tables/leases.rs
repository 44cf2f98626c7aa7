//! Leases of rows that workers work on, the same in every table that has them.
//!
//! A worker whose lease has ended without it is lost. Its rows are given back tenant by tenant, so that on a cluster a node that is away
//! holds up its own tenants only.

use pagesmith_model::{Result, TenantId, Timestamp};

use crate::row::Row;
use crate::sql::{Query, Sql};
use crate::tx::Tx;
use crate::values;

/// How many tenants are told at once.
const TENANTS: i64 = 64;

/// The leases of a table.
pub struct Leases {
    /// The tenants that have leases which ended before `$1`, at most `$2` of them.
    pub(super) expired: Sql,
    /// Ends those of the tenant `$1` that ended before `$2`.
    pub(super) end: Sql,
}

impl Leases {
    /// Some tenants of whose leases one has ended without its worker.
    pub fn tenants_with_expired(&self, tx: &mut Tx<'_>, now: Timestamp) -> Result<Vec<TenantId>> {
        let rows = tx.all(self.expired.with(values![now, TENANTS]))?;
        rows.iter().map(|row: &Row| row.take("tenant_id")).collect()
    }

    /// Ends a tenant's leases that were not ended by their workers.
    pub fn end_expired(&self, tenant: &TenantId, now: Timestamp) -> Query {
        self.end.with(values![tenant, now])
    }
}
