//! The SQL statements, one file per table; the tables of one noun share a folder.
//!
//! A function that reads takes a transaction and returns values. A function that writes returns a [`Query`], which the caller
//! runs alone (`tx.run`) or together with others (`tx.change`). It takes a transaction and runs the statement itself if it
//! needs several statements or maps a violated constraint, and so do the tables that only the server or the person index
//! uses: `revisions`, `server_keys`, `health_checks`, `person_index`.

pub mod accounts;
pub mod agent;
pub mod assets;
pub mod audiences;
pub mod audit;
pub mod brands;
pub mod certificates;
pub mod counters;
pub mod events;
pub mod files;
pub mod forms;
pub mod health_checks;
pub mod idempotency;
pub mod integrity_checks;
pub mod keys;
pub mod knowledge;
pub mod leases;
pub mod link_blocks;
pub mod logs;
pub mod messages;
pub mod operation_keys;
mod ordered;
pub mod page_links;
pub mod pages;
pub mod pending_work;
pub mod person_imports;
pub mod person_index;
pub mod personal_data;
pub mod persons;
#[cfg(test)]
mod plans;
pub mod questions;
pub mod queues;
mod ranked_search;
pub mod revisions;
pub mod server_keys;
pub mod servers;
pub mod site;
pub mod tenant_domains;
pub mod tenants;
pub mod topics;
pub mod users;
pub mod versions;
pub mod visits;
pub mod webhooks;

use crate::sql;
pub(crate) use crate::sql::listed;
use crate::sql::{Query, Sql};
use crate::value::Value;

/// A count as a column holds it; nothing of ours counts further.
fn whole(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Appends rows to a text that ends with `VALUES`; `row` is the text of one.
fn rows(mut list: Query, row: Sql, rows: impl Iterator<Item = Vec<Value>>) -> Query {
    for (at, values) in rows.enumerate() {
        if at > 0 {
            // SQLite is given one row at a time.
            // only: postgres
            list = list.and(sql!(","), vec![]);
        }
        list = list.and(row, values);
    }
    list
}

/// A list in parts of these lengths, the last of which is 1, for statements with that many rows.
fn parts<'a, T>(lengths: &'static [usize], mut list: &'a [T]) -> impl Iterator<Item = &'a [T]> {
    std::iter::from_fn(move || {
        let length = *lengths.iter().find(|length| **length <= list.len())?;
        let part;
        (part, list) = list.split_at(length);
        Some(part)
    })
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn a_list_is_divided_into_parts_of_few_lengths() {
        let lengths: Vec<usize> = parts(&[64, 8, 1], &[0; 82]).map(<[_]>::len).collect();
        assert_eq!(lengths, [64, 8, 8, 1, 1]);
    }
}
