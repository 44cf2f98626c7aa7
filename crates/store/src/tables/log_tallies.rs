//! `log_tallies`: how many entries a long log has up to one of them.
//!
//! A total is the tally and a count of the entries behind it, so that writing an entry touches no counter and reading a
//! total never counts a long log from its start. A tally ends at entries so old that no transaction can still be about to
//! write an earlier one. Deleted entries are counted in it; they are few, and are counted apart by an index of their own.

use pagesmith_model::{AccountId, PersonId, Result, TenantId};

use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// Whose entries.
#[derive(Debug, Clone, Copy)]
pub enum Owner<'a> {
    /// Those of a person.
    Person(&'a PersonId),
    /// An account's own.
    Account(&'a AccountId),
    /// Those of the persons of an account.
    PersonsOf(&'a AccountId),
}

impl Owner<'_> {
    fn name(&self) -> String {
        match self {
            Owner::Person(person_id) => person_id.to_string(),
            Owner::Account(account_id) => account_id.to_string(),
            Owner::PersonsOf(account_id) => format!("persons of {account_id}"),
        }
    }
}

/// How many entries there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Total {
    /// All, or all that are not deleted.
    pub entries: u64,
    /// How many of them were counted one by one.
    pub counted: u64,
}

/// The query of a total, to travel with others; its row is read by [`total`].
pub fn count(tenant: &TenantId, owner: &Owner<'_>) -> Query {
    let name = owner.name();
    match owner {
        Owner::Person(person_id) => sql!(
            "SELECT CAST((SELECT COALESCE(SUM(t.entries), 0) FROM log_tallies t
                          WHERE t.tenant_id = $1 AND t.owner = $2) AS BIGINT) AS tally,
                    (SELECT COUNT(*) FROM person_logs l
                     WHERE l.tenant_id = $1 AND l.person_id = $3
                       AND l.person_log_id > (SELECT COALESCE(MAX(t.counted_through), '') FROM log_tallies t
                                              WHERE t.tenant_id = $1 AND t.owner = $2)) AS behind,
                    (SELECT COUNT(*) FROM person_logs d
                     WHERE d.tenant_id = $1 AND d.person_id = $3 AND d.deleted_at IS NOT NULL) AS deleted"
        )
        .with(values![tenant, name, *person_id]),
        Owner::Account(account_id) => sql!(
            "SELECT CAST((SELECT COALESCE(SUM(t.entries), 0) FROM log_tallies t
                          WHERE t.tenant_id = $1 AND t.owner = $2) AS BIGINT) AS tally,
                    (SELECT COUNT(*) FROM account_logs l
                     WHERE l.tenant_id = $1 AND l.account_id = $3
                       AND l.account_log_id > (SELECT COALESCE(MAX(t.counted_through), '') FROM log_tallies t
                                               WHERE t.tenant_id = $1 AND t.owner = $2)) AS behind,
                    (SELECT COUNT(*) FROM account_logs d
                     WHERE d.tenant_id = $1 AND d.account_id = $3 AND d.deleted_at IS NOT NULL) AS deleted"
        )
        .with(values![tenant, name, *account_id]),
        Owner::PersonsOf(account_id) => sql!(
            "SELECT CAST((SELECT COALESCE(SUM(t.entries), 0) FROM log_tallies t
                          WHERE t.tenant_id = $1 AND t.owner = $2) AS BIGINT) AS tally,
                    (SELECT COUNT(*) FROM person_logs l
                     WHERE l.tenant_id = $1 AND l.account_id = $3
                       AND l.person_log_id > (SELECT COALESCE(MAX(t.counted_through), '') FROM log_tallies t
                                              WHERE t.tenant_id = $1 AND t.owner = $2)) AS behind,
                    (SELECT COUNT(*) FROM person_logs d
                     WHERE d.tenant_id = $1 AND d.account_id = $3 AND d.deleted_at IS NOT NULL) AS deleted"
        )
        .with(values![tenant, name, *account_id]),
    }
}

/// The total in an answer to [`count`].
pub fn total(rows: &[Row], include_deleted: bool) -> Result<Total> {
    let Some(row) = rows.first() else { return Ok(Total { entries: 0, counted: 0 }) };
    let (tally, behind, deleted): (u64, u64, u64) =
        (row.get("tally")?, row.get("behind")?, row.get("deleted")?);
    let deleted_too = tally + behind;
    let entries = if include_deleted { deleted_too } else { deleted_too.saturating_sub(deleted) };
    Ok(Total { entries, counted: behind })
}

