//! Refuses a connection pooler that gives each transaction another connection to the server (pgbouncer's `pool_mode = transaction`).
//!
//! Prepared statements and settings belong to a connection of the server. Through such a pooler they would be missing where they are
//! wanted, now and then, and be left behind where others have not asked for them. The pooler itself does not tell its mode. But
//! behind it a server's process that one connection has just used is taken for the next transaction of another, or its own next
//! transaction gets a different process; with a process to each connection neither can be.

use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, SimpleQueryMessage};

use crate::connection::postgres::wire;
use crate::fault::Fault;

/// How often it is tried: other users of the pooler may come between.
const ROUNDS: usize = 2;

/// What to do about it.
const REFUSED: &str = "the address in the setting `database` leads to a connection pooler that gives each transaction another connection \
     to the server, and prepared statements and settings would be lost: set pool_mode = session for this database in pgbouncer, \
     or name the PostgreSQL server itself";

/// Refuses if two connections show that processes of the server are not theirs. Nothing is changed on either.
pub(crate) async fn check(one: &Client, other: &Client) -> Result<(), Fault> {
    for _ in 0..ROUNDS {
        let before = process(one, "").await.map_err(|error| wire::fault(&error))?;
        let of_other = match process(other, "BEGIN;").await {
            Ok(found) => found,
            // `pool_mode = statement` takes no transactions.
            Err(error) if error.code() == Some(&SqlState::PROTOCOL_VIOLATION) => return Err(refused()),
            Err(error) => return Err(wire::fault(&error)),
        };
        if of_other == before || process(one, "").await.map_err(|error| wire::fault(&error))? != before {
            return Err(refused());
        }
        other.batch_execute("ROLLBACK").await.map_err(|error| wire::fault(&error))?;
    }
    Ok(())
}

fn refused() -> Fault {
    Fault::Refused(REFUSED.to_owned())
}

/// The number of the server's process that answers, after it has been told something.
async fn process(client: &Client, first: &str) -> Result<Option<String>, tokio_postgres::Error> {
    let rows = client.simple_query(&format!("{first} SELECT pg_backend_pid()")).await?;
    Ok(rows.iter().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
        _ => None,
    }))
}
