//! What a tenant uses: what there is now, and what the last months came to.

use pagesmith_model::agent::Used;
use pagesmith_model::{Result, TenantId, Timestamp};
use pagesmith_store::Tx;
use pagesmith_store::tables::{agent, counters, users};

use super::months::{self, Sums};

/// How many months are told of.
pub const MONTHS: usize = 12;

/// What a tenant has, as its counters say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Pages that are not deleted.
    pub pages: u64,
    /// Persons that are not deleted.
    pub persons: u64,
    /// Accounts.
    pub accounts: u64,
    /// Files.
    pub files: u64,
    /// The bytes of files, each content once.
    pub file_bytes: u64,
    /// Users with a role.
    pub users: u64,
}

/// A month of a tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Month {
    /// Which, such as `2026-03`.
    pub month: String,
    /// What it came to.
    pub sums: Sums,
    /// Number of model calls.
    pub tries: u64,
    /// What that used.
    pub used: Used,
}

/// What a tenant has.
pub fn counts(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<Counts> {
    use counters::{ACCOUNTS, FILE_BYTES, FILES, PAGES, PERSONS};
    let names = [PAGES, PERSONS, ACCOUNTS, FILES, FILE_BYTES];
    let answers = tx.batch(names.iter().map(|name| counters::count(tenant, name)).collect())?;
    let totals = answers.iter().map(|rows| counters::total(rows)).collect::<Result<Vec<u64>>>()?;
    let [pages, persons, accounts, files, file_bytes] = totals[..] else { return Ok(Counts::default()) };
    let users = u64::try_from(users::memberships::count(tx, tenant)?).unwrap_or_default();
    Ok(Counts { pages, persons, accounts, files, file_bytes, users })
}

/// What a tenant's last months came to, the present one first.
pub fn months(tx: &mut Tx<'_>, tenant: &TenantId, now: Timestamp) -> Result<Vec<Month>> {
    let names = months::last(now, MONTHS);
    let sums = months::sums(tx, tenant, &names)?;
    let of_models = agent::usages::list(tx, tenant, i64::try_from(MONTHS).unwrap_or(i64::MAX))?;
    let month = |(month, sums): (String, Sums)| {
        let of_models = of_models.iter().find(|known| known.month == month);
        let (tries, used) = of_models.map(|known| (known.tries, known.used)).unwrap_or_default();
        Month { month, sums, tries, used }
    };
    Ok(names.into_iter().zip(sums).map(month).collect())
}
