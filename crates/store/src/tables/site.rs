//! `tenant_sites`: what tenants decided about their sites, and which page is at the root of each.
//!
//! The revision is part of every page's stamp ([`pages::stamps`](crate::tables::pages::stamps)). Invariant: it rises with every change.

use pagesmith_model::json::JsonText;
use pagesmith_model::page::access::PageAccess;
use pagesmith_model::{PageId, Result, TenantId, Timestamp};

use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

pub mod targets;

/// What is stored of a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSite {
    /// The settings, without the home page.
    pub settings: JsonText,
    /// The page at its root, unless it is deleted.
    pub home_page_id: Option<PageId>,
    /// Who may open persons' own pages, where it is not set for an audience.
    pub person_page_access: Option<PageAccess>,
}

/// What is stored of a tenant's site, if anything is.
pub fn find(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<Option<StoredSite>> {
    // A deleted page is none, and is the home page again when it is restored.
    let select = sql!(
        "SELECT s.settings, s.person_page_access,
                (SELECT p.page_id FROM pages p
                 WHERE p.tenant_id = $1 AND p.page_id = s.home_page_id AND p.deleted_at IS NULL) AS home_page_id
         FROM tenant_sites s WHERE s.tenant_id = $1"
    );
    let Some(row) = tx.maybe(select.with(values![tenant]))? else { return Ok(None) };
    Ok(Some(StoredSite {
        settings: row.take("settings")?,
        home_page_id: row.take("home_page_id")?,
        person_page_access: row.take("person_page_access")?,
    }))
}

/// Keeps the settings of a site. Without a home page, the one that is known stays, deleted as it may be.
pub fn save(tenant: &TenantId, stored: &StoredSite, now: Timestamp) -> Query {
    sql!(
        "INSERT INTO tenant_sites (tenant_id, settings, home_page_id, person_page_access, revision, updated_at)
         VALUES ($1, $2, $3, $4, 1, $5)
         ON CONFLICT (tenant_id) DO UPDATE SET
            settings = excluded.settings,
            home_page_id = COALESCE(excluded.home_page_id, tenant_sites.home_page_id),
            person_page_access = excluded.person_page_access, revision = tenant_sites.revision + 1,
            updated_at = excluded.updated_at"
    )
    .with(values![tenant, &stored.settings, &stored.home_page_id, stored.person_page_access, now])
    .changes_all_of(tenant)
}

/// Makes a page that has something to show the home page, if there is none; a query, to travel with others.
pub fn settle(tenant: &TenantId, page_id: &PageId, now: Timestamp) -> Query {
    // Where there is one, no row is touched, so that versions that go live at once do not wait for each other.
    sql!(
        "INSERT INTO tenant_sites (tenant_id, settings, home_page_id, revision, updated_at)
         SELECT t.tenant_id, '{}', CAST($2 AS TEXT), 1, CAST($3 AS BIGINT) FROM tenants t
         WHERE t.tenant_id = $1 AND NOT EXISTS (
            SELECT h.home_page_id FROM tenant_sites h
            JOIN pages p ON p.tenant_id = $1 AND p.page_id = h.home_page_id AND p.deleted_at IS NULL
            WHERE h.tenant_id = $1)
         ON CONFLICT (tenant_id) DO UPDATE SET
            home_page_id = excluded.home_page_id, revision = tenant_sites.revision + 1,
            updated_at = excluded.updated_at"
    )
    .with(values![tenant, page_id, now])
    .changes_all_of(tenant)
}

/// Counts a change of what is at the root, if this page does: it was deleted or restored; a query, to travel with others.
pub fn touch_home(tenant: &TenantId, page_id: &PageId, now: Timestamp) -> Query {
    sql!(
        "UPDATE tenant_sites SET revision = revision + 1, updated_at = $3
         WHERE tenant_id = $1 AND home_page_id = $2"
    )
    .with(values![tenant, page_id, now])
    .changes_all_of(tenant)
}

/// Counts a change of what a site's pages show and other tables have; a query, to travel with others.
pub fn touch(tenant: &TenantId, now: Timestamp) -> Query {
    sql!(
        "INSERT INTO tenant_sites (tenant_id, settings, revision, updated_at) VALUES ($1, '{}', 1, $2)
         ON CONFLICT (tenant_id) DO UPDATE SET
            revision = tenant_sites.revision + 1, updated_at = excluded.updated_at"
    )
    .with(values![tenant, now])
    .changes_all_of(tenant)
}
