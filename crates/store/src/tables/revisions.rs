//! `revisions`: numbers that rise when something changes that servers keep in memory.

use pagesmith_model::Result;

use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// Keys and tenants.
pub const ACCESS: &str = "access";
/// Certificates that are shown.
pub const CERTIFICATES: &str = "certificates";
/// Who holds which domain.
pub const DOMAINS: &str = "domains";
/// Persons who were erased.
pub const ERASED: &str = "erased";

/// The present revision; 0 before the first change.
pub fn find(tx: &mut Tx<'_>, name: &str) -> Result<i64> {
    let row = tx.maybe(sql!("SELECT revision FROM revisions WHERE name = $1").with(values![name]))?;
    row.map_or(Ok(0), |row| row.get("revision"))
}

/// Raises a revision, in the transaction of the change.
pub fn raise(name: &str) -> Query {
    sql!(
        "INSERT INTO revisions (name, revision) VALUES ($1, 1)
         ON CONFLICT (name) DO UPDATE SET revision = revisions.revision + 1"
    )
    .with(values![name])
}
