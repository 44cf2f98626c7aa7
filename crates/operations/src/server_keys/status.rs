//! Whether the server's keys open what the database holds, and what that is.
//!
//! What this is not: a look at every sealed value; the key of digests stands for all of them, and where there is none yet, the first few.
//! Invariant: it only reads, and a database in which nothing was ever sealed takes any key.

use pagesmith_model::Result;
use pagesmith_model::seal::SecretKeys;
use pagesmith_store::Tx;
use pagesmith_store::tables::server_keys::{self, Amounts};
use pagesmith_store::tables::{agent as agent_rows, idempotency as idempotency_rows, webhooks};

use super::{DIGESTS, DIGESTS_BOUND, FINGERPRINT};
use crate::webhooks::subscriptions;
use crate::{agent, idempotency};

/// How many values of each kind are looked at where there is no key of digests.
const EXAMPLES: i64 = 20;

/// How the server's keys and the database fit together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyStatus {
    /// Nothing was ever sealed.
    Unused,
    /// The keys are those that the database was used with.
    Open,
    /// The database was used with another key, or there is none.
    Locked(Sealed),
}

/// What is sealed under a key that is not here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed {
    /// How much of each kind.
    pub amounts: Amounts,
    /// The fingerprint of that key, if it was noted.
    pub fingerprint: Option<String>,
}

/// Compares the keys, if there are any, with what the database holds.
pub fn key_status(tx: &mut Tx<'_>, keys: Option<&SecretKeys>) -> Result<KeyStatus> {
    Ok(match opens(tx, keys)? {
        None => KeyStatus::Unused,
        Some(true) => KeyStatus::Open,
        Some(false) => KeyStatus::Locked(Sealed {
            amounts: server_keys::amounts(tx)?,
            fingerprint: server_keys::find(tx, FINGERPRINT)?.and_then(|bytes| String::from_utf8(bytes).ok()),
        }),
    })
}

/// Whether anything was ever sealed under a server's key.
pub fn is_used(tx: &mut Tx<'_>) -> Result<bool> {
    Ok(opens(tx, None)?.is_some())
}

/// Whether the keys open what is sealed; nothing if nothing is. Where there is a key of digests, no tenant's rows are read: a server can start
/// while some of them are away.
fn opens(tx: &mut Tx<'_>, keys: Option<&SecretKeys>) -> Result<Option<bool>> {
    match server_keys::find(tx, DIGESTS)? {
        Some(sealed) => Ok(Some(keys.is_some_and(|keys| keys.open(DIGESTS_BOUND, &sealed).is_some()))),
        None => opens_examples(tx, keys),
    }
}

/// Whether one of the first values that are sealed opens; nothing if there are none.
fn opens_examples(tx: &mut Tx<'_>, keys: Option<&SecretKeys>) -> Result<Option<bool>> {
    let mut sealed: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
    for ((tenant, id), value) in webhooks::subscriptions::list_sealed(tx, None, EXAMPLES)? {
        sealed.push((subscriptions::bound_to(&tenant, &id).into_bytes(), value));
    }
    for (tenant, value) in agent_rows::list_sealed(tx, None, EXAMPLES)? {
        sealed.push((agent::bound_to(&tenant).into_bytes(), value));
    }
    for (key, value) in idempotency_rows::list_sealed(tx, None, EXAMPLES)? {
        sealed.push((idempotency::bound_to(&key), value));
    }
    sealed.retain(|(_, value)| !value.is_empty());
    let opens = |keys: &SecretKeys| sealed.iter().any(|(bound, value)| keys.open(bound, value).is_some());
    Ok((!sealed.is_empty()).then(|| keys.is_some_and(opens)))
}
