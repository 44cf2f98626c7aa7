//! `audience_names`: the audiences that are not archived, with their folded names, for searches.
//!
//! What matches and how it ranks is defined by `model::text`; the statements here say the same in SQL. Audiences of
//! deleted pages stay here and are passed over, since a page may have very many.

use pagesmith_model::text::{self, Query as Words};
use pagesmith_model::{AudienceId, PageId, Result, TenantId};

use crate::extent::{Extent, ListPart};
use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
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

/// Makes an audience show in searches under its name; a query, to travel with others.
pub fn insert(tenant: &TenantId, page: &PageId, audience: &AudienceId, name: &str) -> Query {
    let folded = text::fold(name);
    let word_form = text::word_form(&folded);
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

/// The audiences whose names hold every word, best first and newest first within a rank, after a position; and how
/// many match in all.
pub fn search(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    words: &Words,
    after: Option<(i64, &str)>,
    extent: Extent,
) -> Result<(ListPart<Match>, u64)> {
    let ranked = sql!(
        "SELECT m.audience_id, m.page_id, COALESCE(a.custom_name, a.computed_name) AS effective_name,
                g.name AS page_name, m.rank
         FROM (SELECT tenant_id, page_id, audience_id,
                      CASE WHEN folded = $1 AND $1 <> '' THEN 0 WHEN substr(folded, 1, length($1)) = $1 THEN 1
                           WHEN 1 = 1"
    );
    let mut found = ranked.with(values![words.phrase.as_str()]);
    for word in &words.words {
        found = found.and(sql!("AND {strpos}(word_form, $1) > 0"), values![word.start_form.as_str()]);
    }
    found = found.and(
        sql!(
            "THEN 2 ELSE 3 END AS rank FROM audience_names WHERE tenant_id = $1
             AND page_id NOT IN (SELECT page_id FROM pages WHERE tenant_id = $1 AND deleted_at IS NOT NULL)"
        ),
        values![tenant],
    );
    let mut counted = sql!(
        "SELECT COUNT(*) AS total FROM audience_names WHERE tenant_id = $1
         AND page_id NOT IN (SELECT page_id FROM pages WHERE tenant_id = $1 AND deleted_at IS NOT NULL)"
    )
    .with(values![tenant]);
    for word in &words.words {
        found = found.and(sql!("AND {strpos}(folded, $1) > 0"), values![word.text.as_str()]);
        counted = counted.and(sql!("AND {strpos}(folded, $1) > 0"), values![word.text.as_str()]);
    }
    found = found.and(
        sql!(
            ") m JOIN audiences a ON a.tenant_id = m.tenant_id AND a.page_id = m.page_id
                 AND a.audience_id = m.audience_id
             JOIN pages g ON g.tenant_id = m.tenant_id AND g.page_id = m.page_id
             WHERE m.tenant_id = $1"
        ),
        values![tenant],
    );
    if let Some((rank, audience)) = after {
        let beyond = sql!("AND (m.rank > $1 OR (m.rank = $1 AND m.audience_id < $2))");
        found = found.and(beyond, values![rank, audience]);
    }
    found = found.and(sql!("ORDER BY m.rank, m.audience_id DESC LIMIT $1"), values![extent.rows()]);
    let mut answers = tx.batch(vec![found.within(extent.bytes), counted])?;
    let total = answers.pop().unwrap_or_default().first().map_or(Ok(0), |row| row.get("total"))?;
    Ok((ListPart::read(&answers.pop().unwrap_or_default(), extent, found_audience)?, total))
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
