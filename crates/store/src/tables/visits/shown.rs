//! What is shown to visitors, as far as reports of page views are about it: audiences with a published version.

use pagesmith_model::{AudienceId, PageId, PersonId, Result, TenantId, VersionId};

use crate::tx::Tx;
use crate::{sql, values};

/// An audience that is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The person whose page it is.
    pub person_id: Option<PersonId>,
    /// The version that visitors see.
    pub version_id: VersionId,
}

/// The audience of a page, if visitors are shown it.
pub fn find(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    page_id: &PageId,
    audience_id: &AudienceId,
) -> Result<Option<Shown>> {
    let select = sql!(
        "SELECT a.person_id, a.published_version_id FROM audiences a
         JOIN pages p ON p.tenant_id = $1 AND p.page_id = $2 AND p.deleted_at IS NULL AND p.archived_at IS NULL
         WHERE a.tenant_id = $1 AND a.page_id = $2 AND a.audience_id = $3 AND a.archived_at IS NULL
            AND a.published_version_id IS NOT NULL"
    );
    let row = tx.maybe(select.with(values![tenant, page_id, audience_id]))?;
    let read = |row: crate::Row| {
        Ok(Shown { person_id: row.take("person_id")?, version_id: row.take("published_version_id")? })
    };
    row.map(read).transpose()
}
