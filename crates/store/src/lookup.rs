//! Lookups: rows of one tenant that are asked for by their ids, any number of them with one statement.
//!
//! A table declares a [`Lookup`] as a constant. [`crate::ForTenant::look_up`] finds one row by it: the embedded database on the
//! caller's own thread, PostgreSQL with one statement for all who want a row of the same tenant at that time. Within a transaction
//! it finds many. A [`Stamp`] is what most lookups are about: a few numbers that tell whether kept JSON still holds.
//!
//! Invariant: a lookup reads what was committed when it was asked, or later.

use std::collections::HashMap;

use pagesmith_model::{Result, TenantId};

use crate::row::Row;
use crate::rows::RowKey;
use crate::sql;
use crate::sql::{Query, Sql, listed};
use crate::tx::Tx;
use crate::value::Value;

/// How rows of one kind are found by their ids.
pub struct Lookup<T: 'static> {
    /// The statement up to its list of ids: `$1` is the tenant, and the column `id` tells the rows apart.
    pub select: Sql,
    /// Reads a row; the column `id` is taken already.
    pub read: fn(&Row) -> Result<T>,
    /// How many rows a statement that callers share may answer: few, if they are large.
    pub at_once: usize,
    /// Whether the one server of an embedded database keeps the rows in memory, and as rows of which table. Every statement that
    /// changes one must say so ([`Query::changes`]).
    pub kept_as: Option<&'static str>,
}

impl<T> Lookup<T> {
    /// Those of these rows that there are, with their ids and sizes, the greatest id first, as far as they have so many bytes.
    pub fn find_newest(
        &self,
        tx: &mut Tx<'_>,
        tenant: &TenantId,
        ids: &[&str],
        most_bytes: usize,
    ) -> Result<Vec<(String, usize, T)>> {
        if ids.is_empty() {
            return Ok(vec![]);
        }
        let select = query(self.select, tenant, ids.iter().map(|id| Value::from(*id)));
        let rows = tx.all(select.and(sql!("ORDER BY id DESC"), vec![]).within(most_bytes))?;
        let read = |row: &Row| {
            let bytes = row.bytes();
            Ok((row.take("id")?, bytes, (self.read)(row)?))
        };
        rows.iter().map(read).collect()
    }
}

/// The query of a lookup for these ids, of which there must be some.
pub(crate) fn query(select: Sql, tenant: &TenantId, ids: impl ExactSizeIterator<Item = Value>) -> Query {
    listed(select.with(crate::values![tenant]), ids).and(sql!(")"), vec![])
}

impl<T: Clone + Send + Sync + 'static> Lookup<T> {
    /// The row with this id.
    pub fn find(&self, tx: &mut Tx<'_>, tenant: &TenantId, id: &str) -> Result<Option<T>> {
        Ok(self.find_many(tx, tenant, &[id])?.pop().flatten())
    }

    /// The row with each of these ids, which are different ones, in their order.
    pub fn find_many(&self, tx: &mut Tx<'_>, tenant: &TenantId, ids: &[&str]) -> Result<Vec<Option<T>>> {
        let memory = self.kept_as.and_then(|table| Some((table, tx.rows_in_memory()?)));
        let key = |table, id: &str| RowKey { table, ids: (tenant.as_str().into(), id.into()) };
        let mut found: Vec<Option<T>> = match memory {
            Some((table, (rows, _))) => ids.iter().map(|id| rows.find(&key(table, id))).collect(),
            None => ids.iter().map(|_| None).collect(),
        };
        let missing: Vec<usize> = (0..ids.len()).filter(|at| found[*at].is_none()).collect();
        if missing.is_empty() {
            return Ok(found);
        }
        let select = query(self.select, tenant, missing.iter().map(|at| Value::from(ids[*at])));
        let mut read = HashMap::with_capacity(missing.len());
        for row in tx.all(select)? {
            let id: String = row.take("id")?;
            read.insert(id, (self.read)(&row)?);
        }
        for at in missing {
            found[at] = read.remove(ids[at]);
            if let (Some((table, (rows, commits))), Some(row)) = (memory, &found[at]) {
                rows.keep(key(table, ids[at]), row.clone(), commits);
            }
        }
        Ok(found)
    }
}

/// A part of a collection, with the stamp of each item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StampedPart<Id> {
    /// The items, in order.
    pub items: Vec<(Id, Stamp)>,
    /// Whether more follow.
    pub more: bool,
    /// How many items the whole collection has.
    pub total: u64,
}

/// How many numbers a stamp has at most.
const NUMBERS: usize = 4;

/// Numbers that differ whenever what an answer shows of a thing differs; what is kept of the thing holds as long as they are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp([i64; NUMBERS]);

impl Stamp {
    /// The stamp in these columns of a row, which can be read again. No number counts as 0.
    pub(crate) fn read(row: &Row, columns: [&str; NUMBERS]) -> Result<Stamp> {
        let mut numbers = [0; NUMBERS];
        for (number, column) in numbers.iter_mut().zip(columns) {
            *number = row.get::<Option<i64>>(column)?.unwrap_or_default();
        }
        Ok(Stamp(numbers))
    }

    /// A stamp of these numbers.
    pub fn of(numbers: [i64; 4]) -> Stamp {
        Stamp(numbers)
    }
}
