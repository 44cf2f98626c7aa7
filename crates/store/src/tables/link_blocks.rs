//! `link_blocks`: links that several pages of a tenant share.

use pagesmith_model::link_block::{LinkBlock, LinkBlockKind};
use pagesmith_model::{Error, LinkBlockId, Result, TenantId};

use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

fn link_block(row: &Row) -> Result<LinkBlock> {
    let kind: String = row.take("kind")?;
    Ok(LinkBlock {
        link_block_id: row.take("link_block_id")?,
        kind: LinkBlockKind::parse(&kind)
            .ok_or_else(|| Error::internal("a link block of an unknown kind"))?,
        name: row.take("name")?,
        links: row.take("links")?,
        created_at: row.take("created_at")?,
        updated_at: row.take("updated_at")?,
    })
}

/// Adds a block.
pub fn insert(tenant: &TenantId, block: &LinkBlock) -> Query {
    sql!(
        "INSERT INTO link_blocks (tenant_id, link_block_id, kind, name, links, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)"
    )
    .with(values![
        tenant,
        &block.link_block_id,
        block.kind.as_str(),
        &block.name,
        &block.links,
        block.created_at,
        block.updated_at,
    ])
}

/// The block of this id, whatever text that is.
pub fn find(tx: &mut Tx<'_>, tenant: &TenantId, id: &str) -> Result<Option<LinkBlock>> {
    let select = sql!(
        "SELECT link_block_id, kind, name, links, created_at, updated_at FROM link_blocks
         WHERE tenant_id = $1 AND link_block_id = $2"
    );
    tx.maybe(select.with(values![tenant, id]))?.as_ref().map(link_block).transpose()
}

/// The blocks of one kind or of both, newest first.
pub fn list(tx: &mut Tx<'_>, tenant: &TenantId, kind: Option<LinkBlockKind>) -> Result<Vec<LinkBlock>> {
    let select = sql!(
        "SELECT link_block_id, kind, name, links, created_at, updated_at FROM link_blocks WHERE tenant_id = $1"
    );
    let mut select = select.with(values![tenant]);
    if let Some(kind) = kind {
        select = select.and(sql!("AND kind = $1"), values![kind.as_str()]);
    }
    let rows = tx.all(select.and(sql!("ORDER BY link_block_id DESC"), values![]))?;
    rows.iter().map(link_block).collect()
}

/// How many blocks a tenant has.
pub fn count(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<u64> {
    let select = sql!("SELECT COUNT(*) AS total FROM link_blocks WHERE tenant_id = $1");
    tx.one(select.with(values![tenant]))?.get("total")
}

/// Replaces what may change of a block.
pub fn update(tenant: &TenantId, block: &LinkBlock) -> Query {
    sql!(
        "UPDATE link_blocks SET name = $3, links = $4, updated_at = $5
         WHERE tenant_id = $1 AND link_block_id = $2"
    )
    .with(values![tenant, &block.link_block_id, &block.name, &block.links, block.updated_at])
}

/// Removes a block.
pub fn remove(tenant: &TenantId, id: &LinkBlockId) -> Query {
    sql!("DELETE FROM link_blocks WHERE tenant_id = $1 AND link_block_id = $2").with(values![tenant, id])
}
