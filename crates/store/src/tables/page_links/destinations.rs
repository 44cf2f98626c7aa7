//! What links are checked and followed by, read from `pages`, `audiences` and `audience_versions`.

use std::collections::{BTreeSet, HashMap};

use pagesmith_model::page::access::{self, PageAccess};
use pagesmith_model::{AudienceId, PageId, Result, TenantId, Timestamp, VersionId};

use crate::row::Row;
use crate::sql::Query;
use crate::tables::listed;
use crate::tx::Tx;
use crate::value::Value;
use crate::{sql, values};

/// The page, deleted or not, whose address begins with this segment.
pub fn page_with_slug(tx: &mut Tx<'_>, tenant: &TenantId, slug: &str) -> Result<Option<PageId>> {
    let select = sql!("SELECT page_id FROM pages WHERE tenant_id = $1 AND slug = $2");
    tx.maybe(select.with(values![tenant, slug]))?.map(|row| row.get("page_id")).transpose()
}

/// The address of a page that is not deleted.
pub fn page_slug(tx: &mut Tx<'_>, tenant: &TenantId, page_id: &str) -> Result<Option<String>> {
    let select = sql!("SELECT slug FROM pages WHERE tenant_id = $1 AND page_id = $2 AND deleted_at IS NULL");
    tx.maybe(select.with(values![tenant, page_id]))?.map(|row| row.get("slug")).transpose()
}

/// The pages of audiences; of pages that are deleted, nothing.
pub fn pages_of(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    audiences: &BTreeSet<AudienceId>,
) -> Result<HashMap<AudienceId, PageId>> {
    if audiences.is_empty() {
        return Ok(HashMap::new());
    }
    // The key of `audiences` begins with the page; each audience has a version, which names it.
    let select = sql!(
        "SELECT DISTINCT v.audience_id, v.page_id FROM audience_versions v
         JOIN pages p ON p.tenant_id = $1 AND p.page_id = v.page_id AND p.deleted_at IS NULL
         WHERE v.tenant_id = $1 AND v.audience_id IN ("
    );
    let select =
        listed(select.with(values![tenant]), audiences.iter().map(Value::from)).and(sql!(")"), vec![]);
    let read = |row: &Row| Ok((row.take("audience_id")?, row.take("page_id")?));
    tx.all(select)?.iter().map(read).collect()
}

/// An audience that links lead to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkedAudience {
    /// The page's part of its address.
    pub page_slug: String,
    /// Its own part: the secret one where the other leads nowhere.
    pub slug: String,
    /// Whether visitors see a page there.
    pub is_shown: bool,
}

/// Asks for an audience, by its id alone; a query, to travel with others.
pub fn audience(tenant: &TenantId, audience_id: &AudienceId) -> Query {
    // The key of `audiences` begins with the page; each audience has a version, which names it.
    sql!(
        "SELECT p.slug AS page_slug, p.archived_at AS page_archived_at, p.deleted_at AS page_deleted_at, a.slug,
                a.secret_slug, a.access, a.person_id, a.archived_at, a.published_version_id,
                s.person_page_access AS of_persons, o.deleted_at AS person_deleted_at
         FROM (SELECT page_id FROM audience_versions WHERE tenant_id = $1 AND audience_id = $2 ORDER BY version_id LIMIT 1) v
         JOIN pages p ON p.tenant_id = $1 AND p.page_id = v.page_id
         JOIN audiences a ON a.tenant_id = $1 AND a.page_id = v.page_id AND a.audience_id = $2
         LEFT JOIN tenant_sites s ON s.tenant_id = $1
         LEFT JOIN persons o ON o.tenant_id = $1 AND o.person_id = a.person_id"
    )
    .with(values![tenant, audience_id])
}

/// The audience in an answer to [`audience`].
pub fn read_audience(rows: &[Row]) -> Result<Option<LinkedAudience>> {
    let Some(row) = rows.first() else { return Ok(None) };
    let (secret_slug, person_id): (Option<String>, Option<String>) =
        (row.take("secret_slug")?, row.take("person_id")?);
    let (set, of_persons): (Option<PageAccess>, Option<PageAccess>) =
        (row.take("access")?, row.take("of_persons")?);
    let access =
        access::effective(secret_slug.is_some(), person_id.is_some(), set, of_persons.unwrap_or_default());
    let ended: [Option<Timestamp>; 4] = [
        row.take("page_deleted_at")?,
        row.take("page_archived_at")?,
        row.take("archived_at")?,
        row.take("person_deleted_at")?,
    ];
    let is_published = row.take::<Option<VersionId>>("published_version_id")?.is_some();
    let is_gone = ended.iter().any(Option::is_some);
    Ok(Some(LinkedAudience {
        page_slug: row.take("page_slug")?,
        slug: match secret_slug {
            Some(secret) if access != PageAccess::Open => secret,
            _ => row.take("slug")?,
        },
        // A signed page is opened by its own links alone.
        is_shown: is_published && !is_gone && access != PageAccess::Signed,
    }))
}
