//! `user_sessions`: where users are signed in; of a token only the digest is here.

use pagesmith_model::user::User;
use pagesmith_model::user::session::{PresentedToken, Session};
use pagesmith_model::{Result, Timestamp, UserId, UserSessionId};

use super::{user, user_columns};
use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// The columns of a session, which [`session`] reads.
macro_rules! session_columns {
    () => {
        $crate::sql::columns!("s." as "s_" => user_session_id, user_id, client, network, created_at, last_seen_at, expires_at,
            ends_at, rotates_at)
    };
}

fn session(row: &Row) -> Result<Session> {
    Ok(Session {
        user_session_id: row.take("s_user_session_id")?,
        user_id: row.take("s_user_id")?,
        client: row.take("s_client")?,
        network: row.take("s_network")?,
        created_at: row.take("s_created_at")?,
        last_seen_at: row.take("s_last_seen_at")?,
        expires_at: row.take("s_expires_at")?,
        ends_at: row.take("s_ends_at")?,
        rotates_at: row.take("s_rotates_at")?,
    })
}

/// Adds a session.
pub fn insert(session: &Session, digest: &[u8; 32]) -> Query {
    sql!(
        "INSERT INTO user_sessions
            (user_session_id, user_id, digest, client, network, created_at, last_seen_at, expires_at, ends_at, rotates_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
    )
    .with(values![
        &session.user_session_id,
        &session.user_id,
        digest,
        &session.client,
        &session.network,
        session.created_at,
        session.last_seen_at,
        session.expires_at,
        session.ends_at,
        session.rotates_at,
    ])
}

/// The session of a token with its user, and which of the session's tokens it is.
pub fn find(tx: &mut Tx<'_>, digest: &[u8; 32]) -> Result<Option<(User, Session, PresentedToken)>> {
    let select = sql!(
        "SELECT ",
        user_columns!(),
        ", ",
        session_columns!(),
        " FROM user_sessions s JOIN users u ON u.user_id = s.user_id WHERE s.digest = $1"
    );
    if let Some(row) = tx.maybe(select.with(values![digest]))? {
        return Ok(Some((user(&row)?, session(&row)?, PresentedToken::Present)));
    }
    let select = sql!(
        "SELECT ",
        user_columns!(),
        ", ",
        session_columns!(),
        ", s.older_until FROM user_sessions s JOIN users u ON u.user_id = s.user_id
         WHERE s.older_digest = $1 AND s.older_until IS NOT NULL"
    );
    let Some(row) = tx.maybe(select.with(values![digest]))? else { return Ok(None) };
    Ok(Some((user(&row)?, session(&row)?, PresentedToken::Older(row.take("older_until")?))))
}

/// The sessions of a user that are open at `now`, the one that was seen last first.
pub fn list(tx: &mut Tx<'_>, user_id: &UserId, now: Timestamp) -> Result<Vec<Session>> {
    let select = sql!(
        "SELECT ",
        session_columns!(),
        " FROM user_sessions s WHERE s.user_id = $1 AND s.expires_at > $2
         ORDER BY s.last_seen_at DESC, s.user_session_id DESC"
    );
    tx.all(select.with(values![user_id, now]))?.iter().map(session).collect()
}

/// Notes that a session was seen.
pub fn set_seen(session: &Session) -> Query {
    sql!(
        "UPDATE user_sessions SET last_seen_at = $2, expires_at = $3, client = $4, network = $5
         WHERE user_session_id = $1"
    )
    .with(values![
        &session.user_session_id,
        session.last_seen_at,
        session.expires_at,
        &session.client,
        &session.network,
    ])
}

/// Replaces a session's token; the one before is taken until then.
pub fn set_token(session: &Session, digest: &[u8; 32], older_until: Timestamp) -> Query {
    sql!(
        "UPDATE user_sessions SET older_digest = digest, older_until = $3, digest = $2, rotates_at = $4
         WHERE user_session_id = $1"
    )
    .with(values![&session.user_session_id, digest, older_until, session.rotates_at])
}

/// Lets the tokens of a user's sessions be replaced at the next use.
pub fn rotate_all(user_id: &UserId, now: Timestamp) -> Query {
    sql!("UPDATE user_sessions SET rotates_at = $2 WHERE user_id = $1 AND rotates_at > $2")
        .with(values![user_id, now])
}

/// Ends a session of a user; a row is touched only if there was one.
pub fn remove(user_id: &UserId, session: &UserSessionId) -> Query {
    sql!("DELETE FROM user_sessions WHERE user_id = $1 AND user_session_id = $2")
        .with(values![user_id, session])
}

/// Ends all sessions of a user.
pub fn remove_of_user(user_id: &UserId) -> Query {
    sql!("DELETE FROM user_sessions WHERE user_id = $1").with(values![user_id])
}

/// Ends all sessions of a user but one.
pub fn remove_others(user_id: &UserId, kept: &UserSessionId) -> Query {
    sql!("DELETE FROM user_sessions WHERE user_id = $1 AND user_session_id <> $2")
        .with(values![user_id, kept])
}

/// Removes those that have ended.
pub fn remove_expired(now: Timestamp) -> Query {
    sql!("DELETE FROM user_sessions WHERE expires_at <= $1").with(values![now])
}
