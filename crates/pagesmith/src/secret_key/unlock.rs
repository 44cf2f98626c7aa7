//! The server's keys against the database that they are used with: whoever needs the keys comes through here.
//!
//! A database that was used with another key is refused, and no key is made for it: with a new one its subscriptions would never be sent anything
//! again, and nobody would be told. Only who says so gives up what was sealed under a key that is lost.
//! Invariant: the database is asked before the file is read, and a key is used only once its file is there; so two servers that start
//! at once on one machine agree on one key.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pagesmith_model::seal::{SecretKey, SecretKeys};
use pagesmith_operations::Platform;
use pagesmith_operations::server_keys::{self, Amounts, KeyStatus, Lost, Sealed, Walk};
use pagesmith_store::Store;

use super::KeyFile;
use crate::config::Config;
use crate::failure::{Failure, Result};

/// How many sealed values one transaction looks at.
const BATCH: i64 = 200;

/// What is done where no key is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// The command is refused.
    Refuse,
    /// A database that was never used with a key gets one.
    Make,
    /// So does any other: what is sealed under a key that is lost is given up.
    GiveUp,
}

/// Sets the server's keys and the key of digests in the platform, if they are those that the database was used with.
pub async fn unlock(
    config: &Config,
    store: &Store,
    platform: &Arc<Platform>,
    missing: Missing,
) -> Result<SecretKeys> {
    let is_used = store.read(server_keys::is_used).await?;
    let keys = match (super::load(config)?, missing) {
        (Some(keys), _) => keys,
        (None, Missing::GiveUp) => make(config, platform)?,
        (None, Missing::Make) if !is_used => make(config, platform)?,
        (None, Missing::Refuse) if !is_used => {
            let path = super::path(config)?;
            let path = path.display();
            return Err(Failure::new(format!(
                "the server's key is needed and there is no file {path}; the first `pagesmith serve` makes it, or set PAGESMITH_SECRET_KEY"
            )));
        }
        (None, Missing::Refuse | Missing::Make) => return Err(refusal(config, store, None).await?),
    };
    platform.keep_secret(keys.clone());
    if missing == Missing::GiveUp {
        give_up(store, platform).await?;
    }
    let context = platform.context();
    match store.write(move |tx| server_keys::digest_key(tx, &context)).await? {
        Some(key) => platform.keep_digest_key(key),
        None => return Err(refusal(config, store, Some(&keys)).await?),
    }
    Ok(keys)
}

/// Makes the file with a new key, unless another process has just made one; what it holds.
fn make(config: &Config, platform: &Arc<Platform>) -> Result<SecretKeys> {
    let path = super::path(config)?;
    if KeyFile::new(SecretKey::new(platform.context().random()?)).make(&path)? {
        tracing::info!(file = %path.display(), "created the server key; every server of this database needs the same file");
    }
    let file = KeyFile::read(&path)?;
    file.map(|file| file.keys())
        .ok_or_else(|| Failure::new(format!("the key file {} went away", path.display())))
}

/// Gives up what none of the keys opens, and lists it.
async fn give_up(store: &Store, platform: &Arc<Platform>) -> Result<()> {
    let mut at = Walk::Subscriptions(None);
    while at != Walk::Over {
        let (context, from) = (platform.context(), at);
        let (next, found) = store.write(move |tx| server_keys::give_up(tx, &context, &from, BATCH)).await?;
        at = next;
        for one in found {
            match one {
                Lost::Subscription(tenant, subscription) => tracing::warn!(
                    tenant = tenant.as_str(),
                    subscription = subscription.as_str(),
                    "given up: a subscription's signing secret; it is inactive until it has another one (rotate_secret)"
                ),
                Lost::ModelKey(tenant) => tracing::warn!(
                    tenant = tenant.as_str(),
                    "given up: the key of a tenant's model; set it again with `pagesmith tenant agent --key-file`"
                ),
                Lost::Certificate(name) => {
                    tracing::warn!(name, "given up: the key of a certificate, which is ordered anew");
                }
                Lost::AcmeAccount(directory) => {
                    tracing::warn!(
                        directory,
                        "given up: the account at a certificate authority; a new one is made"
                    );
                }
                Lost::SecondFactor(user) => tracing::warn!(
                    user = user.as_str(),
                    "given up: the secret of a user's authenticator app; a recovery code is wanted in place of its codes"
                ),
                Lost::Hook(tenant) => tracing::warn!(
                    tenant = tenant.as_str(),
                    "given up: the secret of a tenant's enrichment hook; it is inactive until it is set again \
                     (PUT /v0/enrichment_hook), which gives it another one"
                ),
                Lost::Digests { answers, erased } => tracing::warn!(
                    answers,
                    erased,
                    "given up: answers kept for repeated requests, which are refused until they expire, and the \
                     digests of erased addresses, which may be given to namesakes from now on; links of invitations \
                     stay good, but one whose e-mail was not sent yet has to be made again, and passwords of shared \
                     figures stay as they are, but are asked for once more"
                ),
            }
        }
    }
    Ok(())
}

