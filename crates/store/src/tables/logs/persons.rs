//! `person_logs`: what only this table does. Its entries also show in the activity of the person's account.

use pagesmith_model::log::{Log, NewPersonLog, PersonLog};
use pagesmith_model::{AccountId, PersonId, PersonLogId, Result, TenantId};

use crate::extent::Extent;
use crate::fault::{self, OnConstraint};
use crate::row::Row;
use crate::sql::Query;
use crate::tables::logs::{self, ENTRY, LogTable, Writing};
use crate::{sql, values};

/// Adds an entry. A taken idempotency key violates a constraint: see [`lost_race`].
pub fn insert(
    tenant: &TenantId,
    person_id: &PersonId,
    account_id: Option<&AccountId>,
    created_person: bool,
    writing: &Writing<'_, PersonId>,
) -> Query {
    let entry = &writing.entry;
    sql!(
        "INSERT INTO person_logs
            (tenant_id, person_id, person_log_id, account_id, source, type, payload, idempotency_key,
             request_digest, created_person, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
    )
    .with(values![
        tenant,
        person_id,
        writing.log_id,
        account_id,
        entry.source.as_str(),
        entry.kind.as_str(),
        entry.payload,
        entry.idempotency_key,
        writing.digest.map(<[u8; 32]>::as_slice),
        created_person,
        writing.now
    ])
}

/// Adds an entry for the living person who has all the identifiers that were sent, in one statement, and returns the
/// `person_id`. There is no row if there is no such person, or an entry with the idempotency key.
pub fn insert_for_known(tenant: &TenantId, new: &NewPersonLog, writing: &Writing<'_, PersonId>) -> Query {
    let entry = &writing.entry;
    // The digest goes without a CAST: SQLite has no type BYTEA and would make a number of it.
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
        writing.log_id,
        entry.source.as_str(),
        entry.kind.as_str(),
        entry.payload,
        entry.idempotency_key,
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

/// Whether the person was created for the entry in a row of [`logs::by_key`].
pub fn created_person(row: &Row) -> Result<bool> {
    row.take("created_person")
}

/// Entries of the persons of an account with the names of those persons, newest first, after a position; their rows
/// are read by [`of_account_row`].
pub fn of_account(
    tenant: &TenantId,
    account_id: &AccountId,
    include_deleted: bool,
    after: Option<&PersonLogId>,
    extent: Extent,
) -> Query {
    let from = sql!(
        ", p.name AS person_name
         FROM person_logs l JOIN persons p ON p.tenant_id = $1 AND p.person_id = l.person_id
         WHERE l.tenant_id = $1 AND l.account_id = $2"
    );
    let select = PersonId::IDS.with(values![]).and(ENTRY, values![]).and(from, values![tenant, account_id]);
    logs::newest_first::<PersonId>(select, include_deleted, after, extent)
}

/// The person's name and the entry in a row of [`of_account`].
pub fn of_account_row(row: &Row) -> Result<(String, PersonLog)> {
    let log: Log<PersonId> = logs::log(row)?;
    Ok((row.take("person_name")?, log))
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
