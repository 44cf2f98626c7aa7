//! The server's key: is it there, its owner's alone, and the one that the database was used with?

use pagesmith_model::seal::SecretKeys;
use pagesmith_operations::server_keys::{KeyStatus, Lost};
use pagesmith_store::Store;

use super::Check;
use super::Level;
use crate::config::Config;
use crate::failure::Result;
use crate::secret_key;

/// How many of what is lost are named.
const NAMED: usize = 5;

/// Looks at the key, and at the database if that can be read.
pub async fn check(config: &Config) -> Check {
    let keys = match secret_key::load(config) {
        Ok(keys) => keys,
        Err(failure) => return found(Level::Fail, failure.to_string()),
    };
    // A database that cannot be read is told of by the checks before.
    let against = against(config, keys.as_ref()).await.ok().flatten();
    if let Some(detail) = against {
        return detail;
    }
    match keys {
        Some(keys) => alone(config, &keys),
        None => match secret_key::path(config) {
            Ok(path) => found(
                Level::Warn,
                format!("{} is not there; `pagesmith serve` makes a new one", path.display()),
            ),
            Err(failure) => found(Level::Fail, failure.to_string()),
        },
    }
}

fn found(level: Level, detail: impl Into<String>) -> Check {
    Check::new("secret key", level, detail)
}

/// What the database says against the keys, if anything.
async fn against(config: &Config, keys: Option<&SecretKeys>) -> Result<Option<Check>> {
    if config.database.url.embedded_path().is_some_and(|path| !path.exists()) {
        return Ok(None);
    }
    let store = Store::open(config.database.store_options())?;
    let outcome = compare(config, &store, keys).await;
    store.close().await?;
    outcome
}

async fn compare(config: &Config, store: &Store, keys: Option<&SecretKeys>) -> Result<Option<Check>> {
    if let KeyStatus::Locked(sealed) = secret_key::compare(store, keys).await? {
        let fitting = secret_key::fitting(config, store).await?;
        let detail = secret_key::explain(config, keys, &sealed, fitting.as_deref())?;
        return Ok(Some(found(Level::Fail, detail)));
    }
    let Some(keys) = keys else { return Ok(None) };
    let lost = secret_key::lost(store, keys).await?;
    if lost.is_empty() {
        return Ok(None);
    }
    let mut names: Vec<String> = lost.iter().take(NAMED).map(named).collect();
    if lost.len() > NAMED {
        names.push(format!("{} more", lost.len() - NAMED));
    }
    let detail = format!(
        "it does not open {}: rotate their secrets, set the models' keys again, or `pagesmith serve --accept-new-key`",
        names.join(", ")
    );
    Ok(Some(found(Level::Fail, detail)))
}

fn named(lost: &Lost) -> String {
    match lost {
        Lost::Subscription(tenant, subscription) => {
            format!("the signing secret of {subscription} (tenant {tenant})")
        }
        Lost::ModelKey(tenant) => format!("the key of the model of tenant {tenant}"),
        Lost::Certificate(name) => format!("the key of the certificate of {name}"),
        Lost::AcmeAccount(directory) => format!("the account at {directory}"),
        Lost::SecondFactor(user) => format!("the authenticator app of {user}"),
        Lost::Hook(tenant) => format!("the secret of the enrichment hook of tenant {tenant}"),
        Lost::Digests { .. } => "the key of digests".to_owned(),
    }
}

/// What is to be said of the keys by themselves.
fn alone(config: &Config, keys: &SecretKeys) -> Check {
    let fingerprints = keys.fingerprints().join(", ");
    if config.server.secret_keys.is_some() {
        return match keys.are_several() {
            false => found(Level::Ok, format!("set by configuration: {fingerprints}")),
            true => found(
                Level::Warn,
                format!("set by configuration: several ({fingerprints}); see `secret-key rotate`"),
            ),
        };
    }
    let path = match secret_key::path(config) {
        Ok(path) => path,
        Err(failure) => return found(Level::Fail, failure.to_string()),
    };
    let shown = path.display();
    match secret_key::is_exposed(&path) {
        Err(error) => found(Level::Fail, format!("{shown}: {error}")),
        Ok(Some(true)) => found(Level::Warn, format!("others may read {shown}: chmod 600 it")),
        Ok(_) if keys.are_several() => {
            let detail = format!(
                "{shown} holds several ({fingerprints}): `pagesmith secret-key rotate` ends what was begun"
            );
            found(Level::Warn, detail)
        }
        Ok(_) => found(Level::Ok, format!("{shown}: {fingerprints}")),
    }
}
