//! `version_entries`: what was done with versions, and by whom, in the order in which it is written.
//!
//! The entries of a version are a chain: each names the one before it, and the version names the last one. An index by version would have a
//! page for each version, and whoever publishes many would write all of those. That a version is published is also that another one is
//! replaced: one entry, which is in the chains of both. Of a version that is changed very often, the oldest go.

use pagesmith_model::actor::Actor;
use pagesmith_model::json::JsonText;
use pagesmith_model::version::history::VersionAction;
use pagesmith_model::{AudienceId, Error, RequestId, Result, TenantId, Timestamp, VersionEntryId, VersionId};

use crate::extent::{Extent, ListPart};
use crate::row::Row;
use crate::sql::Query;
use crate::tables::listed;
use crate::tx::Tx;
use crate::value::Value;
use crate::{sql, values};

/// An entry as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryEntry {
    /// Its id.
    pub version_entry_id: VersionEntryId,
    /// What was done.
    pub action: VersionAction,
    /// Who did it.
    pub actor: Actor,
    /// The request that did it, or that it goes back to.
    pub request_id: Option<RequestId>,
    /// What else is known.
    pub details: Option<JsonText>,
    /// When.
    pub created_at: Timestamp,
}

fn entry(row: &Row) -> Result<HistoryEntry> {
    let (action, actor): (String, String) = (row.take("action")?, row.take("actor")?);
    Ok(HistoryEntry {
        version_entry_id: row.take("version_entry_id")?,
        action: VersionAction::parse(&action).ok_or_else(|| Error::internal("an unknown action"))?,
        actor: Actor::from_stored(&actor),
        request_id: row.take("request_id")?,
        details: row.take("details")?,
        created_at: row.take("created_at")?,
    })
}

/// What was added to a history in one transaction; the version's row keeps it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Added {
    /// The last of the entries; none if nothing was added.
    pub last: Option<VersionEntryId>,
    /// How many they are.
    pub count: i64,
}

/// The last entries of two versions of an audience, as they were read: of the one that changes, and of the one that it replaces.
pub type LastEntries = [Option<VersionEntryId>; 2];

/// Adds an entry that follows one of the same version, or is its first, and one of the version that is replaced by it, if one is; a query, to
/// travel with others.
pub fn insert(
    tenant: &TenantId,
    version_id: &VersionId,
    entry: &HistoryEntry,
    replaced: Option<&VersionId>,
    [previous, replaced_previous]: [Option<&VersionEntryId>; 2],
) -> Query {
    sql!(
        "INSERT INTO version_entries
            (tenant_id, version_id, version_entry_id, action, actor, request_id, details, created_at, previous_entry_id,
             replaced_version_id, replaced_previous_entry_id)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
    )
    .with(values![
        tenant,
        version_id,
        &entry.version_entry_id,
        entry.action.as_str(),
        entry.actor.to_stored(),
        &entry.request_id,
        &entry.details,
        entry.created_at,
        previous,
        replaced,
        replaced_previous,
    ])
}

/// The same where the rows of the versions say what it follows; if there is a `previous` one of the same transaction, it follows that. A query,
/// to travel with others, before those that have the rows name the entry.
pub fn append(
    tenant: &TenantId,
    (audience_id, version_id): (&AudienceId, &VersionId),
    entry: &HistoryEntry,
    replaced: Option<&VersionId>,
    previous: Option<&VersionEntryId>,
) -> Query {
    sql!(
        "INSERT INTO version_entries
            (tenant_id, version_id, version_entry_id, action, actor, request_id, details, created_at, previous_entry_id,
             replaced_version_id, replaced_previous_entry_id)
         SELECT v.tenant_id, v.version_id, $4, $5, $6, $7, $8, $9, COALESCE($10, v.last_entry_id), r.version_id, r.last_entry_id
         FROM audience_versions v
         LEFT JOIN audience_versions r ON r.tenant_id = $1 AND r.audience_id = v.audience_id AND r.version_id = $11
         WHERE v.tenant_id = $1 AND v.audience_id = $2 AND v.version_id = $3"
    )
    .with(values![
        tenant,
        audience_id,
        version_id,
        &entry.version_entry_id,
        entry.action.as_str(),
        entry.actor.to_stored(),
        &entry.request_id,
        &entry.details,
        entry.created_at,
        previous,
        // Not NULL: PostgreSQL would make of the whole condition that it is never true, and forget which partition it is about.
        replaced.map_or("", VersionId::as_str),
    ])
}

/// Has the version's row name what was added; a query, to travel with others.
pub fn advance(tenant: &TenantId, audience_id: &AudienceId, version_id: &VersionId, added: &Added) -> Query {
    sql!(
        "UPDATE audience_versions SET last_entry_id = $4, entry_count = COALESCE(entry_count, 0) + $5
         WHERE tenant_id = $1 AND audience_id = $2 AND version_id = $3"
    )
    .with(values![tenant, audience_id, version_id, &added.last, added.count])
}

