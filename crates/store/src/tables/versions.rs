//! `audience_versions`: the versions of audiences, without their content.

use pagesmith_model::version::{Life, Version, VersionStatus};
use pagesmith_model::{AudienceId, Error, PageId, Result, TenantId, Timestamp, VersionId};

use crate::extent::{Extent, ListPart};
use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

use history::Added;

pub mod contents;
pub mod generations;
pub mod history;
pub mod schedules;
pub mod writings;

/// The columns of a version that is read together with its audience: `joined_columns!("l." as "l_")`, or their names.
macro_rules! joined_columns {
    ($($form:tt)+) => {
        $crate::sql::columns!(
            $($form)+ => version_id, number, status, publish_when_ready, has_content, tries, supplementary_context,
            created_at, queued_at, started_at, became_draft_at, published_at, cancelled_at, archived_at, obsolete_at
        )
    };
}

/// The columns of a version.
macro_rules! version_columns {
    () => {
        concat!("page_id, audience_id, ", joined_columns!(""))
    };
}

pub(super) use joined_columns;

/// The names of a version's columns in a row.
pub(super) struct Names([&'static str; 15]);

const PLAIN: Names = Names(joined_columns!(names ""));
/// Of the newest version of an audience, which is read together with it.
pub(super) const LATEST: Names = Names(joined_columns!(names "l_"));
/// Of its live version.
pub(super) const LIVE: Names = Names(joined_columns!(names "p_"));

fn version(row: &Row) -> Result<Version> {
    let (page_id, audience_id) = (row.take("page_id")?, row.take("audience_id")?);
    joined(row, &PLAIN, (&page_id, &audience_id))
}

/// A version of this audience in the columns of these names.
pub(super) fn joined(
    row: &Row,
    Names(names): &Names,
    (page_id, audience_id): (&PageId, &AudienceId),
) -> Result<Version> {
    let status: String = row.take(names[2])?;
    Ok(Version {
        version_id: row.take(names[0])?,
        audience_id: audience_id.clone(),
        page_id: page_id.clone(),
        supplementary_context: row.take(names[6])?,
        life: Life {
            number: row.take(names[1])?,
            status: VersionStatus::parse(&status)
                .ok_or_else(|| Error::internal("a version of an unknown status"))?,
            publish_when_ready: row.take(names[3])?,
            has_content: row.take(names[4])?,
            tries: row.take(names[5])?,
            created_at: row.take(names[7])?,
            queued_at: row.take(names[8])?,
            started_at: row.take(names[9])?,
            became_draft_at: row.take(names[10])?,
            published_at: row.take(names[11])?,
            cancelled_at: row.take(names[12])?,
            archived_at: row.take(names[13])?,
            obsolete_at: row.take(names[14])?,
        },
    })
}

/// Since when a version has waited as a draft that was never live. A column of its own: were an index to name one that publishing changes,
/// PostgreSQL would write new entries into all indexes at each publication, and other publications would conflict with that.
fn draft_since(life: &Life) -> Option<Timestamp> {
    let waits = life.status == VersionStatus::Draft && life.published_at.is_none();
    life.became_draft_at.filter(|_| waits)
}

/// Adds a version, and notes what was added to its history; a query, to travel with others.
pub fn insert(tenant: &TenantId, version: &Version, added: &Added) -> Query {
    let life = &version.life;
    sql!(
        "INSERT INTO audience_versions
            (tenant_id, audience_id, version_id, page_id, number, status, publish_when_ready, has_content, tries,
             supplementary_context, created_at, queued_at, started_at, became_draft_at, published_at, cancelled_at,
             archived_at, obsolete_at, draft_since, last_entry_id, entry_count)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)"
    )
    .with(values![
        tenant,
        &version.audience_id,
        &version.version_id,
        &version.page_id,
        life.number,
        life.status.as_str(),
        life.publish_when_ready,
        life.has_content,
        life.tries,
        &version.supplementary_context,
        life.created_at,
        life.queued_at,
        life.started_at,
        life.became_draft_at,
        life.published_at,
        life.cancelled_at,
        life.archived_at,
        life.obsolete_at,
        draft_since(life),
        &added.last,
        added.count,
    ])
}

/// The version, if it is one of the audience.
pub fn find(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    audience_id: &AudienceId,
    version_id: &VersionId,
) -> Result<Option<Version>> {
    let select = sql!(
        "SELECT ",
        version_columns!(),
        " FROM audience_versions WHERE tenant_id = $1 AND audience_id = $2 AND version_id = $3"
    );
    let found = tx.maybe(select.with(values![tenant, audience_id, version_id]))?;
    found.map(|row| version(&row)).transpose()
}

/// The oldest version of an audience in a status.
pub fn oldest(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    audience_id: &AudienceId,
    status: VersionStatus,
) -> Result<Option<Version>> {
    let select = sql!(
        "SELECT ",
        version_columns!(),
        " FROM audience_versions WHERE tenant_id = $1 AND audience_id = $2 AND status = $3 ORDER BY number LIMIT 1"
    );
    let found = tx.maybe(select.with(values![tenant, audience_id, status.as_str()]))?;
    found.map(|row| version(&row)).transpose()
}

/// The versions of an audience, newest first, in one of the statuses if there are any, after the one of a number; and how many
/// of them there are in all, if statuses are given: without, it is the number of the newest.
pub fn list(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    audience_id: &AudienceId,
    statuses: &[VersionStatus],
    after: Option<i64>,
    extent: Extent,
) -> Result<(ListPart<Version>, Option<u64>)> {
    let mut select = sql!(
        "SELECT ",
        version_columns!(),
        " FROM audience_versions WHERE tenant_id = $1 AND audience_id = $2"
    )
    .with(values![tenant, audience_id]);
    let mut count =
        sql!("SELECT COUNT(*) AS total FROM audience_versions WHERE tenant_id = $1 AND audience_id = $2")
            .with(values![tenant, audience_id]);
    if !statuses.is_empty() {
        (select, count) = (with_status(select, statuses), with_status(count, statuses));
    }
    if let Some(number) = after {
        select = select.and(sql!("AND number < $1"), values![number]);
    }
    select = select.and(sql!("ORDER BY number DESC LIMIT $1"), values![extent.rows()]).within(extent.bytes);
    let read = |rows: &[Row]| ListPart::read(rows, extent, version);
    if statuses.is_empty() {
        return Ok((read(&tx.all(select)?)?, None));
    }
    let mut answers = tx.batch(vec![select, count])?;
    let total = answers.pop().unwrap_or_default().first().map_or(Ok(0), |row| row.get("total"))?;
    Ok((read(&answers.pop().unwrap_or_default())?, Some(total)))
}

/// Only those in one of the statuses.
fn with_status(query: Query, statuses: &[VersionStatus]) -> Query {
    let status = |at: usize| statuses.get(at).or(statuses.last()).map(|status| status.as_str());
    // Padded with the last status to as many as there are, so that it is always the same statement.
    query.and(
        sql!("AND status IN ($1, $2, $3, $4, $5, $6, $7)"),
        values![status(0), status(1), status(2), status(3), status(4), status(5), status(6)],
    )
}

/// Replaces everything of a version that differs from before, and notes what was added to its history; a query, to travel with others.
pub fn update(tenant: &TenantId, before: &Life, version: &Version, added: &Added) -> Query {
    let life = &version.life;
    if is_only_live_or_not(before, life) {
        return update_live_or_not(tenant, version, added);
    }
    sql!(
        "UPDATE audience_versions SET
            status = $4, publish_when_ready = $5, has_content = $6, tries = $7, queued_at = $8, started_at = $9,
            became_draft_at = $10, published_at = $11, cancelled_at = $12, archived_at = $13, obsolete_at = $14,
            draft_since = $15, last_entry_id = COALESCE($16, last_entry_id), entry_count = COALESCE(entry_count, 0) + $17
         WHERE tenant_id = $1 AND audience_id = $2 AND version_id = $3"
    )
    .with(values![
        tenant,
        &version.audience_id,
        &version.version_id,
        life.status.as_str(),
        life.publish_when_ready,
        life.has_content,
        life.tries,
        life.queued_at,
        life.started_at,
        life.became_draft_at,
        life.published_at,
        life.cancelled_at,
        life.archived_at,
        life.obsolete_at,
        draft_since(life),
        &added.last,
        added.count,
    ])
}

/// Whether nothing changes but what going live, or being replaced, changes of most versions. SQLite looks into the indexes of every column that is
/// set, whatever it is set to, so that these changes have statements of their own.
fn is_only_live_or_not(before: &Life, life: &Life) -> bool {
    let Life { status, published_at, archived_at, obsolete_at, .. } = before.clone();
    let as_before = Life { status, published_at, archived_at, obsolete_at, ..life.clone() };
    as_before == *before && draft_since(before) == draft_since(life)
}

fn update_live_or_not(tenant: &TenantId, version: &Version, added: &Added) -> Query {
    let life = &version.life;
    sql!(
        "UPDATE audience_versions SET
            status = $4, published_at = $5, archived_at = $6, obsolete_at = $7,
            last_entry_id = COALESCE($8, last_entry_id), entry_count = COALESCE(entry_count, 0) + $9
         WHERE tenant_id = $1 AND audience_id = $2 AND version_id = $3"
    )
    .with(values![
        tenant,
        &version.audience_id,
        &version.version_id,
        life.status.as_str(),
        life.published_at,
        life.archived_at,
        life.obsolete_at,
        &added.last,
        added.count,
    ])
}

/// Updates a version that goes live and the one that it replaces, each given with its life before; the last entry that was added is one of both
/// histories. Queries, to travel with others.
pub fn update_both(
    tenant: &TenantId,
    (before, version): (&Life, &Version),
    (live, replaced): (&Life, &Version),
    added: &Added,
) -> Vec<Query> {
    if added.count != 1
        || !is_only_live_or_not(before, &version.life)
        || !is_only_live_or_not(live, &replaced.life)
    {
        let added_to_replaced = Added { last: added.last.clone(), count: 1 };
        return vec![
            update(tenant, before, version, added),
            update(tenant, live, replaced, &added_to_replaced),
        ];
    }
    let update = sql!(
        "UPDATE audience_versions SET
            status = CASE WHEN version_id = $3 THEN $5 ELSE $6 END,
            published_at = CASE WHEN version_id = $3 THEN CAST($7 AS BIGINT) ELSE CAST($8 AS BIGINT) END,
            archived_at = CASE WHEN version_id = $3 THEN CAST($9 AS BIGINT) ELSE CAST($10 AS BIGINT) END,
            obsolete_at = CASE WHEN version_id = $3 THEN CAST($11 AS BIGINT) ELSE CAST($12 AS BIGINT) END,
            last_entry_id = $13, entry_count = COALESCE(entry_count, 0) + 1
         WHERE tenant_id = $1 AND audience_id = $2 AND version_id IN ($3, $4)"
    );
    let (is, was) = (&version.life, &replaced.life);
    vec![update.with(values![
        tenant,
        &version.audience_id,
        &version.version_id,
        &replaced.version_id,
        is.status.as_str(),
        was.status.as_str(),
        is.published_at,
        was.published_at,
        is.archived_at,
        was.archived_at,
        is.obsolete_at,
        was.obsolete_at,
        &added.last,
    ])]
}

/// Records that a queued version is being written. Writes only the columns that a claim changes, since a concurrent request to publish
/// changes the others. A query, to travel with others.
pub fn start(tenant: &TenantId, version: &Version) -> Query {
    let life = &version.life;
    sql!(
        "UPDATE audience_versions SET status = $4, started_at = $5, tries = $6
         WHERE tenant_id = $1 AND audience_id = $2 AND version_id = $3"
    )
    .with(values![
        tenant,
        &version.audience_id,
        &version.version_id,
        life.status.as_str(),
        life.started_at,
        life.tries,
    ])
}

/// Marks the drafts of an audience below a number as obsolete, unless they are; a query, to travel with others.
pub fn mark_obsolete(tenant: &TenantId, audience_id: &AudienceId, number: i64, now: Timestamp) -> Query {
    sql!(
        "UPDATE audience_versions SET obsolete_at = $4
         WHERE tenant_id = $1 AND audience_id = $2 AND status = 'draft' AND number < $3 AND obsolete_at IS NULL"
    )
    .with(values![tenant, audience_id, number, now])
}

/// Cancels the pending versions of an audience; a query, to travel with others.
pub fn cancel_pending(tenant: &TenantId, audience_id: &AudienceId, now: Timestamp) -> Query {
    sql!(
        "UPDATE audience_versions SET status = 'cancelled', cancelled_at = $3, publish_when_ready = $4
         WHERE tenant_id = $1 AND audience_id = $2 AND status = 'pending'"
    )
    .with(values![tenant, audience_id, now, false])
}

/// Removes the versions of an audience for good; a query, to travel with others.
pub fn remove_all(tenant: &TenantId, audience_id: &AudienceId) -> Query {
    sql!("DELETE FROM audience_versions WHERE tenant_id = $1 AND audience_id = $2")
        .with(values![tenant, audience_id])
}
