//! `user_addresses`: where users were signed in, by digests of addresses.

use pagesmith_model::{Result, Timestamp, UserId};

use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// Whether a user was signed in at an address since then.
pub fn is_known(tx: &mut Tx<'_>, user_id: &UserId, digest: &[u8; 32], since: Timestamp) -> Result<bool> {
    let select =
        sql!("SELECT last_at FROM user_addresses WHERE user_id = $1 AND digest = $2 AND last_at > $3");
    Ok(tx.maybe(select.with(values![user_id, digest, since]))?.is_some())
}

/// Notes that a user was signed in at an address.
pub fn save(user_id: &UserId, digest: &[u8; 32], now: Timestamp) -> Query {
    sql!(
        "INSERT INTO user_addresses (user_id, digest, last_at) VALUES ($1, $2, $3)
         ON CONFLICT (user_id, digest) DO UPDATE SET last_at = excluded.last_at"
    )
    .with(values![user_id, digest, now])
}

/// Forgets those of a user.
pub fn remove_of_user(user_id: &UserId) -> Query {
    sql!("DELETE FROM user_addresses WHERE user_id = $1").with(values![user_id])
}

/// Forgets those that were last used before that.
pub fn remove_older(than: Timestamp) -> Query {
    sql!("DELETE FROM user_addresses WHERE last_at <= $1").with(values![than])
}
