//! `audit_entries`: what operators and keys changed of a tenant, or of the server itself. Entries are never changed.
//!
//! What an entry is about is an id, or the digest of one where the id itself must not stay. An entry about the server has no
//! tenant.

use pagesmith_model::actor::Actor;
use pagesmith_model::{AuditEntryId, RequestId, Result, TenantId, Timestamp};

use crate::extent::{Extent, ListPart};
use crate::row::Row;
use crate::sql::Query;
use crate::tables::counters;
use crate::tx::Tx;
use crate::{sql, values};

/// An entry as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// Its id.
    pub audit_entry_id: AuditEntryId,
    /// Whose data it is about; the server itself if there is none.
    pub tenant: Option<TenantId>,
    /// What was done.
    pub action: String,
    /// What it was done to.
    pub subject: String,
    /// Who did it; old entries do not say.
    pub actor: Option<Actor>,
    /// The request that did it, if one did.
    pub request_id: Option<RequestId>,
    /// When.
    pub created_at: Timestamp,
}

/// The columns of an entry, which [`entry`] reads.
macro_rules! entry_columns {
    () => {
        $crate::sql::columns!("" => tenant_id, audit_entry_id, action, subject, actor, request_id, created_at)
    };
}

fn entry(row: &Row) -> Result<AuditEntry> {
    let tenant: String = row.take("tenant_id")?;
    let actor: Option<String> = row.take("actor")?;
    Ok(AuditEntry {
        audit_entry_id: row.take("audit_entry_id")?,
        tenant: TenantId::parse(&tenant),
        action: row.take("action")?,
        subject: row.take("subject")?,
        actor: actor.map(|actor| Actor::from_stored(&actor)),
        request_id: row.take("request_id")?,
        created_at: row.take("created_at")?,
    })
}

/// Adds an entry and counts it in a shard ([`Tx::shard`]); queries, to travel with others.
pub fn insert(entry: &AuditEntry, shard: i64) -> Vec<Query> {
    let tenant = entry.tenant.as_ref().map_or("", TenantId::as_str);
    let insert = sql!(
        "INSERT INTO audit_entries (tenant_id, audit_entry_id, action, subject, actor, request_id, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)"
    );
    let insert = insert.with(values![
        tenant,
        &entry.audit_entry_id,
        &entry.action,
        &entry.subject,
        entry.actor.as_ref().map(Actor::to_stored),
        &entry.request_id,
        entry.created_at,
    ]);
    let count = entry.tenant.as_ref().map(|tenant| counters::add(tenant, counters::AUDIT_ENTRIES, shard, 1));
    [insert].into_iter().chain(count).collect()
}

/// Which entries are wanted.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Of this actor, as it is stored.
    pub actor: Option<String>,
    /// Of this action.
    pub action: Option<String>,
    /// From this one on.
    pub from: Option<AuditEntryId>,
    /// Before the first of an instant.
    pub until: Option<AuditEntryId>,
    /// Before this one, which a reader has come to.
    pub before: Option<AuditEntryId>,
}

impl Filter {
    /// Whether the filter leaves entries out; `before` alone is a place in the list.
    fn narrows(&self) -> bool {
        self.actor.is_some() || self.action.is_some() || self.from.is_some() || self.until.is_some()
    }
}

/// The entries of a tenant, newest first, and their total; no total where the filter leaves entries out.
pub fn list(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    filter: &Filter,
    extent: Extent,
) -> Result<(ListPart<AuditEntry>, Option<u64>)> {
    let mut select = sql!(
        "SELECT ",
        entry_columns!(),
        " FROM audit_entries
         WHERE tenant_id = $1"
    )
    .with(values![tenant]);
    if let Some(actor) = &filter.actor {
        // An operator is stored with a name, which a tenant does not learn.
        select = match actor.as_str() {
            "operator" => {
                select.and(sql!("AND (actor = $1 OR SUBSTR(actor, 1, 9) = $2)"), values![actor, "operator "])
            }
            "server" => select.and(sql!("AND (actor = $1 OR actor = $2)"), values![actor, "worker"]),
            _ => select.and(sql!("AND actor = $1"), values![actor]),
        };
    }
    if let Some(action) = &filter.action {
        select = select.and(sql!("AND action = $1"), values![action]);
    }
    if let Some(from) = &filter.from {
        select = select.and(sql!("AND audit_entry_id >= $1"), values![from]);
    }
    // Whoever has come to an entry has passed the instant before.
    if let Some(before) = filter.before.as_ref().or(filter.until.as_ref()) {
        select = select.and(sql!("AND audit_entry_id < $1"), values![before]);
    }
    select = select.and(sql!("ORDER BY audit_entry_id DESC LIMIT $1"), values![extent.rows()]);
    let mut queries = vec![select.within(extent.bytes)];
    if !filter.narrows() {
        queries.push(counters::count(tenant, counters::AUDIT_ENTRIES));
    }
    let answers = tx.batch(queries)?;
    let total = answers.get(1).map(|rows| counters::total(rows)).transpose()?;
    Ok((ListPart::read(answers.first().map_or(&[], Vec::as_slice), extent, entry)?, total))
}

/// The entries of a tenant about one thing, newest first.
pub fn about(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    subject: &str,
    before: &AuditEntryId,
    limit: i64,
) -> Result<Vec<AuditEntry>> {
    let select = sql!(
        "SELECT ",
        entry_columns!(),
        " FROM audit_entries
         WHERE tenant_id = $1 AND subject = $2 AND audit_entry_id < $3 ORDER BY audit_entry_id DESC LIMIT $4"
    );
    tx.all(select.with(values![tenant, subject, before, limit]))?.iter().map(entry).collect()
}

/// The entries of all tenants and of the server, newest first, after a position.
pub fn list_all(
    tx: &mut Tx<'_>,
    after: Option<&AuditEntryId>,
    extent: Extent,
) -> Result<ListPart<AuditEntry>> {
    // across tenants: an operator reads everything that was done
    let select = sql!(
        "SELECT ",
        entry_columns!(),
        " FROM audit_entries
         WHERE audit_entry_id < $1 ORDER BY audit_entry_id DESC LIMIT $2"
    );
    // Behind every id: they begin with a letter.
    let select = select.with(values![after.map_or("~", AuditEntryId::as_str), extent.rows()]);
    ListPart::read(&tx.all(select.within(extent.bytes))?, extent, entry)
}
