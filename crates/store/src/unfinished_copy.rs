//! The mark of a database into which another one is being copied.
//!
//! A table that holds the source's name: made with the first row's transaction, removed when the whole copy is verified. As long
//! as it is there, the database is nobody's but the copy's: nothing else opens it.

use pagesmith_model::{Error, Result};

use crate::sql;
use crate::tx::Tx;

/// The table of the mark.
pub(crate) const TABLE: &str = "unfinished_copy";

/// The name of the database that is being copied into this one, if one is.
pub(crate) fn source_of(tx: &mut Tx<'_>) -> Result<Option<String>> {
    if !tx.has_table(TABLE)? {
        return Ok(None);
    }
    let source = tx.one(sql!("SELECT source FROM unfinished_copy").with(vec![]))?;
    source.get("source").map(Some)
}

/// Refuses a database that is not yet whole.
pub(crate) fn refuse(tx: &mut Tx<'_>) -> Result<()> {
    match source_of(tx)? {
        None => Ok(()),
        Some(source) => Err(Error::unavailable(format!(
            "The database holds an unfinished copy of {source}: run the same `pagesmith copy` or `pagesmith restore` again to its end, or make the database anew."
        ))),
    }
}
