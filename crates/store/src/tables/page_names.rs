//! `page_names`: the pages that are not deleted, with their folded names, for lists and searches.
//!
//! What matches and how it ranks is defined by `model::text`; the statements here say the same in SQL, and a property
//! test compares the two on both engines.

use pagesmith_model::page::PageType;
use pagesmith_model::text::{self, Query as Words};
use pagesmith_model::{Error, PageId, Result, TenantId};

use crate::extent::{Extent, ListPart};
use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
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

/// Makes a page show in lists and searches; a query, to travel with others.
pub fn insert(tenant: &TenantId, page: &PageId, name: &str) -> Query {
    let folded = text::fold(name);
    let word_form = text::word_form(&folded);
    sql!("INSERT INTO page_names (tenant_id, page_id, folded, word_form) VALUES ($1, $2, $3, $4)")
        .with(values![tenant, page, folded, word_form])
}

/// Follows a page's new name.
pub fn update(tx: &mut Tx<'_>, tenant: &TenantId, page: &PageId, name: &str) -> Result<()> {
    let folded = text::fold(name);
    let word_form = text::word_form(&folded);
    let update =
        sql!("UPDATE page_names SET folded = $3, word_form = $4 WHERE tenant_id = $1 AND page_id = $2");
    tx.run(update.with(values![tenant, page, folded, word_form]))?;
    Ok(())
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

/// The pages whose names hold every word, best first and newest first within a rank, after a position; and how
/// many match in all.
pub fn search(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    words: &Words,
    after: Option<(i64, &str)>,
    extent: Extent,
) -> Result<(ListPart<Match>, u64)> {
    let ranked = sql!(
        "SELECT m.page_id, p.name, p.page_type, m.rank,
                (SELECT CAST(COALESCE(SUM(t.present), 0) AS BIGINT) FROM page_tallies t
                 WHERE t.tenant_id = m.tenant_id AND t.page_id = m.page_id) AS audiences_present
         FROM (SELECT tenant_id, page_id,
                      CASE WHEN folded = $1 AND $1 <> '' THEN 0 WHEN substr(folded, 1, length($1)) = $1 THEN 1
                           WHEN 1 = 1"
    );
    let mut found = ranked.with(values![words.phrase.as_str()]);
    for word in &words.words {
        found = found.and(sql!("AND {strpos}(word_form, $1) > 0"), values![word.start_form.as_str()]);
    }
    found =
        found.and(sql!("THEN 2 ELSE 3 END AS rank FROM page_names WHERE tenant_id = $1"), values![tenant]);
    // across tenants: the statement that this continues names the tenant
    let mut counted =
        sql!("SELECT COUNT(*) AS total FROM page_names WHERE tenant_id = $1").with(values![tenant]);
    for word in &words.words {
        found = found.and(sql!("AND {strpos}(folded, $1) > 0"), values![word.text.as_str()]);
        counted = counted.and(sql!("AND {strpos}(folded, $1) > 0"), values![word.text.as_str()]);
    }
    found = found.and(
        sql!(
            ") m JOIN pages p ON p.tenant_id = m.tenant_id AND p.page_id = m.page_id WHERE m.tenant_id = $1"
        ),
        values![tenant],
    );
    if let Some((rank, page)) = after {
        found = found.and(sql!("AND (m.rank > $1 OR (m.rank = $1 AND m.page_id < $2))"), values![rank, page]);
    }
    found = found.and(sql!("ORDER BY m.rank, m.page_id DESC LIMIT $1"), values![extent.rows()]);
    let mut answers = tx.batch(vec![found.within(extent.bytes), counted])?;
    let total = answers.pop().unwrap_or_default().first().map_or(Ok(0), |row| row.get("total"))?;
    Ok((ListPart::read(&answers.pop().unwrap_or_default(), extent, found_page)?, total))
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