/// The entries of a version, newest first, after a position; and how many there are in all.
pub fn list(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    audience_id: &AudienceId,
    version_id: &VersionId,
    after: Option<&VersionEntryId>,
    extent: Extent,
) -> Result<(ListPart<HistoryEntry>, u64)> {
    let from = match after {
        None => last(tenant, audience_id, version_id),
        Some(after) => sql!(
            "WITH RECURSIVE chain AS (
                SELECT n.version_entry_id,
                       CASE WHEN n.version_id = $2 THEN n.previous_entry_id ELSE n.replaced_previous_entry_id END AS before_it,
                       1 AS place
                FROM version_entries b
                JOIN version_entries n ON n.tenant_id = $1 AND n.version_entry_id =
                     CASE WHEN b.version_id = $2 THEN b.previous_entry_id ELSE b.replaced_previous_entry_id END
                WHERE b.tenant_id = $1 AND b.version_entry_id = $3 AND (b.version_id = $2 OR b.replaced_version_id = $2)"
        )
        .with(values![tenant, version_id, after]),
    };
    let select = up_to(from, tenant, version_id, extent.rows()).and(
        sql!(
            "SELECT h.version_entry_id, CASE WHEN h.version_id = $2 THEN h.action ELSE $3 END AS action, h.actor, h.request_id,
                    CASE WHEN h.version_id = $2 THEN h.details END AS details, h.created_at
             FROM chain c
             JOIN version_entries h ON h.tenant_id = $1 AND h.version_entry_id = c.version_entry_id
             ORDER BY c.place"
        ),
        values![tenant, version_id, VersionAction::Archived.as_str()],
    );
    let count = sql!(
        "SELECT COALESCE(entry_count, 0) AS total FROM audience_versions
         WHERE tenant_id = $1 AND audience_id = $2 AND version_id = $3"
    )
    .with(values![tenant, audience_id, version_id]);
    let mut answers = tx.batch(vec![select.within(extent.bytes), count])?;
    let total = answers.pop().unwrap_or_default().first().map_or(Ok(0), |row| row.get("total"))?;
    Ok((ListPart::read(&answers.pop().unwrap_or_default(), extent, entry)?, total))
}

/// Begins a chain at the last entry of a version.
fn last(tenant: &TenantId, audience_id: &AudienceId, version_id: &VersionId) -> Query {
    sql!(
        "WITH RECURSIVE chain AS (
            SELECT l.version_entry_id,
                   CASE WHEN l.version_id = $3 THEN l.previous_entry_id ELSE l.replaced_previous_entry_id END AS before_it,
                   1 AS place
            FROM audience_versions v
            JOIN version_entries l ON l.tenant_id = $1 AND l.version_entry_id = v.last_entry_id
            WHERE v.tenant_id = $1 AND v.audience_id = $2 AND v.version_id = $3"
    )
    .with(values![tenant, audience_id, version_id])
}

/// Goes on with the chain of a version, up to so many entries.
fn up_to(chain: Query, tenant: &TenantId, version_id: &VersionId, most: i64) -> Query {
    chain.and(
        sql!(
            "UNION ALL
             SELECT e.version_entry_id,
                    CASE WHEN e.version_id = $2 THEN e.previous_entry_id ELSE e.replaced_previous_entry_id END, c.place + 1
             FROM chain c
             JOIN version_entries e ON e.tenant_id = $1 AND e.version_entry_id = c.before_it
             WHERE c.place < $3)"
        ),
        values![tenant, version_id, most],
    )
}

/// Remembers that the history of a version may have become too long; a query, to travel with others.
pub fn note_growth(tenant: &TenantId, audience_id: &AudienceId, version_id: &VersionId) -> Query {
    sql!(
        "INSERT INTO grown_histories (tenant_id, version_id, audience_id) VALUES ($1, $2, $3)
         ON CONFLICT (tenant_id, version_id) DO NOTHING"
    )
    .with(values![tenant, version_id, audience_id])
}

