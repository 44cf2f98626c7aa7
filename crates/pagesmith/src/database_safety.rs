//! What is looked at before a server entrusts anything to its database: that it keeps every text, keeps what it has acknowledged, and that
//! nobody reads along. Nothing of the operator's is changed.

use pagesmith_store::{Store, Transport};

use crate::config::Database;
use crate::failure::{Failure, Result};

/// What `synchronous_commit = off` means and what to do.
pub const LOSES_COMMITS: &str = "what was acknowledged is lost when the database server ends. \
     Set it to on for this role or database, or allow it by database_allow_asynchronous_commit = true";
/// What an address without `sslmode` means for a database elsewhere.
pub const DOWNGRADABLE: &str = "the connection is encrypted only if that works, which somebody in between can prevent: \
     use sslmode=verify-full in the address, with sslrootcert=FILE if the server's certificate is from your own authority";
/// What `sslmode=require` means for it.
pub const UNVERIFIED: &str = "the connection is encrypted, but the server's certificate is not verified, so that somebody in \
     between can pose as the server: use sslmode=verify-full in the address, with sslrootcert=FILE if the certificate is \
     from your own authority";
/// What `sslmode=disable` means for it.
pub const NOT_ENCRYPTED: &str = "the connection is not encrypted: use sslmode=verify-full in the address";

/// Refuses a database that may lose what it acknowledges, unless the operator allows that, and warns of what else is unsafe.
pub async fn check(store: &Store, config: &Database) -> Result<()> {
    match store.url().transport() {
        Transport::Local | Transport::Verified => {}
        Transport::Unverified => tracing::warn!(database = %store.url(), "{UNVERIFIED}"),
        Transport::Downgradable => tracing::warn!(database = %store.url(), "{DOWNGRADABLE}"),
        Transport::Open => tracing::warn!(database = %store.url(), "{NOT_ENCRYPTED}"),
    }
    if store.url().is_embedded() {
        return Ok(());
    }
    let diagnosis = store.diagnose().await?;
    // Its own tools (trigrams, `lower`, full text) would find nothing in other scripts.
    if !diagnosis.characters.are_unicode() {
        tracing::warn!(
            character_type = diagnosis.characters.character_type,
            "the database's character type should be a UTF-8 one, such as C.UTF-8"
        );
    }
    let Some(durability) = diagnosis.durability else { return Ok(()) };
    if durability.loses_commits() {
        if !config.allow_asynchronous_commit {
            return Err(Failure::new(format!("the database's synchronous_commit is off: {LOSES_COMMITS}")));
        }
        tracing::warn!("the database's synchronous_commit is off: its end loses what was acknowledged last");
    }
    Ok(())
}
