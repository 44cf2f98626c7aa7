//! `person_postings`: of a segment, in which documents each gram occurs, starts a word, starts a field, and is a field.
//!
//! The sets are `model::documents`. A row is written once and says for ever what was so when its documents were packed;
//! only erased documents leave it.

use pagesmith_model::gram::Posting;
use pagesmith_model::{Result, TenantId};

use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
use crate::value::Value;
use crate::{sql, values};

/// Rows of which a document is taken out in one go.
const GRAMS: usize = 256;

/// The row of a gram in a segment.
#[derive(Debug, Clone)]
pub struct SegmentPosting {
    /// Where.
    pub segment: i64,
    /// What the query asked for; of [`narrow`], only where the gram occurs.
    pub posting: Posting,
}

/// All sets of these grams in these segments; a query, to travel with others, for [`found`].
pub fn wide(tenant: &TenantId, segments: &[i64], grams: &[&str]) -> Query {
    let select = sql!(
        "SELECT segment, gram, anywhere, word_starts, field_starts, whole FROM person_postings
         WHERE tenant_id = $1 AND segment IN ("
    );
    listed(select.with(values![tenant]), segments, grams)
}

/// Where these grams occur in these segments; a query, to travel with others, for [`found`].
pub fn narrow(tenant: &TenantId, segments: &[i64], grams: &[&str]) -> Query {
    let select = sql!(
        "SELECT segment, gram, anywhere, NULL AS word_starts, NULL AS field_starts, NULL AS whole
         FROM person_postings WHERE tenant_id = $1 AND segment IN ("
    );
    listed(select.with(values![tenant]), segments, grams)
}

fn listed(select: Query, segments: &[i64], grams: &[&str]) -> Query {
    let mut select = super::listed(select, segments.iter().map(|segment| Value::from(*segment)));
    select = select.and(sql!(") AND gram IN ("), vec![]);
    super::listed(select, grams.iter().map(|gram| Value::from(*gram))).and(sql!(")"), vec![])
}

/// The rows of an answer.
pub fn found(rows: &[Row]) -> Result<Vec<SegmentPosting>> {
    let found = |row: &Row| {
        let segment = row.get("segment")?;
        let posting = Posting {
            gram: row.take("gram")?,
            anywhere: row.take("anywhere")?,
            word_starts: row.take("word_starts")?,
            field_starts: row.take("field_starts")?,
            whole: row.take("whole")?,
        };
        Ok(SegmentPosting { segment, posting })
    };
    rows.iter().map(found).collect()
}

/// Writes postings; those that are there already are the same.
pub fn insert(tx: &mut Tx<'_>, tenant: &TenantId, segment: i64, postings: &[Posting]) -> Result<()> {
    let mut inserts = Vec::new();
    for some in super::parts(tx.rows_at_once(), postings) {
        let insert = sql!(
            "INSERT INTO person_postings
                (tenant_id, segment, gram, anywhere, word_starts, field_starts, whole) VALUES"
        );
        let row = |posting: &Posting| {
            let Posting { gram, anywhere, word_starts, field_starts, whole } = posting;
            let (words, starts) = (word_starts.as_deref(), field_starts.as_deref());
            values![tenant, segment, gram, anywhere.as_slice(), words, starts, whole.as_deref()]
        };
        let insert =
            super::rows(insert.with(vec![]), sql!("($1, $2, $3, $4, $5, $6, $7)"), some.iter().map(row));
        inserts.push(insert.and(sql!("ON CONFLICT (tenant_id, segment, gram) DO NOTHING"), vec![]));
    }
    tx.batch(inserts)?;
    Ok(())
}

/// Takes a document with these grams out of the rows of a segment.
pub fn erase(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    segment: i64,
    document: u16,
    grams: &[String],
) -> Result<()> {
    for some in grams.chunks(GRAMS) {
        let some: Vec<&str> = some.iter().map(String::as_str).collect();
        let rows = tx.all(wide(tenant, &[segment], &some))?;
        let rest = found(&rows)?.into_iter().filter_map(|found| found.posting.without(document));
        let delete = sql!("DELETE FROM person_postings WHERE tenant_id = $1 AND segment = $2 AND gram IN (");
        let grams = some.iter().map(|gram| Value::from(*gram));
        tx.run(super::listed(delete.with(values![tenant, segment]), grams).and(sql!(")"), vec![]))?;
        insert(tx, tenant, segment, &rest.collect::<Vec<_>>())?;
    }
    Ok(())
}

/// Forgets up to `limit` rows of a segment; how many there were.
pub fn remove(tx: &mut Tx<'_>, tenant: &TenantId, segment: i64, limit: i64) -> Result<u64> {
    let delete = sql!(
        "DELETE FROM person_postings WHERE tenant_id = $1 AND segment = $2 AND gram IN (
            SELECT gram FROM person_postings WHERE tenant_id = $1 AND segment = $2 ORDER BY gram LIMIT $3)"
    );
    tx.run(delete.with(values![tenant, segment, limit]))
}
