//! `person_imports` and `person_import_refusals`: imports of persons from files, and the rows that could not be taken.
//!
//! An import with `due_at` is in the queue of the workers. A worker's lease is an id in the row; without it nothing that the worker writes counts.

use pagesmith_model::json::JsonText;
use pagesmith_model::person_import::{ImportCounts, ImportRefusal, ImportStatus, PersonImport};
use pagesmith_model::{Error, FileId, LeaseId, PersonImportId, RequestId, Result, TenantId, Timestamp};

use crate::extent::{Extent, ListPart};
use crate::row::Row;
use crate::sql::Query;
use crate::tables::leases::Leases;
use crate::tables::{parts, rows, whole};
use crate::tx::Tx;
use crate::{sql, values};

/// The columns of an import, which [`import`] reads.
macro_rules! import_columns {
    () => {
        "person_import_id, file_id, file_name, size, region, columns, status, created, updated, unchanged, refused, position, problem,
         created_at, updated_at, ended_at"
    };
}

fn import(row: &Row) -> Result<PersonImport> {
    let (status, columns): (String, JsonText) = (row.take("status")?, row.take("columns")?);
    Ok(PersonImport {
        person_import_id: row.take("person_import_id")?,
        file_id: row.take("file_id")?,
        file_name: row.take("file_name")?,
        size: row.take("size")?,
        region: row.take("region")?,
        columns: columns.read()?,
        status: ImportStatus::parse(&status)
            .ok_or_else(|| Error::internal("an import with an unknown status"))?,
        counts: ImportCounts {
            created: row.take("created")?,
            updated: row.take("updated")?,
            unchanged: row.take("unchanged")?,
            refused: row.take("refused")?,
        },
        position: row.take("position")?,
        problem: row.take("problem")?,
        created_at: row.take("created_at")?,
        updated_at: row.take("updated_at")?,
        ended_at: row.take("ended_at")?,
    })
}

/// Adds an import that waits for somebody.
pub fn insert(tenant: &TenantId, import: &PersonImport) -> Result<Query> {
    let insert = sql!(
        "INSERT INTO person_imports
            (tenant_id, person_import_id, file_id, file_name, size, region, columns, status, created, updated, unchanged, refused, position,
             created_at, updated_at, tries)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, 0, 0, 0, 0, $9, $9, 0)"
    );
    Ok(insert.with(values![
        tenant,
        &import.person_import_id,
        &import.file_id,
        &import.file_name,
        whole(import.size),
        &import.region,
        &JsonText::of(&import.columns)?,
        import.status.as_str(),
        import.created_at,
    ]))
}

/// The import.
pub fn find(tx: &mut Tx<'_>, tenant: &TenantId, id: &PersonImportId) -> Result<Option<PersonImport>> {
    let select = sql!(
        "SELECT ",
        import_columns!(),
        " FROM person_imports WHERE tenant_id = $1 AND person_import_id = $2"
    );
    tx.maybe(select.with(values![tenant, id]))?.as_ref().map(import).transpose()
}

/// The imports, newest first, after a position; and how many there are in all.
pub fn list(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    after: Option<&PersonImportId>,
    extent: Extent,
) -> Result<(ListPart<PersonImport>, u64)> {
    let count = sql!("SELECT COUNT(*) AS total FROM person_imports WHERE tenant_id = $1");
    let mut select =
        sql!("SELECT ", import_columns!(), " FROM person_imports WHERE tenant_id = $1").with(values![tenant]);
    if let Some(id) = after {
        select = select.and(sql!("AND person_import_id < $1"), values![id]);
    }
    select = select.and(sql!("ORDER BY person_import_id DESC LIMIT $1"), values![extent.rows()]);
    let found = tx.all(select.within(extent.bytes))?;
    let total = tx.one(count.with(values![tenant]))?.get("total")?;
    Ok((ListPart::read(&found, extent, import)?, total))
}

