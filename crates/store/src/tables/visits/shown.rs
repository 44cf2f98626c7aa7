//! What is shown to visitors, as far as reports of page views and forms are about it: audiences with a published version.

use pagesmith_model::audience::overrides::ActionOverrides;
use pagesmith_model::json::JsonText;
use pagesmith_model::{AudienceId, PageId, PersonId, Result, TenantId, VersionId};

use crate::row::Row;
use crate::tables::audiences::overrides;
use crate::tx::Tx;
use crate::{sql, values};

/// An audience that is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownAudience {
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
) -> Result<Option<ShownAudience>> {
    let select = sql!(
        "SELECT a.person_id, a.published_version_id FROM audiences a
         JOIN pages p ON p.tenant_id = $1 AND p.page_id = $2 AND p.deleted_at IS NULL AND p.archived_at IS NULL
         WHERE a.tenant_id = $1 AND a.page_id = $2 AND a.audience_id = $3 AND a.archived_at IS NULL
            AND a.published_version_id IS NOT NULL"
    );
    tx.maybe(select.with(values![tenant, page_id, audience_id]))?.as_ref().map(shown).transpose()
}

fn shown(row: &Row) -> Result<ShownAudience> {
    Ok(ShownAudience { person_id: row.take("person_id")?, version_id: row.take("published_version_id")? })
}

/// What a visitor of an audience is asked to do.
#[derive(Debug, Clone, PartialEq)]
pub struct ShownActions {
    /// The audience.
    pub shown: ShownAudience,
    /// The page's actions, as they are kept.
    pub actions: JsonText,
    /// What the audience says instead.
    pub overrides: ActionOverrides,
    /// The document of the version.
    pub content: Option<JsonText>,
}

/// The actions of an audience of a page, if visitors are shown it.
pub fn find_actions(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    page_id: &PageId,
    audience_id: &AudienceId,
) -> Result<Option<ShownActions>> {
    let select = sql!(
        "SELECT a.person_id, a.published_version_id, a.action_url_override, a.action_form_id_override,
                a.action_form_instructions_override, p.actions, c.content
         FROM audiences a
         JOIN pages p ON p.tenant_id = $1 AND p.page_id = $2 AND p.deleted_at IS NULL AND p.archived_at IS NULL
         LEFT JOIN version_contents c ON c.tenant_id = $1 AND c.version_id = a.published_version_id
         WHERE a.tenant_id = $1 AND a.page_id = $2 AND a.audience_id = $3 AND a.archived_at IS NULL
            AND a.published_version_id IS NOT NULL"
    );
    let row = tx.maybe(select.with(values![tenant, page_id, audience_id]))?;
    let read = |row: &Row| {
        Ok(ShownActions {
            shown: shown(row)?,
            actions: row.take("actions")?,
            overrides: overrides(row)?,
            content: row.take("content")?,
        })
    };
    row.as_ref().map(read).transpose()
}
