//! `log_tallies`: how many entries a long log has up to one of them.
//!
//! A total is the tally and a count of the entries behind it, so that writing an entry touches no counter and reading a
//! total never counts a long log from its start. A tally ends at entries so old that no transaction can still be about to
//! write an earlier one. Deleted entries are counted in it; they are few, and have an index of their own to count them.

use pagesmith_model::{AccountId, PersonId, Result, TenantId};

use crate::row::Row;
use crate::sql::{Query, Sql};
use crate::tables::logs::LogTable;
use crate::tx::Tx;
use crate::{sql, values};

/// Which entries a tally counts.
#[derive(Debug, Clone, Copy)]
pub enum Tallied<'a> {
    /// Those of a person.
    Person(&'a PersonId),
    /// An account's own.
    Account(&'a AccountId),
    /// Those of the persons of an account.
    PersonsOf(&'a AccountId),
}

/// How many entries there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Total {
    /// All, or all that are not deleted.
    pub entries: u64,
    /// How many of them were counted one by one.
    pub counted: u64,
}

/// The comparisons with the ids of a table of logs, which the statements call `l`.
struct Ids {
    /// The entries behind the tally of a tenant and a name.
    behind_tally: Sql,
    /// The entries before an id.
    before: Sql,
    /// The entry so many entries after the first.
    nth: Sql,
    /// `SELECT` with how many there are, and the last id.
    count_and_last: Sql,
}

const PERSON_LOGS: Ids = Ids {
    behind_tally: sql!(
        "AND l.person_log_id > (SELECT COALESCE(MAX(t.counted_through), '') FROM log_tallies t
                                WHERE t.tenant_id = $1 AND t.owner = $2)"
    ),
    before: PersonId::BEFORE,
    nth: sql!("ORDER BY l.person_log_id LIMIT 1 OFFSET $1"),
    count_and_last: sql!("SELECT COUNT(*) AS more, COALESCE(MAX(l.person_log_id), '') AS last"),
};

const ACCOUNT_LOGS: Ids = Ids {
    behind_tally: sql!(
        "AND l.account_log_id > (SELECT COALESCE(MAX(t.counted_through), '') FROM log_tallies t
                                 WHERE t.tenant_id = $1 AND t.owner = $2)"
    ),
    before: AccountId::BEFORE,
    nth: sql!("ORDER BY l.account_log_id LIMIT 1 OFFSET $1"),
    count_and_last: sql!("SELECT COUNT(*) AS more, COALESCE(MAX(l.account_log_id), '') AS last"),
};

impl Tallied<'_> {
    /// The name of the tally.
    fn name(&self) -> String {
        match self {
            Tallied::Person(person_id) => person_id.to_string(),
            Tallied::Account(account_id) => account_id.to_string(),
            Tallied::PersonsOf(account_id) => format!("persons of {account_id}"),
        }
    }

    fn ids(&self) -> Ids {
        match self {
            Tallied::Person(_) | Tallied::PersonsOf(_) => PERSON_LOGS,
            Tallied::Account(_) => ACCOUNT_LOGS,
        }
    }

    /// Appends the entries that are counted.
    fn entries(&self, select: Query, tenant: &TenantId) -> Query {
        match self {
            Tallied::Person(person_id) => select.and(PersonId::OF_OWNER, values![tenant, *person_id]),
            Tallied::Account(account_id) => select.and(AccountId::OF_OWNER, values![tenant, *account_id]),
            Tallied::PersonsOf(account_id) => select.and(
                sql!("FROM person_logs l WHERE l.tenant_id = $1 AND l.account_id = $2"),
                values![tenant, *account_id],
            ),
        }
    }

    /// Appends the entries behind the tally.
    fn behind(&self, select: Query, tenant: &TenantId) -> Query {
        self.entries(select, tenant).and(self.ids().behind_tally, values![tenant, self.name()])
    }
}

/// The query of a total; its row is read by [`total`].
pub fn count(tenant: &TenantId, tallied: &Tallied<'_>) -> Query {
    let select = sql!(
        "SELECT CAST((SELECT COALESCE(SUM(t.entries), 0) FROM log_tallies t
                      WHERE t.tenant_id = $1 AND t.owner = $2) AS BIGINT) AS tally,
                (SELECT COUNT(*)"
    );
    let select = tallied.behind(select.with(values![tenant, tallied.name()]), tenant);
    let select = tallied.entries(select.and(sql!(") AS behind, (SELECT COUNT(*)"), values![]), tenant);
    select.and(sql!("AND l.deleted_at IS NOT NULL) AS deleted"), values![])
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

/// Whether at least so many entries before `limit`, an id, are behind a tally.
pub fn is_behind(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    tallied: &Tallied<'_>,
    limit: &str,
    entries: u32,
) -> Result<bool> {
    let Ids { before, nth, .. } = tallied.ids();
    let select = tallied.behind(sql!("SELECT 1 AS found").with(values![]), tenant);
    let skipped = i64::from(entries.saturating_sub(1));
    Ok(tx.maybe(select.and(before, values![limit]).and(nth, values![skipped]))?.is_some())
}

/// Moves a tally on, to the last entry before `limit`, an id; touches no row if there are no entries behind it.
pub fn advance(tenant: &TenantId, tallied: &Tallied<'_>, limit: &str) -> Query {
    let Ids { before, count_and_last, .. } = tallied.ids();
    let upsert = sql!(
        "INSERT INTO log_tallies (tenant_id, owner, counted_through, entries)
         SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), behind.last, behind.more FROM ("
    );
    let upsert = upsert.with(values![tenant, tallied.name()]).and(count_and_last, values![]);
    tallied.behind(upsert, tenant).and(before, values![limit]).and(
        sql!(
            ") behind WHERE behind.more > 0
             ON CONFLICT (tenant_id, owner) DO UPDATE SET
                counted_through = excluded.counted_through, entries = log_tallies.entries + excluded.entries"
        ),
        values![],
    )
}

/// Forgets a tally whose log has changed otherwise than by a new entry.
pub fn forget(tenant: &TenantId, tallied: &Tallied<'_>) -> Query {
    sql!("DELETE FROM log_tallies WHERE tenant_id = $1 AND owner = $2").with(values![tenant, tallied.name()])
}
