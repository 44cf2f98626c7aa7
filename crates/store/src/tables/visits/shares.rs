//! `visit_shares`: links to the figures of pages; of each only the digest is here.

use pagesmith_model::actor::Actor;
use pagesmith_model::visit::share::VisitShare;
use pagesmith_model::{PageId, Result, TenantId, Timestamp, VisitShareId};

use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// The columns of a share, which [`share`] reads.
macro_rules! share_columns {
    () => {
        $crate::sql::columns!("" => visit_share_id, page_id, name, password_hash, created_by, created_at, expires_at)
    };
}

fn share(row: &Row) -> Result<VisitShare> {
    let created_by: String = row.take("created_by")?;
    Ok(VisitShare {
        visit_share_id: row.take("visit_share_id")?,
        page_id: row.take("page_id")?,
        name: row.take("name")?,
        password_hash: row.take("password_hash")?,
        created_by: Actor::from_stored(&created_by),
        created_at: row.take("created_at")?,
        expires_at: row.take("expires_at")?,
    })
}

/// Adds a share.
pub fn insert(tenant: &TenantId, share: &VisitShare, digest: &[u8; 32]) -> Query {
    sql!(
        "INSERT INTO visit_shares (tenant_id, visit_share_id, page_id, name, digest, password_hash, created_by, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
    )
    .with(values![
        tenant,
        &share.visit_share_id,
        &share.page_id,
        &share.name,
        digest,
        &share.password_hash,
        share.created_by.to_stored(),
        share.created_at,
        share.expires_at,
    ])
}

/// Those of a page that are open, the newest first.
pub fn list(tx: &mut Tx<'_>, tenant: &TenantId, page_id: &PageId, now: Timestamp) -> Result<Vec<VisitShare>> {
    let select = sql!(
        "SELECT ",
        share_columns!(),
        " FROM visit_shares WHERE tenant_id = $1 AND page_id = $2 AND expires_at > $3 ORDER BY visit_share_id DESC"
    );
    tx.all(select.with(values![tenant, page_id, now]))?.iter().map(share).collect()
}

/// The open share of a link's digest.
pub fn find_by_digest(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    digest: &[u8; 32],
    now: Timestamp,
) -> Result<Option<VisitShare>> {
    let select = sql!(
        "SELECT ",
        share_columns!(),
        " FROM visit_shares WHERE tenant_id = $1 AND digest = $2 AND expires_at > $3"
    );
    tx.maybe(select.with(values![tenant, digest, now]))?.as_ref().map(share).transpose()
}

/// Removes a share of a page; a row is touched only if it was there.
pub fn remove(tenant: &TenantId, page_id: &PageId, visit_share_id: &VisitShareId) -> Query {
    sql!("DELETE FROM visit_shares WHERE tenant_id = $1 AND page_id = $2 AND visit_share_id = $3")
        .with(values![tenant, page_id, visit_share_id])
}

/// Removes the shares of a page that have ended.
pub fn remove_ended(tenant: &TenantId, page_id: &PageId, now: Timestamp) -> Query {
    sql!("DELETE FROM visit_shares WHERE tenant_id = $1 AND page_id = $2 AND expires_at <= $3")
        .with(values![tenant, page_id, now])
}
