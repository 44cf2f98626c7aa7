//! Site targets: what the addresses of a tenant's site resolve to, read from `pages`, `audiences` and `tenant_sites` together.
//!
//! Asked for at every visit, so each is one statement that reads rows by their keys. Invariant: a target changes whenever anything
//! changes that its page shows.

use pagesmith_model::json::JsonText;
use pagesmith_model::page::access::{self, PageAccess};
use pagesmith_model::{AudienceId, PageId, Result, TenantId, Timestamp, VersionId};

use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// What an address of a site leads to: enough to tell whether anything that it shows has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteTarget {
    /// The page.
    pub page_id: PageId,
    /// When the page last changed.
    pub page_updated_at: Timestamp,
    /// The audience; `None` where no audience of the page is shown.
    pub audience_id: Option<AudienceId>,
    /// When the audience last changed.
    pub audience_updated_at: Option<Timestamp>,
    /// The version that is live.
    pub version_id: Option<VersionId>,
    /// Whether the page or the audience was put away, or the person whose page it is deleted.
    pub is_gone: bool,
    /// Who may open it.
    pub access: PageAccess,
    /// How often that has changed for the audience.
    pub access_changes: i64,
    /// Whether it was found by its secret address.
    pub is_by_secret: bool,
    /// How often the settings of the site have changed.
    pub site_revision: i64,
}

fn target(row: &Row) -> Result<SiteTarget> {
    let page_archived_at: Option<Timestamp> = row.take("page_archived_at")?;
    let audience_archived_at: Option<Timestamp> = row.take("audience_archived_at")?;
    Ok(SiteTarget {
        page_id: row.take("page_id")?,
        page_updated_at: row.take("page_updated_at")?,
        audience_id: row.take("audience_id")?,
        audience_updated_at: row.take("audience_updated_at")?,
        version_id: row.take("version_id")?,
        is_gone: page_archived_at.is_some() || audience_archived_at.is_some(),
        access: PageAccess::Open,
        access_changes: 0,
        is_by_secret: false,
        site_revision: row.take("site_revision")?,
    })
}

/// What a page's own link leads to: the oldest of its audiences that are shown and not a person's or an account's
/// own. Nothing if the page is not there or deleted.
pub fn oldest_published(tx: &mut Tx<'_>, tenant: &TenantId, page_slug: &str) -> Result<Option<SiteTarget>> {
    let select = sql!(
        "SELECT p.page_id, p.updated_at AS page_updated_at, p.archived_at AS page_archived_at, a.audience_id,
                a.updated_at AS audience_updated_at, a.archived_at AS audience_archived_at,
                a.published_version_id AS version_id, COALESCE(s.revision, 0) AS site_revision
         FROM pages p
         LEFT JOIN tenant_sites s ON s.tenant_id = $1
         LEFT JOIN audiences a ON a.tenant_id = $1 AND a.page_id = p.page_id AND a.audience_id = (
              SELECT o.audience_id FROM audiences o
              WHERE o.tenant_id = $1 AND o.page_id = p.page_id AND o.archived_at IS NULL
                AND o.published_version_id IS NOT NULL AND o.person_id IS NULL AND o.account_id IS NULL
              ORDER BY o.audience_id LIMIT 1)
         WHERE p.tenant_id = $1 AND p.slug = $2 AND p.deleted_at IS NULL"
    );
    tx.maybe(select.with(values![tenant, page_slug]))?.as_ref().map(target).transpose()
}

/// What an audience's link leads to, by either of its addresses. Nothing if its page is not there or deleted.
pub fn find_by_slug(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    page_slug: &str,
    slug: &str,
) -> Result<Option<SiteTarget>> {
    if access::may_be_random(slug)
        && let Some(row) = tx.maybe(by_secret(tenant, page_slug, slug))?
    {
        return own(&row, true).map(Some);
    }
    tx.maybe(by_slug(tenant, page_slug, slug))?.map(|row| own(&row, false)).transpose()
}

fn by_slug(tenant: &TenantId, page_slug: &str, slug: &str) -> Query {
    sql!(
        "SELECT p.page_id, p.updated_at AS page_updated_at, p.archived_at AS page_archived_at, a.audience_id,
                a.updated_at AS audience_updated_at, a.archived_at AS audience_archived_at,
                a.published_version_id AS version_id, COALESCE(s.revision, 0) AS site_revision, a.person_id,
                a.access, a.access_changes, a.secret_slug, s.person_page_access AS of_persons,
                o.deleted_at AS person_deleted_at
         FROM pages p
         LEFT JOIN tenant_sites s ON s.tenant_id = $1
         JOIN audiences a ON a.tenant_id = $1 AND a.page_id = p.page_id AND a.slug = $3
         LEFT JOIN persons o ON o.tenant_id = $1 AND o.person_id = a.person_id
         WHERE p.tenant_id = $1 AND p.slug = $2 AND p.deleted_at IS NULL"
    )
    .with(values![tenant, page_slug, slug])
}

