//! Whether a program and a database fit each other.

use pagesmith_model::{Error, Result};

/// How a database's migrations and this program's differ.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SchemaState {
    /// Migrations that this program has and the database has not.
    pub pending: Vec<String>,
    /// Migrations that the database has and this program has not, beside which it can serve.
    pub newer: Vec<String>,
}

impl SchemaState {
    /// Refuses a database with tables that this program does not know, for what has to pass over none.
    pub fn refuse_newer(&self) -> Result<()> {
        let Some(name) = self.newer.first() else { return Ok(()) };
        Err(Error::conflict(format!(
            "The database was migrated by a newer version of Pagesmith (it has the migration {name}): use that version for this."
        )))
    }
}
