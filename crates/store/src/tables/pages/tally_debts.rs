//! `tally_debts`: what erased audiences are still to be taken from the tallies of their pages.

use pagesmith_model::{AudienceId, PageId, Result, TenantId};

use crate::sql::Query;
use crate::tables::pages::tallies::Change;
use crate::tx::Tx;
use crate::{sql, values};

/// Something that is still to be counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Debt {
    /// Whose.
    pub tenant: TenantId,
    /// The audience that is gone.
    pub audience_id: AudienceId,
    /// Its page.
    pub page_id: PageId,
    /// What the tally changes by.
    pub change: Change,
}

/// Notes what an audience counts that is being erased; a query, to travel with others.
pub fn insert(debt: &Debt) -> Query {
    sql!(
        "INSERT INTO tally_debts (tenant_id, audience_id, page_id, present, shown) VALUES ($1, $2, $3, $4, $5)"
    )
    .with(values![&debt.tenant, &debt.audience_id, &debt.page_id, debt.change.present, debt.change.shown])
}

/// The tenants of which something is still to be counted.
pub fn tenants(tx: &mut Tx<'_>) -> Result<Vec<TenantId>> {
    // across tenants: whoever counts does it for all of them
    let select = sql!("SELECT DISTINCT tenant_id FROM tally_debts ORDER BY tenant_id");
    tx.all(select.with(vec![]))?.iter().map(|row| row.take("tenant_id")).collect()
}

/// Some of what is still to be counted of a tenant.
pub fn list(tx: &mut Tx<'_>, tenant: &TenantId, limit: i64) -> Result<Vec<Debt>> {
    let select = sql!(
        "SELECT tenant_id, audience_id, page_id, present, shown FROM tally_debts
         WHERE tenant_id = $1 ORDER BY audience_id LIMIT $2"
    );
    let rows = tx.all(select.with(values![tenant, limit]))?;
    let debt = |row: &crate::row::Row| {
        Ok(Debt {
            tenant: row.get("tenant_id")?,
            audience_id: row.get("audience_id")?,
            page_id: row.get("page_id")?,
            change: Change { listed: -1, present: row.get("present")?, shown: row.get("shown")? },
        })
    };
    rows.iter().map(debt).collect()
}

/// Takes a debt out; false if somebody else has.
pub fn remove(debt: &Debt) -> Query {
    sql!("DELETE FROM tally_debts WHERE tenant_id = $1 AND audience_id = $2")
        .with(values![&debt.tenant, &debt.audience_id])
}
