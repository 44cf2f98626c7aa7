//! `person_texts`: the persons that are not deleted, with their folded fields, for lists and searches.
//!
//! What matches and how it ranks is defined by `model::fields`. Invariant: a person whose text is new or changed is fresh
//! (`document` is [`FRESH`]) until the indexer gives it a number; the number that a changed or removed person had goes
//! to `person_removals` in the same transaction, and is never given again.

use pagesmith_model::{PersonId, Result, TenantId};

use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
use crate::value::Value;
use crate::{sql, tables, values};

/// The document of a person that has none yet.
pub const FRESH: i64 = -1;

/// A person's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonText {
    /// Whose.
    pub person_id: String,
    /// The folded fields, a line each.
    pub fields: String,
    /// Its number in the index, or [`FRESH`].
    pub document: i64,
}

/// One of 32 calls the indexer, so that it finds tenants with much that is fresh and need not ask all of them.
fn call(person: &PersonId) -> Option<i64> {
    person.as_str().ends_with('0').then_some(1)
}

/// Makes a person show in lists and searches; a query, to travel with others.
pub fn insert(tenant: &TenantId, person: &PersonId, fields: &str) -> Query {
    sql!(
        "INSERT INTO person_texts (tenant_id, person_id, fields, document, calls)
         VALUES ($1, $2, $3, -1, $4)"
    )
    .with(values![tenant, person, fields, call(person)])
}

/// The same for many.
pub fn insert_many(tx: &mut Tx<'_>, tenant: &TenantId, persons: &[(PersonId, String)]) -> Result<()> {
    for some in tables::parts(tx.rows_at_once(), persons) {
        let insert = sql!("INSERT INTO person_texts (tenant_id, person_id, fields, document, calls) VALUES");
        let row = |(person, fields): &(PersonId, String)| values![tenant, person, fields, call(person)];
        tx.run(tables::rows(insert.with(vec![]), sql!("($1, $2, $3, -1, $4)"), some.iter().map(row)))?;
    }
    Ok(())
}

/// Follows a person's new fields; queries, to travel with others in this order. The same fields change nothing.
pub fn update(tenant: &TenantId, person: &PersonId, fields: &str) -> [Query; 2] {
    [
        sql!(
            "INSERT INTO person_removals (tenant_id, document)
             SELECT tenant_id, document FROM person_texts
             WHERE tenant_id = $1 AND person_id = $2 AND document >= 0 AND fields <> $3"
        )
        .with(values![tenant, person, fields]),
        sql!(
            "UPDATE person_texts SET fields = $3, document = -1, calls = $4
             WHERE tenant_id = $1 AND person_id = $2 AND fields <> $3"
        )
        .with(values![tenant, person, fields, call(person)]),
    ]
}

/// Takes a person out of lists and searches; queries, to travel with others in this order.
pub fn remove(tenant: &TenantId, person: &PersonId) -> [Query; 2] {
    [
        sql!(
            "INSERT INTO person_removals (tenant_id, document)
             SELECT tenant_id, document FROM person_texts
             WHERE tenant_id = $1 AND person_id = $2 AND document >= 0"
        )
        .with(values![tenant, person]),
        sql!("DELETE FROM person_texts WHERE tenant_id = $1 AND person_id = $2")
            .with(values![tenant, person]),
    ]
}

/// Every fresh person in whose fields a word occurs; a query, to travel with others, for [`texts`].
pub fn fresh(tenant: &TenantId, word: &str) -> Query {
    sql!(
        "SELECT person_id, fields, document FROM person_texts
         WHERE tenant_id = $1 AND document < 0 AND {strpos}(fields, $2) > 0"
    )
    .with(values![tenant, word])
}

