//! `accounts`: the companies of all tenants, and `account_names`, which their search reads.

use pagesmith_model::account::Account;
use pagesmith_model::domain::Domain;
use pagesmith_model::list_order::{ListOrder, OrderBy, OrderedPlace};
use pagesmith_model::text::Query as Words;
use pagesmith_model::{AccountId, Error, Result, TenantId, Timestamp};

use crate::extent::{Extent, ListPart};
use crate::row::Row;
use crate::sql::{Query, Sql};
use crate::tables::counters;
use crate::tables::ordered::{Ordered, OrderedPart, by_id, keyed};
use crate::tables::ranked_search::{self, Fields, Narrowing, RankedSearch};
use crate::tx::Tx;
use crate::{sql, values};

/// An account as an item of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedAccount {
    /// The account.
    pub account: Account,
    /// How many living persons belong to it.
    pub linked_persons: u64,
    /// When the latest entry of its log or its persons' was written.
    pub latest_activity_at: Option<Timestamp>,
    /// How well it matches what was searched for; 0 is best.
    pub rank: i64,
}

/// The columns of an account, each behind an alias such as `a.`, which [`account`] reads.
macro_rules! account_columns {
    ($alias:literal) => {
        $crate::sql::columns!($alias => account_id, domain, name, is_empty, created_at, updated_at)
    };
}

pub(super) use account_columns;

/// The account in a row with all its columns.
pub fn account(row: &Row) -> Result<Account> {
    Ok(Account {
        account_id: row.take("account_id")?,
        domain: row.take("domain")?,
        name: row.take("name")?,
        is_empty: row.take("is_empty")?,
        created_at: row.take("created_at")?,
        updated_at: row.take("updated_at")?,
    })
}

fn listed(row: &Row) -> Result<ListedAccount> {
    let own: Option<Timestamp> = row.take("latest_own")?;
    let of_persons: Option<Timestamp> = row.take("latest_of_persons")?;
    Ok(ListedAccount {
        linked_persons: row.take("linked_persons")?,
        latest_activity_at: own.max(of_persons),
        rank: row.take("rank")?,
        account: account(row)?,
    })
}

/// `SELECT` and the columns of a [`ListedAccount`] but its rank, of the account `a`.
const LISTED: Sql = sql!(
    "SELECT ",
    account_columns!("a."),
    ", (SELECT COUNT(*) FROM persons p
             WHERE p.tenant_id = $1 AND p.account_id = a.account_id AND p.deleted_at IS NULL)
                AS linked_persons,
            (SELECT l.created_at FROM account_logs l
             WHERE l.tenant_id = $1 AND l.account_id = a.account_id AND l.deleted_at IS NULL
             ORDER BY l.account_log_id DESC LIMIT 1) AS latest_own,
            (SELECT l.created_at FROM person_logs l
             WHERE l.tenant_id = $1 AND l.account_id = a.account_id AND l.deleted_at IS NULL
             ORDER BY l.person_log_id DESC LIMIT 1) AS latest_of_persons"
);

/// Adds accounts, except those of whose domains there are some; how many it were.
pub fn insert(tx: &mut Tx<'_>, tenant: &TenantId, accounts: &[Account]) -> Result<u64> {
    let mut inserted = 0;
    for some in super::parts(tx.rows_at_once(), accounts) {
        let insert = sql!(
            "INSERT INTO accounts (tenant_id, account_id, domain, name, is_empty, created_at, updated_at) VALUES"
        );
        let row = |account: &Account| {
            values![
                tenant,
                &account.account_id,
                &account.domain,
                &account.name,
                account.is_empty,
                account.created_at,
                account.updated_at,
            ]
        };
        let insert =
            super::rows(insert.with(vec![]), sql!("($1, $2, $3, $4, $5, $6, $7)"), some.iter().map(row));
        let insert = insert.and(sql!("ON CONFLICT (tenant_id, domain) DO NOTHING"), vec![]);
        inserted += tx.run(insert)?;
    }
    Ok(inserted)
}

/// The account.
pub fn find(tx: &mut Tx<'_>, tenant: &TenantId, account_id: &AccountId) -> Result<Option<Account>> {
    let select =
        sql!("SELECT ", account_columns!(""), " FROM accounts WHERE tenant_id = $1 AND account_id = $2");
    tx.maybe(select.with(values![tenant, account_id]))?.as_ref().map(account).transpose()
}

/// The account of a registrable domain.
pub fn by_domain(tenant: &TenantId, domain: &Domain) -> Query {
    sql!("SELECT ", account_columns!(""), " FROM accounts WHERE tenant_id = $1 AND domain = $2")
        .with(values![tenant, domain])
}

/// Sets the name.
pub fn rename(tenant: &TenantId, account: &Account) -> Query {
    sql!("UPDATE accounts SET name = $3, updated_at = $4 WHERE tenant_id = $1 AND account_id = $2")
        .with(values![tenant, &account.account_id, &account.name, account.updated_at])
}

