//! What the planner is told of tables.
//!
//! Where nothing has been counted, it takes the beginning of a key to lead to ten rows. For a table that lies in the order of its key
//! (`WITHOUT ROWID`) that makes the tenant alone look as good as any index, and a statement walks all of the tenant's rows. What ANALYZE
//! counts is wrong as soon as a table has grown, and makes plans differ between databases. So all are told the same: that a tenant has many.

use crate::connection::sqlite::Connection;
use crate::connection::sqlite::faults::fault;
use crate::fault::Fault;

/// Such tables with how many rows there are, how many of each tenant, and how many with each further column of their keys.
const TABLES: [(&str, &str); 2] =
    [("audience_sessions", "1000000 100000 1"), ("deliveries", "1000000 100000 10000 1")];

/// Sets the statistics for the planner of every connection that is opened from now on. What an operator has counted stays.
pub(crate) fn set(connection: &Connection) -> Result<(), Fault> {
    let raw = connection.raw();
    let insert_all = || {
        let is_there = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1')";
        if !raw.query_row(is_there, [], |row| row.get::<_, bool>(0))? {
            raw.execute_batch("ANALYZE sqlite_schema")?;
        }
        for (table, figures) in TABLES {
            let insert = "INSERT INTO sqlite_stat1 (tbl, idx, stat)
                SELECT ?1, ?1, ?2 WHERE NOT EXISTS (SELECT 1 FROM sqlite_stat1 WHERE tbl = ?1)";
            raw.execute(insert, [table, figures])?;
        }
        Ok(())
    };
    insert_all().map_err(|error: rusqlite::Error| fault(&error))
}