/// How many imports have not ended.
pub fn count_open(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<u64> {
    let select =
        sql!("SELECT COUNT(*) AS total FROM person_imports WHERE tenant_id = $1 AND ended_at IS NULL");
    tx.one(select.with(values![tenant]))?.get("total")
}

/// Some imports that read a file.
pub fn of_file(tx: &mut Tx<'_>, tenant: &TenantId, file: &FileId, limit: i64) -> Result<Vec<PersonImportId>> {
    let select = sql!(
        "SELECT person_import_id FROM person_imports
         WHERE tenant_id = $1 AND file_id = $2 AND file_id IS NOT NULL ORDER BY person_import_id LIMIT $3"
    );
    let found = tx.all(select.with(values![tenant, file, limit]))?;
    found.iter().map(|row| row.take("person_import_id")).collect()
}

/// Some imports that wait for somebody since before an instant.
pub fn waiting_since(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    before: Timestamp,
    limit: i64,
) -> Result<Vec<PersonImportId>> {
    let select = sql!(
        "SELECT person_import_id FROM person_imports
         WHERE tenant_id = $1 AND ended_at IS NULL AND due_at IS NULL AND updated_at <= $2 ORDER BY person_import_id LIMIT $3"
    );
    let found = tx.all(select.with(values![tenant, before, limit]))?;
    found.iter().map(|row| row.take("person_import_id")).collect()
}

/// Some imports that ended before an instant.
pub fn ended_before(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    before: Timestamp,
    limit: i64,
) -> Result<Vec<PersonImportId>> {
    let select = sql!(
        "SELECT person_import_id FROM person_imports
         WHERE tenant_id = $1 AND ended_at IS NOT NULL AND ended_at <= $2 ORDER BY person_import_id LIMIT $3"
    );
    let found = tx.all(select.with(values![tenant, before, limit]))?;
    found.iter().map(|row| row.take("person_import_id")).collect()
}

/// Replaces everything but what names it, and takes it from its worker. With `due_at` it is put into the queue, without it is taken out. The request
/// is the one that has caused this.
pub fn update(
    tenant: &TenantId,
    import: &PersonImport,
    due_at: Option<Timestamp>,
    request_id: Option<&RequestId>,
) -> Result<Query> {
    let update = sql!(
        "UPDATE person_imports SET file_id = $3, region = $4, columns = $5, status = $6, created = $7, updated = $8, unchanged = $9,
                refused = $10, position = $11, problem = $12, updated_at = $13, ended_at = $14, due_at = $15,
                lease_id = NULL, leased_until = NULL, tries = 0, request_id = $16
         WHERE tenant_id = $1 AND person_import_id = $2"
    );
    Ok(update.with(values![
        tenant,
        &import.person_import_id,
        &import.file_id,
        &import.region,
        &JsonText::of(&import.columns)?,
        import.status.as_str(),
        whole(import.counts.created),
        whole(import.counts.updated),
        whole(import.counts.unchanged),
        whole(import.counts.refused),
        whole(import.position),
        &import.problem,
        import.updated_at,
        import.ended_at,
        due_at,
        request_id,
    ]))
}

/// Notes how far a worker is; touches no row if the import is no longer the worker's. Only what is written counts as getting further: a check begins
/// again with each try.
pub fn advance(tenant: &TenantId, import: &PersonImport, lease: &LeaseId) -> Result<Query> {
    let update = sql!(
        "UPDATE person_imports SET columns = $4, created = $5, updated = $6, unchanged = $7, refused = $8, position = $9, updated_at = $10,
                tries = CASE WHEN status = 'checking' THEN tries ELSE 0 END
         WHERE tenant_id = $1 AND person_import_id = $2 AND lease_id = $3"
    );
    Ok(update.with(values![
        tenant,
        &import.person_import_id,
        lease,
        &JsonText::of(&import.columns)?,
        whole(import.counts.created),
        whole(import.counts.updated),
        whole(import.counts.unchanged),
        whole(import.counts.refused),
        whole(import.position),
        import.updated_at,
    ]))
}

/// Lets a worker's lease last longer, and locks the import until the transaction ends; false if it is no longer the worker's.
pub fn renew(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    id: &PersonImportId,
    lease: &LeaseId,
    until: Timestamp,
) -> Result<bool> {
    let update = sql!(
        "UPDATE person_imports SET leased_until = $4 WHERE tenant_id = $1 AND person_import_id = $2 AND lease_id = $3"
    );
    Ok(tx.run(update.with(values![tenant, id, lease, until]))? > 0)
}

/// Since when a tenant's first import that no worker has is due; nothing if none is, or the tenant is suspended.
pub fn due_since(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<Option<Timestamp>> {
    let select = sql!(
        "SELECT MIN(due_at) AS due_at FROM person_imports
         WHERE tenant_id = $1 AND due_at IS NOT NULL AND lease_id IS NULL
           AND NOT EXISTS (SELECT s.tenant_id FROM tenants s WHERE s.tenant_id = $1 AND s.suspended_at IS NOT NULL)"
    );
    tx.maybe(select.with(values![tenant]))?.map_or(Ok(None), |row| row.get("due_at"))
}

/// Whether a tenant has an import that a worker is at: a tenant's imports are carried out one after the other.
pub fn is_busy(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<bool> {
    let select = sql!(
        "SELECT person_import_id FROM person_imports WHERE tenant_id = $1 AND due_at IS NOT NULL AND lease_id IS NOT NULL LIMIT 1"
    );
    Ok(tx.maybe(select.with(values![tenant]))?.is_some())
}

/// The leases of workers.
pub const LEASES: Leases = Leases {
    // across tenants: leases of all tenants expire
    expired: sql!(
        "SELECT DISTINCT tenant_id FROM person_imports
         WHERE lease_id IS NOT NULL AND leased_until <= $1 ORDER BY tenant_id LIMIT $2"
    ),
    end: sql!(
        "UPDATE person_imports SET lease_id = NULL, leased_until = NULL
         WHERE tenant_id = $1 AND lease_id IS NOT NULL AND leased_until <= $2"
    ),
};

/// An import that waits for a worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// It.
    pub import: PersonImport,
    /// How often it was tried.
    pub tries: i64,
    /// The request that caused what is to be done.
    pub request_id: Option<RequestId>,
}

/// The import of a tenant that has been due longest; locked until the transaction ends.
pub fn due(tx: &mut Tx<'_>, tenant: &TenantId, now: Timestamp) -> Result<Option<Waiting>> {
    let select = sql!(
        "SELECT ",
        import_columns!(),
        ", tries, request_id FROM person_imports
         WHERE tenant_id = $1 AND due_at IS NOT NULL AND due_at <= $2 AND lease_id IS NULL
         ORDER BY due_at, person_import_id LIMIT 1 {skip_locked}"
    );
    let read = |row: &Row| {
        Ok(Waiting { import: import(row)?, tries: row.get("tries")?, request_id: row.take("request_id")? })
    };
    tx.maybe(select.with(values![tenant, now]))?.as_ref().map(read).transpose()
}

/// Leases an import to a worker.
pub fn lease(tenant: &TenantId, id: &PersonImportId, lease: &LeaseId, until: Timestamp) -> Query {
    sql!(
        "UPDATE person_imports SET lease_id = $3, leased_until = $4, tries = tries + 1
         WHERE tenant_id = $1 AND person_import_id = $2"
    )
    .with(values![tenant, id, lease, until])
}

/// Gives a lease up; the try does not count.
pub fn hand_back(tenant: &TenantId, id: &PersonImportId, lease: &LeaseId) -> Query {
    sql!(
        "UPDATE person_imports SET lease_id = NULL, leased_until = NULL, tries = CASE WHEN tries > 0 THEN tries - 1 ELSE 0 END
         WHERE tenant_id = $1 AND person_import_id = $2 AND lease_id = $3"
    )
    .with(values![tenant, id, lease])
}

/// Ends a lease for a time, after which the import is tried again.
pub fn postpone(tenant: &TenantId, id: &PersonImportId, lease: &LeaseId, due_at: Timestamp) -> Query {
    sql!(
        "UPDATE person_imports SET lease_id = NULL, leased_until = NULL, due_at = $4
         WHERE tenant_id = $1 AND person_import_id = $2 AND lease_id = $3"
    )
    .with(values![tenant, id, lease, due_at])
}

/// Removes an import; its refusals are removed first.
pub fn remove(tenant: &TenantId, id: &PersonImportId) -> Query {
    sql!("DELETE FROM person_imports WHERE tenant_id = $1 AND person_import_id = $2")
        .with(values![tenant, id])
}

/// Adds rows that could not be taken, except those that are known.
pub fn add_refusals(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    id: &PersonImportId,
    refusals: &[ImportRefusal],
) -> Result<()> {
    for some in parts(tx.rows_at_once(), refusals) {
        let insert =
            sql!("INSERT INTO person_import_refusals (tenant_id, person_import_id, line, reason) VALUES");
        let row = |refusal: &ImportRefusal| values![tenant, id, whole(refusal.line), refusal.reason.as_str()];
        let insert = rows(insert.with(vec![]), sql!("($1, $2, $3, $4)"), some.iter().map(row));
        tx.run(insert.and(sql!("ON CONFLICT (tenant_id, person_import_id, line) DO NOTHING"), vec![]))?;
    }
    Ok(())
}

/// The rows that could not be taken, in the order of the file, after a line.
pub fn refusals(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    id: &PersonImportId,
    after: u64,
    extent: Extent,
) -> Result<ListPart<ImportRefusal>> {
    let select = sql!(
        "SELECT line, reason FROM person_import_refusals
         WHERE tenant_id = $1 AND person_import_id = $2 AND line > $3 ORDER BY line LIMIT $4"
    );
    let found = tx.all(select.with(values![tenant, id, whole(after), extent.rows()]).within(extent.bytes))?;
    let read = |row: &Row| Ok(ImportRefusal { line: row.get("line")?, reason: row.take("reason")? });
    ListPart::read(&found, extent, read)
}

/// How many rows that could not be taken are kept.
pub fn count_refusals(tx: &mut Tx<'_>, tenant: &TenantId, id: &PersonImportId) -> Result<u64> {
    let select = sql!(
        "SELECT COUNT(*) AS total FROM person_import_refusals WHERE tenant_id = $1 AND person_import_id = $2"
    );
    tx.one(select.with(values![tenant, id]))?.get("total")
}

/// Forgets the rows that could not be taken.
pub fn remove_refusals(tenant: &TenantId, id: &PersonImportId) -> Query {
    sql!("DELETE FROM person_import_refusals WHERE tenant_id = $1 AND person_import_id = $2")
        .with(values![tenant, id])
}