/// Sets whether it is empty; false if it was so before.
pub fn set_empty(tenant: &TenantId, account_id: &AccountId, is_empty: bool) -> Query {
    sql!("UPDATE accounts SET is_empty = $3 WHERE tenant_id = $1 AND account_id = $2 AND is_empty <> $3")
        .with(values![tenant, account_id, is_empty])
}

/// Whether a living person other than this one belongs to it.
pub fn has_others(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    account_id: &AccountId,
    person_id: &str,
) -> Result<bool> {
    let select = sql!(
        "SELECT 1 AS found FROM persons
         WHERE tenant_id = $1 AND account_id = $2 AND person_id <> $3 AND deleted_at IS NULL LIMIT 1"
    );
    Ok(tx.maybe(select.with(values![tenant, account_id, person_id]))?.is_some())
}

/// Makes an account show in searches, or follows its new name.
pub fn put_name(tenant: &TenantId, account: &Account) -> Query {
    let (name, name_words) = ranked_search::folded(account.name.as_deref().unwrap_or_default());
    let (domain, domain_words) = ranked_search::folded(account.domain.as_str());
    sql!(
        "INSERT INTO account_names (tenant_id, account_id, folded_name, name_words, folded_domain, domain_words)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (tenant_id, account_id) DO UPDATE SET
            folded_name = excluded.folded_name, name_words = excluded.name_words"
    )
    .with(values![tenant, &account.account_id, name, name_words, domain, domain_words])
}

/// When the latest entry of an account's log or its persons' was written, each for itself; a query, to travel with others.
pub fn latest(tenant: &TenantId, account_id: &AccountId) -> Query {
    sql!(
        "SELECT (SELECT l.created_at FROM account_logs l
                 WHERE l.tenant_id = $1 AND l.account_id = $2 AND l.deleted_at IS NULL
                 ORDER BY l.account_log_id DESC LIMIT 1) AS latest_own,
                (SELECT l.created_at FROM person_logs l
                 WHERE l.tenant_id = $1 AND l.account_id = $2 AND l.deleted_at IS NULL
                 ORDER BY l.person_log_id DESC LIMIT 1) AS latest_of_persons"
    )
    .with(values![tenant, account_id])
}

/// The later of both in an answer to [`latest`].
pub fn latest_activity(rows: &[Row]) -> Result<Option<Timestamp>> {
    let Some(row) = rows.first() else { return Ok(None) };
    let own: Option<Timestamp> = row.take("latest_own")?;
    Ok(own.max(row.take("latest_of_persons")?))
}

/// The accounts, or only those without living persons, newest first, after a position; and how many there are in
/// all.
pub fn list(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    only_empty: bool,
    after: Option<&AccountId>,
    extent: Extent,
) -> Result<(ListPart<ListedAccount>, u64)> {
    let from = sql!(", CAST(0 AS BIGINT) AS rank FROM accounts a WHERE a.tenant_id = $1");
    let mut select = LISTED.with(values![tenant]).and(from, values![tenant]);
    if only_empty {
        select = select.and(sql!("AND a.is_empty"), values![]);
    }
    if let Some(account_id) = after {
        select = select.and(sql!("AND a.account_id < $1"), values![account_id]);
    }
    select = select.and(sql!("ORDER BY a.account_id DESC LIMIT $1"), values![extent.rows()]);
    let counter = if only_empty { counters::EMPTY_ACCOUNTS } else { counters::ACCOUNTS };
    let mut answers = tx.batch(vec![select.within(extent.bytes), counters::count(tenant, counter)])?;
    let total = counters::total(&answers.pop().unwrap_or_default())?;
    Ok((ListPart::read(&answers.pop().unwrap_or_default(), extent, listed)?, total))
}

/// The same in an order: by name, domain or creation.
pub fn list_in_order(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    only_empty: bool,
    order: ListOrder,
    after: Option<&OrderedPlace<AccountId>>,
    extent: Extent,
) -> Result<(OrderedPart<AccountId, ListedAccount>, u64)> {
    let ordered = in_order(tenant, only_empty, order.by)?;
    let part = ordered.list(tx, order, "account_id", after, extent, listed)?;
    let counter = if only_empty { counters::EMPTY_ACCOUNTS } else { counters::ACCOUNTS };
    Ok((part, counters::total(&tx.all(counters::count(tenant, counter))?)?))
}

