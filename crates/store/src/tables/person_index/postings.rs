//! `person_postings`: of a segment, in which documents each gram occurs, starts a word, starts a field, and is a field.
//!
//! The crate `person-index` encodes the sets. A row is written once and says for ever what was so when its documents were packed;
//! only erased documents leave it.

use pagesmith_model::{Result, TenantId};

use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
use crate::value::Value;
use crate::{sql, tables, values};

/// Where in a segment a gram occurs, as encoded sets of documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Posting {
    /// The gram.
    pub gram: String,
    /// It occurs.
    pub anywhere: Vec<u8>,
    /// It starts a word.
    pub word_starts: Option<Vec<u8>>,
    /// It starts a field.
    pub field_starts: Option<Vec<u8>>,
    /// It is a field.
    pub whole: Option<Vec<u8>>,
}

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
    let mut select = tables::listed(select, segments.iter().map(|segment| Value::from(*segment)));
    select = select.and(sql!(") AND gram IN ("), vec![]);
    tables::listed(select, grams.iter().map(|gram| Value::from(*gram))).and(sql!(")"), vec![])
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
    for some in tables::parts(tx.rows_at_once(), postings) {
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
            tables::rows(insert.with(vec![]), sql!("($1, $2, $3, $4, $5, $6, $7)"), some.iter().map(row));
        inserts.push(insert.and(sql!("ON CONFLICT (tenant_id, segment, gram) DO NOTHING"), vec![]));
    }
    tx.batch(inserts)?;
    Ok(())
}

/// Deletes the rows of these grams, at least one, in a segment.
pub fn remove_grams(tenant: &TenantId, segment: i64, grams: &[&str]) -> Query {
    let grams = grams.iter().map(|gram| Value::from(*gram));
    tables::listed(
        sql!("DELETE FROM person_postings WHERE tenant_id = $1 AND segment = $2 AND gram IN (")
            .with(values![tenant, segment]),
        grams,
    )
    .and(sql!(")"), vec![])
}

/// Forgets up to `limit` rows of a segment; how many there were.
pub fn remove(tenant: &TenantId, segment: i64, limit: i64) -> Query {
    sql!(
        "DELETE FROM person_postings WHERE tenant_id = $1 AND segment = $2 AND gram IN (
            SELECT gram FROM person_postings WHERE tenant_id = $1 AND segment = $2 ORDER BY gram LIMIT $3)"
    )
    .with(values![tenant, segment, limit])
}
