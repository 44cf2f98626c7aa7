//! Signing in: a password, and then a code if the user has an authenticator app.
//!
//! Between the two there is a half sign-in, good for five minutes and five codes, which opens nothing else. Whoever may not sign in is
//! told the same, whether there is such a user or not, after the same work. The attempt of a right password is taken back
//! only when the second factor was right as well.

use std::time::Duration;

use pagesmith_model::actor::Actor;
use pagesmith_model::audit::Action;
use pagesmith_model::email::EmailAddress;
use pagesmith_model::user::session::SessionLimits;
use pagesmith_model::user::{User, recovery_code, totp};
use pagesmith_model::{Error, Kind, Result, Timestamp, UserId, key};
use pagesmith_store::tables::users as table;
use pagesmith_store::tables::users::{half_sign_ins, recovery_codes};
use pagesmith_store::{Store, Tx};

use super::attempts::{self, Counted};
use super::sessions::{self, NewSession};
use super::{Client, Hasher, record, second_factor, token};
use crate::context::Context;

/// How long a second factor is waited for.
pub const HALF_SIGN_IN_FOR: Duration = Duration::from_mins(5);
/// How many codes may be tried.
pub const MOST_CODES: i64 = 5;
/// More of what was typed as an address is not looked at.
const LONGEST_EMAIL: usize = 300;

/// What somebody has typed.
#[derive(Clone)]
pub struct Credentials {
    /// The e-mail address.
    pub email: String,
    /// The password.
    pub password: String,
}

/// What an operator decides about signing in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// How long sessions last.
    pub sessions: SessionLimits,
    /// Whether everybody may sign in with a password, and not only users who are marked for emergencies.
    pub passwords_for_all: bool,
    /// Whether the code of an authenticator app is wanted from those as well whom an identity provider lets in.
    pub code_after_provider: bool,
}

impl Rules {
    /// Passwords for all, sessions of the usual length.
    pub const USUAL: Rules =
        Rules { sessions: SessionLimits::USUAL, passwords_for_all: true, code_after_provider: false };
}

/// A user whose password was right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignIn {
    /// The user is signed in.
    Complete(Box<NewSession>),
    /// A code of the authenticator app or a recovery code is wanted as well; [`with_code`] takes this token.
    NeedsCode {
        /// The token, which nobody will see again.
        token: String,
        /// Until when it is good.
        expires_at: Timestamp,
    },
}

fn refused() -> Error {
    Error::new(Kind::Unauthorized, "The e-mail address or the password is wrong.")
}

fn over() -> Error {
    Error::new(Kind::Unauthorized, "Please sign in again.")
}

/// Signs in with a password. `replaced` is the token of the session that the browser has, which ends. 401 if anything is wrong, 429 during a
/// delay after wrong attempts.
pub async fn with_password(
    store: &Store,
    ctx: &Context,
    hasher: &Hasher,
    rules: Rules,
    client: &Client,
    credentials: Credentials,
    replaced: Option<String>,
) -> Result<SignIn> {
    let Credentials { email, password } = credentials;
    let parsed = EmailAddress::parse(&email);
    let typed = parsed.as_ref().map_or_else(
        || email.trim().to_lowercase().chars().take(LONGEST_EMAIL).collect(),
        |email| email.as_str().to_owned(),
    );
    let attempt = {
        let (ctx, client) = (ctx.clone(), client.clone());
        store.write(move |tx| begin(tx, &ctx, rules, &client, &typed, parsed.as_ref())).await?
    };
    let is_right = hasher.verify(password, attempt.hash.clone()).await?;
    let (ctx, client) = (ctx.clone(), client.clone());
    if !is_right {
        store
            .write(move |tx| attempts::note_series(tx, &ctx, attempt.of_pair, attempt.user_id.as_ref()))
            .await?;
        return Err(refused());
    }
    store.write(move |tx| succeed(tx, &ctx, rules.sessions, &client, &attempt, replaced.as_deref())).await
}

/// An attempt that was counted.
#[derive(Debug, Clone)]
struct Attempt {
    counted: Counted,
    of_pair: u32,
    /// The user, if there is one who may sign in.
    user_id: Option<UserId>,
    hash: Option<String>,
}

fn begin(
    tx: &mut Tx<'_>,
    ctx: &Context,
    rules: Rules,
    client: &Client,
    typed: &str,
    email: Option<&EmailAddress>,
) -> Result<Attempt> {
    let user = email.map(|email| table::find_by_email(tx, email)).transpose()?.flatten();
    let may_try =
        |user: &User| user.disabled_at.is_none() && (rules.passwords_for_all || user.is_break_glass);
    let user_id = user.filter(may_try).map(|user| user.user_id);
    let counted = Counted::of(ctx, client, typed)?;
    let of_pair = attempts::count(tx, ctx, client, &counted, user_id.as_ref())?;
    let secrets = table::secrets(tx, user_id.as_ref().unwrap_or(&attempts::nobody()))?;
    Ok(Attempt { counted, of_pair, user_id, hash: secrets.and_then(|secrets| secrets.password_hash) })
}