pub(in crate::tables) fn in_order(tenant: &TenantId, only_empty: bool, by: OrderBy) -> Result<Ordered> {
    let select = LISTED.with(values![tenant]).and(sql!(", CAST(0 AS BIGINT) AS rank"), vec![]);
    let all = || {
        let all = sql!(", a.domain AS order_key FROM accounts a WHERE a.tenant_id = $1");
        let all = select.clone().and(all, values![tenant]);
        if only_empty { all.and(sql!("AND a.is_empty"), vec![]) } else { all }
    };
    match by {
        OrderBy::Name => {
            // Joined crosswise, SQLite reads the names first.
            let names = match only_empty {
                true => sql!(
                    ", n.order_key
                     FROM (SELECT n.account_id,
                                  substr(COALESCE(NULLIF(n.folded_name, ''), n.folded_domain), 1, 60) AS order_key
                           FROM account_names n CROSS JOIN accounts e
                           WHERE n.tenant_id = $1 AND e.tenant_id = $1 AND e.account_id = n.account_id AND e.is_empty"
                ),
                false => sql!(
                    ", n.order_key
                     FROM (SELECT n.account_id,
                                  substr(COALESCE(NULLIF(n.folded_name, ''), n.folded_domain), 1, 60) AS order_key
                           FROM account_names n WHERE n.tenant_id = $1"
                ),
            };
            let joins =
                sql!(") n CROSS JOIN accounts a WHERE a.tenant_id = $1 AND a.account_id = n.account_id");
            Ok(Ordered::Key(keyed!(
                select.and(names, values![tenant]),
                "substr(COALESCE(NULLIF(n.folded_name, ''), n.folded_domain), 1, 60)",
                "n.account_id",
                joins.with(values![tenant])
            )))
        }
        OrderBy::Domain => Ok(Ordered::Key(keyed!(all(), "a.domain", "a.account_id"))),
        OrderBy::CreatedAt => Ok(Ordered::Id(by_id!(all(), "a.account_id"))),
        OrderBy::Email => Err(Error::internal("accounts have no such order")),
    }
}

/// The columns of `account_names`; the better of an account's two fields counts.
const NAME_AND_DOMAIN: Fields = Fields {
    exact: sql!("(n.folded_name = $1 OR n.folded_domain = $1) AND $1 <> ''"),
    prefix: sql!("substr(n.folded_name, 1, length($1)) = $1 OR substr(n.folded_domain, 1, length($1)) = $1"),
    word_start: sql!("AND ({strpos}(n.name_words, $1) > 0 OR {strpos}(n.domain_words, $1) > 0)"),
    holds: sql!("AND ({strpos}(n.folded_name, $1) > 0 OR {strpos}(n.folded_domain, $1) > 0)"),
};

/// By `account_names_grams_idx`, whose expression it repeats; without it the search finds the same.
const BY_GRAMS: Narrowing = Narrowing {
    // only: postgres
    older: sql!(
        "SELECT o.account_id FROM account_names o WHERE o.tenant_id = $1
         ORDER BY o.account_id DESC LIMIT 1 OFFSET $2"
    ),
    // only: postgres
    is_recent: sql!(
        "AND n.account_id > COALESCE((SELECT o.account_id FROM account_names o WHERE o.tenant_id = $1
             ORDER BY o.account_id DESC LIMIT 1 OFFSET $2), '')"
    ),
    // only: postgres
    has_grams: sql!(
        "AND string_to_array(
            regexp_replace(n.folded_domain || chr(10) || n.folded_name, '(...)', right(n.tenant_id, 2) || '\\1' || chr(9), 'g') || chr(9)
            || regexp_replace(substr(n.folded_domain || chr(10) || n.folded_name, 2), '(...)', right(n.tenant_id, 2) || '\\1' || chr(9), 'g') || chr(9)
            || regexp_replace(substr(n.folded_domain || chr(10) || n.folded_name, 3), '(...)', right(n.tenant_id, 2) || '\\1' || chr(9), 'g'),
            chr(9)
         ) @> string_to_array($1, chr(9))"
    ),
};

const SEARCH: RankedSearch<ListedAccount> = RankedSearch {
    columns: LISTED,
    ids: sql!("n.account_id AS item_id,"),
    chosen: ranked_search::ITEM_ID,
    fields: NAME_AND_DOMAIN,
    names: sql!("FROM account_names n WHERE n.tenant_id = $1"),
    joins: sql!(
        ") m JOIN accounts a ON a.tenant_id = $1 AND a.account_id = m.item_id WHERE m.tenant_id = $1"
    ),
    narrowing: Some(BY_GRAMS),
    read: listed,
};

const SEARCH_EMPTY: RankedSearch<ListedAccount> = RankedSearch {
    names: sql!(
        "FROM account_names n JOIN accounts e ON e.tenant_id = $1 AND e.account_id = n.account_id
         WHERE n.tenant_id = $1 AND e.is_empty"
    ),
    // Those that are empty have an index of their own, which is read instead.
    narrowing: None,
    ..SEARCH
};

/// The accounts, or only those without living persons, whose name or domain hold every word, best first and newest
/// first within a rank, after a position; and how many match in all. Without words as [`list`].
pub fn search(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    words: &Words,
    only_empty: bool,
    after: Option<&(i64, AccountId)>,
    extent: Extent,
) -> Result<(ListPart<ListedAccount>, u64)> {
    if words.is_blank() {
        return list(tx, tenant, only_empty, after.map(|(_, account_id)| account_id), extent);
    }
    let search = if only_empty { SEARCH_EMPTY } else { SEARCH };
    search.run(tx, tenant, words, after, extent)
}
