//! `persons`, many at a time: for imports and exports.
//!
//! What this is not: a way to write; a person is only written one by one, with everything that follows from it.

use pagesmith_model::account::Account;
use pagesmith_model::domain::Domain;
use pagesmith_model::person::{Identifiers, Person};
use pagesmith_model::{PersonId, Result, TenantId};

use crate::sql::{Query, Sql};
use crate::tables::accounts::{self, account_columns};
use crate::tables::persons::{self, person_columns};
use crate::tx::Tx;
use crate::value::Value;
use crate::{sql, values};

/// How many identifiers of a kind are looked up at once; all lists have this length, so that few statements are prepared.
pub const LOOKED_UP: usize = 500;

/// The living persons who have one of these identifiers, each once; up to [`LOOKED_UP`] of them.
pub fn owners(tx: &mut Tx<'_>, tenant: &TenantId, identifiers: &[&Identifiers]) -> Result<Vec<Person>> {
    let emails = sql!(
        "SELECT ",
        person_columns!(""),
        " FROM persons WHERE tenant_id = $1 AND deleted_at IS NULL AND email IN ($2"
    );
    let profiles = sql!(
        "SELECT ",
        person_columns!(""),
        " FROM persons WHERE tenant_id = $1 AND deleted_at IS NULL AND linkedin_profile_url IN ($2"
    );
    let phones = sql!(
        "SELECT ",
        person_columns!(""),
        " FROM persons WHERE tenant_id = $1 AND deleted_at IS NULL AND phone_number IN ($2"
    );
    let queries = [
        among(emails, tenant, identifiers.iter().filter_map(|some| some.email.as_ref().map(Value::from))),
        among(
            profiles,
            tenant,
            identifiers.iter().filter_map(|some| some.linkedin_profile_url.as_ref().map(Value::from)),
        ),
        among(
            phones,
            tenant,
            identifiers.iter().filter_map(|some| some.phone_number.as_ref().map(Value::from)),
        ),
    ];
    let mut found: Vec<Person> = Vec::new();
    for rows in tx.batch(queries.into_iter().flatten().collect())? {
        found.extend(persons::persons(&rows)?);
    }
    found.sort_by(|a, b| a.person_id.cmp(&b.person_id));
    found.dedup_by(|a, b| a.person_id == b.person_id);
    Ok(found)
}

/// Which of these slugs are somebody's.
pub fn slugs(tx: &mut Tx<'_>, tenant: &TenantId, slugs: &[String]) -> Result<Vec<String>> {
    let select = sql!("SELECT slug FROM persons WHERE tenant_id = $1 AND slug IN ($2");
    let mut taken = Vec::new();
    for some in slugs.chunks(LOOKED_UP) {
        let query = among(select, tenant, some.iter().map(|slug| Value::from(slug.as_str())));
        for row in &query.map_or_else(|| Ok(vec![]), |query| tx.all(query))? {
            taken.push(row.take("slug")?);
        }
    }
    Ok(taken)
}

/// Which of these digests are those of slugs of erased persons.
pub fn retired_slugs(tx: &mut Tx<'_>, tenant: &TenantId, digests: &[[u8; 32]]) -> Result<Vec<Vec<u8>>> {
    let select = sql!("SELECT digest FROM erased_slugs WHERE tenant_id = $1 AND digest IN ($2");
    let mut found = Vec::new();
    for some in digests.chunks(LOOKED_UP) {
        let query = among(select, tenant, some.iter().map(Value::from));
        for row in &query.map_or_else(|| Ok(vec![]), |query| tx.all(query))? {
            found.push(row.take("digest")?);
        }
    }
    Ok(found)
}

/// The accounts of these registrable domains.
pub fn accounts(tx: &mut Tx<'_>, tenant: &TenantId, domains: &[Domain]) -> Result<Vec<Account>> {
    let select =
        sql!("SELECT ", account_columns!(""), " FROM accounts WHERE tenant_id = $1 AND domain IN ($2");
    let mut found = Vec::new();
    for some in domains.chunks(LOOKED_UP) {
        let query = among(select, tenant, some.iter().map(Value::from));
        for row in &query.map_or_else(|| Ok(vec![]), |query| tx.all(query))? {
            found.push(accounts::account(row)?);
        }
    }
    Ok(found)
}

/// A query for the rows with one of the values; none if there is no value.
fn among(select: Sql, tenant: &TenantId, mut wanted: impl Iterator<Item = Value>) -> Option<Query> {
    let mut last = wanted.next()?;
    let mut query = select.with(values![tenant, last.clone()]);
    for _ in 1..LOOKED_UP {
        last = wanted.next().unwrap_or(last);
        query = query.and(sql!(", $1"), vec![last.clone()]);
    }
    Some(query.and(sql!(")"), values![]))
}

/// The living persons, oldest first, after one of them.
pub fn oldest_first(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    after: Option<&PersonId>,
    limit: i64,
) -> Result<Vec<Person>> {
    // `person_texts` holds the living persons, in this very order.
    let select = sql!(
        "SELECT ",
        person_columns!("p."),
        " FROM person_texts t JOIN persons p ON p.tenant_id = $1 AND p.person_id = t.person_id
         WHERE t.tenant_id = $1 AND t.person_id > $2
         ORDER BY t.person_id LIMIT $3"
    );
    let after = after.map_or("", PersonId::as_str);
    persons::persons(&tx.all(select.with(values![tenant, after, limit]))?)
}
