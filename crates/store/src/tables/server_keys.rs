//! `server_keys`: keys that the server has made for itself, sealed under its key, and by which fingerprint that one is known.

use pagesmith_model::Result;

use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// A key, sealed.
pub fn find(tx: &mut Tx<'_>, name: &str) -> Result<Option<Vec<u8>>> {
    let row = tx.maybe(sql!("SELECT sealed FROM server_keys WHERE name = $1").with(values![name]))?;
    row.map(|row| row.take("sealed")).transpose()
}

/// Adds a key, or replaces what the key of that name is sealed as.
pub fn save(name: &str, sealed: &[u8]) -> Query {
    sql!(
        "INSERT INTO server_keys (name, sealed) VALUES ($1, $2)
         ON CONFLICT (name) DO UPDATE SET sealed = excluded.sealed"
    )
    .with(values![name, sealed])
}

/// How much of each kind is kept under the server's key.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Amounts {
    /// Subscriptions, each with its signing secrets; deleted ones and those that were given up are not counted.
    pub subscriptions: u64,
    /// Keys of tenants' models; those that were given up are not counted.
    pub model_keys: u64,
    /// Host names with the key of a certificate.
    pub certificates: u64,
    /// Users with the secret of an authenticator app; those that were given up are not counted.
    pub second_factors: u64,
    /// Tenants' enrichment hooks, each with its secret; those that were given up are not counted.
    pub hooks: u64,
    /// Answers to requests that may come again.
    pub answers: u64,
    /// Addresses of erased persons, known by a digest alone.
    pub erased: u64,
}

/// How much is kept under the server's key.
pub fn amounts(tx: &mut Tx<'_>) -> Result<Amounts> {
    // across tenants: the server's key seals everyone's
    let select = sql!(
        "SELECT (SELECT COUNT(*) FROM webhook_subscriptions WHERE deleted_at IS NULL AND LENGTH(secrets) > 0)
                    AS subscriptions,
                (SELECT COUNT(*) FROM tenant_agents WHERE LENGTH(api_key) > 0) AS model_keys,
                (SELECT COUNT(*) FROM certificates WHERE LENGTH(sealed_key) > 0) AS certificates,
                (SELECT COUNT(*) FROM users WHERE LENGTH(sealed_totp) > 0) AS second_factors,
                (SELECT COUNT(*) FROM enrichment_hooks WHERE LENGTH(seed) > 0) AS hooks,
                (SELECT COUNT(*) FROM idempotency_records) AS answers,
                (SELECT COUNT(*) FROM erased_slugs) AS erased"
    );
    let row = tx.one(select.with(values![]))?;
    Ok(Amounts {
        subscriptions: row.get("subscriptions")?,
        model_keys: row.get("model_keys")?,
        certificates: row.get("certificates")?,
        second_factors: row.get("second_factors")?,
        hooks: row.get("hooks")?,
        answers: row.get("answers")?,
        erased: row.get("erased")?,
    })
}
