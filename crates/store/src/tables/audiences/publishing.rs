//! What publishing a version depends on, read by one statement and no wider than it is needed: PostgreSQL spends as long on the columns of an
//! answer as on finding its rows.

use pagesmith_model::audience::AudienceLife;
use pagesmith_model::version::Version;
use pagesmith_model::{AudienceId, PageId, Result, TenantId, Timestamp, VersionId};

use crate::tables::versions::history::LastEntries;
use crate::tables::versions::{self, joined_columns};
use crate::tx::Tx;
use crate::{sql, values};

use super::{live_and_site, whole};

/// What publishing a version depends on.
#[derive(Debug, Clone, PartialEq)]
pub struct PublishContext {
    /// When the page was put away.
    pub page_archived_at: Option<Timestamp>,
    /// The audience.
    pub audience: AudienceLife,
    /// The version.
    pub version: Version,
    /// The audience's live version, which may be the same.
    pub live: Option<Version>,
    /// Whether the tenant's site has a home page.
    pub has_home: bool,
    /// Whether anybody has said something in the audience's conversation.
    pub has_conversation: bool,
    /// Whether the tenant is in the list of those with deliveries (`pending_work`).
    pub has_deliveries: bool,
    /// Where the histories of the version and of the live one end.
    pub last_entries: LastEntries,
}

/// Everything that publishing a version depends on; `None` if the ids do not belong to each other or the page is deleted.
pub fn find(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    page_id: &PageId,
    audience_id: &AudienceId,
    version_id: &VersionId,
) -> Result<Option<PublishContext>> {
    let select = sql!(
        "SELECT a.person_id IS NOT NULL OR a.account_id IS NOT NULL AS is_own, a.last_number, a.published_version_id,
                a.archived_at, ",
        joined_columns!("l." as "l_"),
        ", ",
        joined_columns!("p." as "p_"),
        ", g.archived_at AS page_archived_at, l.last_entry_id AS l_last_entry_id, p.last_entry_id AS p_last_entry_id,
                (SELECT r.page_id FROM pages r
                 WHERE r.tenant_id = $1 AND r.page_id = h.home_page_id AND r.deleted_at IS NULL) IS NOT NULL AS has_home,
                (SELECT c.conversation_id FROM conversations c
                 WHERE c.tenant_id = $1 AND c.audience_id = a.audience_id) IS NOT NULL AS has_conversation,
                (SELECT w.kind FROM pending_work w
                 WHERE w.tenant_id = $1 AND w.kind = 'deliveries') IS NOT NULL AS has_deliveries",
        whole!()
    );
    let row = tx.maybe(select.with(values![tenant, page_id, audience_id, version_id]))?;
    let Some(row) = row else { return Ok(None) };
    let audience = AudienceLife {
        is_own: row.take("is_own")?,
        last_number: row.take("last_number")?,
        published_version_id: row.take("published_version_id")?,
        archived_at: row.take("archived_at")?,
    };
    let ids = (page_id, audience_id);
    let version = versions::joined(&row, &versions::LATEST, ids)?;
    let live = match audience.published_version_id {
        Some(_) => Some(versions::joined(&row, &versions::LIVE, ids)?),
        None => None,
    };
    Ok(Some(PublishContext {
        audience,
        version,
        live,
        page_archived_at: row.take("page_archived_at")?,
        last_entries: [row.take("l_last_entry_id")?, row.take("p_last_entry_id")?],
        has_home: row.take("has_home")?,
        has_conversation: row.take("has_conversation")?,
        has_deliveries: row.take("has_deliveries")?,
    }))
}
