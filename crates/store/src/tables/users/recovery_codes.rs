//! `recovery_codes`: digests of the codes that a user has left.

use pagesmith_model::{Result, UserId};

use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// Adds a code.
pub fn insert(user_id: &UserId, digest: &[u8; 32]) -> Query {
    sql!("INSERT INTO recovery_codes (user_id, digest) VALUES ($1, $2)").with(values![user_id, digest])
}

/// How many a user has left.
pub fn count(tx: &mut Tx<'_>, user_id: &UserId) -> Result<i64> {
    let select = sql!("SELECT COUNT(*) AS codes FROM recovery_codes WHERE user_id = $1");
    tx.one(select.with(values![user_id]))?.get("codes")
}

/// Uses a code up; a row is touched only if the user had it.
pub fn take(user_id: &UserId, digest: &[u8; 32]) -> Query {
    sql!("DELETE FROM recovery_codes WHERE user_id = $1 AND digest = $2").with(values![user_id, digest])
}

/// Removes all of a user.
pub fn remove_all(user_id: &UserId) -> Query {
    sql!("DELETE FROM recovery_codes WHERE user_id = $1").with(values![user_id])
}
