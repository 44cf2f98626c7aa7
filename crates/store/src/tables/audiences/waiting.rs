//! The audiences that wait for somebody: their newest version is a draft, or was cancelled or could not be written.

use pagesmith_model::version::VersionStatus;
use pagesmith_model::{AudienceId, Error, PageId, PersonId, Result, TenantId, Timestamp, VersionId};

use crate::row::Row;
use crate::sql::{Query, Sql};
use crate::tx::Tx;
use crate::{sql, values};

/// How many versions of a status are looked at. Some are not the newest of their audience, or their page is archived.
const LOOKED_AT: i64 = 500;

/// An audience that waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingAudience {
    /// The audience.
    pub audience_id: AudienceId,
    /// What it is called.
    pub effective_name: String,
    /// Whose page it is.
    pub person_id: Option<PersonId>,
    /// Its page.
    pub page_id: PageId,
    /// The page's name.
    pub page_name: String,
    /// Its newest version.
    pub version_id: VersionId,
    /// The status of that version.
    pub status: VersionStatus,
    /// Since when it has that status.
    pub since: Timestamp,
}

/// Up to so many of a tenant's, the one first that has waited for the shortest time. Archived and deleted pages have none.
pub fn list(tx: &mut Tx<'_>, tenant: &TenantId, most: usize) -> Result<Vec<WaitingAudience>> {
    let most_rows = i64::try_from(most).unwrap_or(i64::MAX);
    let answers = tx.batch(vec![drafts(tenant, most_rows), cancelled(tenant, most_rows)])?;
    let mut waiting = answers.iter().flatten().map(read).collect::<Result<Vec<_>>>()?;
    waiting.sort_by(|one, other| (other.since, &other.version_id).cmp(&(one.since, &one.version_id)));
    waiting.truncate(most);
    Ok(waiting)
}

pub(in crate::tables) fn drafts(tenant: &TenantId, most: i64) -> Query {
    let newest = sql!(
        "draft_since AS since FROM audience_versions
         WHERE tenant_id = $1 AND draft_since IS NOT NULL AND status = 'draft' ORDER BY draft_since DESC LIMIT $2"
    );
    waiting(newest, tenant, most)
}

pub(in crate::tables) fn cancelled(tenant: &TenantId, most: i64) -> Query {
    let newest = sql!(
        "cancelled_at AS since FROM audience_versions
         WHERE tenant_id = $1 AND cancelled_at IS NOT NULL AND status = 'cancelled'
         ORDER BY cancelled_at DESC LIMIT $2"
    );
    waiting(newest, tenant, most)
}

/// The audiences whose newest version is among these: since when it has its status, and which ones are looked at.
fn waiting(newest: Sql, tenant: &TenantId, most: i64) -> Query {
    let columns = sql!(
        "SELECT a.audience_id, COALESCE(a.custom_name, a.computed_name) AS effective_name, a.person_id, g.page_id,
                g.name AS page_name, w.version_id, w.status, w.since
         FROM (SELECT tenant_id, page_id, audience_id, version_id, status,"
    );
    let joined = sql!(
        ") w
         JOIN audiences a ON a.tenant_id = $1 AND a.page_id = w.page_id AND a.audience_id = w.audience_id
              AND a.latest_version_id = w.version_id
         JOIN pages g ON g.tenant_id = $1 AND g.page_id = w.page_id
         WHERE w.tenant_id = $1 AND a.archived_at IS NULL AND g.archived_at IS NULL AND g.deleted_at IS NULL
         ORDER BY w.since DESC, w.version_id DESC LIMIT $2"
    );
    let found = columns.with(values![]).and(newest, values![tenant, LOOKED_AT]);
    found.and(joined, values![tenant, most])
}

fn read(row: &Row) -> Result<WaitingAudience> {
    let status: String = row.get("status")?;
    let status = VersionStatus::parse(&status);
    Ok(WaitingAudience {
        audience_id: row.get("audience_id")?,
        effective_name: row.get("effective_name")?,
        person_id: row.get("person_id")?,
        page_id: row.get("page_id")?,
        page_name: row.get("page_name")?,
        version_id: row.get("version_id")?,
        status: status.ok_or_else(|| Error::internal("a version of an unknown status"))?,
        since: row.get("since")?,
    })
}
