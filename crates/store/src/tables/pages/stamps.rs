//! Stamps of pages: whether what is kept of a page still is what it shows. This is the one place that names what a page's JSON depends on.
//!
//! | The JSON shows | From | Of the stamp, there changes |
//! |---|---|---|
//! | the page's own fields | `pages` | `version`; older servers that run beside raise `updated_at` alone |
//! | `audiencesCount`, `status` | `page_tallies` | `tallies`, both counts in one number |
//! | `flags` | the home page in `tenant_sites` | `revision`, the site's |
//! | `navLinks`, `footerLinks` of link blocks | `link_blocks` | `revision`, which [`site::touch`] raises |
//! | addresses of pictures in `metadata` | `files` | `revision`, which deleting a file raises |
//!
//! Whoever lets a page show something else adds a line here and sees that one of the numbers changes in the same transaction:
//! [`site::touch`] if it is shared by pages and changes seldom. A statement that changes a number also says so, with
//! [`Query::changes`](crate::Query::changes) of `pages::key` or with [`Query::changes_all_of`](crate::Query::changes_all_of) the tenant.
//! The test `kept_json/operations.rs` carries out every operation of the API and compares what is kept with what is stored.
//!
//! [`site::touch`]: crate::tables::site::touch

use pagesmith_model::{PageId, Result, TenantId};

use crate::lookup::{Lookup, Stamp, StampedPart};
use crate::row::Row;
use crate::tables::counters;
use crate::tx::Tx;
use crate::{sql, values};

/// As rows of which table stamps are kept.
pub(super) const KEPT_AS: &str = "pages";

/// The stamp of a page; its columns can be read again.
pub(super) fn read(row: &Row) -> Result<Stamp> {
    Stamp::read(row, ["version", "updated_at", "revision", "tallies"])
}

/// The stamps of pages, deleted or not.
pub const STAMPS: Lookup<Stamp> = Lookup {
    select: sql!(
        "SELECT p.page_id AS id, p.version, p.updated_at, s.revision,
                (SELECT CAST(COALESCE(SUM(t.present * 4294967296 + t.shown), 0) AS BIGINT) FROM page_tallies t
                 WHERE t.tenant_id = $1 AND t.page_id = p.page_id) AS tallies
         FROM pages p LEFT JOIN tenant_sites s ON s.tenant_id = $1
         WHERE p.tenant_id = $1 AND p.page_id IN ("
    ),
    read,
    at_once: 64,
    kept_as: Some(KEPT_AS),
};

/// The pages that are not deleted, newest first, after a position: one statement, unless stamps are in memory.
pub fn list(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    after: Option<&PageId>,
    items: usize,
) -> Result<StampedPart<PageId>> {
    let (mut pages, total) = if tx.rows_in_memory().is_some() {
        list_from_memory(tx, tenant, after, items)?
    } else {
        list_stored(tx, tenant, after, items)?
    };
    let more = pages.len() > items;
    pages.truncate(items);
    Ok(StampedPart { items: pages, more, total })
}

/// One page more than `items`, and how many there are.
type Listed = (Vec<(PageId, Stamp)>, u64);

fn list_stored(tx: &mut Tx<'_>, tenant: &TenantId, after: Option<&PageId>, items: usize) -> Result<Listed> {
    // `pages_present_idx` holds these pages in this very order: by a join with another table PostgreSQL may read all pages that are newer. The
    // total comes without pages as well.
    // only: postgres
    let select = sql!(
        "SELECT c.total, l.id, l.version, l.updated_at, l.revision, l.tallies
         FROM (SELECT CAST(COALESCE(SUM(value), 0) AS BIGINT) AS total FROM counters
               WHERE tenant_id = $1 AND name = $2) c
         LEFT JOIN (
            SELECT p.page_id AS id, p.version, p.updated_at,
                (SELECT s.revision FROM tenant_sites s WHERE s.tenant_id = $1) AS revision,
                (SELECT CAST(COALESCE(SUM(t.present * 4294967296 + t.shown), 0) AS BIGINT) FROM page_tallies t
                 WHERE t.tenant_id = $1 AND t.page_id = p.page_id) AS tallies
            FROM pages p WHERE p.tenant_id = $1 AND p.deleted_at IS NULL"
    );
    let mut select = select.with(values![tenant, counters::PAGES]);
    if let Some(page_id) = after {
        // only: postgres
        select = select.and(sql!("AND p.page_id < $1"), values![page_id]);
    }
    // only: postgres
    let rest = sql!("ORDER BY p.page_id DESC LIMIT $1) l ON 1 = 1");
    let rows = tx.all(select.and(rest, values![rows(items)]))?;
    let total = counters::total(&rows)?;
    let mut pages: Vec<(PageId, Stamp)> = Vec::with_capacity(rows.len());
    for row in &rows {
        if let Some(page_id) = row.take("id")? {
            pages.push((page_id, read(row)?));
        }
    }
    // As a join answers them, which has no order.
    pages.sort_unstable_by(|left, right| right.0.cmp(&left.0));
    Ok((pages, total))
}

fn list_from_memory(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    after: Option<&PageId>,
    items: usize,
) -> Result<Listed> {
    tx.allow_more();
    // only: sqlite
    let select = sql!("SELECT page_id FROM page_names WHERE tenant_id = $1");
    let mut select = select.with(values![tenant]);
    if let Some(page_id) = after {
        // only: sqlite
        select = select.and(sql!("AND page_id < $1"), values![page_id]);
    }
    // only: sqlite
    let select = select.and(sql!("ORDER BY page_id DESC LIMIT $1"), values![rows(items)]);
    let mut answers = tx.batch(vec![select, counters::count(tenant, counters::PAGES)])?;
    let total = counters::total(&answers.pop().unwrap_or_default())?;
    let rows = answers.pop().unwrap_or_default();
    let ids: Vec<PageId> = rows.iter().map(|row| row.take("page_id")).collect::<Result<_>>()?;
    let names: Vec<&str> = ids.iter().map(PageId::as_str).collect();
    let stamps = STAMPS.find_many(tx, tenant, &names)?;
    let pages = ids.into_iter().zip(stamps).filter_map(|(page_id, stamp)| Some((page_id, stamp?)));
    Ok((pages.collect(), total))
}

/// How many rows to ask for, to know whether more follow.
fn rows(items: usize) -> i64 {
    i64::try_from(items).unwrap_or(i64::MAX).saturating_add(1)
}
