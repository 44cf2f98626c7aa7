//! The second factor: an authenticator app, and ten recovery codes for when it is lost.
//!
//! The secret of an app is sealed under the server's key. It counts from when the user has typed a code of it, so that nobody is
//! locked out by an app that was never set up. Whoever calls these has asked for the password before ([`super::passwords::confirm`]).

use pagesmith_model::audit::Action;
use pagesmith_model::user::{recovery_code, totp};
use pagesmith_model::{Error, Issue, IssueCode, Result, UserId};
use pagesmith_store::Tx;
use pagesmith_store::tables::users::{self as table, Secrets, recovery_codes};

use super::{find, record};
use crate::context::Context;

/// A secret to be put into an app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// What people type into an app.
    pub secret: String,
    /// What an app reads from a QR code (`otpauth://…`).
    pub address: String,
}

/// What the secrets of a user are tied to where they are sealed.
pub(crate) fn bound_to(user_id: &UserId) -> String {
    format!("users totp {user_id}")
}

/// The secret of a user's app; nothing if there is none, or if it was sealed under a key that is lost.
pub(super) fn open(ctx: &Context, user_id: &UserId, sealed: Option<&[u8]>) -> Result<Option<Vec<u8>>> {
    let Some(sealed) = sealed.filter(|sealed| !sealed.is_empty()) else { return Ok(None) };
    Ok(ctx.secret()?.open(bound_to(user_id).as_bytes(), sealed))
}

fn secrets(tx: &mut Tx<'_>, user_id: &UserId) -> Result<Secrets> {
    table::secrets(tx, user_id)?.ok_or_else(|| Error::not_found(UserId::NOUN))
}

/// Makes the secret of another app, in the place of one that was proposed before; the present app works until [`confirm`].
pub fn propose(tx: &mut Tx<'_>, ctx: &Context, user_id: &UserId) -> Result<Proposal> {
    let user = find(tx, user_id)?;
    let secret: [u8; totp::SECRET_BYTES] = ctx.random()?;
    let sealed = ctx.secret()?.seal(ctx.random()?, bound_to(user_id).as_bytes(), &secret);
    let changed = Secrets { sealed_new_totp: Some(sealed), ..secrets(tx, user_id)? };
    tx.run(table::set_totp(user_id, &changed))?;
    Ok(Proposal { secret: totp::base32(&secret), address: totp::address(&secret, &user.email) })
}

/// The proposal that waits to be confirmed, to be shown again.
pub fn proposal(tx: &mut Tx<'_>, ctx: &Context, user_id: &UserId) -> Result<Option<Proposal>> {
    let user = find(tx, user_id)?;
    let secret = open(ctx, user_id, secrets(tx, user_id)?.sealed_new_totp.as_deref())?;
    Ok(secret.map(|secret| Proposal {
        secret: totp::base32(&secret),
        address: totp::address(&secret, &user.email),
    }))
}

/// Takes the proposed app into use, if the code is one of it; the recovery codes, which nobody will see again.
pub fn confirm(tx: &mut Tx<'_>, ctx: &Context, user_id: &UserId, code: &str) -> Result<Vec<String>> {
    let before = secrets(tx, user_id)?;
    let Some(secret) = open(ctx, user_id, before.sealed_new_totp.as_deref())? else {
        return Err(Error::conflict("There is no authenticator app to be confirmed."));
    };
    let Some(step) = totp::verify(&secret, code, ctx.now, None) else {
        let issue =
            Issue::body(IssueCode::InvalidValue, &["code"], "code: is not a code that the app shows now.");
        return Err(Error::invalid(vec![issue]));
    };
    let changed = Secrets {
        sealed_totp: before.sealed_new_totp,
        totp_step: Some(step),
        sealed_new_totp: None,
        ..Secrets::default()
    };
    tx.run(table::set_totp(user_id, &changed))?;
    record(tx, ctx, user_id, Action::SecondFactorAdded)?;
    make_codes(tx, ctx, user_id)
}

/// Makes other recovery codes, which nobody will see again; those before open nothing.
pub fn renew_codes(tx: &mut Tx<'_>, ctx: &Context, user_id: &UserId) -> Result<Vec<String>> {
    if secrets(tx, user_id)?.sealed_totp.is_none() {
        return Err(Error::conflict("There is no authenticator app to which recovery codes could belong."));
    }
    record(tx, ctx, user_id, Action::RecoveryCodesRenewed)?;
    make_codes(tx, ctx, user_id)
}

fn make_codes(tx: &mut Tx<'_>, ctx: &Context, user_id: &UserId) -> Result<Vec<String>> {
    tx.run(recovery_codes::remove_all(user_id))?;
    let mut codes = Vec::with_capacity(recovery_code::NUMBER);
    while codes.len() < recovery_code::NUMBER {
        let code = recovery_code::show(ctx.random()?);
        let digest =
            recovery_code::digest(&code).ok_or_else(|| Error::internal("a recovery code of a wrong form"))?;
        tx.run(recovery_codes::insert(user_id, &digest))?;
        codes.push(code);
    }
    Ok(codes)
}

/// How many recovery codes a user has left.
pub fn codes_left(tx: &mut Tx<'_>, user_id: &UserId) -> Result<i64> {
    recovery_codes::count(tx, user_id)
}

/// Removes the app and the recovery codes: the password alone is enough from now on. Again changes nothing.
pub fn remove(tx: &mut Tx<'_>, ctx: &Context, user_id: &UserId) -> Result<()> {
    let before = secrets(tx, user_id)?;
    let has_app = before.sealed_totp.is_some();
    if has_app || before.sealed_new_totp.is_some() {
        tx.run(table::set_totp(user_id, &Secrets::default()))?;
        tx.run(recovery_codes::remove_all(user_id))?;
    }
    if has_app {
        record(tx, ctx, user_id, Action::SecondFactorRemoved)?;
    }
    Ok(())
}
