//! Signing in: every identity provider answers, and somebody can sign in without them.

use std::sync::Arc;

use pagesmith_model::Timestamp;
use pagesmith_operations::users::break_glass;
use pagesmith_operations::users::identity_providers::IdentityProviders;
use pagesmith_store::Store;

use super::{Check, Level};
use crate::config::Config;
use crate::failure::Result;
use crate::wiring;

/// Asks the providers, and the database where passwords are off.
pub async fn check(config: &Config, now: Timestamp) -> Vec<Check> {
    let configured = match config.sign_in.providers() {
        Ok(configured) => configured,
        Err(failure) => return vec![result(Level::Fail, failure.to_string())],
    };
    let providers = IdentityProviders::new("", configured);
    providers.call_by(Arc::new(wiring::provider_calls(config)));
    let mut found = Vec::new();
    for provider in providers.all() {
        found.push(match providers.try_out(provider, now).await {
            Ok(()) => result(Level::Ok, format!("{} answers at {}", provider.name, provider.issuer)),
            Err(error) => result(Level::Fail, error.to_string()),
        });
    }
    if !config.sign_in.rules(config.console.sessions).passwords_for_all {
        // A database that cannot be read is told of by the checks before.
        found.extend(emergencies(config).await.ok().flatten());
    }
    found
}

fn result(level: Level, detail: impl Into<String>) -> Check {
    Check::new("sign-in", level, detail)
}

async fn emergencies(config: &Config) -> Result<Option<Check>> {
    if config.database.url.embedded_path().is_some_and(|path| !path.exists()) {
        return Ok(None);
    }
    let store = Store::open(config.database.store_options())?;
    let is_any = store.read(break_glass::is_any).await;
    store.close().await?;
    Ok(Some(if is_any? {
        result(Level::Ok, "passwords are off, and a user who is marked for emergencies has one")
    } else {
        let advice = "mark one with `pagesmith user break-glass` and let that user set a password";
        result(
            Level::Warn,
            format!("passwords are off, and nobody could sign in without a provider: {advice}"),
        )
    }))
}
