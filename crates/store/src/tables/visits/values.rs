//! `visit_values`: of how many different values the sums of a page's UTC day are, for each of what there may be too many of.
//!
//! Which they are is in `visit_sums`.

use pagesmith_model::visit::range::Span;
use pagesmith_model::visit::session::Dimension;
use pagesmith_model::{Error, PageId, Result, TenantId, Timestamp};

use crate::sql::Query;
use crate::tables::listed;
use crate::tx::Tx;
use crate::value::Value;
use crate::{sql, values};

/// A UTC day of a page, given by its beginning.
pub type Day = (PageId, Timestamp);

fn dimension(number: i64) -> Result<Dimension> {
    let found = Dimension::ALL.into_iter().find(|dimension| dimension.number() == number);
    found.ok_or_else(|| Error::internal("a dimension that is none"))
}

/// How many values a statement asks about.
const AT_ONCE: usize = 256;

/// Those of these values that the sums of a day are of.
pub fn known(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    (page_id, starts_at): &Day,
    values: &[&str],
) -> Result<Vec<(Dimension, String)>> {
    let mut found = Vec::new();
    for values in values.chunks(AT_ONCE) {
        let select = sql!(
            "SELECT dimension, value FROM visit_sums WHERE tenant_id = $1 AND page_id = $2 AND span = $3 AND dimension IN ("
        );
        let select = select.with(values![tenant, page_id.to_bytes().as_slice(), Span::Day.number()]);
        let dimensions = Dimension::LIMITED.iter().map(|dimension| Value::from(dimension.number()));
        let select = listed(select, dimensions).and(sql!(") AND value IN ("), vec![]);
        let select = listed(select, values.iter().map(|value| Value::from(*value)));
        for row in tx.all(select.and(sql!(") AND starts_at = $1"), values![*starts_at]))? {
            found.push((dimension(row.take("dimension")?)?, row.take("value")?));
        }
    }
    Ok(found)
}

/// How many there are of each dimension that has any, on one of these days or another one of their pages.
pub fn counts(tx: &mut Tx<'_>, tenant: &TenantId, days: &[Day]) -> Result<Vec<(Day, Dimension, i64)>> {
    if days.is_empty() {
        return Ok(vec![]);
    }
    let select = sql!(
        "SELECT page_id, starts_at, dimension, number FROM visit_values WHERE tenant_id = $1 AND page_id IN ("
    )
    .with(values![tenant]);
    let select = listed(select, days.iter().map(|(page_id, _)| Value::from(page_id.to_bytes().as_slice())));
    let select = listed(
        select.and(sql!(") AND starts_at IN ("), vec![]),
        days.iter().map(|(_, starts_at)| Value::from(*starts_at)),
    );
    let rows = tx.all(select.and(sql!(")"), vec![]))?;
    let read = |row: &crate::row::Row| {
        let page_id = PageId::from_bytes(super::number(row.take("page_id")?)?);
        Ok(((page_id, row.take("starts_at")?), dimension(row.take("dimension")?)?, row.take("number")?))
    };
    rows.iter().map(read).collect()
}

/// Notes how many there are now.
pub fn save(tenant: &TenantId, (page_id, starts_at): &Day, dimension: Dimension, number: i64) -> Query {
    sql!(
        "INSERT INTO visit_values (tenant_id, page_id, starts_at, dimension, number) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (tenant_id, page_id, starts_at, dimension) DO UPDATE SET number = excluded.number"
    )
    .with(values![tenant, page_id.to_bytes().as_slice(), *starts_at, dimension.number(), number])
}
