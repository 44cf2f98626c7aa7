//! `pages`: the pages of all tenants, deleted ones included.
//!
//! Invariant: the version rises with every change of a row.

use pagesmith_model::json::JsonText;
use pagesmith_model::page::{Page, PageType};
use pagesmith_model::{Error, PageId, Result, TenantId, Timestamp};

use crate::lookup::{Lookup, Stamp};
use crate::row::Row;
use crate::rows::RowKey;
use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

pub mod in_order;
pub mod link_blocks;
pub mod names;
pub mod stamps;
pub mod tallies;
pub mod tally_debts;

/// The columns of `pages`, each behind an alias; [`page`] also reads columns of other tables.
macro_rules! page_columns {
    ($alias:literal) => {
        $crate::sql::columns!(
            $alias => page_id, name, title, page_context, page_type, brand_id, slug, actions, action_card_widgets,
            scripts, footer_links, nav_links, footer_link_block_id, nav_link_block_id, header_action_id, metadata,
            created_at, updated_at, archived_at, deleted_at
        )
    };
}

fn page(row: &Row) -> Result<(Stamp, Page)> {
    let stamp = stamps::read(row)?;
    let page_type: String = row.take("page_type")?;
    let page_id: PageId = row.take("page_id")?;
    let page = Page {
        name: row.take("name")?,
        title: row.take("title")?,
        page_context: row.take("page_context")?,
        page_type: PageType::parse(&page_type).ok_or_else(|| Error::internal("a page of an unknown type"))?,
        brand_id: row.take("brand_id")?,
        slug: row.take("slug")?,
        actions: row.take("actions")?,
        action_card_widgets: row.take("action_card_widgets")?,
        scripts: row.take("scripts")?,
        footer_links: row.take("footer_links")?,
        nav_links: row.take("nav_links")?,
        footer_link_block_id: row.take("footer_link_block_id")?,
        nav_link_block_id: row.take("nav_link_block_id")?,
        header_action_id: row.take("header_action_id")?,
        metadata: row.take("metadata")?,
        created_at: row.take("created_at")?,
        updated_at: row.get("updated_at")?,
        archived_at: row.take("archived_at")?,
        deleted_at: row.take("deleted_at")?,
        audiences: tallies::unpacked(row.get("tallies")?)?,
        is_home: row.take::<Option<PageId>>("home_page_id")?.as_ref() == Some(&page_id),
        shared_footer_links: row.take("shared_footer_links")?,
        shared_nav_links: row.take("shared_nav_links")?,
        page_id,
    };
    Ok((stamp, page))
}

