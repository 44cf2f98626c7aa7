//! `user_links`: links that are good once, to make the first user or to set a user's password; of each only the digest is here.

use pagesmith_model::{Error, Result, Timestamp, UserId};

use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// What a link is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkPurpose {
    /// To make the first user.
    SetUp,
    /// To set the password of this user.
    Password(UserId),
}

const SET_UP: &str = "set-up";
const PASSWORD: &str = "password";

/// Adds a link.
pub fn insert(digest: &[u8; 32], purpose: &LinkPurpose, now: Timestamp, expires_at: Timestamp) -> Query {
    let (kind, user_id) = match purpose {
        LinkPurpose::SetUp => (SET_UP, None),
        LinkPurpose::Password(user_id) => (PASSWORD, Some(user_id)),
    };
    sql!("INSERT INTO user_links (digest, kind, user_id, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)")
        .with(values![digest, kind, user_id.map(UserId::as_str), now, expires_at])
}

/// What a link is for, if it is good at `now`.
pub fn find(tx: &mut Tx<'_>, digest: &[u8; 32], now: Timestamp) -> Result<Option<LinkPurpose>> {
    let select = sql!("SELECT kind, user_id FROM user_links WHERE digest = $1 AND expires_at > $2");
    let Some(row) = tx.maybe(select.with(values![digest, now]))? else { return Ok(None) };
    let (kind, user_id): (String, Option<UserId>) = (row.take("kind")?, row.take("user_id")?);
    match (kind.as_str(), user_id) {
        (SET_UP, None) => Ok(Some(LinkPurpose::SetUp)),
        (PASSWORD, Some(user_id)) => Ok(Some(LinkPurpose::Password(user_id))),
        _ => Err(Error::internal("a link of an unknown kind")),
    }
}

/// Removes every link to make the first user.
pub fn remove_set_up() -> Query {
    sql!("DELETE FROM user_links WHERE kind = $1").with(values![SET_UP])
}

/// Removes the links of a user.
pub fn remove_of_user(user_id: &UserId) -> Query {
    sql!("DELETE FROM user_links WHERE user_id = $1").with(values![user_id])
}

/// Removes those that are good no more.
pub fn remove_expired(now: Timestamp) -> Query {
    sql!("DELETE FROM user_links WHERE expires_at <= $1").with(values![now])
}