fn by_secret(tenant: &TenantId, page_slug: &str, slug: &str) -> Query {
    sql!(
        "SELECT p.page_id, p.updated_at AS page_updated_at, p.archived_at AS page_archived_at, a.audience_id,
                a.updated_at AS audience_updated_at, a.archived_at AS audience_archived_at,
                a.published_version_id AS version_id, COALESCE(s.revision, 0) AS site_revision, a.person_id,
                a.access, a.access_changes, a.secret_slug, s.person_page_access AS of_persons,
                o.deleted_at AS person_deleted_at
         FROM pages p
         LEFT JOIN tenant_sites s ON s.tenant_id = $1
         JOIN audiences a ON a.tenant_id = $1 AND a.page_id = p.page_id AND a.secret_slug = $3
              AND a.secret_slug IS NOT NULL
         LEFT JOIN persons o ON o.tenant_id = $1 AND o.person_id = a.person_id
         WHERE p.tenant_id = $1 AND p.slug = $2 AND p.deleted_at IS NULL"
    )
    .with(values![tenant, page_slug, slug])
}

/// The target of an audience's address, which may be a person's own page.
fn own(row: &Row, is_by_secret: bool) -> Result<SiteTarget> {
    let mut target = target(row)?;
    let person_id: Option<String> = row.take("person_id")?;
    let secret_slug: Option<String> = row.take("secret_slug")?;
    let (of_persons, set): (Option<PageAccess>, Option<PageAccess>) =
        (row.take("of_persons")?, row.take("access")?);
    let person_deleted_at: Option<Timestamp> = row.take("person_deleted_at")?;
    target.access =
        access::effective(secret_slug.is_some(), person_id.is_some(), set, of_persons.unwrap_or_default());
    target.access_changes = row.take::<Option<i64>>("access_changes")?.unwrap_or_default();
    target.is_gone |= person_deleted_at.is_some();
    target.is_by_secret = is_by_secret;
    Ok(target)
}

/// What the root of a site leads to: the oldest audience of its home page, as for [`oldest_published`].
pub fn at_home(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<Option<SiteTarget>> {
    let select = sql!(
        "SELECT p.page_id, p.updated_at AS page_updated_at, p.archived_at AS page_archived_at, a.audience_id,
                a.updated_at AS audience_updated_at, a.archived_at AS audience_archived_at,
                a.published_version_id AS version_id, s.revision AS site_revision
         FROM tenant_sites s
         JOIN pages p ON p.tenant_id = $1 AND p.page_id = s.home_page_id AND p.deleted_at IS NULL
         LEFT JOIN audiences a ON a.tenant_id = $1 AND a.page_id = p.page_id AND a.audience_id = (
              SELECT o.audience_id FROM audiences o
              WHERE o.tenant_id = $1 AND o.page_id = p.page_id AND o.archived_at IS NULL
                AND o.published_version_id IS NOT NULL AND o.person_id IS NULL AND o.account_id IS NULL
              ORDER BY o.audience_id LIMIT 1)
         WHERE s.tenant_id = $1"
    );
    tx.maybe(select.with(values![tenant]))?.as_ref().map(target).transpose()
}

/// A page that has something to show, and what says whether search engines may list it.
#[derive(Debug, Clone, PartialEq)]
pub struct Listing {
    /// The page's part of the address.
    pub slug: String,
    /// What is said of the page.
    pub metadata: Option<JsonText>,
    /// What is said of it for the audience that its own link shows.
    pub metadata_override: Option<JsonText>,
    /// When the page or that audience last changed.
    pub updated_at: Timestamp,
}

/// The pages behind `after`, and not behind `last`, whose own links show something, oldest first.
pub fn list(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    after: &str,
    last: Option<&PageId>,
    limit: i64,
) -> Result<Vec<Listing>> {
    let mut select = sql!(
        "SELECT p.slug, p.metadata, p.updated_at AS page_updated_at, a.metadata_override,
                a.updated_at AS audience_updated_at
         FROM pages p
         JOIN audiences a ON a.tenant_id = $1 AND a.page_id = p.page_id AND a.audience_id = (
              SELECT o.audience_id FROM audiences o
              WHERE o.tenant_id = $1 AND o.page_id = p.page_id AND o.archived_at IS NULL
                AND o.published_version_id IS NOT NULL AND o.person_id IS NULL AND o.account_id IS NULL
              ORDER BY o.audience_id LIMIT 1)
         WHERE p.tenant_id = $1 AND p.page_id > $2 AND p.deleted_at IS NULL AND p.archived_at IS NULL"
    )
    .with(values![tenant, after]);
    if let Some(last) = last {
        select = select.and(sql!("AND p.page_id <= $1"), values![last]);
    }
    select = select.and(sql!("ORDER BY p.page_id LIMIT $1"), values![limit]);
    tx.all(select)?.iter().map(listing).collect()
}

fn listing(row: &Row) -> Result<Listing> {
    let page: Timestamp = row.take("page_updated_at")?;
    let audience: Timestamp = row.take("audience_updated_at")?;
    Ok(Listing {
        slug: row.take("slug")?,
        metadata: row.take("metadata")?,
        metadata_override: row.take("metadata_override")?,
        updated_at: page.max(audience),
    })
}
