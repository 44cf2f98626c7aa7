//! `half_sign_ins`: users whose password was right and whose second factor is awaited.

use pagesmith_model::{Result, Timestamp, UserId};

use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// Adds one.
pub fn insert(digest: &[u8; 32], user_id: &UserId, expires_at: Timestamp) -> Query {
    sql!("INSERT INTO half_sign_ins (digest, user_id, attempts, expires_at) VALUES ($1, $2, 0, $3)")
        .with(values![digest, user_id, expires_at])
}

/// Who it is and how many codes were tried, if it is good at `now`.
pub fn find(tx: &mut Tx<'_>, digest: &[u8; 32], now: Timestamp) -> Result<Option<(UserId, i64)>> {
    let select = sql!("SELECT user_id, attempts FROM half_sign_ins WHERE digest = $1 AND expires_at > $2");
    let row = tx.maybe(select.with(values![digest, now]))?;
    row.map(|row| Ok((row.take("user_id")?, row.take("attempts")?))).transpose()
}

/// Notes another code that was tried.
pub fn note_attempt(digest: &[u8; 32]) -> Query {
    sql!("UPDATE half_sign_ins SET attempts = attempts + 1 WHERE digest = $1").with(values![digest])
}

/// Removes one.
pub fn remove(digest: &[u8; 32]) -> Query {
    sql!("DELETE FROM half_sign_ins WHERE digest = $1").with(values![digest])
}

/// Removes those of a user.
pub fn remove_of_user(user_id: &UserId) -> Query {
    sql!("DELETE FROM half_sign_ins WHERE user_id = $1").with(values![user_id])
}

/// Removes those that are good no more.
pub fn remove_expired(now: Timestamp) -> Query {
    sql!("DELETE FROM half_sign_ins WHERE expires_at <= $1").with(values![now])
}