/// A version of a tenant whose history may have become too long.
pub fn grown(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<Option<(AudienceId, VersionId)>> {
    let select = sql!(
        "SELECT audience_id, version_id FROM grown_histories WHERE tenant_id = $1 ORDER BY version_id LIMIT 1"
    );
    let found = tx.maybe(select.with(values![tenant]))?;
    found.map(|row| Ok((row.get("audience_id")?, row.get("version_id")?))).transpose()
}

/// Forgets that the history of a version may have become too long.
pub fn forget_growth(tx: &mut Tx<'_>, tenant: &TenantId, version_id: &VersionId) -> Result<()> {
    let delete = sql!("DELETE FROM grown_histories WHERE tenant_id = $1 AND version_id = $2");
    tx.run(delete.with(values![tenant, version_id])).map(drop)
}

/// Takes up to `at_once` entries that are older than the newest `kept` out of the history of a version, the newest of them first; how many. The
/// chain goes on behind them, so that what is left of it can be removed later. What is in the chain of another version as well stays in that.
pub fn shorten(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    (audience_id, version_id): (&AudienceId, &VersionId),
    kept: i64,
    at_once: i64,
) -> Result<i64> {
    let chain = up_to(last(tenant, audience_id, version_id), tenant, version_id, kept + at_once);
    let places = sql!("SELECT version_entry_id, before_it FROM chain WHERE place >= $1 ORDER BY place");
    let rows = tx.all(chain.and(places, values![kept]))?;
    let Some((oldest_kept, surplus)) = rows.split_first() else { return Ok(0) };
    let Some(last) = surplus.last() else { return Ok(0) };
    let rest: Option<VersionEntryId> = last.get("before_it")?;
    let oldest_kept: VersionEntryId = oldest_kept.get("version_entry_id")?;
    let count = i64::try_from(surplus.len()).map_err(Error::internal)?;
    let mut changes = vec![
        sql!(
            "UPDATE version_entries SET
                previous_entry_id = CASE WHEN version_id = $3 THEN $4 ELSE previous_entry_id END,
                replaced_previous_entry_id = CASE WHEN version_id = $3 THEN replaced_previous_entry_id ELSE $4 END
             WHERE tenant_id = $1 AND version_entry_id = $2"
        )
        .with(values![tenant, &oldest_kept, version_id, &rest]),
        sql!(
            "UPDATE audience_versions SET entry_count = COALESCE(entry_count, 0) - $4
             WHERE tenant_id = $1 AND audience_id = $2 AND version_id = $3"
        )
        .with(values![tenant, audience_id, version_id, count]),
    ];
    let ids =
        surplus.iter().map(|row| row.get("version_entry_id")).collect::<Result<Vec<VersionEntryId>>>()?;
    changes.extend(take_out(tenant, version_id, &ids));
    tx.batch(changes)?;
    Ok(count)
}

/// Takes entries out of the history of a version: each is removed, unless it is also one of another version, whose alone it then is.
fn take_out(tenant: &TenantId, version_id: &VersionId, ids: &[VersionEntryId]) -> [Query; 3] {
    let leave_to_published = sql!(
        "UPDATE version_entries SET replaced_version_id = NULL, replaced_previous_entry_id = NULL
         WHERE tenant_id = $1 AND replaced_version_id = $2 AND version_entry_id IN ("
    );
    let remove = sql!(
        "DELETE FROM version_entries
         WHERE tenant_id = $1 AND version_id = $2 AND replaced_version_id IS NULL AND version_entry_id IN ("
    );
    let leave_to_replaced = sql!(
        "UPDATE version_entries SET
            version_id = replaced_version_id, previous_entry_id = replaced_previous_entry_id, action = $3, details = NULL,
            replaced_version_id = NULL, replaced_previous_entry_id = NULL
         WHERE tenant_id = $1 AND version_id = $2 AND replaced_version_id IS NOT NULL AND version_entry_id IN ("
    );
    [
        leave_to_published.with(values![tenant, version_id]),
        remove.with(values![tenant, version_id]),
        leave_to_replaced.with(values![tenant, version_id, VersionAction::Archived.as_str()]),
    ]
    .map(|query| listed(query, ids.iter().map(Value::from)).and(sql!(")"), vec![]))
}

/// Forgets the histories of the versions of an audience, as long as the versions are there; a query, to travel with others. Both versions of
/// an entry that is of two are of one audience.
pub fn remove_all(tenant: &TenantId, audience_id: &AudienceId) -> Query {
    sql!(
        "DELETE FROM version_entries WHERE tenant_id = $1 AND version_entry_id IN (
            WITH RECURSIVE chain AS (
                SELECT v.version_id, v.last_entry_id AS id FROM audience_versions v WHERE v.tenant_id = $1 AND v.audience_id = $2
                UNION ALL
                SELECT c.version_id,
                       CASE WHEN e.version_id = c.version_id THEN e.previous_entry_id ELSE e.replaced_previous_entry_id END
                FROM chain c
                JOIN version_entries e ON e.tenant_id = $1 AND e.version_entry_id = c.id)
            SELECT id FROM chain)"
    )
    .with(values![tenant, audience_id])
}

/// Forgets which histories of an audience's versions may have become too long; a query, to travel with others.
pub fn forget_growths(tenant: &TenantId, audience_id: &AudienceId) -> Query {
    sql!(
        "DELETE FROM grown_histories WHERE tenant_id = $1 AND version_id IN (
            SELECT version_id FROM audience_versions WHERE tenant_id = $1 AND audience_id = $2)"
    )
    .with(values![tenant, audience_id])
}