/// Whether at least so many entries before `limit`, an id, stand behind a tally.
pub fn is_behind(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    owner: &Owner<'_>,
    limit: &str,
    entries: u32,
) -> Result<bool> {
    let (name, skip) = (owner.name(), i64::from(entries.saturating_sub(1)));
    let found = match owner {
        Owner::Person(person_id) => sql!(
            "SELECT 1 AS found FROM person_logs l
             WHERE l.tenant_id = $1 AND l.person_id = $3 AND l.person_log_id < $4
               AND l.person_log_id > (SELECT COALESCE(MAX(t.counted_through), '') FROM log_tallies t
                                      WHERE t.tenant_id = $1 AND t.owner = $2)
             ORDER BY l.person_log_id LIMIT 1 OFFSET $5"
        )
        .with(values![tenant, name, *person_id, limit, skip]),
        Owner::Account(account_id) => sql!(
            "SELECT 1 AS found FROM account_logs l
             WHERE l.tenant_id = $1 AND l.account_id = $3 AND l.account_log_id < $4
               AND l.account_log_id > (SELECT COALESCE(MAX(t.counted_through), '') FROM log_tallies t
                                       WHERE t.tenant_id = $1 AND t.owner = $2)
             ORDER BY l.account_log_id LIMIT 1 OFFSET $5"
        )
        .with(values![tenant, name, *account_id, limit, skip]),
        Owner::PersonsOf(account_id) => sql!(
            "SELECT 1 AS found FROM person_logs l
             WHERE l.tenant_id = $1 AND l.account_id = $3 AND l.person_log_id < $4
               AND l.person_log_id > (SELECT COALESCE(MAX(t.counted_through), '') FROM log_tallies t
                                      WHERE t.tenant_id = $1 AND t.owner = $2)
             ORDER BY l.person_log_id LIMIT 1 OFFSET $5"
        )
        .with(values![tenant, name, *account_id, limit, skip]),
    };
    Ok(tx.maybe(found)?.is_some())
}

/// Moves a tally on, to the last entry before `limit`, an id.
pub fn advance(tx: &mut Tx<'_>, tenant: &TenantId, owner: &Owner<'_>, limit: &str) -> Result<()> {
    let name = owner.name();
    // The entries from the tally's end to the limit: how many, and the last of them.
    let found = match owner {
        Owner::Person(person_id) => sql!(
            "SELECT COUNT(*) AS more, COALESCE(MAX(l.person_log_id), '') AS last FROM person_logs l
             WHERE l.tenant_id = $1 AND l.person_id = $3 AND l.person_log_id < $4
               AND l.person_log_id > (SELECT COALESCE(MAX(t.counted_through), '') FROM log_tallies t
                                      WHERE t.tenant_id = $1 AND t.owner = $2)"
        )
        .with(values![tenant, name.as_str(), *person_id, limit]),
        Owner::Account(account_id) => sql!(
            "SELECT COUNT(*) AS more, COALESCE(MAX(l.account_log_id), '') AS last FROM account_logs l
             WHERE l.tenant_id = $1 AND l.account_id = $3 AND l.account_log_id < $4
               AND l.account_log_id > (SELECT COALESCE(MAX(t.counted_through), '') FROM log_tallies t
                                       WHERE t.tenant_id = $1 AND t.owner = $2)"
        )
        .with(values![tenant, name.as_str(), *account_id, limit]),
        Owner::PersonsOf(account_id) => sql!(
            "SELECT COUNT(*) AS more, COALESCE(MAX(l.person_log_id), '') AS last FROM person_logs l
             WHERE l.tenant_id = $1 AND l.account_id = $3 AND l.person_log_id < $4
               AND l.person_log_id > (SELECT COALESCE(MAX(t.counted_through), '') FROM log_tallies t
                                      WHERE t.tenant_id = $1 AND t.owner = $2)"
        )
        .with(values![tenant, name.as_str(), *account_id, limit]),
    };
    let row = tx.one(found)?;
    let (more, last): (i64, String) = (row.get("more")?, row.get("last")?);
    if more == 0 {
        return Ok(());
    }
    let upsert = sql!(
        "INSERT INTO log_tallies (tenant_id, owner, counted_through, entries) VALUES ($1, $2, $3, $4)
         ON CONFLICT (tenant_id, owner) DO UPDATE SET
            counted_through = excluded.counted_through, entries = log_tallies.entries + excluded.entries"
    );
    tx.run(upsert.with(values![tenant, name, last, more]))?;
    Ok(())
}

/// Forgets a tally whose log has changed otherwise than by a new entry.
pub fn forget(tenant: &TenantId, owner: &Owner<'_>) -> Query {
    sql!("DELETE FROM log_tallies WHERE tenant_id = $1 AND owner = $2").with(values![tenant, owner.name()])
}