/// The persons that have these numbers, in no order; a query, to travel with others, for [`texts`].
pub fn numbered(tenant: &TenantId, documents: &[i64]) -> Query {
    let select = sql!(
        "SELECT t.person_id, t.fields, t.document FROM person_documents d CROSS JOIN person_texts t
         WHERE d.tenant_id = $1 AND t.tenant_id = $1 AND t.person_id = d.person_id
            AND t.document = d.document AND d.document IN ("
    )
    .with(values![tenant]);
    tables::listed(select, documents.iter().map(|document| Value::from(*document))).and(sql!(")"), vec![])
}

/// The rows of an answer.
pub fn texts(rows: &[Row]) -> Result<Vec<PersonText>> {
    let text = |row: &Row| {
        Ok(PersonText {
            person_id: row.take("person_id")?,
            fields: row.take("fields")?,
            document: row.get("document")?,
        })
    };
    rows.iter().map(text).collect()
}

/// Up to `limit` fresh persons that nobody else holds, the oldest first; they are held from now on.
pub fn take_fresh(tx: &mut Tx<'_>, tenant: &TenantId, limit: i64) -> Result<Vec<PersonText>> {
    let select = sql!(
        "SELECT person_id, fields, document FROM person_texts WHERE tenant_id = $1 AND document < 0
         ORDER BY document, person_id LIMIT $2 {skip_locked}"
    );
    texts(&tx.all(select.with(values![tenant, limit]))?)
}

/// Gives these persons the numbers from `first` on.
pub fn number(tx: &mut Tx<'_>, tenant: &TenantId, first: i64, persons: &[PersonText]) -> Result<()> {
    let numbered: Vec<(i64, &str)> =
        (first..).zip(persons).map(|(document, person)| (document, person.person_id.as_str())).collect();
    for some in tables::parts(tx.rows_at_once(), &numbered) {
        if let [(document, person)] = *some {
            // Joined with a list of one, SQLite would make a copy of it first.
            let update = sql!(
                "UPDATE person_texts SET document = $3, calls = NULL WHERE tenant_id = $1 AND person_id = $2"
            );
            tx.run(update.with(values![tenant, person, document]))?;
            continue;
        }
        // only: postgres
        let with = sql!("WITH numbered (of_tenant, of_person, of_document) AS (VALUES");
        // only: postgres
        let each = sql!("($1, $2, CAST($3 AS BIGINT))");
        // only: postgres
        let update = sql!(
            ") UPDATE person_texts SET document = of_document, calls = NULL FROM numbered
             WHERE person_texts.tenant_id = $1 AND tenant_id = of_tenant AND person_id = of_person"
        );
        let row = |(document, person): &(i64, &str)| values![tenant, *person, *document];
        tx.run(tables::rows(with.with(vec![]), each, some.iter().map(row)).and(update, values![tenant]))?;
    }
    Ok(())
}

/// Makes the persons with these numbers fresh again.
pub fn forget_numbers(tenant: &TenantId, from: i64, to: i64) -> Query {
    sql!(
        "UPDATE person_texts SET document = -1, calls = 1
         WHERE tenant_id = $1 AND document >= $2 AND document < $3 AND person_id IN (
            SELECT person_id FROM person_documents WHERE tenant_id = $1 AND document >= $2 AND document < $3)"
    )
    .with(values![tenant, from, to])
}

/// Tenants whose persons call the indexer.
pub fn calling(tx: &mut Tx<'_>, limit: i64) -> Result<Vec<TenantId>> {
    // across tenants: finds the tenants that have work
    let select = sql!(
        "SELECT tenant_id FROM person_texts WHERE calls > 0
         GROUP BY tenant_id ORDER BY tenant_id LIMIT $1"
    );
    tx.all(select.with(values![limit]))?.iter().map(|row| row.get("tenant_id")).collect()
}

/// Whether a tenant has work.
pub fn calls(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<bool> {
    let select = sql!("SELECT person_id FROM person_texts WHERE tenant_id = $1 AND calls > 0 LIMIT 1");
    Ok(tx.maybe(select.with(values![tenant]))?.is_some())
}

/// The calls of a tenant have been heard.
pub fn answer_calls(tenant: &TenantId) -> Query {
    sql!("UPDATE person_texts SET calls = NULL WHERE tenant_id = $1 AND calls > 0").with(values![tenant])
}
