//! `users`: who signs in at the console; and the tables beside it, a file each.
//!
//! Digests of passwords and sealed secrets leave this file only in [`Secrets`], never with the user.

pub mod addresses;
pub mod failures;
pub mod half_sign_ins;
pub mod identities;
pub mod invitation_mails;
pub mod invitations;
pub mod links;
pub mod memberships;
pub mod recovery_codes;
pub mod sessions;

use pagesmith_model::email::EmailAddress;
use pagesmith_model::user::User;
use pagesmith_model::{Result, Timestamp, UserId};

use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// The columns of a user, which [`user`] reads.
macro_rules! user_columns {
    () => {
        "u.user_id, u.email, u.name, u.language, u.password_hash IS NOT NULL AS has_password,
            u.sealed_totp IS NOT NULL AS has_totp, u.break_glass_at IS NOT NULL AS is_break_glass, u.disabled_at, u.created_at,
             COALESCE(u.is_operator, FALSE) AS is_operator"
    };
}

pub(crate) use user_columns;

/// Reads a row with [`user_columns`].
pub(crate) fn user(row: &Row) -> Result<User> {
    Ok(User {
        user_id: row.take("user_id")?,
        email: row.take("email")?,
        name: row.take("name")?,
        language: row.take("language")?,
        has_password: row.take("has_password")?,
        has_totp: row.take("has_totp")?,
        is_break_glass: row.take("is_break_glass")?,
        disabled_at: row.take("disabled_at")?,
        created_at: row.take("created_at")?,
        is_operator: row.take("is_operator")?,
    })
}

/// What a user proves who they are with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Secrets {
    /// The digest of the password.
    pub password_hash: Option<String>,
    /// The sealed secret of the authenticator app; empty if it was given up.
    pub sealed_totp: Option<Vec<u8>>,
    /// The step of the last code that was taken.
    pub totp_step: Option<i64>,
    /// The sealed secret of an app that is not confirmed yet.
    pub sealed_new_totp: Option<Vec<u8>>,
}

/// Says whether a user runs the installation.
pub fn set_operator(user_id: &UserId, is_operator: bool) -> Query {
    sql!("UPDATE users SET is_operator = $2 WHERE user_id = $1").with(values![user_id, is_operator])
}

/// Adds a user, with the digest of the password if there is one.
pub fn insert(user: &User, password_hash: Option<&str>) -> Query {
    sql!(
        "INSERT INTO users (user_id, email, name, language, password_hash, created_at)
         VALUES ($1, $2, $3, $4, $5, $6)"
    )
    .with(values![
        &user.user_id,
        &user.email,
        &user.name,
        &user.language,
        password_hash,
        user.created_at
    ])
}

/// The user of this id.
pub fn find(tx: &mut Tx<'_>, user_id: &UserId) -> Result<Option<User>> {
    let select = sql!("SELECT ", user_columns!(), " FROM users u WHERE u.user_id = $1");
    tx.maybe(select.with(values![user_id]))?.as_ref().map(user).transpose()
}

/// The user with this address.
pub fn find_by_email(tx: &mut Tx<'_>, email: &EmailAddress) -> Result<Option<User>> {
    let select = sql!("SELECT ", user_columns!(), " FROM users u WHERE u.email = $1");
    tx.maybe(select.with(values![email]))?.as_ref().map(user).transpose()
}

/// Users in the order in which they were made, behind one of them.
pub fn list(tx: &mut Tx<'_>, after: Option<&UserId>, limit: i64) -> Result<Vec<User>> {
    let select =
        sql!("SELECT ", user_columns!(), " FROM users u WHERE u.user_id > $1 ORDER BY u.user_id LIMIT $2");
    tx.all(select.with(values![after.map_or("", UserId::as_str), limit]))?.iter().map(user).collect()
}

/// Whether there is any user.
pub fn are_any(tx: &mut Tx<'_>) -> Result<bool> {
    Ok(tx.maybe(sql!("SELECT user_id FROM users LIMIT 1").with(values![]))?.is_some())
}

/// Writes what a user is called and where the user is reached.
pub fn update(user: &User) -> Query {
    sql!("UPDATE users SET email = $2, name = $3, language = $4 WHERE user_id = $1").with(values![
        &user.user_id,
        &user.email,
        &user.name,
        &user.language
    ])
}

