//! Passwords: confirmed, changed, and set by a link.

use pagesmith_model::actor::Actor;
use pagesmith_model::audit::Action;
use pagesmith_model::email::EmailAddress;
use pagesmith_model::user::{User, password};
use pagesmith_model::{Error, Issue, IssueCode, Result, UserId, UserSessionId};
use pagesmith_store::tables::users as table;
use pagesmith_store::tables::users::{half_sign_ins, links as link_rows, sessions as session_rows};
use pagesmith_store::{Store, Tx};

use super::attempts::{self, Counted};
use super::{Client, Hasher, find, links, record};
use crate::context::Context;

/// Refuses a password that a user with this address and name may not have.
pub(super) fn check(password: &str, email: &EmailAddress, name: &str) -> Result<()> {
    password::check(password, email, name, "password").map_err(|issue| Error::invalid(vec![issue]))
}

/// Confirms that whoever is signed in knows the password: before it is changed, or the second factor. Wrong ones count as attempts to sign in.
pub async fn confirm(
    store: &Store,
    ctx: &Context,
    hasher: &Hasher,
    client: &Client,
    user_id: &UserId,
    password: String,
) -> Result<()> {
    let (counted, of_pair, hash) = {
        let (ctx, client, user_id) = (ctx.clone(), client.clone(), user_id.clone());
        let begin = move |tx: &mut Tx<'_>| {
            let user = find(tx, &user_id)?;
            let counted = Counted::of(&ctx, &client, user.email.as_str())?;
            let of_pair = attempts::count(tx, &ctx, &client, &counted, Some(&user_id))?;
            let secrets = table::secrets(tx, &user_id)?.unwrap_or_default();
            Ok((counted, of_pair, secrets.password_hash))
        };
        store.write(begin).await?
    };
    let is_right = hasher.verify(password, hash).await?;
    let (ctx, user_id) = (ctx.clone(), user_id.clone());
    if is_right {
        return store.write(move |tx| attempts::take_back(tx, &counted)).await;
    }
    store.write(move |tx| attempts::note_series(tx, &ctx, of_pair, Some(&user_id))).await?;
    let wrong =
        Issue::body(IssueCode::InvalidValue, &["currentPassword"], "currentPassword: is not the password.");
    Err(Error::invalid(vec![wrong]))
}

/// Changes the password of whoever is signed in by this session; the other sessions end.
pub async fn change(
    store: &Store,
    ctx: &Context,
    hasher: &Hasher,
    client: &Client,
    whose: (&UserId, &UserSessionId),
    (current, new): (String, String),
) -> Result<()> {
    let (user_id, session) = (whose.0.clone(), whose.1.clone());
    let user = {
        let user_id = user_id.clone();
        store.point_read(move |tx| find(tx, &user_id)).await?
    };
    check(&new, &user.email, &user.name)?;
    confirm(store, ctx, hasher, client, &user_id, current).await?;
    let hash = hasher.hash(ctx, new).await?;
    let ctx = ctx.clone();
    let set = move |tx: &mut Tx<'_>| {
        find(tx, &user_id)?;
        tx.run(session_rows::remove_others(&user_id, &session))?;
        set(tx, &ctx, &user_id, &hash)
    };
    store.write(set).await
}

/// Sets a password by a link; all sessions of the user end. The second factor stays.
pub async fn reset(
    store: &Store,
    ctx: &Context,
    hasher: &Hasher,
    token: &str,
    password: String,
) -> Result<User> {
    let user = {
        let (ctx, token) = (ctx.clone(), token.to_owned());
        store.point_read(move |tx| links::user_of(tx, &ctx, &token)).await?
    };
    check(&password, &user.email, &user.name)?;
    let hash = hasher.hash(ctx, password).await?;
    let (ctx, token) = (ctx.clone(), token.to_owned());
    let set = move |tx: &mut Tx<'_>| {
        // Somebody else may have used it meanwhile.
        let user = links::user_of(tx, &ctx, &token)?;
        let ctx = ctx.clone().by(Actor::User(user.user_id.clone()));
        tx.run(session_rows::remove_of_user(&user.user_id))?;
        set(tx, &ctx, &user.user_id, &hash)?;
        Ok(User { has_password: true, ..user })
    };
    store.write(set).await
}

/// Sets a password, ends what was begun with the one before, and notes it.
fn set(tx: &mut Tx<'_>, ctx: &Context, user_id: &UserId, hash: &str) -> Result<()> {
    tx.run(table::set_password(user_id, hash))?;
    tx.run(half_sign_ins::remove_of_user(user_id))?;
    tx.run(link_rows::remove_of_user(user_id))?;
    record(tx, ctx, user_id, Action::PasswordChanged)
}
