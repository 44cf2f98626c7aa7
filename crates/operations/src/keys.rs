//! Keys: issued, rotated and revoked by operators, and by tenants for themselves ([`of_tenant`]); the text is shown once and never stored.

pub mod of_tenant;

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use pagesmith_model::audit::Action;
use pagesmith_model::bounds::is_blank;
use pagesmith_model::key::{self, Key, Scope};
use pagesmith_model::{Error, KeyId, Kind, Result, TenantId, Timestamp};
use pagesmith_store::tables::keys::StoredKey;
use pagesmith_store::tables::{keys, revisions};
use pagesmith_store::{OnConstraint, Tx};

use crate::context::Context;
use crate::{audit, tenants};

/// A key to be issued.
#[derive(Debug, Clone)]
pub struct NewKey {
    /// What its owner calls it.
    pub name: String,
    /// What it may do.
    pub scope: Scope,
    /// The tenants it is bound to, by id or slug; at least one.
    pub tenants: Vec<String>,
    /// How long it opens anything; for ever if left out.
    pub expires_in: Option<Duration>,
    /// Requests per window, where it differs from the server's setting.
    pub rate_limit: Option<u32>,
}

/// A key and its text, which nobody will see again.
#[derive(Debug)]
pub struct IssuedKey {
    /// The key.
    pub key: Key,
    /// Its text.
    pub secret: String,
}

/// Issues a key.
pub fn create(tx: &mut Tx<'_>, ctx: &Context, new: &NewKey) -> Result<IssuedKey> {
    let mut bound: Vec<TenantId> = Vec::new();
    for tenant in &new.tenants {
        let tenant = tenants::find(tx, tenant)?.tenant_id;
        if !bound.contains(&tenant) {
            bound.push(tenant);
        }
    }
    if bound.is_empty() {
        return Err(Error::conflict("A key needs at least one tenant."));
    }
    if is_blank(&new.name) {
        return Err(Error::conflict("A key needs a name with a visible character."));
    }
    if new.rate_limit == Some(0) {
        return Err(Error::conflict("A rate limit of 0 would refuse every request; revoke the key instead."));
    }
    bound.sort();
    let key = Key {
        key_id: KeyId::mint(ctx.uuid()?),
        name: new.name.clone(),
        scope: new.scope,
        tenants: bound,
        rate_limit: new.rate_limit,
        created_at: ctx.now,
        expires_at: new.expires_in.map(|time| ctx.now.plus(time)),
        last_used_at: None,
        revoked_at: None,
    };
    issue(tx, ctx, key, secret(ctx)?, Action::KeyCreated)
}

/// Adds a key whose text is `secret`.
pub(crate) fn issue(
    tx: &mut Tx<'_>,
    ctx: &Context,
    key: Key,
    secret: String,
    action: Action,
) -> Result<IssuedKey> {
    keys::insert(tx, &key, &key::digest(&secret))
        .on_constraint("keys_digest_key", || Error::conflict("There is a key with this text already."))?;
    tx.run(revisions::raise(revisions::ACCESS))?;
    record(tx, ctx, &key, action, &key.key_id)?;
    Ok(IssuedKey { key, secret })
}

/// Notes for each tenant of a key what was done to the key of that id.
fn record(tx: &mut Tx<'_>, ctx: &Context, key: &Key, action: Action, key_id: &KeyId) -> Result<()> {
    for tenant in &key.tenants {
        audit::record(tx, ctx, Some(tenant), action, key_id.as_str())?;
    }
    Ok(())
}

/// 256 random bits behind the prefix.
fn secret(ctx: &Context) -> Result<String> {
    Ok(format!("{}{}", key::PREFIX, URL_SAFE_NO_PAD.encode(ctx.random::<32>()?)))
}

/// All keys, or those bound to the tenant with that id or slug; oldest first.
pub fn list(tx: &mut Tx<'_>, tenant: Option<&str>) -> Result<Vec<Key>> {
    let tenant = tenant.map(|tenant| tenants::find(tx, tenant)).transpose()?;
    let mut keys: Vec<Key> = keys::list(tx)?.into_iter().map(|stored| stored.key).collect();
    if let Some(tenant) = tenant {
        keys.retain(|key| key.tenants.contains(&tenant.tenant_id));
    }
    Ok(keys)
}

fn find(tx: &mut Tx<'_>, key_id: &KeyId) -> Result<StoredKey> {
    keys::list(tx)?.into_iter().find(|stored| stored.key.key_id == *key_id).ok_or_else(|| {
        let detail = format!("No such key: {key_id}; `pagesmith key list` shows all of them.");
        Error::new(Kind::NotFound, detail)
    })
}

/// Issues a key like that one, which itself works on for `overlap` and no longer.
pub fn rotate(tx: &mut Tx<'_>, ctx: &Context, key_id: &KeyId, overlap: Duration) -> Result<IssuedKey> {
    let old = find(tx, key_id)?.key;
    replace(tx, ctx, old, overlap)
}

fn replace(tx: &mut Tx<'_>, ctx: &Context, old: Key, overlap: Duration) -> Result<IssuedKey> {
    let key_id = old.key_id.clone();
    if !old.is_live(ctx.now) {
        return Err(Error::conflict(format!("The key {key_id} is revoked or expired; create a new one.")));
    }
    let end = ctx.now.plus(overlap);
    if old.expires_at.is_none_or(|expires| end < expires) {
        tx.run(keys::set_expiry(&key_id, end))?;
    }
    let new = Key {
        key_id: KeyId::mint(ctx.uuid()?),
        created_at: ctx.now,
        last_used_at: None,
        // It lasts as long as the old one was meant to last.
        expires_at: old.expires_at.map(|expires| ctx.now.plus(expires.since(old.created_at))),
        ..old
    };
    record(tx, ctx, &new, Action::KeyRotated, &key_id)?;
    issue(tx, ctx, new, secret(ctx)?, Action::KeyCreated)
}

/// Ends a key at once; again changes nothing.
pub fn revoke(tx: &mut Tx<'_>, ctx: &Context, key_id: &KeyId) -> Result<Key> {
    let key = find(tx, key_id)?.key;
    end(tx, ctx, key)
}

fn end(tx: &mut Tx<'_>, ctx: &Context, mut key: Key) -> Result<Key> {
    if key.revoked_at.is_none() {
        key.revoked_at = Some(ctx.now);
        tx.run(keys::set_revoked(&key.key_id, ctx.now))?;
        tx.run(revisions::raise(revisions::ACCESS))?;
        record(tx, ctx, &key, Action::KeyRevoked, &key.key_id)?;
    }
    Ok(key)
}

/// Writes down when keys were last seen.
pub fn note_use(tx: &mut Tx<'_>, seen: &[(KeyId, Timestamp)]) -> Result<()> {
    seen.iter().try_for_each(|(key, at)| tx.run(keys::set_last_used(key, *at)).map(drop))
}
