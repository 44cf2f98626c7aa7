//! Which pages use a link block, and what becomes of them when it is deleted.

use pagesmith_model::link_block::{LinkBlock, LinkBlockKind};
use pagesmith_model::{PageId, Result, TenantId, Timestamp};

use crate::row::Row;
use crate::sql::Query;
use crate::tables::pages;
use crate::tx::Tx;
use crate::{sql, values};

/// The pages that use a block, at most `limit`, and whether each is deleted.
pub fn using(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    block: &LinkBlock,
    limit: i64,
) -> Result<Vec<(PageId, bool)>> {
    let select = match block.kind {
        LinkBlockKind::Footer => sql!(
            "SELECT page_id, deleted_at FROM pages
             WHERE tenant_id = $1 AND footer_link_block_id IS NOT NULL AND footer_link_block_id = $2
             ORDER BY page_id LIMIT $3"
        ),
        LinkBlockKind::Navigation => sql!(
            "SELECT page_id, deleted_at FROM pages
             WHERE tenant_id = $1 AND nav_link_block_id IS NOT NULL AND nav_link_block_id = $2
             ORDER BY page_id LIMIT $3"
        ),
    };
    let rows = tx.all(select.with(values![tenant, &block.link_block_id, limit]))?;
    let read = |row: &Row| Ok((row.take("page_id")?, row.get::<Option<Timestamp>>("deleted_at")?.is_some()));
    rows.iter().map(read).collect()
}

/// Makes a block's links the own ones of the pages that use it, which are those `of` these ids.
pub fn hand_over<'a>(
    tenant: &TenantId,
    block: &LinkBlock,
    of: impl IntoIterator<Item = &'a PageId>,
    now: Timestamp,
) -> Query {
    let update = match block.kind {
        LinkBlockKind::Footer => sql!(
            "UPDATE pages SET
                footer_links = $3, footer_link_block_id = NULL, updated_at = $4, version = COALESCE(version, 0) + 1
             WHERE tenant_id = $1 AND footer_link_block_id IS NOT NULL AND footer_link_block_id = $2"
        ),
        LinkBlockKind::Navigation => sql!(
            "UPDATE pages SET
                nav_links = $3, nav_link_block_id = NULL, updated_at = $4, version = COALESCE(version, 0) + 1
             WHERE tenant_id = $1 AND nav_link_block_id IS NOT NULL AND nav_link_block_id = $2"
        ),
    };
    let update = update.with(values![tenant, &block.link_block_id, &block.links, now]);
    of.into_iter().fold(update, |update, page_id| update.changes(pages::key(tenant, page_id)))
}
