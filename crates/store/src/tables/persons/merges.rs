//! `person_merges`: persons that were merged into others.
//!
//! What has moved with a person is marked in its own row (`merged_from_id`), so that taking a merge back moves just that. When a merge cannot be taken
//! back any more, it ends: the marks and the fields go, and it still tells who was merged into whom.

use pagesmith_model::actor::Actor;
use pagesmith_model::json::JsonText;
use pagesmith_model::person::merge::{Collision, Moving};
use pagesmith_model::{AccountId, PersonId, Result, TenantId, Timestamp};

use crate::row::Row;
use crate::sql::{Query, Sql};
use crate::tx::Tx;
use crate::{sql, values};

/// The columns of a merge, which [`merge`] reads.
macro_rules! merge_columns {
    () => {
        "person_id, into_person_id, fields, actor, merged_at, ended_at"
    };
}

/// A merge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merge {
    /// Who was merged away.
    pub person_id: PersonId,
    /// Into whom.
    pub into_id: PersonId,
    /// The fields of the latter before and after; none of them if the merge has ended.
    pub fields: JsonText,
    /// Who did it.
    pub actor: Actor,
    /// When.
    pub merged_at: Timestamp,
    /// Since when it cannot be taken back any more, and nothing tells what has moved.
    pub ended_at: Option<Timestamp>,
}

fn merge(row: &Row) -> Result<Merge> {
    let actor: String = row.take("actor")?;
    Ok(Merge {
        person_id: row.take("person_id")?,
        into_id: row.take("into_person_id")?,
        fields: row.take("fields")?,
        actor: Actor::from_stored(&actor),
        merged_at: row.take("merged_at")?,
        ended_at: row.take("ended_at")?,
    })
}

/// Adds a merge.
pub fn insert(tenant: &TenantId, merge: &Merge) -> Query {
    sql!(
        "INSERT INTO person_merges (tenant_id, person_id, into_person_id, fields, actor, merged_at)
         VALUES ($1, $2, $3, $4, $5, $6)"
    )
    .with(values![
        tenant,
        &merge.person_id,
        &merge.into_id,
        &merge.fields,
        merge.actor.to_stored(),
        merge.merged_at,
    ])
}

/// The merge of a person that was merged away.
pub fn find(tx: &mut Tx<'_>, tenant: &TenantId, person_id: &PersonId) -> Result<Option<Merge>> {
    let select =
        sql!("SELECT ", merge_columns!(), " FROM person_merges WHERE tenant_id = $1 AND person_id = $2");
    tx.maybe(select.with(values![tenant, person_id]))?.as_ref().map(merge).transpose()
}

/// All merges into a person, in the order of those who were merged away.
pub fn into(tx: &mut Tx<'_>, tenant: &TenantId, into_id: &PersonId) -> Result<Vec<Merge>> {
    let select = sql!(
        "SELECT ",
        merge_columns!(),
        " FROM person_merges WHERE tenant_id = $1 AND into_person_id = $2 ORDER BY person_id"
    );
    tx.all(select.with(values![tenant, into_id]))?.iter().map(merge).collect()
}

/// Up to `limit` merges into a person that are newer than an instant, in the order of those who were merged away.
pub fn into_since(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    into_id: &PersonId,
    after: Timestamp,
    limit: i64,
) -> Result<Vec<Merge>> {
    let select = sql!(
        "SELECT ",
        merge_columns!(),
        " FROM person_merges WHERE tenant_id = $1 AND into_person_id = $2 AND merged_at > $3 ORDER BY person_id LIMIT $4"
    );
    tx.all(select.with(values![tenant, into_id, after, limit]))?.iter().map(merge).collect()
}

/// Up to `limit` merges that are older than an instant and have not ended.
pub fn before(tx: &mut Tx<'_>, tenant: &TenantId, before: Timestamp, limit: i64) -> Result<Vec<Merge>> {
    let select = sql!(
        "SELECT ",
        merge_columns!(),
        " FROM person_merges WHERE tenant_id = $1 AND merged_at <= $2 AND ended_at IS NULL ORDER BY merged_at, person_id LIMIT $3"
    );
    tx.all(select.with(values![tenant, before, limit]))?.iter().map(merge).collect()
}

/// Ends a merge: from then on it tells only who was merged into whom.
pub fn end(tenant: &TenantId, person_id: &PersonId, now: Timestamp) -> Query {
    sql!("UPDATE person_merges SET fields = '{}', ended_at = $3 WHERE tenant_id = $1 AND person_id = $2")
        .with(values![tenant, person_id, now])
}

/// Removes the merge of a person that was merged away.
pub fn remove(tenant: &TenantId, person_id: &PersonId) -> Query {
    sql!("DELETE FROM person_merges WHERE tenant_id = $1 AND person_id = $2").with(values![tenant, person_id])
}

/// How much would move with a person into another one.
pub fn moving(tx: &mut Tx<'_>, tenant: &TenantId, from: &PersonId, into: &PersonId) -> Result<Moving> {
    let counts = [
        sql!("SELECT COUNT(*) AS total FROM person_logs WHERE tenant_id = $1 AND person_id = $2")
            .with(values![tenant, from]),
        sql!(
            "SELECT COUNT(*) AS total FROM audiences a
             WHERE a.tenant_id = $1 AND a.person_id = $2 AND a.person_id IS NOT NULL AND NOT EXISTS (
                SELECT o.page_id FROM audiences o
                WHERE o.tenant_id = $1 AND o.person_id = $3 AND o.person_id IS NOT NULL AND o.page_id = a.page_id)"
        )
        .with(values![tenant, from, into]),
        sql!(
            "SELECT COUNT(*) AS total FROM form_submissions
             WHERE tenant_id = $1 AND person_id = $2 AND person_id IS NOT NULL"
        )
        .with(values![tenant, from]),
        sql!(
            "SELECT COUNT(*) AS total FROM audience_sessions
             WHERE tenant_id = $1 AND person_id = $2 AND person_id IS NOT NULL"
        )
        .with(values![tenant, from]),
    ];
    let mut totals = [0; 4];
    for (total, count) in totals.iter_mut().zip(counts) {
        *total = tx.one(count)?.get("total")?;
    }
    let [logs, audiences, submissions, sessions] = totals;
    Ok(Moving { logs, audiences, submissions, sessions })
}