/// Everything that none of the keys opens.
pub async fn lost(store: &Store, keys: &SecretKeys) -> Result<Vec<Lost>> {
    let (mut at, mut all) = (Walk::Subscriptions(None), Vec::new());
    while at != Walk::Over {
        let (keys, from) = (keys.clone(), at);
        let (next, found) = store.read(move |tx| server_keys::lost(tx, &keys, &from, BATCH)).await?;
        at = next;
        all.extend(found);
    }
    Ok(all)
}

/// How the keys, if there are any, and the database fit together.
pub async fn compare(store: &Store, keys: Option<&SecretKeys>) -> Result<KeyStatus> {
    let keys = keys.cloned();
    Ok(store.read(move |tx| server_keys::key_status(tx, keys.as_ref())).await?)
}

/// Why the database is refused, what is at stake, and what to do.
async fn refusal(config: &Config, store: &Store, keys: Option<&SecretKeys>) -> Result<Failure> {
    let KeyStatus::Locked(sealed) = compare(store, keys).await? else {
        return Ok(Failure::new("the server's key was changed meanwhile: run this again"));
    };
    let fitting = fitting(config, store).await?;
    Ok(Failure::new(explain(config, keys, &sealed, fitting.as_deref())?))
}

/// What is sealed under which key, which key was found, and what to do.
pub fn explain(
    config: &Config,
    keys: Option<&SecretKeys>,
    sealed: &Sealed,
    fitting: Option<&Path>,
) -> Result<String> {
    let Amounts { subscriptions, model_keys, certificates, second_factors, hooks, answers, erased } =
        sealed.amounts;
    let count =
        |number: u64, one: &str, many: &str| format!("{number} {}", if number == 1 { one } else { many });
    let under = match &sealed.fingerprint {
        Some(fingerprint) => format!("the key {fingerprint}"),
        None => "another key".to_owned(),
    };
    let place = match &config.server.secret_keys {
        Some(_) => "the setting secret_key".to_owned(),
        None => super::path(config)?.display().to_string(),
    };
    let found = match keys {
        Some(keys) => {
            format!("{place} holds the key {}, which does not open it", keys.fingerprints().join(", "))
        }
        None => format!("there is no file {place}"),
    };
    let advice = match fitting {
        Some(file) => format!("{} holds the right key: move it there, or name it", file.display()),
        None => "put the right key back, name its file".to_owned(),
    };
    Ok(format!(
        "this database was used with another server key. Sealed under {under}: the signing secrets of {}, the keys of {}{}{}{}, {} and {} of erased persons; but {found}. \
         To go on, {advice} with --secret-key-file, or set PAGESMITH_SECRET_KEY. If the key is lost, `pagesmith serve --accept-new-key` gives up what is sealed under it",
        count(subscriptions, "webhook subscription", "webhook subscriptions"),
        count(model_keys, "tenant's model", "tenants' models"),
        match certificates {
            0 => String::new(),
            _ => format!(" and {}", count(certificates, "certificate", "certificates")),
        },
        match second_factors {
            0 => String::new(),
            _ => format!(", {}", count(second_factors, "authenticator app", "authenticator apps")),
        },
        match hooks {
            0 => String::new(),
            _ => format!(", {}", count(hooks, "enrichment hook", "enrichment hooks")),
        },
        count(answers, "kept answer", "kept answers"),
        count(erased, "address", "addresses"),
    ))
}

/// A file at one of the usual places whose key opens the database.
pub async fn fitting(config: &Config, store: &Store) -> Result<Option<PathBuf>> {
    let used = super::path(config).ok();
    for place in config.server.usual_key_files(config.database.url.embedded_path()) {
        if used.as_ref() == Some(&place) && config.server.secret_keys.is_none() {
            continue;
        }
        // A file that cannot be read is no advice.
        if let Ok(Some(file)) = KeyFile::read(&place)
            && compare(store, Some(&file.keys())).await? == KeyStatus::Open
        {
            return Ok(Some(place));
        }
    }
    Ok(None)
}
