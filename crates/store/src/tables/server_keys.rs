//! `server_keys`: keys that the server has made for itself, sealed under its key.

use pagesmith_model::Result;

use crate::tx::Tx;
use crate::{sql, values};

/// A key, sealed.
pub fn find(tx: &mut Tx<'_>, name: &str) -> Result<Option<Vec<u8>>> {
    // across tenants: they are the server's
    let row = tx.maybe(sql!("SELECT sealed FROM server_keys WHERE name = $1").with(values![name]))?;
    row.map(|row| row.take("sealed")).transpose()
}

/// Adds a key unless there is one of that name.
pub fn insert(tx: &mut Tx<'_>, name: &str, sealed: &[u8]) -> Result<()> {
    // across tenants: they are the server's
    let insert = sql!("INSERT INTO server_keys (name, sealed) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING");
    tx.run(insert.with(values![name, sealed]))?;
    Ok(())
}

/// Replaces what a key is sealed as.
pub fn update(tx: &mut Tx<'_>, name: &str, sealed: &[u8]) -> Result<()> {
    // across tenants: they are the server's
    let update = sql!("UPDATE server_keys SET sealed = $2 WHERE name = $1");
    tx.run(update.with(values![name, sealed]))?;
    Ok(())
}
