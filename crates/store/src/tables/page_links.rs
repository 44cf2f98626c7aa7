//! `page_links`: paths of the tenants' sites that lead to pages or elsewhere, with their folded paths for searches.

use pagesmith_model::json::JsonText;
use pagesmith_model::page_link::{self, LinkPath, PageLink, PageLinkTarget, TargetType};
use pagesmith_model::text::Query as Words;
use pagesmith_model::{AudienceId, Error, PageLinkId, Result, TenantDomainId, TenantId};

use crate::extent::{Extent, ListPart};
use crate::row::Row;
use crate::sql::{Query, Sql};
use crate::tables::counters;
use crate::tables::ranked_search::{self, Fields, RankedSearch};
use crate::tx::Tx;
use crate::value::Value;
use crate::{sql, values};

pub mod destinations;

/// `SELECT` and the columns of a link `n` with the page `p` of its target and the domain `d` that it is on.
const LINK: Sql = sql!(
    "SELECT n.page_link_id, n.tenant_domain_id, d.domain, n.path, n.target_type, n.page_id, n.audience_id, n.routing_table,
            n.created_at, n.updated_at, CASE WHEN p.page_id IS NULL THEN 1 ELSE 0 END AS is_target_deleted"
);

fn page_link(row: &Row) -> Result<PageLink> {
    let path: String = row.take("path")?;
    let (page_id, target_type): (String, String) = (row.get("page_id")?, row.take("target_type")?);
    let target = match TargetType::parse(&target_type) {
        Some(TargetType::Audience) => PageLinkTarget::audience(row.take("audience_id")?),
        Some(TargetType::Page) => PageLinkTarget::page(page_id),
        Some(TargetType::Routing) => {
            let kept: Option<JsonText> = row.take("routing_table")?;
            PageLinkTarget::routing(page_id, kept.as_ref().map(JsonText::read).transpose()?)
        }
        None => return Err(Error::internal("a page link with a target of an unknown type")),
    };
    let (tenant_domain_id, domain): (Option<TenantDomainId>, Option<String>) =
        (row.take("tenant_domain_id")?, row.take("domain")?);
    Ok(PageLink {
        page_link_id: row.take("page_link_id")?,
        domain: tenant_domain_id.zip(domain),
        path: LinkPath::parse(&path).map_err(Error::internal)?,
        target,
        page_id: row.take("page_id")?,
        is_target_deleted: row.take::<i64>("is_target_deleted")? == 1,
        created_at: row.take("created_at")?,
        updated_at: row.take("updated_at")?,
    })
}

/// The path as searches read it, and its words.
fn folded(path: &LinkPath) -> (String, String) {
    ranked_search::folded(path.key().trim_start_matches('/'))
}

/// The columns of a target: the audience's id and the routing table.
fn target(link: &PageLink) -> Result<(Option<&str>, Option<JsonText>)> {
    Ok(match &link.target {
        PageLinkTarget::Audience(target) => (Some(&target.audience_id), None),
        PageLinkTarget::Page(_) => (None, None),
        PageLinkTarget::Routing(target) => {
            (None, target.routing_table.as_ref().map(JsonText::of).transpose()?)
        }
    })
}

/// Adds a link, unless its path is taken; then no row is touched.
pub fn insert(tenant: &TenantId, link: &PageLink) -> Result<Query> {
    let (folded, word_form) = folded(&link.path);
    let (audience_id, routing_table) = target(link)?;
    let insert = sql!(
        "INSERT INTO page_links
            (tenant_id, page_link_id, path, path_key, first_segment, folded, word_form, target_type, page_id, audience_id,
             routing_table, created_at, updated_at, tenant_domain_id)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
         ON CONFLICT (tenant_id, path_key) DO NOTHING"
    );
    Ok(insert.with(values![
        tenant,
        &link.page_link_id,
        link.path.as_str(),
        link.key(),
        link.path.first_segment(),
        folded,
        word_form,
        link.target.target_type().as_str(),
        &link.page_id,
        audience_id,
        &routing_table,
        link.created_at,
        link.updated_at,
        link.tenant_domain_id(),
    ]))
}

/// The link.
pub fn find(tx: &mut Tx<'_>, tenant: &TenantId, id: &PageLinkId) -> Result<Option<PageLink>> {
    one(tx, tenant, sql!("AND n.page_link_id = $1"), id.into())
}

/// The link at a path of a domain, by its [key](page_link::key_on).
pub fn at_path(tx: &mut Tx<'_>, tenant: &TenantId, key: &str) -> Result<Option<PageLink>> {
    one(tx, tenant, sql!("AND n.path_key = $1"), key.into())
}

