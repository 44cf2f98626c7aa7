//! `servers`: the processes that serve from the database, each with its last sign of life.

use pagesmith_model::{Result, ServerId, Timestamp};

use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// A server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// Its id, another one after every start.
    pub server_id: ServerId,
    /// The name of its machine.
    pub host: String,
    /// The version of the program.
    pub version: String,
    /// When it was started.
    pub started_at: Timestamp,
    /// Its last sign of life.
    pub seen_at: Timestamp,
}

/// Notes a sign of life.
pub fn note(server: &Server) -> Query {
    sql!(
        "INSERT INTO servers (server_id, host, version, started_at, seen_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (server_id) DO UPDATE SET seen_at = excluded.seen_at"
    )
    .with(values![&server.server_id, &server.host, &server.version, server.started_at, server.seen_at])
}

/// Forgets the servers that have given no sign of life since then.
pub fn forget(before: Timestamp) -> Query {
    sql!("DELETE FROM servers WHERE seen_at < $1").with(values![before])
}

/// Up to so many servers, the one that was seen last first.
pub fn list(tx: &mut Tx<'_>, most: i64) -> Result<Vec<Server>> {
    let select = sql!(
        "SELECT server_id, host, version, started_at, seen_at FROM servers ORDER BY seen_at DESC, server_id LIMIT $1"
    );
    let rows = tx.all(select.with(values![most]))?;
    let server = |row: &crate::row::Row| {
        Ok(Server {
            server_id: row.take("server_id")?,
            host: row.take("host")?,
            version: row.take("version")?,
            started_at: row.take("started_at")?,
            seen_at: row.take("seen_at")?,
        })
    };
    rows.iter().map(server).collect()
}
