//! `person_logs`: what happened to persons, entry by entry, deleted entries included.

use pagesmith_model::log::{Entry, NewPersonLog, PersonLog};
use pagesmith_model::{AccountId, PersonId, PersonLogId, Result, TenantId, Timestamp};

use crate::extent::{Extent, ListPart};
use crate::fault::{self, OnConstraint};
use crate::row::Row;
use crate::sql::Query;
use crate::tables::log_tallies::{self, Owner};
use crate::tx::Tx;
use crate::{sql, values};

/// What an entry's row keeps for when it is sent again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentLog {
    /// The entry.
    pub log: PersonLog,
    /// The digest of what was sent.
    pub digest: Option<Vec<u8>>,
    /// Whether the person was made for it.
    pub created_person: bool,
}

/// The part of an entry that both kinds of log have.
pub(super) fn entry(row: &Row) -> Result<Entry> {
    Ok(Entry {
        source: row.take("source")?,
        kind: row.take("type")?,
        payload: row.take("payload")?,
        idempotency_key: row.take("idempotency_key")?,
        created_at: row.take("created_at")?,
        updated_at: row.take("updated_at")?,
        deleted_at: row.take("deleted_at")?,
    })
}

fn log(row: &Row) -> Result<PersonLog> {
    Ok(PersonLog {
        person_id: row.take("person_id")?,
        person_log_id: row.take("person_log_id")?,
        entry: entry(row)?,
    })
}

/// An entry to be written.
#[derive(Debug)]
pub struct Writing<'a> {
    /// Its id.
    pub person_log_id: &'a PersonLogId,
    /// What was sent.
    pub new: &'a NewPersonLog,
    /// The digest of that, if it names itself.
    pub digest: Option<&'a [u8; 32]>,
    /// When.
    pub now: Timestamp,
}

