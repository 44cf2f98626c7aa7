//! `audience_names`: the audiences that are not archived, with their folded names, for searches.
//!
//! Audiences of deleted pages stay here and searches skip them, since a page may have very many.

use pagesmith_model::text::Query as Words;
use pagesmith_model::{AudienceId, PageId, Result, TenantId};

use crate::extent::{Extent, ListPart};
use crate::row::Row;
use crate::sql::Query;
use crate::tables::listed;
use crate::tables::ranked_search::{self, RankedSearch};
use crate::tx::Tx;
use crate::value::Value;
use crate::{sql, values};

/// An audience that matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// The audience.
    pub audience_id: AudienceId,
    /// What it is called.
    pub effective_name: String,
    /// Its page.
    pub page_id: PageId,
    /// The page's name.
    pub page_name: String,
    /// How well it matches: 0 is best.
    pub rank: i64,
}

/// An audience that is known by its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// The audience.
    pub audience_id: AudienceId,
    /// What it is called.
    pub effective_name: String,
    /// Its page.
    pub page_id: PageId,
    /// The page's name.
    pub page_name: String,
}

/// A filter of audiences.
#[derive(Debug, Clone, Default)]
pub struct AudienceFilter {
    /// Those of one page, by its id.
    pub page_id: Option<String>,
    /// Those of persons as well.
    pub shows_persons: bool,
}

/// Makes an audience show in searches under its name; a query, to travel with others.
pub fn insert(tenant: &TenantId, page: &PageId, audience: &AudienceId, name: &str) -> Query {
    let (folded, word_form) = ranked_search::folded(name);
    sql!(
        "INSERT INTO audience_names (tenant_id, audience_id, page_id, folded, word_form)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (tenant_id, audience_id) DO UPDATE SET folded = excluded.folded, word_form = excluded.word_form"
    )
    .with(values![tenant, audience, page, folded, word_form])
}

/// Takes an audience out of searches; a query, to travel with others.
pub fn remove(tenant: &TenantId, audience: &AudienceId) -> Query {
    sql!("DELETE FROM audience_names WHERE tenant_id = $1 AND audience_id = $2")
        .with(values![tenant, audience])
}

const SEARCH: RankedSearch<Match> = RankedSearch {
    columns: sql!(
        "SELECT a.audience_id, a.page_id, COALESCE(a.custom_name, a.computed_name) AS effective_name,
                g.name AS page_name"
    ),
    ids: sql!("n.page_id, n.audience_id AS item_id,"),
    chosen: sql!("f.page_id, f.item_id,"),
    fields: ranked_search::NAME,
    names: sql!(
        "FROM audience_names n WHERE n.tenant_id = $1
         AND n.page_id NOT IN (SELECT page_id FROM pages WHERE tenant_id = $1 AND deleted_at IS NOT NULL)"
    ),
    joins: sql!(
        ") m JOIN audiences a ON a.tenant_id = $1 AND a.page_id = m.page_id AND a.audience_id = m.item_id
         JOIN pages g ON g.tenant_id = $1 AND g.page_id = m.page_id
         WHERE m.tenant_id = $1"
    ),
    narrowing: None,
    read: found_audience,
};

/// The same without audiences of persons, whose names are those of the persons.
const SEARCH_WITHOUT_PERSONS: RankedSearch<Match> = RankedSearch {
    names: sql!(
        "FROM audience_names n
         JOIN audiences o ON o.tenant_id = $1 AND o.page_id = n.page_id AND o.audience_id = n.audience_id
         WHERE n.tenant_id = $1 AND o.person_id IS NULL
         AND n.page_id NOT IN (SELECT page_id FROM pages WHERE tenant_id = $1 AND deleted_at IS NOT NULL)"
    ),
    ..SEARCH
};

/// The audiences whose names hold every word, best first and newest first within a rank, after a rank and an
/// audience; and how many match in all.
pub fn search(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    words: &Words,
    filter: &AudienceFilter,
    after: Option<&(i64, AudienceId)>,
    extent: Extent,
) -> Result<(ListPart<Match>, u64)> {
    let search = if filter.shows_persons { &SEARCH } else { &SEARCH_WITHOUT_PERSONS };
    search.run_where(tx, tenant, words, after, extent, |query| match &filter.page_id {
        Some(page_id) => query.and(sql!("AND n.page_id = $1"), values![page_id.as_str()]),
        None => query,
    })
}

/// Those of the audiences with these ids, whatever texts those are, that are not archived and whose pages are not deleted; those of
/// persons are among them if `shows_persons`.
pub fn of(tx: &mut Tx<'_>, tenant: &TenantId, ids: &[&str], shows_persons: bool) -> Result<Vec<Named>> {
    if ids.is_empty() {
        return Ok(vec![]);
    }
    let select = sql!(
        "SELECT a.audience_id, a.page_id, COALESCE(a.custom_name, a.computed_name) AS effective_name,
                g.name AS page_name
         FROM audience_names n
         JOIN audiences a ON a.tenant_id = $1 AND a.page_id = n.page_id AND a.audience_id = n.audience_id
         JOIN pages g ON g.tenant_id = $1 AND g.page_id = n.page_id AND g.deleted_at IS NULL
         WHERE n.tenant_id = $1 AND (a.person_id IS NULL OR $2) AND n.audience_id IN ("
    );
    let select = listed(select.with(values![tenant, shows_persons]), ids.iter().map(|id| Value::from(*id)));
    tx.all(select.and(sql!(")"), vec![]))?.iter().map(named).collect()
}

fn named(row: &Row) -> Result<Named> {
    Ok(Named {
        audience_id: row.get("audience_id")?,
        effective_name: row.get("effective_name")?,
        page_id: row.get("page_id")?,
        page_name: row.get("page_name")?,
    })
}

fn found_audience(row: &Row) -> Result<Match> {
    Ok(Match {
        audience_id: row.get("audience_id")?,
        page_id: row.get("page_id")?,
        effective_name: row.get("effective_name")?,
        page_name: row.get("page_name")?,
        rank: row.get("rank")?,
    })
}