fn succeed(
    tx: &mut Tx<'_>,
    ctx: &Context,
    limits: SessionLimits,
    client: &Client,
    attempt: &Attempt,
    replaced: Option<&str>,
) -> Result<SignIn> {
    let user_id = attempt.user_id.as_ref().ok_or_else(refused)?;
    // The user may have been disabled, or the password changed, while it was looked at.
    let secrets = table::secrets(tx, user_id)?.ok_or_else(refused)?;
    let user = table::find(tx, user_id)?.filter(|user| user.disabled_at.is_none()).ok_or_else(refused)?;
    if secrets.password_hash != attempt.hash {
        return Err(refused());
    }
    if user.has_totp {
        return begin_half(tx, ctx, user_id);
    }
    complete(tx, ctx, limits, client, &attempt.counted, user, replaced)
        .map(|session| SignIn::Complete(Box::new(session)))
}

/// Waits for the second factor of a user.
fn begin_half(tx: &mut Tx<'_>, ctx: &Context, user_id: &UserId) -> Result<SignIn> {
    tx.run(half_sign_ins::remove_of_user(user_id))?;
    let (token, digest) = token(ctx)?;
    let expires_at = ctx.now.plus(HALF_SIGN_IN_FOR);
    tx.run(half_sign_ins::insert(&digest, user_id, expires_at))?;
    Ok(SignIn::NeedsCode { token, expires_at })
}

/// Signs in a user whom an identity provider has let in.
pub(super) fn admit(
    tx: &mut Tx<'_>,
    ctx: &Context,
    rules: Rules,
    client: &Client,
    user: User,
    replaced: Option<&str>,
) -> Result<SignIn> {
    if rules.code_after_provider && user.has_totp {
        return begin_half(tx, ctx, &user.user_id);
    }
    let session = welcome(tx, ctx, rules.sessions, client, user, replaced)?;
    Ok(SignIn::Complete(Box::new(session)))
}

fn complete(
    tx: &mut Tx<'_>,
    ctx: &Context,
    limits: SessionLimits,
    client: &Client,
    counted: &Counted,
    user: User,
    replaced: Option<&str>,
) -> Result<NewSession> {
    attempts::take_back(tx, counted)?;
    welcome(tx, ctx, limits, client, user, replaced)
}

/// Begins the session of a user who has proved everything.
fn welcome(
    tx: &mut Tx<'_>,
    ctx: &Context,
    limits: SessionLimits,
    client: &Client,
    user: User,
    replaced: Option<&str>,
) -> Result<NewSession> {
    attempts::know_address(tx, ctx, client, &user.user_id)?;
    let ctx = ctx.clone().by(Actor::User(user.user_id.clone()));
    record(tx, &ctx, &user.user_id, Action::SignedIn)?;
    sessions::begin(tx, &ctx, limits, client, user, replaced)
}

/// Signs in a user whose password was right, with a code of the authenticator app or a recovery code. 401 if it is wrong; after
/// five wrong ones the password is wanted again.
pub async fn with_code(
    store: &Store,
    ctx: &Context,
    limits: SessionLimits,
    client: &Client,
    half_token: &str,
    code: &str,
    replaced: Option<String>,
) -> Result<NewSession> {
    let (ctx, client, digest, code) = (ctx.clone(), client.clone(), key::digest(half_token), code.to_owned());
    // A refusal is no error of the transaction, which has counted it.
    store.write(move |tx| try_code(tx, &ctx, limits, &client, &digest, &code, replaced.as_deref())).await?
}

fn try_code(
    tx: &mut Tx<'_>,
    ctx: &Context,
    limits: SessionLimits,
    client: &Client,
    digest: &[u8; 32],
    code: &str,
    replaced: Option<&str>,
) -> Result<Result<NewSession>> {
    let Some((user_id, tried)) = half_sign_ins::find(tx, digest, ctx.now)? else { return Ok(Err(over())) };
    let user = table::find(tx, &user_id)?.filter(|user| user.disabled_at.is_none());
    let Some(user) = user else { return Ok(Err(over())) };
    let counted = Counted::of(ctx, client, user.email.as_str())?;
    let of_pair = attempts::count(tx, ctx, client, &counted, Some(&user_id))?;
    if is_right(tx, ctx, &user_id, code)? {
        tx.run(half_sign_ins::remove(digest))?;
        // Once for the code, and once for the password.
        attempts::take_back(tx, &counted)?;
        return complete(tx, ctx, limits, client, &counted, user, replaced).map(Ok);
    }
    attempts::note_series(tx, ctx, of_pair, Some(&user_id))?;
    if tried + 1 >= MOST_CODES {
        tx.run(half_sign_ins::remove(digest))?;
        return Ok(Err(over()));
    }
    tx.run(half_sign_ins::note_attempt(digest))?;
    Ok(Err(Error::new(Kind::Unauthorized, "The code is wrong.")))
}

/// Whether it is a code of the user's app, or a recovery code, which is used up.
fn is_right(tx: &mut Tx<'_>, ctx: &Context, user_id: &UserId, code: &str) -> Result<bool> {
    if let Some(digest) = recovery_code::digest(code) {
        let is_right = tx.run(recovery_codes::take(user_id, &digest))? > 0;
        if is_right {
            let ctx = ctx.clone().by(Actor::User(user_id.clone()));
            record(tx, &ctx, user_id, Action::RecoveryCodeUsed)?;
        }
        return Ok(is_right);
    }
    let Some(mut secrets) = table::secrets(tx, user_id)? else { return Ok(false) };
    let Some(secret) = second_factor::open(ctx, user_id, secrets.sealed_totp.as_deref())? else {
        return Ok(false);
    };
    let step = totp::verify(&secret, code, ctx.now, secrets.totp_step);
    if step.is_some() {
        secrets.totp_step = step;
        tx.run(table::set_totp(user_id, &secrets))?;
    }
    Ok(step.is_some())
}