/// Adds an entry; a query, to travel with others. Of its idempotency key there must be none.
pub fn insert(
    tenant: &TenantId,
    person_id: &PersonId,
    account_id: Option<&AccountId>,
    created_person: bool,
    writing: &Writing<'_>,
) -> Query {
    let new = writing.new;
    sql!(
        "INSERT INTO person_logs
            (tenant_id, person_id, person_log_id, account_id, source, type, payload, idempotency_key,
             request_digest, created_person, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
    )
    .with(values![
        tenant,
        person_id,
        writing.person_log_id,
        account_id,
        new.source.as_str(),
        new.kind.as_str(),
        &new.payload,
        &new.idempotency_key,
        writing.digest.map(<[u8; 32]>::as_slice),
        created_person,
        writing.now
    ])
}

/// Adds an entry for the living person who has all the identifiers that were sent, in one statement; who it is is answered, and
/// nothing if there is no such person, or an entry of the idempotency key.
pub fn insert_for_known(tenant: &TenantId, writing: &Writing<'_>) -> Query {
    let new = writing.new;
    // The digest goes without a CAST: SQLite knows no type BYTEA and would make a number of it.
    let mut insert = sql!(
        "INSERT INTO person_logs
            (tenant_id, person_id, person_log_id, account_id, source, type, payload, idempotency_key,
             request_digest, created_person, created_at)
         SELECT tenant_id, person_id, CAST($2 AS TEXT), account_id, CAST($3 AS TEXT), CAST($4 AS TEXT),
                CAST($5 AS TEXT), CAST($6 AS TEXT), $7, CAST($8 AS BOOLEAN), CAST($9 AS BIGINT)
         FROM persons WHERE tenant_id = $1 AND deleted_at IS NULL"
    )
    .with(values![
        tenant,
        writing.person_log_id,
        new.source.as_str(),
        new.kind.as_str(),
        &new.payload,
        &new.idempotency_key,
        writing.digest.map(<[u8; 32]>::as_slice),
        false,
        writing.now
    ]);
    if let Some(person_id) = &new.person_id {
        insert = insert.and(sql!("AND person_id = $1"), values![person_id]);
    }
    if let Some(email) = &new.email {
        insert = insert.and(sql!("AND email = $1"), values![email]);
    }
    if let Some(profile) = &new.linkedin_profile_url {
        insert = insert.and(sql!("AND linkedin_profile_url = $1"), values![profile]);
    }
    if let Some(phone) = &new.phone_number {
        insert = insert.and(sql!("AND phone_number = $1"), values![phone]);
    }
    insert.and(
        sql!(
            "ON CONFLICT (tenant_id, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
             RETURNING person_id"
        ),
        values![],
    )
}

/// Turns the loss of an idempotency key to another transaction into another try.
pub fn lost_race<T>(result: Result<T>) -> Result<T> {
    let again = || fault::retry("another transaction has written this entry");
    result.on_constraint("person_logs_tenant_id_idempotency_key_key", again)
}

/// The entry of an idempotency key, whosever it is; a query, to travel with others, whose row is read by [`sent`].
pub fn by_key(tenant: &TenantId, key: &str) -> Query {
    sql!(
        "SELECT person_id, person_log_id, source, type, payload, idempotency_key, created_at, updated_at,
                deleted_at, request_digest, created_person
         FROM person_logs WHERE tenant_id = $1 AND idempotency_key = $2"
    )
    .with(values![tenant, key])
}

/// The entry in an answer to [`by_key`].
pub fn sent(row: &Row) -> Result<SentLog> {
    Ok(SentLog {
        digest: row.take("request_digest")?,
        created_person: row.take("created_person")?,
        log: log(row)?,
    })
}

/// The entry, deleted or not.
pub fn find(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    person_id: &PersonId,
    person_log_id: &PersonLogId,
) -> Result<Option<PersonLog>> {
    let select = sql!(
        "SELECT person_id, person_log_id, source, type, payload, idempotency_key, created_at, updated_at,
                deleted_at
         FROM person_logs WHERE tenant_id = $1 AND person_id = $2 AND person_log_id = $3"
    );
    tx.maybe(select.with(values![tenant, person_id, person_log_id]))?.as_ref().map(log).transpose()
}

/// A person's entries, newest first, after a position; and how many there are in all.
pub fn list(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    person_id: &PersonId,
    include_deleted: bool,
    after: Option<&str>,
    extent: Extent,
) -> Result<(ListPart<PersonLog>, log_tallies::Total)> {
    let mut select = sql!(
        "SELECT person_id, person_log_id, source, type, payload, idempotency_key, created_at, updated_at,
                deleted_at
         FROM person_logs WHERE tenant_id = $1 AND person_id = $2"
    )
    .with(values![tenant, person_id]);
    if !include_deleted {
        // across tenants: the statement that this continues names the tenant
        select = select.and(sql!("AND deleted_at IS NULL"), values![]);
    }
    if let Some(after) = after {
        select = select.and(sql!("AND person_log_id < $1"), values![after]);
    }
    select = select.and(sql!("ORDER BY person_log_id DESC LIMIT $1"), values![extent.rows()]);
    let mut answers =
        tx.batch(vec![select.within(extent.bytes), log_tallies::count(tenant, &Owner::Person(person_id))])?;
    let total = log_tallies::total(&answers.pop().unwrap_or_default(), include_deleted)?;
    Ok((ListPart::read(&answers.pop().unwrap_or_default(), extent, log)?, total))
}

/// Entries of the persons of an account with the names of those persons, newest first, after a position; a query, to travel
/// with others, whose rows are read by [`of_account_row`].
pub fn of_account(
    tenant: &TenantId,
    account_id: &AccountId,
    include_deleted: bool,
    after: Option<&str>,
    extent: Extent,
) -> Query {
    let mut select = sql!(
        "SELECT l.person_id, l.person_log_id, l.source, l.type, l.payload, l.idempotency_key, l.created_at,
                l.updated_at, l.deleted_at, p.name AS person_name
         FROM person_logs l JOIN persons p ON p.tenant_id = l.tenant_id AND p.person_id = l.person_id
         WHERE l.tenant_id = $1 AND l.account_id = $2"
    )
    .with(values![tenant, account_id]);
    if !include_deleted {
        // across tenants: the statement that this continues names the tenant
        select = select.and(sql!("AND l.deleted_at IS NULL"), values![]);
    }
    if let Some(after) = after {
        select = select.and(sql!("AND l.person_log_id < $1"), values![after]);
    }
    select.and(sql!("ORDER BY l.person_log_id DESC LIMIT $1"), values![extent.rows()]).within(extent.bytes)
}

/// The person's name and the entry in a row of [`of_account`].
pub fn of_account_row(row: &Row) -> Result<(String, PersonLog)> {
    Ok((row.take("person_name")?, log(row)?))
}

/// The newest entries of a person that are not deleted.
pub fn newest(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    person_id: &PersonId,
    limit: i64,
) -> Result<Vec<PersonLog>> {
    let select = sql!(
        "SELECT person_id, person_log_id, source, type, payload, idempotency_key, created_at, updated_at, deleted_at
         FROM person_logs WHERE tenant_id = $1 AND person_id = $2 AND deleted_at IS NULL
         ORDER BY person_log_id DESC LIMIT $3"
    );
    tx.all(select.with(values![tenant, person_id, limit]))?.iter().map(log).collect()
}

/// Replaces what can change of an entry: its payload and whether it is deleted.
pub fn update(tx: &mut Tx<'_>, tenant: &TenantId, log: &PersonLog) -> Result<()> {
    let update = sql!(
        "UPDATE person_logs SET payload = $4, updated_at = $5, deleted_at = $6
         WHERE tenant_id = $1 AND person_id = $2 AND person_log_id = $3"
    );
    let entry = &log.entry;
    tx.run(update.with(values![
        tenant,
        &log.person_id,
        &log.person_log_id,
        &entry.payload,
        entry.updated_at,
        entry.deleted_at
    ]))?;
    Ok(())
}

/// Lets all entries of a person show in the activity of an account, or of none.
pub fn move_to(tenant: &TenantId, person_id: &PersonId, account_id: Option<&AccountId>) -> Query {
    sql!("UPDATE person_logs SET account_id = $3 WHERE tenant_id = $1 AND person_id = $2")
        .with(values![tenant, person_id, account_id])
}

/// Removes all entries of a person for good.
pub fn remove_all(tenant: &TenantId, person_id: &PersonId) -> Query {
    sql!("DELETE FROM person_logs WHERE tenant_id = $1 AND person_id = $2").with(values![tenant, person_id])
}