/// Whether there is a link on a domain.
pub fn is_any_on(tx: &mut Tx<'_>, tenant: &TenantId, id: &TenantDomainId) -> Result<bool> {
    let select =
        sql!("SELECT page_link_id FROM page_links WHERE tenant_id = $1 AND tenant_domain_id = $2 LIMIT 1");
    Ok(tx.maybe(select.with(values![tenant, id]))?.is_some())
}

fn one(tx: &mut Tx<'_>, tenant: &TenantId, which: Sql, value: Value) -> Result<Option<PageLink>> {
    let from = sql!(
        "FROM page_links n LEFT JOIN pages p ON p.tenant_id = $1 AND p.page_id = n.page_id AND p.deleted_at IS NULL
         LEFT JOIN tenant_domains d ON d.tenant_id = $1 AND d.tenant_domain_id = n.tenant_domain_id
         WHERE n.tenant_id = $1"
    );
    let select = LINK.with(values![]).and(from, values![tenant]).and(which, vec![value]);
    tx.maybe(select)?.as_ref().map(page_link).transpose()
}

/// A filter of links: those that fit everything that is given.
#[derive(Debug, Clone, Default)]
pub struct PageLinkFilter {
    /// The page of the target.
    pub page_id: Option<String>,
    /// The path's key, on whatever domain it is.
    pub path_key: Option<String>,
    /// The domain, by its id.
    pub tenant_domain_id: Option<String>,
    /// The type of the target.
    pub target_type: Option<TargetType>,
}

impl PageLinkFilter {
    fn is_all(&self) -> bool {
        let PageLinkFilter { page_id, path_key, tenant_domain_id, target_type } = self;
        page_id.is_none() && path_key.is_none() && tenant_domain_id.is_none() && target_type.is_none()
    }

    /// Appends the conditions on the link `n`.
    fn and(&self, mut query: Query) -> Query {
        if let Some(page_id) = &self.page_id {
            query = query.and(sql!("AND n.page_id = $1"), values![page_id]);
        }
        if let Some(path_key) = &self.path_key {
            let is_there = sql!(
                "AND n.first_segment = $1 AND n.path_key = COALESCE(n.tenant_domain_id, '') || CAST($2 AS TEXT)"
            );
            query = query.and(is_there, values![page_link::first_segment(path_key), path_key]);
        }
        if let Some(id) = &self.tenant_domain_id {
            query = query.and(sql!("AND n.tenant_domain_id = $1"), values![id]);
        }
        if let Some(target_type) = self.target_type {
            query = query.and(sql!("AND n.target_type = $1"), values![target_type.as_str()]);
        }
        query
    }
}

/// The links that pass the filter, newest first, after a position; and how many there are in all.
pub fn list(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    filter: &PageLinkFilter,
    after: Option<&PageLinkId>,
    extent: Extent,
) -> Result<(ListPart<Match>, u64)> {
    let from = sql!(
        ", CAST(0 AS BIGINT) AS rank
         FROM page_links n LEFT JOIN pages p ON p.tenant_id = $1 AND p.page_id = n.page_id AND p.deleted_at IS NULL
         LEFT JOIN tenant_domains d ON d.tenant_id = $1 AND d.tenant_domain_id = n.tenant_domain_id
         WHERE n.tenant_id = $1"
    );
    let mut select = filter.and(LINK.with(values![]).and(from, values![tenant]));
    if let Some(id) = after {
        select = select.and(sql!("AND n.page_link_id < $1"), values![id]);
    }
    select = select.and(sql!("ORDER BY n.page_link_id DESC LIMIT $1"), values![extent.rows()]);
    let count = if filter.is_all() {
        counters::count(tenant, counters::PAGE_LINKS)
    } else {
        filter.and(
            sql!("SELECT COUNT(*) AS total FROM page_links n WHERE n.tenant_id = $1").with(values![tenant]),
        )
    };
    let mut answers = tx.batch(vec![select.within(extent.bytes), count])?;
    let total = counters::total(&answers.pop().unwrap_or_default())?;
    Ok((ListPart::read(&answers.pop().unwrap_or_default(), extent, found)?, total))
}

/// A link that matches, behind how well it does: 0 is best.
pub type Match = (i64, PageLink);

fn found(row: &Row) -> Result<Match> {
    Ok((row.get("rank")?, page_link(row)?))
}

/// The path, and the names of the page and the audience of the target; the best of them counts.
const PATH_AND_TARGET: Fields = Fields {
    exact: sql!("(n.folded = $1 OR g.folded = $1 OR a.folded = $1) AND $1 <> ''"),
    prefix: sql!(
        "substr(n.folded, 1, length($1)) = $1 OR substr(g.folded, 1, length($1)) = $1
         OR substr(a.folded, 1, length($1)) = $1"
    ),
    word_start: sql!(
        "AND ({strpos}(n.word_form, $1) > 0 OR {strpos}(g.word_form, $1) > 0 OR {strpos}(a.word_form, $1) > 0)"
    ),
    holds: sql!(
        "AND ({strpos}(n.folded, $1) > 0 OR {strpos}(g.folded, $1) > 0 OR {strpos}(a.folded, $1) > 0)"
    ),
};

