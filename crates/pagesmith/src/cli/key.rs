//! `key create`, `list`, `rotate`, `revoke`.
//!
//! The text of a key is printed once, by `create` and `rotate`, on the last line alone (or as `secret` of the JSON);
//! it cannot be shown again. Changes reach every server within seconds.

mod print;

use std::time::Duration;

use clap::Subcommand;
use pagesmith_model::Timestamp;
use pagesmith_model::duration::parse_duration;
use pagesmith_model::id::KeyId;
use pagesmith_model::key::Scope;
use pagesmith_operations::keys::{self, IssuedKey, NewKey};
use pagesmith_operations::tenants;

use super::session::Session;
use crate::failure::Result;

/// What can be done with keys.
#[derive(Subcommand)]
pub enum Command {
    /// Create a key and print it; it is shown only this once.
    Create {
        /// The tenant it belongs to (id or slug); the API refuses a key of several tenants.
        #[arg(long = "tenant", value_name = "TENANT", required = true)]
        tenants: Vec<String>,
        /// Its scope: read or write.
        #[arg(long, default_value = "write")]
        scope: Scope,
        /// When it expires, such as 90d; by default never.
        #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
        expires_in: Option<Duration>,
        /// A name for the key.
        #[arg(long, default_value = "key")]
        name: String,
        /// Requests per rate limit window, instead of the server's setting.
        #[arg(long, value_name = "REQUESTS", value_parser = clap::value_parser!(u32).range(1..))]
        rate_limit: Option<u32>,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// List the keys, without their secrets.
    List {
        /// Only keys of this tenant (id or slug).
        #[arg(long)]
        tenant: Option<String>,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Replace a key and print the new one, only this once; the old key stays valid for the overlap.
    Rotate {
        /// The key's id.
        #[arg(value_parser = parse_id)]
        id: KeyId,
        /// How long the old key stays valid.
        #[arg(long, value_name = "DURATION", value_parser = parse_duration, default_value = "24h")]
        overlap: Duration,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Revoke a key.
    Revoke {
        /// The key's id.
        #[arg(value_parser = parse_id)]
        id: KeyId,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
}

/// Does it and prints the key or the keys.
pub fn run(session: &Session, command: Command) -> Result<()> {
    let context = session.context();
    let now: Timestamp = context.now;
    session.with_store(async move |store| {
        let (keys, secret, json) = match command {
            Command::Create { tenants, scope, expires_in, name, rate_limit, json } => {
                let new = NewKey { name, scope, tenants, expires_in, rate_limit };
                let issued = store.write(move |tx| keys::create(tx, &context, &new)).await?;
                let IssuedKey { key, secret } = issued;
                (vec![key], Some(secret), json)
            }
            Command::List { tenant, json } => {
                let keys = store.read(move |tx| keys::list(tx, tenant.as_deref())).await?;
                if json {
                    return print::list_json(&keys, now);
                }
                (keys, None, json)
            }
            Command::Rotate { id, overlap, json } => {
                let issued = store.write(move |tx| keys::rotate(tx, &context, &id, overlap)).await?;
                let IssuedKey { key, secret } = issued;
                (vec![key], Some(secret), json)
            }
            Command::Revoke { id, json } => {
                let key = store.write(move |tx| keys::revoke(tx, &context, &id)).await?;
                (vec![key], None, json)
            }
        };
        if json {
            return keys.iter().try_for_each(|key| print::one_json(key, secret.as_deref(), now));
        }
        let tenants = store.read(tenants::list).await?;
        print::table(&keys, &tenants, secret.as_deref(), now)
    })
}

fn parse_id(text: &str) -> Result<KeyId, String> {
    KeyId::parse(text).ok_or_else(|| "it is not a key's id; `pagesmith key list` shows them".to_owned())
}