/// Pages on which both persons have an audience of their own, up to `limit`.
pub fn collisions(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    from: &PersonId,
    into: &PersonId,
    limit: i64,
) -> Result<Vec<Collision>> {
    let select = sql!(
        "SELECT a.page_id, a.audience_id, o.audience_id AS kept_audience_id
         FROM audiences a JOIN audiences o ON o.tenant_id = $1 AND o.person_id = $3 AND o.person_id IS NOT NULL AND o.page_id = a.page_id
         WHERE a.tenant_id = $1 AND a.person_id = $2 AND a.person_id IS NOT NULL ORDER BY a.page_id LIMIT $4"
    );
    let read = |row: &Row| {
        Ok(Collision {
            page_id: row.take("page_id")?,
            audience_id: row.take("audience_id")?,
            kept_audience_id: row.take("kept_audience_id")?,
        })
    };
    tx.all(select.with(values![tenant, from, into, limit]))?.iter().map(read).collect()
}

/// Gives everything of a person to another one, with a mark; audiences of pages on which the other one has one stay.
pub fn move_into(
    tenant: &TenantId,
    from: &PersonId,
    into: &PersonId,
    account_id: Option<&AccountId>,
    now: Timestamp,
) -> Vec<Query> {
    vec![
        sql!(
            "UPDATE person_logs SET person_id = $3, account_id = $4, merged_from_id = $2
             WHERE tenant_id = $1 AND person_id = $2"
        )
        .with(values![tenant, from, into, account_id]),
        sql!(
            "UPDATE audiences SET person_id = $3, merged_from_id = $2, updated_at = $4
             WHERE tenant_id = $1 AND person_id = $2 AND person_id IS NOT NULL AND NOT EXISTS (
                SELECT o.page_id FROM audiences o
                WHERE o.tenant_id = $1 AND o.person_id = $3 AND o.person_id IS NOT NULL AND o.page_id = audiences.page_id)"
        )
        .with(values![tenant, from, into, now]),
        sql!(
            "UPDATE form_submissions SET person_id = $3, merged_from_id = $2
             WHERE tenant_id = $1 AND person_id = $2 AND person_id IS NOT NULL"
        )
        .with(values![tenant, from, into]),
        sql!(
            "UPDATE audience_sessions SET person_id = $3, merged_from_id = $2
             WHERE tenant_id = $1 AND person_id = $2 AND person_id IS NOT NULL"
        )
        .with(values![tenant, from, into]),
    ]
}

/// Gives everything back to a person that has moved into another one.
pub fn move_back(
    tenant: &TenantId,
    from: &PersonId,
    into: &PersonId,
    account_id: Option<&AccountId>,
    now: Timestamp,
) -> Vec<Query> {
    vec![
        sql!(
            "UPDATE person_logs SET person_id = $2, account_id = $4, merged_from_id = NULL
             WHERE tenant_id = $1 AND person_id = $3 AND merged_from_id = $2"
        )
        .with(values![tenant, from, into, account_id]),
        sql!(
            "UPDATE audiences SET person_id = $2, merged_from_id = NULL, updated_at = $4
             WHERE tenant_id = $1 AND person_id = $3 AND person_id IS NOT NULL AND merged_from_id = $2"
        )
        .with(values![tenant, from, into, now]),
        sql!(
            "UPDATE form_submissions SET person_id = $2, merged_from_id = NULL
             WHERE tenant_id = $1 AND person_id = $3 AND person_id IS NOT NULL AND merged_from_id = $2"
        )
        .with(values![tenant, from, into]),
        sql!(
            "UPDATE audience_sessions SET person_id = $2, merged_from_id = NULL
             WHERE tenant_id = $1 AND person_id = $3 AND person_id IS NOT NULL AND merged_from_id = $2"
        )
        .with(values![tenant, from, into]),
    ]
}

/// Forgets what has moved from a person into another one: from then on it is like everything else.
pub fn forget_moves(tenant: &TenantId, from: &PersonId, into: &PersonId) -> Vec<Query> {
    let marked = |query: Sql| query.with(values![tenant, from, into]);
    vec![
        marked(sql!(
            "UPDATE person_logs SET merged_from_id = NULL
             WHERE tenant_id = $1 AND person_id = $3 AND merged_from_id = $2"
        )),
        marked(sql!(
            "UPDATE audiences SET merged_from_id = NULL
             WHERE tenant_id = $1 AND person_id = $3 AND person_id IS NOT NULL AND merged_from_id = $2"
        )),
        marked(sql!(
            "UPDATE form_submissions SET merged_from_id = NULL
             WHERE tenant_id = $1 AND person_id = $3 AND person_id IS NOT NULL AND merged_from_id = $2"
        )),
        marked(sql!(
            "UPDATE audience_sessions SET merged_from_id = NULL
             WHERE tenant_id = $1 AND person_id = $3 AND person_id IS NOT NULL AND merged_from_id = $2"
        )),
    ]
}
