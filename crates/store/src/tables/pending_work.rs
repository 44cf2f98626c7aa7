//! `pending_work`: the tenants that may have work of a kind, a row each.
//!
//! Invariant: a tenant with a row in `generations`, or with a delivery that waits, has its row here. Whoever adds work runs
//! [`add`] in the same transaction. The transaction of [`remove`] has read that there is
//! none, and [`add`] has read that there is a row. Both run in a `write`: if they meet, one of them runs again.

use pagesmith_model::webhook::EventType;
use pagesmith_model::{Error, Result, TenantId};

use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// A kind of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkKind {
    /// Versions that wait to be written, or are being written.
    Generations,
    /// Deliveries that wait for an attempt, or are being attempted.
    Deliveries,
    /// Pages that wait to be read, or are being read.
    Readings,
    /// Entries of topics that wait to be indexed or removed.
    Knowledge,
    /// Pictures that wait for their variants, or whose variants are being made.
    Pictures,
    /// Sessions of visitors that are open.
    Sessions,
    /// Messages that wait to be carried out.
    Messages,
    /// Submissions that wait for their enrichment.
    Enrichments,
    /// Pictures that wait for a model to say what they show.
    Descriptions,
    /// Files of persons that wait to be imported.
    PersonImports,
}

impl WorkKind {
    /// As it is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            WorkKind::Generations => "generations",
            WorkKind::Deliveries => "deliveries",
            WorkKind::Readings => "readings",
            WorkKind::Knowledge => "knowledge",
            WorkKind::Pictures => "pictures",
            WorkKind::Sessions => "sessions",
            WorkKind::Messages => "messages",
            WorkKind::Enrichments => "enrichments",
            WorkKind::Descriptions => "descriptions",
            WorkKind::PersonImports => "person_imports",
        }
    }

    /// Every kind.
    pub const ALL: [WorkKind; 10] = [
        WorkKind::Generations,
        WorkKind::Deliveries,
        WorkKind::Readings,
        WorkKind::Knowledge,
        WorkKind::Pictures,
        WorkKind::Sessions,
        WorkKind::Messages,
        WorkKind::Enrichments,
        WorkKind::Descriptions,
        WorkKind::PersonImports,
    ];

    /// The kind that is stored so; nothing if this program knows none.
    pub fn parse(text: &str) -> Option<WorkKind> {
        WorkKind::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// The kind of a row.
fn kind_of(row: &Row) -> Result<WorkKind> {
    let found = WorkKind::parse(&row.get::<String>("kind")?);
    found.ok_or_else(|| Error::internal("pending work of an unknown kind"))
}

/// The first kind of work behind this one that some tenant may have, as it is stored; behind an empty text the first of all.
pub fn kind_after(tx: &mut Tx<'_>, after: &str) -> Result<Option<String>> {
    // across tenants: work is looked for everywhere
    let select = sql!("SELECT MIN(kind) AS kind FROM pending_work WHERE kind > $1");
    tx.one(select.with(values![after]))?.take("kind")
}

// On PostgreSQL, that no row exists is asked for first, because that is a read which conflicts with the removal of the row; `ON CONFLICT`
// alone is none. It is there for changes that add work twice.

/// Notes that a tenant has work; a query, to travel with the one that adds it.
pub fn add(tenant: &TenantId, kind: WorkKind) -> Query {
    sql!(
        "INSERT INTO pending_work (kind, tenant_id) SELECT $2, $1
         WHERE {one_writer} OR NOT EXISTS (SELECT p.kind FROM pending_work p WHERE p.tenant_id = $1 AND p.kind = $2)
         ON CONFLICT (kind, tenant_id) DO NOTHING"
    )
    .with(values![tenant, kind.as_str()])
}

/// Notes that a tenant has deliveries, if a subscription wants events of that type; a query, to travel with the one that adds them.
pub fn add_matching(tenant: &TenantId, event_type: EventType) -> Query {
    sql!(
        "INSERT INTO pending_work (kind, tenant_id) SELECT 'deliveries', $1
         WHERE ({one_writer} OR NOT EXISTS (SELECT p.kind FROM pending_work p WHERE p.tenant_id = $1 AND p.kind = 'deliveries'))
           AND EXISTS (SELECT s.subscription_id FROM webhook_subscriptions s
                       WHERE s.tenant_id = $1 AND s.active AND s.deleted_at IS NULL AND s.event_bits & $2 <> 0)
         ON CONFLICT (kind, tenant_id) DO NOTHING"
    )
    .with(values![tenant, event_type.bit()])
}

/// The tenants after `after`, in the order of ids, that may have work of this kind, up to `limit`; a query, to travel with
/// others, for [`tenants`].
pub fn tenants_after(kind: WorkKind, after: &str, limit: i64) -> Query {
    // across tenants: work is looked for everywhere
    sql!("SELECT tenant_id FROM pending_work WHERE kind = $1 AND tenant_id > $2 ORDER BY tenant_id LIMIT $3")
        .with(values![kind.as_str(), after, limit])
}

/// The tenants in the rows of [`tenants_after`].
pub fn tenants(rows: &[Row]) -> Result<Vec<TenantId>> {
    rows.iter().map(|row| row.take("tenant_id")).collect()
}

/// Up to `limit` rows after one, in the order of kinds and tenants.
pub fn list(
    tx: &mut Tx<'_>,
    after: Option<&(WorkKind, TenantId)>,
    limit: i64,
) -> Result<Vec<(WorkKind, TenantId)>> {
    // across tenants: a sweep for all of them
    let select = sql!(
        "SELECT kind, tenant_id FROM pending_work WHERE (kind, tenant_id) > ($1, $2) ORDER BY kind, tenant_id LIMIT $3"
    );
    let (kind, tenant) = after.map_or(("", ""), |(kind, tenant)| (kind.as_str(), tenant.as_str()));
    let rows = tx.all(select.with(values![kind, tenant, limit]))?;
    let read = |row: &Row| Ok((kind_of(row)?, row.get("tenant_id")?));
    rows.iter().map(read).collect()
}

/// The kinds of work that a tenant may have.
pub fn kinds_of(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<Vec<WorkKind>> {
    let select = sql!("SELECT kind FROM pending_work WHERE tenant_id = $1 ORDER BY kind");
    let rows = tx.all(select.with(values![tenant]))?;
    rows.iter().map(kind_of).collect()
}

/// Whether a tenant has no work of this kind.
pub fn is_idle(tx: &mut Tx<'_>, tenant: &TenantId, kind: WorkKind) -> Result<bool> {
    let select = match kind {
        WorkKind::Generations => sql!("SELECT version_id FROM generations WHERE tenant_id = $1 LIMIT 1"),
        WorkKind::Deliveries => sql!(
            "SELECT s.subscription_id FROM webhook_subscriptions s
             WHERE s.tenant_id = $1 AND (
                SELECT d.event_id FROM deliveries d
                WHERE d.tenant_id = $1 AND d.subscription_id = s.subscription_id
                    AND d.stage IS NOT NULL AND d.stage = 'waiting'
                ORDER BY d.event_id LIMIT 1) IS NOT NULL
             LIMIT 1"
        ),
        WorkKind::Readings => sql!(
            "SELECT topic_entry_id FROM entry_readings WHERE tenant_id = $1 AND due_at IS NOT NULL LIMIT 1"
        ),
        WorkKind::Pictures => {
            sql!("SELECT file_content_id FROM pictures WHERE tenant_id = $1 AND due_at IS NOT NULL LIMIT 1")
        }
        WorkKind::Sessions => sql!(
            "SELECT audience_session_id FROM audience_sessions WHERE tenant_id = $1 AND closes_at IS NOT NULL LIMIT 1"
        ),
        WorkKind::Knowledge => sql!(
            "SELECT tenant_id FROM tenants t WHERE t.tenant_id = $1 AND (
                EXISTS (SELECT r.topic_id FROM topic_removals r WHERE r.tenant_id = $1)
                OR EXISTS (SELECT c.topic_id FROM knowledge_changes c WHERE c.tenant_id = $1)
                OR EXISTS (SELECT k.number FROM knowledge_chunks k WHERE k.tenant_id = $1 AND k.state <> 'posted'))"
        ),
        WorkKind::Messages => sql!("SELECT audience_id FROM message_runs WHERE tenant_id = $1 LIMIT 1"),
        WorkKind::Enrichments => sql!("SELECT submission_id FROM enrichments WHERE tenant_id = $1 LIMIT 1"),
        WorkKind::Descriptions => {
            sql!("SELECT asset_id FROM asset_descriptions WHERE tenant_id = $1 LIMIT 1")
        }
        WorkKind::PersonImports => sql!(
            "SELECT person_import_id FROM person_imports WHERE tenant_id = $1 AND due_at IS NOT NULL LIMIT 1"
        ),
    };
    Ok(tx.maybe(select.with(values![tenant]))?.is_none())
}

/// Forgets a tenant that has no work of this kind; only in the `write` in which [`is_idle`] has said so.
pub fn remove(tenant: &TenantId, kind: WorkKind) -> Query {
    sql!("DELETE FROM pending_work WHERE tenant_id = $1 AND kind = $2").with(values![tenant, kind.as_str()])
}
