//! A table's rows as one number, the same on both engines.
//!
//! SHA-256 over the rows in the order of their key, each value with its type and its length, so that no two tables of different
//! rows are the same bytes.

use std::fmt;

use pagesmith_model::Result;
use pagesmith_model::hexadecimal::hexadecimal;
use sha2::{Digest, Sha256};

use super::Batch;
use super::database::Database;
use super::pages::Pages;
use super::plan::Table;
use crate::value::Value;

/// What a table's rows come to.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Digested {
    pub(super) rows: u64,
    pub(super) digest: String,
}

impl fmt::Display for Digested {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} rows with the digest {}", self.rows, &self.digest[..8])
    }
}

/// Reads a whole table; `told` hears how many rows have come each time.
pub(super) fn of(
    database: &mut dyn Database,
    table: &Table,
    batch: Batch,
    told: &mut dyn FnMut(u64) -> Result<()>,
) -> Result<Digested> {
    let mut pages = Pages::after(table, batch, None);
    let (mut count, mut sum, mut bytes) = (0, Sha256::new(), Vec::new());
    while let Some(rows) = pages.next(database)? {
        for row in &rows {
            bytes.clear();
            row.iter().for_each(|value| encode(value, &mut bytes));
            sum.update(&bytes);
        }
        count += rows.len() as u64;
        told(rows.len() as u64)?;
    }
    let digest = hexadecimal(&sum.finalize());
    Ok(Digested { rows: count, digest })
}

fn encode(value: &Value, out: &mut Vec<u8>) {
    let (kind, bytes): (u8, &[u8]) = match value {
        Value::Null => (0, &[]),
        Value::Int(value) => {
            out.push(1);
            return out.extend_from_slice(&value.to_be_bytes());
        }
        Value::Bool(value) => return out.extend_from_slice(&[2, u8::from(*value)]),
        Value::Text(value) => (3, value.as_bytes()),
        Value::Bytes(value) => (4, value),
    };
    out.push(kind);
    out.extend_from_slice(&(bytes.len() as u64).to_be_bytes());
    out.extend_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(values: &[Value]) -> Vec<u8> {
        let mut bytes = Vec::new();
        values.iter().for_each(|value| encode(value, &mut bytes));
        bytes
    }

    #[test]
    fn values_that_differ_are_other_bytes() {
        let rows = [
            vec![Value::Null, Value::Null],
            crate::values!["", ""],
            crate::values!["a", ""],
            crate::values!["", "a"],
            crate::values![0, 0],
            crate::values![false, false],
            crate::values![true, false],
            crate::values![1, 0],
            crate::values![b"".as_slice(), b"".as_slice()],
            crate::values![b"a".as_slice(), b"".as_slice()],
            crate::values![i64::MIN, i64::MAX],
        ];
        for (at, row) in rows.iter().enumerate() {
            assert!(rows[..at].iter().all(|other| encoded(other) != encoded(row)), "{row:?}");
        }
    }
}
