//! `knowledge_postings`: in which chunks of a segment each term occurs, encoded by the crate `knowledge-index`.

use pagesmith_model::{Result, TenantId};

use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
use crate::value::Value;
use crate::{sql, tables, values};

/// A term in a segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Posting {
    /// The term.
    pub term: String,
    /// The segment.
    pub segment: i64,
    /// In how many chunks it occurs.
    pub count: i64,
    /// In which, and how much it weighs there.
    pub chunks: Vec<u8>,
}

/// In how many chunks of each segment these terms occur.
pub fn counts(tx: &mut Tx<'_>, tenant: &TenantId, terms: &[&str]) -> Result<Vec<(String, i64, i64)>> {
    if terms.is_empty() {
        return Ok(vec![]);
    }
    let select =
        sql!("SELECT term, segment, count FROM knowledge_postings WHERE tenant_id = $1 AND term IN (");
    let rows = tx.all(in_list(select.with(values![tenant]), terms))?;
    rows.iter().map(|row| Ok((row.take("term")?, row.get("segment")?, row.get("count")?))).collect()
}

/// The postings of terms, each in the segments from one on.
pub fn read(tx: &mut Tx<'_>, tenant: &TenantId, terms: &[(&str, i64)]) -> Result<Vec<Posting>> {
    let of_term = |(term, from): &(&str, i64)| {
        let select = sql!(
            "SELECT term, segment, count, chunks FROM knowledge_postings
             WHERE tenant_id = $1 AND term = $2 AND segment >= $3"
        );
        select.with(values![tenant, *term, *from])
    };
    let answers = tx.batch(terms.iter().map(of_term).collect())?;
    answers.iter().flatten().map(posting).collect()
}

/// The postings of these terms, at least one, in a segment.
pub fn of_segment(tx: &mut Tx<'_>, tenant: &TenantId, segment: i64, terms: &[&str]) -> Result<Vec<Posting>> {
    let select = sql!(
        "SELECT term, segment, count, chunks FROM knowledge_postings
         WHERE tenant_id = $1 AND segment = $2 AND term IN ("
    );
    let select = in_list(select.with(values![tenant, segment]), terms);
    tx.all(select)?.iter().map(posting).collect()
}

fn in_list(select: Query, terms: &[&str]) -> Query {
    tables::listed(select, terms.iter().map(|term| Value::from(*term))).and(sql!(")"), vec![])
}

fn posting(row: &Row) -> Result<Posting> {
    Ok(Posting {
        term: row.take("term")?,
        segment: row.get("segment")?,
        count: row.get("count")?,
        chunks: row.take("chunks")?,
    })
}

/// Writes postings in place of those that are there.
pub fn put(tx: &mut Tx<'_>, tenant: &TenantId, postings: &[Posting]) -> Result<()> {
    let mut inserts = Vec::new();
    for some in tables::parts(tx.rows_at_once(), postings) {
        let insert = sql!("INSERT INTO knowledge_postings (tenant_id, term, segment, count, chunks) VALUES");
        let row = |posting: &Posting| {
            let Posting { term, segment, count, chunks } = posting;
            values![tenant, term, *segment, *count, chunks.as_slice()]
        };
        let insert = tables::rows(insert.with(vec![]), sql!("($1, $2, $3, $4, $5)"), some.iter().map(row));
        let replaced = sql!(
            "ON CONFLICT (tenant_id, term, segment) DO UPDATE SET count = excluded.count, chunks = excluded.chunks"
        );
        inserts.push(insert.and(replaced, vec![]));
    }
    tx.batch(inserts)?;
    Ok(())
}

/// Deletes the postings of these terms, at least one, in a segment.
pub fn remove(tenant: &TenantId, segment: i64, terms: &[&str]) -> Query {
    let delete = sql!("DELETE FROM knowledge_postings WHERE tenant_id = $1 AND segment = $2 AND term IN (");
    in_list(delete.with(values![tenant, segment]), terms)
}
