//! The hook of a tenant that is asked what is known of the senders of submissions: set, given another secret, removed.
//!
//! Its secret is not kept but made: a keyed digest of random bytes that are. So there is nothing to seal, and it is lost only with the key of
//! digests; then hooks are deactivated until they are given another secret.

use std::time::Duration;

use pagesmith_model::Result;
use pagesmith_model::form::enrichment::{Hook, NewHook};
use pagesmith_model::hexadecimal::hexadecimal;
use pagesmith_model::network::Networks;
use pagesmith_model::webhook::{self, Secret, Secrets};
use pagesmith_store::Tx;
use pagesmith_store::tables::forms::hooks;

use crate::context::TenantContext;

/// Sets the hook; with its secret, to be shown, if it had none before.
pub fn set(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    new: &NewHook,
    networks: &Networks,
) -> Result<(Hook, Option<Secret>)> {
    let url = webhook::accept_url(&new.url, networks)?;
    let before = hooks::find(tx, &ctx.tenant)?;
    let active = new.active;
    let mut hook = match before {
        Some(before) if before.url == url && before.active == active => return Ok((before, None)),
        Some(before) => Hook { url, active, updated_at: ctx.now, ..before },
        None => Hook { url, active, seed: vec![], older: None, created_at: ctx.now, updated_at: ctx.now },
    };
    // A secret that was lost with a key of the server is made anew as well.
    let is_without_secret = hook.seed.is_empty();
    if is_without_secret {
        hook.seed = ctx.random::<32>()?.to_vec();
    }
    tx.run(hooks::save(&ctx.tenant, &hook))?;
    let secret = is_without_secret.then(|| secret_of(ctx, &hook.seed)).transpose()?;
    Ok((hook, secret))
}

/// Gives the hook another secret, if there is one; the one before signs beside it for a while.
pub fn rotate_secret(tx: &mut Tx<'_>, ctx: &TenantContext, overlap: Duration) -> Result<Option<Secret>> {
    let Some(before) = hooks::find(tx, &ctx.tenant)? else { return Ok(None) };
    let seed = ctx.random::<32>()?.to_vec();
    let secret = secret_of(ctx, &seed)?;
    let older = Some((before.seed.clone(), ctx.now.plus(overlap))).filter(|(seed, _)| !seed.is_empty());
    tx.run(hooks::save(&ctx.tenant, &Hook { seed, older, updated_at: ctx.now, ..before }))?;
    Ok(Some(secret))
}

/// Removes the hook. What waits for it fails.
pub fn remove(tx: &mut Tx<'_>, ctx: &TenantContext) -> Result<()> {
    tx.run(hooks::remove(&ctx.tenant)).map(drop)
}

/// What calls of a hook are signed with.
pub(crate) fn secrets(ctx: &TenantContext, hook: &Hook) -> Result<Secrets> {
    let newest = secret_of(ctx, &hook.seed)?;
    Ok(match &hook.older {
        Some((seed, until)) => Secrets::new(secret_of(ctx, seed)?).rotated(newest, *until, ctx.now),
        None => Secrets::new(newest),
    })
}

fn secret_of(ctx: &TenantContext, seed: &[u8]) -> Result<Secret> {
    let seed = hexadecimal(seed);
    Ok(Secret::new(ctx.keyed_digest("enrichment hook", &[ctx.tenant.as_str(), &seed])?))
}
