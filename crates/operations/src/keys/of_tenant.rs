//! The keys of one tenant, as its owners and its own keys manage them.
//!
//! Keys that are bound to further tenants are an operator's and do not exist here. Invariant: a key never has more than whoever made it: it
//! lasts no longer and may send no more requests. Its scope needs no look, since whoever may make keys may do everything.

use std::time::Duration;

use pagesmith_model::audit::Action;
use pagesmith_model::key::{Key, Scope};
use pagesmith_model::{Error, Issue, IssueCode, KeyId, Kind, Result, Timestamp};
use pagesmith_store::tables::keys;
use pagesmith_store::{Extent, ListPart, Tx};

use super::{IssuedKey, issue, secret};
use crate::access::{Caller, Identity};
use crate::context::TenantContext;

/// How many keys of a tenant may be live at once, as far as the tenant makes them itself.
pub const MOST_LIVE: i64 = 500;

/// What whoever makes a key has, and a key of theirs at most.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Allowance {
    /// The instant from which it has nothing.
    pub expires_at: Option<Timestamp>,
    /// Requests per window, where they are not the usual ones.
    pub rate_limit: Option<u32>,
    /// The usual ones, which count for a key without a number of its own; nothing for whoever is not limited.
    pub usual: Option<u32>,
}

impl Allowance {
    /// What a caller has, where a key may usually send so many requests per window; a user is not limited.
    pub fn of(caller: &Caller, usual: u32) -> Allowance {
        match &caller.identity {
            Identity::Key(entry) => {
                let Key { expires_at, rate_limit, .. } = entry.key;
                Allowance { expires_at, rate_limit, usual: Some(usual) }
            }
            Identity::User(..) => Allowance::default(),
            // A guest has nothing to give.
            Identity::Guest(_) => Allowance {
                expires_at: Some(Timestamp::from_micros(0)),
                rate_limit: Some(0),
                usual: Some(usual),
            },
        }
    }

    /// Whether a key with this limit may send no more requests.
    fn allows(self, rate_limit: Option<u32>) -> bool {
        self.usual.is_none_or(|usual| rate_limit.unwrap_or(usual) <= self.rate_limit.unwrap_or(usual))
    }

    fn covers(self, end: Option<Timestamp>) -> bool {
        self.expires_at.is_none_or(|own| end.is_some_and(|end| end <= own))
    }
}

/// A key to be made for the tenant.
#[derive(Debug, Clone)]
pub struct NewKey {
    /// What its owner calls it.
    pub name: String,
    /// What it may do.
    pub scope: Scope,
    /// How long it opens anything; as long as its maker if left out.
    pub expires_in: Option<Duration>,
}

/// The keys of the tenant, newest first, behind one of them.
pub fn list(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    after: Option<&KeyId>,
    extent: Extent,
) -> Result<(ListPart<Key>, u64)> {
    keys::of_tenant(tx, &ctx.tenant, after, extent)
}

/// The key of this id.
pub fn find(tx: &mut Tx<'_>, ctx: &TenantContext, key_id: &KeyId) -> Result<Key> {
    keys::find_of_tenant(tx, &ctx.tenant, key_id)?.ok_or_else(|| Error::not_found(KeyId::NOUN))
}

/// Makes a key; its text is in the answer and nowhere else.
pub fn create(tx: &mut Tx<'_>, ctx: &TenantContext, maker: Allowance, wanted: &NewKey) -> Result<IssuedKey> {
    if keys::count_live(tx, &ctx.tenant, ctx.now)? >= MOST_LIVE {
        return Err(too_many());
    }
    let expires_at = wanted.expires_in.map(|time| ctx.now.plus(time)).or(maker.expires_at);
    if !maker.covers(expires_at) {
        let message = "expiresInDays: must not last longer than the key that makes it.";
        return Err(Error::invalid(vec![Issue::body(IssueCode::InvalidValue, &["expiresInDays"], message)]));
    }
    let key = Key {
        key_id: KeyId::mint(ctx.uuid()?),
        name: wanted.name.trim().to_owned(),
        scope: wanted.scope,
        tenants: vec![ctx.tenant.clone()],
        rate_limit: maker.rate_limit,
        created_at: ctx.now,
        expires_at,
        last_used_at: None,
        revoked_at: None,
    };
    issue(tx, ctx, key, secret(ctx)?, Action::KeyCreated)
}

/// Makes a key in the place of another one, which works on for `overlap` and no longer.
pub fn rotate(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    maker: Allowance,
    key_id: &KeyId,
    overlap: Duration,
) -> Result<IssuedKey> {
    let old = find(tx, ctx, key_id)?;
    let issued = super::replace(tx, ctx, old, overlap)?;
    // The old key counts as long as it works; one that ends at once makes room for the new one.
    if !overlap.is_zero() && keys::count_live(tx, &ctx.tenant, ctx.now)? > MOST_LIVE {
        return Err(too_many());
    }
    let Key { expires_at, rate_limit, .. } = issued.key;
    if maker.covers(expires_at) && maker.allows(rate_limit) {
        return Ok(issued);
    }
    let detail = "The new key would have more than yours: it would last longer, or send more requests.";
    Err(Error::new(Kind::Forbidden, detail))
}

/// Ends a key at once; again changes nothing.
pub fn revoke(tx: &mut Tx<'_>, ctx: &TenantContext, key_id: &KeyId) -> Result<Key> {
    let key = find(tx, ctx, key_id)?;
    super::end(tx, ctx, key)
}

fn too_many() -> Error {
    Error::conflict(format!("The tenant has {MOST_LIVE} keys already: revoke one that is not used any more."))
}
