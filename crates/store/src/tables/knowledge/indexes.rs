//! `knowledge_indexes`: a row for each tenant that knows something.

use pagesmith_model::{Result, TenantId, Timestamp};

use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// The index of a tenant.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Index {
    /// The number of the next chunk.
    pub next_number: i64,
    /// How many chunks can be found.
    pub chunks: u64,
    /// The languages of all chunks there have been, a bit each.
    pub languages: i64,
    /// How often it has changed.
    pub revision: i64,
}

/// The index of a tenant; an empty one if there is none.
pub fn find(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<Index> {
    let select =
        sql!("SELECT next_number, chunks, languages, revision FROM knowledge_indexes WHERE tenant_id = $1");
    tx.maybe(select.with(values![tenant]))?.as_ref().map_or(Ok(Index::default()), read)
}

/// Reads the columns of `knowledge_indexes` that tell of an index.
pub(in crate::tables) fn read(row: &Row) -> Result<Index> {
    Ok(Index {
        next_number: row.get("next_number")?,
        chunks: row.get::<i64>("chunks")?.try_into().unwrap_or_default(),
        languages: row.get("languages")?,
        revision: row.get::<Option<i64>>("revision")?.unwrap_or_default(),
    })
}

/// Takes over what changed of an index: the next number, more chunks or fewer, and all languages.
pub fn update(tenant: &TenantId, next_number: i64, more_chunks: i64, languages: i64) -> Query {
    sql!(
        "INSERT INTO knowledge_indexes (tenant_id, next_number, chunks, languages, leased_until, revision)
         VALUES ($1, $2, $3, $4, 0, 1)
         ON CONFLICT (tenant_id) DO UPDATE SET next_number = excluded.next_number,
            chunks = knowledge_indexes.chunks + excluded.chunks, languages = excluded.languages,
            revision = COALESCE(knowledge_indexes.revision, 0) + 1"
    )
    .with(values![tenant, next_number, more_chunks, languages])
}

/// Notes that the index has changed, and that so many more chunks can be found.
pub fn changed(tenant: &TenantId, more_chunks: i64) -> Query {
    sql!("UPDATE knowledge_indexes SET chunks = chunks + $2, revision = COALESCE(revision, 0) + 1 WHERE tenant_id = $1")
        .with(values![tenant, more_chunks])
}

/// Lets one worker at a time index a tenant; false if another one does until its lease ends.
pub fn lease(tx: &mut Tx<'_>, tenant: &TenantId, now: Timestamp, until: Timestamp) -> Result<bool> {
    let insert = sql!(
        "INSERT INTO knowledge_indexes (tenant_id, next_number, chunks, languages, leased_until)
         VALUES ($1, 0, 0, 0, 0) ON CONFLICT (tenant_id) DO NOTHING"
    );
    tx.run(insert.with(values![tenant]))?;
    let update =
        sql!("UPDATE knowledge_indexes SET leased_until = $3 WHERE tenant_id = $1 AND leased_until <= $2");
    Ok(tx.run(update.with(values![tenant, now, until]))? > 0)
}

/// Ends the lease.
pub fn release(tenant: &TenantId) -> Query {
    sql!("UPDATE knowledge_indexes SET leased_until = 0 WHERE tenant_id = $1").with(values![tenant])
}