/// Lets a user sign in no more, or again.
pub fn set_disabled(user_id: &UserId, at: Option<Timestamp>) -> Query {
    sql!("UPDATE users SET disabled_at = $2 WHERE user_id = $1").with(values![user_id, at])
}

/// Lets a user sign in with a password where passwords are off, or no more.
pub fn set_break_glass(user_id: &UserId, at: Option<Timestamp>) -> Query {
    sql!("UPDATE users SET break_glass_at = $2 WHERE user_id = $1").with(values![user_id, at])
}

/// Whether a user can sign in with a password where passwords are off.
pub fn are_any_break_glass(tx: &mut Tx<'_>) -> Result<bool> {
    let select = sql!(
        "SELECT user_id FROM users
         WHERE break_glass_at IS NOT NULL AND password_hash IS NOT NULL AND disabled_at IS NULL LIMIT 1"
    );
    Ok(tx.maybe(select.with(values![]))?.is_some())
}

/// Removes a user.
pub fn remove(user_id: &UserId) -> Query {
    sql!("DELETE FROM users WHERE user_id = $1").with(values![user_id])
}

/// What the user proves who they are with; nothing without the user.
pub fn secrets(tx: &mut Tx<'_>, user_id: &UserId) -> Result<Option<Secrets>> {
    let select =
        sql!("SELECT password_hash, sealed_totp, totp_step, sealed_new_totp FROM users WHERE user_id = $1");
    let row = tx.maybe(select.with(values![user_id]))?;
    row.map(|row| {
        Ok(Secrets {
            password_hash: row.take("password_hash")?,
            sealed_totp: row.take("sealed_totp")?,
            totp_step: row.take("totp_step")?,
            sealed_new_totp: row.take("sealed_new_totp")?,
        })
    })
    .transpose()
}

/// Replaces the digest of the password.
pub fn set_password(user_id: &UserId, hash: &str) -> Query {
    sql!("UPDATE users SET password_hash = $2 WHERE user_id = $1").with(values![user_id, hash])
}

/// Removes the digest of the password, so that no password is right.
pub fn remove_password(user_id: &UserId) -> Query {
    sql!("UPDATE users SET password_hash = NULL WHERE user_id = $1").with(values![user_id])
}

/// Replaces what belongs to authenticator apps.
pub fn set_totp(user_id: &UserId, secrets: &Secrets) -> Query {
    sql!("UPDATE users SET sealed_totp = $2, totp_step = $3, sealed_new_totp = $4 WHERE user_id = $1").with(
        values![
            user_id,
            secrets.sealed_totp.as_deref(),
            secrets.totp_step,
            secrets.sealed_new_totp.as_deref()
        ],
    )
}

/// The sealed secrets of a user: of the app, and of one that is not confirmed yet.
pub type SealedSecrets = (Option<Vec<u8>>, Option<Vec<u8>>);

/// Users with their sealed secrets, in their order, behind one of them; users without any are left out.
pub fn list_sealed(
    tx: &mut Tx<'_>,
    after: Option<&UserId>,
    limit: i64,
) -> Result<Vec<(UserId, SealedSecrets)>> {
    let select = sql!(
        "SELECT user_id, sealed_totp, sealed_new_totp FROM users
         WHERE user_id > $1 AND (sealed_totp IS NOT NULL OR sealed_new_totp IS NOT NULL)
         ORDER BY user_id LIMIT $2"
    );
    tx.all(select.with(values![after.map_or("", UserId::as_str), limit]))?
        .iter()
        .map(|row| Ok((row.take("user_id")?, (row.take("sealed_totp")?, row.take("sealed_new_totp")?))))
        .collect()
}

/// Empties the secret of a user's app, if there is one, and forgets one that is not confirmed.
pub fn give_up_sealed(user_id: &UserId) -> Query {
    sql!(
        "UPDATE users SET sealed_totp = CASE WHEN sealed_totp IS NULL THEN sealed_totp ELSE $2 END, sealed_new_totp = NULL
         WHERE user_id = $1"
    )
    .with(values![user_id, Vec::<u8>::new()])
}

/// Replaces what the secrets are sealed as.
pub fn update_sealed(user_id: &UserId, (sealed, new): &SealedSecrets) -> Query {
    sql!("UPDATE users SET sealed_totp = $2, sealed_new_totp = $3 WHERE user_id = $1").with(values![
        user_id,
        sealed.as_deref(),
        new.as_deref()
    ])
}
