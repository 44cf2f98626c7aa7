//! What is sealed under the server's key: sealed anew under another one, part by part.
//!
//! Beside that, whether the server's keys are those that the database was used with, and what becomes of what was sealed under a key that is lost.
//! Each part is a short transaction, so that it runs beside servers, may be ended anywhere and begun again: what is done already is
//! only looked at. Digests that are kept cannot be made anew, for nobody knows what they were made of. So their key stays as it is, itself
//! sealed under the server's.

use pagesmith_model::seal::{Resealed, SecretKey, SecretKeys};
use pagesmith_model::{Error, Result, SubscriptionId, TenantId, UserId};
use pagesmith_store::Tx;
use pagesmith_store::tables::idempotency::RecordKey;
use pagesmith_store::tables::{
    agent as agent_rows, certificates as certificate_rows, idempotency as idempotency_rows, server_keys,
    users as user_rows, webhooks,
};

use crate::certificates::{self, lease};
use crate::context::Context;
use crate::users::second_factor;
use crate::webhooks::subscriptions;
use crate::{agent, idempotency};

mod giving_up;
mod status;

pub use giving_up::{Lost, SERVER_KEY, give_up, lost};
pub use pagesmith_store::tables::server_keys::Amounts;
pub use status::{KeyStatus, Sealed, is_used, key_status};

/// The name of the key of digests, and what its sealed form is tied to.
const DIGESTS: &str = "digests";
const DIGESTS_BOUND: &[u8] = b"server_keys digests";
/// The name under which the fingerprint of the key stands that seals the key of digests.
const FINGERPRINT: &str = "fingerprint";

/// The key of digests that are kept. The first time it is the server's key itself, under which there may be digests from before;
/// `None` if the database was used with a key that is not here.
pub fn digest_key(tx: &mut Tx<'_>, ctx: &Context) -> Result<Option<SecretKey>> {
    let keys = ctx.secret()?;
    let Some(sealed) = server_keys::find(tx, DIGESTS)? else {
        // What was sealed before there was a key of digests must open.
        if matches!(key_status(tx, Some(&keys))?, KeyStatus::Locked(_)) {
            return Ok(None);
        }
        return begin_digests(tx, ctx).map(Some);
    };
    let Some(plain) = keys.open(DIGESTS_BOUND, &sealed) else { return Ok(None) };
    if let Some(key) = keys.key_of(DIGESTS_BOUND, &sealed) {
        note_fingerprint(tx, key)?;
    }
    let key = std::str::from_utf8(&plain).ok().and_then(SecretKey::from_base64);
    key.map(Some).ok_or_else(|| Error::internal("a broken key of digests"))
}

/// Makes the server's first key the key of digests, in the place of one before.
fn begin_digests(tx: &mut Tx<'_>, ctx: &Context) -> Result<SecretKey> {
    let keys = ctx.secret()?;
    let key = keys.first().clone();
    let sealed = keys.seal(ctx.random()?, DIGESTS_BOUND, key.to_base64().as_bytes());
    tx.run(server_keys::save(DIGESTS, &sealed))?;
    note_fingerprint(tx, &key)?;
    Ok(key)
}

/// Notes by which key the key of digests is sealed, unless that is noted.
fn note_fingerprint(tx: &mut Tx<'_>, key: &SecretKey) -> Result<()> {
    let fingerprint = key.fingerprint();
    if server_keys::find(tx, FINGERPRINT)?.as_deref() != Some(fingerprint.as_bytes()) {
        tx.run(server_keys::save(FINGERPRINT, fingerprint.as_bytes()))?;
    }
    Ok(())
}

/// How far the walk through everything sealed is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Walk {
    /// At the server's own keys.
    Keys,
    /// At the secrets of subscriptions, behind that one.
    Subscriptions(Option<(TenantId, SubscriptionId)>),
    /// At the keys of tenants' models, behind that tenant's.
    Models(Option<TenantId>),
    /// At the keys of certificates, behind that name; before the first, at the accounts at certificate authorities.
    Certificates(Option<String>),
    /// At the secrets of users' authenticator apps, behind that user's.
    Users(Option<UserId>),
    /// At the answers that are kept for requests that come again, behind that one.
    Answers(Option<RecordKey>),
    /// Through.
    Over,
}

/// What was found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ResealCounts {
    /// Sealed under the first key already.
    pub already: u64,
    /// Sealed under it now.
    pub anew: u64,
    /// What none of the keys opens; it stays as it is.
    pub closed: u64,
}

impl ResealCounts {
    /// Both.
    #[must_use]
    pub fn and(self, other: ResealCounts) -> ResealCounts {
        ResealCounts {
            already: self.already + other.already,
            anew: self.anew + other.anew,
            closed: self.closed + other.closed,
        }
    }

    /// What is to be written, if anything.
    fn count(&mut self, resealed: Resealed) -> Option<Vec<u8>> {
        match resealed {
            Resealed::Already => self.already += 1,
            Resealed::Closed => self.closed += 1,
            Resealed::Anew(sealed) => {
                self.anew += 1;
                return Some(sealed);
            }
        }
        None
    }
}