const SEARCH: RankedSearch<Match> = RankedSearch {
    columns: LINK,
    ids: sql!("n.page_link_id AS item_id,"),
    chosen: ranked_search::ITEM_ID,
    fields: PATH_AND_TARGET,
    // A deleted page has no row in `page_names`, an archived audience none in `audience_names`.
    names: sql!(
        "FROM page_links n
         LEFT JOIN page_names g ON g.tenant_id = $1 AND g.page_id = n.page_id
         LEFT JOIN audience_names a ON a.tenant_id = $1 AND a.audience_id = n.audience_id
         WHERE n.tenant_id = $1"
    ),
    joins: sql!(
        ") m JOIN page_links n ON n.tenant_id = $1 AND n.page_link_id = m.item_id
         LEFT JOIN pages p ON p.tenant_id = $1 AND p.page_id = n.page_id AND p.deleted_at IS NULL
         LEFT JOIN tenant_domains d ON d.tenant_id = $1 AND d.tenant_domain_id = n.tenant_domain_id
         WHERE m.tenant_id = $1"
    ),
    narrowing: None,
    read: found,
};

/// The same without the names of persons' audiences, which are those of the persons.
const SEARCH_WITHOUT_PERSONS: RankedSearch<Match> = RankedSearch {
    names: sql!(
        "FROM page_links n
         LEFT JOIN page_names g ON g.tenant_id = $1 AND g.page_id = n.page_id
         LEFT JOIN (SELECT s.audience_id, s.folded, s.word_form FROM audience_names s
              JOIN audiences o ON o.tenant_id = $1 AND o.page_id = s.page_id AND o.audience_id = s.audience_id
              WHERE s.tenant_id = $1 AND o.person_id IS NULL) a ON a.audience_id = n.audience_id
         WHERE n.tenant_id = $1"
    ),
    ..SEARCH
};

/// The links that pass the filter and whose path, page or audience hold every word, best first and newest first within a rank, after a position; and how
/// many match in all. The names of persons' audiences count if that is said beside the words. Without words as [`list`].
pub fn search(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    (words, shows_persons): (&Words, bool),
    filter: &PageLinkFilter,
    after: Option<&(i64, PageLinkId)>,
    extent: Extent,
) -> Result<(ListPart<Match>, u64)> {
    if words.is_blank() {
        return list(tx, tenant, filter, after.map(|(_, page_link_id)| page_link_id), extent);
    }
    let search = if shows_persons { &SEARCH } else { &SEARCH_WITHOUT_PERSONS };
    search.run_where(tx, tenant, words, after, extent, |query| filter.and(query))
}

/// Replaces what may change of a link.
pub fn update(tenant: &TenantId, link: &PageLink) -> Result<Query> {
    let (folded, word_form) = folded(&link.path);
    let (audience_id, routing_table) = target(link)?;
    let update = sql!(
        "UPDATE page_links SET path = $3, path_key = $4, first_segment = $5, folded = $6, word_form = $7, target_type = $8,
            page_id = $9, audience_id = $10, routing_table = $11, updated_at = $12, tenant_domain_id = $13
         WHERE tenant_id = $1 AND page_link_id = $2"
    );
    Ok(update.with(values![
        tenant,
        &link.page_link_id,
        link.path.as_str(),
        link.key(),
        link.path.first_segment(),
        folded,
        word_form,
        link.target.target_type().as_str(),
        &link.page_id,
        audience_id,
        &routing_table,
        link.updated_at,
        link.tenant_domain_id(),
    ]))
}

/// The paths of the links to an audience.
pub fn paths_to(tx: &mut Tx<'_>, tenant: &TenantId, audience_id: &AudienceId) -> Result<Vec<String>> {
    let select =
        sql!("SELECT path FROM page_links WHERE tenant_id = $1 AND audience_id = $2 ORDER BY page_link_id");
    tx.all(select.with(values![tenant, audience_id]))?.iter().map(|row| row.get("path")).collect()
}

/// Removes the links to an audience.
pub fn remove_to(tenant: &TenantId, audience_id: &AudienceId) -> Query {
    sql!("DELETE FROM page_links WHERE tenant_id = $1 AND audience_id = $2")
        .with(values![tenant, audience_id])
}

/// Removes a link.
pub fn remove(tenant: &TenantId, id: &PageLinkId) -> Query {
    sql!("DELETE FROM page_links WHERE tenant_id = $1 AND page_link_id = $2").with(values![tenant, id])
}
