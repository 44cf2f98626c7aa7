//! `user_identities`: who a user is at identity providers; and the sign-ins there that were used already.

use pagesmith_model::{Result, Timestamp, UserId};

use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// Connects a user with an identity.
pub fn insert(issuer: &str, subject: &str, user_id: &UserId, now: Timestamp) -> Query {
    sql!(
        "INSERT INTO user_identities (issuer, subject, user_id, created_at, last_at) VALUES ($1, $2, $3, $4, $4)"
    )
    .with(values![issuer, subject, user_id, now])
}

/// The user who has this identity.
pub fn find(tx: &mut Tx<'_>, issuer: &str, subject: &str) -> Result<Option<UserId>> {
    let select = sql!("SELECT user_id FROM user_identities WHERE issuer = $1 AND subject = $2");
    tx.maybe(select.with(values![issuer, subject]))?.map(|row| row.take("user_id")).transpose()
}

/// Whether a user has an identity of this provider.
pub fn has_of_issuer(tx: &mut Tx<'_>, issuer: &str, user_id: &UserId) -> Result<bool> {
    let select = sql!("SELECT subject FROM user_identities WHERE issuer = $1 AND user_id = $2 LIMIT 1");
    Ok(tx.maybe(select.with(values![issuer, user_id]))?.is_some())
}

/// The providers at which a user has an identity.
pub fn issuers_of(tx: &mut Tx<'_>, user_id: &UserId) -> Result<Vec<String>> {
    let select = sql!("SELECT issuer FROM user_identities WHERE user_id = $1 ORDER BY issuer");
    tx.all(select.with(values![user_id]))?.iter().map(|row| row.take("issuer")).collect()
}

/// Notes that the identity was used.
pub fn set_last(issuer: &str, subject: &str, now: Timestamp) -> Query {
    sql!("UPDATE user_identities SET last_at = $3 WHERE issuer = $1 AND subject = $2")
        .with(values![issuer, subject, now])
}

/// Disconnects a user.
pub fn remove_of_user(user_id: &UserId) -> Query {
    sql!("DELETE FROM user_identities WHERE user_id = $1").with(values![user_id])
}

/// Notes that a sign-in was used; no row is touched if it was before.
pub fn use_up(digest: &[u8; 32], expires_at: Timestamp) -> Query {
    sql!("INSERT INTO used_sign_ins (digest, expires_at) VALUES ($1, $2) ON CONFLICT (digest) DO NOTHING")
        .with(values![digest, expires_at])
}

/// Forgets sign-ins that could not be used any more in any case.
pub fn forget_used(now: Timestamp) -> Query {
    sql!("DELETE FROM used_sign_ins WHERE expires_at <= $1").with(values![now])
}
