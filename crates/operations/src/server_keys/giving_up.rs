//! What was sealed under a key that is lost: found, and given up, so that a server can start with another key.
//!
//! Signing secrets and keys of models are emptied, which says that they are gone; their subscriptions are deactivated with a reason, until they are
//! given another secret; so are the hooks that enrich submissions, whose secrets are made with the key of digests. Certificates are ordered anew, by a new account. Kept answers stay until they expire, and are refused meanwhile: nothing is done twice.
//! Invariant: what one of the keys opens is left as it is. The key of digests is given up last, so that the walk can be ended anywhere and begun again:
//! until it is through, no server starts without being told to go on.

use pagesmith_model::audit::Action;
use pagesmith_model::seal::SecretKeys;
use pagesmith_model::webhook::Stopped;
use pagesmith_model::{Result, SubscriptionId, TenantId, UserId};
use pagesmith_store::Tx;
use pagesmith_store::tables::certificates::acme_accounts;
use pagesmith_store::tables::{
    agent as agent_rows, certificates as certificate_rows, forms, revisions, server_keys, users as user_rows,
    webhooks,
};

use super::{KeyStatus, Walk, begin_digests, key_status};
use crate::agent;
use crate::audit;
use crate::certificates::{self, lease};
use crate::context::Context;
use crate::users::second_factor;
use crate::webhooks::subscriptions;

/// What an entry of the audit about the server's own key names.
pub const SERVER_KEY: &str = "server key";

/// What an entry of the audit about a tenant's enrichment hook names: a tenant has one at most.
pub const ENRICHMENT_HOOK: &str = "enrichment hook";

/// Something that none of the keys opens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lost {
    /// The signing secrets of a subscription.
    Subscription(TenantId, SubscriptionId),
    /// The key of a tenant's model.
    ModelKey(TenantId),
    /// The key of a host name's certificate, or of its order.
    Certificate(String),
    /// The account at the certificate authority of this directory.
    AcmeAccount(String),
    /// The secret of a user's authenticator app.
    SecondFactor(UserId),
    /// The secret of a tenant's enrichment hook, which is made with the key of digests.
    Hook(TenantId),
    /// The key of digests, with what it was needed for.
    Digests {
        /// So many answers are kept for requests that come again.
        answers: u64,
        /// So many addresses of erased persons are known.
        erased: u64,
    },
}

/// Looks through the next few, at most `limit`, for what none of the keys opens; where the walk goes on, and what was found. It begins at
/// [`Walk::Subscriptions`].
pub fn lost(tx: &mut Tx<'_>, keys: &SecretKeys, walk: &Walk, limit: i64) -> Result<(Walk, Vec<Lost>)> {
    let is_lost = |bound: &str, sealed: &[u8]| {
        // What is empty was given up before.
        !sealed.is_empty() && keys.open(bound.as_bytes(), sealed).is_none()
    };
    let mut found = Vec::new();
    let next = match walk {
        Walk::Subscriptions(after) => {
            let mut last = None;
            for ((tenant, id), sealed) in webhooks::subscriptions::list_sealed(tx, after.as_ref(), limit)? {
                if is_lost(&subscriptions::bound_to(&tenant, &id), &sealed) {
                    found.push(Lost::Subscription(tenant.clone(), id.clone()));
                }
                last = Some((tenant, id));
            }
            last.map_or(Walk::Models(None), |last| Walk::Subscriptions(Some(last)))
        }
        Walk::Models(after) => {
            let mut last = None;
            for (tenant, sealed) in agent_rows::list_sealed(tx, after.as_ref(), limit)? {
                if is_lost(&agent::bound_to(&tenant), &sealed) {
                    found.push(Lost::ModelKey(tenant.clone()));
                }
                last = Some(tenant);
            }
            last.map_or(Walk::Certificates(None), |last| Walk::Models(Some(last)))
        }
        Walk::Certificates(after) => {
            if after.is_none() {
                for (directory, sealed) in acme_accounts::list_sealed(tx)? {
                    if is_lost(&lease::bound_to(&directory), &sealed) {
                        found.push(Lost::AcmeAccount(directory));
                    }
                }
            }
            let mut last = None;
            for (name, (key, order_key)) in certificate_rows::list_sealed(tx, after.as_deref(), limit)? {
                let bound = certificates::bound_to(&name);
                if [key, order_key].iter().flatten().any(|sealed| is_lost(&bound, sealed)) {
                    found.push(Lost::Certificate(name.clone()));
                }
                last = Some(name);
            }
            last.map_or(Walk::Users(None), |last| Walk::Certificates(Some(last)))
        }
        Walk::Users(after) => {
            let mut last = None;
            for (user_id, (secret, new_secret)) in user_rows::list_sealed(tx, after.as_ref(), limit)? {
                let bound = second_factor::bound_to(&user_id);
                if [secret, new_secret].iter().flatten().any(|sealed| is_lost(&bound, sealed)) {
                    found.push(Lost::SecondFactor(user_id.clone()));
                }
                last = Some(user_id);
            }
            last.map_or(Walk::Keys, |last| Walk::Users(Some(last)))
        }
        Walk::Keys => {
            if let KeyStatus::Locked(sealed) = key_status(tx, Some(keys))? {
                found.extend(forms::hooks::tenants_with_secrets(tx)?.into_iter().map(Lost::Hook));
                let server_keys::Amounts { answers, erased, .. } = sealed.amounts;
                found.push(Lost::Digests { answers, erased });
            }
            Walk::Over
        }
        Walk::Answers(_) | Walk::Over => Walk::Over,
    };
    Ok((next, found))
}

/// The same, and gives up what is found.
pub fn give_up(tx: &mut Tx<'_>, ctx: &Context, walk: &Walk, limit: i64) -> Result<(Walk, Vec<Lost>)> {
    let (next, found) = lost(tx, &*ctx.secret()?, walk, limit)?;
    for one in &found {
        match one {
            Lost::Subscription(tenant, id) => {
                tx.run(webhooks::subscriptions::update_secrets(tenant, id, &[]))?;
                tx.run(webhooks::subscriptions::stop(tenant, id, Stopped::SecretLost, ctx.now))?;
            }
            Lost::ModelKey(tenant) => drop(tx.run(agent_rows::update_key(tenant, &[]))?),
            Lost::Certificate(name) => {
                tx.run(certificate_rows::give_up(name, ctx.now))?;
                tx.run(revisions::raise(revisions::CERTIFICATES))?;
            }
            Lost::AcmeAccount(directory) => {
                tx.run(acme_accounts::update_sealed(directory, None))?;
            }
            // The password alone must not become enough: a recovery code is still wanted.
            Lost::SecondFactor(user_id) => drop(tx.run(user_rows::give_up_sealed(user_id))?),
            Lost::Hook(tenant) => drop(tx.run(forms::hooks::give_up(tenant, ctx.now))?),
            Lost::Digests { .. } => {
                begin_digests(tx, ctx)?;
            }
        }
        let (tenant, subject) = match one {
            Lost::Subscription(tenant, id) => (Some(tenant), id.as_str()),
            Lost::ModelKey(tenant) => (Some(tenant), tenant.as_str()),
            Lost::Certificate(name) | Lost::AcmeAccount(name) => (None, name.as_str()),
            Lost::SecondFactor(user_id) => (None, user_id.as_str()),
            Lost::Hook(tenant) => (Some(tenant), ENRICHMENT_HOOK),
            Lost::Digests { .. } => (None, SERVER_KEY),
        };
        audit::record(tx, ctx, tenant, Action::ServerKeyAccepted, subject)?;
    }
    Ok((next, found))
}
