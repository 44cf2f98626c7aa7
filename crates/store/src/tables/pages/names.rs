//! `page_names`: the pages that are not deleted, with their folded names, for lists and searches.

use pagesmith_model::page::PageType;
use pagesmith_model::text::Query as Words;
use pagesmith_model::{Error, PageId, Result, TenantId};

use crate::extent::{Extent, ListPart};
use crate::row::Row;
use crate::sql::Query;
use crate::tables::listed;
use crate::tables::ranked_search::{self, RankedSearch};
use crate::tx::Tx;
use crate::value::Value;
use crate::{sql, values};

/// A page that matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// The page.
    pub page_id: PageId,
    /// Its name.
    pub name: String,
    /// What it is for.
    pub page_type: PageType,
    /// How many audiences it has that are not archived.
    pub audiences: u64,
    /// How well it matches: 0 is best.
    pub rank: i64,
}

/// Those of the pages with these ids, whatever texts those are, that are not deleted, with their names.
pub fn of(tx: &mut Tx<'_>, tenant: &TenantId, ids: &[&str]) -> Result<Vec<(PageId, String)>> {
    if ids.is_empty() {
        return Ok(vec![]);
    }
    let select =
        sql!("SELECT page_id, name FROM pages WHERE tenant_id = $1 AND deleted_at IS NULL AND page_id IN (");
    let select = listed(select.with(values![tenant]), ids.iter().map(|id| Value::from(*id)));
    let read = |row: &Row| Ok((row.get("page_id")?, row.get("name")?));
    tx.all(select.and(sql!(")"), vec![]))?.iter().map(read).collect()
}

/// Makes a page show in lists and searches; a query, to travel with others.
pub fn insert(tenant: &TenantId, page: &PageId, name: &str) -> Query {
    let (folded, word_form) = ranked_search::folded(name);
    sql!("INSERT INTO page_names (tenant_id, page_id, folded, word_form) VALUES ($1, $2, $3, $4)")
        .with(values![tenant, page, folded, word_form])
}

/// Follows a page's new name.
pub fn update(tenant: &TenantId, page: &PageId, name: &str) -> Query {
    let (folded, word_form) = ranked_search::folded(name);
    sql!("UPDATE page_names SET folded = $3, word_form = $4 WHERE tenant_id = $1 AND page_id = $2")
        .with(values![tenant, page, folded, word_form])
}

/// Takes a page out of lists and searches; a query, to travel with others.
pub fn remove(tenant: &TenantId, page: &PageId) -> Query {
    sql!("DELETE FROM page_names WHERE tenant_id = $1 AND page_id = $2").with(values![tenant, page])
}

/// The page that stands `distance` places behind `after` in the order in which pages were made.
pub fn further(tx: &mut Tx<'_>, tenant: &TenantId, after: &str, distance: i64) -> Result<Option<PageId>> {
    let select = sql!(
        "SELECT page_id FROM page_names WHERE tenant_id = $1 AND page_id > $2 ORDER BY page_id LIMIT 1 OFFSET $3"
    );
    tx.maybe(select.with(values![tenant, after, distance - 1]))?.map(|row| row.get("page_id")).transpose()
}

const SEARCH: RankedSearch<Match> = RankedSearch {
    columns: sql!(
        "SELECT p.page_id, p.name, p.page_type,
                (SELECT CAST(COALESCE(SUM(t.present), 0) AS BIGINT) FROM page_tallies t
                 WHERE t.tenant_id = $1 AND t.page_id = m.item_id) AS audiences_present"
    ),
    ids: sql!("n.page_id AS item_id,"),
    chosen: ranked_search::ITEM_ID,
    fields: ranked_search::NAME,
    names: sql!("FROM page_names n WHERE n.tenant_id = $1"),
    joins: sql!(") m JOIN pages p ON p.tenant_id = $1 AND p.page_id = m.item_id WHERE m.tenant_id = $1"),
    narrowing: None,
    read: found_page,
};

/// The pages whose names hold every word, best first and newest first within a rank, after a rank and a page; and
/// how many match in all.
pub fn search(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    words: &Words,
    after: Option<&(i64, PageId)>,
    extent: Extent,
) -> Result<(ListPart<Match>, u64)> {
    SEARCH.run(tx, tenant, words, after, extent)
}

fn found_page(row: &Row) -> Result<Match> {
    let page_type: String = row.get("page_type")?;
    Ok(Match {
        page_id: row.get("page_id")?,
        name: row.get("name")?,
        page_type: PageType::parse(&page_type).ok_or_else(|| Error::internal("a page of an unknown type"))?,
        rank: row.get("rank")?,
        audiences: row.get("audiences_present")?,
    })
}
