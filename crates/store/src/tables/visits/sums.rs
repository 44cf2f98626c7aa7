//! `visit_sums`: sums over closed sessions by the span in which they began, for a page and for what its sessions are told apart by.

use std::ops::Range;

use pagesmith_model::visit::range::Span;
use pagesmith_model::visit::session::Dimension;
use pagesmith_model::visit::sums::Sums;
use pagesmith_model::{PageId, Result, TenantId, Timestamp};

use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// Whose sums.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The page.
    pub page_id: PageId,
    /// How much time.
    pub span: Span,
    /// What the value is one of.
    pub dimension: Dimension,
    /// The audience, link, source or the like. Empty for the page, and for what is beyond the values that are told apart.
    pub value: String,
    /// When the span begins.
    pub starts_at: Timestamp,
}

/// Adds to the sums of a span.
pub fn add(tenant: &TenantId, key: &Key, more: &Sums) -> Query {
    let mut all = values![
        tenant,
        key.page_id.to_bytes().as_slice(),
        key.span.number(),
        key.dimension.number(),
        &key.value,
        key.starts_at,
    ];
    all.extend(more.amounts().map(crate::Value::from));
    sql!(
        "INSERT INTO visit_sums
            (tenant_id, page_id, span, dimension, value, starts_at, sessions, measured, bounce_eligible, bounces, conversions,
             with_action, with_form, half_seen, interactions, engaged_ms, scroll)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
         ON CONFLICT (tenant_id, page_id, span, dimension, value, starts_at) DO UPDATE SET
            sessions = visit_sums.sessions + excluded.sessions, measured = visit_sums.measured + excluded.measured,
            bounce_eligible = visit_sums.bounce_eligible + excluded.bounce_eligible,
            bounces = visit_sums.bounces + excluded.bounces, conversions = visit_sums.conversions + excluded.conversions,
            with_action = visit_sums.with_action + excluded.with_action,
            with_form = visit_sums.with_form + excluded.with_form, half_seen = visit_sums.half_seen + excluded.half_seen,
            interactions = visit_sums.interactions + excluded.interactions,
            engaged_ms = visit_sums.engaged_ms + excluded.engaged_ms, scroll = visit_sums.scroll + excluded.scroll"
    )
    .with(all)
}

macro_rules! amounts {
    () => {
        "CAST(SUM(sessions) AS BIGINT) AS sessions, CAST(SUM(measured) AS BIGINT) AS measured,
         CAST(SUM(bounce_eligible) AS BIGINT) AS bounce_eligible, CAST(SUM(bounces) AS BIGINT) AS bounces,
         CAST(SUM(conversions) AS BIGINT) AS conversions, CAST(SUM(with_action) AS BIGINT) AS with_action,
         CAST(SUM(with_form) AS BIGINT) AS with_form, CAST(SUM(half_seen) AS BIGINT) AS half_seen,
         CAST(SUM(interactions) AS BIGINT) AS interactions, CAST(SUM(engaged_ms) AS BIGINT) AS engaged_ms,
         CAST(SUM(scroll) AS BIGINT) AS scroll"
    };
}

pub(super) fn sums(row: &Row) -> Result<Sums> {
    Ok(Sums::of_amounts([
        row.take("sessions")?,
        row.take("measured")?,
        row.take("bounce_eligible")?,
        row.take("bounces")?,
        row.take("conversions")?,
        row.take("with_action")?,
        row.take("with_form")?,
        row.take("half_seen")?,
        row.take("interactions")?,
        row.take("engaged_ms")?,
        row.take("scroll")?,
    ]))
}

/// A filter of sums.
#[derive(Debug, Clone)]
pub struct SumFilter<'a> {
    /// The page.
    pub page_id: &'a PageId,
    /// How much time each covers.
    pub span: Span,
    /// What they are made by.
    pub dimension: Dimension,
    /// Only those of this value.
    pub value: Option<&'a str>,
}