/// Pages, deleted or not, with all that they show. What is in other tables is named in [`stamps`].
///
/// The links of blocks are subqueries and not joins: for joins, PostgreSQL reads all blocks of the tenant as long as it has no statistics of
/// their table, and takes a sixth longer when there are none.
pub const ROWS: Lookup<(Stamp, Page)> = Lookup {
    select: sql!(
        "SELECT p.page_id AS id, ",
        page_columns!("p."),
        ", p.version, s.revision,
                (SELECT CAST(COALESCE(SUM(t.present * 4294967296 + t.shown), 0) AS BIGINT) FROM page_tallies t
                 WHERE t.tenant_id = $1 AND t.page_id = p.page_id) AS tallies,
                s.home_page_id,
                (SELECT f.links FROM link_blocks f WHERE f.tenant_id = $1 AND f.link_block_id = p.footer_link_block_id) AS shared_footer_links,
                (SELECT n.links FROM link_blocks n WHERE n.tenant_id = $1 AND n.link_block_id = p.nav_link_block_id) AS shared_nav_links
         FROM pages p
         LEFT JOIN tenant_sites s ON s.tenant_id = $1
         WHERE p.tenant_id = $1 AND p.page_id IN ("
    ),
    read: page,
    at_once: 8,
    kept_as: None,
};

/// Adds a page, unless its slug is taken, be it as the first segment of a link; then no row is touched.
pub fn insert(tenant: &TenantId, page: &Page) -> Query {
    sql!(
        "INSERT INTO pages
            (tenant_id, page_id, name, title, page_context, page_type, brand_id, slug, actions,
             action_card_widgets, scripts, footer_links, nav_links, footer_link_block_id, nav_link_block_id,
             header_action_id, metadata, created_at, updated_at, archived_at, deleted_at)
         SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21
         WHERE NOT EXISTS (SELECT 1 FROM page_links WHERE tenant_id = $1 AND first_segment = $8)
         ON CONFLICT (tenant_id, slug) DO NOTHING"
    )
    .with(values![
        tenant,
        &page.page_id,
        &page.name,
        &page.title,
        &page.page_context,
        page.page_type.as_str(),
        &page.brand_id,
        &page.slug,
        &page.actions,
        &page.action_card_widgets,
        &page.scripts,
        &page.footer_links,
        &page.nav_links,
        &page.footer_link_block_id,
        &page.nav_link_block_id,
        &page.header_action_id,
        &page.metadata,
        page.created_at,
        page.updated_at,
        page.archived_at,
        page.deleted_at,
    ])
}

/// Names a page where its stamp is kept in memory.
pub(super) fn key(tenant: &TenantId, page_id: &PageId) -> RowKey {
    RowKey { table: stamps::KEPT_AS, ids: (tenant.as_str().into(), page_id.as_str().into()) }
}

/// The page, deleted or not.
pub fn find(tx: &mut Tx<'_>, tenant: &TenantId, page_id: &PageId) -> Result<Option<Page>> {
    Ok(ROWS.find(tx, tenant, page_id.as_str())?.map(|(_, page)| page))
}

/// What audiences and versions take from their page.
#[derive(Debug, Clone, PartialEq)]
pub struct ParentPage {
    /// The page.
    pub page_id: PageId,
    /// Its part of the address.
    pub slug: String,
    /// Its actions, as they are kept.
    pub actions: JsonText,
    /// Its metadata.
    pub metadata: Option<JsonText>,
    /// When it was put away.
    pub archived_at: Option<Timestamp>,
}

/// What audiences take from a page that is not deleted. It holds no tally, which other audiences' changes would change.
pub fn parent_page(tx: &mut Tx<'_>, tenant: &TenantId, page_id: &PageId) -> Result<Option<ParentPage>> {
    let select = sql!(
        "SELECT page_id, slug, actions, metadata, archived_at FROM pages
         WHERE tenant_id = $1 AND page_id = $2 AND deleted_at IS NULL"
    );
    let Some(row) = tx.maybe(select.with(values![tenant, page_id]))? else { return Ok(None) };
    Ok(Some(ParentPage {
        page_id: row.take("page_id")?,
        slug: row.take("slug")?,
        actions: row.take("actions")?,
        metadata: row.take("metadata")?,
        archived_at: row.take("archived_at")?,
    }))
}

/// Replaces everything of a page but its id, slug and birth.
pub fn update(tenant: &TenantId, page: &Page) -> Query {
    sql!(
        "UPDATE pages SET
            name = $3, title = $4, page_context = $5, page_type = $6, brand_id = $7, actions = $8,
            action_card_widgets = $9, scripts = $10, footer_links = $11, nav_links = $12,
            footer_link_block_id = $13, nav_link_block_id = $14, header_action_id = $15, metadata = $16,
            updated_at = $17, version = COALESCE(version, 0) + 1
         WHERE tenant_id = $1 AND page_id = $2"
    )
    .with(values![
        tenant,
        &page.page_id,
        &page.name,
        &page.title,
        &page.page_context,
        page.page_type.as_str(),
        &page.brand_id,
        &page.actions,
        &page.action_card_widgets,
        &page.scripts,
        &page.footer_links,
        &page.nav_links,
        &page.footer_link_block_id,
        &page.nav_link_block_id,
        &page.header_action_id,
        &page.metadata,
        page.updated_at,
    ])
    .changes(key(tenant, &page.page_id))
}

/// Sets whether a page is archived or deleted, and since when.
pub fn set_state(tenant: &TenantId, page: &Page) -> Query {
    sql!(
        "UPDATE pages SET
            archived_at = $3, deleted_at = $4, updated_at = $5, version = COALESCE(version, 0) + 1
         WHERE tenant_id = $1 AND page_id = $2"
    )
    .with(values![tenant, &page.page_id, page.archived_at, page.deleted_at, page.updated_at])
    .changes(key(tenant, &page.page_id))
}
