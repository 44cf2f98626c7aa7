//! How keys are shown: as a table for people, as JSON for programs.
//!
//! The text of a key passes through here only when it was issued a moment ago.

use pagesmith_model::Timestamp;
use pagesmith_model::id::TenantId;
use pagesmith_model::key::Key;
use pagesmith_model::tenant::Tenant;
use serde_json::{Value, json};

use crate::cli::output;
use crate::failure::Result;

/// Prints the keys as a table, and the text of a new one on a line of its own below.
pub fn table(keys: &[Key], tenants: &[Tenant], secret: Option<&str>, now: Timestamp) -> Result<()> {
    let slug = |id: &TenantId| {
        let tenant = tenants.iter().find(|tenant| tenant.tenant_id == *id);
        tenant.map_or_else(|| id.to_string(), |tenant| tenant.slug.clone())
    };
    let row = |key: &Key| {
        [
            key.key_id.to_string(),
            key.name.clone(),
            key.tenants.iter().map(slug).collect::<Vec<_>>().join(","),
            key.scope.to_string(),
            state(key, now).to_owned(),
            key.expires_at.map_or_else(|| "never".to_owned(), |at| at.to_string()),
            key.last_used_at.map_or_else(|| "never".to_owned(), |at| at.to_string()),
            key.rate_limit.map_or_else(|| "server's".to_owned(), |limit| limit.to_string()),
        ]
    };
    let rows: Vec<_> = keys.iter().map(row).collect();
    let heading = ["ID", "NAME", "TENANTS", "SCOPE", "STATE", "EXPIRES", "LAST USED", "RATE LIMIT"];
    output::table(heading, &rows)?;
    secret.map_or(Ok(()), |secret| output::line(&format!("\n{secret}")))
}

/// Prints one key as an object, with its text if it is new.
pub fn one_json(key: &Key, secret: Option<&str>, now: Timestamp) -> Result<()> {
    let mut object = to_json(key, now);
    if let Some(secret) = secret {
        object["secret"] = secret.into();
    }
    output::json(&object)
}

/// Prints the keys as an array.
pub fn list_json(keys: &[Key], now: Timestamp) -> Result<()> {
    output::json(&keys.iter().map(|key| to_json(key, now)).collect())
}

fn to_json(key: &Key, now: Timestamp) -> Value {
    let time = |at: Option<Timestamp>| at.map(|at| at.to_string());
    json!({
        "keyId": key.key_id.to_string(),
        "name": key.name,
        "tenantIds": key.tenants.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "scope": key.scope.as_str(),
        "state": state(key, now),
        "rateLimit": key.rate_limit,
        "createdAt": key.created_at.to_string(),
        "expiresAt": time(key.expires_at),
        "lastUsedAt": time(key.last_used_at),
        "revokedAt": time(key.revoked_at),
    })
}

fn state(key: &Key, now: Timestamp) -> &'static str {
    match () {
        () if key.revoked_at.is_some() => "revoked",
        () if !key.is_live(now) => "expired",
        () => "live",
    }
}