/// The sums over whole spans of a range, for each value.
pub fn by_value(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    filter: &SumFilter<'_>,
    range: &Range<Timestamp>,
) -> Result<Vec<(String, Sums)>> {
    let mut select = sql!(
        "SELECT value, ",
        amounts!(),
        " FROM visit_sums WHERE tenant_id = $1 AND page_id = $2 AND span = $3 AND dimension = $4
          AND starts_at >= $5 AND starts_at < $6"
    )
    .with(values![
        tenant,
        filter.page_id.to_bytes().as_slice(),
        filter.span.number(),
        filter.dimension.number(),
        range.start,
        range.end,
    ]);
    if let Some(value) = filter.value {
        select = select.and(sql!("AND value = $1"), values![value]);
    }
    let rows = tx.all(select.and(sql!("GROUP BY value ORDER BY value"), vec![]))?;
    rows.iter().map(|row| Ok((row.take("value")?, sums(row)?))).collect()
}

/// The sums over whole spans of a range, for all pages of a tenant together.
pub fn of_tenant(tx: &mut Tx<'_>, tenant: &TenantId, span: Span, range: &Range<Timestamp>) -> Result<Sums> {
    let found = tx.maybe(all_of_tenant(tenant, span, range))?;
    found.as_ref().map_or_else(|| Ok(Sums::default()), sums)
}

/// The spans are named and no values: an index of only some rows is taken only where the condition is in the statement.
pub(in crate::tables) fn all_of_tenant(tenant: &TenantId, span: Span, range: &Range<Timestamp>) -> Query {
    let select =
        sql!("SELECT ", amounts!(), " FROM visit_sums WHERE tenant_id = $1").with(values![tenant]).and(
            match span {
                Span::Day => sql!("AND span = 0"),
                Span::Quarter => sql!("AND span = 1"),
            },
            vec![],
        );
    select.and(
        sql!("AND dimension = 0 AND starts_at >= $1 AND starts_at < $2 GROUP BY tenant_id"),
        values![range.start, range.end],
    )
}

/// The sums over each whole span of a range, for a page as a whole.
pub fn by_time(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    page_id: &PageId,
    span: Span,
    range: &Range<Timestamp>,
) -> Result<Vec<(Timestamp, Sums)>> {
    let select = sql!(
        "SELECT starts_at, ",
        amounts!(),
        " FROM visit_sums WHERE tenant_id = $1 AND page_id = $2 AND span = $3 AND dimension = 0 AND value = ''
          AND starts_at >= $4 AND starts_at < $5 GROUP BY starts_at ORDER BY starts_at"
    );
    let select =
        select.with(values![tenant, page_id.to_bytes().as_slice(), span.number(), range.start, range.end,]);
    tx.all(select)?.iter().map(|row| Ok((row.take("starts_at")?, sums(row)?))).collect()
}

/// Whether sums of quarters begin before an instant.
pub fn quarters_exist_before(tx: &mut Tx<'_>, tenant: &TenantId, before: Timestamp) -> Result<bool> {
    let select =
        sql!("SELECT span FROM visit_sums WHERE tenant_id = $1 AND span = 1 AND starts_at < $2 LIMIT 1");
    Ok(tx.maybe(select.with(values![tenant, before]))?.is_some())
}

/// Removes the sums of quarters that begin before an instant.
pub fn remove_quarters_before(tenant: &TenantId, before: Timestamp) -> Query {
    sql!("DELETE FROM visit_sums WHERE tenant_id = $1 AND span = 1 AND starts_at < $2")
        .with(values![tenant, before])
}

/// Removes the sums of a value of a page, of spans of whatever time.
pub fn remove_value(
    tenant: &TenantId,
    page_id: &PageId,
    (span, dimension): (Span, Dimension),
    value: &str,
) -> Query {
    sql!("DELETE FROM visit_sums WHERE tenant_id = $1 AND page_id = $2 AND span = $3 AND dimension = $4 AND value = $5")
        .with(values![tenant, page_id.to_bytes().as_slice(), span.number(), dimension.number(), value])
}