/// Seals the next few anew, at most `limit`; where the walk goes on, and what was found.
pub fn reseal(tx: &mut Tx<'_>, ctx: &Context, walk: &Walk, limit: i64) -> Result<(Walk, ResealCounts)> {
    let keys = ctx.secret()?;
    let mut found = ResealCounts::default();
    let next = match walk {
        Walk::Keys => {
            if let Some(sealed) = server_keys::find(tx, DIGESTS)?
                && let Some(anew) = found.count(keys.reseal(ctx.random()?, DIGESTS_BOUND, &sealed))
            {
                tx.run(server_keys::save(DIGESTS, &anew))?;
                note_fingerprint(tx, keys.first())?;
            }
            Walk::Subscriptions(None)
        }
        Walk::Subscriptions(after) => {
            let rows = webhooks::subscriptions::list_sealed(tx, after.as_ref(), limit)?;
            let bound = |(tenant, id): &(_, _)| subscriptions::bound_to(tenant, id).into_bytes();
            let update = |(tenant, id): &(_, _), anew: &[u8]| {
                tx.run(webhooks::subscriptions::update_secrets(tenant, id, anew)).map(drop)
            };
            let last = reseal_rows(ctx, &keys, rows, &mut found, bound, update)?;
            last.map_or(Walk::Models(None), |last| Walk::Subscriptions(Some(last)))
        }
        Walk::Models(after) => {
            let rows = agent_rows::list_sealed(tx, after.as_ref(), limit)?;
            let bound = |tenant: &_| agent::bound_to(tenant).into_bytes();
            let update = |tenant: &_, anew: &[u8]| tx.run(agent_rows::update_key(tenant, anew)).map(drop);
            let last = reseal_rows(ctx, &keys, rows, &mut found, bound, update)?;
            last.map_or(Walk::Certificates(None), |last| Walk::Models(Some(last)))
        }
        Walk::Certificates(after) => {
            if after.is_none() {
                let rows = certificate_rows::acme_accounts::list_sealed(tx)?;
                let bound = |directory: &String| lease::bound_to(directory).into_bytes();
                let update = |directory: &String, anew: &[u8]| {
                    tx.run(certificate_rows::acme_accounts::update_sealed(directory, Some(anew))).map(drop)
                };
                reseal_rows(ctx, &keys, rows, &mut found, bound, update)?;
            }
            let last = reseal_certificates(tx, ctx, after.as_deref(), limit, &mut found)?;
            last.map_or(Walk::Users(None), |last| Walk::Certificates(Some(last)))
        }
        Walk::Users(after) => {
            let last = reseal_users(tx, ctx, after.as_ref(), limit, &mut found)?;
            last.map_or(Walk::Answers(None), |last| Walk::Users(Some(last)))
        }
        Walk::Answers(after) => {
            let rows = idempotency_rows::list_sealed(tx, after.as_ref(), limit)?;
            let update = |key: &_, anew: &[u8]| tx.run(idempotency_rows::update_body(key, anew)).map(drop);
            let last = reseal_rows(ctx, &keys, rows, &mut found, idempotency::bound_to, update)?;
            last.map_or(Walk::Over, |last| Walk::Answers(Some(last)))
        }
        Walk::Over => Walk::Over,
    };
    Ok((next, found))
}

/// Seals the keys of the next names anew where that is due; the last of these names.
fn reseal_certificates(
    tx: &mut Tx<'_>,
    ctx: &Context,
    after: Option<&str>,
    limit: i64,
    found: &mut ResealCounts,
) -> Result<Option<String>> {
    let keys = ctx.secret()?;
    let mut last = None;
    for (name, (key, order_key)) in certificate_rows::list_sealed(tx, after, limit)? {
        let bound = certificates::bound_to(&name);
        let mut anew = |sealed: &Option<Vec<u8>>| -> Result<Option<Vec<u8>>> {
            let Some(sealed) = sealed else { return Ok(None) };
            Ok(found.count(keys.reseal(ctx.random()?, bound.as_bytes(), sealed)))
        };
        let (new_key, new_order_key) = (anew(&key)?, anew(&order_key)?);
        if new_key.is_some() || new_order_key.is_some() {
            let sealed = (new_key.or(key), new_order_key.or(order_key));
            tx.run(certificate_rows::update_sealed(&name, &sealed))?;
        }
        last = Some(name);
    }
    Ok(last)
}

/// Seals the secrets of the next users anew where that is due; the last of these users.
fn reseal_users(
    tx: &mut Tx<'_>,
    ctx: &Context,
    after: Option<&UserId>,
    limit: i64,
    found: &mut ResealCounts,
) -> Result<Option<UserId>> {
    let keys = ctx.secret()?;
    let mut last = None;
    for (user_id, (secret, new_secret)) in user_rows::list_sealed(tx, after, limit)? {
        let bound = second_factor::bound_to(&user_id);
        let mut anew = |sealed: &Option<Vec<u8>>| -> Result<Option<Vec<u8>>> {
            // A secret that was given up is empty.
            let Some(sealed) = sealed.as_ref().filter(|sealed| !sealed.is_empty()) else { return Ok(None) };
            Ok(found.count(keys.reseal(ctx.random()?, bound.as_bytes(), sealed)))
        };
        let (first, second) = (anew(&secret)?, anew(&new_secret)?);
        if first.is_some() || second.is_some() {
            tx.run(user_rows::update_sealed(&user_id, &(first.or(secret), second.or(new_secret))))?;
        }
        last = Some(user_id);
    }
    Ok(last)
}

/// Seals these rows anew where that is due; the name of the last one.
fn reseal_rows<K>(
    ctx: &Context,
    keys: &SecretKeys,
    rows: Vec<(K, Vec<u8>)>,
    found: &mut ResealCounts,
    bound_to: impl Fn(&K) -> Vec<u8>,
    mut update: impl FnMut(&K, &[u8]) -> Result<()>,
) -> Result<Option<K>> {
    let mut last = None;
    for (name, sealed) in rows {
        // A secret that was given up is empty.
        if !sealed.is_empty()
            && let Some(anew) = found.count(keys.reseal(ctx.random()?, &bound_to(&name), &sealed))
        {
            update(&name, &anew)?;
        }
        last = Some(name);
    }
    Ok(last)
}
